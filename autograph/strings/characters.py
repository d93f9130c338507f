"""Strings that are characters: one, or as many as the run tells; and how rows hold them.

Rows of a container hold a string in one way, so that equal ones are alike: keys and items that are
one character as its code point, others as tensors of code points. So does what a condition leaves
of strings of which one was looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograph.runtime.control.building import build_cond, build_while, while_step
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import PYBOOL, PYINT, Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, Trace
from autograph.runtime.ops.table import OPS
from autograph.strings.digits import Row, code_points, codes_of_int, is_format, known_row
from autograph.strings.text import Character, Characters, Formatted, Pieces, Text
from autograph.values.skeleton import Choices, Fixed, Group, Grown, Leaf, Skeleton

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


def join_spelled(options: Sequence[Skeleton], in_list: bool = False) -> Skeleton | None:
    """The one type for strings of which some have characters of their own; None for others.

    None as well where all are known, and a tag tells which one it is. In a list of staged length
    it is enough that they have staged parts, and not the same.
    """
    if not any(map(_has_parts if in_list else is_looked_into, options)):
        return None
    if not all(map(is_spellable, options)):
        return None
    kinds = [kind_spelled(one) for one in options]
    for one, kind in zip(options, kinds, strict=True):
        if kind is Characters and isinstance(_size(one), Dim):
            return one
    if all(kind is Character or _is_letter(one) for kind, one in zip(kinds, options, strict=True)):
        return _text(Character, Leaf(PYINT))
    return any_characters()


def any_characters() -> Group:
    """The type of a string of as many characters as the run tells."""
    return _text(Characters, Leaf(Spec(INT, (Dim.fresh("any"),)), sealed=True))


def is_looked_into(string: Skeleton) -> bool:
    """Whether a string has parts that are characters, or that are several strings in turn.

    Such strings are rows of code points where they meet others: what they are made of would get
    deeper with each condition that chooses among them.
    """
    return isinstance(string, Group) and string.kind is Text and any(map(_is_made, _parts(string)))


def _has_parts(string: Skeleton) -> bool:
    return isinstance(string, Group) and string.kind is Text


def _is_made(part: Skeleton) -> bool:
    if isinstance(part, Choices):
        return any(isinstance(one, Group) and one.kind is Text for one in part.options)
    return isinstance(part, Group) and (
        part.kind in (Character, Characters) or is_looked_into(part)
    )


def _parts(text: Group) -> tuple[Skeleton, ...]:
    (parts,) = text.items
    return parts.items if isinstance(parts, Group) else ()


def as_row(string: Group) -> Group:
    """How a container of staged length holds a string: as characters where it has some."""
    several = kind_spelled(string) is None and is_spellable(string)
    if several and (is_looked_into(string) or any(map(_is_letters, _parts(string)))):
        return any_characters()
    return string


def _is_letters(part: Skeleton) -> bool:
    return isinstance(part, Group) and part.kind is Pieces


def with_one_spelled(options: list[Skeleton], in_list: bool) -> list[Skeleton]:
    """The options, with one kind of string for all where `join_spelled` has one."""
    strings = [one for one in options if is_spellable(one)]
    joined = join_spelled(strings, in_list) if len(strings) > 1 else None
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
        return kind_spelled(string) is not Characters and is_spellable(string)
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
    trace: Trace, narrow: Skeleton, wide: Skeleton, columns: list[Value], length: Any
) -> list[Value] | None:
    """The column of strings as characters; None where it is as wide as it was."""
    wanted, given = kind_spelled(wide), kind_spelled(narrow)
    if wanted is None or given is wanted:
        return None
    if given is Character:
        codes = OPS.list_values(StagedList(columns[0]), dtype=INT)
        return [OPS.list_unstack(OPS.expand_dims(codes, 1), axis=0)._value]
    if isinstance(narrow, Choices) and all(map(_is_known, narrow.options)):
        known = [one.value for one in narrow.options if isinstance(one, Fixed)]
        if len(set(map(len, known))) == 1:
            tags = OPS.list_values(StagedList(columns[0]), dtype=INT)
            return [_table(known, tags, wanted)._value]
    if wanted is Character or isinstance(narrow, Fixed) or not is_spellable(narrow):
        return None
    return [_each_spelled(trace, narrow, columns, length)]


def _table(known: list[str], tags: Any, wanted: Any) -> Any:
    """The column of known strings of one length, of which tags tell the rows."""
    rows = np.array([[*map(ord, one)] for one in known], INT)
    if wanted is Character:
        return OPS.list_numbers(OPS.apply("take", (rows[:, 0], tags), {"axis": 0}))
    return OPS.list_unstack(OPS.apply("take", (rows, tags), {"axis": 0}), axis=0)


def _each_spelled(trace: Trace, narrow: Skeleton, columns: list[Value], length: Any) -> Value:
    """The column of the characters of strings that were something else, one after the other."""

    def turn(index: Any, found: Any) -> tuple[Any, Any]:
        inner = STATE.interpreter
        assert isinstance(inner, Trace)
        given = (OPS.list_get(StagedList(inner.lift(one)), index)._value for one in columns)
        row = spelled_row(inner, with_values(narrow, given))
        return OPS.py_add(index, 1), OPS.list_push(found, row)

    empty = OPS.list_create(element=Spec(INT, (Dim.fresh("any"),)))
    step = while_step(lambda index, found: OPS.py_lt(index, length), turn)
    _, found = build_while(trace, (0, empty), step)
    return trace.value_of(found)


def with_values(string: Skeleton, values: Iterator[Value]) -> Skeleton:
    """A string with the values of one row at its leaves."""
    match string:
        case Leaf():
            return replace(string, value=next(values))
        case Choices():
            tag = next(values)
            options = tuple(with_values(one, values) for one in string.options)
            return replace(string, options=options, tag=tag)
        case Group():
            return replace(string, items=tuple(with_values(one, values) for one in string.items))
    return string
