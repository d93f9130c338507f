"""Lists that carry saved values from every turn of a loop or call to the turn that reverses it.

The forward node gets one more list as operand and result. On the way to the graph of the saved
value the list is threaded through every loop, branch and call, in program order; there the value is
pushed, last of all. The backward node gets the list that came out, pops, first of all, and threads
the list on in its own order, which is the reverse: so each turn finds what its twin pushed.
"""

from __future__ import annotations

from collections.abc import Callable

from autograph.runtime.autodiff.control.region import Save
from autograph.runtime.autodiff.saving.saved_values import put_in
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import RECORDS

Inside = Callable[[Graph, Value], Value]


def thread(save: Save, forward: Node, backward: Node, trace: Trace) -> None:
    """Put `save.value` on a list that `forward` pushes and `backward` pops.

    `backward` is a node of `trace`, `forward` one of the same graph or of an enclosing one.
    """
    value, placeholder = save.value, save.placeholder
    key = (forward, value)
    filled = value.graph.saved.get(key)
    if filled is None:
        filled = value.graph.saved[key] = _Thread(value.graph, _pushing(value)).through(
            forward, _empty_list(forward, value.spec)
        )
    _Thread(placeholder.graph, _popping(placeholder)).through(backward, trace.lift(filled))


def _empty_list(before: Node, element: AnySpec) -> Value:
    assert isinstance(element, Spec)
    graph = before.outputs[0].graph
    node = Node(RECORDS["list_create"], (), {"element": element}, before.location)
    node.outputs = [Value(ListSpec(element), graph, node)]
    graph.nodes.insert(graph.nodes.index(before), node)
    return node.outputs[0]


def _pushing(value: Value) -> tuple[Inside, Inside]:
    def push(graph: Graph, items: Value) -> Value:
        return graph.add_node(RECORDS["list_push"], (items, value), {}, (items.spec,)).outputs[0]

    return _unchanged, push


def _popping(placeholder: Value) -> tuple[Inside, Inside]:
    def pop(graph: Graph, items: Value) -> Value:
        node = Node(RECORDS["list_pop"], (items,), {})
        node.outputs = [Value(spec, graph, node) for spec in (items.spec, placeholder.spec)]
        graph.nodes.insert(0, node)
        put_in(graph, {placeholder: node.outputs[1]})
        return node.outputs[0]

    return pop, _unchanged


def _unchanged(graph: Graph, items: Value) -> Value:
    return items


class _Thread:
    """Takes one list through nodes, down to the graph `target` and up again."""

    def __init__(self, target: Graph, ends: tuple[Inside, Inside]) -> None:
        self.target = target
        self.first, self.last = ends
        self.functions: set[Graph] = set()

    def through(self, node: Node, items: Value) -> Value:
        """Give `node` the list as one more operand; gives its one more result."""
        name = node.op.name
        if name == "while_loop":
            step, carried = node.attributes["step"], node.attributes["carried"]
            inner = Value(items.spec, step, None)
            step.inputs.insert(carried, inner)
            after = self.inside(step, inner)
            step.outputs.append(after)
            node.inputs.insert(carried, items)
            node.attributes["carried"] = carried + 1
        else:
            node.inputs.append(items)
            for graph in dict.fromkeys(node.graphs):
                self.extend(graph, items.spec)
            node.attributes.pop("results", None)
        result = Value(items.spec, items.graph, node)
        node.outputs.append(result)
        return result

    def extend(self, graph: Graph, spec: AnySpec) -> None:
        """Give a branch, or a function once for all its calls, the list as input and output."""
        if graph in self.functions:
            return
        self.functions.add(graph)
        after = self.inside(graph, graph.add_input(spec))
        graph.outputs.append(after)

    def inside(self, graph: Graph, items: Value) -> Value:
        """The list after all that `graph` does to it."""
        if graph is self.target:
            items = self.first(graph, items)
        for node in list(graph.nodes):
            if any(reaches(inner, self.target) for inner in node.graphs):
                items = self.through(node, items)
        return self.last(graph, items) if graph is self.target else items


def reaches(graph: Graph, target: Graph, seen: set[Graph] | None = None) -> bool:
    """Whether `target` is `graph`, or a graph that it can run."""
    if graph is target:
        return True
    seen = set() if seen is None else seen
    if graph in seen:
        return False
    seen.add(graph)
    return any(reaches(inner, target, seen) for node in graph.nodes for inner in node.graphs)
