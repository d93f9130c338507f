"""What runs a graph: machine code, its text in CPython, or the references, op by op."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph

if TYPE_CHECKING:
    from autograph.runtime.lower.build import Runnable

Mode = Literal["compile", "evaluate", "text"]


def check_mode(mode: str) -> None:
    """ValueError for what is no mode."""
    if mode not in ("compile", "text", "evaluate"):
        raise ValueError(f"mode is 'compile', 'text' or 'evaluate', not {mode!r}")


def executor(graph: Graph, mode: Mode) -> Callable[[Sequence[Any]], list[Any]]:
    """What runs a graph."""
    if mode == "evaluate":
        return lambda values: evaluate(graph, values)
    return lower(graph, jit=mode == "compile")


def lower(graph: Graph, jit: bool | None = None) -> Runnable:
    """The program of a graph. The compiler is loaded only by those who compile."""
    from autograph.runtime.lower import build

    return build(graph, jit=jit)
