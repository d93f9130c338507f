"""Functions of samples: interpolation, differences, integrals, convolution, polynomials."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.spec import normalized_axis
from autograph.runtime.ops.compositions.assembly import ravel
from autograph.runtime.ops.inference import averaging


# interpolation ------------------------------------------------------------------------------------
def interp(
    o: Any, x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """The values at x of the function that is `fp` at the points `xp`, which rise, and straight
    between them.

    Before the first point `left` (the first value unless given), after the last one `right`. With a
    `period`, x and xp are angles, as it were, and xp is put in order.
    """
    x, xp, fp = o.operands((x, xp, fp))
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    dtype = averaging(np.result_type(x.dtype, xp.dtype))
    x, xp = o.astype(x, dtype), o.astype(xp, dtype)
    fp = o.astype(fp, averaging(fp.dtype))
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        x, xp = o.remainder(x, abs(period)), o.remainder(xp, abs(period))
        order = o.argsort(xp)
        xp, fp = o.take(xp, order, axis=0), o.take(fp, order, axis=0)
        xp = o.concat([xp[-1:] - abs(period), xp, xp[:1] + abs(period)], axis=0)
        fp = o.concat([fp[-1:], fp, fp[:1]], axis=0)
    size = o.dimension(xp, 0)
    flat = ravel(o, x)
    place = o.minimum(o.maximum(o.searchsorted(xp, flat, side="right") - 1, 0), size - 1)
    behind = o.minimum(place + 1, size - 1)
    x0, x1, y0, y1 = (o.take(t, i, axis=0) for t in (xp, fp) for i in (place, behind))
    wide = x1 - x0
    single = o.equal(wide, 0)
    slope = (y1 - y0) / o.where(single, 1, wide)
    found = y0 + (flat - x0) * slope
    # What is no number is tried from the other end, as NumPy does; it may be 0 times infinity.
    found = o.where(o.isnan(found), y1 + (flat - x1) * slope, found)
    found = o.where(o.logical_and(o.isnan(found), o.equal(y0, y1)), y0, found)
    # At a point itself the slope only makes the gradient.
    steep = o.logical_and(o.equal(flat, x0), o.logical_not(o.isfinite(slope)))
    found = o.where(o.logical_or(single, steep), y0, found)
    found = o.where(o.less(flat, xp[0]), fp[0] if left is None else left, found)
    found = o.where(o.greater(flat, xp[-1]), fp[-1] if right is None else right, found)
    if not (isinstance(size, int) and size == 1):  # of one point NaN has the value, too
        found = o.where(o.isnan(flat), math.nan, found)
    return o.reshape_like(found, x)


# differences and integrals ------------------------------------------------------------------------
def ediff1d(o: Any, x: Any, /, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours of x, flat; with something before and behind them."""
    flat = ravel(o, o.asarray_or_same(x))
    parts = [to_begin, flat[1:] - flat[:-1], to_end]
    given = [ravel(o, o.asarray_or_same(one)) for one in parts if one is not None]
    return o.concat([o.astype(one, flat.dtype) for one in given], axis=0)


