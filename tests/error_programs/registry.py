"""How a program that is refused or fails is declared.

`@refused(arguments)` is called staged, `@fails(arguments)` eagerly, where ops check what they get.
The family of a program is its file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import autograph as ag

t = ag.asarray
Arguments = Callable[[], tuple[Any, ...]]


@dataclass(frozen=True)
class Row:
    """A program, how it is called, and in which family of texts it stands."""

    function: Any
    arguments: Arguments
    staged: bool

    @property
    def name(self) -> str:
        """The name of the program."""
        return str(self.function.__name__)

    @property
    def family(self) -> str:
        """The name of its file."""
        return str(self.function.__module__.rpartition(".")[2])


ROWS: list[Row] = []


def refused(*make: Any) -> Any:
    """A program that fails when it is called staged with these; functions among them are called."""

    def note(function: Any) -> Any:
        ROWS.append(Row(function, lambda: _made(make), True))
        return function

    return note


def fails(*make: Any) -> Any:
    """A program that fails when it is called eagerly."""

    def note(function: Any) -> Any:
        ROWS.append(Row(function, lambda: _made(make), False))
        return function

    return note


def _made(make: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(one() if callable(one) else one for one in make)


def one() -> Any:
    return t(1.0)


def two() -> Any:
    return t([1.0, 2.0])


def three() -> Any:
    return t(3)


def flag() -> Any:
    return t(True)


def matrix() -> Any:
    return t([[1.0, 2.0], [3.0, 4.0]])
