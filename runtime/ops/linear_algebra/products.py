"""Linear algebra: the matrix product."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.dims import Dim
from autograph.runtime.core.record import Library, Op, Sample
from autograph.runtime.core.spec import ShapeError, Spec, broadcast, normalized_axis
from autograph.runtime.ops.building import all_typed
from autograph.runtime.ops.inference import is_complex, resolved, same_size
from autograph.runtime.ops.quiet import quiet_binary
from autograph.runtime.ops.shaping.shapes import shape_of


def _infer_matmul(x: Spec, y: Spec) -> Spec:
    if not x.ndim or not y.ndim:
        raise ValueError("matmul: a 0-d tensor has no rows; use multiply")
    inner, other = x.shape[-1], y.shape[-2 if y.ndim > 1 else 0]
    if not same_size(inner, other):
        raise ShapeError(
            f"matmul: shapes {x.shape} and {y.shape} do not fit: {inner} columns, {other} rows"
        )
    dtype = resolved(np.matmul, (x, y)) if not (x.python or y.python) else x.dtype
    batch = broadcast((x.shape[:-2], y.shape[:-2]))
    rows: tuple[int | Dim, ...] = x.shape[-2:-1] if x.ndim > 1 else ()
    columns: tuple[int | Dim, ...] = y.shape[-1:] if y.ndim > 1 else ()
    return Spec(dtype, (*batch, *rows, *columns))


def _left(o: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    if x.ndim == 1 and y.ndim == 1:
        return g * y
    if x.ndim == 1:
        return o.sum_like(o.squeeze(o.matmul(y, o.expand_dims(g, -1)), -1), x)
    if y.ndim == 1:
        return o.sum_like(o.expand_dims(g, -1) * y, x)
    return o.sum_like(o.matmul(g, o.matrix_transpose(y)), x)


def _right(o: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    if x.ndim == 1 and y.ndim == 1:
        return g * x
    if x.ndim == 1:
        return o.sum_like(o.expand_dims(x, -1) * o.expand_dims(g, -2), y)
    if y.ndim == 1:
        product = o.matmul(o.matrix_transpose(x), o.expand_dims(g, -1))
        return o.sum_like(o.squeeze(product, -1), y)
    return o.sum_like(o.matmul(o.matrix_transpose(x), g), y)


RECORDS = (
    Op(
        name="matmul",
        summary="The matrix product over the last two axes; the leading axes broadcast.",
        infer=_infer_matmul,
        reference=quiet_binary(np.matmul),
        gradient=all_typed((_left, _right)),
        lowering=Library("matmul"),
        samples=(
            Sample(([[1.0, 2.0, 0.5], [0.3, -1.0, 2.0]], [[1.0], [0.5], [-2.0]])),
            Sample(([1.0, 2.0], [0.5, -1.0])),
            Sample(([1.0, 2.0], [[0.5, -1.0, 2.0], [3.0, 1.0, 0.1]])),
            Sample(([[[0.5, -1.0], [3.0, 1.0]]], [2.0, -0.5])),
            Sample(
                (
                    np.linspace(-1, 1, 12).reshape(3, 1, 2, 2),
                    np.linspace(1, 2, 8).reshape(2, 2, 2),
                )
            ),
            Sample((np.zeros((2, 0)), np.zeros((0, 3)))),
            Sample(([[1, 2], [3, 4]], [[1, 0], [0, 2]]), gradient=False),
        ),
        operator=("matmul",),
    ),
)


def vecdot(o: Any, x: Any, y: Any, axis: int = -1) -> Any:
    """The sum of the products of `x` and `y` along an axis, the conjugate of x if it is complex."""
    x, y = o.operands((x, y))
    left = o.conj(x) if is_complex(x) else x
    places = [normalized_axis(axis, one.ndim) for one in (x, y)]
    size, other = (shape_of(one)[place] for one, place in zip((x, y), places, strict=True))
    if not same_size(size, other):
        raise ShapeError(f"vecdot takes vectors of one size, not of {size} and {other}")
    if not isinstance(size, int) or not isinstance(other, int):
        rows, columns = o.moveaxis(left, axis, -1), o.moveaxis(y, axis, -1)
        products = o.matmul(o.expand_dims(rows, -2), o.expand_dims(columns, -1))
        return o.squeeze(products, (-2, -1))
    products = o.multiply(left, y)
    return o.astype(o.sum(products, axis=axis), products.dtype)


def outer(o: Any, x: Any, y: Any) -> Any:
    """Every product of an element of `x` with one of `y`, both of one axis: a matrix."""
    x, y = o.operands((x, y))
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(f"outer takes two tensors of one axis, not of {x.ndim} and {y.ndim}")
    return o.multiply(o.expand_dims(x, 1), o.expand_dims(y, 0))


FUNCTIONS = (vecdot, outer)
