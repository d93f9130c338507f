"""The turns of a staged loop, where long lists and deques are carried as rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.control.loop import MovingItems, Turn, staged_loop
from autograph.errors import MergeError, StateError
from autograph.operators.containers import rows
from autograph.tracing.places import Place
from autograph.tracing.tracing import Tracing


def loop_of_turns(tracing: Tracing, turn: Turn, forgotten: Iterable[Place] = ()) -> Any:
    """`staged_loop`; a full deque, say, to which each turn appends, gets staged contents before it.

    Else each round of tracing tells the kind of one more of its items.
    """
    try:
        return staged_loop(tracing, turn, forgotten)
    except MovingItems as found:
        try:
            for container in found.containers:
                rows.make_staged(tracing, container)
        except (MergeError, StateError):
            raise found.otherwise from None
    return loop_of_turns(tracing, turn, forgotten)
