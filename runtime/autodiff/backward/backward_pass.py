"""The backward pass over nodes: each op's own rules, last node first, on the current interpreter.

It runs for the nodes that a tape recorded and, inside a `Region`, for those of a sub-graph. What it
computes goes through the one door, so it is staged, taped and differentiable like anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.runtime.autodiff.backward.accumulate import INTO, Gradients, zeros_of
from autograph.runtime.autodiff.backward.activity import differentiable, own_inputs
from autograph.runtime.autodiff.backward.fitting import fitted
from autograph.runtime.autodiff.backward.selections import (
    MOVING,
    OF_ITEMS,
    PASSING,
    SELECTING,
    Mask,
    Step,
    none_of,
    parted,
)
from autograph.runtime.autodiff.saving.cheap import REARRANGED
from autograph.runtime.core.record import Op
from autograph.runtime.core.spec import ListSpec, Spec
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.graph.trace import substitute_dynamic, wrap
from autograph.runtime.ops.table import OPS

Varied = Callable[[Value], bool]
ControlRule = Callable[[Node, Gradients, Varied], None]

UNSCALED = REARRANGED | {"add", "astype", "concat", "index", "negative", "stack", "subtract", "sum"}
"""Ops whose gradients are those of the result, moved or added up: zeros stay zeros."""

CONTROL_RULES: dict[str, ControlRule] = {}
"""The backward pass of a node with sub-graphs, by op; filled by `autodiff.control` and its like."""
FLAGGED: set[str] = set()
"""Those that look after the flags of gradients themselves."""


def sweep(
    nodes: Sequence[Node],
    gradients: Gradients,
    varied: Varied,
    forced: Callable[[Node], bool] = lambda node: False,
) -> None:
    """Carry the gradients of the outputs of `nodes` back to the values for which `varied` holds.

    A node none of whose outputs has a gradient is passed over, unless it is `forced`.
    """
    for node in reversed(nodes):
        rule = CONTROL_RULES.get(node.op.name)
        if rule is None:
            _ordinary(node, gradients, varied)
        elif forced(node) or any(gradients.raw(value) is not None for value in node.outputs):
            flag = None if node.op.name in FLAGGED else _joint_flag(node, gradients)
            if flag is None:
                rule(node, gradients, varied)
            else:
                _under_flag(rule, node, gradients, varied, flag)


def _joint_flag(node: Node, gradients: Gradients) -> Any:
    """Whether any gradient that comes into a node connects: None for always."""
    found: Any = None
    is_steep = node.op.name in CONTROL_RULES and gradients.steepness.in_node(node)
    for value in node.outputs:
        if gradients.raw(value) is not None:
            flag, mask = gradients.flag(value), gradients.mask(value)
            if is_steep and mask is not None and isinstance(value.spec, Spec):
                used = OPS.any(mask.value)
                flag = used if flag is None else OPS.logical_and(flag, used)
            if flag is None:
                return None
            found = flag if found is None or found is flag else OPS.logical_or(found, flag)
    return found


def _under_flag(
    rule: ControlRule, node: Node, gradients: Gradients, varied: Varied, flag: Any
) -> None:
    """A rule whose results connect only if what comes in does."""
    own, inputs = Gradients(), dict.fromkeys(node.inputs)
    lists = [value for value in inputs if isinstance(value.spec, ListSpec)]
    for value in (*node.outputs, *lists):
        own.add(value, gradients.get(value), mask=gradients.connected(value))
    rule(node, own, varied)
    for value in inputs:
        inner = own.flag(value)
        both = flag if inner is None else OPS.logical_and(flag, inner)
        mask = own.mask(value)
        if value not in lists:
            gradients.add(value, own.get(value), both, clean=False, mask=mask)
        elif own.raw(value) is not None:  # with what it had before
            known = gradients.raw(value) is not None
            both = gradients.either(value, both) if known else both
            gradients.put(value, own.get(value), both, mask)


def _ordinary(node: Node, gradients: Gradients, varied: Varied) -> None:
    op = node.op
    if not op.gradient:
        return
    if all(gradients.raw(value) is None for value in node.outputs):
        return
    flag = _joint_flag(node, gradients)
    look = gradients.get if len(node.outputs) > 1 or flag is None else gradients.raw
    found = [look(value) for value in node.outputs]
    own = own_inputs(node)
    wanted = [differentiable(value.spec) and varied(value) for value in own]
    if not any(wanted):
        return
    handles = [wrap(value) for value in own]
    attributes = substitute_dynamic(node.attributes, [wrap(value) for value in node.inputs])
    if len(found) == 1:
        g, out = found[0], wrap(node.outputs[0])
    else:
        g = tuple(
            zeros_of(value) if one is None and differentiable(value.spec) else one
            for one, value in zip(found, node.outputs, strict=True)
        )
        out = tuple(wrap(value) for value in node.outputs)
    if op.name in OF_ITEMS or op.name in PASSING:
        mask = _mask_of_items(node, gradients, g)
    else:
        mask = gradients.mask(node.outputs[0]) if len(found) == 1 else None
    if op.variadic:
        rules = op.gradient[0]
        assert rules is not None
        every = rules(OPS, g, out, *handles, **attributes)
        mask = mask if op.name in MOVING or op.name in PASSING else None
        for position, (value, want, one) in enumerate(zip(own, wanted, every, strict=True)):
            if want:
                step = Step(op, rules, position, g, out, handles, attributes, value.spec)
                one, own_mask = step.carried(one, mask)
                one = fitted(op, one, value.spec)
                own_mask, known = _of_item(op, value, gradients, own_mask, flag)
                gradients.add(value, one, known, clean=False, mask=own_mask)
        return
    clean = op.name in UNSCALED and gradients.is_clean(node.outputs[0])
    for position, rule in enumerate(op.gradient):
        if rule is None or not wanted[position]:
            continue
        value, own_mask = own[position], None
        into = INTO.get(op.name)
        before = gradients.get(value) if into is not None else None
        if before is not None and into is not None and position == 0:
            g = gradients.get(node.outputs[0])
            total = into(before, g, *handles, **attributes)
            if mask is not None or op.name in SELECTING:
                shaped = [before, *handles[1:]]  # the sum is as large as the operand, and is there
                step = Step(op, rule, position, g, out, shaped, attributes, value.spec)
                _, own_mask = step.carried(g, mask)
            own_mask, _ = _of_item(op, value, gradients, own_mask, flag)
            own_mask = gradients.with_mask(value, own_mask, flag)
            gradients.put(value, total, gradients.either(value, flag), own_mask)
            continue
        one = rule(OPS, g, out, *handles, **attributes)
        if one is not None and (mask is not None or op.name in SELECTING):
            step = Step(op, rule, position, g, out, handles, attributes, value.spec)
            one, own_mask = step.carried(one, mask)
        own_mask, known = _of_item(op, value, gradients, own_mask, flag)
        gradients.add(value, fitted(op, one, value.spec), known, clean, own_mask)


def _mask_of_items(node: Node, gradients: Gradients, g: Any) -> Mask | None:
    """The mask of what arrives at an op of lists; what does not connect is not selected, either."""
    given = g if isinstance(g, tuple) else (g,)
    masks: list[Mask | None] = []
    for value, one in zip(node.outputs, given, strict=True):
        mask = gradients.connected(value)
        if gradients.raw(value) is None:
            mask = _nothing(one)
        masks.append(mask)
    return parted(given, masks) if isinstance(g, tuple) else masks[0]


def _nothing(zeros: Any) -> Mask:
    return Mask(lambda: none_of(zeros), True)


ITEMS = frozenset({"list_add_at", "list_exchange", "list_fill", "list_push", "list_set"})
"""Ops that put single items into lists."""


def _of_item(
    op: Op, value: Value, gradients: Gradients, mask: Mask | None, flag: Any
) -> tuple[Mask | None, Any]:
    """The mask and the flag of a gradient that an op of lists gives: none without steep factors.

    An item nothing of which was selected was used by nobody: its gradient does not connect.
    """
    is_list = isinstance(value.spec, ListSpec)
    if mask is None or not (is_list or op.name in ITEMS):
        return mask, flag
    if not gradients.steepness.of(value):
        return None, flag
    if is_list:
        return mask, flag
    used = OPS.any(mask.value)
    return mask, used if flag is None else OPS.logical_and(flag, used)
