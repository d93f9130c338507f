"""Teams: lanes that go through a row together, as the grid goes through the program.

A lane that goes through a row by itself reads elements that lie far from those of its neighbours. A
team shares the row: its lanes read neighbouring elements, and put together what they gather. How
many lanes it has, the length of the rows tells (`team_for`), up to the 32 that run in step.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from autograph.kernels.codegen.kernel import nodes_of
from autograph.kernels.cuda.accesses import OF_ALL, called_in, is_books, is_library
from autograph.kernels.cuda.loops import GATHER, gathering, range_name


@dataclass(frozen=True)
class Level:
    """Lanes that run the same statements: the text by which each knows its part."""

    lane: str
    """Which of them it is."""
    lanes: str
    first: str
    wait: str
    rest: str = ""
    """What is said behind the values that are put together."""

    def gathered(self, name: str, kind: str) -> str:
        """The values that the lanes have of a variable, put together."""
        word = "gathered_in_team" if self.rest else "gathered"
        return f"{word}({name}, {kind!r}{self.rest})"


GRID = Level("lane()", "lanes()", "first()", "wait()")


def team_of(width: str, member: str) -> Level:
    """The lanes of a team, by the variables for their number and for which of them it is."""
    return Level(member, width, f"{member} == 0", f"wait_in_team({width})", f", {width}")


def row_length(
    loop: ast.For, given: Callable[[ast.For], list[str]], functions: frozenset[str]
) -> str | None:
    """How long the rows are that the turns of a loop go through; None where they are no such rows.

    `given`: the variables of a loop that are read after it; `functions`: those of the program.
    """
    lengths: dict[str, None] = {}
    if not _is_of_rows(loop, given, lengths) or any(
        one in functions or is_books(one) or is_library(one) or one in OF_ALL
        for one in called_in(loop)
    ):
        return None
    inside = {
        one.id
        for one in nodes_of(loop)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
    return next((one for one in lengths if one not in inside), None)


def _is_of_rows(
    loop: ast.For, given: Callable[[ast.For], list[str]], lengths: dict[str, None]
) -> bool:
    """Whether a loop has statements alone that a team can go through; notes its rows' lengths."""
    for one in loop.body:
        if isinstance(one, ast.Assign):
            continue
        if not isinstance(one, ast.For):
            return False
        if range_name(one) == GATHER:
            assert isinstance(one.iter, ast.Call)
            if any(gathering(one, name) is None for name in given(one)):
                return False
            if isinstance(one.iter.args[0], ast.Name):
                lengths[one.iter.args[0].id] = None
        elif range_name(one) != "range" or given(one):
            return False
        elif any(isinstance(inner, ast.For) for inner in one.body):
            if not _is_of_rows(one, given, lengths):
                return False
    return True
