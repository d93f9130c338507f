"""Placeholder until the printer lands."""

from __future__ import annotations

from autograph.runtime.graph.ir import Graph


def print_graph(graph: Graph) -> str:
    """The graph, as text."""
    return f"<graph {graph.name}: {len(graph.nodes)} nodes>"
