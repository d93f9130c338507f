"""Iterators over containers as Python's `enumerate`, `zip`, `map` make them, which can go back.

What goes through a generator may be asked for twice: one by one, and where that meets a staged
condition, all over again. An iterator of C code cannot be put back to where it stood; this can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from autograph.merge.iterator_makers import Making
from autograph.operators.containers.chosen_containers import Aligned
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
        self.again: Callable[[], Any] | None = None
        """Makes the same iterator as one that may stand at a staged place."""

    def _making(self, making: Making | None) -> Making | None:
        """How it is made where it stands: a `map` that was asked for items has called back."""
        if making is None or isinstance(self.taken, Number) or (self.taken and self.kind is map):
            return None
        return replace(making, taken=self.taken)

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
