"""Gradients of cond: the same branch backwards. And what loops have in common with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.runtime.autodiff.backward.accumulate import Gradients, zeros_of
from autograph.runtime.autodiff.backward.activity import (
    dependence,
    differentiable,
    gradient_spec,
)
from autograph.runtime.autodiff.backward.backward_pass import CONTROL_RULES, FLAGGED, Varied, sweep
from autograph.runtime.autodiff.backward.selections import Mask, all_of, none_of, whole
from autograph.runtime.autodiff.control.region import Region, Session
from autograph.runtime.autodiff.control.stacks import thread
from autograph.runtime.control.records import COND
from autograph.runtime.core.record import Op
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
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
        if first_of(operands, k, wanted) and gradients.get(operands[k]) is not None
    ]
    incoming = [node.outputs[j] for j in arriving] + [operands[k] for k in begun]
    given = [gradients.get(value) for value in incoming]
    flags = [gradients.flag(value) for value in incoming]
    masks = [known_outside(gradients.mask(value)) for value in incoming]
    backwards = [
        _reverse_branch(trace, node, branch, arriving, wanted, begun, flags, masks, session)
        for branch in branches
    ]
    flagged = _hand_out_flags(backwards, len(wanted))
    masked = _hand_out_masks(backwards, len(wanted))
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
    specs = [*(gradient_spec(operands[k].spec) for k in wanted), *(FLAG for _ in flagged)]
    specs += [mask_spec(operands[wanted[number]]) for number in masked]
    attributes = {"branches": tuple(one.graph for one in inner)}
    results = emit(trace, COND, outer, attributes, specs, node, None)
    more = iter(results[len(wanted) :])
    known = {number: next(more) for number in flagged}
    taken = {number: Mask.known(next(more)) for number in masked}
    for number, k in enumerate(wanted):
        found = results[number], known.get(number)
        if any(one.inputs[number] in one.gradients.unmasked for one in backwards):
            gradients.unmasked.add(operands[k])
        if k in begun:
            gradients.put(operands[k], *found, taken.get(number))
        else:
            gradients.add(operands[k], *found, mask=taken.get(number))


FLAG = Spec(np.dtype(np.bool_), ())


def mask_spec(value: Value) -> AnySpec:
    """The spec of the mask of a gradient of `value`."""
    if isinstance(value.spec, ListSpec):
        return gradient_spec(value.spec)
    return Spec(np.dtype(np.bool_), value.spec.shape)


def known_outside(mask: Mask | None) -> Mask | None:
    """A mask that sub-graphs may use: it is computed before them."""
    return None if mask is None else Mask.known(mask.value)


@dataclass(slots=True)
class Backwards:
    """A sub-graph that is being reversed, what was found so far, and for which of its inputs."""

    region: Region
    gradients: Gradients
    inputs: list[Value]

    def flag(self, number: int) -> Any:
        """Whether the gradient of an input connects: None for always, False for never."""
        value = self.inputs[number]
        return False if self.gradients.raw(value) is None else self.gradients.flag(value)

    def hand_out_flag(self, number: int) -> None:
        """Let the backward graph tell whether the gradient of an input connects."""
        flag = self.flag(number)
        with self.region.active():
            known = flag if isinstance(flag, Tensor) else OPS.asarray(flag is None)
            self.region.graph.outputs.append(self.region.value_of(known))

    def hand_out_mask(self, number: int) -> None:
        """Let the backward graph tell where the gradient of an input is of what was selected."""
        value = self.inputs[number]
        found, mask = self.gradients.raw(value), self.gradients.mask(value)
        with self.region.active():
            if mask is not None:
                known = whole(mask.value, found)
            else:
                known = none_of(zeros_of(value)) if found is None else all_of(found)
            self.region.graph.outputs.append(self.region.value_of(known))


def _hand_out_masks(branches: Sequence[Backwards], count: int) -> list[int]:
    """Let the branches tell the masks of gradients that have one in some branch."""
    masked = [
        number
        for number in range(count)
        if any(one.gradients.mask(one.inputs[number]) is not None for one in branches)
        or _leaves_a_list(branches, number)
    ]
    for number in masked:
        for one in branches:
            one.hand_out_mask(number)
    return masked


def _leaves_a_list(branches: Sequence[Backwards], number: int) -> bool:
    """Whether some branches use a list and others do not, and steep ops come before it."""
    if not isinstance(branches[0].inputs[number].spec, ListSpec):
        return False
    used = {one.gradients.raw(one.inputs[number]) is not None for one in branches}
    if len(used) < 2:
        return False
    for one in branches:
        with one.region.active():
            if one.gradients.steepness.of(one.inputs[number]):
                return True
    return False


def _hand_out_flags(branches: Sequence[Backwards], count: int) -> list[int]:
    """Let the branches tell which gradients connect; gives the places of those that may not."""
    flagged = []
    for number in range(count):
        flags = [one.flag(number) for one in branches]
        if all(flag is None for flag in flags):
            continue
        flagged.append(number)
        for one in branches:
            one.hand_out_flag(number)
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


def first_of(operands: Sequence[Value], k: int, wanted: Sequence[int]) -> bool:
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
    outside: Sequence[Mask | None],
    session: Session | None,
) -> Backwards:
    operands = dict(zip(branch.inputs, node.inputs[1:], strict=True))
    region = Region(f"{branch.name}_backward", trace, branch, operands, session, node)
    masks = dependence(branch)
    mask = sum(1 << k for k in wanted)
    inputs = list(branch.inputs)
    values = [*(branch.outputs[j] for j in arriving), *(inputs[k] for k in begun)]
    inner = Gradients()
    with region.active():
        given = [region.add_input(gradient_spec(value.spec)) for value in values]
        for number, value in enumerate(values):
            if number >= len(arriving) or masks[value] & mask:
                inner.add(value, given[number], flags[number], mask=outside[number])
        sweep(
            list(branch.nodes), inner, lambda value: bool(masks[value] & mask), forced_in(session)
        )
        region.graph.outputs = [result_of(region, inner, inputs[k]) for k in wanted]
    return Backwards(region, inner, [inputs[k] for k in wanted])


def result_of(region: Region, inner: Gradients, value: Value) -> Value:
    """The gradient of an input of a sub-graph, for the outputs of the backward one."""
    found = inner.get(value)
    return region.value_of(zeros_of(value) if found is None else found)


CONTROL_RULES["cond"] = cond_gradient
FLAGGED.add("cond")
