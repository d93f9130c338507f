"""Small rewrites: what an operand or a constant already is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograph.runtime.control.effects import node_effect
from autograph.runtime.core.record import Effect
from autograph.runtime.core.spec import Spec, normalized_axes
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.optimizer.rewriting import all_graphs, constant_of, make_constant, replace

Rule = Callable[[Graph, Node], Value | None]


def run(graph: Graph) -> bool:
    """Apply the rules to every node until nothing changes."""
    return any([_simplify(one) for one in all_graphs(graph)])


def _simplify(graph: Graph) -> bool:
    replaced: dict[Value, Value] = {}
    for node in list(graph.nodes):
        node.inputs = [replaced.get(value, value) for value in node.inputs]
        rule = RULES.get(node.op.name)
        if rule is None or len(node.outputs) != 1:
            continue
        found = rule(graph, node)
        if found is not None and found is not node.outputs[0]:
            replaced[node.outputs[0]] = found
    if not replaced:
        return False
    gone = {value.node for value in replaced}
    replace(graph, replaced)
    graph.nodes = [node for node in graph.nodes if node not in gone]
    return True


def _if_same(graph: Graph, node: Node) -> Value | None:
    """The first operand, where the result is the same tensor."""
    operand = node.inputs[0]
    return operand if operand.spec == node.outputs[0].spec else None


def _if_it_fits(graph: Graph, node: Node) -> Value | None:
    """The operand, where the result is the same tensor, and no number of the run says otherwise."""
    return _if_same(graph, node) if node_effect(node) is Effect.PURE else None


def _if_same_kind(graph: Graph, node: Node) -> Value | None:
    """The operand of an op that changes the dtype alone, where that is what it is."""
    operand, spec = node.inputs[0].spec, node.outputs[0].spec
    assert isinstance(operand, Spec) and isinstance(spec, Spec)
    same = (operand.dtype, operand.python) == (spec.dtype, spec.python)
    return node.inputs[0] if same else None


def _is_0d_bool(value: Value) -> bool:
    spec = value.spec
    return isinstance(spec, Spec) and not spec.shape and spec.dtype.kind == "b"


def _logical(absorbing: bool) -> Rule:
    """`and` (absorbed by False) and `or` (absorbed by True) of 0-d bools with a constant."""

    def rule(graph: Graph, node: Node) -> Value | None:
        out = node.outputs[0]
        if not (all(map(_is_0d_bool, node.inputs)) and _is_0d_bool(out)):
            return None
        if node.inputs[0] is node.inputs[1]:
            return _as_spec(node.inputs[0], out)
        for one, other in (node.inputs, node.inputs[::-1]):
            held = constant_of(one)
            if held is None:
                continue
            if bool(held) is absorbing:
                return make_constant(graph, np.array(absorbing), out, node)
            return _as_spec(other, out)
        return None

    return rule


def _as_spec(value: Value, like: Value) -> Value | None:
    return value if value.spec == like.spec else None


def _where(graph: Graph, node: Node) -> Value | None:
    condition, one, other = node.inputs
    held = constant_of(condition)
    if held is not None:
        return _as_spec(one if held else other, node.outputs[0])
    return _as_spec(one, node.outputs[0]) if one is other else None


def _equal(graph: Graph, node: Node) -> Value | None:
    """`where(c, a, b) == k` of unlike numbers is c, or can never hold, or is `not c`: only c."""
    for one, other in (node.inputs, node.inputs[::-1]):
        made, held = one.node, constant_of(other)
        if made is None or held is None or made.op.name != "where":
            continue
        condition = made.inputs[0]
        yes, no = constant_of(made.inputs[1]), constant_of(made.inputs[2])
        if yes is None or no is None or yes == no or condition.spec != node.outputs[0].spec:
            continue
        if held == yes:
            return condition
    return None


def _times_one(graph: Graph, node: Node) -> Value | None:
    """x * 1 is x, for every x but complex ones with an infinite part."""
    spec = node.outputs[0].spec
    if isinstance(spec, Spec) and spec.dtype.kind == "c":
        return None
    for one, other in (node.inputs, node.inputs[::-1]):
        held = constant_of(one)
        if held is not None and type(held) is not bool and held == 1:
            return _as_spec(other, node.outputs[0])
    return None


def _divided_by_one(graph: Graph, node: Node) -> Value | None:
    held = constant_of(node.inputs[1])
    if held is not None and type(held) is not bool and held == 1:
        return _as_spec(node.inputs[0], node.outputs[0])
    return None


def _there_and_back(inverse: str) -> Rule:
    """A conversion of what was converted from the very same kind."""

    def rule(graph: Graph, node: Node) -> Value | None:
        made = node.inputs[0].node
        if made is None or made.op.name != inverse:
            return None
        source = made.inputs[0]
        exact = isinstance(source.spec, Spec) and isinstance(made.outputs[0].spec, Spec)
        if exact and source.spec.dtype == made.outputs[0].spec.dtype:  # type: ignore[union-attr]
            return _as_spec(source, node.outputs[0])
        return None

    return rule


def _twice_permuted(graph: Graph, node: Node) -> Value | None:
    made = node.inputs[0].node
    axes = node.attributes["axes"]
    if tuple(axes) == tuple(range(len(axes))):
        return _as_spec(node.inputs[0], node.outputs[0])
    if made is None or made.op.name != "permute_dims":
        return None
    before = made.attributes["axes"]
    if [before[axis] for axis in axes] == list(range(len(axes))):
        return _as_spec(made.inputs[0], node.outputs[0])
    return None


def _in_range(graph: Graph, node: Node) -> Value | None:
    """Positions that an op found in an axis, of another tensor whose axis is as long."""
    positions, x = node.inputs
    made = positions.node
    if made is None or made.op.name not in ("nonzero_flat", "argsort"):
        return None
    source, target = made.inputs[0].spec, x.spec
    assert isinstance(source, Spec) and isinstance(target, Spec)
    axis = made.attributes.get("axis", 0)
    if made.op.name == "nonzero_flat" and source.ndim != 1:
        return None
    same = source.shape[axis] == target.shape[node.attributes["axis"]]
    return _as_spec(positions, node.outputs[0]) if same else None


def _sum_of_permuted(graph: Graph, node: Node) -> Value | None:
    """A sum of an array with other axes is one of the array: so NumPy adds, too, in the order in
    which the elements lie. The node is changed where it stands."""
    made, spec = node.inputs[0].node, node.inputs[0].spec
    if made is None or made.op.name != "permute_dims" or node.attributes.get("keepdims"):
        return None
    assert isinstance(spec, Spec)
    before = [int(axis) for axis in made.attributes["axes"]]
    gone = normalized_axes(node.attributes.get("axis"), spec.ndim)
    left = [before[axis] for axis in range(spec.ndim) if axis not in gone]
    if left == sorted(left):
        node.inputs[0] = made.inputs[0]
        node.attributes["axis"] = tuple(sorted(before[axis] for axis in gone))
    return None


RULES: dict[str, Rule] = {
    "checked_indices": _in_range,
    **dict.fromkeys(("copy", "positive", "astype", "stop_gradient"), _if_same_kind),
    **dict.fromkeys(
        (
            "reshape_like",
            "broadcast_like",
            "stretch",
            "squeeze",
            "py_pos",
            "py_float",
            "py_int",
            "py_bool",
        ),
        _if_same,
    ),
    **dict.fromkeys(("reshape", "broadcast_to"), _if_it_fits),
    "logical_and": _logical(absorbing=False),
    "logical_or": _logical(absorbing=True),
    "where": _where,
    "equal": _equal,
    "multiply": _times_one,
    "py_mul": _times_one,
    "divide": _divided_by_one,
    "to_number": _there_and_back("to_tensor"),
    "to_tensor": _there_and_back("to_number"),
    "permute_dims": _twice_permuted,
    "sum": _sum_of_permuted,
}
