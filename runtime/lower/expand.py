"""Decompositions written out: a graph of ops that programs have forms for."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from autograph.runtime.control.records import RAISE
from autograph.runtime.core.record import Decomposition
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import Trace, dynamic_operands, substitute_dynamic
from autograph.runtime.ops.table import OPS


def expand(graph: Graph) -> Graph:
    """A copy of `graph` and of its sub-graphs without decompositions."""
    return _expanded(graph, {})


def _expanded(graph: Graph, done: dict[int, Graph]) -> Graph:
    known = done.get(id(graph))
    if known is not None:
        return known
    trace = Trace(graph.name)
    done[id(graph)] = trace.graph
    values: dict[Value, Value] = {}
    for value in graph.inputs:
        values[value] = trace.graph.add_input(value.spec, value.name)
    for node in graph.nodes:
        _add(trace, node, values, done)
    trace.graph.outputs = [values[value] for value in graph.outputs]
    return trace.graph


def _add(trace: Trace, node: Node, values: dict[Value, Value], done: dict[int, Graph]) -> None:
    inputs = [values[value] for value in node.inputs]
    if isinstance(node.op.lowering, Decomposition):
        results = _written_out(trace, node, inputs, node.op.lowering, done)
    else:
        attributes = _with_graphs(node.attributes, done)
        specs = [value.spec for value in node.outputs]
        made = trace.graph.add_node(node.op, inputs, attributes, specs, node.location)
        results = made.outputs
    for old, new in zip(node.outputs, results, strict=True):
        values[old] = new


def _with_graphs(attributes: Mapping[str, Any], done: dict[int, Graph]) -> dict[str, Any]:
    def walk(item: Any) -> Any:
        if isinstance(item, Graph):
            return _expanded(item, done)
        if type(item) is tuple and any(isinstance(one, Graph) for one in item):
            return tuple(walk(one) for one in item)
        return item

    return {name: walk(item) for name, item in attributes.items()}


def _written_out(
    trace: Trace, node: Node, inputs: list[Value], lowering: Decomposition, done: dict[int, Graph]
) -> list[Value]:
    """The results of the rule, whose own decompositions are written out too."""
    inner = Trace(node.op.name)
    own = [inner.add_input(value.spec, value.name) for value in inputs]
    attributes = {**_defaults(node), **substitute_dynamic(node.attributes, own)}
    count = len(own) - len(dynamic_operands(node.attributes))
    with inner.active():
        # an operand that is a constant stays one: rules look at plain numbers
        operands = [_plain(value, handle) for value, handle in zip(inputs, own, strict=True)]
        try:
            result = lowering.rule(OPS, *operands[:count], **attributes)
        except (ValueError, TypeError, IndexError, OverflowError) as error:
            # what is known to fail fails when the node runs, not before
            return _raised(trace, node, error)
        several = result if isinstance(result, tuple) else (result,)
        outputs = [inner.value_of(one) for one in several]
    values = dict(zip(inner.graph.inputs, inputs, strict=True))
    for made in inner.graph.nodes:
        made.location = node.location
        _add(trace, made, values, done)
    return [values[value] for value in outputs]


def _raised(trace: Trace, node: Node, error: Exception) -> list[Value]:
    specs = tuple(value.spec for value in node.outputs)
    attributes = {"exception": type(error), "arguments": error.args, "results": specs}
    return trace.graph.add_node(RAISE, (), attributes, specs, node.location).outputs


def _defaults(node: Node) -> dict[str, Any]:
    """The attributes that a node may leave out."""
    parameters = inspect.signature(node.op.reference).parameters.values()
    return {
        p.name: p.default
        for p in parameters
        if p.kind is p.KEYWORD_ONLY and p.default is not p.empty
    }


def _plain(value: Value, handle: Any) -> Any:
    node = value.node
    if node is not None and node.op is CONSTANT and value.spec.python:  # type: ignore[union-attr]
        return node.attributes["value"]
    return handle
