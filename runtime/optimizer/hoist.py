"""Compute once before a loop what every turn would compute the same."""

from __future__ import annotations

from autograph.runtime.control.effects import node_effect
from autograph.runtime.core.record import Effect
from autograph.runtime.core.spec import ListSpec
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.optimizer.rewriting import all_graphs


def run(graph: Graph) -> bool:
    """Move invariant nodes out of every loop, inner loops first."""
    changed = False
    for one in all_graphs(graph):
        for node in list(one.nodes):
            if node.op.name == "while_loop":
                changed |= _hoist(one, node)
    return changed


def _hoist(graph: Graph, loop: Node) -> bool:
    """Move nodes of the step, and of the branches of its conds, before the loop."""
    step: Graph = loop.attributes["step"]
    count: int = loop.attributes["carried"]
    outside = dict(zip(step.inputs[count:], loop.inputs[count:], strict=True))
    moved = False
    for node in list(step.nodes):
        if node.op.name == "cond":
            moved |= _lift_from_branches(step, node, outside)
    for node in list(step.nodes):
        if not _is_movable(node) or not all(value in outside for value in node.inputs):
            continue
        made = Node(
            node.op, [outside[value] for value in node.inputs], node.attributes, node.location
        )
        made.outputs = [Value(value.spec, graph, made, value.name) for value in node.outputs]
        graph.nodes.insert(graph.nodes.index(loop), made)
        step.nodes.remove(node)
        for old, new in zip(node.outputs, made.outputs, strict=True):
            # the old value becomes an input of the step
            old.node = None
            step.inputs.append(old)
            loop.inputs.append(new)
            outside[old] = new
        moved = True
    return moved


def _is_movable(node: Node) -> bool:
    """Pure, not free (a constant), and not a list, which a loop wants for itself."""
    return (
        node_effect(node) is Effect.PURE
        and node.op is not CONSTANT
        and bool(node.inputs)
        and not any(True for _ in node.graphs)
        and not any(isinstance(value.spec, ListSpec) for value in node.outputs)
    )


def _lift_from_branches(step: Graph, cond: Node, outside: dict[Value, Value]) -> bool:
    """Move invariant nodes of the branches into the step, from where they can go on."""
    moved = False
    for branch in cond.attributes["branches"]:
        operands = dict(zip(branch.inputs, cond.inputs[1:], strict=True))
        for node in list(branch.nodes):
            known = all(operands.get(value) in outside for value in node.inputs)
            if not _is_movable(node) or not known:
                continue
            made = Node(
                node.op,
                [operands[value] for value in node.inputs],
                node.attributes,
                node.location,
            )
            made.outputs = [Value(value.spec, step, made, value.name) for value in node.outputs]
            step.nodes.insert(step.nodes.index(cond), made)
            branch.nodes.remove(node)
            for old, new in zip(node.outputs, made.outputs, strict=True):
                _pass_in(cond, branch, old, new)
                operands[old] = new
            moved = True
    return moved


def _pass_in(cond: Node, branch: Graph, old: Value, new: Value) -> None:
    """Make a value of one branch an operand of the cond; the other branches do not use it."""
    cond.inputs.append(new)
    for other in cond.attributes["branches"]:
        if other is branch:
            old.node = None
            other.inputs.append(old)
        else:
            other.add_input(new.spec, new.name)
