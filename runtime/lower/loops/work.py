"""How much work a turn of a loop is, about, so that only large loops are run on several threads.

In sixteenths of a nanosecond, as machine code takes that works on several elements at once. The
figures are measured on one machine and need only be right within a factor of two or three.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograph.kernels.memory import BUFFERS, CASTS
from autograph.kernels.program import Assign, For, If, Statement, walk

CALL = 12
"""A scalar function, most of which are polynomials: half a nanosecond to a whole one."""
BRANCH = 8
CHEAP = frozenset(("select", "abs", "min", "max", *CASTS, *BUFFERS))
_call = re.compile(r"\b([a-z_][a-z_0-9]*)\(")
_division = re.compile(r"[^/]/[^/]")
_whole_division = re.compile(r"//|%")


def work_of(body: Sequence[Statement]) -> int:
    """The work of statements that have no loops among them."""
    return sum(_work(one) for one in walk(list(body)))


def _work(statement: Statement) -> int:
    if isinstance(statement, If | For):
        return BRANCH
    if not isinstance(statement, Assign):
        return 0
    text = statement.value
    calls = sum(
        name not in CHEAP and not name.startswith("gather_") for name in _call.findall(text)
    )
    divisions = len(_division.findall(text)) + 4 * len(_whole_division.findall(text))
    return 1 + CALL * calls + 3 * divisions
