"""Iterators over containers as Python's `enumerate`, `zip`, `map` make them, which can go back.

What goes through a generator may be asked for twice: one by one, and where that meets a staged
condition, all over again. An iterator of C code cannot be put back to where it stood; this can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from autograph.errors import StateError
from autograph.merge.iterator_makers import Making
from autograph.operators.containers.chosen_containers import Aligned
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.tracing.places import AttributePlace
from autograph.tracing.region import advanced_inside
from autograph.tracing.tracing import Tracing


class Remembered:
    """What an iterator gave, which may be asked for again."""

    __slots__ = ("given", "iterator")

    def __init__(self, items: Iterable[Any]) -> None:
        self.iterator = iter(items)
        self.given: list[Any] = []

    def at(self, number: int) -> Any:
        """The item of this number, at most one after the last that was given."""
        if len(self.given) == number:
            self.given.append(next(self.iterator))
        return self.given[number]


class Watched:
    """The items of a container as long as its contents are plain."""

    __slots__ = ("began", "container", "items", "tracing")

    def __init__(self, tracing: Tracing, container: Any, items: Iterator[Any]) -> None:
        self.tracing = tracing
        self.container = container
        self.items = items
        self.began = False

    def __iter__(self) -> Watched:
        return self

    def is_changed(self) -> bool:
        """Whether the contents are not plain any more."""
        return self.tracing.contents(self.container) is not None

    def __next__(self) -> Any:
        if self.is_changed():
            kind = with_article(type(self.container).__name__)
            raise StateError(
                f"{kind} is changed under a staged condition while it is iterated over"
                if self.began
                else f"{kind} whose items depend on a staged condition is given to zip, map, "
                "enumerate or the like",
                remedy="go over a copy of it: list(items)",
            )
        self.began = True
        return next(self.items)


class Replayed:
    """Gives `step(number, items)` for the items of its sources; how many it gave is a place."""

    __slots__ = (
        "__weakref__", "again", "kind", "sources", "step", "taken", "tracing",
    )  # fmt: skip
    _stays_inside = True
    _keeps_identity = True

    def __init__(
        self,
        tracing: Tracing,
        kind: type,
        sources: Iterable[Iterable[Any]],
        step: Callable[[int, tuple[Any, ...]], Any],
    ) -> None:
        self.tracing = tracing
        self.kind = kind
        self.sources = [one if isinstance(one, Aligned) else Remembered(one) for one in sources]
        self.step = step
        self.taken = 0
        self.again: Callable[[int], Any] | None = None
        """Makes the same iterator, after so many items, as one that may stand at a staged place."""

    def _making(self, making: Making | None) -> Making | None:
        """How it is made where it stands: a `map` that was asked for items has called back."""
        if making is None or isinstance(self.taken, Number) or (self.taken and self.kind is map):
            return None
        return replace(making, taken=self.taken)

    def is_changed(self) -> bool:
        """Whether the contents of a container that it goes over are not plain any more."""
        sources = [one.iterator for one in self.sources if isinstance(one, Remembered)]
        return any(one.is_changed() for one in sources if isinstance(one, Watched | Replayed))

    def __iter__(self) -> Replayed:
        return self

    def __next__(self) -> Any:
        if isinstance(self.taken, Number):
            raise advanced_inside(self.kind.__name__)
        items = [source.at(self.taken) for source in self.sources]
        place = AttributePlace(self, "taken")
        self.tracing.touch(place)
        place.set(self.taken + 1)
        return self.step(self.taken - 1, tuple(items))
