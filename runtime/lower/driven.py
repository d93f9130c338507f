"""A program that CPython drives: each op by its reference, for graphs with no native form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.printer import print_graph


class DrivenProgram:
    """A graph that CPython runs op by op."""

    is_native = False

    def __init__(self, graph: Graph, reason: str) -> None:
        self.graph = graph
        self.reason = reason
        self.text = f"# driven by CPython: {reason}\n{print_graph(graph)}"

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs for these inputs; raises what the graph raises."""
        return evaluate(self.graph, inputs)

    __call__ = run
