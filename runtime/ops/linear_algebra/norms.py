"""Norms, ranks, powers, chains of products and least squares: functions made of ops."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.spec import normalized_axes
from autograph.runtime.ops.inference import is_complex
from autograph.runtime.ops.linear_algebra.matrices import (
    largest,
    linear,
    relative_precision,
    require_matrix,
    require_square,
)


def _linear(o: Any, x: Any) -> Any:
    x = o.asarray_or_same(x)
    wanted = linear(x.dtype)
    return x if x.dtype == wanted else o.astype(x, wanted)


def _root(o: Any, total: Any) -> Any:
    """The square root of what is not negative; its gradient at 0 is 0."""
    positive = o.greater(total, 0)
    return o.where(positive, o.sqrt(o.where(positive, total, 1)), o.sqrt(o.stop_gradient(total)))


def _squares(o: Any, x: Any) -> Any:
    return o.real(x * o.conj(x)) if is_complex(x) else x * x


# norms --------------------------------------------------------------------------------------------
def vector_norm(
    o: Any, x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: float = 2
) -> Any:
    """The norm of vectors along an axis, or of all elements along several or all.

    `ord`: 2 (the Euclidean length, whose gradient at 0 is 0), 1, inf, -inf, 0 (how many are not
    zero), or another number p: the p-th root of the sum of the p-th powers.
    """
    x = _linear(o, x)
    along = {"axis": axis, "keepdims": keepdims}
    if ord == 2:
        return _root(o, o.sum(_squares(o, x), **along))
    size = o.abs(x)
    if ord == math.inf:
        return largest(o, size, axis, keepdims)
    if ord == -math.inf:
        return o.min(size, **along)
    if ord == 0:
        return o.sum(o.astype(o.not_equal(size, 0), size.dtype), **along)
    if ord == 1:
        return o.sum(size, **along)
    return o.power(o.sum(o.power(size, ord), **along), 1 / ord)


def matrix_norm(o: Any, x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norm of matrices over the last two axes.

    `ord`: "fro" (the root of the sum of squares), "nuc" (the sum of the singular values), 2 or -2
    (the largest, the smallest of them), 1 or -1 (the largest, the smallest sum of a column), inf or
    -inf (of a row).
    """
    x = _linear(o, x)
    require_matrix(x)
    if ord == "fro":
        return _root(o, o.sum(_squares(o, x), axis=(-2, -1), keepdims=keepdims))
    if ord in ("nuc", 2, -2):
        values = svdvals(o, x)
        reduce = {"nuc": o.sum, 2: partial(largest, o), -2: o.min}[ord]
        found = reduce(values, axis=-1)
        return o.expand_dims(found, (-2, -1)) if keepdims else found
    if ord not in (1, -1, math.inf, -math.inf):
        raise ValueError(f"Invalid norm order {ord!r} for matrices.")
    summed, left = (-2, -1) if abs(ord) == 1 else (-1, -2)
    sums = o.sum(o.abs(x), axis=summed, keepdims=True)
    found = (partial(largest, o) if ord > 0 else o.min)(sums, axis=left, keepdims=True)
    return found if keepdims else o.squeeze(found, (-2, -1))


