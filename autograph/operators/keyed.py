"""Dicts and sets of staged contents: rows in the order of insertion, found by their keys."""

from __future__ import annotations

import enum
import types
from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

from autograph.effects.coercing import Coercer
from autograph.effects.hashed import is_hashed_by_address
from autograph.effects.joining import Joining, join, staged_element
from autograph.effects.places import ContentsPlace, Items, StagedItems
from autograph.effects.references import FoundReferences
from autograph.effects.sentinels import DONT_CARE, PENDING
from autograph.effects.skeleton import (
    Choices,
    Fixed,
    Group,
    Leaf,
    Made,
    Reference,
    Skeleton,
    alike,
)
from autograph.effects.thawing import count_leaves
from autograph.effects.tracing import Tracing, current
from autograph.effects.values import ATOMS
from autograph.errors import StateError
from autograph.operators import rows
from autograph.operators.branching import branch
from autograph.operators.conditions import to_number
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import ListSpec, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import StagedList, wrap
from autograph.runtime.ops.table import OPS

IDENTICAL = (types.FunctionType, type, types.BuiltinFunctionType, enum.Enum)
"""Objects that are equal as keys where they are identical."""


def is_staged_key(key: Any) -> bool:
    """Whether a key, or a part of it, is known only at run time."""
    if isinstance(key, tuple):
        return any(map(is_staged_key, key))
    tracing = current()
    if tracing is not None and (
        id(key) in tracing.references
        or rows.has_no_identity(tracing, key)
        or is_referred(tracing, key)
    ):
        return True  # which object it is, is known only then
    return isinstance(key, Number)


def is_referred(tracing: Tracing, key: Any) -> bool:
    """Whether a key by its address is of a class whose objects are referred to."""
    kinds = tracing.hints.referring.kinds
    return type(key) in kinds and is_hashed_by_address(key) and tracing.is_born(key)


def is_staged(tracing: Tracing, container: Any) -> bool:
    """Whether a dict or set has staged contents."""
    return isinstance(container, dict | set) and rows.staged(tracing, container) is not None


# keys ---------------------------------------------------------------------------------------------
def key_of(tracing: Tracing, key: Any) -> Skeleton:
    """A key as the columns hold it; StateError for what is no key of staged contents."""
    if isinstance(key, Tensor):
        raise StateError(
            "a tensor is a key of a dict or a member of a set that is staged, and tensors are "
            "keys by identity",
            remedy="use the number in it: int(x) or float(x)",
        )
    if rows.has_no_identity(tracing, key):
        raise FoundReferences(type(key))
    tracing.keeper.move(key)
    frozen = rows.frozen_key(tracing, key)
    _check(frozen)
    return frozen


def _check(key: Skeleton) -> None:
    match key:
        case Leaf(spec=Spec(python=True)):
            return
        case Made(kind=kind) | Reference(kind=kind) if _hash_of(kind) is None:
            raise TypeError(f"unhashable type: {kind.__name__!r}")
        case Made(kind=kind) if _hash_of(kind) is object.__hash__:
            raise FoundReferences(kind)
        case Reference(kind=kind) if _hash_of(kind) is object.__hash__:
            return
        case Fixed(value=value):
            hashing = _hash_of(type(value))
            if isinstance(value, (*ATOMS, *IDENTICAL)) or hashing is object.__hash__:
                return
        case Group(kind=kind) if issubclass(kind, tuple):
            for one in key.items:
                _check(one)
            return
        case Choices(options=options):
            for one in options:
                _check(one)
            return
    raise StateError(
        "a key of a dict or a member of a set that is staged is neither a number nor a string, "
        "nor a tuple of them",
        remedy="use such a key",
    )


def _hash_of(kind: type) -> Any:
    return kind.__hash__


def key_type(contents: StagedItems) -> Skeleton:
    """The type of the keys of staged contents."""
    element: Skeleton = contents.element
    if contents.kind is dict and isinstance(element, Group):
        return element.items[0]
    return element


def _of_one_kind(key: Skeleton, wanted: Skeleton) -> None:
    """StateError where keys may be equal although their kinds differ: 1, 1.0 and True."""
    kinds = set(_kinds(key)) | set(_kinds(wanted))
    if len(kinds) > 1:
        names = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise StateError(
            f"keys of a dict or members of a set that is staged are of the kinds {names}",
            remedy="convert them to one kind: int(x), float(x) or bool(x)",
        )


def _kinds(key: Skeleton) -> list[type]:
    match key:
        case Leaf(spec=Spec() as spec):
            return [spec.python_type]
        case Fixed(value=value) if type(value) in (bool, int, float):
            return [type(value)]
        case Choices(options=options):
            return [kind for one in options for kind in _kinds(one)]
    return []


def _may_be_tuples(key: Skeleton) -> TypeGuard[Choices]:
    """Whether a key is one of several, tuples among them."""
    return isinstance(key, Choices) and any(isinstance(one, Group) for one in key.options)


def _check_kinds(key: Skeleton, wanted: Skeleton) -> None:
    if isinstance(key, Group) and isinstance(wanted, Group) and len(key.items) == len(wanted.items):
        for one, other in zip(key.items, wanted.items, strict=True):
            _check_kinds(one, other)
        return
    if _may_be_tuples(key):
        for one in key.options:
            _check_kinds(one, wanted)
        return
    if _may_be_tuples(wanted):
        for one in wanted.options:
            _check_kinds(key, one)
        return
    _of_one_kind(key, wanted)


