"""What the passes share: copies of graphs, walks over sub-graphs, values replaced by others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node, Value


def all_graphs(graph: Graph) -> list[Graph]:
    """The graph and all that it may run, each once, inner ones first."""
    found: list[Graph] = []
    seen: set[int] = set()

    def visit(one: Graph) -> None:
        if id(one) in seen:
            return
        seen.add(id(one))
        for node in one.nodes:
            if node.holds_graphs:
                for inner in node.graphs:
                    visit(inner)
        found.append(one)

    visit(graph)
    return found


def replace(graph: Graph, values: Mapping[Value, Value]) -> None:
    """Use other values in the place of some, everywhere in one graph."""
    if not values:
        return

    def final(value: Value) -> Value:
        while value in values:
            value = values[value]
        return value

    for node in graph.nodes:
        node.inputs = [final(value) for value in node.inputs]
    graph.outputs = [final(value) for value in graph.outputs]


def is_constant(value: Value) -> bool:
    """Whether a value is known while tracing."""
    return value.node is not None and value.node.op is CONSTANT


def constant_of(value: Value) -> Any:
    """The Python number or the only element of a 0-d constant; None for anything else."""
    if not is_constant(value):
        return None
    assert value.node is not None
    held = value.node.attributes["value"]
    if isinstance(held, np.ndarray):
        return held.item() if held.ndim == 0 else None
    return held


def make_constant(graph: Graph, held: Any, like: Value, before: Node | None) -> Value:
    """A constant in the place of `like`, before a node (None: first). Its sizes are its own: where
    `like` is the operand of a sub-graph, it may not know them."""
    spec = like.spec
    if isinstance(held, np.ndarray) and isinstance(spec, Spec) and not spec.python:
        spec = spec.with_shape(held.shape)
    node = Node(CONSTANT, (), {"value": held}, before.location if before else None)
    made = Value(spec, graph, node, like.name)
    node.outputs = [made]
    place = graph.nodes.index(before) if before is not None else 0
    graph.nodes.insert(place, node)
    return made


def nodes_of(graph: Graph) -> Iterator[tuple[Graph, Node]]:
    """All nodes of a graph and of its sub-graphs."""
    for one in all_graphs(graph):
        for node in list(one.nodes):
            yield one, node


def users(graph: Graph) -> dict[Value, list[Node]]:
    """The nodes of one graph that use each value."""
    found: dict[Value, list[Node]] = {}
    for node in graph.nodes:
        for value in dict.fromkeys(node.inputs):
            found.setdefault(value, []).append(node)
    return found
