"""What branches and loops do not change: results that are the same on every way become plain."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.control.records import is_dead
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.constant import bits_of
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.optimizer.rewriting import (
    all_graphs,
    constant_of,
    is_constant,
    make_constant,
    replace,
)
from autograph.runtime.optimizer.supposing import supposed

Replaced = dict[Value, Value]
"""Results of one graph, and what is used in their place by all nodes that come after."""


def run(graph: Graph) -> bool:
    """Simplify the conds and loops of every graph.

    Nodes are met in order, each with what those before it have replaced: one walk over a graph,
    not one for each cond in it.
    """
    changed = False
    for one in all_graphs(graph):
        replaced: Replaced = {}
        used = _used(one)
        for node in list(one.nodes):
            changed |= _renew(node.inputs, replaced)
            if node.op.name == "cond":
                replaced |= _same_results(one, node, used)
                changed |= _known_inside(node)
            elif node.op.name == "while_loop":
                changed |= _unchanged(node, replaced)
                changed |= _constant_operands(node)
                changed |= _always_constant(node, replaced)
        changed |= _renew(one.outputs, replaced)
    return changed


def _renew(values: list[Value], replaced: Replaced) -> bool:
    """Put other values in the place of those that are replaced; whether there were any."""
    changed = False
    for place, value in enumerate(values):
        if value in replaced:
            while value in replaced:
                value = replaced[value]
            values[place] = value
            changed = True
    return changed


# cond ---------------------------------------------------------------------------------------------
def _same_results(graph: Graph, node: Node, used: set[Value]) -> Replaced:
    """Results for which every branch gives the same operand, or the same number."""
    branches: tuple[Graph, ...] = node.attributes["branches"]
    replaced: Replaced = {}
    inside = [{value: place for place, value in enumerate(b.inputs)} for b in branches]
    for place, value in enumerate(node.outputs):
        if value not in used:
            continue
        outputs = [(n, b.outputs[place]) for n, b in enumerate(branches)]
        outputs = [(n, one) for n, one in outputs if not is_dead(one)]
        if not outputs:
            continue
        places = {inside[n].get(one) for n, one in outputs}
        operands = {None if p is None else node.inputs[1 + p] for p in places}
        if None not in operands and len(operands) == 1:
            (operand,) = operands
            assert operand is not None
            if operand.spec == value.spec:
                replaced[value] = operand
            continue
        held = [_key(one) for _, one in outputs]
        if None not in held and len(set(held)) == 1:
            first = outputs[0][1].node
            assert first is not None
            replaced[value] = make_constant(graph, first.attributes["value"], value, node)
    return replaced


def _used(graph: Graph) -> set[Value]:
    return {*graph.outputs, *(value for node in graph.nodes for value in node.inputs)}


def _key(value: Value) -> Any:
    """A 0-d constant, as what can be compared."""
    held = constant_of(value)
    return None if held is None else (value.spec, type(held), bits_of(held))


def _known_inside(node: Node) -> bool:
    """Constant operands become constants of the branches, and so does the predicate."""
    changed = False
    for place, branch in enumerate(node.attributes["branches"]):
        replaced: Replaced = {}
        used = _used(branch)
        for inside, operand in zip(branch.inputs, node.inputs[1:], strict=True):
            if inside not in used:
                continue
            if is_constant(operand):
                assert operand.node is not None
                held = operand.node.attributes["value"]
                replaced[inside] = make_constant(branch, held, inside, None)
            elif operand is node.inputs[0] and isinstance(operand.spec, Spec):
                held = _index_value(operand.spec, place)
                replaced[inside] = make_constant(branch, held, inside, None)
        replace(branch, replaced)
        changed |= bool(replaced)
    return changed


def _index_value(spec: Spec, place: int) -> Any:
    return spec.python_type(place) if spec.python else np.array(place, spec.dtype)


# while --------------------------------------------------------------------------------------------
def _unchanged(node: Node, replaced: Replaced) -> bool:
    """What every turn leaves as it was is an invariant."""
    step: Graph = node.attributes["step"]
    count: int = node.attributes["carried"]
    same = [place for place in range(count) if step.outputs[place + 1] is step.inputs[place]]
    if not same:
        return False
    kept = [place for place in range(count) if place not in same]
    order = [*kept, *same, *range(count, len(node.inputs))]
    replaced.update((node.outputs[place], node.inputs[place]) for place in same)
    step.outputs = [step.outputs[0], *(step.outputs[place + 1] for place in kept)]
    step.inputs = [step.inputs[place] for place in order]
    node.outputs = [node.outputs[place] for place in kept]
    node.inputs = [node.inputs[place] for place in order]
    node.attributes["carried"] = len(kept)
    return True


def _constant_operands(node: Node) -> bool:
    """Invariants that are constants become constants of the step."""
    step: Graph = node.attributes["step"]
    replaced: Replaced = {}
    used = _used(step)
    for place in range(node.attributes["carried"], len(node.inputs)):
        inside, operand = step.inputs[place], node.inputs[place]
        if is_constant(operand) and inside in used:
            assert operand.node is not None
            replaced[inside] = make_constant(step, operand.node.attributes["value"], inside, None)
    replace(step, replaced)
    return bool(replaced)


def _always_constant(node: Node, replaced: Replaced) -> bool:
    """Carried numbers that begin as a constant, and that then every turn leaves at it."""
    step: Graph = node.attributes["step"]
    count: int = node.attributes["carried"]
    places = {place for place in range(count) if constant_of(node.inputs[place]) is not None}
    while places:
        known = {step.inputs[place]: _held(node.inputs[place]) for place in places}
        after = supposed(step, known)
        stays = {
            place
            for place in places
            if step.outputs[place + 1] in after
            and bits_of(after[step.outputs[place + 1]]) == bits_of(_held(node.inputs[place]))
        }
        if stays == places:
            break
        places = stays
    places = {p for p in places if step.outputs[p + 1] is not step.inputs[p]}
    for place in places:
        step.outputs[place + 1] = step.inputs[place]
    return bool(places) and _unchanged(node, replaced)


def _held(value: Value) -> Any:
    assert value.node is not None
    return value.node.attributes["value"]