def find(tracing: Tracing, contents: StagedItems, key: Any) -> Any:
    """The place of a key: a staged int, or None where no row can have it.

    Where no row has it, the place is the number of rows.
    """
    frozen, kind = key_of(tracing, key), key_type(contents)
    if isinstance(kind, Fixed) and (kind.value is DONT_CARE or kind.value is PENDING):
        return None
    _check_kinds(kind, frozen)
    if not alike(join(kind, staged_element(frozen), Joining(in_list=True)), kind):
        return None
    leaves = Coercer(tracing.region.trace).coerce(frozen, kind)
    length = rows.length(contents)
    equal: Any = None
    for column, leaf in zip(contents.columns[: len(leaves)], leaves, strict=True):
        spec = column.spec
        assert isinstance(spec, ListSpec)
        values = OPS.list_values(StagedList(column), dtype=spec.element.dtype)
        here = OPS.equal(values, wrap(leaf))
        equal = here if equal is None else OPS.logical_and(equal, here)
    if equal is None:  # all keys are one and the same
        return length * 0
    last = np.ones((1,), np.bool_)
    return to_number(OPS.argmax(OPS.concat([equal, last])), int)


# dicts and sets -----------------------------------------------------------------------------------
def contains(tracing: Tracing, container: Any, key: Any) -> Any:
    """`key in container`."""
    contents = rows.rows_of(tracing, container)
    place = find(tracing, contents, key)
    return False if place is None else place < rows.length(contents)


def _value(tracing: Tracing, contents: StagedItems, place: Any) -> Any:
    return rows.row(tracing, contents, place)[1]


def get(tracing: Tracing, table: dict[Any, Any], key: Any, missing: Callable[[], Any]) -> Any:
    """The value of a key, or what `missing` gives."""
    contents = rows.rows_of(tracing, table)
    place = find(tracing, contents, key)
    if place is None:
        return missing()
    found = place < rows.length(contents)
    return branch(tracing, found, lambda: _value(tracing, contents, place), missing)


def set_item(tracing: Tracing, table: dict[Any, Any], key: Any, value: Any) -> None:
    """`table[key] = value`."""
    contents = rows.make_staged(tracing, table)
    tracing.keeper.move((key, value), contents.element)
    place = find(tracing, contents, key)

    def add() -> None:
        rows.replace(tracing, table, rows.pushed(tracing, contents, (key, value)))

    def change() -> None:
        rows.replace(tracing, table, _with_value(tracing, contents, place, value))

    if place is None:
        add()
    else:
        branch(tracing, place < rows.length(contents), change, add)


def _with_value(tracing: Tracing, contents: StagedItems, place: Any, value: Any) -> StagedItems:
    """The contents with another value in a row; its key stays."""
    frozen = rows.frozen_row(tracing, value, contents.element)
    wide = rows.widened(tracing, contents, Group(tuple, (Fixed(DONT_CARE), frozen)))
    element = wide.element
    assert isinstance(element, Group)
    first = count_leaves(element.items[0])
    rows.seal(tracing, value)
    leaves = Coercer(tracing.region.trace).coerce(frozen, element.items[1])
    columns = list(wide.columns)
    for number, leaf in enumerate(leaves):
        columns[first + number] = rows.put_at(columns[first + number], place, leaf)
    return rows.with_columns(wide, columns)


def add(tracing: Tracing, members: set[Any], member: Any) -> None:
    """`members.add(member)`."""
    contents = rows.make_staged(tracing, members)
    tracing.keeper.move(member, contents.element)
    place = find(tracing, contents, member)

    def push() -> None:
        rows.replace(tracing, members, rows.pushed(tracing, contents, member))

    if place is None:
        push()
    else:
        branch(tracing, place < rows.length(contents), lambda: None, push)


def remove(
    tracing: Tracing, container: Any, key: Any, missing: Callable[[], Any], value: bool = False
) -> Any:
    """Take a key away; gives the value it had, or what `missing` gives."""
    contents = rows.make_staged(tracing, container)
    place = find(tracing, contents, key)
    if place is None:
        return missing()

    def drop() -> Any:
        found = _value(tracing, contents, place) if value else None
        number = rows.numbers(rows.length(contents) - 1)
        positions = number + OPS.astype(number >= place, np.dtype(np.int64))
        rows.replace(tracing, container, rows.taken(contents, positions))
        return found

    return branch(tracing, place < rows.length(contents), drop, missing)


def pop_last(tracing: Tracing, table: dict[Any, Any]) -> Any:
    """`table.popitem()`."""
    contents = rows.make_staged(tracing, table)

    def empty() -> None:
        raise KeyError("popitem(): dictionary is empty")

    branch(tracing, rows.length(contents) == 0, empty, lambda: None)
    rest, pair = rows.without_last(tracing, contents)
    rows.replace(tracing, table, rest)
    return pair


def clear(tracing: Tracing, container: Any) -> None:
    """`container.clear()`."""
    place = ContentsPlace(container, tracing)
    tracing.touch(place)
    place.set(Items(()))


def like(tracing: Tracing, container: Any, made: Any) -> Any:
    """A container made just now, with the contents of another."""
    tracing.born(made)
    ContentsPlace(made, tracing).set(rows.rows_of(tracing, container))
    return made
