"""Gradients of while_loop: the same turns in reverse order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from autograph.runtime.autodiff.backward.accumulate import Gradients, zeros_of
from autograph.runtime.autodiff.backward.activity import (
    combined,
    dependence,
    differentiable,
    gradient_spec,
    loop_closure,
)
from autograph.runtime.autodiff.backward.backward_pass import CONTROL_RULES, FLAGGED, Varied, sweep
from autograph.runtime.autodiff.backward.selections import Mask, all_of, none_of, whole
from autograph.runtime.autodiff.control.branches import (
    FLAG,
    Backwards,
    current_trace,
    emit,
    first_of,
    forced_in,
    mask_spec,
    result_of,
    session_of,
)
from autograph.runtime.autodiff.control.region import Region, Session, appending
from autograph.runtime.control.records import CALL, WHILE_LOOP
from autograph.runtime.core.spec import PYINT
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import wrap
from autograph.runtime.ops.table import OPS


def while_gradient(node: Node, gradients: Gradients, varied: Varied) -> None:
    """Run the turns backwards: what was carried forwards has its gradient carried backwards."""
    trace = current_trace()
    outer_session = session_of(trace)
    session = outer_session or Session()
    turns = trace.lift(_counted_turns(node))
    state, constant = _loop_activity(node, gradients, varied, forced_in(outer_session)(node))
    step: Graph = node.attributes["step"]
    carried = node.attributes["carried"]
    first = list(node.inputs)
    sources: list[Value | None] = [node.outputs[j] for j in state]
    sources += [first[k] if first_of(first, k, constant) else None for k in constant]
    values = [*(node.outputs[j] for j in state), *(first[k] for k in constant)]
    begun = [None if one is None else gradients.get(one) for one in sources]
    flags = [None if one is None else gradients.flag(one) for one in sources]
    operands = dict(zip(step.inputs[carried:], node.inputs[carried:], strict=True))
    uncertain = _uncertain_at_first(begun, flags, values)
    arriving = [None if one is None else gradients.mask(one) for one in sources]
    masks = CarriedMasks(values, len(state), begun, arriving)
    while True:
        before = len(session.saves)
        region = Region(f"{step.name}_backward", trace, step, operands, session, node)
        backwards = _reverse_step(region, step, state, constant, uncertain, masks.carried, session)
        more = {n for n in range(len(values)) if backwards.flag(n) is not None}
        settled = masks.settles(backwards)
        if uncertain.issuperset(more) and settled:
            break
        uncertain.update(more)
        dropped = set(_sub_graphs(region.graph))
        session.saves[before:] = [
            one for one in session.saves[before:] if one.placeholder.graph not in dropped
        ]
    region.finish()
    flagged = sorted(uncertain)
    given = [_begin(one, value) for one, value in zip(begun, values, strict=True)]
    for number in flagged:
        flag = flags[number]
        given.append(OPS.asarray(begun[number] is not None) if flag is None else flag)
    given += [masks.first(number, given[number]) for number in masks.carried]
    outer = [turns, *map(trace.value_of, given), *map(trace.lift, region.captures)]
    own = region.graph.inputs[: 1 + len(given)]
    region.graph.inputs = [*own, *region.captures.values()]
    specs = [
        PYINT,
        *(gradient_spec(first[k].spec) for k in (*state, *constant)),
        *(FLAG for _ in flagged),
    ]
    specs += [mask_spec(first[(*state, *constant)[number]]) for number in masks.carried]
    attributes = {"step": region.graph, "carried": 1 + len(given)}
    complete = None if outer_session is not None else session
    _, *results = emit(trace, WHILE_LOOP, outer, attributes, specs, node, complete)
    rest = iter(results[len(values) :])
    known = {number: next(rest) for number in flagged}
    taken = {number: Mask.known(next(rest)) for number in masks.carried}
    for number, k in enumerate(constant, start=len(state)):
        if backwards.inputs[number] in backwards.gradients.unmasked:
            gradients.unmasked.add(first[k])
        if first_of(first, k, constant):
            gradients.put(first[k], results[number], known.get(number), taken.get(number))
        else:
            gradients.add(first[k], results[number], known.get(number), mask=taken.get(number))
    for number, j in enumerate(state):
        if varied(first[j]):
            gradients.add(first[j], results[number], known.get(number), mask=taken.get(number))


class CarriedMasks:
    """Which gradients that a backward loop carries have a mask beside them.

    One has it if every turn leaves it one. Those of invariants are added up, and must begin with
    one, too, or with no gradient at all.
    """

    def __init__(
        self,
        values: Sequence[Value],
        states: int,
        begun: Sequence[Any],
        masks: Sequence[Mask | None],
    ) -> None:
        self._masks, self._begun = masks, begun
        self._open = {
            number
            for number, value in enumerate(values)
            if number < states or begun[number] is None or masks[number] is not None
        }
        self.carried = [number for number in sorted(self._open) if masks[number] is not None]

    def settles(self, backwards: Backwards) -> bool:
        """Whether a turn, traced backwards, leaves masks where it was given some; looks for others
        that it makes."""
        gradients, values = backwards.gradients, backwards.inputs
        made, lost = set(), set()
        for number in self._open:
            value = values[number]
            has = gradients.mask(value) is not None
            if number in self.carried:
                if not has and gradients.raw(value) is not None:
                    lost.add(number)
            elif has or value in gradients.unmasked:
                made.add(number)
        self._open -= lost
        before = self.carried
        self.carried = sorted({*before, *made} - lost)
        return self.carried == before

    def first(self, number: int, gradient: Any) -> Any:
        """The mask that a gradient begins with: nothing is selected where there is none yet."""
        mask = self._masks[number]
        if mask is not None:
            return whole(mask.value, gradient)
        return none_of(gradient) if self._begun[number] is None else all_of(gradient)


def _sub_graphs(graph: Graph) -> Iterator[Graph]:
    """A graph and those in it, but for functions that it calls, which others call, too."""
    yield graph
    for node in graph.nodes:
        if node.op is not CALL:
            for inner in node.graphs:
                yield from _sub_graphs(inner)


def _uncertain_at_first(
    begun: Sequence[Any], flags: Sequence[Any], values: Sequence[Value]
) -> set[int]:
    """The carried gradients that do not connect, or may not, when the loop begins."""
    return {
        number
        for number, value in enumerate(values)
        if begun[number] is None or flags[number] is not None
    }


def _loop_activity(
    node: Node, gradients: Gradients, varied: Varied, forced: bool
) -> tuple[list[int], list[int]]:
    """Which carried values have a gradient in the backward loop, and which invariants get one."""
    step: Graph = node.attributes["step"]
    carried: int = node.attributes["carried"]
    masks = dependence(step)
    turn = [masks[value] for value in step.outputs[1:]]
    closure = loop_closure(turn, carried)
    moving = [differentiable(v.spec) and varied(v) for v in node.inputs]
    source = sum(1 << k for k, one in enumerate(moving) if one)
    varying = [bool(closure[j] & source) or moving[j] for j in range(carried)]
    arriving = sum(
        1 << j for j in range(carried) if forced or gradients.get(node.outputs[j]) is not None
    )
    reached = arriving | combined(arriving, closure)
    state = [
        j
        for j in range(carried)
        if reached >> j & 1 and varying[j] and differentiable(node.outputs[j].spec)
    ]
    used = combined(sum(1 << j for j in state), turn)
    constant = [k for k in range(carried, len(node.inputs)) if moving[k] and used >> k & 1]
    return state, constant


def _begin(gradient: Any, value: Value) -> Any:
    return zeros_of(value) if gradient is None else gradient


def _reverse_step(
    region: Region,
    step: Graph,
    state: Sequence[int],
    constant: Sequence[int],
    uncertain: Collection[int],
    masked: Sequence[int],
    session: Session,
) -> Backwards:
    """Trace a turn backwards, with the flags and masks of some of the gradients."""
    inputs, outputs = list(step.inputs), list(step.outputs[1:])
    masks = dependence(step)
    mask = sum(1 << k for k in (*state, *constant))
    inner = Gradients()
    places = (*state, *constant)
    values = [*(outputs[j] for j in state), *(inputs[k] for k in constant)]
    backwards = Backwards(region, inner, [inputs[k] for k in places])
    with region.active():
        left = region.add_input(PYINT, "left")
        given = [region.add_input(gradient_spec(value.spec)) for value in values]
        flags = {number: region.add_input(FLAG) for number in sorted(uncertain)}
        masks_in = {
            number: Mask.known(region.add_input(mask_spec(values[number]))) for number in masked
        }
        for number, value in enumerate(values):
            if number >= len(state) or masks[value] & mask:
                inner.add(value, given[number], flags.get(number), mask=masks_in.get(number))
        sweep(list(step.nodes), inner, lambda value: bool(masks[value] & mask), forced_in(session))
        left = OPS.py_sub(left, 1)
        go = OPS.py_gt(left, 0)
        region.graph.outputs = [
            region.value_of(go),
            region.value_of(left),
            *(result_of(region, inner, inputs[k]) for k in places),
        ]
    for number in flags:
        backwards.hand_out_flag(number)
    for number in masked:
        backwards.hand_out_mask(number)
    return backwards


def _counted_turns(node: Node) -> Value:
    """How many turns the loop `node` made: one more value that it carries."""
    step: Graph = node.attributes["step"]
    known: int | None = step.saved.get("turns")
    if known is not None:
        return node.outputs[known]
    carried = node.attributes["carried"]
    graph = node.outputs[0].graph
    count = Value(PYINT, step, None, "turns")
    step.inputs.insert(carried, count)
    inside = appending(step)
    with inside.active():
        step.outputs.append(inside.value_of(OPS.py_add(wrap(count), 1)))
    outside = appending(graph)
    zero = outside.constant(0)
    made = graph.nodes.pop()
    assert zero.node is made
    graph.nodes.insert(graph.nodes.index(node), made)
    node.inputs.insert(carried, zero)
    node.attributes["carried"] = carried + 1
    node.outputs.append(Value(PYINT, graph, node))
    step.saved["turns"] = len(node.outputs) - 1
    return node.outputs[-1]


CONTROL_RULES["while_loop"] = while_gradient
FLAGGED.add("while_loop")
