"""NumPy's functions whose own code is not staged, as Python on other functions of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.arrays.named import complex_eig
from autograph.runtime.core.numpy_versions import EIGENVALUES_MAY_BE_REAL

EigResult: Any = np.linalg._linalg.EigResult


# ranges -------------------------------------------------------------------------------------------
def fftfreq(n: Any, d: Any = 1.0, device: Any = None) -> Any:
    """`np.fft.fftfreq`."""
    if not isinstance(n, (int, np.integer)):
        raise ValueError("n should be an integer")
    places = np.concatenate([np.arange((n - 1) // 2 + 1), np.arange(-(n // 2), 0)])
    return places * (1.0 / (n * d))


def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
    *,
    device: Any = None,
) -> Any:
    """`np.linspace` between arrays with axes."""
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    count = num - 1 if endpoint else num
    whole = np.subtract(stop, start) * 1.0
    places = np.arange(0, num, dtype=whole.dtype).reshape((-1,) + (1,) * np.ndim(whole))
    step = np.nan
    if count > 0:
        step = whole / count
        exact = places / count * whole  # where a step is too small for a number
        made = np.where(np.any(step == 0), exact, places * step)
    else:
        made = places * whole
    made = np.add(made, start)
    if endpoint and num > 1:
        made[-1, ...] = stop
    if axis != 0:
        made = np.moveaxis(made, 0, axis)
    if dtype is not None:
        made = np.floor(made) if np.issubdtype(dtype, np.integer) else made
        made = made.astype(dtype)
    return (made, step) if retstep else made


def grid(is_dense: bool, is_single: bool, bounds: Any) -> Any:
    """`np.mgrid[...]` (dense) or `np.ogrid[...]` of ranges: (start, stop, step) for each axis."""
    counted = [isinstance(step, complex) for _, _, step in bounds]
    ranges = [
        counted_range(start, stop, step) if counts else np.arange(start, stop, step)
        for counts, (start, stop, step) in zip(counted, bounds, strict=True)
    ]
    if any(counted):
        ranges = [one.astype(float) for one in ranges]
    if is_single:
        return ranges[0]
    if is_dense:
        return np.stack(np.meshgrid(*ranges, indexing="ij"))
    count = len(ranges)
    shapes = [tuple([-1 if n == axis else 1 for n in range(count)]) for axis in range(count)]
    return tuple([one.reshape(shapes[axis]) for axis, one in enumerate(ranges)])


# numbers of the whole array -----------------------------------------------------------------------
def gcd(x1: Any, x2: Any) -> Any:
    """`np.gcd`."""
    dtype = np.result_type(x1, x2)
    require_integers(dtype)
    a, b = np.broadcast_arrays(np.abs(x1), np.abs(x2))
    a, b = a.astype(dtype), b.astype(dtype)
    while np.any(b != 0):
        rest = np.where(b != 0, a % np.where(b != 0, b, 1), 0).astype(dtype)
        a, b = np.where(b != 0, b, a), rest
    return a[()]


def require_integers(dtype: Any) -> None:
    """NumPy's own error for what has no common divisors."""
    if dtype.kind not in "iu":
        np.gcd(dtype.type(1), dtype.type(1))


def lcm(x1: Any, x2: Any) -> Any:
    """`np.lcm`."""
    shared = gcd(x1, x2)
    found = np.abs(x1) // np.where(shared == 0, 1, shared) * np.abs(x2)
    return found.astype(shared.dtype)


def reduced_numbers(ufunc: Any, array: Any) -> Any:
    """`np.gcd.reduce(array)` and `np.lcm.reduce(array)` of an array with one axis."""
    require_integers(array.dtype)
    found = np.abs(array[0])
    for one in array[1:]:
        found = gcd(found, one) if ufunc is np.gcd else lcm(found, one)
    return found


def poly(seq_of_zeros: Any) -> Any:
    """`np.poly`: the coefficients of the polynomial with these roots."""
    roots = np.atleast_1d(seq_of_zeros)
    if roots.ndim == 2 and roots.shape[0] == roots.shape[1] and roots.shape[0] != 0:
        roots = eigvals(roots)
    elif roots.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if roots.dtype.kind in "biu":
        roots = roots.astype(float)
    if len(roots) == 0:
        return 1.0
    found = np.ones((1,), dtype=roots.dtype)
    for root in roots:
        found = np.convolve(found, np.array([1, -root], dtype=roots.dtype), mode="full")
    if np.iscomplexobj(found):
        if np.all(np.sort(roots) == np.sort(roots.conjugate())):
            found = found.real.copy()
    return found


