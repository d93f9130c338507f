"""Functions of arrays that NumPy has not, by ops: for code of SciPy's that is written anew."""

from __future__ import annotations

from typing import Any

from autograph.runtime.arrays.cells import as_array, as_result, as_tensor
from autograph.runtime.arrays.table import tensor_of
from autograph.runtime.ops.table import OPS


def matrix_exponential(a: Any) -> Any:
    """The exponential of a square matrix."""
    return as_array(OPS.expm(as_tensor(tensor_of(a))))


def triangular_solution(a: Any, b: Any, trans: Any, lower: bool, unit_diagonal: bool) -> Any:
    """The x for which a @ x is b, where a is triangular."""
    parts = (as_tensor(tensor_of(one)) for one in (a, b))
    return as_array(OPS.solve_triangular(*parts, trans, lower, unit_diagonal))


def normal_distribution(x: Any) -> Any:
    """How much of the standard normal distribution lies below x."""
    return as_result(OPS.ndtr(as_tensor(tensor_of(x))))


def normal_quantile(q: Any) -> Any:
    """The x below which a share of q of the standard normal distribution lies."""
    return as_result(OPS.ndtri(as_tensor(tensor_of(q))))
