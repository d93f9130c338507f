"""Storages of arrays: what containers of staged length refer to where their arrays change."""

from __future__ import annotations

from typing import Any

from autograph.runtime.arrays.cells import Array, Storage, View, keep_in, take_out
from autograph.runtime.graph.ir import Value
from autograph.tracing.places import AttributePlace, Place
from autograph.tracing.tracing import Tracing, current


class ArrayStorage(Storage):
    """The storage of an array that containers refer to: an object in a store, as others are."""

    def __init__(self, elements: Value, may_change: bool = True) -> None:
        self.array = _own_array(elements)
        self.array.is_writeable = may_change

    @property
    def is_writeable(self) -> bool:  # type: ignore[override]
        """Whether the array may be written: a store has arrays of one kind."""
        tracing = current()
        standing = None if tracing is None else tracing.references.get(id(self))
        if standing is None:
            return bool(self.array.is_writeable)
        return bool(standing.store.key[1][-1])

    def load(self) -> Array:
        tracing = current()
        if tracing is not None:
            tracing.keeper.refresh(self)
        return self.array

    def store(self, array: Any) -> None:
        tracing = current()
        assert tracing is not None
        tracing.touch(AttributePlace(self, "array"))
        self.array = _own_array(tracing.region.trace.value_of(array))

    @property
    def form(self) -> tuple[Any, ...]:
        """What arrays of one store have in common: the dtype, the sizes as far as known, and
        whether they may be written."""
        spec: Any = self.array._value.spec
        sizes = tuple(spec.shape) if spec.is_static else None
        return spec.dtype.str, len(spec.shape), sizes, bool(self.array.is_writeable)


def _own_array(elements: Value) -> Array:
    """An array that only a storage has: its value is in the store."""
    made = Array.__new__(Array)
    made._value, made._mark = elements, None
    made.is_contiguous = made.is_writeable = True
    tracing = current()
    assert tracing is not None
    tracing.sealed[id(made)] = "element"
    tracing.keep(made)
    return made


def is_stored_array(value: Any) -> bool:
    """Whether a value is an array that has a storage, all of it."""
    return isinstance(value, View) and value.name == "storage"


def may_be_kept(array: Array) -> bool:
    """Whether a storage can stand for an array of the caller's: its elements lie in one row."""
    return array.is_contiguous and array.is_writeable is not None


def load_storage(view: View) -> None:
    """Let the storage that a view looks into, if any, show its elements in the present graph."""
    base: Any = view
    while isinstance(base, View):
        base = base.base
    if isinstance(base, Storage):
        base.load()


class StoragePlace(Place):
    """Which storage an array is a view of, if any."""

    __slots__ = ()

    def __init__(self, owner: Array) -> None:
        self.owner = owner
        self.key = ("storage", id(owner))

    def get(self) -> Any:
        return self.owner.base if is_stored_array(self.owner) else None

    def set(self, value: Any) -> None:
        if value is None:
            take_out(self.owner)
        else:
            keep_in(self.owner, value)

    def describe(self) -> str:
        return "an array in a container of staged length"


def value_before(tracing: Tracing, array: Array) -> Any:
    """What an array held before the graph that is traced now was begun, if it existed then."""
    held: Any = array._value
    region: Any = tracing.region
    trace = region.trace
    while region is not None and region.trace is trace:
        held = region.log.get(("tensor", id(array)), (None, held))[1]
        region = region.parent
    return held


def is_made_here(tracing: Tracing, array: Array) -> bool:
    """Whether an array was made in the graph that is traced now."""
    held = value_before(tracing, array)
    return isinstance(held, Value) and held.graph is tracing.region.trace.graph
