"""The backward pass over nodes: each op's own rules, last node first, on the current interpreter.

It runs for the nodes that a tape recorded and, inside a `Region`, for those of a sub-graph. What it
computes goes through the one door, so it is staged, taped and differentiable like anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.runtime.autodiff.accumulate import INTO, Gradients, zeros_of
from autograph.runtime.autodiff.activity import differentiable, own_inputs
from autograph.runtime.core.record import Elementwise, Op
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.graph.trace import substitute_dynamic, wrap
from autograph.runtime.ops.building import in_dtype
from autograph.runtime.ops.table import OPS

Varied = Callable[[Value], bool]
ControlRule = Callable[[Node, Gradients, Varied], None]

CONTROL_RULES: dict[str, ControlRule] = {}
"""The backward pass of a node with sub-graphs, by op; filled by `autodiff.control` and `calls`."""


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
        elif forced(node) or any(gradients.get(value) is not None for value in node.outputs):
            rule(node, gradients, varied)


def _ordinary(node: Node, gradients: Gradients, varied: Varied) -> None:
    op = node.op
    if not op.gradient:
        return
    found = [gradients.get(value) for value in node.outputs]
    if all(one is None for one in found):
        return
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
                gradients.add(value, fitted(op, one, value.spec))
        return
    for position, rule in enumerate(op.gradient):
        if rule is None or not wanted[position]:
            continue
        value = own[position]
        before, into = gradients.get(value), INTO.get(op.name)
        if before is not None and into is not None and position == 0:
            gradients.put(value, into(before, g, *handles, **attributes))
            continue
        one = rule(OPS, g, out, *handles, **attributes)
        gradients.add(value, fitted(op, one, value.spec))


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
