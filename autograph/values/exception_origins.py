"""Where exceptions were raised first, as numbers: those that differ merge like any other number."""

from __future__ import annotations

import traceback
from typing import Any

from autograph.runtime.core.location import Location, user_location
from autograph.runtime.core.number import Number
from autograph.runtime.ops.table import OPS


class Origins:
    """The lines of one trace that exceptions came from. Number 0: from none yet."""

    def __init__(self) -> None:
        self.lines: list[Location | None] = [None]
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._noted: dict[int, Any] = {}
        self.recursions = 0
        """How many recursive functions are being traced, one in another."""

    def of(self, error: BaseException) -> Any:
        """The number of the line that an exception was raised on, which may be staged."""
        known = self._noted.get(id(error), 0)
        if isinstance(known, int) and not known and error.__traceback__ is not None:
            return self.number(user_line(error))
        return known

    def raised(self, error: BaseException) -> Leaving:
        """An exception leaves the region. Gives its line; what is staged has the one here if new.

        The number is of the region, so it is the exception's no longer than this lasts.
        """
        return Leaving(self, error)

    def note(self, error: BaseException, number: Any) -> None:
        """Remember the number of an exception, which the trace keeps alive."""
        self._noted[id(error)] = number

    def number(self, line: Location | None) -> int:
        """The number of a line."""
        if line is None:
            return 0
        key = (line, line.callers)
        if key not in self._numbers:
            self._numbers[key] = len(self.lines)
            self.lines.append(line)
        return self._numbers[key]


class Leaving:
    """The time while an exception leaves a region. (No frame of a library comes between.)"""

    def __init__(self, origins: Origins, error: BaseException) -> None:
        self.origins = origins
        self.error = error
        self.known: Any = 0

    def __enter__(self) -> Location | None:
        known = self.known = self.origins.of(self.error)
        if not isinstance(known, Number):
            own: Location | None = self.origins.lines[known]
            return own
        line = user_line(self.error)
        new = OPS.py_mul(OPS.py_eq(known, 0), self.origins.number(line))
        self.origins.note(self.error, OPS.py_add(known, new))
        return line

    def __exit__(self, *exception: object) -> None:
        if isinstance(self.known, Number):
            self.origins.note(self.error, self.known)


def user_line(error: BaseException) -> Location | None:
    """The innermost line of the user's own code in the traceback of `error`, with its callers."""
    walked = traceback.walk_tb(error.__traceback__)
    return user_location([(frame.f_code, line) for frame, line in walked])
