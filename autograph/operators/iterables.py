"""Iterables whose length is staged: they are indexed, not iterated."""

from __future__ import annotations

from typing import Any

from autograph.effects.places import AttributePlace, StagedItems
from autograph.effects.sentinels import UNSET
from autograph.effects.tracing import Tracing, current
from autograph.errors import StateError
from autograph.operators.lists import list_item, list_length
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS


class Indexed:
    """Something with a length and an item at each index; both may be staged."""

    __slots__ = ()

    def length(self, tracing: Tracing) -> Any:
        """The number of items: an int or a staged one."""
        raise NotImplementedError

    def get(self, tracing: Tracing, index: Any) -> Any:
        """The item at an index from 0 to the length."""
        raise NotImplementedError


class StagedRange(Indexed):
    """`range(start, stop, step)` with at least one staged bound."""

    __slots__ = ("start", "step", "stop")
    _staged_parts = ("start", "stop", "step")

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    def length(self, tracing: Tracing) -> Any:
        step = self.step
        if isinstance(step, int):
            if step == 1 and isinstance(self.start, int) and self.start == 0:
                return OPS.py_max2(self.stop, 0) if isinstance(self.stop, Number) else self.stop
            span = _subtract(self.stop, self.start)
            if step < 0:
                span, step = OPS.py_neg(span), -step
            if step != 1:
                span = OPS.py_floordiv(OPS.py_add(span, step - 1), step)
            return OPS.py_max2(span, 0)
        # A staged step: the ceiling of the quotient, which raises ZeroDivisionError for 0.
        span = OPS.py_floordiv(_subtract(self.start, self.stop), step)
        return OPS.py_max2(OPS.py_neg(span), 0)

    def get(self, tracing: Tracing, index: Any) -> Any:
        if isinstance(self.step, int) and self.step == 1:
            scaled = index
        else:
            scaled = OPS.py_mul(index, self.step)
        if isinstance(self.start, int) and self.start == 0:
            return scaled
        return (
            OPS.py_add(scaled, self.start)
            if _any_staged(scaled, self.start)
            else (scaled + self.start)
        )


def _any_staged(*numbers: Any) -> bool:
    return any(isinstance(number, Number) for number in numbers)


def _subtract(left: Any, right: Any) -> Any:
    return OPS.py_sub(left, right) if _any_staged(left, right) else left - right


class Rows(Indexed):
    """A tensor, iterated along its first axis."""

    __slots__ = ("tensor",)
    _staged_parts = ("tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    def length(self, tracing: Tracing) -> Any:
        return dimension(self.tensor, 0)

    def get(self, tracing: Tracing, index: Any) -> Any:
        return self.tensor[index]


class StagedListItems(Indexed):
    """A Python list with staged contents; its length is asked at every turn, as Python does."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def length(self, tracing: Tracing) -> Any:
        return list_length(tracing, self.items)

    def get(self, tracing: Tracing, index: Any) -> Any:
        return list_item(tracing, self.items, index)


class Consumed(Indexed):
    """An iterator over something indexed: it can be gone through once."""

    __slots__ = ("used",)

    def use(self, tracing: Tracing) -> None:
        """Note that it is gone through; StateError where it was already."""
        place = AttributePlace(self, "used")
        if place.get() is not UNSET:
            raise StateError(
                "an iterator over a tensor or another staged iterable is used a second time",
                remedy="make it anew, or keep its items in a list",
            )
        tracing.touch(place)
        place.set(True)


class Enumerated(Consumed):
    """`enumerate(items, start)` of something indexed."""

    __slots__ = ("items", "start")
    _staged_parts = ("items", "start")

    def __init__(self, items: Indexed, start: Any) -> None:
        self.items = items
        self.start = start

    def length(self, tracing: Tracing) -> Any:
        return self.items.length(tracing)

    def get(self, tracing: Tracing, index: Any) -> Any:
        staged = _any_staged(index, self.start)
        number = OPS.py_add(index, self.start) if staged else index + self.start
        return number, self.items.get(tracing, index)


class Zipped(Consumed):
    """`zip(*items)` of things of which at least one is indexed."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: tuple[Indexed, ...]) -> None:
        self.items = items

    def length(self, tracing: Tracing) -> Any:
        lengths = [one.length(tracing) for one in self.items]
        shortest = lengths[0]
        for other in lengths[1:]:
            staged = _any_staged(shortest, other)
            shortest = OPS.py_min2(shortest, other) if staged else min(shortest, other)
        return shortest

    def get(self, tracing: Tracing, index: Any) -> Any:
        return tuple(one.get(tracing, index) for one in self.items)


class Reversed(Consumed):
    """`reversed(items)` of something indexed."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: Indexed) -> None:
        self.items = items

    def length(self, tracing: Tracing) -> Any:
        return self.items.length(tracing)

    def get(self, tracing: Tracing, index: Any) -> Any:
        last = _subtract(self.items.length(tracing), 1)
        return self.items.get(tracing, _subtract(last, index))


def dimension(tensor: Tensor, axis: int) -> Any:
    """A size of a tensor: an int where it is known, else a staged one."""
    tracing = current()
    shape = tensor.shape
    if tracing is not None:
        shape = tracing.region.trace.value_of(tensor).spec.shape  # type: ignore[union-attr]
    size = shape[axis]
    return size if isinstance(size, int) else OPS.size_of(tensor, axis=axis)


def as_indexed(tracing: Tracing, iterable: Any) -> Indexed | None:
    """`iterable` as something indexed if its length or its items are staged, else None."""
    if isinstance(iterable, Consumed):
        iterable.use(tracing)
    if isinstance(iterable, Indexed):
        return iterable
    if isinstance(iterable, Tensor):
        if not iterable.shape:
            raise TypeError("iteration over a 0-d tensor")
        return Rows(iterable)
    if isinstance(iterable, list) and isinstance(
        tracing.staged_items.get(id(iterable)), StagedItems
    ):
        return StagedListItems(iterable)
    return None
