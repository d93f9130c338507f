"""A graph cut into segments: stretches that have a native form, and single nodes that have none.

A segment becomes a graph of its own. Program order stays, so what is printed, called and raised
comes in the order of the user's lines; constants cost nothing and go with whoever uses them.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.record import Effect
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.optimizer.rewriting import all_graphs

FEWEST_NODES = 4
"""A shorter segment without loops runs op by op: a call costs as much as two or three ops."""
FEWEST_OF_LARGE = 2
"""The same where an array is large or of unknown size, which then need not be gone over twice."""
LARGE = 1024


@dataclass(slots=True)
class Segment:
    """Nodes that run one after the other, and the graph that they are as a program."""

    nodes: list[Node]
    graph: Graph
    inputs: list[Value]
    """What the graph takes, as values of the graph that was cut."""
    outputs: list[Value]
    origins: dict[Node, Node] = field(default_factory=dict)
    """From the nodes of the segment's graph to those that were cut."""


def calls_back(graph: Graph) -> set[Node]:
    """The nodes of a graph and its sub-graphs that call Python."""
    return {
        node
        for one in all_graphs(graph)
        for node in one.nodes
        if node.op.effect is Effect.CALLS_BACK
    }


def holds(node: Node, refused: Container[Node]) -> bool:
    """Whether a node is one of `refused`, or runs a graph that has one."""
    return node in refused or any(
        inner in refused
        for graph in node.graphs
        for one in all_graphs(graph)
        for inner in one.nodes
    )


def cut(graph: Graph, refused: Container[Node]) -> list[Segment | Node]:
    """The parts of a graph in program order: segments, and nodes that hold one of `refused`."""
    parts: list[list[Node] | Node] = []
    for node in graph.nodes:
        if node.op is CONSTANT:
            continue
        if holds(node, refused):
            parts.append(node)
        elif parts and isinstance(parts[-1], list):
            parts[-1].append(node)
        else:
            parts.append([node])
    result: list[Segment | Node] = []
    needed = set(graph.outputs)
    for part in reversed(parts):
        if isinstance(part, list) and not _is_worth_a_program(part):
            result += reversed(part)
        else:
            result.append(part if isinstance(part, Node) else _segment(graph, part, needed))
        for node in [part] if isinstance(part, Node) else part:
            needed.update(node.inputs)
    return result[::-1]


def _is_worth_a_program(nodes: Sequence[Node]) -> bool:
    every = [inner for node in nodes for graph in node.graphs for inner in _nodes(graph)]
    every += nodes
    if any(node.op.name in ("while_loop", "call") for node in every):
        return True
    fewest = FEWEST_OF_LARGE if any(map(_is_large, every)) else FEWEST_NODES
    return sum(node.op is not CONSTANT for node in every) >= fewest


def _is_large(node: Node) -> bool:
    """Whether it makes an array of many elements, or of a number that is not known."""
    for value in node.outputs:
        shape = value.spec.shape if isinstance(value.spec, Spec) else ()
        known = [dim for dim in shape if isinstance(dim, int)]
        if len(known) < len(shape) or math.prod(known) >= LARGE:
            return True
    return False


def _nodes(graph: Graph) -> list[Node]:
    return [node for one in all_graphs(graph) for node in one.nodes]


def _segment(graph: Graph, nodes: list[Node], needed: set[Value]) -> Segment:
    """The segment of these nodes, which gives those of its values that are `needed` later."""
    result = Graph(f"{graph.name}_segment")
    made = {value for node in nodes for value in node.outputs}
    used = dict.fromkeys(value for node in nodes for value in node.inputs)
    inputs = [value for value in used if value not in made and not _is_constant(value)]
    # symbols are known where they stand alone
    inputs.sort(key=_has_compound_dims)
    outputs = [value for node in nodes for value in node.outputs if value in needed]
    segment = Segment(nodes, result, inputs, outputs)
    here: dict[Value, Value] = {}
    symbols: set[str] = set()
    for value in inputs:
        here[value] = result.add_input(_input_spec(value.spec, symbols), value.name)
    for value in used:
        if _is_constant(value):
            assert value.node is not None
            here[value] = _copied(result, value.node, here).outputs[0]
    for node in nodes:
        copy = _copied(result, node, here)
        segment.origins[copy] = node
        here.update(zip(node.outputs, copy.outputs, strict=True))
    result.outputs = [here[value] for value in outputs]
    return segment


def _copied(graph: Graph, node: Node, here: dict[Value, Value]) -> Node:
    inputs = [here[value] for value in node.inputs]
    specs = [value.spec for value in node.outputs]
    return graph.add_node(node.op, inputs, node.attributes, specs, node.location)


def _is_constant(value: Value) -> bool:
    return value.node is not None and value.node.op is CONSTANT


def _has_compound_dims(value: Value) -> bool:
    spec = value.spec
    return isinstance(spec, Spec) and any(isinstance(d, Dim) and d.name is None for d in spec.shape)


def _input_spec(spec: AnySpec, symbols: set[str]) -> AnySpec:
    """The spec of an input, with new symbols for sizes made of others that are not known here."""
    if isinstance(spec, ListSpec):
        return spec
    shape: list[DimLike] = []
    for dim in spec.shape:
        if isinstance(dim, Dim) and dim.name is None and not dim.symbols <= symbols:
            dim = Dim.fresh("s")
        if isinstance(dim, Dim):
            symbols |= dim.symbols
        shape.append(dim)
    return Spec(spec.dtype, tuple(shape), spec.python)
