"""Iterators whose `__next__` is Python that is converted: what they stand at is state.

The methods are converted like the user's own. So an iterator may be advanced under a staged
condition or in a staged loop, and then stands at a place that is known only at run time; and it may
end under a staged condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from types import GeneratorType
from typing import Any

from autograph.conversion.convert import convert_inlined, do_not_convert
from autograph.merge.iterator_makers import Making
from autograph.operators.calls.dispatch import call_method
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.generator_recipes import STANDING_IN, start
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Graph, Node
from autograph.tracing.region import not_one_by_one
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice

_KINDS: tuple[tuple[type, type], ...] = (
    (list, type(iter([]))),
    (tuple, type(iter(()))),
    (range, type(iter(range(0)))),
    (bytes, type(iter(b""))),
    (str, type(iter("ä"))),
    (Tensor, GeneratorType),
)


class SequenceIterator:
    """`iter(items)` of a list, tuple, range, string or tensor, as it is made while tracing."""

    _stays_inside = True

    @property
    def kind(self) -> type:
        """Python's class of such an iterator."""
        return next((kind for of, kind in _KINDS if isinstance(self.items, of)), Iterator)

    def __init__(self, items: Any) -> None:
        self.items = items
        self.position = 0
        self.ended = False

    def _making(self, _: Making | None) -> Making | None:
        """How Python's own iterator is made that stands where this does."""
        if type(self.items) is list:
            return Making(iter, (self.items,), {}, place=self.position, ended=self.ended)
        return Making(iter, (self.items,), {}, taken=self.position, ended=self.ended)

    def __iter__(self) -> SequenceIterator:
        return self

    def has_next(self) -> Any:
        """Whether an item is left. One that has ended stays ended, also where its list grows."""
        if not self.ended and self.position < len(self.items):
            return True
        self.ended = True
        return False

    def __next__(self) -> Any:
        if not self.has_next():
            raise StopIteration
        return self.step()

    def step(self) -> Any:
        """The next item, where `has_next` has just said that there is one."""
        self.position += 1
        return self.items[self.position - 1]

    def take(self, default: Any) -> Any:
        """`next(self, default)`."""
        return self.step() if self.has_next() else default


class GivenIterator(SequenceIterator):
    """An iterator that is an argument: how far it comes is told to the caller's own."""

    _given = True

    @property
    def kind(self) -> type:
        """The class of the caller's iterator."""
        return type(self.items.iterator)


SequenceIterator.__name__ = "list_iterator"  # what Python's own errors call it


class IndexedIterator(SequenceIterator):
    """`iter(items)` of something indexed, whose size must not change meanwhile."""

    def _making(self, making: Making | None) -> Making | None:
        return making and replace(making, taken=self.position, ended=self.ended)

    def has_next(self) -> Any:
        """Whether an item is left; RuntimeError where the size has changed."""
        if not self.ended and self.position < _length_of(self.items):
            return True
        self.ended = True
        return False

    def step(self) -> Any:
        """The next item, where `has_next` has just said that there is one."""
        self.position += 1
        return _item_of(self.items, self.position - 1)


class DequeIterator(IndexedIterator):
    """`iter(items)` of a deque, which looks for changes also when it has ended."""

    def has_next(self) -> Any:
        """Whether an item is left; RuntimeError where the size has changed."""
        return self.position < _length_of(self.items)


@do_not_convert
def _length_of(items: Any) -> Any:
    tracing = current()
    assert tracing is not None
    if isinstance(items, Choice):
        return choose(tracing, items, _length_of)
    return items.length(tracing)


@do_not_convert
def _item_of(items: Any, index: Any) -> Any:
    tracing = current()
    assert tracing is not None
    if isinstance(items, Choice):
        return choose(tracing, items, lambda one: _item_of(one, index))
    return items.get(tracing, index)


IndexedIterator.__name__ = "dict_keyiterator"


