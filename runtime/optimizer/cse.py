"""Compute equal things once: nodes with the same op, inputs and attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.record import Effect
from autograph.runtime.core.spec import ListSpec
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.optimizer.rewriting import all_graphs, replace


def run(graph: Graph) -> bool:
    """Remove double nodes in every graph."""
    return any([_merge(one) for one in all_graphs(graph)])


def _merge(graph: Graph) -> bool:
    first: dict[Any, Node] = {}
    replaced: dict[Value, Value] = {}
    kept: list[Node] = []
    for node in graph.nodes:
        node.inputs = [replaced.get(value, value) for value in node.inputs]
        key = _key(node)
        known = first.get(key) if key is not None else None
        if known is None:
            kept.append(node)
            if key is not None:
                first[key] = node
            continue
        replaced.update(zip(node.outputs, known.outputs, strict=True))
    graph.nodes = kept
    replace(graph, replaced)
    return bool(replaced)


SMALL = 16
"""So many nodes a branch has at most that is compared with others: a choice between values."""


def _key(node: Node) -> Any:
    """What two nodes share that give the same; None for one that must stay."""
    made = _meaning(node)
    if made is None:
        return None
    key = (made, tuple(map(id, node.inputs)))
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _meaning(node: Node) -> Any:
    """What a node does with its inputs; None for one that must stay."""
    if node.op.effect is Effect.CALLS_BACK or node.op.name == "raise_":
        return None
    # lists change in place where nobody else has them: two must not become one
    if any(isinstance(value.spec, ListSpec) for value in node.outputs):
        return None
    if node.op.name == "cond":
        branches = [_structure(graph) for graph in node.attributes["branches"]]
        return None if None in branches else ("cond", tuple(branches))
    if any(True for _ in node.graphs):
        return None
    attributes = tuple((name, _attribute(item)) for name, item in sorted(node.attributes.items()))
    return node.op.name, attributes


def _structure(graph: Graph) -> Any:
    """What a branch does, its values by their numbers; None for one that is long or must stay."""
    if len(graph.nodes) > SMALL:
        return None
    numbers = {value: number for number, value in enumerate(graph.inputs)}
    nodes = []
    for node in graph.nodes:
        made = _meaning(node)
        if made is None:
            return None
        nodes.append((made, tuple(numbers[value] for value in node.inputs)))
        for value in node.outputs:
            numbers[value] = len(numbers)
    specs = tuple(str(value.spec) for value in graph.inputs)
    return specs, tuple(nodes), tuple(numbers[value] for value in graph.outputs)


def _attribute(item: Any) -> Any:
    if isinstance(item, np.ndarray):
        return item.dtype.str, item.shape, item.tobytes()
    if type(item) is tuple:
        return tuple(map(_attribute, item))
    # 1, 1.0 and True are equal, and so are 0.0 and -0.0
    return type(item), repr(item) if isinstance(item, float) else item
