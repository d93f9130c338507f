"""What running a node can do, its sub-graphs included."""

from __future__ import annotations

from autograph.runtime.core.record import Effect
from autograph.runtime.graph.ir import Graph, Node

_ORDER = (Effect.PURE, Effect.MAY_RAISE, Effect.CALLS_BACK)


def node_effect(node: Node) -> Effect:
    """The strongest effect of the node's op and of all that its sub-graphs do."""
    return _node_effect(node, set())


def graph_effect(graph: Graph) -> Effect:
    """The strongest effect of the nodes of a graph."""
    return _graph_effect(graph, set())


def _node_effect(node: Node, seen: set[int]) -> Effect:
    return _strongest([node.op.effect, *(_graph_effect(inner, seen) for inner in node.graphs)])


def _graph_effect(graph: Graph, seen: set[int]) -> Effect:
    if id(graph) in seen:
        return Effect.PURE  # counted where it was met first
    seen.add(id(graph))
    return _strongest([_node_effect(node, seen) for node in graph.nodes])


def _strongest(effects: list[Effect]) -> Effect:
    return max(effects, key=_ORDER.index, default=Effect.PURE)