def counted_range(start: Any, stop: Any, step: Any) -> Any:
    """So many numbers from start to stop as a complex step says, as grids have them."""
    count = int(abs(step))
    gap = (stop - start) / float(count - 1) if count != 1 else 1.0
    return np.arange(count) * gap + start


def counted_linspace(start: Any, stop: Any, step: Any) -> Any:
    """The same as `np.r_` has them."""
    return np.linspace(start, stop, num=int(abs(step)))


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """`np.ediff1d`."""
    flat = np.ravel(ary)
    parts = [flat[1:] - flat[:-1]]
    if to_begin is not None:
        before = np.ravel(to_begin)
        if not np.can_cast(before.dtype, flat.dtype, casting="same_kind"):
            raise TypeError(
                "dtype of `to_begin` must be compatible with input `ary` under the "
                "`same_kind` rule."
            )
        parts.insert(0, before.astype(flat.dtype))
    if to_end is not None:
        behind = np.ravel(to_end)
        if not np.can_cast(behind.dtype, flat.dtype, casting="same_kind"):
            raise TypeError(
                "dtype of `to_end` must be compatible with input `ary` under the `same_kind` rule."
            )
        parts.append(behind.astype(flat.dtype))
    return np.concatenate(parts)


# eigenvalues --------------------------------------------------------------------------------------
def eig(a: Any) -> Any:
    """`np.linalg.eig`: before NumPy 2.5 real where all eigenvalues of a real matrix are."""
    shape = np.shape(a)
    if len(shape) < 2:
        raise np.linalg.LinAlgError(
            f"{len(shape)}-dimensional array given. Array must be at least two-dimensional"
        )
    if shape[-1] != shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    values, vectors = complex_eig(a)
    if not EIGENVALUES_MAY_BE_REAL:
        return EigResult(values, vectors)
    if np.asarray(a).dtype.kind != "c" and np.all(values.imag == 0):
        return EigResult(values.real.copy(), vectors.real.copy())
    return EigResult(values, vectors)


def eigvals(a: Any) -> Any:
    """`np.linalg.eigvals`."""
    return eig(a)[0]


# np.split -----------------------------------------------------------------------------------------
def split(ary: Any, indices_or_sections: int, axis: int = 0) -> Any:
    """`np.split` into so many equal parts of an axis whose size the run tells."""
    size = ary.shape[axis]
    if size % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    step = size // indices_or_sections
    return np.split(ary, [step * n for n in range(1, indices_or_sections)], axis)


def array_split(ary: Any, indices_or_sections: int, axis: int = 0) -> Any:
    """`np.array_split` into so many parts, of which the first ones may have one more element."""
    size = ary.shape[axis]
    if indices_or_sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    step = size // indices_or_sections
    rest = size % indices_or_sections
    places = [step * n + min(rest, n) for n in range(1, indices_or_sections)]
    return np.split(ary, places, axis)


def hsplit(ary: Any, indices_or_sections: int) -> Any:
    """`np.hsplit` into so many equal parts."""
    return split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


def vsplit(ary: Any, indices_or_sections: int) -> Any:
    """`np.vsplit` into so many equal parts."""
    if ary.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


def dsplit(ary: Any, indices_or_sections: int) -> Any:
    """`np.dsplit` into so many equal parts."""
    if ary.ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


