"""The program: what a graph is lowered to, before it becomes text.

Statements over local scalars, flat buffers and pointers. Expressions are short strings of Python
in which every operand has its exact dtype; the vocabulary they may use is `kernels.memory`,
`kernels.scalar` and `kernels.library`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

LIGHT_STRIP = 4096
HEAVY_STRIP = 16


@dataclass(slots=True)
class Comment:
    """A line for the reader."""

    text: str


@dataclass(slots=True)
class Assign:
    """`target = value`; a target may be a name or a buffer's element."""

    target: str
    value: str


@dataclass(slots=True)
class Execute:
    """A call made for what it does."""

    call: str


@dataclass(slots=True)
class Return:
    """Leave the function with a status: 0, or the number of a raise site."""

    value: str


@dataclass(slots=True)
class Break:
    """Leave the innermost `While`."""


@dataclass(slots=True)
class For:
    """`for variable in range(count)`; never left early."""

    variable: str
    count: str
    body: list[Statement] = field(default_factory=list)
    start: str = ""
    step: str = ""
    work: str = ""
    """Where its turns may run in any order, and at once: about how much work each of them is, in
    sixteenths of a nanosecond."""
    range: str = "range"
    """What it goes over else: a `gather_range`, an `apart_range` (see `kernels.memory`)."""


@dataclass(slots=True)
class If:
    """The first branch whose condition holds; the condition of `else` is empty."""

    branches: list[tuple[str, list[Statement]]] = field(default_factory=list)


@dataclass(slots=True)
class While:
    """Repeat until a `Break`, looking for signals now and then: `name` is unique."""

    name: str
    body: list[Statement] = field(default_factory=list)


Statement = Comment | Assign | Execute | Return | Break | For | If | While


@dataclass(slots=True)
class Function:
    """A native function of int64 parameters; it gives a status. `framed`: it has a frame."""

    name: str
    parameters: list[str]
    body: list[Statement] = field(default_factory=list)
    framed: bool = True


@dataclass(slots=True)
class Program:
    """Functions, callees first; the last one is the entry, which gets the arguments."""

    functions: list[Function] = field(default_factory=list)


def is_heavy(body: list[Statement]) -> bool:
    """Whether one turn of a loop with this body can take long."""
    return any(isinstance(one, For | While | Execute) for one in walk(body))


def walk(body: list[Statement]) -> Iterator[Statement]:
    """All statements of a body, nested ones included."""
    for one in body:
        yield one
        if isinstance(one, For | While):
            yield from walk(one.body)
        elif isinstance(one, If):
            for _, branch in one.branches:
                yield from walk(branch)
