"""NumPy's functions that reduce axes, or run along one."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.arrays.table import implements, strong_dtype, tensor_of
from autograph.runtime.core.number import Number
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS

NONE = np._NoValue


def _over(a: Any, where: Any, neutral: Any) -> Any:
    """`a` with what does not count replaced."""
    a = tensor_of(a)
    if where is NONE or where is True:
        return a
    return OPS.where(where, a, OPS.full_like(a, neutral))


def _begun(result: Any, initial: Any, function: Callable[[Any, Any], Any]) -> Any:
    if initial is NONE or initial is None:
        return result
    given = OPS.asarray(initial, dtype=strong_dtype(initial))
    return function(result, OPS.astype(given, result.dtype))


def _only(a: Any, axis: Any, keepdims: Any, initial: Any) -> Any:
    """A reduction of no elements: what it begins with."""
    a = tensor_of(a)
    empty = OPS.astype(sum(a, axis, None, keepdims), a.dtype)
    return OPS.full_like(empty, OPS.astype(OPS.asarray(initial), a.dtype))


def _begun_with(a: Any, axis: Any, initial: Any) -> Any:
    """`a` and what a reduction of it begins with: along an axis of which only the run tells whether
    it has elements, as one more."""
    if initial is NONE or isinstance(axis, tuple) or _is_known(shape_of(a)):
        return a
    first = OPS.astype(OPS.asarray(initial), a.dtype)
    if axis is not None:
        sums = OPS.astype(OPS.sum(a, axis=axis, keepdims=True), a.dtype)
        return OPS.concat([OPS.full_like(sums, first), a], axis=axis)
    whole = OPS.concat([OPS.reshape(first, (1,)), OPS.reshape(a, (-1,))])
    return OPS.reshape(whole, (1,) * (len(a.shape) - 1) + (-1,))


def _is_known(sizes: Any) -> bool:
    """Whether all sizes are known."""
    return builtins.all(isinstance(one, int) for one in sizes)


def _kept(keepdims: Any) -> bool:
    return False if keepdims is NONE else bool(keepdims)


def _named(dtype: Any) -> Any:
    return None if dtype is None else np.dtype(dtype)


@implements(np.sum)
def sum(
    a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, initial: Any = NONE,
    where: Any = NONE,
) -> Any:  # fmt: skip
    made = OPS.sum(_over(a, where, 0), axis=axis, dtype=_named(dtype), keepdims=_kept(keepdims))
    return _begun(made, initial, OPS.add)


@implements(np.prod)
def prod(
    a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, initial: Any = NONE,
    where: Any = NONE,
) -> Any:  # fmt: skip
    made = OPS.prod(_over(a, where, 1), axis=axis, dtype=_named(dtype), keepdims=_kept(keepdims))
    return _begun(made, initial, OPS.multiply)


@implements(np.max, np.amax)
def max(
    a: Any, axis: Any = None, keepdims: Any = False, initial: Any = NONE, where: Any = NONE
) -> Any:
    if initial is not NONE and 0 in shape_of(tensor_of(a)):
        return _only(a, axis, keepdims, initial)
    _require_initial("maximum", where, initial)
    whole = _begun_with(_over(a, where, initial), axis, initial)
    made = OPS.max(whole, axis=axis, keepdims=_kept(keepdims))
    return _begun(made, initial, OPS.maximum)


@implements(np.min, np.amin)
def min(
    a: Any, axis: Any = None, keepdims: Any = False, initial: Any = NONE, where: Any = NONE
) -> Any:
    if initial is not NONE and 0 in shape_of(tensor_of(a)):
        return _only(a, axis, keepdims, initial)
    _require_initial("minimum", where, initial)
    whole = _begun_with(_over(a, where, initial), axis, initial)
    made = OPS.min(whole, axis=axis, keepdims=_kept(keepdims))
    return _begun(made, initial, OPS.minimum)


@implements(np.all)
def all(a: Any, axis: Any = None, keepdims: Any = False, where: Any = NONE) -> Any:
    return OPS.all(_over(a, where, True), axis=axis, keepdims=_kept(keepdims))


@implements(np.any)
def any(a: Any, axis: Any = None, keepdims: Any = False, where: Any = NONE) -> Any:
    return OPS.any(_over(a, where, False), axis=axis, keepdims=_kept(keepdims))


def _averaged(a: Any, dtype: Any) -> Any:
    a = tensor_of(a)
    return a if dtype is None else OPS.astype(a, np.dtype(dtype))


@implements(np.mean)
def mean(
    a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, *, where: Any = NONE
) -> Any:
    if _chooses(where):
        a = _averaged(a, dtype)
        counted = OPS.where(where, OPS.ones_like(a, dtype=np.dtype(np.int64)), 0)
        count = OPS.sum(counted, axis=axis, keepdims=_kept(keepdims))
        return OPS.divide(sum(a, axis, dtype, keepdims, where=where), OPS.astype(count, a.dtype))
    wanted = None if dtype is None else np.dtype(dtype)
    if wanted is not None and wanted.kind in "biu":  # the quotient is cast, too
        total = sum(a, axis, np.dtype(np.int64) if wanted.kind == "b" else wanted, keepdims)
        count = sum(OPS.ones_like(tensor_of(a), dtype=np.dtype(np.int64)), axis, None, keepdims)
        return OPS.astype(OPS.divide(total, count), wanted)
    return OPS.mean(_averaged(a, dtype), axis=axis, keepdims=_kept(keepdims))


def _correction(ddof: Any, correction: Any) -> Any:
    return ddof if correction is NONE else correction


def _require_initial(function: str, where: Any, initial: Any) -> None:
    """ValueError where elements are chosen and nothing is said of none of them."""
    if _chooses(where) and initial is NONE:
        raise ValueError(
            f"reduction operation '{function}' does not have an identity, so to use a where mask "
            "one has to specify 'initial'"
        )


def _chooses(where: Any) -> bool:
    """Whether `where` is given, and is not True alone."""
    return where is not NONE and where is not True


def _var_where(a: Any, axis: Any, correction: Any, keepdims: bool, where: Any) -> Any:
    """The variance of the elements that count."""
    a = a if a.dtype.kind in "fc" else OPS.astype(a, np.dtype(float))
    where = OPS.broadcast_like(tensor_of(where if _chooses(where) else True), a)
    count = OPS.sum(where, axis=axis, keepdims=True, dtype=np.dtype(np.int64))
    total = OPS.sum(OPS.where(where, a, 0), axis=axis, keepdims=True)
    away = a - total / OPS.astype(count, a.dtype)
    squares = OPS.real(away * OPS.conj(away)) if a.dtype.kind == "c" else away * away
    squares = OPS.where(where, squares, 0)
    counted = count if keepdims else OPS.sum(where, axis=axis, dtype=np.dtype(np.int64))
    degrees = OPS.astype(OPS.maximum(counted - correction, 0), squares.dtype)
    return OPS.sum(squares, axis=axis, keepdims=keepdims) / degrees


@implements(np.var)
def var(
    a: Any, axis: Any = None, dtype: Any = None, ddof: Any = 0, keepdims: Any = False,
    correction: Any = NONE, *, where: Any = NONE,
) -> Any:  # fmt: skip
    chosen = _correction(ddof, correction)
    if dtype is not None and np.dtype(dtype).kind not in "fc":
        raise NotImplementedError
    if _chooses(where) or isinstance(chosen, Number):
        found = _var_where(_averaged(a, dtype), axis, chosen, _kept(keepdims), where)
        return found
    return OPS.var(_averaged(a, dtype), axis=axis, correction=chosen, keepdims=_kept(keepdims))


@implements(np.std)
def std(
    a: Any, axis: Any = None, dtype: Any = None, ddof: Any = 0, keepdims: Any = False,
    correction: Any = NONE, *, where: Any = NONE,
) -> Any:  # fmt: skip
    chosen = _correction(ddof, correction)
    if dtype is not None and np.dtype(dtype).kind not in "fc":
        raise NotImplementedError
    if _chooses(where) or isinstance(chosen, Number):
        found = _var_where(_averaged(a, dtype), axis, chosen, _kept(keepdims), where)
        return OPS.sqrt(found)
    return OPS.std(_averaged(a, dtype), axis=axis, correction=chosen, keepdims=_kept(keepdims))


@implements(np.argmax)
def argmax(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    return OPS.argmax(tensor_of(a), axis=axis, keepdims=_kept(keepdims))


@implements(np.argmin)
def argmin(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    return OPS.argmin(tensor_of(a), axis=axis, keepdims=_kept(keepdims))


def _running(function: Callable[..., Any], a: Any, axis: Any, dtype: Any) -> Any:
    a = tensor_of(a)
    if axis is None:
        a, axis = OPS.reshape(a, (-1,)), 0
    return function(a, axis=axis, dtype=_named(dtype))


@implements(np.cumsum)
def cumsum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    return _running(OPS.cumulative_sum, a, axis, dtype)


@implements(np.cumprod)
def cumprod(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    return _running(OPS.cumulative_prod, a, axis, dtype)


@implements(np.ptp)
def ptp(a: Any, axis: Any = None, keepdims: Any = False) -> Any:
    return max(a, axis, keepdims) - min(a, axis, keepdims)


@implements(np.median)
def median(a: Any, axis: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    a = tensor_of(a)
    if a.dtype.kind == "c":
        raise NotImplementedError
    return OPS.median(a, axis=axis, keepdims=keepdims)


@implements(np.quantile)
def quantile(
    a: Any, q: Any, axis: Any = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    if method != "linear":
        raise NotImplementedError
    a = tensor_of(a)
    if a.dtype == bool:
        np.subtract(True, True)  # NumPy's own error
    if isinstance(q, list | tuple | Tensor | np.ndarray | np.generic):  # not weak, as numbers are
        a, q = OPS.astype(a, np.result_type(a.dtype, strong_dtype(q))), tensor_of(q)
        if q.ndim > 1:
            found = OPS.quantile(a, OPS.reshape(q, (-1,)), axis=axis, keepdims=keepdims)
            return OPS.reshape(found, (*shape_of(q), *shape_of(found)[1:]))
    return OPS.quantile(a, q, axis=axis, keepdims=keepdims)


@implements(np.percentile)
def percentile(
    a: Any, q: Any, axis: Any = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    part = [one / 100 for one in q] if isinstance(q, list | tuple) else q / 100
    return quantile(a, part, axis, overwrite_input, method, keepdims)


@implements(np.count_nonzero)
def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return OPS.count_nonzero(tensor_of(a), axis=axis, keepdims=keepdims)


@implements(np.average)
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False
) -> Any:
    a = tensor_of(a)
    if weights is None:
        made = OPS.mean(a, axis=axis, keepdims=_kept(keepdims))
        if not returned:
            return made
        total = OPS.sum(OPS.ones_like(a), axis=axis, keepdims=_kept(keepdims))
        return made, OPS.astype(total, made.dtype)
    weights = tensor_of(weights)
    wide = (np.dtype(np.float64),) if a.dtype.kind in "biu" else ()
    dtype = np.result_type(a.dtype, weights.dtype, *wide)
    a, weights = OPS.astype(a, dtype), OPS.astype(weights, dtype)
    if len(weights.shape) < len(a.shape) and isinstance(axis, tuple):
        places = [one % len(a.shape) for one in axis]
        weights = OPS.permute_dims(weights, tuple(np.argsort(places).tolist()))
        apart = [one for one in range(len(a.shape)) if one not in places]
        weights = OPS.expand_dims(weights, tuple(apart))
    elif len(weights.shape) < len(a.shape) and axis is not None:
        for _ in range(len(a.shape) - 1 - axis % len(a.shape)):
            weights = OPS.expand_dims(weights, -1)
    whole = OPS.sum(OPS.broadcast_like(weights, a), axis=axis, keepdims=_kept(keepdims))
    made = OPS.sum(a * weights, axis=axis, keepdims=_kept(keepdims)) / whole
    return (made, whole) if returned else made


def _without_nan(a: Any, neutral: Any) -> tuple[Any, Any]:
    a = tensor_of(a)
    if a.dtype.kind not in "fc":
        return a, OPS.ones_like(a, dtype=np.dtype(bool))
    good = OPS.logical_not(OPS.isnan(a))
    return OPS.where(good, a, OPS.full_like(a, neutral)), good


@implements(np.nansum)
def nansum(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    return sum(_without_nan(a, 0)[0], axis, dtype, keepdims)


@implements(np.nanmean)
def nanmean(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    if tensor_of(a).dtype.kind not in "fc":
        return mean(a, axis, dtype, keepdims)
    filled, good = _without_nan(_averaged(a, dtype), 0)
    found = sum(filled, axis, None, keepdims) / sum(good, axis, None, keepdims)
    return OPS.astype(found, filled.dtype)


@implements(np.nanmax)
def nanmax(a: Any, axis: Any = None, keepdims: Any = False) -> Any:
    if tensor_of(a).dtype.kind == "c":
        raise NotImplementedError  # NumPy's own code compares them
    filled, good = _without_nan(a, -np.inf)
    made = max(filled, axis, keepdims)
    if filled.dtype.kind != "f":
        return made
    return OPS.where(any(good, axis, keepdims), made, OPS.full_like(made, np.nan))


@implements(np.nanmin)
def nanmin(a: Any, axis: Any = None, keepdims: Any = False) -> Any:
    if tensor_of(a).dtype.kind == "c":
        raise NotImplementedError  # NumPy's own code compares them
    filled, good = _without_nan(a, np.inf)
    made = min(filled, axis, keepdims)
    if filled.dtype.kind != "f":
        return made
    return OPS.where(any(good, axis, keepdims), made, OPS.full_like(made, np.nan))


def _require_numbers(a: Any, axis: Any) -> None:
    """ValueError, eagerly, where only NaN is along an axis; staged, a check has been before it."""
    if STATE.interpreter is None and a.dtype.kind == "f" and a.size:
        if OPS.any(OPS.all(OPS.isnan(a), axis=axis)):
            raise ValueError("All-NaN slice encountered")


@implements(np.nanargmax)
def nanargmax(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    a = tensor_of(a)
    _require_numbers(a, axis)
    return OPS.nanargmax(a, axis=axis, keepdims=_kept(keepdims))


@implements(np.nanargmin)
def nanargmin(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    a = tensor_of(a)
    _require_numbers(a, axis)
    return OPS.nanargmin(a, axis=axis, keepdims=_kept(keepdims))
