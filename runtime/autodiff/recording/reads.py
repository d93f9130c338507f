"""Which cells a stretch of code reads: told by the door and by traces, like a tape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograph.runtime.core.record import Op
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import Trace

Wanted = Callable[[Tensor], bool]


def is_trainable(cell: Tensor) -> bool:
    """Whether tapes watch a cell by themselves: a trainable Variable of floats."""
    trainable = type(cell) is not Tensor and getattr(cell, "trainable", False)
    return trainable and cell.dtype.kind in "fc"


class Reads:
    """The `wanted` cells that are read inside `with`, each with the value of its first read.

    Eager values are arrays, those in a trace values of its graph.
    """

    def __init__(self, wanted: Wanted = is_trainable) -> None:
        self.wanted = wanted
        self.found: dict[int, tuple[Tensor, Any]] = {}
        self._trace: Trace | None = None

    def __enter__(self) -> Reads:
        trace = STATE.interpreter
        if isinstance(trace, Trace):
            self._trace = trace
            trace.tapes = (*trace.tapes, self)
        else:
            STATE.tapes = (*STATE.tapes, self)
        return self

    def __exit__(self, *exception: object) -> None:
        if self._trace is None:
            STATE.tapes = tuple(tape for tape in STATE.tapes if tape is not self)
        else:
            self._trace.tapes = tuple(tape for tape in self._trace.tapes if tape is not self)

    def note(self, cell: Tensor, value: Any) -> None:
        """Note that `cell`, which holds `value`, is read."""
        if id(cell) not in self.found and self.wanted(cell):
            self.found[id(cell)] = (cell, value)

    # what a tape offers -----------------------------------------------------------------------
    def record(
        self, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any], outputs: Any
    ) -> None:
        """An op was applied eagerly."""
        for x in inputs:
            if isinstance(x, Tensor):
                self.note(x, x._value)

    def record_two(self, op: Op, x: Any, y: Any, output: Any) -> None:
        """An op of two operands was applied eagerly."""
        self.record(op, (x, y), {}, output)

    def record_function(self, inputs: Any, outputs: Any, backward: Any, values: Any = None) -> None:
        """Something that knows its own gradient was called eagerly."""
        for x in inputs:
            self.note(x, x._value)

    def looked_at(self, cell: Tensor) -> None:
        """Python takes the value of a cell, which is no op."""

    def assigned(self, cell: Tensor) -> None:
        """A cell is about to be given another value."""

    def follows(self, tensor: Tensor) -> bool:
        """A staged function is given `tensor`: noted, and not followed."""
        self.note(tensor, tensor._value)
        return False

    def reaches(self, value: Value) -> bool:
        """Nothing that is computed is followed."""
        return False

    def notice(self, cell: Tensor, value: Value) -> None:
        """A trace reads a Variable."""
        trace = self._trace
        while trace is not None and trace.graph is not value.graph:
            trace = trace.parent
        if trace is not None and self._trace is not None:
            self.note(cell, self._trace.lift(value))

    def record_node(self, node: Node) -> None:
        """A node was added."""

    def forget_graph(self, graph: Graph) -> None:
        """What was read of values that belong to no trace any more is read again, or never."""
        for key, (_, value) in list(self.found.items()):
            if isinstance(value, Value) and value.graph is graph:
                del self.found[key]
