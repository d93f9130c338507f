"""What NumPy's functions raise for their arguments, before ops that raise otherwise, or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.graph.trace import RunLimitError


def check_interp(x: Any, xp: Any, fp: Any, *rest: Any, **named: Any) -> None:
    """What `np.interp` raises."""
    if len(xp) == 0:
        raise ValueError("array of sample points is empty")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")


def check_quantile(a: Any, q: Any, axis: Any = None, *rest: Any, **named: Any) -> None:
    """What `np.quantile` raises."""
    parts = np.asarray(q)
    if np.any((parts < 0) | (parts > 1)):
        raise ValueError("Quantiles must be in the range [0, 1]")
    require_order(a, axis)


def check_percentile(a: Any, q: Any, axis: Any = None, *rest: Any, **named: Any) -> None:
    """What `np.percentile` raises."""
    parts = np.asarray(q)
    if np.any((parts < 0) | (parts > 100)):
        raise ValueError("Percentiles must be in the range [0, 100]")
    require_order(a, axis)


def require_order(a: Any, axis: Any) -> None:
    """What NumPy raises where nothing is to be put in order."""
    if count_along(a, axis) == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")


def count_along(a: Any, axis: Any) -> Any:
    """How many elements are along an axis, along several, or along all for None."""
    sizes = np.shape(a)
    total: Any = 1
    for one in range(len(sizes)) if axis is None else axis if isinstance(axis, tuple) else (axis,):
        total = total * sizes[one]
    return total


def check_largest(a: Any, axis: Any = None, *rest: Any, **named: Any) -> None:
    """What `np.nanmax` raises."""
    if count_along(a, axis) == 0:
        raise ValueError("zero-size array to reduction operation fmax which has no identity")


def check_smallest(a: Any, axis: Any = None, *rest: Any, **named: Any) -> None:
    """What `np.nanmin` raises."""
    if count_along(a, axis) == 0:
        raise ValueError("zero-size array to reduction operation fmin which has no identity")


def check_range(start: Any, stop: Any = None, step: Any = 1, *rest: Any, **named: Any) -> None:
    """What `np.arange` raises."""
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int) and step == 0:
        raise ZeroDivisionError("division by zero")


def check_tensordot(a: Any, b: Any, axes: Any = 2) -> None:
    """What `np.tensordot` raises."""
    sizes, others = np.shape(a), np.shape(b)
    if isinstance(axes, int):
        axes = (list(range(len(sizes) - axes, len(sizes))), list(range(axes)))
    left, right = axes
    left = [left] if isinstance(left, int) else left
    right = [right] if isinstance(right, int) else right
    if len(left) != len(right):
        raise ValueError("shape-mismatch for sum")
    for one, other in zip(left, right, strict=True):
        if sizes[one] != others[other]:
            raise ValueError("shape-mismatch for sum")


def check_histogram(a: Any, bins: Any = 10, range: Any = None, *rest: Any, **named: Any) -> None:
    """What `np.histogram` raises."""
    if np.ndim(bins) == 1:
        edges = np.asarray(bins)
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError("`bins` must increase monotonically, when an array")
    elif range is not None:
        first, last = range
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"supplied range of [{first}, {last}] is not finite")
    elif np.size(a) > 0:
        first, last = np.min(a), np.max(a)
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"autodetected range of [{first}, {last}] is not finite")


def check_digitize(x: Any, bins: Any, right: bool = False) -> None:
    """What `np.digitize` raises."""
    if np.iscomplexobj(x):
        raise TypeError("x may not be complex")
    edges = np.asarray(bins)
    rises = np.any(edges[:-1] < edges[1:])
    if rises and np.any(edges[:-1] > edges[1:]):
        raise ValueError("bins must be monotonically increasing or decreasing")
    absent = edges != edges
    if np.any(absent) and (not rises or np.any(absent[:-1] > absent[1:])):
        raise RunLimitError(
            "what NumPy finds in bins with NaN, unless that stands behind bins that rise, hangs on "
            "how it searches: leave out the NaN"
        )


def check_take(a: Any, indices: Any, axis: Any = None, *rest: Any, **named: Any) -> None:
    """What `np.take` raises."""
    size = np.size(a) if axis is None else np.shape(a)[axis]
    if size == 0 and np.size(indices) > 0:
        raise IndexError("cannot do a non-empty take from an empty axes.")


def check_choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> None:
    """What `np.choose` raises."""
    if mode == "raise" and np.any((np.asarray(a) < 0) | (np.asarray(a) >= len(choices))):
        raise ValueError("invalid entry in choice array")


def check_average(a: Any, axis: Any = None, weights: Any = None, *rest: Any, **named: Any) -> None:
    """What `np.average` raises."""
    if weights is None:
        return
    sizes, given = np.shape(a), np.shape(weights)
    if sizes == given:
        total = np.sum(weights, axis=axis)
    else:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        axes = axis if isinstance(axis, tuple) else (axis,)
        if given != tuple([sizes[one] for one in axes]):
            raise ValueError(
                "Shape of weights must be consistent with shape of a along specified axis."
            )
        total = np.sum(weights)
    if np.any(total == 0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")


def check_several(count: Any) -> None:
    """What `np.cov` and `np.corrcoef` of one variable give has no axes, unlike that of several."""
    if count == 1:
        raise RunLimitError(
            "the covariance of one variable is a number for NumPy, and that of several a matrix: "
            "test for len(m) == 1 first, and write np.var(m, ddof=1)"
        )


def check_weighted(count: Any) -> None:
    """What `np.bincount` gives of no weights are integers."""
    if count == 0:
        raise RunLimitError(
            "np.bincount gives integers where there is nothing to count, and sums of weights "
            "otherwise: test for len(x) == 0 first"
        )


def check_gradient(f: Any, *spacing: Any, axis: Any = None, edge_order: int = 1) -> None:
    """What `np.gradient` raises."""
    sizes = np.shape(f)
    axes = range(len(sizes)) if axis is None else (axis,) if isinstance(axis, int) else axis
    for one in axes:
        if sizes[one] < edge_order + 1:
            raise ValueError(
                "Shape of array too small to calculate a numerical gradient, at least "
                "(edge_order + 1) elements are required."
            )


def check_partition(a: Any, kth: Any, axis: Any = -1, *rest: Any, **named: Any) -> None:
    """What `np.partition` raises."""
    count = np.size(a)
    size = count if axis is None or np.ndim(a) == 0 else np.shape(a)[axis]
    for one in [kth] if np.ndim(kth) == 0 else kth:
        place = one + size if one < 0 else one
        if (place < 0 or place >= size) and count > 0:
            raise ValueError(f"kth(={place}) out of bounds ({size})")


def check_spaced(start: Any, stop: Any, num: Any = 50, *rest: Any, **named: Any) -> None:
    """What `np.linspace` and `np.logspace` raise."""
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")


def check_geomspace(start: Any, stop: Any, num: Any = 50, *rest: Any, **named: Any) -> None:
    """What `np.geomspace` raises."""
    if np.any(np.asarray(start) == 0) or np.any(np.asarray(stop) == 0):
        raise ValueError("Geometric sequence cannot include zero")
    check_spaced(start, stop, num)


def check_polyfit(x: Any, y: Any, *rest: Any, **named: Any) -> None:
    """What `np.polyfit` raises."""
    if np.ndim(x) != 1:
        raise TypeError("expected 1D vector for x")
    if len(x) == 0:
        raise TypeError("expected non-empty vector for x")
    if np.ndim(y) < 1 or np.ndim(y) > 2:
        raise TypeError("expected 1D or 2D array for y")
    if len(x) != len(y):
        raise TypeError("expected x and y to have same length")


def check_numbers(a: Any, axis: Any = None, *rest: Any, **others: Any) -> None:
    """What `np.nanargmax` and `np.nanargmin` raise where only NaN is along an axis."""
    whole = np.asarray(a)
    if whole.dtype.kind == "f" and whole.size and np.any(np.all(np.isnan(whole), axis=axis)):
        raise ValueError("All-NaN slice encountered")


def check_place(arr: Any, obj: Any, values: Any, axis: Any = None) -> None:
    """What `np.insert` raises for a place beyond the end."""
    if isinstance(obj, int) and (axis is None or np.ndim(arr) == 1):
        size = np.size(arr)
        if obj < -size or obj > size:
            raise IndexError(f"index {obj} is out of bounds for axis 0 with size {size}")


def check_einsum(subscripts: Any, *operands: Any, **rest: Any) -> None:
    """What `np.einsum` raises where a letter names two axes of one operand, of several sizes."""
    if isinstance(subscripts, str) and len(operands) == 1:
        letters, _, _ = subscripts.replace(" ", "").partition("->")
        before, _, after = letters.partition("...")
        sizes = np.shape(operands[0])
        axes = [*range(len(before)), *range(len(sizes) - len(after), len(sizes))]
        first: dict[str, Any] = {}
        for letter, axis in zip(before + after, axes):
            size = first.setdefault(letter, sizes[axis])
            if size != sizes[axis]:
                raise ValueError(
                    f"dimensions in single operand for collapsing index '{letter}' don't match "
                    f"({size} != {sizes[axis]})"
                )


def check_matrix(a: Any, *rest: Any, **named: Any) -> None:
    """What functions of `np.linalg` raise for what has fewer than two axes."""
    rank = np.ndim(a)
    if rank < 2:
        raise np.linalg.LinAlgError(
            f"{rank}-dimensional array given. Array must be at least two-dimensional"
        )


def check_square(a: Any, *rest: Any, **named: Any) -> None:
    """What functions of `np.linalg` raise for what are no square matrices."""
    check_matrix(a)
    sizes = np.shape(a)
    if sizes[-1] != sizes[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


def check_solve(a: Any, b: Any) -> None:
    """What `np.linalg.solve` raises."""
    check_square(a)
    size, rank = np.shape(a)[-1], np.ndim(b)
    if rank == 1 and len(b) != size:
        raise ValueError(
            "solve1: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(m,m),(m)->(m) (size {len(b)} is different from {size})"
        )
    if rank > 1 and np.shape(b)[-2] != size:
        raise ValueError(
            "solve: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(m,m),(m,n)->(m,n) (size {np.shape(b)[-2]} is different from {size})"
        )


def check_cond(x: Any, p: Any = None) -> None:
    """What `np.linalg.cond` raises."""
    if np.size(x) == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")


def check_lstsq(a: Any, b: Any, rcond: Any = None) -> None:
    """What `np.linalg.lstsq` raises."""
    check_matrix(a)
    if np.ndim(b) and np.shape(a)[0] != np.shape(b)[0]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
