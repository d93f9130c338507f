"""The call graph: which graphs of a program call which."""

from __future__ import annotations

from autograph.runtime.graph.ir import Graph


def reaches(start: Graph, target: Graph) -> bool:
    """Whether running `start` may run `target`, which is not `start` itself unless it calls it."""
    seen: set[int] = set()
    pending = [start]
    while pending:
        graph = pending.pop()
        for node in graph.nodes:
            for inner in node.graphs:
                if inner is target:
                    return True
                if id(inner) not in seen:
                    seen.add(id(inner))
                    pending.append(inner)
    return False
