"""The backward pass over nodes: each op's own rules, last node first, on the current interpreter.

It runs for the nodes that a tape recorded and, inside a `Region`, for those of a sub-graph. What it
computes goes through the one door, so it is staged, taped and differentiable like anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.runtime.autodiff.accumulate import INTO, Gradients, zeros_of
from autograph.runtime.autodiff.activity import differentiable, own_inputs
from autograph.runtime.autodiff.cheap import REARRANGED
from autograph.runtime.core.record import Elementwise, Op
from autograph.runtime.core.spec import ListSpec, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.graph.trace import substitute_dynamic, wrap
from autograph.runtime.ops.building import in_dtype
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
    for value in node.outputs:
        if gradients.raw(value) is not None:
            flag = gradients.flag(value)
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
        own.add(value, gradients.get(value))
    rule(node, own, varied)
    for value in inputs:
        inner = own.flag(value)
        both = flag if inner is None else OPS.logical_and(flag, inner)
        if value not in lists:
            gradients.add(value, own.get(value), both, clean=False)
        elif own.raw(value) is not None:  # with what it had before
            known = gradients.raw(value) is not None
            gradients.put(value, own.get(value), gradients.either(value, both) if known else both)


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
    if op.variadic:
        rules = op.gradient[0]
        assert rules is not None
        for value, want, one in zip(
            own, wanted, rules(OPS, g, out, *handles, **attributes), strict=True
        ):
            if want:
                gradients.add(value, fitted(op, one, value.spec), flag, clean=False)
        return
    clean = op.name in UNSCALED and gradients.is_clean(node.outputs[0])
    for position, rule in enumerate(op.gradient):
        if rule is None or not wanted[position]:
            continue
        value = own[position]
        into = INTO.get(op.name)
        before = gradients.get(value) if into is not None else None
        if before is not None and into is not None and position == 0:
            total = into(before, gradients.get(node.outputs[0]), *handles, **attributes)
            gradients.put(value, total, gradients.either(value, flag))
            continue
        one = rule(OPS, g, out, *handles, **attributes)
        gradients.add(value, fitted(op, one, value.spec), flag, clean)


def fitted_eagerly(op: Op, gradient: Any, value: Any) -> Any:
    """`gradient` in the shape and dtype of the array `value`."""
    if gradient.dtype.kind == "c":
        gradient = in_dtype(OPS, gradient, value.dtype)
    if gradient.shape != value.shape and isinstance(op.lowering, Elementwise):
        gradient = summed_to(gradient, Spec(value.dtype, value.shape))
    return in_dtype(OPS, gradient, value.dtype)


def fitted(op: Op, gradient: Any, spec: Any) -> Any:
    """`gradient` summed back to the shape of an operand that an elementwise op broadcast."""
    if gradient is None or not isinstance(spec, Spec) or not isinstance(gradient, Tensor):
        return gradient
    if gradient.dtype.kind == "c":
        gradient = in_dtype(OPS, gradient, spec.dtype)
    shape = gradient.shape
    if shape != spec.shape and isinstance(op.lowering, Elementwise):
        gradient = summed_to(gradient, spec)
    return in_dtype(OPS, gradient, spec.dtype)


def summed_to(gradient: Any, spec: Spec) -> Any:
    """`gradient` summed over the axes along which a value of `spec` was stretched."""
    new = gradient.ndim - spec.ndim
    stretched = tuple(
        axis + new
        for axis, dim in enumerate(spec.shape)
        if isinstance(dim, int) and dim == 1 and gradient.shape[axis + new] != 1
    )
    if not new and not stretched:
        return gradient
    everything = (*range(new), *stretched)
    gradient = OPS.sum(gradient, axis=everything, keepdims=bool(stretched), dtype=gradient.dtype)
    return OPS.squeeze(gradient, tuple(range(new))) if stretched and new else gradient
