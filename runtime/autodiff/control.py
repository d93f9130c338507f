"""Gradients of cond and while_loop: the same branch backwards, the same turns in reverse order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.runtime.autodiff.accumulate import Gradients, zeros_of
from autograph.runtime.autodiff.activity import (
    combined,
    dependence,
    differentiable,
    loop_closure,
)
from autograph.runtime.autodiff.backward import CONTROL_RULES, Varied, sweep
from autograph.runtime.autodiff.region import Region, Session, appending
from autograph.runtime.autodiff.stacks import thread
from autograph.runtime.control.records import COND, WHILE_LOOP
from autograph.runtime.core.record import Op
from autograph.runtime.core.spec import PYINT, AnySpec, ListSpec, Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import Trace, wrap
from autograph.runtime.ops.table import OPS


def current_trace() -> Trace:
    """The trace that the backward pass adds its nodes to."""
    trace = STATE.interpreter
    assert isinstance(trace, Trace)
    return trace


def session_of(trace: Trace) -> Session | None:
    """The session that a region of `trace` belongs to, if what it reverses runs many times."""
    return trace.session if isinstance(trace, Region) else None


def emit(
    trace: Trace,
    op: Op,
    operands: Sequence[Value],
    attributes: dict[str, Any],
    specs: Sequence[AnySpec],
    forward: Node,
    session: Session | None,
) -> list[Any]:
    """Add the backward node of `forward`; the outermost one of a session gets its lists.

    The tapes see the node when it is complete.
    """
    node = trace.add_node(op, operands, attributes, specs)
    if session is not None:
        for save in session.saves:
            thread(save, forward, node, trace)
        session.saves.clear()
    trace.observe(node)
    return [wrap(value) for value in node.outputs[: len(specs)]]


def forced_in(session: Session | None) -> Any:
    """Which nodes a region must reverse in any case: those that call what pushes on lists."""

    def forced(node: Node) -> bool:
        return bool(session and session.functions) and _calls(node, session, set())

    return forced


def _calls(node: Node, session: Session | None, seen: set[Graph]) -> bool:
    assert session is not None
    for graph in node.graphs:
        if graph in session.functions:
            return True
        if graph not in seen:
            seen.add(graph)
            if any(_calls(inner, session, seen) for inner in graph.nodes):
                return True
    return False


# cond ---------------------------------------------------------------------------------------------
def cond_gradient(node: Node, gradients: Gradients, varied: Varied) -> None:
    """Run the branch that was taken backwards."""
    trace = current_trace()
    session = session_of(trace)
    index, *operands = node.inputs
    branches: tuple[Graph, ...] = node.attributes["branches"]
    arriving = [j for j, value in enumerate(node.outputs) if gradients.get(value) is not None]
    wanted = _wanted_operands(branches, arriving, operands, varied, forced_in(session)(node))
    # What has a gradient already is given to the branches, which add to it.
    begun = [
        k
        for k in wanted
        if _first_of(operands, k, wanted) and gradients.get(operands[k]) is not None
    ]
    incoming = [node.outputs[j] for j in arriving] + [operands[k] for k in begun]
    given = [gradients.get(value) for value in incoming]
    flags = [gradients.flag(value) for value in incoming]
    backwards = [
        _reverse_branch(trace, node, branch, arriving, wanted, begun, flags, session)
        for branch in branches
    ]
    flagged = _hand_out_flags(backwards, len(wanted))
    inner = [one.region for one in backwards]
    for region in inner:
        region.finish()
    shared: dict[Value, None] = {}
    for one in inner:
        shared.update(dict.fromkeys(one.captures))
    for one in inner:
        own = one.graph.inputs[: len(given)]
        one.graph.inputs = [*own, *map(one.lift, shared)]
    outer = [trace.value_of(index), *map(trace.value_of, given), *map(trace.lift, shared)]
    specs = [*(operands[k].spec for k in wanted), *(FLAG for _ in flagged)]
    attributes = {"branches": tuple(one.graph for one in inner)}
    results = emit(trace, COND, outer, attributes, specs, node, None)
    known = dict(zip(flagged, results[len(wanted) :], strict=True))
    for number, k in enumerate(wanted):
        if k in begun:
            gradients.put(operands[k], results[number], known.get(number))
        else:
            gradients.add(operands[k], results[number], known.get(number))


FLAG = Spec(np.dtype(np.bool_), ())


@dataclass(slots=True)
class Backwards:
    """A branch that is being reversed, what it found so far, and for which of its inputs."""

    region: Region
    gradients: Gradients
    inputs: list[Value]

    def flag(self, number: int) -> Any:
        """Whether the gradient of an input connects: None for always, False for never."""
        value = self.inputs[number]
        return False if self.gradients.raw(value) is None else self.gradients.flag(value)


def _hand_out_flags(branches: Sequence[Backwards], count: int) -> list[int]:
    """Let the branches tell which gradients connect; gives the places of those that may not."""
    flagged = []
    for number in range(count):
        flags = [one.flag(number) for one in branches]
        if isinstance(branches[0].inputs[number].spec, ListSpec) or not any(
            flag is not None for flag in flags
        ):
            continue
        flagged.append(number)
        for flag, one in zip(flags, branches, strict=True):
            with one.region.active():
                known = flag if isinstance(flag, Tensor) else OPS.asarray(flag is None)
                one.region.graph.outputs.append(one.region.value_of(known))
    return flagged


def _wanted_operands(
    branches: Sequence[Graph],
    arriving: Sequence[int],
    operands: Sequence[Value],
    varied: Varied,
    forced: bool,
) -> list[int]:
    reached = 0
    for branch in branches:
        masks = dependence(branch)
        for j in range(len(branch.outputs)) if forced else arriving:
            reached |= masks[branch.outputs[j]]
    return [
        k
        for k, value in enumerate(operands)
        if reached >> k & 1 and differentiable(value.spec) and varied(value)
    ]


def _first_of(operands: Sequence[Value], k: int, wanted: Sequence[int]) -> bool:
    """Whether position `k` is the first wanted one of its value."""
    return all(operands[other] is not operands[k] for other in wanted if other < k)


def _reverse_branch(
    trace: Trace,
    node: Node,
    branch: Graph,
    arriving: Sequence[int],
    wanted: Sequence[int],
    begun: Sequence[int],
    flags: Sequence[Any],
    session: Session | None,
) -> Backwards:
    operands = dict(zip(branch.inputs, node.inputs[1:], strict=True))
    region = Region(f"{branch.name}_backward", trace, branch, operands, session, node)
    masks = dependence(branch)
    mask = sum(1 << k for k in wanted)
    inputs = list(branch.inputs)
    inner, flag = Gradients(), iter(flags)
    with region.active():
        for j in arriving:
            value = branch.outputs[j]
            gradient, connects = region.add_input(value.spec), next(flag)
            if masks[value] & mask:
                inner.add(value, gradient, connects)
        for k in begun:
            inner.add(inputs[k], region.add_input(inputs[k].spec), next(flag))
        sweep(
            list(branch.nodes), inner, lambda value: bool(masks[value] & mask), forced_in(session)
        )
        region.graph.outputs = [_result(region, inner, inputs[k]) for k in wanted]
    return Backwards(region, inner, [inputs[k] for k in wanted])


def _result(region: Region, inner: Gradients, value: Value) -> Value:
    found = inner.get(value)
    return region.value_of(zeros_of(value) if found is None else found)


# while_loop ---------------------------------------------------------------------------------------
def while_gradient(node: Node, gradients: Gradients, varied: Varied) -> None:
    """Run the turns backwards: what was carried forwards has its gradient carried backwards."""
    trace = current_trace()
    outer_session = session_of(trace)
    session = outer_session or Session()
    turns = trace.lift(_counted_turns(node))
    state, constant = _loop_activity(node, gradients, varied, forced_in(outer_session)(node))
    step: Graph = node.attributes["step"]
    carried = node.attributes["carried"]
    given = [_begin(gradients.get(node.outputs[j]), node.outputs[j]) for j in state]
    given += [
        _begin(gradients.get(value) if _first_of(node.inputs, k, constant) else None, value)
        for k in constant
        for value in (node.inputs[k],)
    ]
    operands = dict(zip(step.inputs[carried:], node.inputs[carried:], strict=True))
    region = Region(f"{step.name}_backward", trace, step, operands, session, node)
    _reverse_step(region, step, state, constant, session)
    outer = [turns, *map(trace.value_of, given), *map(trace.lift, region.captures)]
    own = region.graph.inputs[: 1 + len(given)]
    region.graph.inputs = [*own, *region.captures.values()]
    specs = [PYINT, *(node.inputs[k].spec for k in (*state, *constant))]
    attributes = {"step": region.graph, "carried": 1 + len(given)}
    first = list(node.inputs)
    complete = None if outer_session is not None else session
    _, *results = emit(trace, WHILE_LOOP, outer, attributes, specs, node, complete)
    for k, result in zip(constant, results[len(state) :], strict=True):
        if _first_of(first, k, constant):
            gradients.put(first[k], result)
        else:
            gradients.add(first[k], result)
    for j, result in zip(state, results[: len(state)], strict=True):
        if varied(first[j]):
            gradients.add(first[j], result)


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
    session: Session,
) -> None:
    inputs, outputs = list(step.inputs), list(step.outputs[1:])
    masks = dependence(step)
    mask = sum(1 << k for k in (*state, *constant))
    inner = Gradients()
    with region.active():
        left = region.add_input(PYINT, "left")
        for j in state:
            gradient = region.add_input(outputs[j].spec)
            if masks[outputs[j]] & mask:
                inner.add(outputs[j], gradient)
        for k in constant:
            inner.add(inputs[k], region.add_input(inputs[k].spec))
        sweep(list(step.nodes), inner, lambda value: bool(masks[value] & mask), forced_in(session))
        left = OPS.py_sub(left, 1)
        go = OPS.py_gt(left, 0)
        region.graph.outputs = [
            region.value_of(go),
            region.value_of(left),
            *(_result(region, inner, inputs[k]) for k in (*state, *constant)),
        ]
    region.finish()


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


CONTROL_RULES.update(cond=cond_gradient, while_loop=while_gradient)
