"""Remove what nobody uses: nodes without effects, results, operands, and what loops carry along."""

from __future__ import annotations

from autograph.runtime.control.effects import node_effect
from autograph.runtime.core.record import Effect
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.optimizer.rewriting import all_graphs


def run(graph: Graph) -> bool:
    """Remove dead code in every graph."""
    changed = False
    # What a branch in a branch needs no more is seen by the outer ones one round later.
    while _round(graph):
        changed = True
    return changed


def _round(graph: Graph) -> bool:
    """Outer graphs first."""
    changed = False
    for one in reversed(all_graphs(graph)):
        changed |= _sweep(one)
        used = _used(one)
        for node in one.nodes:
            if node.op.name == "cond":
                changed |= _trim_cond(node, used)
            elif node.op.name == "while_loop":
                changed |= _trim_loop(node, used)
    for one in all_graphs(graph):
        changed |= _sweep(one)
    return changed


def _sweep(graph: Graph) -> bool:
    """Remove nodes of one graph that nothing needs."""
    needed = set(graph.outputs)
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if not needed.intersection(node.outputs) and node_effect(node) is Effect.PURE:
            continue
        needed.update(node.inputs)
        kept.append(node)
    changed = len(kept) != len(graph.nodes)
    graph.nodes = kept[::-1]
    return changed


def _used(graph: Graph) -> set[Value]:
    used = set(graph.outputs)
    for node in graph.nodes:
        used.update(node.inputs)
    return used


def _trim_cond(node: Node, used: set[Value]) -> bool:
    """Drop the results that nobody uses, and the operands that no branch uses."""
    branches: tuple[Graph, ...] = node.attributes["branches"]
    wanted = [place for place, value in enumerate(node.outputs) if value in used]
    changed = len(wanted) != len(node.outputs)
    if changed:
        node.outputs = [node.outputs[place] for place in wanted]
        for branch in branches:
            branch.outputs = [branch.outputs[place] for place in wanted]
            _sweep(branch)
    inside = [_used(branch) for branch in branches]
    kept = [
        place
        for place in range(len(node.inputs) - 1)
        if any(b.inputs[place] in inner for b, inner in zip(branches, inside, strict=True))
    ]
    if len(kept) != len(node.inputs) - 1:
        changed = True
        node.inputs = [node.inputs[0], *(node.inputs[place + 1] for place in kept)]
        for branch in branches:
            branch.inputs = [branch.inputs[place] for place in kept]
    return changed


def _trim_loop(node: Node, used: set[Value]) -> bool:
    """Drop what a loop carries for nothing, and the invariants that its step does not use."""
    step: Graph = node.attributes["step"]
    count: int = node.attributes["carried"]
    live = {place for place in range(count) if node.outputs[place] in used}
    while True:
        needed = _needed(step, {0, *(place + 1 for place in live)})
        more = {place for place in range(count) if step.inputs[place] in needed} | live
        if more == live:
            break
        live = more
    carried = sorted(live)
    invariants = [place for place in range(count, len(node.inputs)) if step.inputs[place] in needed]
    if len(carried) == count and len(invariants) == len(node.inputs) - count:
        return False
    places = carried + invariants
    step.outputs = [step.outputs[0], *(step.outputs[place + 1] for place in carried)]
    _sweep(step)
    node.outputs = [node.outputs[place] for place in carried]
    node.inputs = [node.inputs[place] for place in places]
    step.inputs = [step.inputs[place] for place in places]
    node.attributes["carried"] = len(carried)
    return True


def _needed(graph: Graph, places: set[int]) -> set[Value]:
    """What a graph needs for its effects and for some of its outputs."""
    needed = {graph.outputs[place] for place in places}
    for node in reversed(graph.nodes):
        if not needed.intersection(node.outputs) and node_effect(node) is Effect.PURE:
            continue
        if node.op.name == "cond":
            needed |= _needed_by_cond(node, needed)
        else:
            needed.update(node.inputs)
    return needed


def _needed_by_cond(node: Node, needed: set[Value]) -> set[Value]:
    """The operands that the branches need for those of their results that are needed."""
    places = {place for place, value in enumerate(node.outputs) if value in needed}
    found = {node.inputs[0]}
    for branch in node.attributes["branches"]:
        inside = _needed(branch, places)
        for inner, operand in zip(branch.inputs, node.inputs[1:], strict=True):
            if inner in inside:
                found.add(operand)
    return found
