"""The anatomy of an error of ours: what happened, where, and what to write instead."""

from __future__ import annotations

import linecache
from collections.abc import Sequence

from autograph.runtime.core.location import Location


class StagingError(Exception):
    """Something in a program cannot be staged.

    `message` says what, with the user's variable; `location` says where; `sides` are further
    places that take part, each with a word about it; `remedy` says what to write instead.
    All are kept as attributes, and `str()` prints them one under the other.
    """

    def __init__(
        self,
        message: str,
        *,
        location: Location | None = None,
        remedy: str | None = None,
        sides: Sequence[tuple[str, Location | None]] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.remedy = remedy
        self.sides = tuple(sides)

    def __str__(self) -> str:
        lines = [self.message]
        if self.location is not None:
            lines.extend(_place(self.location))
        for word, place in self.sides:
            lines.append(f"  {word}:" if place is not None else f"  {word}")
            if place is not None:
                lines.extend(_place(place))
        if self.remedy:
            lines.append(f"  Instead: {self.remedy}")
        return "\n".join(lines)


def with_article(name: str) -> str:
    """`a list`, `an enumerate`."""
    return f"{'an' if name[:1].lower() in set('aeio') else 'a'} {name}"


def _place(location: Location) -> list[str]:
    """The lines that show a location, in the form of Python's own tracebacks."""
    lines = [f'  File "{location.filename}", line {location.line}, in {location.function}']
    # Python 3.13 keeps the program of `python -c` under the name that `exec` gives to any text
    named = location.filename != "<string>"
    text = linecache.getline(location.filename, location.line).strip() if named else ""
    if text:
        lines.append(f"    {text}")
    return lines
