"""Nodes that compute nothing: they pass tensors on, or keep them in lists, as they are.

A tape that has stopped is shown them, too: in Python there is nothing that it could miss.
"""

from __future__ import annotations

from autograph.runtime.core.spec import ListSpec
from autograph.runtime.graph.ir import Node, Value

MOVING = frozenset(
    {
        "list_exchange",
        "list_extend",
        "list_get",
        "list_pop",
        "list_push",
        "list_set",
        "list_take",
    }
)
"""Ops of lists, which hold tensors as they are."""


def only_moves(node: Node) -> bool:
    """Whether no float that a node gives was computed in it from floats that it gets."""
    if node.op.name in MOVING:
        return True
    graphs = list(node.graphs)
    if graphs:
        return node.op.name != "call" and all(
            only_moves(one) for graph in graphs for one in graph.nodes
        )
    return not (any(map(is_float, node.outputs)) and any(map(is_float, node.inputs)))


def is_passed_on(value: Value, taken: bool = False) -> bool:
    """Whether a value may be an input of its graph, or come from a list; `taken`: from a list."""
    node = value.node
    if not isinstance(node, Node):
        return not taken
    if node.op.name in MOVING:
        return True
    if node.op.name == "where":
        return any(is_passed_on(one, taken) for one in node.inputs[1:])
    last = node.outputs.index(value) - len(node.outputs)  # a step gives whether it goes on, first
    return any(
        is_passed_on(graph.outputs[last], taken)
        for graph in node.graphs
        if len(graph.outputs) >= -last
    )


def is_float(value: Value) -> bool:
    """Whether a value is made of floats: a tensor, or a list of some."""
    spec = value.spec.element if isinstance(value.spec, ListSpec) else value.spec
    return spec.dtype.kind in "fc"
