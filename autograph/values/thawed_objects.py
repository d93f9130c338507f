"""Objects that one thawing has made so far: an object that is met twice is made once.

One path may mean several objects, in options that come from several branches. Which of them, the
choice tells.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.runtime.core.number import Number
from autograph.runtime.ops.table import OPS

Conditions = tuple[tuple[Number, int], ...]
"""The options that are taken, of choices one inside the other: their tags, and their numbers."""


class Meetings:
    """What was noted by a key in one walk, with the options in which the walk was then."""

    def __init__(self) -> None:
        self.noted: dict[Hashable, list[tuple[Any, Conditions]]] = {}
        self.here: Conditions = ()

    @contextmanager
    def option(self, tag: Number, number: int) -> Iterator[None]:
        """While the walk is in this option."""
        outer = self.here
        self.here = (*outer, (tag, number))
        try:
            yield
        finally:
            self.here = outer

    def note(self, key: Hashable, what: Any) -> None:
        """Note something that is here."""
        self.noted.setdefault(key, []).append((what, self.here))

    def perhaps(self, key: Hashable) -> list[tuple[Any, Conditions]]:
        """What may have been noted on the paths that come here, and what must hold for that."""
        return [
            (what, self._open(conditions))
            for what, conditions in self.noted.get(key, ())
            if not self._excluded(conditions)
        ]

    def _open(self, conditions: Conditions) -> Conditions:
        """The conditions that are not known to hold here."""
        return tuple(
            (tag, number)
            for tag, number in conditions
            if not any(tag._value is known._value and number == one for known, one in self.here)
        )

    def _excluded(self, conditions: Conditions) -> bool:
        """Whether another option of one of the choices is taken here."""
        return any(
            tag._value is known._value and number != one
            for tag, number in conditions
            for known, one in self.here
        )


def where_all(flag: Any, conditions: Conditions) -> Any:
    """A flag, True or staged, that holds only under these conditions."""
    for tag, number in conditions:
        taken = OPS.py_eq(tag, number)
        flag = taken if flag is True else OPS.logical_and(flag, taken)
    return flag
