"""Iterables whose length is staged: they are indexed, not iterated."""

from __future__ import annotations

import operator
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from autograph.control.chosen_contents import DictView
from autograph.errors import StateError
from autograph.library import sequences as library
from autograph.library import set_order
from autograph.merge.iterator_makers import Making
from autograph.operators.calls.dispatch import call
from autograph.operators.containers import rows
from autograph.operators.containers.lists import list_item, list_length
from autograph.operators.containers.rows import staged
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.iterators.indexed import Indexed as Indexed
from autograph.operators.iterators.indexed import Sequence as Sequence
from autograph.operators.strings.character_rows import Letters
from autograph.runtime.arrays.cells import Scalar
from autograph.runtime.core.dtypes import float64, int64, uint64
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor, no_iteration
from autograph.runtime.graph.trace import StagedList
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tracing.places import AttributePlace
from autograph.tracing.region import not_one_by_one
from autograph.tracing.tracing import Tracing, current
from autograph.values.sentinels import UNSET
from autograph.values.skeleton import Leaf


class StagedRange(Sequence):
    """`range(start, stop, step)` with at least one staged bound."""

    kind = range
    __slots__ = ("start", "step", "stop")
    _staged_parts = ("start", "stop", "step")

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    @staticmethod
    def _concrete(start: int, stop: int, step: int) -> range:
        return range(start, stop, step)

    def count(self, wanted: Any) -> Any:
        """`range.count`."""
        return call(library.count, self, wanted)

    def index(self, wanted: Any) -> Any:
        """`range.index`."""
        return call(library.index, self, wanted, 0, call(len, self), range)

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


class StagedTuple(Sequence):
    """A tuple of staged length: a list of rows that nothing changes."""

    kind = tuple
    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    @staticmethod
    def _concrete(items: list[Any]) -> tuple[Any, ...]:
        return tuple(items)

    def count(self, wanted: Any) -> Any:
        """`tuple.count`."""
        return call(library.count, self.items, wanted)

    def index(self, wanted: Any, start: Any = 0, stop: Any = sys.maxsize) -> Any:
        """`tuple.index`."""
        return call(library.index_in_tuple, self.items, wanted, start, stop)

    def length(self, tracing: Tracing) -> Any:
        return list_length(tracing, self.items)

    def get(self, tracing: Tracing, index: Any) -> Any:
        return list_item(tracing, self.items, index)


class DequeItems(Indexed):
    """A deque of staged length, which must not change its length while it is gone through."""

    __slots__ = ("before", "items")
    _staged_parts = ("items", "before")

    def __init__(self, items: Any, before: Any) -> None:
        self.items = items
        self.before = before

    def length(self, tracing: Tracing) -> Any:
        length = list_length(tracing, self.items)

        def fail() -> None:
            raise RuntimeError("deque mutated during iteration")

        branch(tracing, length != self.before, fail, lambda: None)
        return length

    def get(self, tracing: Tracing, index: Any) -> Any:
        return list_item(tracing, self.items, index)


class KeyedItems(Indexed):
    """What a dict or set of staged contents holds: its size must not change in between."""

    __slots__ = ("before", "container", "what")
    _staged_parts = ("container", "what", "before")

    def __init__(self, container: Any, what: str, before: Any) -> None:
        self.container = container
        self.what = what
        self.before = before

    @classmethod
    def of(cls, tracing: Tracing, container: Any, what: str) -> KeyedItems:
        """The keys (or members), values or items as they are now."""
        contents = rows.make_staged(tracing, container)
        return cls(container, what, rows.length(contents))

    def length(self, tracing: Tracing) -> Any:
        length = rows.length(rows.make_staged(tracing, self.container))
        name = "dictionary" if isinstance(self.container, dict) else "Set"
        check_size(tracing, length, self.before, name)
        return length

    def get(self, tracing: Tracing, index: Any) -> Any:
        row = rows.row(tracing, rows.make_staged(tracing, self.container), index)
        if isinstance(self.container, set) or self.what == "items":
            return row
        return row[0 if self.what == "keys" else 1]


