"""Strings that get longer turn by turn: their pieces are the rows of a list of staged length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from autograph.errors import MergeError
from autograph.runtime.control.building import build_cond
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, Trace, wrap
from autograph.runtime.ops.table import OPS
from autograph.strings.characters import (
    LETTER_ROW,
    is_letter_row,
    is_looked_into,
    is_spellable,
    spelled_letters,
)
from autograph.strings.text import Character, Characters, Pieces, Text
from autograph.values.references import parts_in
from autograph.values.skeleton import (
    STAGED_CONTENTS,
    Choices,
    Fixed,
    Group,
    Grown,
    Held,
    Leaf,
    Made,
    Packed,
    Skeleton,
    alike,
)


class Coercing(Protocol):
    """The part of a coercer that strings need."""

    trace: Trace

    def inside(self, trace: Trace) -> Coercing:
        """The coercer of a branch that begins here."""

    def coerce(self, frozen: Skeleton, target: Skeleton) -> list[Value]:
        """The values of `frozen` for the leaves of `target`."""

    def columns(self, frozen: Grown, element: Skeleton) -> list[Value]:
        """The columns of rows of a wider type."""

    def unpacked(self, packed: Packed) -> Grown:
        """Packed contents as columns."""

    def row(self, frozen: Skeleton, element: Skeleton) -> list[Value]:
        """What is pushed to the columns for one row."""


MOST_PIECES = 8
"""Of known strings as whole pieces."""


def is_text(skeleton: Skeleton) -> bool:
    """Whether this is a string with staged parts."""
    return isinstance(skeleton, Group) and skeleton.kind is Text


def is_string(skeleton: Skeleton) -> bool:
    """Whether this is a known string."""
    return isinstance(skeleton, Fixed) and type(skeleton.value) is str


def rows_of_text(skeleton: Skeleton) -> Grown | Packed | None:
    """The pieces of a string that is nothing but as many as the run tells."""
    parts = _parts(skeleton) if is_text(skeleton) else ()
    return _rows(parts[0]) if len(parts) == 1 else None


def join_strings(
    left: Skeleton, right: Skeleton, grow: bool, grown: Callable[[list[Skeleton]], Skeleton]
) -> Skeleton | None:
    """The type of a string of as many pieces as the run tells that holds both; None of others.

    Two strings with staged parts get one in a loop (`grow`), where they are no end of kinds, and
    so do a known one and one that was looked into.
    """
    pair = (left, right)
    texts = sum(map(is_text, pair))
    if not texts or not all(is_text(one) or is_string(one) for one in pair):
        return None
    many = grow and (texts == 2 or any(map(is_looked_into, pair)))
    if many or any(rows_of_text(one) for one in pair):
        return join_many_strings(pair, grown)
    return None


def join_many_strings(
    strings: Sequence[Skeleton], grown: Callable[[list[Skeleton]], Skeleton]
) -> Skeleton:
    """The type of a string of as many pieces as the run tells that holds all these.

    Known strings are whole pieces where there are few of them, else single letters.
    """
    if all(map(is_spellable, strings)):
        return Group(Text, (Group(tuple, (Group(Pieces, (grown([LETTER_ROW]),)),)),))
    pieces = [one for string in strings for piece in _pieces(string) for one in _elements(piece)]
    elements = [one for one in pieces if not is_string(one)]
    if not all(map(_is_flat, elements)):
        raise MergeError(
            "a string that shows containers gets longer turn by turn",
            remedy="show their items, or append the strings to a list and join it after the loop",
        )
    known: list[Skeleton] = []
    for one in pieces:
        if is_string(one) and not _stands_in(one, (*elements, *known)):
            if not all(_stands_in(letter, elements) for letter in _letters(one)):
                known.append(one)
    if len(known) > MOST_PIECES:
        letters = {letter.value: letter for one in known for letter in _letters(one)}
        known = list(letters.values())
    return Group(Text, (Group(tuple, (Group(Pieces, (grown([*elements, *known]),)),)),))


def _letters(string: Skeleton) -> list[Fixed]:
    assert isinstance(string, Fixed)
    return [Fixed(letter) for letter in string.value]


def _stands_in(string: Skeleton, elements: Sequence[Skeleton]) -> bool:
    """Whether a known string is one of these, or one of what one of these may be."""
    return is_string(string) and any(
        alike(one, string)
        for element in elements
        for one in (element.options if isinstance(element, Choices) else (element,))
    )


def is_uniform(text: Group) -> bool:
    """Whether a joined string has the parts of both, and none of them is a string in itself.

    Nor is one of them characters on one side only: as a row of characters the whole is one thing.
    """
    return isinstance(text.items[0], Group) and not any(
        is_text(one) or (_is_spelled(one) and one is not part)
        for part in _parts(text)
        for one in (part.options if isinstance(part, Choices) else (part,))
    )


def string_columns(
    coercer: Coercing, frozen: Skeleton, rows: Grown | Packed, before: list[Value] | None = None
) -> list[Value]:
    """The columns of the pieces of a string, of `rows` type, behind those of `before`."""
    if isinstance(rows, Grown) and is_letter_row(rows.element) and is_spellable(frozen):
        return spelled_letters(coercer.trace, [*_pieces(frozen)], before)
    columns = before
    for piece in _pieces(frozen):
        own = _rows(piece)
        if own is not None:
            whole = coercer.unpacked(own) if isinstance(own, Packed) else own
            more = coercer.columns(whole, rows.element)
            columns = more if columns is None else _extended(coercer, columns, more)
            continue
        if columns is None:
            columns = _no_rows(coercer, rows)
        if is_string(piece) and not _stands_in(piece, (rows.element,)):
            for letter in _letters(piece):
                columns = _pushed(coercer, columns, coercer.row(letter, rows.element))
        elif isinstance(piece, Choices) and not _is_row(piece, rows.element):
            columns = _chosen(coercer, columns, piece, rows)
        else:
            columns = _pushed(coercer, columns, coercer.row(piece, rows.element))
    return _no_rows(coercer, rows) if columns is None else columns


def _is_row(choice: Choices, element: Skeleton) -> bool:
    """Whether each option is one piece, so that the tag tells the row."""
    whole = isinstance(element, Choices)
    return whole and all(_stands_in(one, (element,)) for one in choice.options)


def _parts(text: Skeleton) -> tuple[Skeleton, ...]:
    assert isinstance(text, Group)
    (parts,) = text.items
    return parts.items if isinstance(parts, Group) else ()


def _rows(part: Skeleton) -> Grown | Packed | None:
    """The rows of a part of a string that is as many pieces as the run tells."""
    if isinstance(part, Group) and _is_pieces(part):
        (rows,) = part.items
        return rows if isinstance(rows, Grown | Packed) else None
    return None


def _is_spelled(part: Skeleton) -> bool:
    return isinstance(part, Group) and part.kind in (Pieces, Character, Characters)


def _is_pieces(part: Skeleton) -> bool:
    return isinstance(part, Group) and part.kind is Pieces


def _pieces(string: Skeleton) -> Iterator[Skeleton]:
    """What a string is made of, in order."""
    if not is_text(string):
        yield string
        return
    for part in _parts(string):
        if is_text(part):
            yield from _pieces(part)
        elif not (is_string(part) and isinstance(part, Fixed) and not part.value):
            yield part


def _elements(piece: Skeleton) -> Iterator[Skeleton]:
    """What the rows are for a piece."""
    rows = _rows(piece)
    if rows is not None:
        yield rows.element
    elif isinstance(piece, Choices):
        for option in piece.options:
            for one in _pieces(option):
                yield from _elements(one)
    else:
        yield piece


def _is_flat(element: Skeleton) -> bool:
    """Whether a list of staged length can hold this."""
    return not any(
        isinstance(part, Grown | Packed | Held)
        or (isinstance(part, Made) and part.keys is STAGED_CONTENTS)
        or (isinstance(part, Leaf) and not isinstance(part.spec, Spec))
        for part in parts_in(element)
    )


def _no_rows(coercer: Coercing, rows: Grown | Packed) -> list[Value]:
    return coercer.coerce(Held(list, (), ()), Grown(list, rows.element))


def _pushed(coercer: Coercing, columns: list[Value], leaves: list[Value]) -> list[Value]:
    with coercer.trace.active():
        pairs = zip(columns, leaves, strict=True)
        made = [OPS.list_push(StagedList(column), leaf) for column, leaf in pairs]
    return [one._value for one in made]


def _extended(coercer: Coercing, columns: list[Value], more: list[Value]) -> list[Value]:
    with coercer.trace.active():
        pairs = zip(columns, more, strict=True)
        made = [OPS.list_extend(StagedList(one), StagedList(other)) for one, other in pairs]
    return [one._value for one in made]


def _chosen(
    coercer: Coercing, columns: list[Value], choice: Choices, rows: Grown | Packed
) -> list[Value]:
    """The columns with the pieces of that option behind them which the run takes."""
    trace, tag = coercer.trace, choice.tag
    assert tag is not None

    def branch(option: Skeleton) -> Callable[[], tuple[Any, ...]]:
        def run() -> tuple[Any, ...]:
            inner = STATE.interpreter
            assert isinstance(inner, Trace)
            before = [inner.lift(column) for column in columns]
            behind = string_columns(coercer.inside(inner), option, rows, before)
            return tuple(wrap(column) for column in behind)

        return run

    with trace.active():
        made = build_cond(trace, Number(trace.lift(tag)), [*map(branch, choice.options)])
    return [trace.value_of(one) for one in made]