def norm(o: Any, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """NumPy's norm: of a vector along one axis, of matrices along two; without both, of all.

    See `vector_norm` and `matrix_norm` for `ord`.
    """
    x = _linear(o, x)
    if axis is None and (ord is None or (ord in ("f", "fro") and x.ndim == 2)):
        return vector_norm(o, x, keepdims=keepdims)
    if axis is None and ord == 2 and x.ndim == 1:
        return vector_norm(o, x, keepdims=keepdims)
    axes = normalized_axes(axis, x.ndim)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise ValueError(f"Invalid norm order '{ord}' for vectors")
        kind = 2 if ord is None else ord
        return vector_norm(o, x, axis=axes[0], keepdims=keepdims, ord=kind)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    order = tuple(axis) if axis is not None else axes
    found = matrix_norm(o, o.moveaxis(x, order, (-2, -1)), ord="fro" if ord in (None, "f") else ord)
    return o.expand_dims(found, axes) if keepdims else found


def condition_number(o: Any, x: Any, p: Any = None) -> Any:
    """How much a solution of equations changes with them: norm(x) times that of the inverse.

    `p`: None or 2 for the largest by the smallest singular value, -2 for its inverse; else an order
    of `matrix_norm`. LinAlgError there for a singular matrix, infinity here.
    """
    x = _linear(o, x)
    require_matrix(x)
    if p in (None, 2, -2):
        values = svdvals(o, x)
        first, last = values[..., 0], values[..., -1]
        return last / first if p == -2 else first / last
    return matrix_norm(o, x, ord=p) * matrix_norm(o, o.inv(x), ord=p)


# parts of factorisations --------------------------------------------------------------------------
def svdvals(o: Any, x: Any, /) -> Any:
    """The singular values, which fall."""
    return o.svd(x, full_matrices=False).S


def eigvalsh(o: Any, x: Any, /, UPLO: str = "L") -> Any:
    """The eigenvalues, which rise, of a symmetric or Hermitian matrix; see `eigh`."""
    return o.eigh(x, UPLO=UPLO).eigenvalues


def eigvals(o: Any, x: Any, /) -> Any:
    """The eigenvalues of a square matrix, complex; see `eig`."""
    return o.eig(x).eigenvalues


def matrix_rank(o: Any, x: Any, /, *, rtol: Any = None) -> Any:
    """How many singular values are above `rtol` times the largest: int64.

    `rtol` is the larger size times the precision of the dtype unless it is given.
    """
    x = _linear(o, x)
    require_matrix(x)
    values = svdvals(o, x)
    if rtol is None:
        rtol = relative_precision(o, x)
    elif getattr(rtol, "ndim", 0):
        rtol = o.expand_dims(rtol, -1)
    least = rtol * largest(o, values, axis=-1, keepdims=True)
    return o.sum(o.greater(values, least), axis=-1, dtype=dtypes.int64)


# powers and chains --------------------------------------------------------------------------------
def matrix_power(o: Any, x: Any, n: int, /) -> Any:
    """The square matrix x times itself, n times over; the identity for 0, the inverse for -1.

    `n` is known while tracing. LinAlgError below 0 for a singular matrix.
    """
    x = o.asarray_or_same(x)
    require_square(x)
    count = n if type(n) is int else n.__index__()
    if count < 0:
        x, count = o.inv(x), -count
    if count == 0:
        return o.zeros_like(x) + o.eye(o.dimension(x, -1), dtype=x.dtype)
    result = None
    while count:
        if count & 1:
            result = x if result is None else o.matmul(result, x)
        count >>= 1
        x = o.matmul(x, x) if count else x
    return o.copy(result) if n == 1 else result


def multi_dot(o: Any, arrays: Any) -> Any:
    """The product of matrices, in the order that takes the fewest multiplications.

    The first and the last may be vectors. Where a size is known only at run time: from the left.
    """
    factors = list(o.operands(tuple(arrays)))
    if len(factors) < 2:
        raise ValueError("Expecting at least two arrays.")
    sizes = [factors[0].shape[0] if factors[0].ndim > 1 else 1]
    sizes += [one.shape[0] for one in factors[1:]]
    sizes.append(factors[-1].shape[-1] if factors[-1].ndim > 1 else 1)
    if not all(isinstance(one, int) for one in sizes):
        result = factors[0]
        for one in factors[1:]:
            result = o.matmul(result, one)
        return result
    return _product(o, factors, _best_cuts(sizes), 0, len(factors) - 1)


def _best_cuts(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Behind which factor to cut each stretch of a chain (Cormen and others, 15.2)."""
    costs: dict[tuple[int, int], int] = {(i, i): 0 for i in range(len(sizes) - 1)}
    cuts: dict[tuple[int, int], int] = {}
    for length in range(1, len(sizes) - 1):
        for first in range(len(sizes) - 1 - length):
            last = first + length
            outer = sizes[first] * sizes[last + 1]
            ways = [
                (costs[first, cut] + costs[cut + 1, last] + outer * sizes[cut + 1], cut)
                for cut in range(first, last)
            ]
            costs[first, last], cuts[first, last] = min(ways)
    return cuts


def _product(o: Any, factors: list[Any], cuts: Any, first: int, last: int) -> Any:
    if first == last:
        return factors[first]
    cut = cuts[first, last]
    left, right = _product(o, factors, cuts, first, cut), _product(o, factors, cuts, cut + 1, last)
    return o.matmul(left, right)


# least squares ------------------------------------------------------------------------------------
class LstsqResult(NamedTuple):
    """The solution; the sums of squares left over, none unless the rank is full and there are more
    rows than columns; the rank; the singular values."""

    x: Any
    residuals: Any
    rank: Any
    s: Any


def lstsq(o: Any, a: Any, b: Any, rcond: Any = None) -> LstsqResult:
    """The x of least length for which the length of a @ x - b is least: (x, residuals, rank, s).

    a: [m, n]; b: [m] or [m, k]. Singular values up to `rcond` times the largest count as zero; by
    default that is the larger size times the precision. The gradient is that where the rank stays.
    """
    a, b = _linear(o, a), _linear(o, b)
    if a.ndim != 2 or b.ndim not in (1, 2):
        raise np.linalg.LinAlgError("lstsq takes one matrix, and a vector or a matrix of vectors")
    inverse = o.pinv(a, rtol=rcond)
    x = o.matmul(inverse, b)
    values = svdvals(o, a)
    tolerance = relative_precision(o, a) if rcond is None else rcond
    rank = o.sum(o.greater(values, tolerance * largest(o, values)), dtype=dtypes.int64)
    rows, columns = o.dimension(a, 0), o.dimension(a, 1)
    squares = o.sum(_squares(o, b - o.matmul(a, x)), axis=0)
    squares = o.reshape(squares, (-1,))
    if isinstance(rows, int) and isinstance(columns, int) and rows <= columns:
        return LstsqResult(x, squares[:0], rank, values)
    told = o.logical_and(
        o.equal(rank, columns), o.greater(o.asarray(rows, dtype=dtypes.int64), columns)
    )
    return LstsqResult(x, squares[o.broadcast_like(told, squares)], rank, values)


FUNCTIONS = (
    vector_norm,
    matrix_norm,
    norm,
    condition_number,
    svdvals,
    eigvalsh,
    eigvals,
    matrix_rank,
    matrix_power,
    multi_dot,
    lstsq,
)