def trapezoid(o: Any, y: Any, /, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The integral of y along an axis by trapezoids: of points x, or of ones dx apart."""
    y = o.asarray_or_same(y)
    along = normalized_axis(axis, y.ndim)
    before = (slice(None),) * along
    step = dx
    if x is not None:
        x = o.asarray_or_same(x)
        step = o.diff(x, axis=0 if x.ndim == 1 else along)
        if x.ndim == 1:
            after = tuple(range(1, y.ndim - along))
            step = o.expand_dims(step, after) if after else step
    sides = y[(*before, slice(1, None))] + y[(*before, slice(None, -1))]
    return o.sum(step * sides / 2.0, axis=along)


def gradient(o: Any, f: Any, /, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """The derivative of samples along an axis, or a list of those along several, by differences.

    `varargs`: the distance of the points, or their coordinates, once or for each axis. At the ends
    by two points, or with `edge_order` 2 by three. It is NumPy's `gradient`; that of a function
    with respect to its arguments is `ag.grad`.
    """
    f = o.asarray_or_same(f)
    axes = range(f.ndim) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    along = [normalized_axis(one, f.ndim) for one in axes]
    given = list(varargs) or [1.0]
    if len(given) == 1:
        given = given * len(along)
    if len(given) != len(along):
        raise TypeError("invalid number of arguments")
    if edge_order not in (1, 2):
        raise ValueError("'edge_order' greater than 2 not supported")
    f = o.astype(f, averaging(f.dtype))
    found = []
    for one, points in zip(along, given, strict=True):
        size = o.dimension(f, one)
        if isinstance(size, int) and size < edge_order + 1:
            raise ValueError(
                "Shape of array too small to calculate a numerical gradient, at least "
                "(edge_order + 1) elements are required."
            )
        moved = o.moveaxis(f, one, -1)
        found.append(o.moveaxis(_slopes(o, moved, points, edge_order), -1, one))
    return found[0] if len(found) == 1 else found


def _slopes(o: Any, f: Any, points: Any, edge_order: int) -> Any:
    """The derivative along the last axis."""
    if not (getattr(points, "ndim", 0) or isinstance(points, list | tuple)):
        return _even_slopes(o, f, points, edge_order)
    steps = o.diff(o.asarray_or_same(points))
    slopes = (f[..., 1:] - f[..., :-1]) / steps
    h0, h1 = steps[..., :-1], steps[..., 1:]
    even = (f[..., 2:] - f[..., :-2]) / (h0 + h1)  # which does not depend on what is in the middle
    middle = (h1 * slopes[..., :-1] + h0 * slopes[..., 1:]) / (h0 + h1)
    middle = o.where(o.all(o.equal(h0, h1)), even, middle)
    first, last = slopes[..., :1], slopes[..., -1:]
    if edge_order == 2:
        first = first + (first - slopes[..., 1:2]) * h0[..., :1] / (h0 + h1)[..., :1]
        last = last + (last - slopes[..., -2:-1]) * h1[..., -1:] / (h0 + h1)[..., -1:]
    return o.concat([first, middle, last], axis=-1)


def _even_slopes(o: Any, f: Any, step: Any, edge_order: int) -> Any:
    """The derivative along the last axis, of points that are one step apart."""
    middle = (f[..., 2:] - f[..., :-2]) / (2.0 * step)
    if edge_order == 1:
        first, last = (f[..., 1:2] - f[..., :1]) / step, (f[..., -1:] - f[..., -2:-1]) / step
    else:
        outer, inner, further = 1.5 / step, 2.0 / step, 0.5 / step
        first = -outer * f[..., :1] + inner * f[..., 1:2] + -further * f[..., 2:3]
        last = further * f[..., -3:-2] + -inner * f[..., -2:-1] + outer * f[..., -1:]
    return o.concat([first, middle, last], axis=-1)


# convolution --------------------------------------------------------------------------------------
MODES = ("full", "same", "valid")


def convolve(o: Any, a: Any, v: Any, /, mode: str = "full") -> Any:
    """The convolution of two sequences: out[k] is the sum of a[k - j] * v[j].

    `mode`: "full" (all that overlap), "same" (as long as the longer one), "valid" (where they
    overlap wholly).
    """
    a, v = _sequences(o, a, v, mode)
    start = _overlap(o, a, v) // 2
    return _cut(o, _convolved(o, a, v), a, v, mode, start)


def correlate(o: Any, a: Any, v: Any, /, mode: str = "valid") -> Any:
    """The correlation of two sequences: out[k] is the sum of a[n + k] * conj(v[n]); see
    `convolve` for the modes."""
    a, v = _sequences(o, a, v, mode)
    turned = o.flip(o.conj(v) if v.dtype.kind == "c" else v)
    overlap = _overlap(o, a, v)
    shorter = o.dimension(a, 0) < o.dimension(v, 0)
    start = overlap - overlap // 2 if shorter else overlap // 2
    return _cut(o, _convolved(o, a, turned), a, v, mode, start)


def _sequences(o: Any, a: Any, v: Any, mode: str) -> tuple[Any, Any]:
    a, v = o.operands((a, v))
    if mode not in MODES:
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    if a.ndim > 1 or v.ndim > 1:
        raise ValueError("object too deep for desired array")
    a, v = ravel(o, a), ravel(o, v)
    for one in (a, v):
        size = o.dimension(one, 0)
        if isinstance(size, int) and size == 0:
            raise ValueError("a and v cannot be empty")
        if not isinstance(size, int):
            raise StagingError(
                "a convolution of sequences whose lengths only the run tells",
                remedy="give the function arguments of a fixed length, or write ag.conv1d",
            )
    return a, v


def _overlap(o: Any, a: Any, v: Any) -> Any:
    return min(o.dimension(a, 0), o.dimension(v, 0)) - 1


def _convolved(o: Any, a: Any, v: Any) -> Any:
    """All of the convolution."""
    if o.dimension(a, 0) < o.dimension(v, 0):
        a, v = v, a
    size, window = o.dimension(a, 0), o.dimension(v, 0)
    dtype = np.result_type(a.dtype, v.dtype)
    a, v = o.astype(a, dtype), o.astype(v, dtype)
    around = o.zeros((window - 1,), dtype=dtype)
    padded = o.concat([around, a, around], axis=0)
    if dtype.kind == "f":
        rows = o.reshape(padded, (1, -1, 1))
        return ravel(o, o.conv1d(rows, o.reshape(o.flip(v), (-1, 1, 1)), padding="VALID"))
    places = o.arange(size + window - 1)[:, None] + o.arange(window)[None, :]
    windows = o.reshape(o.take(padded, ravel(o, places), axis=0), (-1, window))
    return o.matmul(windows, o.flip(v))


def _cut(o: Any, whole: Any, a: Any, v: Any, mode: str, start: Any) -> Any:
    if mode == "full":
        return whole
    longer, overlap = max(o.dimension(a, 0), o.dimension(v, 0)), _overlap(o, a, v)
    if mode == "same":
        return whole[start : start + longer]
    return whole[overlap:longer]


# polynomials --------------------------------------------------------------------------------------
def polyval(o: Any, p: Any, x: Any, /) -> Any:
    """The values at x of the polynomial whose coefficients are p, the highest power first."""
    p, x = o.operands((p, x))
    size = o.dimension(p, 0)
    if not isinstance(size, int):
        raise StagingError(
            "polyval of a number of coefficients that only the run tells",
            remedy="write the loop: for c in p: y = y * x + c",
        )
    found = o.zeros_like(x)
    for place in range(size):
        found = found * x + p[place]
    return found


_MOST_PRODUCTS = 32
"""So many columns are products of the one before with x, as NumPy makes them all."""


def vander(o: Any, x: Any, /, N: int | None = None, increasing: bool = False) -> Any:
    """The matrix whose columns are powers of x, the highest first."""
    x = o.asarray_or_same(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    count = o.dimension(x, 0) if N is None else N
    if isinstance(count, int) and 0 < count <= _MOST_PRODUCTS:
        rising = [o.ones_like(x)]
        for _ in range(count - 1):
            rising.append(rising[-1] * x if len(rising) > 1 else x)
        return o.stack(rising if increasing else rising[::-1], axis=1)
    powers = o.expand_dims(o.arange(count), 0)
    columns = o.power(o.expand_dims(x, 1), o.astype(powers, x.dtype))
    return columns if increasing else o.flip(columns, axis=1)


def polyfit(o: Any, x: Any, y: Any, deg: int, /, rcond: Any = None, w: Any = None) -> Any:
    """The coefficients, the highest power first, of the polynomial that fits y at x best.

    `w`: weights of the distances at each point. By `ag.linalg.lstsq`, of columns of length 1.
    """
    x = o.asarray_or_same(x)
    y = o.asarray_or_same(y)
    x, y = (one if one.dtype.kind in "fc" else o.astype(one, dtypes.float64) for one in (x, y))
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1 or y.ndim not in (1, 2):
        raise TypeError("expected 1D vector for x, and a vector or a matrix for y")
    columns = vander(o, x, deg + 1)
    if w is not None:
        w = o.asarray_or_same(w)
        columns = columns * o.expand_dims(w, 1)
        y = y * (w if y.ndim == 1 else o.expand_dims(w, 1))
    scale = o.sqrt(o.sum(columns * columns, axis=0))
    size = o.dimension(x, 0)
    if rcond is None and isinstance(size, int):
        rcond = size * float(np.finfo(x.dtype).eps)
    shared = np.result_type(columns.dtype, y.dtype)
    found = o.lstsq(o.astype(columns / scale, shared), o.astype(y, shared), rcond=rcond).x
    return found / (scale if y.ndim == 1 else o.expand_dims(scale, 1))


FUNCTIONS = (
    *(interp, ediff1d, trapezoid, gradient, convolve, correlate),
    *(polyval, vander, polyfit),
)
