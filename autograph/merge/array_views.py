"""Arrays in containers of staged length: by value, views too; or by reference to a storage."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograph.errors import MergeError
from autograph.runtime.arrays.cells import Array, View, taken
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import Trace, wrap
from autograph.tracing.array_storage import ArrayStorage
from autograph.tracing.tracing import current
from autograph.values.references import FoundReferences, parts_in
from autograph.values.skeleton import (
    Again,
    Cell,
    Fixed,
    Group,
    Grown,
    Leaf,
    Packed,
    Skeleton,
    leaf_of,
)

Given = Callable[[Any], Any]
"""The tensor or number that a leaf stands for."""


def is_view(frozen: Skeleton) -> bool:
    """Whether a frozen value is a view of an array whose elements are not kept for others."""
    return isinstance(frozen, Group) and frozen.kind is View and not is_stored(frozen)


def is_stored(frozen: Skeleton) -> bool:
    """Whether a frozen value is an array that has a storage, or a view of one."""
    while isinstance(frozen, Group) and frozen.kind is View:
        base, name, _ = frozen.items
        if isinstance(name, Fixed) and name.value == "storage":
            return True
        frozen = base
    return False


def awaits_storage(frozen: Skeleton) -> bool:
    """Whether a frozen value is an array of this call, and containers refer to such arrays.

    It gets its storage when it is put into one.
    """
    tracing = current()
    if tracing is None or ArrayStorage not in tracing.hints.referring.kinds:
        return False
    if isinstance(frozen, Again):
        return frozen.leaf is not None and awaits_storage(frozen.leaf)
    if isinstance(frozen, Cell):
        is_own = isinstance(frozen.tensor, Array) and id(frozen.tensor) not in tracing.paths
        return is_own and not frozen.sealed
    return isinstance(frozen, Leaf) and frozen.kind is Array and not frozen.sealed


def note_copied(frozen: Skeleton) -> None:
    """Note the arrays of the caller's in what is put into a container of staged length: it gets
    their elements. If the container leaves the call, or refers to arrays, they need storages."""
    tracing = current()
    if tracing is None:
        return
    for part in parts_in(frozen):
        array = part.tensor if isinstance(part, Cell) else None
        if isinstance(array, Array) and id(array) in tracing.callers.originals:
            tracing.callers.copied[id(array)] = array
            if ArrayStorage in tracing.hints.referring.kinds:
                tracing.keeper.require_given([array])


def require_references(frozen: Iterable[Skeleton]) -> None:
    """FoundReferences where containers of staged length leave the call with the elements of arrays
    of the caller's, which are not these arrays; or where something leaves that was taken out."""
    tracing = current()
    if tracing is None or tracing.hints.holds_values:
        return
    parts = [part for one in frozen for part in parts_in(one)]
    taken = any(_is_array(part) and part.sealed for part in parts)  # type: ignore[attr-defined]
    rows = (part for part in parts if isinstance(part, Grown | Packed))
    held = any(_is_array(part) for one in rows for part in parts_in(one.element))
    if taken or held:
        tracing.keeper.require_given([*tracing.callers.copied.values()], leaving=True)
    shared = held and (taken or tracing.callers.held_twice)
    if shared and ArrayStorage not in tracing.hints.referring.kinds:
        raise FoundReferences(ArrayStorage, leaving=True)


def _is_array(part: Skeleton) -> bool:
    return isinstance(part, Leaf) and part.kind is Array


def refuse_without_storage(frozen: Skeleton) -> None:
    """For an array that a container should refer to, and that has no storage: it gets one as soon
    as it is made, in the next attempt; MergeError where that does not help."""
    if awaits_storage(frozen):
        error = MergeError(
            "an array whose elements are changed in place is put into a container of staged "
            "length on a path where it cannot be told from others",
            remedy="append it to the container in the loop or branch where it is made",
        )
        raise FoundReferences(ArrayStorage, (ArrayStorage,), otherwise=error)


def spec_of_view(frozen: Group) -> Any:
    """The dtype and shape of a frozen view, whose leaves need no values."""
    trace = Trace("view")
    with trace.active():
        found = _elements(frozen, lambda leaf: trace.add_input(leaf.spec))
        return trace.value_of(found).spec


def view_value(trace: Trace, frozen: Group) -> Any:
    """The elements of a frozen view, as a value of the graph that it was frozen in."""
    with trace.active():
        return trace.value_of(_elements(frozen, lambda leaf: wrap(trace.lift(leaf.value))))


def _elements(frozen: Skeleton, given: Given) -> Any:
    if not isinstance(frozen, Group):
        return Tensor._of(given(leaf_of(frozen))._value)  # type: ignore[arg-type]
    base, name, argument = frozen.items
    assert isinstance(name, Fixed)
    return taken(_elements(base, given), name.value, _argument(argument, given))


def _argument(frozen: Skeleton, given: Given) -> Any:
    if isinstance(frozen, Fixed):
        return frozen.value
    if isinstance(frozen, Leaf):
        return given(frozen)
    assert isinstance(frozen, Group)
    parts = [_argument(one, given) for one in frozen.items]
    return slice(*parts) if frozen.kind is slice else tuple(parts)
