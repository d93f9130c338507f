"""Resumption: what a trace notes for the sake of generators that go on where they stood."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autograph.errors import StateError
from autograph.runtime.graph.trace import Trace

MOST_EFFORT = 30_000
"""Of a trace in which generators go on: regions, and questions which tensor is which. Beyond, it
would take minutes."""
MOST_NESTED = 16
"""Generators that go on in one another: more are one that asks itself, which would not end."""


@dataclass(slots=True)
class Resumption:
    """What a trace notes for the sake of generators that go on where they stood."""

    makes_generators: bool = False
    asks_iterators: bool = False
    """Whether a `zip`, `map` or the like of tensors was asked for more than it gives as such."""
    entered: int = 0
    """How many regions were entered."""
    executing: tuple[Any, ...] = ()
    """The generators whose code runs now: no consumer's."""
    traces: list[Trace | None] = field(default_factory=list)
    """Where the generators that run now went on, the innermost last; None where that is known."""

    def refuse_endless(self, questions: int) -> None:
        """Give a trace up that has entered too many regions and asked too many questions."""
        if self.entered + questions > MOST_EFFORT or len(self.traces) > MOST_NESTED:
            raise StateError(
                "generators go on under so many staged conditions that tracing would not end",
                remedy="make a list of the items first",
            )
