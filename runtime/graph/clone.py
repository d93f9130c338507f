"""Copies of graphs, so that one use of a graph can be changed without the others."""

from __future__ import annotations

from typing import Any

from autograph.runtime.graph.ir import Graph, Value


def clone(graph: Graph, copies: dict[Graph, Graph] | None = None) -> Graph:
    """A copy of `graph` and of all graphs it can run; `copies` maps those to their copies."""
    copies = {} if copies is None else copies
    known = copies.get(graph)
    if known is not None:
        return known
    copy = copies[graph] = Graph(graph.name)
    values: dict[Value, Value] = {}
    for value in graph.inputs:
        values[value] = copy.add_input(value.spec, value.name)
    for node in graph.nodes:
        attributes = {name: _cloned(item, copies) for name, item in node.attributes.items()}
        made = copy.add_node(
            node.op,
            [values[value] for value in node.inputs],
            attributes,
            [value.spec for value in node.outputs],
            node.location,
        )
        for old, new in zip(node.outputs, made.outputs, strict=True):
            new.name = old.name
            values[old] = new
    copy.outputs = [values[value] for value in graph.outputs]
    return copy


def _cloned(item: Any, copies: dict[Graph, Graph]) -> Any:
    if isinstance(item, Graph):
        return clone(item, copies)
    if type(item) is tuple and any(isinstance(one, Graph) for one in item):
        return tuple(_cloned(one, copies) for one in item)
    return item
