"""Which values depend on which, as far as gradients are concerned.

The dependence of a value on the inputs of its graph is a bit mask: bit i is input i. Control flow
is looked into; loops and recursive calls are followed until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import dynamic_operands

Masks = dict[Value, int]


def differentiable(spec: AnySpec) -> bool:
    """Whether a value of this spec can have a gradient: floats, and complex tensors.

    A Python float has one that was made of a tensor by a function of `math`; `float(x)` stops it.
    """
    element = spec.element if isinstance(spec, ListSpec) else spec
    return element.dtype.kind == "f" or (element.dtype.kind == "c" and not element.python)


def gradient_spec(spec: AnySpec) -> AnySpec:
    """The spec of the gradient of a value: those of Python floats are tensors."""
    if isinstance(spec, ListSpec):
        return ListSpec(Spec(spec.element.dtype)) if spec.element.python else spec
    return Spec(spec.dtype) if spec.python else spec


def own_inputs(node: Node) -> list[Value]:
    """The inputs of a node without the staged integers of its attributes."""
    dynamic = len(dynamic_operands(node.attributes))
    return node.inputs[: len(node.inputs) - dynamic] if dynamic else node.inputs


def dependence(graph: Graph) -> Masks:
    """For every value of `graph`, on which inputs it depends in a differentiable way."""
    calls: dict[Graph, list[int]] = {}
    while True:
        before = {function: list(masks) for function, masks in calls.items()}
        masks = _Pass(calls).masks(graph)
        if calls == before:
            return masks


def dependence_of_nodes(sources: Sequence[Value], nodes: Sequence[Node]) -> Masks:
    """For the values that `nodes` compute from `sources`, on which of those they depend.

    Everything else they use counts as constant.
    """
    calls: dict[Graph, list[int]] = {}
    while True:
        before = {function: list(masks) for function, masks in calls.items()}
        masks: Masks = {value: 1 << position for position, value in enumerate(sources)}
        _Pass(calls).follow(nodes, masks)
        if calls == before:
            return masks


def combined(mask: int, columns: Sequence[int]) -> int:
    """The union of the columns whose bits are set in `mask`."""
    result = 0
    for position, column in enumerate(columns):
        if mask >> position & 1:
            result |= column
    return result


def loop_closure(outputs: Sequence[int], carried: int) -> list[int]:
    """The dependence of a loop's state on its operands over any number of turns.

    `outputs` is the dependence of the state after one turn on the inputs of the step.
    """
    reach = list(outputs)
    changed = True
    while changed:
        changed = False
        for j, mask in enumerate(reach):
            wider = mask
            for k in range(carried):
                if mask >> k & 1:
                    wider |= outputs[k]
            changed = changed or wider != mask
            reach[j] = wider
    return reach


class _Pass:
    """One pass over a graph and what it holds, given what is known of the called functions."""

    def __init__(self, calls: dict[Graph, list[int]]) -> None:
        self.calls = calls
        self.entered: set[Graph] = set()

    def masks(self, graph: Graph) -> Masks:
        masks: Masks = {}
        for position, value in enumerate(graph.inputs):
            masks[value] = 1 << position if differentiable(value.spec) else 0
        self.follow(graph.nodes, masks)
        return masks

    def follow(self, nodes: Sequence[Node], masks: Masks) -> None:
        """Add what `nodes` compute to `masks`; what they use and is not there is constant.

        A value that is there already keeps its own bit: it is a source, on the way to others too.
        """
        for node in nodes:
            columns = [masks.get(value, 0) for value in node.inputs]
            inner = _INSIDE.get(node.op.name, _Pass.ordinary)(self, node)
            for value, mask in zip(node.outputs, inner, strict=True):
                if differentiable(value.spec):
                    masks[value] = masks.get(value, 0) | combined(mask, columns)
                else:
                    masks[value] = 0

    def outputs(self, graph: Graph) -> list[int]:
        masks = self.masks(graph)
        return [masks[value] for value in graph.outputs]

    def ordinary(self, node: Node) -> list[int]:
        rules = node.op.gradient
        count = len(own_inputs(node))
        if not rules:
            mask = 0
        elif node.op.variadic:
            mask = (1 << count) - 1
        else:
            mask = sum(1 << i for i, rule in enumerate(rules) if rule is not None)
        return [mask] * len(node.outputs)

    def cond(self, node: Node) -> list[int]:
        union = [0] * len(node.outputs)
        for branch in node.attributes["branches"]:
            union = [one | other for one, other in zip(union, self.outputs(branch), strict=True)]
        return [mask << 1 for mask in union]

    def while_loop(self, node: Node) -> list[int]:
        return loop_closure(self.outputs(node.attributes["step"])[1:], node.attributes["carried"])

    def custom_gradient(self, node: Node) -> list[int]:
        """Nothing but the values that the user's function gives gradients of."""
        count = len(node.attributes["backward"].outputs)
        mask = ((1 << count) - 1) << node.attributes["results"]
        return [mask] * len(node.outputs)

    def host_call(self, node: Node) -> list[int]:
        """Everything may depend on everything."""
        return [(1 << len(node.inputs)) - 1] * len(node.outputs)

    def recompute(self, node: Node) -> list[int]:
        return self.outputs(node.attributes["function"])

    def call(self, node: Node) -> list[int]:
        function: Graph = node.attributes["function"]
        self.calls.setdefault(function, [0] * len(node.outputs))
        if function not in self.entered:
            self.entered.add(function)
            if function.outputs:
                self.calls[function] = self.outputs(function)
        return self.calls[function]


_INSIDE: dict[str, Callable[[_Pass, Node], list[int]]] = {
    "cond": _Pass.cond,
    "while_loop": _Pass.while_loop,
    "call": _Pass.call,
    "custom_gradient": _Pass.custom_gradient,
    "host_call": _Pass.host_call,
    "recompute": _Pass.recompute,
}
