"""What a graph gives if some of its inputs are known numbers: as far as that can be told."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import numpy as np

from autograph.runtime.control.records import is_dead
from autograph.runtime.core.record import Effect
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.constant import CONSTANT, bits_of
from autograph.runtime.graph.evaluate import run_node
from autograph.runtime.graph.ir import Graph, Node, Value


def supposed(
    graph: Graph, known: Mapping[Value, Any], dead: Container[int] = ()
) -> dict[Value, Any]:
    """The 0-d values of `graph` that are numbers if those in `known` are.

    `dead`: branches, by identity, that are known not to run.
    """
    values = dict(known)
    for node in graph.nodes:
        if node.op is CONSTANT:
            held = node.attributes["value"]
            if not isinstance(held, np.ndarray) or not held.ndim:
                values[node.outputs[0]] = held
        elif node.op.name == "cond":
            _cond(node, values, dead)
        elif _is_plain(node):
            _compute(node, values)
    return values


def _is_plain(node: Node) -> bool:
    return (
        node.op.effect is not Effect.CALLS_BACK
        and not any(True for _ in node.graphs)
        and all(isinstance(v.spec, Spec) and not v.spec.shape for v in node.outputs)
        and bool(node.inputs)
    )


def _compute(node: Node, values: dict[Value, Any]) -> None:
    if node.op.name == "logical_and":
        for value in node.inputs:
            if value in values and not np.asarray(values[value]).any():
                values[node.outputs[0]] = np.array(False)
                return
    if not all(value in values for value in node.inputs):
        return
    try:
        results = run_node(node, [values[value] for value in node.inputs])
    except Exception:
        return
    values.update(zip(node.outputs, results, strict=True))


def _cond(node: Node, values: dict[Value, Any], dead: Container[int]) -> None:
    """Results that are one number in every branch that may run."""
    branches: tuple[Graph, ...] = node.attributes["branches"]
    index = values.get(node.inputs[0])
    if index is not None:
        branches = (branches[int(index)],)
    branches = tuple(branch for branch in branches if id(branch) not in dead)
    found = []
    for branch in branches:
        inside = {
            inner: values[outer]
            for inner, outer in zip(branch.inputs, node.inputs[1:], strict=True)
            if outer in values
        }
        found.append(supposed(branch, inside, dead))
    for place, value in enumerate(node.outputs):
        results = [
            inner.get(branch.outputs[place])
            for branch, inner in zip(branches, found, strict=True)
            if not is_dead(branch.outputs[place])
        ]
        first = results[0] if results else None
        if first is not None and all(bits_of(one) == bits_of(first) for one in results):
            values[value] = first
