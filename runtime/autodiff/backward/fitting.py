"""Gradients in the shapes and dtypes of the operands that they are of."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.record import Elementwise, Op
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.building import in_dtype
from autograph.runtime.ops.table import OPS


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
