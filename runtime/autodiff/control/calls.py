"""Gradients of calls, recursive ones included: a backward function that calls itself.

Every call of the forward function has its twin, in reverse order, and the lists that the forward
calls push on pass through the backward calls. Parameters that every recursive call hands on
unchanged (the weights of a recursive net) are operands of the backward function and not saved;
their gradients are summed in values that the backward calls hand on as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from autograph.runtime.autodiff.backward.accumulate import Gradients, zeros_of
from autograph.runtime.autodiff.backward.activity import dependence, differentiable, gradient_spec
from autograph.runtime.autodiff.backward.backward_pass import CONTROL_RULES, Varied, sweep
from autograph.runtime.autodiff.backward.selections import Mask, all_of, none_of, whole
from autograph.runtime.autodiff.control.branches import (
    Backwards,
    current_trace,
    emit,
    forced_in,
    mask_spec,
    result_of,
    session_of,
)
from autograph.runtime.autodiff.control.region import Region, Session
from autograph.runtime.control.records import CALL
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
from autograph.runtime.graph.clone import clone
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.ops.table import OPS


class UnfinishedGradientError(RuntimeError):
    """A gradient through a recursive call, asked for inside the function that is being traced.

    Take the gradient outside the recursive function.
    """


@dataclass(slots=True)
class Derived:
    """A function, and its backward function while it is being made.

    The backward function takes the `handed_on` parameters, the gradients of the `arriving` outputs
    and the gradients so far of those `wanted` parameters that are handed on; it gives the gradients
    of the `wanted` parameters. If it is `masked` it takes and gives a mask for each of them, after
    these.
    """

    function: Graph
    arriving: list[int]
    wanted: list[int]
    handed_on: list[int]
    masked: bool
    backward: Graph = field(default_factory=lambda: Graph("backward"))
    made: bool = False

    @property
    def summed(self) -> list[int]:
        """The wanted parameters whose gradients so far are operands."""
        return [k for k in self.wanted if k in self.handed_on]


def call_gradient(node: Node, gradients: Gradients, varied: Varied) -> None:
    """Call the backward function."""
    trace = current_trace()
    outer_session = session_of(trace)
    session = outer_session or Session()
    derived = session.functions.get(node.attributes["function"])
    if derived is None:
        derived = _derive(node, gradients, varied, session)
        if derived is None:
            return
    if not derived.made:
        derived.made = True
        _make_backward(derived, session)
    operands = list(node.inputs)
    begun = [k for k in derived.summed if _first(operands, k, derived.summed)]
    incoming = [(node.outputs[j], True) for j in derived.arriving]
    incoming += [(operands[k], k in begun) for k in derived.summed]
    pairs = [_arriving(gradients, value, has) for value, has in incoming]
    given = [trace.value_of(operands[k]) for k in derived.handed_on]
    given += [trace.value_of(gradient) for gradient, _ in pairs]
    specs: list[AnySpec] = [gradient_spec(operands[k].spec) for k in derived.wanted]
    if derived.masked:
        given += [trace.value_of(mask()) for _, mask in pairs]
        specs += [mask_spec(operands[k]) for k in derived.wanted]
    attributes = {"function": derived.backward}
    complete = None if outer_session is not None else session
    results = emit(trace, CALL, given, attributes, specs, node, complete)
    found_by = dict(zip(derived.wanted, results, strict=False))
    masks = dict(zip(derived.wanted, map(Mask.known, results[len(derived.wanted) :]), strict=False))
    for k in begun:
        if varied(operands[k]):
            gradients.put(operands[k], found_by[k], mask=masks.get(k))
    for k in derived.wanted:
        if k not in begun and varied(operands[k]):
            used = None
            if k in masks and isinstance(operands[k].spec, Spec):
                used = OPS.any(masks[k].value)
            gradients.add(operands[k], found_by[k], used, clean=False, mask=masks.get(k))


def _arriving(gradients: Gradients, value: Value, has: bool) -> tuple[Any, Callable[[], Any]]:
    """A gradient that a backward call is given, zeros where there is none, and how to its mask."""
    found = gradients.get(value) if has else None
    if found is None:
        zeros = zeros_of(value)
        return zeros, lambda: none_of(zeros)
    mask = gradients.connected(value)
    return found, lambda: all_of(found) if mask is None else whole(mask.value, found)


def _first(operands: list[Value], k: int, positions: list[int]) -> bool:
    return all(operands[other] is not operands[k] for other in positions if other < k)


def _derive(node: Node, gradients: Gradients, varied: Varied, session: Session) -> Derived | None:
    """What the backward functions of all that `node` calls take and give."""
    function: Graph = node.attributes["function"]
    if not function.outputs:
        raise UnfinishedGradientError(
            f"the gradient of a recursive call of {function.name} is asked for inside it"
        )
    if "derived" not in function.saved:
        copies: dict[Graph, Graph] = {}
        function = node.attributes["function"] = clone(function, copies)
        node.attributes.pop("results", None)
        for copy in copies.values():
            copy.saved["derived"] = True
    calls = _Calls()
    calls.varied[function] = [differentiable(value.spec) and varied(value) for value in node.inputs]
    calls.settle(function)
    steepness = gradients.steepness
    masked = steepness.inside(function) or any(map(steepness.of, node.inputs))
    for called, flags in calls.varied.items():
        if called in session.functions or not any(flags):
            continue
        masks = dependence(called)
        source = sum(1 << k for k, one in enumerate(flags) if one)
        reached = [masks[value] & source for value in called.outputs]
        union = 0
        for mask in reached:
            union |= mask
        wanted = [k for k in range(len(flags)) if union >> k & 1]
        if wanted:
            session.functions[called] = Derived(
                called,
                [j for j, mask in enumerate(reached) if mask],
                wanted,
                calls.handed_on(called),
                masked,
            )
    found: Derived | None = session.functions.get(function)
    return found


def _make_backward(derived: Derived, session: Session) -> None:
    function = derived.function
    inputs, outputs = list(function.inputs), list(function.outputs)
    region = Region("backward", None, function, {}, session)
    region.graph = derived.backward
    region.graph.name = f"{function.name}_backward"
    region.is_steep = derived.masked
    masks = dependence(function)
    mask = sum(1 << k for k in derived.wanted)
    inner = Gradients()
    with region.active():
        for k in derived.handed_on:
            region.given[inputs[k]] = region.graph.add_input(inputs[k].spec, inputs[k].name)
        values = [*(outputs[j] for j in derived.arriving), *(inputs[k] for k in derived.summed)]
        given = [region.add_input(gradient_spec(value.spec)) for value in values]
        masks_in: list[Mask | None] = [None] * len(values)
        if derived.masked:
            masks_in = [Mask.known(region.add_input(mask_spec(value))) for value in values]
        for value, gradient, own in zip(values, given, masks_in, strict=True):
            inner.add(value, gradient, mask=own)
        sweep(
            list(function.nodes),
            inner,
            lambda value: bool(masks[value] & mask),
            forced_in(session),
        )
        region.graph.outputs = [result_of(region, inner, inputs[k]) for k in derived.wanted]
    backwards = Backwards(region, inner, [inputs[k] for k in derived.wanted])
    if derived.masked:
        for number in range(len(derived.wanted)):
            backwards.hand_out_mask(number)
    region.finish()


class _Calls:
    """Looks at all calls that a function can lead to: what varies, and what is handed on."""

    def __init__(self) -> None:
        self.varied: dict[Graph, list[bool]] = {}
        self.changed: dict[Graph, set[int]] = {}
        """Parameters that some call inside does not simply hand on."""
        self.read: dict[Graph, set[int]] = {}
        """Lists of which something other than the end is looked at."""

    def handed_on(self, function: Graph) -> list[int]:
        """The parameters that a backward function takes: all that every call inside hands on.

        Not the lists that only grow and shrink: their gradients need nothing of them.
        """
        changed, read = self.changed.get(function, set()), self.read.get(function, set())
        return [
            k
            for k, value in enumerate(function.inputs)
            if k not in changed and (k in read or not isinstance(value.spec, ListSpec))
        ]

    def settle(self, function: Graph) -> None:
        """Look until nothing new is found."""
        before: object = None
        while before != (state := self._state()):
            before = state
            for called in list(self.varied):
                self._enter(called)

    def _state(self) -> object:
        return (
            {graph: list(flags) for graph, flags in self.varied.items()},
            {graph: set(places) for graph, places in self.changed.items()},
            {graph: set(places) for graph, places in self.read.items()},
        )

    def _enter(self, function: Graph) -> None:
        flags = self.varied[function]
        masks = dependence(function)
        source = sum(1 << k for k, one in enumerate(flags) if one)
        varied = {value: bool(mask & source) for value, mask in masks.items()}
        origin: dict[Value, int | None] = {value: k for k, value in enumerate(function.inputs)}
        self._walk(function, function, varied, origin)

    def _walk(
        self,
        function: Graph,
        graph: Graph,
        varied: dict[Value, bool],
        origin: dict[Value, int | None],
    ) -> None:
        """Visit the calls in `graph`, which `function` runs.

        `origin` tells which values are parameters of `function`, under whatever name.
        """
        for node in graph.nodes:
            if node.op is CALL:
                self._meet(function, node, varied, origin)
                continue
            if node.op.name not in _AT_THE_END and not any(node.graphs):
                places = (origin.get(value) for value in node.inputs)
                self.read.setdefault(function, set()).update(k for k in places if k is not None)
            for inner in node.graphs:
                looped = node.attributes.get("carried", 0)
                outside = node.inputs if "step" in node.attributes else node.inputs[1:]
                self._walk(
                    function,
                    inner,
                    self._inside(inner, outside, varied, looped),
                    {
                        value: origin.get(one)
                        for value, one in list(zip(inner.inputs, outside, strict=False))[looped:]
                    },
                )

    def _inside(
        self, graph: Graph, outside: list[Value], varied: dict[Value, bool], looped: int
    ) -> dict[Value, bool]:
        masks = dependence(graph)
        source = sum(1 << k for k, one in enumerate(outside) if varied[one])
        while looped:
            state = graph.outputs[1 : looped + 1]
            wider = source | sum(1 << k for k, value in enumerate(state) if masks[value] & source)
            if wider == source:
                break
            source = wider
        return {value: bool(mask & source) for value, mask in masks.items()}

    def _meet(
        self,
        function: Graph,
        node: Node,
        varied: dict[Value, bool],
        origin: dict[Value, int | None],
    ) -> None:
        called: Graph = node.attributes["function"]
        flags = self.varied.setdefault(called, [False] * len(called.inputs))
        changed = self.changed.setdefault(called, set())
        recursive = _can_call(called, function, set())
        for k, value in enumerate(node.inputs):
            flags[k] = flags[k] or (varied[value] and differentiable(value.spec))
            parameter = origin.get(value)
            if parameter is not None and k in self.read.get(called, ()):
                self.read.setdefault(function, set()).add(parameter)
            if recursive:
                if parameter is None or parameter in self.changed.get(function, ()):
                    changed.add(k)


_AT_THE_END = frozenset({"list_push", "list_pop", "list_length"})


def _can_call(function: Graph, target: Graph, seen: set[Graph]) -> bool:
    if function is target:
        return True
    seen.add(function)
    return any(
        _can_call(inner, target, seen)
        for node in function.nodes
        for inner in node.graphs
        if inner not in seen
    )


CONTROL_RULES.update(call=call_gradient)
