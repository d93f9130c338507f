"""Strings that are characters: one, or as many as the run tells; and how rows hold them.

Rows of a container hold a string in one way, so that equal ones are alike: keys and items that are
one character as its code point, others as tensors of code points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.effects.digits import Row, code_points, codes_of_int, is_format, known_row
from autograph.effects.skeleton import Choices, Fixed, Group, Grown, Leaf, Skeleton
from autograph.effects.texts import Character, Characters, Formatted, Pieces, Text
from autograph.errors import MergeError
from autograph.runtime.control.building import build_cond
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import PYBOOL, PYINT, Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, Trace
from autograph.runtime.ops.table import OPS

INT = np.dtype(np.int64)


def kind_spelled(skeleton: Skeleton) -> Any:
    """Character or Characters for a string that is just that; None for anything else."""
    if not isinstance(skeleton, Group) or skeleton.kind is not Text:
        return None
    (parts,) = skeleton.items
    if not isinstance(parts, Group) or len(parts.items) != 1:
        return None
    (only,) = parts.items
    kind = only.kind if isinstance(only, Group) else None
    return kind if kind in (Character, Characters) else None


def _is_known(skeleton: Skeleton) -> bool:
    return isinstance(skeleton, Fixed) and type(skeleton.value) is str


def join_spelled(options: Sequence[Skeleton]) -> Skeleton | None:
    """The one type for rows that are strings, some known and some characters; None for others.

    None as well where all are known, and a tag tells which one a row is, or all of one kind, which
    are joined as other structures are.
    """
    kinds = [kind_spelled(one) for one in options]
    if len(set(kinds)) == 1:
        return None
    if not all(kind or _is_known(one) for kind, one in zip(kinds, options, strict=True)):
        return None
    for one, kind in zip(options, kinds, strict=True):
        if kind is Characters and isinstance(_size(one), Dim):
            return one
    if all(kind is Character or _is_letter(one) for kind, one in zip(kinds, options, strict=True)):
        return _text(Character, Leaf(PYINT))
    return _text(Characters, Leaf(Spec(INT, (Dim.fresh("e"),)), sealed=True))


def with_one_spelled(options: list[Skeleton]) -> list[Skeleton]:
    """The options, with one kind of row for all strings where some are characters."""
    strings = [one for one in options if _is_known(one) or kind_spelled(one)]
    joined = join_spelled(strings) if len(strings) > 1 else None
    if joined is None:
        return options
    return [*(one for one in options if one not in strings), joined]


def is_spellable(skeleton: Skeleton) -> bool:
    """Whether the characters of a string, or of a part of one, are made without loops."""
    match skeleton:
        case Fixed(value=value):
            return type(value) is str
        case Choices(options=options):
            return all(map(is_spellable, options))
        case Group(kind=kind, items=items) if kind is Text:
            (parts,) = items
            return isinstance(parts, Group) and all(map(is_spellable, parts.items))
        case Group(kind=kind) if kind in (Character, Characters):
            return True
        case Group(kind=kind, items=items) if kind is Formatted:
            value, conversion, spec = items
            plain = isinstance(conversion, Fixed) and conversion.value == ""
            number = isinstance(value, Leaf) and value.spec in (PYINT, PYBOOL)
            known = isinstance(spec, Fixed) and type(spec.value) is str
            if not (plain and number and known and isinstance(spec, Fixed)):
                return False
            return is_format(spec.value)
        case Group(kind=kind, items=(rows,)) if kind is Pieces:
            return isinstance(rows, Grown) and is_letter_row(rows.element)
    return False


def is_letter_row(element: Skeleton) -> bool:
    """Whether rows hold one character each, by its code point."""
    return isinstance(element, Group) and element.kind is Character


LETTER_ROW = Group(Character, (Leaf(PYINT),))
"""What the rows of a string hold that gets longer turn by turn."""


def spelled_row(trace: Trace, skeleton: Skeleton) -> Row:
    """The code points of what can be spelled. The trace is the one where ops go."""
    match skeleton:
        case Fixed(value=value):
            return code_points(value)
        case Choices(options=options, tag=tag):
            assert tag is not None
            if all(map(_is_known, options)):
                known = [one.value for one in options if isinstance(one, Fixed)]
                return known_row(known, Number(trace.lift(tag)))
            return _of_choices(trace, skeleton)
        case Group(kind=kind, items=(parts,)) if kind is Text and isinstance(parts, Group):
            rows = [spelled_row(trace, one) for one in parts.items]
            found: Row = rows[0] if len(rows) == 1 else OPS.concat([code_points(""), *rows])
            return found
        case Group(kind=kind, items=(rows,)) if kind is Pieces and isinstance(rows, Grown):
            row: Tensor = OPS.list_values(StagedList(trace.lift(rows.columns[0])), dtype=INT)
            return row
    value = _leaf_of_first(skeleton)
    assert isinstance(skeleton, Group)
    if skeleton.kind is Characters:
        return Tensor._of(trace.lift(value))
    number = Number(trace.lift(value))
    if skeleton.kind is Character:
        letter: Tensor = OPS.add(np.zeros(1, INT), number)
        return letter
    spec = skeleton.items[2]
    assert isinstance(spec, Fixed)
    if number.kind is bool and not spec.value:
        return known_row(("False", "True"), OPS.py_int(number))
    codes = codes_of_int(OPS.py_int(number) if number.kind is bool else number, spec.value)
    assert codes is not None
    return codes


def _of_choices(trace: Trace, choices: Choices) -> Row:
    def branch(option: Skeleton) -> Callable[[], tuple[Any, ...]]:
        def run() -> tuple[Any, ...]:
            inner = STATE.interpreter
            assert isinstance(inner, Trace)
            return (Tensor._of(inner.value_of(spelled_row(inner, option))),)

        return run

    assert choices.tag is not None
    tag = Number(trace.lift(choices.tag))
    (found,) = build_cond(trace, tag, [*map(branch, choices.options)])
    return found  # type: ignore[no-any-return]


def _leaf_of_first(part: Skeleton) -> Value:
    """The value that a part of a string shows."""
    assert isinstance(part, Group)
    leaf = part.items[0]
    assert isinstance(leaf, Leaf) and leaf.value is not None
    return leaf.value


def spelled_letters(
    trace: Trace, pieces: Sequence[Skeleton], before: list[Value] | None
) -> list[Value]:
    """The column of code points of pieces, behind those `before`."""
    column = before[0] if before else None
    with trace.active():
        for piece in pieces:
            column = _with_piece(trace, column, piece)
        if column is None:
            column = OPS.list_create(element=PYINT)._value
    return [column]


def _with_piece(trace: Trace, column: Value | None, piece: Skeleton) -> Value:
    if isinstance(piece, Group) and piece.kind is Character and column is not None:
        code = Number(trace.lift(_leaf_of_first(piece)))
        return OPS.list_push(StagedList(column), code)._value  # type: ignore[no-any-return]
    rows = piece.items[0] if isinstance(piece, Group) and piece.kind is Pieces else None
    if isinstance(rows, Grown):
        more = StagedList(trace.lift(rows.columns[0]))
    else:
        more = OPS.list_numbers(spelled_row(trace, piece))
    if column is None:
        return more._value
    return OPS.list_extend(StagedList(column), more)._value  # type: ignore[no-any-return]


def holds_string(row: Skeleton, string: Skeleton) -> bool:
    """Whether rows of characters hold a known string, or one character."""
    kind = kind_spelled(row)
    if kind is Characters:
        return _is_known(string) or kind_spelled(string) is Character
    return kind is Character and _is_known(string) and _is_letter(string)


def _size(text: Skeleton) -> Any:
    """How many characters a spelled string has: an int or a symbol."""
    spec = _leaf_of(text).spec
    assert isinstance(spec, Spec)
    return spec.shape[0]


def _is_letter(string: Skeleton) -> bool:
    return isinstance(string, Fixed) and len(string.value) == 1


def _text(kind: Any, leaf: Leaf) -> Group:
    return Group(Text, (Group(tuple, (Group(kind, (leaf,)),)),))


def spelled_leaf(trace: Trace, frozen: Skeleton, target: Skeleton) -> Value | None:
    """The leaf of a string for a row of characters; None where it is coerced as its parts are."""
    wanted, given = kind_spelled(target), kind_spelled(frozen)
    if wanted is None or given is wanted:
        return None
    if isinstance(frozen, Fixed) and _is_known(frozen):
        codes = [*map(ord, frozen.value)]
        return trace.constant(codes[0] if wanted is Character else np.array(codes, INT))
    if isinstance(frozen, Choices) and wanted is Character or not is_spellable(frozen):
        return None
    with trace.active():
        return trace.value_of(spelled_row(trace, frozen))


def _leaf_of(text: Skeleton) -> Leaf:
    while isinstance(text, Group):
        (text,) = text.items
    assert isinstance(text, Leaf)
    return text


def spelled_column(
    narrow: Skeleton, wide: Skeleton, columns: Iterator[Value]
) -> list[Value] | None:
    """The column of strings as characters; None where it is as wide as it was."""
    wanted, given = kind_spelled(wide), kind_spelled(narrow)
    if wanted is None or given is wanted:
        return None
    if given is Character:
        codes = OPS.list_values(StagedList(next(columns)), dtype=INT)
        return [OPS.list_unstack(OPS.expand_dims(codes, 1), axis=0)._value]
    if not isinstance(narrow, Choices) or not all(map(_is_known, narrow.options)):
        return None
    known = [one.value for one in narrow.options if isinstance(one, Fixed)]
    tags = OPS.list_values(StagedList(next(columns)), dtype=INT)
    if wanted is Character:
        table = np.array([ord(one) for one in known], INT)
        return [OPS.list_numbers(OPS.apply("take", (table, tags), {"axis": 0}))._value]
    if len({len(one) for one in known}) > 1:
        raise MergeError(
            "strings of other lengths, which were known, and strings of characters of which only "
            "the run knows how many are put into one container",
            remedy="put the staged strings in from the start",
        )
    rows = np.array([[*map(ord, one)] for one in known], INT)
    return [OPS.list_unstack(OPS.apply("take", (rows, tags), {"axis": 0}), axis=0)._value]
