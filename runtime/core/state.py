"""What this thread is doing: the interpreter ops go to, and the tapes that watch."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Protocol

from autograph.runtime.core.record import Op


class Interpreter(Protocol):
    """Runs an op: eagerly, or by adding a node to a graph."""

    def apply(self, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Any:
        """The result of the op on these inputs: a Tensor, a number, or a tuple of them."""
        ...

    def value_of(self, item: Any, shown: bool = True) -> Any:
        """What stands for a tensor in the graph that is being made."""
        ...

    def assign(self, tensor: Any, value: Any) -> None:
        """Put the value of another tensor into a cell."""
        ...


class Tape(Protocol):
    """What a gradient tape offers to the door."""

    def record(
        self, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any], outputs: Any
    ) -> None:
        """Note that `op` was applied."""
        ...

    def record_two(self, op: Op, x: Any, y: Any, output: Any) -> None:
        """Note that an op of two operands and no attributes was applied."""
        ...

    def looked_at(self, cell: Any) -> None:
        """Note that Python takes the value of a cell, a number or an array of it."""
        ...

    def follows(self, tensor: Any) -> bool:
        """Whether this tape records what is computed from `tensor`."""
        ...

    def assigned(self, cell: Any) -> None:
        """Note that a cell is about to be given another value."""
        ...


class ThreadState(threading.local):
    """The innermost interpreter last (none: eager), and the tapes that are recording."""

    def __init__(self) -> None:
        self.interpreter: Interpreter | None = None
        self.tapes: tuple[Tape, ...] = ()


STATE = ThreadState()
LOCK = threading.RLock()
"""Held while a graph is traced, and by calls and assignments that change Variables."""
