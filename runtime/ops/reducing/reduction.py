"""Reductions: sums, products, extrema, truth; and mean, variance, standard deviation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Decomposition,
    Op,
    Reduction,
    Sample,
)
from autograph.runtime.core.spec import Spec, normalized_axes
from autograph.runtime.ops.building import typed
from autograph.runtime.ops.inference import accumulating, averaging, is_complex, reduced, spreading
from autograph.runtime.ops.quiet import quiet, quiet_reduction
from autograph.runtime.ops.shaping.shapes import broadcast_like

Axis = int | tuple[int, ...] | None

# Called as reduce(x, axis, dtype, out, keepdims): less than half the time of np.sum and kin.
ADD: Callable[..., Any] = np.add.reduce
MULTIPLY: Callable[..., Any] = np.multiply.reduce
MAXIMUM: Callable[..., Any] = np.maximum.reduce
OR: Callable[..., Any] = np.logical_or.reduce
AND: Callable[..., Any] = np.logical_and.reduce

MATRIX = [[0.5, -1.25, 2.0], [1.5, 0.75, -0.3]]
FLOAT_SAMPLES = (
    Sample((MATRIX,)),
    Sample((MATRIX,), {"axis": -1}),
    Sample((MATRIX,), {"axis": (0, 1), "keepdims": True}),
    Sample((1.5,)),
)
SUM_SAMPLES = (
    *FLOAT_SAMPLES,
    Sample((np.zeros((0, 3)),), {"axis": 0}),
    Sample((np.array([100, 100], np.int8),), gradient=False),
    Sample((np.array([200, 100], np.uint8),), gradient=False),
    Sample(([True, True, False],), gradient=False),
)


# shapes and counts in rules -----------------------------------------------------------------------
def restored(o: Any, reduction: Any, x: Any, axis: Axis, keepdims: bool) -> Any:
    """A reduction of `x` with its reduced axes back as ones, so that it broadcasts with `x`."""
    if keepdims or axis is None or not x.ndim:  # 0-d broadcasts as it is
        return reduction
    return o.expand_dims(reduction, normalized_axes(axis, x.ndim))


def count(o: Any, x: Any, axis: Axis) -> Any:
    """How many elements of `x` a reduction along `axis` combines: an int, or a staged one."""
    total: Any = 1
    for one in normalized_axes(axis, x.ndim):
        total = total * o.dimension(x, one)
    return total


_quiet_add = quiet_reduction(ADD)


# sum, prod, max, min, any, all --------------------------------------------------------------------
def _infer_sum(
    x: Spec, *, axis: Axis = None, dtype: DType | None = None, keepdims: bool = False
) -> Spec:
    return Spec(dtype or accumulating(x.dtype), reduced(x.shape, axis, keepdims))


def _sum(x: Any, *, axis: Axis = None, dtype: DType | None = None, keepdims: bool = False) -> Any:
    if dtype is None:
        dtype = x.dtype if x.dtype.kind == "f" else accumulating(x.dtype)
    return _quiet_add(x, axis, dtype, keepdims)


def _sum_gradient(
    o: Any, g: Any, out: Any, x: Any, *, axis: Axis, dtype: DType | None, keepdims: bool
) -> Any:
    return broadcast_like(restored(o, g, x, axis, keepdims), x)


@quiet
def _prod(x: Any, *, axis: Axis = None, dtype: DType | None = None, keepdims: bool = False) -> Any:
    return MULTIPLY(x, axis, dtype or accumulating(x.dtype), None, keepdims)


def _prod_gradient(
    o: Any, g: Any, out: Any, x: Any, *, axis: Axis, dtype: DType | None, keepdims: bool
) -> Any:
    # The product of the others, without dividing: right where elements are zero.
    if not x.ndim:
        return g
    axes = normalized_axes(axis, x.ndim)
    kept = tuple(i for i in range(x.ndim) if i not in axes)
    moved = o.permute_dims(x, kept + axes)
    flat = o.reshape(moved, (*(o.dimension(x, i) for i in kept), count(o, x, axes)))
    before = o.cumulative_prod(flat, axis=-1, include_initial=True)[..., :-1]
    reverse = o.cumulative_prod(o.flip(flat, axis=-1), axis=-1, include_initial=True)
    others = before * o.flip(reverse[..., :-1], axis=-1)
    inverse = tuple((kept + axes).index(i) for i in range(x.ndim))
    others = o.permute_dims(o.reshape_like(others, moved), inverse)
    return restored(o, g, x, axis, keepdims) * others


def _extremum(ufunc: np.ufunc) -> tuple[Callable[..., Any], Callable[..., Spec]]:
    reduce: Callable[..., Any] = ufunc.reduce

    def reference(x: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
        return reduce(x, axis, None, None, keepdims)

    def infer(x: Spec, *, axis: Axis = None, keepdims: bool = False) -> Spec:
        axes = normalized_axes(axis, x.ndim)
        if any(x.shape[one] == 0 for one in axes):
            raise ValueError(
                f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
            )
        return Spec(x.dtype, reduced(x.shape, axis, keepdims))

    return reference, infer


def _extremum_gradient(o: Any, g: Any, out: Any, x: Any, *, axis: Axis, keepdims: bool) -> Any:
    winners = o.astype(o.equal(x, restored(o, out, x, axis, keepdims)), g.dtype)
    ties = o.sum(winners, axis=axis, keepdims=keepdims)
    return winners * restored(o, g / ties, x, axis, keepdims)


def _infer_truth(x: Spec, *, axis: Axis = None, keepdims: bool = False) -> Spec:
    return Spec(dtypes.bool_, reduced(x.shape, axis, keepdims))


def _any(x: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return OR(x, axis, bool, None, keepdims)


def _all(x: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return AND(x, axis, bool, None, keepdims)


# mean, var, std -----------------------------------------------------------------------------------
def _count_of(x: Any, axis: Axis) -> int:
    if axis is None:
        return int(x.size)
    return math.prod(x.shape[one] for one in normalized_axes(axis, x.ndim))


def _infer_mean(x: Spec, *, axis: Axis = None, keepdims: bool = False) -> Spec:
    return Spec(averaging(x.dtype), reduced(x.shape, axis, keepdims))


@quiet
def _mean(x: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    total = ADD(x, axis, averaging(x.dtype), None, keepdims)
    return np.divide(total, _count_of(x, axis))


def _mean_rule(o: Any, x: Any, *, axis: Axis, keepdims: bool) -> Any:
    total = o.sum(x, axis=axis, dtype=averaging(x.dtype), keepdims=keepdims)
    return total / count(o, x, axis)


def _mean_gradient(o: Any, g: Any, out: Any, x: Any, *, axis: Axis, keepdims: bool) -> Any:
    return o.broadcast_like(restored(o, g, x, axis, keepdims) / count(o, x, axis), x)


def _infer_var(
    x: Spec, *, axis: Axis = None, correction: float = 0, keepdims: bool = False
) -> Spec:
    return Spec(spreading(x.dtype), reduced(x.shape, axis, keepdims))


def _squared(away: Any) -> Any:
    """The squares of distances: real numbers, of complex ones, too."""
    return (away * away.conj()).real if away.dtype.kind == "c" else away * away


@quiet
def _var(x: Any, *, axis: Axis = None, correction: float = 0, keepdims: bool = False) -> Any:
    away = x - _mean(x, axis=axis, keepdims=True)
    total = ADD(_squared(away), axis, None, None, keepdims)
    return np.divide(total, max(_count_of(x, axis) - correction, 0))


def _var_rule(o: Any, x: Any, *, axis: Axis, correction: float, keepdims: bool) -> Any:
    away = x - o.mean(x, axis=axis, keepdims=True)
    squares = o.real(away * o.conj(away)) if is_complex(away) else o.square(away)
    total = o.sum(squares, axis=axis, keepdims=keepdims)
    return total / _degrees(o, x, axis, correction)


def _degrees(o: Any, x: Any, axis: Axis, correction: float) -> Any:
    number = count(o, x, axis)
    if isinstance(number, int):
        return max(number - correction, 0)
    return o.py_max2(number - correction, 0)


def _conjugate(o: Any, away: Any) -> Any:
    return o.conj(away) if is_complex(away) else away


def _var_gradient(
    o: Any, g: Any, out: Any, x: Any, *, axis: Axis, correction: float, keepdims: bool
) -> Any:
    away = x - o.mean(x, axis=axis, keepdims=True)
    return (
        restored(o, g, x, axis, keepdims)
        * 2
        * _conjugate(o, away)
        / _degrees(o, x, axis, correction)
    )


@quiet
def _std(x: Any, *, axis: Axis = None, correction: float = 0, keepdims: bool = False) -> Any:
    return np.sqrt(_var(x, axis=axis, correction=correction, keepdims=keepdims))


def _std_rule(o: Any, x: Any, *, axis: Axis, correction: float, keepdims: bool) -> Any:
    return o.sqrt(o.var(x, axis=axis, correction=correction, keepdims=keepdims))


def _std_gradient(
    o: Any, g: Any, out: Any, x: Any, *, axis: Axis, correction: float, keepdims: bool
) -> Any:
    # Where all elements are equal the gradient is 0, not 0 / 0.
    away = x - o.mean(x, axis=axis, keepdims=True)
    scale = g / o.where(o.equal(out, 0), 1, out)
    return (
        restored(o, scale, x, axis, keepdims)
        * _conjugate(o, away)
        / _degrees(o, x, axis, correction)
    )


TRUTH_SAMPLES = (
    Sample(([[True, False], [True, True]],), {"axis": 0}, gradient=False),
    Sample(([0.0, 2.0],), gradient=False),
    Sample((np.zeros((0, 2)),), {"axis": 0, "keepdims": True}, gradient=False),
)
SPREAD_SAMPLES = (
    Sample((MATRIX,)),
    Sample((MATRIX,), {"axis": -1, "keepdims": True}),
    Sample((MATRIX,), {"axis": (0, 1), "correction": 1}),
    Sample(([1, 2, 4],), gradient=False),
)

_max, _infer_max = _extremum(np.maximum)
_min, _infer_min = _extremum(np.minimum)


def _reduction(
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
        lowering=Reduction(name),
        samples=samples,
    )


def _decomposed(
    name: str,
    summary: str,
    infer: Callable[..., Spec],
    reference: Callable[..., Any],
    gradient: Any,
    rule: Callable[..., Any],
    samples: tuple[Sample, ...],
) -> Op:
    return Op(
        name=name,
        summary=summary,
        infer=infer,
        reference=reference,
        gradient=(typed(gradient, 0),),
        lowering=Decomposition(rule),
        samples=samples,
    )


EXTREMUM_SAMPLES = (
    *FLOAT_SAMPLES,
    Sample(([[3, 1], [2, 3]],), {"axis": 0}, gradient=False),
    Sample(([1.0, np.nan],), gradient=False),
)

RECORDS = (
    _reduction(
        "sum",
        "The sum of the elements; small integers and bool are summed in 64 bits.",
        _infer_sum,
        _sum,
        _sum_gradient,
        SUM_SAMPLES,
    ),
    _reduction(
        "prod",
        "The product of the elements; small integers and bool are multiplied in 64 bits.",
        _infer_sum,
        _prod,
        _prod_gradient,
        (*SUM_SAMPLES, Sample(([[0.0, 2.0, 3.0], [0.0, 0.0, 5.0]],), {"axis": 1})),
    ),
    _reduction(
        "max",
        "The largest element; NaN where there is one. Ties share the gradient evenly.",
        _infer_max,
        _max,
        _extremum_gradient,
        EXTREMUM_SAMPLES,
    ),
    _reduction(
        "min",
        "The smallest element; NaN where there is one. Ties share the gradient evenly.",
        _infer_min,
        _min,
        _extremum_gradient,
        EXTREMUM_SAMPLES,
    ),
    _reduction("any", "Whether any is true (not zero).", _infer_truth, _any, None, TRUTH_SAMPLES),
    _reduction("all", "Whether all are true (not zero).", _infer_truth, _all, None, TRUTH_SAMPLES),
    _decomposed(
        "mean",
        "The mean of the elements; of integers a float64.",
        _infer_mean,
        _mean,
        _mean_gradient,
        _mean_rule,
        SUM_SAMPLES,
    ),
    _decomposed(
        "var",
        "The variance: squared distances from the mean, summed, divided by n - correction.",
        _infer_var,
        _var,
        _var_gradient,
        _var_rule,
        SPREAD_SAMPLES,
    ),
    _decomposed(
        "std",
        "The standard deviation: the square root of `var`.",
        _infer_var,
        _std,
        _std_gradient,
        _std_rule,
        (*SPREAD_SAMPLES, Sample(([2.0, 2.0],), gradient=False)),
    ),
)
