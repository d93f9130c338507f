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


def run(graph: Graph) -> bool:
    """Remove dead code in every graph."""
    cleaning = _Cleaning()
    cleaning.clean(graph)
    return cleaning.changed


class _Cleaning:
    """One way through a graph from its results back, and through those of its nodes where it meets
    them: what a branch does not need is gone before the operands of the node are asked for."""

    def __init__(self) -> None:
        self.changed = False
        self.seen: set[int] = set()

    def clean(self, graph: Graph) -> set[Value]:
        """Remove what nobody uses of a graph; what is used."""
        needed = set(graph.outputs)
        kept: list[Node] = []
        for node in reversed(graph.nodes):
            left = [node]
            unused = needed.isdisjoint(node.outputs) and node_effect(node) is Effect.PURE
            if unused and not _has_tests_inside(node):
                left = _tests_of(node, graph)
                self.changed |= left != [node]
            elif node.holds_graphs:
                self._clean_inside(node, needed)
            for one in left:
                needed.update(one.inputs)
            kept += left
        kept.reverse()
        graph.nodes = kept
        return needed

    def _clean_inside(self, node: Node, needed: set[Value]) -> None:
        if node.op.name == "cond":
            self._cond(node, needed)
        elif node.op.name == "while_loop":
            self._loop(node, needed)
        else:
            for inner in node.graphs:
                if id(inner) not in self.seen:  # a function may be called at several places
                    self.seen.add(id(inner))
                    self.clean(inner)

    def _cond(self, node: Node, needed: set[Value]) -> None:
        """Drop the results that nobody uses, and the operands that no branch uses."""
        branches: tuple[Graph, ...] = node.attributes["branches"]
        wanted = [place for place, value in enumerate(node.outputs) if value in needed]
        if len(wanted) != len(node.outputs):
            self.changed = True
            node.outputs = [node.outputs[place] for place in wanted]
            for branch in branches:
                branch.outputs = [branch.outputs[place] for place in wanted]
        pairs = [(branch.inputs, self.clean(branch)) for branch in branches]
        count = len(node.inputs) - 1
        kept = [n for n in range(count) if any(inputs[n] in used for inputs, used in pairs)]
        if len(kept) != count:
            self.changed = True
            node.inputs = [node.inputs[0], *(node.inputs[place + 1] for place in kept)]
            for branch in branches:
                branch.inputs = [branch.inputs[place] for place in kept]

    def _loop(self, node: Node, needed: set[Value]) -> None:
        """Drop what a loop carries for nothing, and the invariants that its step does not use."""
        self.changed |= _trim_loop(node, needed)
        self.clean(node.attributes["step"])
        while _trim_loop(node, needed):  # a loop or a branch in the step needs less now
            self.changed = True
            self.clean(node.attributes["step"])


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
