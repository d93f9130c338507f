"""Counts, differences, middles, and whether values are close: functions made of ops."""

from __future__ import annotations

import math
from typing import Any

from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import may_be_zero
from autograph.runtime.core.numpy_versions import RESHAPES_TO_MERGE
from autograph.runtime.core.spec import normalized_axis
from autograph.runtime.ops.inference import averaging
from autograph.runtime.ops.shaping.shapes import shape_of


def count_nonzero(o: Any, x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    """How many elements along an axis are not zero."""
    found = o.not_equal(o.asarray_or_same(x), 0)
    return o.sum(found, axis=axis, keepdims=keepdims, dtype=dtypes.int64)


def diff(
    o: Any, x: Any, /, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None
) -> Any:
    """The differences of neighbours along an axis, `n` times over."""
    x = o.asarray_or_same(x)
    along = normalized_axis(axis, x.ndim)
    if n < 0:
        raise ValueError(f"diff takes differences {n} times over: not below 0")
    parts = [prepend, x, append] if n else [x]
    joined = [o.asarray_or_same(one) for one in parts if one is not None]
    if len(joined) > 1:
        x = o.concat(joined, axis=along)
    before = (slice(None),) * along
    for _ in range(n):
        later, earlier = x[(*before, slice(1, None))], x[(*before, slice(None, -1))]
        x = o.not_equal(later, earlier) if x.dtype.kind == "b" else later - earlier
    return x


def isclose(
    o: Any,
    x: Any,
    y: Any,
    /,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> Any:
    """Whether |x - y| <= atol + rtol * |y|; equal infinities are close."""
    x, y = o.paired(x, y)
    if not hasattr(y, "shape"):
        y = o.add(o.zeros_like(x), y)
    if not hasattr(x, "shape"):
        x = o.add(o.zeros_like(y), x)
    if (x.dtype if hasattr(x, "dtype") else y.dtype).kind in "biu":
        x, y = o.astype(x, dtypes.float64), o.astype(y, dtypes.float64)
    near = o.less_equal(o.abs(o.subtract(x, y)), atol + rtol * o.abs(y))
    close = o.where(o.logical_and(o.isfinite(x), o.isfinite(y)), near, o.equal(x, y))
    if not equal_nan:
        return close
    return o.logical_or(close, o.logical_and(o.isnan(x), o.isnan(y)))


def allclose(
    o: Any,
    x: Any,
    y: Any,
    /,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> Any:
    """Whether all elements are close; see `isclose`."""
    return o.all(isclose(o, x, y, rtol=rtol, atol=atol, equal_nan=equal_nan))


def _in_front(o: Any, x: Any, axes: tuple[int, ...]) -> tuple[Any, list[int]]:
    """x with several of its axes as one, the first, and which axes these are."""
    along = [normalized_axis(one, x.ndim) for one in axes]
    if len(set(along)) != len(along):
        raise ValueError("repeated axis")
    if len(along) == 1:
        return o.moveaxis(x, along[0], 0), along
    rest = [one for one in range(x.ndim) if one not in along]
    x = o.permute_dims(x, tuple(rest + along))
    sizes = [o.dimension(x, one) for one in range(x.ndim)]
    # (-1 is not known where one of the others is 0: `reshape` raises)
    merged = -1 if RESHAPES_TO_MERGE else math.prod(sizes[len(rest) :])
    x = o.reshape(x, (*sizes[: len(rest)], merged))
    return o.moveaxis(x, -1, 0), sorted(along)


METHODS = ("linear", "lower", "higher", "nearest", "midpoint")


def quantile(
    o: Any,
    x: Any,
    q: Any,
    /,
    axis: int | tuple[int, ...] | None = None,
    method: str = "linear",
    keepdims: bool = False,
) -> Any:
    """The value below which the share `q` of the elements is.

    Between the two nearest by a line, or, by the `method`, the "lower" or "higher" one of them, the
    "nearest", or the "midpoint". With several q, the first axis of the result is theirs. NaN where
    there is one.
    """
    if method not in METHODS:
        raise ValueError(f"the method is one of {', '.join(METHODS)}, not {method!r}")
    x = o.asarray_or_same(x)
    x = o.astype(x, averaging(x.dtype))
    for one in q if isinstance(q, list | tuple) else [q]:
        if isinstance(one, int | float) and not 0 <= one <= 1:
            raise ValueError(f"quantile takes shares from 0 to 1, not {one}")
    q = o.asarray(q, dtype=x.dtype)
    rank = x.ndim
    if axis is None:
        x, along = o.reshape(x, (-1,)), [*range(rank)]
    elif isinstance(axis, tuple):
        x, along = _in_front(o, x, axis)
    else:
        along = [normalized_axis(axis, rank)]
        x = o.moveaxis(x, along[0], 0)
    size = o.dimension(x, 0)
    place = q * (size - 1)
    if method == "midpoint":
        place = (o.floor(place) + o.ceil(place)) / 2
    elif method != "linear":
        place = {"lower": o.floor, "higher": o.ceil, "nearest": o.round}[method](place)
    low = o.floor(place)
    share = o.expand_dims(place - low, tuple(range(q.ndim, q.ndim + x.ndim - 1)))
    below = o.astype(low, dtypes.int64)
    above = o.minimum(below + 1, size - 1)
    lower, upper = _between(o, x, below, above)
    # Two that are alike, infinite ones too, have no distance; nor has one that is hit.
    alike = (lower == upper) & ~o.isfinite(lower)
    # Nothing between -inf and a number is nearer to the number.
    endless = (lower == float("-inf")) & (upper < float("inf"))
    stays = alike | endless | (share == 0)
    distance = o.where(stays, 0, upper - lower)
    # from the nearer of the two, as NumPy rounds
    from_upper = ~stays & (share >= 0.5)
    found = o.where(from_upper, upper - distance * (1 - share), lower + distance * share)
    if x.dtype.kind == "f":
        found = o.where(o.any(o.isnan(x), axis=0), float("nan"), found)
    if not keepdims:
        return found
    return o.expand_dims(found, tuple(q.ndim + one for one in along))


def _between(o: Any, x: Any, below: Any, above: Any) -> tuple[Any, Any]:
    """The order statistics at these places: their axes first."""
    if below.ndim > 1:
        raise ValueError("quantile takes one q, or several on one axis")
    several = below.ndim == 1
    if not several:
        below, above = o.reshape(below, (1,)), o.reshape(above, (1,))
    found = o.order_statistics(x, o.concat([below, above], axis=0))
    count = o.dimension(below, 0)
    lower, upper = found[:count], found[count:]
    return (lower, upper) if several else (o.squeeze(lower, 0), o.squeeze(upper, 0))


def median(
    o: Any, x: Any, /, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Any:
    """The middle of the elements in order, or the mean of the two in the middle."""
    x = o.asarray_or_same(x)
    x = o.astype(x, averaging(x.dtype))
    if axis is None:
        kept = x.ndim if keepdims else 0
        found = median(o, o.reshape(x, (-1,)), axis=0) if x.ndim != 1 else median(o, x, axis=0)
        return o.expand_dims(found, tuple(range(kept))) if kept else found
    if isinstance(axis, tuple):
        x, places = _in_front(o, x, axis)
        found = median(o, x, axis=0)
        return o.expand_dims(found, tuple(places)) if keepdims else found
    along = normalized_axis(axis, x.ndim)
    if may_be_zero(shape_of(x)[along]):  # of no elements it is NaN
        sizes = [o.dimension(x, n) for n in range(x.ndim)]
        size = o.dimension(x, along)
        sizes[along] = 1 - o.to_int(o.minimum(o.asarray(size), 1))
        nothing = o.astype(o.full(tuple(sizes), float("nan")), x.dtype)
        x = o.concat([x, nothing], axis=along)
    x = o.moveaxis(x, along, 0)
    size = o.astype(o.asarray(o.dimension(x, 0)), dtypes.int64)
    below, above = (size - 1) // 2, size // 2
    lower, upper = _between(o, x, below, above)
    found = o.where(below == above, lower, (lower + upper) / 2)
    if x.dtype.kind == "f":
        found = o.where(o.any(o.isnan(x), axis=0), float("nan"), found)
    return o.expand_dims(found, along) if keepdims else found


FUNCTIONS = (count_nonzero, diff, isclose, allclose, quantile, median)