class KnownMembers(Indexed):
    """What a set or dict holds, in the order in which it has it; a set is one of known ones."""

    __slots__ = ("before", "container", "items")
    _staged_parts = ("container", "items", "before")

    def __init__(self, container: Any, items: list[Any], before: Any) -> None:
        self.container = container
        self.items = items
        self.before = before

    @classmethod
    def of(cls, tracing: Tracing, container: Any, items: list[Any]) -> KnownMembers:
        """The items of a container as they are now."""
        made = cls(container, items, call(len, items))
        tracing.born(made)
        return made

    def length(self, tracing: Tracing) -> Any:
        name = "Set" if isinstance(self.container, set) else "dictionary"
        check_size(tracing, call(len, self.container), self.before, name)
        return self.before

    def get(self, tracing: Tracing, index: Any) -> Any:
        return call(operator.getitem, self.items, index)


def check_size(tracing: Tracing, size: Any, before: Any, name: str) -> None:
    """What Python raises where a dict or set has got another size while it is gone over."""

    def fail() -> None:
        raise RuntimeError(f"{name} changed size during iteration")

    if isinstance(size, int) and isinstance(before, int):
        if size != before:
            fail()
        return
    branch(tracing, size != before, fail, lambda: None)


class Consumed(Indexed):
    """An iterator over something indexed: it can be gone through once."""

    __slots__ = ("used",)

    def _making(self, making: Making | None) -> Making | None:
        return making if AttributePlace(self, "used").get() is UNSET else None

    def use(self, tracing: Tracing) -> None:
        """Note that it is gone through; StateError where it was already."""
        place = AttributePlace(self, "used")
        if place.get() is not UNSET:
            tracing.resumption.asks_iterators = True
            raise StateError(
                "an iterator over a tensor or another staged iterable is used a second time",
                remedy="make it anew, or keep its items in a list",
            )
        tracing.touch(place)
        place.set(True)


class Enumerated(Consumed):
    """`enumerate(items, start)` of something indexed."""

    kind = enumerate
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

    kind = zip
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


class Transposed(Consumed):
    """`zip(*rows)` of rows of which there are as many as the run tells."""

    kind = zip
    __slots__ = ("rows",)
    _staged_parts = ("rows",)

    def __init__(self, rows: list[Any]) -> None:
        self.rows = rows

    def length(self, tracing: Tracing) -> Any:
        return call(library.shortest, self.rows)

    def get(self, tracing: Tracing, index: Any) -> Any:
        return StagedTuple(call(library.column, self.rows, index))


class Mapped(Consumed):
    """`map(function, *items)` where one of the items is indexed."""

    kind = map
    __slots__ = ("function", "items")
    _staged_parts = ("function", "items")

    def __init__(self, function: Any, items: Zipped) -> None:
        self.function = function
        self.items = items

    def length(self, tracing: Tracing) -> Any:
        return self.items.length(tracing)

    def get(self, tracing: Tracing, index: Any) -> Any:
        return call(self.function, *self.items.get(tracing, index))


