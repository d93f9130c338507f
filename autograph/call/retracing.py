"""Why a staged function was traced again (the words are made in `guard_messages`): each call that
no trace fitted, compared with the trace that fits it best.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograph.call.concrete import ConcreteFunction
from autograph.call.guard_messages import GIVEN, Change, changes_since

NUMBER = "a Python number, has become an input"
SYMBOL = "is now a symbol"
KNOWN = "must be known while tracing"
COMPARED = 4
"""How many of the last traces a call is compared with."""
MAXIMUM_KEPT = 256
"""How many traces are remembered with their reasons."""


@dataclass(frozen=True)
class Retrace:
    """One trace, and why it was made. `compared` is the number of the trace it is compared with."""

    number: int
    changes: tuple[Change, ...]
    compared: int | None = None

    def __str__(self) -> str:
        if self.compared is None:
            return f"trace {self.number}: {'; '.join(map(str, self.changes))}"
        lines = [f"trace {self.number}, not trace {self.compared}, since"]
        return "\n".join([*lines, *(f"    {change}" for change in self.changes)])


class Retraces(tuple[Retrace, ...]):
    """The traces that were made, in order. `str()` is a text of them all."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "not traced yet"

    __repr__ = __str__


class RetraceLog:
    """What is known of the traces of one function."""

    def __init__(self) -> None:
        self.retraces: list[Retrace] = []
        self.count = 0
        self.note = ""
        """Why traces were thrown away, for the next one."""
        self._traces: list[tuple[int, ConcreteFunction, list[str]]] = []

    def compared(
        self, arguments: tuple[Any, ...], names: Sequence[str]
    ) -> tuple[int | None, tuple[Change, ...]]:
        """The changes against the trace that fits best, and its number."""
        if self.note:
            note, self.note = self.note, ""
            return None, (Change(note),)
        found = [
            (changes_since(one, arguments, names, before), number)
            for number, one, before in self._traces[::-1]
        ]
        if not found:
            return None, (Change("the first call"),)
        changes, number = min(found, key=_distance)
        return number, changes or (Change("the default dtypes, or how arguments are passed"),)

    def add(
        self,
        concrete: ConcreteFunction,
        names: list[str],
        compared: int | None,
        changes: Iterable[Change],
        learned: Learned,
    ) -> None:
        """Note a trace that was made; `learned` is what was learned from the changes."""
        self.count += 1
        explained = tuple(learned.applied(change) for change in changes)
        self.retraces.append(Retrace(self.count, explained, compared))
        del self.retraces[:-MAXIMUM_KEPT]
        self._traces = [*self._traces[1 - COMPARED :], (self.count, concrete, names)]


@dataclass(frozen=True)
class Learned:
    """Numbers and sizes that a trace knows no more: `fresh` ones, and those that it could do
    without after all, which is seen while tracing.
    """

    fresh: frozenset[tuple[str, int | None]]
    kept: frozenset[tuple[str, int | None]]

    def applied(self, change: Change) -> Change:
        """A change, with what follows from it."""
        place = (change.path, change.axis)
        if place not in self.fresh:
            return change
        if place not in self.kept:
            return replace(change, then=KNOWN)
        return replace(change, then=NUMBER if change.axis is None else SYMBOL)


def _distance(one: tuple[tuple[Change, ...], int]) -> tuple[bool, int]:
    changes, _ = one
    return any(change.subject == GIVEN for change in changes), len(changes)
