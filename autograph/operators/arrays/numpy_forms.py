"""What functions of NumPy's are at sizes and numbers of the run, and what they raise before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.library.numpy import argument_checks, array_functions, padding, unknown_sizes
from autograph.operators.calls.dispatch import call
from autograph.runtime.arrays.cells import Array, Scalar
from autograph.runtime.arrays.table import has_numbers, tensors_in
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS


def written(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """What Python on other functions gives, where an op needs what only the run tells.

    NotImplemented for other functions and arguments.
    """
    if function in _SPLITTING and _splits_by_size(*args, **keywords):
        return call(_SPLITTING[function], *args, **keywords)
    cells = list(tensors_in(args))
    if not all(isinstance(one, Array | Scalar) for one in cells):
        return NotImplemented
    if function in _BY_SIZE:
        if not all(isinstance(size, int) for one in cells for size in shape_of(one)):
            return call(_BY_SIZE[function], *args, **keywords)
    if function in _BY_ORDER and has_numbers(args[1:2] or map(keywords.get, ORDERS)):
        return call(_BY_ORDER[function], *args, **keywords)
    return NotImplemented


def check(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """What a function raises for what the run brings, where its op does not."""
    if function in _CHECKED_BY_SIZE:
        _CHECKED_BY_SIZE[function](*args, **keywords)
    if function in _CHECKED:
        call(_CHECKED[function], *args, **keywords)
    if function in _CHECKED_OF_ARRAYS and _are_arrays((*args, *keywords.values())):
        call(_CHECKED_OF_ARRAYS[function], *args, **keywords)


def _are_arrays(given: Any) -> bool:
    """Whether an array is among arguments, or numbers alone."""
    cells = list(tensors_in(given))
    return not cells or any(isinstance(one, Array | Scalar) for one in cells)


_CHECKED: dict[Any, Callable[..., Any]] = {
    np.insert: argument_checks.check_place,
    np.nanargmax: argument_checks.check_numbers,
    np.nanargmin: argument_checks.check_numbers,
}
"""What raises before a function that does not raise itself for what the run brings."""
_CHECKED_OF_ARRAYS: dict[Any, Callable[..., Any]] = {
    np.interp: argument_checks.check_interp,
    np.quantile: argument_checks.check_quantile,
    np.percentile: argument_checks.check_percentile,
    np.polyfit: argument_checks.check_polyfit,
    np.histogram: argument_checks.check_histogram,
    np.choose: argument_checks.check_choose,
    np.digitize: argument_checks.check_digitize,
    np.average: argument_checks.check_average,
    np.linspace: argument_checks.check_spaced,
    np.logspace: argument_checks.check_spaced,
    np.geomspace: argument_checks.check_geomspace,
    np.gradient: argument_checks.check_gradient,
    np.pad: padding.check_pad,
    np.take: argument_checks.check_take,
    np.nanmax: argument_checks.check_largest,
    np.nanmin: argument_checks.check_smallest,
    np.arange: argument_checks.check_range,
    np.tensordot: argument_checks.check_tensordot,
    **dict.fromkeys((np.partition, np.argpartition), argument_checks.check_partition),
    np.einsum: argument_checks.check_einsum,
    **dict.fromkeys(
        (np.linalg.inv, np.linalg.det, np.linalg.slogdet, np.linalg.cholesky, np.linalg.eigh)
        + (np.linalg.eigvalsh, np.linalg.matrix_power),
        argument_checks.check_square,
    ),
    **dict.fromkeys((np.linalg.svd, np.linalg.qr), argument_checks.check_matrix),
    np.linalg.solve: argument_checks.check_solve,
    np.linalg.cond: argument_checks.check_cond,
    np.linalg.lstsq: argument_checks.check_lstsq,
}
"""The same, where the op raises another error, as it does of tensors."""
_SPLITTING: dict[Any, Callable[..., Any]] = {
    np.split: array_functions.split,
    np.array_split: array_functions.array_split,
    np.hsplit: array_functions.hsplit,
    np.vsplit: array_functions.vsplit,
    np.dsplit: array_functions.dsplit,
}


def _splits_by_size(ary: Any = None, indices_or_sections: Any = None, axis: int = 0) -> bool:
    """Whether an array is split into so many parts at places that a size of the run tells."""
    is_open = isinstance(ary, Tensor) and not all(isinstance(n, int) for n in shape_of(ary))
    return is_open and isinstance(indices_or_sections, int)


def _require_several(m: Any = None, y: Any = None, rowvar: Any = True, **others: Any) -> None:
    """A check where only the run tells of how many variables covariances are."""
    if isinstance(m, Array) and len(m.shape) == 2 and y is None:
        axis = 0 if rowvar else 1
        if not isinstance(shape_of(m)[axis], int):
            call(argument_checks.check_several, OPS.dimension(m, axis))


def _require_weighted(x: Any = None, weights: Any = None, **others: Any) -> None:
    """A check where only the run tells whether there are elements whose weights are added up."""
    if weights is not None and isinstance(x, Array) and not isinstance(shape_of(x)[0], int):
        call(argument_checks.check_weighted, OPS.dimension(x, 0))


_CHECKED_BY_SIZE: dict[Any, Callable[..., None]] = {
    **dict.fromkeys((np.cov, np.corrcoef), _require_several),
    np.bincount: _require_weighted,
}
"""Functions whose results are of another kind at a size that only the run tells."""


_BY_SIZE: dict[Any, Callable[..., Any]] = {
    np.convolve: unknown_sizes.convolve,
    np.correlate: unknown_sizes.correlate,
}
"""What computes functions of arrays whose sizes only the run tells."""
_BY_ORDER: dict[Any, Callable[..., Any]] = {
    np.diff: unknown_sizes.diff,
    np.linalg.matrix_power: unknown_sizes.matrix_power,
    np.linalg.norm: unknown_sizes.norm,
    np.trace: unknown_sizes.trace,
    np.diag: unknown_sizes.diag,
    np.round: unknown_sizes.rounded,
    np.around: unknown_sizes.rounded,
}
"""What computes functions whose second argument is a number that only the run tells."""
ORDERS = ("n", "ord", "offset", "k", "decimals")
"""How that argument is called."""