class Listed(Consumed):
    """An iterator over the items of a list that nobody else has."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def length(self, tracing: Tracing) -> Any:
        return list_length(tracing, self.items)

    def get(self, tracing: Tracing, index: Any) -> Any:
        return list_item(tracing, self.items, index)


class Reversed(Consumed):
    """`reversed(items)` of something indexed."""

    kind = reversed
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
        shape = tracing.region.trace.value_of(tensor, shown=False).spec.shape  # type: ignore[union-attr]
    size = shape[axis]
    return size if isinstance(size, int) else OPS.size_of(tensor, axis=axis)


def _is_filled_with_numbers(tracing: Tracing, members: set[Any]) -> bool:
    """Whether a set holds just the numbers that `set(items)` put into it, whose order is known."""
    contents = staged(tracing, members)
    if contents is None or tracing.filled.get(id(members)) is not contents:
        return False
    element = contents.element
    if not isinstance(element, Leaf) or not isinstance(element.spec, Spec):
        return False
    is_known = element.spec.dtype.kind in "biuf" and element.spec.dtype != uint64
    return is_known and (element.spec.python or element.kind is Scalar)


def _in_table(tracing: Tracing, members: set[Any]) -> Any:
    """The numbers of such a set as Python goes over them."""
    contents = rows.make_staged(tracing, members)
    element = contents.element
    assert isinstance(element, Leaf) and isinstance(element.spec, Spec)
    values = OPS.list_values(StagedList(contents.columns[0]), dtype=element.spec.dtype)
    if values.dtype.kind == "f":
        call(set_order.check_no_nan, OPS.to_bool(OPS.any(OPS.isnan(values))))
    places = OPS.set_order(OPS.astype(values, float64 if values.dtype.kind == "f" else int64))
    return call(set_order.in_order, KeyedItems.of(tracing, members, "keys"), places)


def as_indexed(tracing: Tracing, iterable: Any) -> Indexed | None:
    """`iterable` as something indexed if its length or its items are staged, else None."""
    if isinstance(iterable, Consumed):
        iterable.use(tracing)
    if isinstance(iterable, Indexed):
        return iterable
    if isinstance(iterable, Tensor):
        if not iterable.shape:
            raise no_iteration(iterable)
        return Rows(iterable)
    if isinstance(iterable, Text):
        return Letters.of(tracing, iterable)
    if isinstance(iterable, DictView) and staged(tracing, iterable.container) is not None:
        return KeyedItems.of(tracing, iterable.container, iterable.kind)
    if isinstance(iterable, dict) and staged(tracing, iterable) is not None:
        return KeyedItems.of(tracing, iterable, "keys")
    if isinstance(iterable, set) and staged(tracing, iterable) is not None:
        if _is_filled_with_numbers(tracing, iterable):
            return KnownMembers.of(tracing, iterable, _in_table(tracing, iterable))
        most = tracing.shrunk.get(id(iterable), -1)
        if most >= 0:
            members = KeyedItems.of(tracing, iterable, "keys")
            return KnownMembers.of(tracing, iterable, call(set_order.ascending, members, most))
        raise StateError(
            "the members of a set that is staged are gone over, in an order that only Python knows",
            remedy="go over sorted(members), keep a list beside the set, or make the set at once "
            "of a list of numbers: set(items)",
        )
    if isinstance(iterable, list | deque) and staged(tracing, iterable) is not None:
        if isinstance(iterable, list):
            return StagedListItems(iterable)
        return DequeItems(iterable, list_length(tracing, iterable))
    return None


def is_indexed(tracing: Tracing, iterable: Any) -> bool:
    """Whether `as_indexed` would give something; it is not gone through by that."""
    return isinstance(iterable, Indexed) or as_indexed(tracing, iterable) is not None


MOST_LISTED = 64
"""Of so many elements of an array a list holds each by itself, as values of the graph."""


def makes_rows(tracing: Tracing, iterable: Any) -> bool:
    """Whether a list of what an iterable gives is one of staged length: also where there are many
    elements of arrays, known though their number may be."""
    indexed = iterable if isinstance(iterable, Indexed) else as_indexed(tracing, iterable)
    if indexed is None:
        return False
    length = indexed.length(tracing)
    if isinstance(length, Number):
        return True
    return not isinstance(iterable, Text) and is_long(tracing, length)


def is_long(tracing: Tracing, length: int) -> bool:
    """Whether a list of so many elements is to be one of staged length, which is noted."""
    if length <= MOST_LISTED or tracing.hints.writes_lists:
        return False
    tracing.long_lists += 1
    return True


FEW = 16
"""So many items of a generator are asked for one by one, whatever each is made of."""


def while_few(tracing: Tracing, sources: Iterable[Any], items: Iterable[Any]) -> Iterator[Any]:
    """The items of a generator, one by one unless its second form, a staged loop, is better.

    Raises the error that asks for that form where the generator goes over many elements (one of
    its arguments, `sources`, gives so many) and each takes operations of the graph, which would
    be written out for one element after the other.
    """
    begun = tracing.checkpoint()
    for count, item in enumerate(items):
        if count == FEW and not tracing.region.advanced and begun.count() > FEW:
            if any(_is_many(tracing, source) for source in sources):
                raise not_one_by_one("the items of a generator are made by a staged loop")
        yield item


def _is_many(tracing: Tracing, source: Any) -> bool:
    if isinstance(source, range):
        return is_long(tracing, len(source))
    if isinstance(source, Tensor) and not len(source.shape):
        return False
    return makes_rows(tracing, source)


def has_staged_length(tracing: Tracing, iterable: Any) -> bool:
    """Whether an iterable is indexed and its length is staged."""
    indexed = iterable if isinstance(iterable, Indexed) else as_indexed(tracing, iterable)
    return indexed is not None and isinstance(indexed.length(tracing), Number)