# np.histogramdd -----------------------------------------------------------------------------------
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """`np.histogramdd`, and so `np.histogram2d`."""
    if not isinstance(sample, np.ndarray) or sample.ndim != 2:
        sample = np.transpose(np.atleast_2d(sample))
    count = sample.shape[1]
    each = list(bins) if isinstance(bins, (tuple, list, np.ndarray)) else [bins] * count
    if len(each) != count:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    ranges = [None] * count if range is None else list(range)
    if len(ranges) != count:
        raise ValueError("range argument must have one entry per dimension")
    edges = [bin_edges(sample[:, axis], one, ranges[axis]) for axis, one in enumerate(each)]
    places: Any = 0
    inside: Any = True
    shape: list[int] = []
    for axis, one in enumerate(edges):
        column = sample[:, axis]
        place = np.searchsorted(one, column, side="right") - 1
        place = np.where(column == one[-1], place - 1, place)
        inside = inside & (place >= 0) & (place < len(one) - 1)
        places = places * (len(one) - 1) + place
        shape.append(len(one) - 1)
    total = 1
    for size in shape:
        total *= size
    found = np.zeros(total)
    values = np.ones(len(sample)) if weights is None else np.asarray(weights)
    np.add.at(found, np.where(inside, places, 0), np.where(inside, values, 0.0).astype(float))
    found = found.reshape(tuple(shape))
    if density:
        whole = found.sum()
        for axis, one in enumerate(edges):
            widths = [1] * count
            widths[axis] = shape[axis]
            found = found / np.diff(one).reshape(widths)
        found = found / whole
    return found, edges


def bin_edges(column: Any, bins: Any, limits: Any) -> Any:
    """The edges of bins along one axis."""
    if np.ndim(bins) != 0:
        given = np.asarray(bins)
        if np.any(given[:-1] > given[1:]):
            raise ValueError("`bins` must increase monotonically")
        return given
    if bins < 1:
        raise ValueError("`bins` must be positive")
    if limits is not None:
        first, last = limits
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
    else:
        first, last = (0.0, 1.0) if len(column) == 0 else (column.min() + 0.0, column.max() + 0.0)
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
    if first == last:
        first = first - 0.5
        last = last + 0.5
    return np.linspace(first, last, bins + 1)


# np.unique ----------------------------------------------------------------------------------------
def unique_along(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    **others: Any,
) -> Any:
    """`np.unique` of the parts along an axis: sorted by their first elements, then the second."""
    moved = np.moveaxis(np.asarray(ar), axis, 0)
    size = len(moved)
    width = product_of(moved.shape[1:])
    rows = moved.reshape(size, width)
    order = np.lexsort(np.transpose(rows)[::-1]) if width else np.arange(size)
    ordered = rows[order]
    differs = np.any(ordered[1:] != ordered[:-1], axis=1)
    is_first = np.concatenate([np.ones(min(size, 1), dtype=bool), differs])
    firsts = ordered[is_first]
    parts = firsts.reshape((len(firsts), *moved.shape[1:]))
    found: list[Any] = [np.moveaxis(parts, 0, axis).copy()]
    if return_index:
        found.append(order[is_first])
    if return_inverse:
        inverse = np.zeros(size, dtype=np.intp)
        inverse[order] = np.cumsum(is_first) - 1
        found.append(inverse)
    if return_counts:
        starts = np.flatnonzero(is_first)
        found.append(np.diff(np.concatenate([starts, np.array([size])])))
    return found[0] if len(found) == 1 else tuple(found)