class ReversedIterator(SequenceIterator):
    """`reversed(items)` of a list, which may change meanwhile: it goes on where it stands."""

    def __init__(self, items: Any, length: Any) -> None:
        self.items = items
        self.position = length - 1
        self.ended = False

    def _making(self, _: Making | None) -> Making | None:
        return Making(reversed, (self.items,), {}, place=self.position, ended=self.ended)

    def has_next(self) -> Any:
        """Whether an item is left: none is, once there was none at its place."""
        if not self.ended and 0 <= self.position < len(self.items):
            return True
        self.ended = True
        return False

    def step(self) -> Any:
        """The next item, where `has_next` has just said that there is one."""
        self.position -= 1
        return self.items[self.position + 1]


ReversedIterator.__name__ = "list_reverseiterator"


class MappedIterator(SequenceIterator):
    """`map(function, iterator)`, which calls the function for an item when that is asked for."""

    def __init__(self, function: Any, iterator: Any) -> None:
        self.function = function
        self.iterator = iterator

    def _making(self, _: Making | None) -> Making | None:
        return None

    def has_next(self) -> Any:
        """Whether the iterator has an item left."""
        return self.iterator.has_next()

    def step(self) -> Any:
        """The function of the next item."""
        return self.function(self.iterator.step())


class EnumeratedIterator(SequenceIterator):
    """`enumerate(iterator, start)`."""

    def __init__(self, start: Any, iterator: Any) -> None:
        self.number = start
        self.iterator = iterator

    def _making(self, _: Making | None) -> Making | None:
        return None

    def has_next(self) -> Any:
        """Whether the iterator has an item left."""
        return self.iterator.has_next()

    def step(self) -> Any:
        """The next item with its number."""
        item = self.iterator.step()
        self.number += 1
        return self.number - 1, item


class ZippedIterator(SequenceIterator):
    """`zip(*iterators)` of iterators that nobody else asks."""

    def __init__(self, iterators: tuple[Any, ...]) -> None:
        self.iterators = iterators

    def _making(self, _: Making | None) -> Making | None:
        return None

    def has_next(self) -> Any:
        """Whether each of the iterators has an item left."""
        for one in self.iterators:
            if not one.has_next():
                return False
        return True

    def step(self) -> Any:
        """The next item of each."""
        return tuple([one.step() for one in self.iterators])


def walked(tracing: Tracing, iterator: Any) -> Any:
    """A generator of the items of an iterator: its second form may end at a staged place."""
    return asking(tracing, _until_it_ends, iterator)


def asking(tracing: Tracing, function: Any, iterator: Any) -> Any:
    """A generator of what an iterator gives; `function` is its second form, unconverted."""
    first: Any = one_by_one
    return start(tracing, first, partial(convert_inlined, function), (iterator,), {})


def one_by_one(iterator: Any) -> Iterator[Any]:
    """The items of an iterator, whose end must be known while tracing."""
    while True:
        try:
            item = next_of(iterator)
        except StopIteration:
            return
        yield item


STANDING_IN.add(one_by_one.__code__)


def _until_it_ends(iterator: Any) -> Iterator[Any]:
    while True:
        try:
            item = next(iterator)
        except StopIteration:
            return
        yield item


def next_or(iterator: Any, default: Any) -> Any:
    """`next(iterator, default)`."""
    try:
        return next(iterator)
    except StopIteration:
        return default


def next_of(iterator: Any) -> Any:
    """The next item of an iterator, whose end must be known while tracing."""
    tracing = current()
    assert tracing is not None
    nodes = tracing.region.trace.graph.nodes
    start = len(nodes)
    try:
        return call_method(iterator, "__next__")
    finally:  # also where every path of the graph ends it
        if any(_may_end(node, set()) for node in nodes[start:]):
            own = isinstance(iterator, SequenceIterator)
            kind = with_article("iterator" if own else type(iterator).__name__)
            raise not_one_by_one(f"whether {kind} has ended is known only when the function runs")


def _may_end(node: Node, seen: set[Graph]) -> bool:
    """Whether a node, or one in its branches, raises StopIteration.

    `seen`: the graphs that were looked at; a function that calls itself has its own in it.
    """
    error = getattr(node.attributes.get("exception"), "error", None)
    if isinstance(error, StopIteration):
        return True
    fresh = [graph for graph in node.graphs if graph not in seen]
    seen.update(fresh)
    return any(_may_end(inner, seen) for graph in fresh for inner in graph.nodes)
