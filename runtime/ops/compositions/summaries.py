"""What sums up many numbers: without NaN, weighted, together, counted into bins."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from autograph.runtime.core import dtypes
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.dims import may_be_zero
from autograph.runtime.core.spec import normalized_axis
from autograph.runtime.ops.compositions.assembly import ravel
from autograph.runtime.ops.inference import averaging, spreading
from autograph.runtime.ops.shaping.shapes import shape_of


# without NaN --------------------------------------------------------------------------------------
def _filled(o: Any, x: Any, value: float) -> tuple[Any, Any]:
    """x with `value` for NaN, and where x is a number."""
    x = o.asarray_or_same(x)
    if x.dtype.kind not in "fc":
        return x, o.ones_like(x, dtype=dtypes.bool_)
    absent = o.isnan(x)
    return o.where(absent, value, x), o.logical_not(absent)


def nansum(o: Any, x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The sum of the elements that are not NaN."""
    return o.sum(_filled(o, x, 0)[0], axis=axis, dtype=dtype, keepdims=keepdims)


def nanprod(o: Any, x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The product of the elements that are not NaN."""
    return o.prod(_filled(o, x, 1)[0], axis=axis, dtype=dtype, keepdims=keepdims)


def nanmean(o: Any, x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean of the elements that are not NaN; NaN where there is none."""
    filled, present = _filled(o, x, 0)
    dtype = averaging(filled.dtype)
    total = o.sum(filled, axis=axis, dtype=dtype, keepdims=keepdims)
    return total / o.sum(o.astype(present, dtype), axis=axis, keepdims=keepdims)


def nanvar(
    o: Any, x: Any, /, axis: Any = None, *, correction: float = 0, keepdims: bool = False
) -> Any:
    """The variance of the elements that are not NaN; NaN where there is none."""
    filled, present = _filled(o, x, 0)
    away = filled - nanmean(o, x, axis=axis, keepdims=True)
    squared = o.real(away * o.conj(away)) if away.dtype.kind == "c" else away * away
    squares = o.where(present, squared, 0)
    count = o.sum(o.astype(present, squares.dtype), axis=axis, keepdims=keepdims) - correction
    total = o.sum(squares, axis=axis, keepdims=keepdims)
    return o.where(o.greater(count, 0), total / count, math.nan)


def nanstd(
    o: Any, x: Any, /, axis: Any = None, *, correction: float = 0, keepdims: bool = False
) -> Any:
    """The standard deviation of the elements that are not NaN."""
    variance = nanvar(o, x, axis=axis, correction=correction, keepdims=keepdims)
    spread = o.not_equal(variance, 0)  # of equal elements the gradient is 0
    return o.where(spread, o.sqrt(o.where(spread, variance, 1)), 0)


def nanmax(o: Any, x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest element that is not NaN; NaN where there is none."""
    return _extreme(o, o.max, x, axis, keepdims, -math.inf)


def nanmin(o: Any, x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    """The smallest element that is not NaN; NaN where there is none."""
    return _extreme(o, o.min, x, axis, keepdims, math.inf)


def _extreme(o: Any, reduce: Any, x: Any, axis: Any, keepdims: bool, least: float) -> Any:
    x = o.asarray_or_same(x)
    if x.dtype.kind != "f":
        return reduce(x, axis=axis, keepdims=keepdims)
    filled, present = _filled(o, x, least)
    found = reduce(filled, axis=axis, keepdims=keepdims)
    return o.where(o.any(present, axis=axis, keepdims=keepdims), found, math.nan)


def nanargmax(o: Any, x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any:
    """Where the first largest element is that is not NaN."""
    return o.argmax(_filled(o, x, -math.inf)[0], axis=axis, keepdims=keepdims)


def nanargmin(o: Any, x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any:
    """Where the first smallest element is that is not NaN."""
    return o.argmin(_filled(o, x, math.inf)[0], axis=axis, keepdims=keepdims)


# spreads ------------------------------------------------------------------------------------------
def ptp(o: Any, x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest less the smallest element."""
    x = o.asarray_or_same(x)
    return o.max(x, axis=axis, keepdims=keepdims) - o.min(x, axis=axis, keepdims=keepdims)


def average(
    o: Any,
    x: Any,
    /,
    axis: Any = None,
    weights: Any = None,
    returned: bool = False,
    keepdims: bool = False,
) -> Any:
    """The mean, each element counted by its weight; with `returned`, also the sum of the weights.

    Weights have the shape of x, or are one for each element along an axis.
    """
    x = o.asarray_or_same(x)
    if weights is None:
        found = o.mean(x, axis=axis, keepdims=keepdims)
        share = o.mean(o.ones_like(x, dtype=found.dtype), axis=axis, keepdims=keepdims)
        count = o.sum(o.ones_like(x, dtype=found.dtype), axis=axis, keepdims=keepdims)
        return (found, share * count) if returned else found
    weights = o.asarray_or_same(weights)
    if weights.ndim != x.ndim:
        if not isinstance(axis, int) or weights.ndim != 1:
            raise TypeError("weights that are not shaped as x are one for each place along an axis")
        behind = tuple(range(1, x.ndim - normalized_axis(axis, x.ndim)))
        weights = o.expand_dims(weights, behind) if behind else weights
        weights = o.broadcast_like(weights, x)
    if x.dtype.kind not in "fc" and weights.dtype.kind not in "fc":
        weights = o.astype(weights, dtypes.float64)
    total = o.sum(weights, axis=axis, keepdims=keepdims)
    found = o.sum(x * weights, axis=axis, keepdims=keepdims) / total
    return (found, total) if returned else found


def cov(
    o: Any, m: Any, /, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None
) -> Any:
    """The covariances of variables, each a row of m (a column, without `rowvar`), and of y.

    Divided by the number of observations less `ddof`: 1, or 0 with `bias`, unless it is given.
    """
    x = _variables(o, m, rowvar)
    if y is not None:
        x = o.concat([x, _variables(o, y, rowvar)], axis=0)
    x = o.astype(x, averaging(x.dtype))
    correction = (0 if bias else 1) if ddof is None else ddof
    away = x - o.mean(x, axis=1, keepdims=True)
    turned = o.matrix_transpose(away)
    turned = o.conj(turned) if x.dtype.kind == "c" else turned
    count = o.py_max2(o.dimension(x, 1) - correction, 0)
    product = o.matmul(away, turned) * (1 / o.asarray(count, dtype=spreading(x.dtype)))
    return _squeezed(o, product)


def _squeezed(o: Any, x: Any) -> Any:
    single = tuple(axis for axis, size in enumerate(x.shape) if isinstance(size, int) and size == 1)
    return o.squeeze(x, single) if single else x


def _variables(o: Any, m: Any, rowvar: bool) -> Any:
    m = o.asarray_or_same(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    m = o.expand_dims(m, tuple(range(2 - m.ndim)))
    alone = isinstance(m.shape[0], int) and m.shape[0] == 1
    return m if rowvar or alone else o.matrix_transpose(m)


def corrcoef(o: Any, x: Any, /, y: Any = None, rowvar: bool = True) -> Any:
    """The correlations of variables, from -1 to 1; see `cov`."""
    found = cov(o, x, y, rowvar)
    if not found.ndim:
        return found / found
    scale = o.sqrt(o.diagonal(found))
    scale = o.real(scale) if scale.dtype.kind == "c" else scale
    found = found / o.expand_dims(scale, 1) / o.expand_dims(scale, 0)
    return found if found.dtype.kind == "c" else o.clip(found, -1, 1)


# bins ---------------------------------------------------------------------------------------------
def digitize(o: Any, x: Any, bins: Any, /, right: bool = False) -> Any:
    """In which bin each element is: how many of the edges, which rise or fall, are below it.

    An element that is an edge is in the bin above it, with `right` in the one below it.
    """
    x, bins = o.operands((x, bins))
    if bins.ndim != 1:
        raise ValueError("object too deep for desired array")
    side = "left" if right else "right"
    rising = o.searchsorted(bins, x, side=side)
    falling = o.searchsorted(o.flip(bins), x, side=side)
    falls = o.any(o.less(bins[-1:], bins[:1]))  # of no edges, too
    return o.where(falls, o.dimension(bins, 0) - falling, rising)


def bincount(o: Any, x: Any, /, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each of 0, 1, 2, ... is in x, or the sums of the weights there.

    As long as the largest element says, and at least `minlength`. ValueError for one below 0.
    """
    x = o.asarray_or_same(x)
    if x.ndim != 1 or x.dtype.kind not in "biu":
        raise ValueError("bincount takes integers along one axis")
    size = o.dimension(x, 0)
    if isinstance(size, int) and size == 0:
        return o.zeros((minlength,), dtype=dtypes.int64 if weights is None else dtypes.float64)
    told = "'list' argument must have no negative elements"
    x = o.checked_counts(o.astype(x, dtypes.int64), told=told)
    largest = o.max(o.concat([x, o.asarray([-1])])) if may_be_zero(shape_of(x)[0]) else o.max(x)
    length = o.number_of(o.maximum(largest + 1, minlength), int)
    given = o.ones_like(x) if weights is None else o.asarray_or_same(weights)
    given = given if weights is None else o.astype(given, dtypes.float64)
    return o.scatter_add(o.zeros((length,), dtype=given.dtype), x, given)


class HistogramResult(NamedTuple):
    """How many elements, or which sum of weights, each bin has; and the edges of the bins."""

    histogram: Any
    bin_edges: Any


def histogram(
    o: Any, x: Any, /, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> HistogramResult:
    """How many elements are in each bin: (counts, edges). The last bin has its right edge, too.

    `bins`: so many of equal width over `range`, or from the smallest to the largest element; or
    their edges, rising. `density`: divided by the widths and the number of elements.
    """
    x = ravel(o, o.asarray_or_same(x))
    edges = _edges(o, x, bins, range)
    count = o.dimension(edges, 0) - 1
    place = o.searchsorted(edges, x, side="right") - 1
    place = o.where(o.equal(x, edges[-1]), count - 1, place)
    inside = o.logical_and(o.greater_equal(x, edges[0]), o.less_equal(x, edges[-1]))
    place = o.where(inside, place, count)  # a bin behind the last one, for those outside
    given = o.ones_like(place) if weights is None else ravel(o, o.asarray_or_same(weights))
    found = o.scatter_add(o.zeros((count + 1,), dtype=given.dtype), place, given)[:-1]
    if density:
        widths = edges[1:] - edges[:-1]
        found = found / widths / o.sum(found)
    return HistogramResult(found, edges)


def _edges(o: Any, x: Any, bins: Any, range: Any) -> Any:
    if isinstance(bins, str):
        raise StagingError(
            f"a histogram with bins={bins!r}, chosen by the elements",
            remedy="give the number of bins",
        )
    if getattr(bins, "ndim", 0) or isinstance(bins, list | tuple):
        return o.asarray_or_same(bins)
    if isinstance(bins, int) and bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    wide = x.dtype if x.dtype.kind == "f" else dtypes.float64
    size = o.dimension(x, 0)
    if range is not None:
        low, high = (o.astype(o.asarray(one, dtype=wide), wide) for one in range)
    elif isinstance(size, int) and size == 0:
        low, high = o.zeros((), dtype=wide), o.ones((), dtype=wide)
    elif may_be_zero(shape_of(x)[0]):
        some = o.greater(o.asarray(size), 0)
        padded = o.concat([x, o.zeros((1 - o.to_int(o.minimum(o.asarray(size), 1)),), x.dtype)])
        low, high = o.astype(o.min(padded), wide), o.astype(o.max(padded), wide)
        high = o.where(some, high, 1)
    else:
        low, high = o.astype(o.min(x), wide), o.astype(o.max(x), wide)
    same = o.equal(low, high)
    low, high = o.where(same, low - 0.5, low), o.where(same, high + 0.5, high)
    low, high = o.astype(low, dtypes.float64), o.astype(high, dtypes.float64)
    return o.astype(o.linspace(low, high, bins + 1), wide)


# order --------------------------------------------------------------------------------------------
class TopK(NamedTuple):
    """The largest elements, which fall, and where they are."""

    values: Any
    indices: Any


def top_k(o: Any, x: Any, k: Any, /, axis: int = -1) -> TopK:
    """The k largest elements along an axis, the largest first, and their places there."""
    x = o.asarray_or_same(x)
    along = normalized_axis(axis, x.ndim)
    places = o.argsort(x, axis=along, descending=True)[(*(slice(None),) * along, slice(0, k))]
    return TopK(o.take_along_axis(x, places, axis=along), places)


def partition(o: Any, x: Any, kth: Any, /, axis: int | None = -1) -> Any:
    """x with the element at `kth` where it is in order, smaller ones before it: in order wholly."""
    x = o.asarray_or_same(x)
    return o.sort(ravel(o, x)) if axis is None else o.sort(x, axis=axis)


def argpartition(o: Any, x: Any, kth: Any, /, axis: int | None = -1) -> Any:
    """The places of the elements as `partition` has them."""
    x = o.asarray_or_same(x)
    return o.argsort(ravel(o, x)) if axis is None else o.argsort(x, axis=axis)


def percentile(
    o: Any,
    x: Any,
    q: Any,
    /,
    axis: int | tuple[int, ...] | None = None,
    method: str = "linear",
    keepdims: bool = False,
) -> Any:
    """`quantile` of q hundredths."""
    shares = [one / 100 for one in q] if isinstance(q, list | tuple) else q / 100
    return o.quantile(x, shares, axis=axis, method=method, keepdims=keepdims)


FUNCTIONS = (
    *(nansum, nanprod, nanmean, nanvar, nanstd, nanmax, nanmin, nanargmax, nanargmin),
    *(ptp, average, cov, corrcoef, digitize, bincount, histogram),
    *(top_k, partition, argpartition, percentile),
)
