"""What the ops of matrices share: dtypes, the errors that NumPy raises, transposes, adjoint rules.

All work on the last two axes; the axes before are a batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim, DimLike, may_be_zero
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import Gradient
from autograph.runtime.core.spec import Spec
from autograph.runtime.ops.inference import PARTS, is_complex, same_size
from autograph.runtime.ops.shaping.shapes import shape_of

Array = np.ndarray[Any, Any]


def linear(dtype: DType) -> DType:
    """The dtype in which a matrix is computed with: integers and bools as float64, as in NumPy."""
    return dtype if dtype.kind in "fc" else dtypes.float64


def as_linear(x: Array) -> Array:
    """A matrix in the dtype in which it is computed with."""
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def require_matrix(x: Any) -> None:
    """NumPy's LinAlgError for what has fewer than two axes."""
    if len(x.shape) < 2:
        raise np.linalg.LinAlgError(
            f"{len(x.shape)}-dimensional array given. Array must be at least two-dimensional"
        )


def require_square(x: Any) -> None:
    """NumPy's LinAlgError for matrices that are known not to be square."""
    require_matrix(x)
    if not same_size(x.shape[-1], x.shape[-2]):
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


def infer_square(x: Spec, **attributes: Any) -> Spec:
    """Inference of what makes of square matrices others of their size."""
    require_square(x)
    return Spec(linear(x.dtype), x.shape)


def shorter(rows: DimLike, columns: DimLike) -> DimLike:
    """The smaller of two sizes: a new symbol where that is not known."""
    if isinstance(rows, int) and isinstance(columns, int):
        return min(rows, columns)
    return rows if rows == columns else Dim.fresh("k")


def transposed(o: Any, x: Any) -> Any:
    """The last two axes exchanged."""
    return o.matrix_transpose(x)


def adjoint(o: Any, x: Any) -> Any:
    """The conjugate transpose."""
    turned = o.matrix_transpose(x)
    return o.conj(turned) if is_complex(turned) else turned


def scaled_columns(o: Any, x: Any, factors: Any) -> Any:
    """Each column of x times its factor."""
    return x * o.expand_dims(factors, -2)


def symmetrized(o: Any, x: Any) -> Any:
    """The mean of x and its adjoint."""
    return (x + adjoint(o, x)) / 2


def diagonal_matrix(o: Any, values: Any) -> Any:
    """The matrices with these values on their diagonals, zeros elsewhere."""
    places = o.arange(o.dimension(values, -1))
    on = o.equal(o.expand_dims(places, 0), o.expand_dims(places, 1))
    return o.where(on, o.expand_dims(values, -1), o.zeros((), dtype=values.dtype))


def real_of(dtype: DType) -> DType:
    """The dtype of the parts of a complex one; a real one as it is."""
    return PARTS.get(dtype, dtype)


def largest(o: Any, sizes: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest of numbers that are not negative: 0 of none."""
    if isinstance(axis, tuple) or not any(map(may_be_zero, shape_of(sizes))):
        return o.max(sizes, axis=axis, keepdims=keepdims)
    if axis is None:
        count = sizes.ndim if keepdims else 0
        found = largest(o, o.reshape(sizes, (-1,)), 0)
        return o.expand_dims(found, tuple(range(count))) if count else found
    least = o.zeros_like(o.sum(sizes, axis=axis, keepdims=True))
    return o.max(o.concat([sizes, least], axis=axis), axis=axis, keepdims=keepdims)


def relative_precision(o: Any, x: Any) -> Any:
    """The relative size of what rounding may leave of a singular value that is zero."""
    dtype = linear(x.dtype)
    eps = float(np.finfo(dtype).eps)
    rows, columns = (o.dimension(x, axis) for axis in (-2, -1))
    if isinstance(rows, int) and isinstance(columns, int):
        return max(rows, columns) * eps
    sizes = (o.asarray(one, dtype=dtypes.int64) for one in (rows, columns))
    return o.astype(o.maximum(*sizes), real_of(dtype)) * eps


def by_adjoints(rule: Gradient) -> Gradient:
    """A rule written with adjoints, as text-books have it, for the project's gradients.

    In those pairings have no conjugates (docs/decisions/0056-complex-numbers.md): what comes in
    and what goes out is the conjugate of what the text-book has. Real ones are as they are.
    """

    def paired(o: Any, g: Any, out: Any, *inputs: Any, **attributes: Any) -> Any:
        given = tuple(map(_turned(o), g)) if isinstance(g, tuple) else _turned(o)(g)
        return _turned(o)(rule(o, given, out, *inputs, **attributes))

    return paired


def _turned(o: Any) -> Callable[[Any], Any]:
    return lambda x: o.conj(x) if is_complex(x) else x
