"""One of two expressions, by a condition that may be staged: runs the sides, in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.control.branch import switch
from autograph.operators.expressions.truth import as_value, condition
from autograph.tracing.places import CellPlace
from autograph.tracing.tracing import Tracing

Thunk = Callable[[], Any]


def branch(tracing: Tracing | None, test: Any, if_true: Thunk, if_false: Thunk) -> Any:
    """The value of one of two expressions."""
    if tracing is None:
        return if_true() if test else if_false()
    flag = condition(tracing, test)
    if isinstance(flag, bool):
        return if_true() if flag else if_false()
    # Thunks share the cells of their function: what a walrus in them assigns is logged.
    watched = [watching(tracing, if_false), watching(tracing, if_true)]
    return switch(tracing, as_value(tracing, flag), watched, "the value of an expression")


def watching(tracing: Tracing, thunk: Thunk) -> Thunk:
    """A thunk that logs the variables it shares with its function before it runs."""

    def run() -> Any:
        watch_cells(tracing, thunk)
        return thunk()

    return run


def watch_cells(tracing: Tracing, thunk: Thunk) -> None:
    """Log the variables that a thunk shares with its function."""
    for name, cell in zip(thunk.__code__.co_freevars, thunk.__closure__ or (), strict=True):
        if name != "ag__":
            tracing.touch(CellPlace(cell, name))
