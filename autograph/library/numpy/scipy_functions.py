"""Functions of SciPy's that go into C or Fortran, as Python on functions of NumPy's and ops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.runtime.arrays.by_ops import (
    matrix_exponential,
    normal_distribution,
    normal_quantile,
    triangular_solution,
)
from autograph.runtime.core.numpy_versions import is_other_triangle_kept

_ROOT = math.sqrt(2 * math.pi)


# scipy.linalg -------------------------------------------------------------------------------------
def checked(a: Any, check_finite: bool) -> Any:
    """An array, as SciPy takes it."""
    array = np.asarray(a)
    if check_finite and array.dtype.kind in "fc" and not np.all(np.isfinite(array)):
        raise ValueError("array must not contain infs or NaNs")
    return array


def is_square(a: Any) -> bool:
    """Whether an array is a square matrix."""
    return np.ndim(a) == 2 and np.shape(a)[0] == np.shape(a)[1]


def expm(A: Any) -> Any:
    """`scipy.linalg.expm`."""
    if np.ndim(A) < 2:
        raise np.linalg.LinAlgError("The input array must be at least two-dimensional")
    if not is_square(A):
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    return matrix_exponential(A)


def solve(a: Any, b: Any, *, check_finite: bool = True, transposed: bool = False) -> Any:
    """`scipy.linalg.solve`."""
    matrix, sides = checked(a, check_finite), checked(b, check_finite)
    if not is_square(matrix):
        shape = np.shape(np.atleast_2d(matrix))
        raise ValueError(f"Expected square matrix, got a1.shape={shape}")
    if np.shape(matrix)[0] != np.shape(sides)[0]:
        columns = sides[:, None] if np.ndim(sides) == 1 else sides
        shapes = f"a1.shape={np.shape(matrix)} and b1.shape={np.shape(columns)}"
        raise ValueError(f"incompatible shapes: {shapes}")
    return np.linalg.solve(matrix.T if transposed else matrix, sides)


def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """`scipy.linalg.inv`."""
    matrix = checked(a, check_finite)
    if np.ndim(matrix) < 2:
        raise ValueError(f"Expected at least ndim=2, got a1.ndim={np.ndim(matrix)}")
    if not is_square(matrix):
        raise ValueError(f"Expected square matrix, got a1.shape={np.shape(matrix)}")
    return np.linalg.inv(matrix)


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """`scipy.linalg.det`."""
    matrix = checked(a, check_finite)
    if np.ndim(matrix) < 2:
        raise ValueError("The input array must be at least two-dimensional.")
    if not is_square(matrix):
        words = "Last 2 dimensions of the array must be square but received shape"
        raise ValueError(f"{words} {np.shape(matrix)}.")
    wide = np.complex128 if matrix.dtype.kind == "c" else np.float64
    return np.linalg.det(np.asarray(matrix, dtype=wide))


def norm(
    a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True
) -> Any:
    """`scipy.linalg.norm`: of a vector, the Euclidean one is Python's own float."""
    array = checked(a, check_finite)
    found = np.linalg.norm(array, ord=ord, axis=axis, keepdims=keepdims)
    by_blas = array.dtype.kind in "fc" and axis is None and not keepdims and np.ndim(array) == 1
    return float(found) if by_blas and ord in (None, 2) else found


def cholesky(
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """`scipy.linalg.cholesky`."""
    matrix = checked(a, check_finite)
    if not is_square(matrix):
        shape = np.shape(np.atleast_2d(matrix))
        raise ValueError(f"Input array is expected to be square but has the shape: {shape}.")
    return np.linalg.cholesky(matrix, upper=not lower)


def cho_factor(
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """`scipy.linalg.cho_factor`: what is in the other triangle stays there, before SciPy 1.18."""
    factor = cholesky(a, lower, overwrite_a, check_finite)
    if not is_other_triangle_kept():
        return factor, lower
    rest = np.asarray(a)
    return factor + (np.triu(rest, 1) if lower else np.tril(rest, -1)), lower


def cho_solve(
    c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True
) -> Any:
    """`scipy.linalg.cho_solve`."""
    c, lower = c_and_lower
    factor, sides = checked(c, check_finite), checked(b, check_finite)
    if not is_square(factor):
        raise ValueError("The factored matrix c is not square.")
    if np.shape(factor)[1] != np.shape(sides)[0]:
        shapes = f"{np.shape(factor)} and {np.shape(sides)}"
        raise ValueError(f"incompatible dimensions ({shapes})")
    first, second = (0, 2) if lower else (2, 0)
    between = triangular_solution(factor, sides, first, lower, False)
    return triangular_solution(factor, between, second, lower, False)


def solve_triangular(
    a: Any,
    b: Any,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:
    """`scipy.linalg.solve_triangular`."""
    matrix, sides = checked(a, check_finite), checked(b, check_finite)
    if not is_square(matrix):
        raise ValueError("expected square matrix")
    if np.shape(matrix)[0] != np.shape(sides)[0]:
        shapes = f"a {np.shape(matrix)} and b {np.shape(sides)}"
        raise ValueError(f"shapes of {shapes} are incompatible")
    if not unit_diagonal:
        zeros = np.diagonal(matrix) == 0
        if np.any(zeros):
            words = "singular matrix: resolution failed at diagonal"
            raise np.linalg.LinAlgError(f"{words} {np.argmax(zeros)}")
    return triangular_solution(matrix, sides, trans, lower, unit_diagonal)


def eigvalsh(
    a: Any, *, lower: bool = True, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """`scipy.linalg.eigvalsh`."""
    matrix = checked(a, check_finite)
    if not is_square(matrix):
        raise ValueError('expected square "a" matrix')
    return np.linalg.eigvalsh(matrix, UPLO="L" if lower else "U")


# scipy.stats.norm ---------------------------------------------------------------------------------
def standard(x: Any, loc: Any, scale: Any) -> Any:
    """How far x lies from the middle of a normal distribution."""
    return (np.asarray(x, dtype=np.float64) - loc) / scale


def where_scaled(scale: Any, values: Any) -> Any:
    """Values where the scale is one, SciPy's NaN elsewhere; without axes as scalars."""
    return np.where((np.asarray(scale) > 0) & ~np.isnan(values), values, np.nan)[()]


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`scipy.stats.norm.pdf`."""
    y = standard(x, loc, scale)
    return where_scaled(scale, np.exp(-(y**2) / 2.0) / _ROOT / scale)


def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`scipy.stats.norm.logpdf`."""
    y = standard(x, loc, scale)
    return where_scaled(scale, -(y**2) / 2.0 - math.log(_ROOT) - np.log(scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`scipy.stats.norm.cdf`."""
    return where_scaled(scale, normal_distribution(standard(x, loc, scale)))


def sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`scipy.stats.norm.sf`."""
    return where_scaled(scale, normal_distribution(-standard(x, loc, scale)))


def ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`scipy.stats.norm.ppf`."""
    return where_scaled(scale, normal_quantile(np.asarray(q, dtype=np.float64)) * scale + loc)


def isf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`scipy.stats.norm.isf`."""
    return where_scaled(scale, -normal_quantile(np.asarray(q, dtype=np.float64)) * scale + loc)
