"""Remove what nobody uses: nodes without effects, results, operands, and what loops carry along.

Of an elementwise node whose operands may turn out not to fit together, the test of that is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from autograph.runtime.control.effects import node_effect
from autograph.runtime.core.record import Effect, Elementwise
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.stretch import FIRST, STRETCH, differing
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
        if needed.intersection(node.outputs) or node_effect(node) is not Effect.PURE:
            left = [node]
        elif _has_tests_inside(node):
            left = [node]
        else:
            left = _tests_of(node, graph)
        for one in left:
            needed.update(one.inputs)
        kept += left
    kept.reverse()
    changed = kept != graph.nodes
    graph.nodes = kept
    return changed


def _pairs(node: Node) -> Iterator[tuple[Value, Value, tuple[int, ...]]]:
    """The operands of an elementwise node that may not fit together, and along which axes."""
    if not isinstance(node.op.lowering, Elementwise):
        return
    for first, like in combinations(node.inputs, 2):
        if isinstance(first.spec, Spec) and isinstance(like.spec, Spec):
            one, other = first.spec.shape, like.spec.shape
            axes = tuple(axis for axis in differing(one, other) if other[axis] != 1)
            if axes:
                yield first, like, axes


def _tests_of(node: Node, graph: Graph) -> list[Node]:
    """What is left of a node that nobody uses: that its operands fit together.

    The error of three operands names all their shapes: such a node stays whole.
    """
    found: list[Node] = []
    if len(node.inputs) > 2 and next(_pairs(node), None) is not None:
        return [node]
    for first, like, axes in _pairs(node):
        attributes = {"axes": axes, "role": FIRST, "mutual": False}
        made = Node(STRETCH, (first, like), attributes, node.location)
        assert isinstance(first.spec, Spec) and isinstance(like.spec, Spec)
        made.outputs = [Value(STRETCH.infer(first.spec, like.spec, **attributes), graph, made)]
        found.append(made)
    return found


def _has_tests_inside(node: Node) -> bool:
    return node.holds_graphs and any(map(_holds_tests, node.graphs))


def _holds_tests(graph: Graph) -> bool:
    """Whether tests would be left of some node of a graph, or of one in it."""
    return any(
        next(_pairs(node), None) is not None or _has_tests_inside(node) for node in graph.nodes
    )


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
        unused = not needed.intersection(node.outputs) and node_effect(node) is Effect.PURE
        if unused and next(_pairs(node), None) is None and not _has_tests_inside(node):
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