# quantiles without NaN ----------------------------------------------------------------------------
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False
) -> Any:
    """`np.nanmedian`."""
    if out is not None or np.iscomplexobj(a):
        raise NotImplementedError
    rows, kept = rows_along(a, axis)
    counts = np.sum(~np.isnan(rows), axis=-1, keepdims=True)
    ordered = np.sort(rows, axis=-1)
    low = taken_at(ordered, np.maximum((counts - 1) // 2, 0))
    high = taken_at(ordered, counts // 2)
    middle = np.where(counts % 2 == 1, high, (low + high) / 2)
    middle = np.where(counts > 0, middle, np.nan).astype(rows.dtype)
    return middle.reshape(kept)[()] if keepdims is True else middle[..., 0][()]


def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: Any = False,
    **others: Any,
) -> Any:
    """`np.nanquantile`, by the methods that take one element or the line between two."""
    if out is not None or others or method not in ("linear", "lower", "higher", "midpoint"):
        raise NotImplementedError
    if np.iscomplexobj(a):
        raise TypeError("a must be an array of real numbers")
    if np.asarray(a).dtype == bool:
        np.subtract(True, True)  # NumPy's own error
    rows, kept = rows_along(a, axis)
    parts = np.asarray(q, dtype=rows.dtype if isinstance(q, (int, float)) else None)
    if np.any((parts < 0) | (parts > 1)):
        raise ValueError("Quantiles must be in the range [0, 1]")
    if parts.ndim and rows.size == 0:  # for several q, too
        return np.nanmean(rows.reshape(np.shape(a)), axis=axis, keepdims=keepdims)
    dtype = np.result_type(rows.dtype, parts.dtype)
    counts = np.sum(~np.isnan(rows), axis=-1, keepdims=True)
    ordered = np.sort(rows.astype(dtype), axis=-1)
    found: list[Any] = []
    flat = parts.ravel()
    for number in range(flat.shape[0]):
        made = between(ordered, counts, flat[number], method).astype(dtype)
        found.append(made.reshape(kept) if keepdims is True else made[..., 0])
    if parts.ndim == 0:
        return found[0][()]
    stacked = np.stack(found)
    return stacked.reshape((*parts.shape, *stacked.shape[1:]))


def nanpercentile(a: Any, q: Any, *args: Any, **named: Any) -> Any:
    """`np.nanpercentile`."""
    parts = q / 100 if isinstance(q, (int, float)) else np.true_divide(q, 100)
    if np.any((np.asarray(parts) < 0) | (np.asarray(parts) > 1)):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return nanquantile(a, parts, *args, **named)


def between(ordered: Any, counts: Any, part: Any, method: str) -> Any:
    """The elements, one or between two, below which a part of each row is; NaN of an empty one."""
    place = np.maximum(counts - 1, 0) * part
    first = np.floor(place)
    low = taken_at(ordered, first.astype(np.intp))
    high = taken_at(ordered, np.ceil(place).astype(np.intp))
    if method == "lower":
        made = low
    elif method == "higher":
        made = high
    else:
        step = place - first
        step = np.where(step > 0, 0.5, 0.0) if method == "midpoint" else step
        made = np.where(step >= 0.5, high - (high - low) * (1 - step), low + (high - low) * step)
    return np.where(counts > 0, made, np.nan)


def taken_at(ordered: Any, places: Any) -> Any:
    """The element of each row at its place; NaN of rows without elements."""
    if ordered.shape[-1] == 0:
        return np.full(places.shape, np.nan, ordered.dtype)
    return np.take_along_axis(ordered, np.minimum(places, ordered.shape[-1] - 1), axis=-1)


def rows_along(a: Any, axis: Any) -> Any:
    """An array with one last axis in the place of some, or of all; and the shape that keeps them.

    Integers as floats.
    """
    whole = np.asarray(a)
    whole = whole if whole.dtype.kind == "f" else whole.astype(float)
    if axis is None:
        return whole.reshape(-1), (1,) * whole.ndim
    for one in (axis,) if isinstance(axis, int) else axis:
        if not -whole.ndim <= one < whole.ndim:
            raise np.exceptions.AxisError(one, whole.ndim)
    axes = [one % whole.ndim for one in ((axis,) if isinstance(axis, int) else axis)]
    kept = tuple([1 if n in axes else size for n, size in enumerate(whole.shape)])
    rest = [size for n, size in enumerate(whole.shape) if n not in axes]
    moved = np.moveaxis(whole, axes, list(range(-len(axes), 0)))
    return moved.reshape((*rest, product_of([whole.shape[n] for n in axes]))), kept


def product_of(sizes: Any) -> Any:
    """The number of elements of axes of these sizes, which a reshape of none cannot find."""
    total = 1
    for one in sizes:
        total *= one
    return total


def resize(a: Any, new_shape: Any) -> Any:
    """`np.resize`: the elements again and again, until they fill the shape."""
    flat = np.ravel(np.asarray(a))
    sizes = (new_shape,) if isinstance(new_shape, (int, np.integer)) else tuple(new_shape)
    for one in sizes:
        if one < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
    if len(flat) == 0:
        return np.zeros(sizes, dtype=flat.dtype)
    return flat[np.arange(product_of(sizes)) % len(flat)].reshape(sizes)


# places that several indices choose ---------------------------------------------------------------
def change_at(ufunc: Any, array: Any, indices: Any, operands: Any) -> None:
    """`ufunc.at(array, indices, operands)`: where an element is named again, it changes again."""
    numbers = np.arange(array.size).reshape(array.shape)[indices]
    values = np.ravel(np.broadcast_to(operands, numbers.shape))
    places = np.ravel(numbers)
    changed = np.ravel(array).copy()
    if ufunc is np.add:
        np.add.at(changed, places, values)
    else:
        for number in range(places.shape[0]):
            changed[places[number]] = ufunc(changed[places[number]], values[number])
    array[...] = changed.reshape(array.shape)
