"""What runs along an axis in order: cumulative sums and products, argmax and argmin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Library, Op, Sample
from autograph.runtime.core.spec import Spec, normalized_axes, normalized_axis
from autograph.runtime.ops.building import typed
from autograph.runtime.ops.inference import accumulating, reduced
from autograph.runtime.ops.quiet import quiet
from autograph.runtime.ops.reducing.reduction import MATRIX


# argmax, argmin -----------------------------------------------------------------------------------
def _infer_arg(x: Spec, *, axis: int | None = None, keepdims: bool = False) -> Spec:
    if any(x.shape[one] == 0 for one in normalized_axes(axis, x.ndim)):
        raise ValueError("attempt to get argmax of an empty sequence")
    return Spec(dtypes.int64, reduced(x.shape, axis, keepdims))


def _argmax(x: Any, *, axis: int | None = None, keepdims: bool = False) -> Any:
    return np.argmax(x, axis=axis, keepdims=keepdims)


def _argmin(x: Any, *, axis: int | None = None, keepdims: bool = False) -> Any:
    return np.argmin(x, axis=axis, keepdims=keepdims)


# cumulative ---------------------------------------------------------------------------------------
def _infer_cumulative(
    x: Spec,
    *,
    axis: int | None = None,
    dtype: DType | None = None,
    include_initial: bool = False,
) -> Spec:
    along = _along(x, axis)
    shape = tuple(
        dim + 1 if include_initial and i == along else dim for i, dim in enumerate(x.shape)
    )
    return Spec(dtype or accumulating(x.dtype), shape)


def _along(x: Any, axis: int | None) -> int:
    if axis is None:
        if x.ndim != 1:
            raise ValueError("axis must be given for a cumulative op on other than one axis")
        return 0
    return normalized_axis(axis, x.ndim)


def _cumulative(ufunc: np.ufunc, initial: int) -> Callable[..., Any]:
    @quiet
    def reference(
        x: Any,
        *,
        axis: int | None = None,
        dtype: DType | None = None,
        include_initial: bool = False,
    ) -> Any:
        along = _along(x, axis)
        result = ufunc.accumulate(x, axis=along, dtype=dtype or accumulating(x.dtype))
        if not include_initial:
            return result
        shape = list(x.shape)
        shape[along] = 1
        return np.concatenate([np.full(shape, initial, result.dtype), result], axis=along)

    return reference


def _without_initial(x: Any, along: int, include_initial: bool) -> Any:
    return x[(slice(None),) * along + (slice(1, None),)] if include_initial else x


def _cumulative_sum_gradient(
    o: Any,
    g: Any,
    out: Any,
    x: Any,
    *,
    axis: int | None,
    dtype: DType | None,
    include_initial: bool,
) -> Any:
    along = _along(x, axis)
    g = _without_initial(g, along, include_initial)
    return o.flip(o.cumulative_sum(o.flip(g, axis=along), axis=along), axis=along)


def _cumulative_prod_gradient(
    o: Any,
    g: Any,
    out: Any,
    x: Any,
    *,
    axis: int | None,
    dtype: DType | None,
    include_initial: bool,
) -> Any:
    # out[j] for j >= i is (x[0]...x[i-1]) * (x[i+1]...x[j]) * x[i]: a matrix of the second factors
    # for all i and j, so that nothing is divided by an element that may be zero.
    along = _along(x, axis)
    g = o.moveaxis(_without_initial(g, along, include_initial), along, -1)
    row = o.moveaxis(x, along, -1)
    size = o.dimension(x, along)
    i, j = o.arange(size)[:, None], o.arange(size)[None, :]
    factors = o.where(o.greater(j, i), o.expand_dims(row, -2), 1)
    between = o.where(o.greater_equal(j, i), o.cumulative_prod(factors, axis=-1), 0)
    before = o.cumulative_prod(row, axis=-1, include_initial=True)[..., :-1]
    result = before * o.sum(between * o.expand_dims(g, -2), axis=-1)
    return o.moveaxis(result, -1, along)


CUMULATIVE_SAMPLES = (
    Sample(([0.5, -1.25, 2.0, 0.0, 3.0],)),
    Sample((MATRIX,), {"axis": -1, "include_initial": True}),
    Sample((MATRIX,), {"axis": 0}),
    Sample((np.zeros((0, 3)),), {"axis": 0}),
    Sample((np.array([100, 100], np.int8),), gradient=False),
)
ARG_SAMPLES = (
    Sample(([[1.0, 3.0, 3.0], [2.0, -1.0, 0.0]],), {"axis": -1}, gradient=False),
    Sample(([[1.0, 3.0], [np.nan, 0.0]],), gradient=False),
    Sample(([1, 5, 2],), {"axis": 0, "keepdims": True}, gradient=False),
)


def _library(
    name: str,
    summary: str,
    infer: Callable[..., Spec],
    reference: Callable[..., Any],
    gradient: Any,
    samples: tuple[Sample, ...],
) -> Op:
    return Op(
        name=name,
        summary=summary,
        infer=infer,
        reference=reference,
        gradient=(typed(gradient, 0),) if gradient else NOT_DIFFERENTIABLE,
        lowering=Library(name),
        samples=samples,
    )


RECORDS = (
    _library(
        "argmax",
        "The index of the first largest element (or NaN) along an axis, or of the flat tensor.",
        _infer_arg,
        _argmax,
        None,
        ARG_SAMPLES,
    ),
    _library(
        "argmin",
        "The index of the first smallest element (or NaN) along an axis, or of the flat tensor.",
        _infer_arg,
        _argmin,
        None,
        ARG_SAMPLES,
    ),
    _library(
        "cumulative_sum",
        "The sums of the elements up to and with each; with `include_initial` a 0 first.",
        _infer_cumulative,
        _cumulative(np.add, 0),
        _cumulative_sum_gradient,
        CUMULATIVE_SAMPLES,
    ),
    _library(
        "cumulative_prod",
        "The products of the elements up to and with each; with `include_initial` a 1 first.",
        _infer_cumulative,
        _cumulative(np.multiply, 1),
        _cumulative_prod_gradient,
        CUMULATIVE_SAMPLES,
    ),
)
