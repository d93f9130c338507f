"""Compute while tracing what depends on constants alone, and choose branches that are known."""

from __future__ import annotations

import numpy as np

from autograph.runtime.core.record import Effect
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.evaluate import run_node
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.optimizer.rewriting import (
    all_graphs,
    constant_of,
    is_constant,
    make_constant,
    replace,
)

LARGEST = 16
"""How many elements a folded tensor has at most."""


def run(graph: Graph) -> bool:
    """Fold constants everywhere."""
    return any([_fold(one) for one in all_graphs(graph)])


def _fold(graph: Graph) -> bool:
    replaced: dict[Value, Value] = {}
    gone: set[Node] = set()  # a cond may have no results at all
    for node in list(graph.nodes):
        node.inputs = [replaced.get(value, value) for value in node.inputs]
        if node.op.name == "cond":
            index = constant_of(node.inputs[0])
            if index is not None:
                _write_out(graph, node, int(index), replaced)
                gone.add(node)
        elif node.inputs and _is_foldable(node):
            for value, held in _results(node):
                replaced[value] = make_constant(graph, held, value, node)
                gone.add(node)
    if replaced:
        replace(graph, replaced)
    graph.nodes = [node for node in graph.nodes if node not in gone]
    return bool(gone)


def _is_foldable(node: Node) -> bool:
    if node.op.effect is Effect.CALLS_BACK or any(True for _ in node.graphs):
        return False
    small = all(
        isinstance(value.spec, Spec) and value.spec.is_static and _count(value.spec) <= LARGEST
        for value in node.outputs
    )
    return small and all(is_constant(value) for value in node.inputs)


def _count(spec: Spec) -> int:
    size = spec.size
    return size if isinstance(size, int) else LARGEST + 1


def _results(node: Node) -> list[tuple[Value, object]]:
    operands = [value.node.attributes["value"] for value in node.inputs]  # type: ignore[union-attr]
    try:
        results = run_node(node, operands)
    except Exception:
        return []  # it will raise when it runs
    found = []
    for value, result in zip(node.outputs, results, strict=True):
        assert isinstance(value.spec, Spec)
        if isinstance(result, np.ndarray) and result.dtype != value.spec.dtype:
            return []
        found.append((value, result))
    return found


def _write_out(graph: Graph, node: Node, index: int, replaced: dict[Value, Value]) -> None:
    """Put the nodes of the chosen branch in the place of a cond."""
    branch: Graph = node.attributes["branches"][index]
    values = dict(zip(branch.inputs, node.inputs[1:], strict=True))
    place = graph.nodes.index(node)
    made: list[Node] = []
    for inner in branch.nodes:
        new = Node(
            inner.op, [values[value] for value in inner.inputs], inner.attributes, inner.location
        )
        new.outputs = [Value(value.spec, graph, new, value.name) for value in inner.outputs]
        values.update(zip(inner.outputs, new.outputs, strict=True))
        made.append(new)
    graph.nodes[place:place] = made
    for value, result in zip(node.outputs, branch.outputs, strict=True):
        replaced[value] = values[result]
