"""NumPy's products, and numerical functions of one and two axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import (
    Array,
    Scalar,
    as_array,
    as_result,
    as_tensor,
    held_by,
    put,
    view_of,
)
from autograph.runtime.arrays.manipulation import permuted
from autograph.runtime.arrays.table import (
    as_numpy_takes_it,
    implements,
    mapped,
    strong_dtype,
    tensor_of,
    tensors_in,
)
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.linear_algebra.einstein import named_axes
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS


def _pair(a: Any, b: Any) -> tuple[Any, Any]:
    return tensor_of(a), tensor_of(b)


@implements(np.dot)
def dot(a: Any, b: Any) -> Any:
    a, b = _pair(a, b)
    if not len(a.shape) or not len(b.shape):
        return a * b
    _require_aligned(a, b, max(0, len(b.shape) - 2))
    if len(b.shape) == 1:
        return OPS.matmul(a, b)
    if len(a.shape) <= 2 and len(b.shape) == 2:
        return OPS.matmul(a, b)
    return OPS.tensordot(a, b, axes=([len(a.shape) - 1], [len(b.shape) - 2]))


@implements(np.vdot)
def vdot(a: Any, b: Any) -> Any:
    a, b = _pair(a, b)
    a = OPS.conj(a) if a.dtype.kind == "c" else a
    return OPS.matmul(OPS.reshape(a, (-1,)), OPS.reshape(b, (-1,)))


@implements(np.inner)
def inner(a: Any, b: Any) -> Any:
    a, b = _pair(a, b)
    if not len(a.shape) or not len(b.shape):
        return a * b
    _require_aligned(a, b, len(b.shape) - 1)
    return OPS.inner(a, b)


def _require_aligned(a: Any, b: Any, axis: int) -> None:
    """NumPy's error where the last axis of `a` is not as long as this one of `b`, as is known."""
    last = len(a.shape) - 1
    shapes = [tuple(shape_of(one)) for one in (a, b)]
    sizes = shapes[0][last], shapes[1][axis]
    if all(isinstance(one, int) for one in sizes) and sizes[0] != sizes[1]:
        first, second = (str(one).replace(" ", "") for one in shapes)
        raise ValueError(
            f"shapes {first} and {second} not aligned: "
            f"{sizes[0]} (dim {last}) != {sizes[1]} (dim {axis})"
        )


@implements(np.outer)
def outer(a: Any, b: Any) -> Any:
    a, b = _pair(a, b)
    return OPS.outer(OPS.reshape(a, (-1,)), OPS.reshape(b, (-1,)))


@implements(np.tensordot, keeps=True)
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    return OPS.tensordot(*_pair(a, b), axes=axes)


def _dtype_of_einsum(subscripts: Any, *operands: Any, **rest: Any) -> tuple[Any, ...]:
    return (np.result_type(*[strong_dtype(one) for one in operands]),)


@implements(np.einsum, dtypes=_dtype_of_einsum, views=True)
def einsum(subscripts: Any, *operands: Any, optimize: Any = False, **rest: Any) -> Any:
    if rest or not isinstance(subscripts, str):
        raise NotImplementedError
    if len(operands) == 1 and isinstance(operands[0], Array):
        view = _viewed_by_letters(operands[0], subscripts)
        if view is not None:
            return view
    plain = mapped([as_numpy_takes_it(one) for one in operands], as_tensor)
    made = OPS.einsum(subscripts, *plain)
    if not any(isinstance(one, Array | Scalar) for one in tensors_in(operands)):
        return made
    (dtype,) = _dtype_of_einsum(subscripts, *plain)
    return as_result(made if made.dtype == dtype else OPS.astype(made, dtype))


def _viewed_by_letters(a: Array, subscripts: str) -> Any:
    """What `np.einsum` gives of one array where nothing is summed: a view; else None."""
    (letters,), result = named_axes(subscripts, [len(a.shape)])
    if not letters or set(letters) != set(result):
        return None
    view: Any = a
    for letter in result:
        while letters.count(letter) > 1:
            first = letters.index(letter)
            second = letters.index(letter, first + 1)
            rest = [axis for axis in range(len(letters)) if axis not in (first, second)]
            view = view_of(permuted(view, (*rest, first, second)), "collapsed", None)
            letters = "".join(letters[axis] for axis in rest) + letter
    return permuted(view, [letters.index(letter) for letter in result])


@implements(np.kron)
def kron(a: Any, b: Any) -> Any:
    a, b = _pair(a, b)
    rank = max(len(a.shape), len(b.shape))
    for _ in range(rank - len(a.shape)):
        a = OPS.expand_dims(a, 0)
    for _ in range(rank - len(b.shape)):
        b = OPS.expand_dims(b, 0)
    shape = [OPS.dimension(a, n) * OPS.dimension(b, n) for n in range(rank)]
    for axis in range(rank):
        a = OPS.expand_dims(a, 2 * axis + 1)
        b = OPS.expand_dims(b, 2 * axis)
    return OPS.reshape(a * b, tuple(shape))


@implements(np.trace)
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    a = tensor_of(a)
    a = a if dtype is None else OPS.astype(a, np.dtype(dtype))
    found = OPS.trace(OPS.moveaxis(a, (axis1, axis2), (-2, -1)), offset=offset)
    return found if dtype is None else OPS.astype(found, np.dtype(dtype))


@implements(np.cross)
def cross(a: Any, b: Any, axis: int = -1) -> Any:
    return OPS.cross(*_pair(a, b), axis=axis)


@implements(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    x = tensor_of(x)
    if ord is None and axis is None and x.dtype.kind == "f":
        flat = OPS.reshape(x, (-1,))  # as a product, as NumPy adds it up
        made = OPS.sqrt(OPS.matmul(flat, flat))
        return OPS.reshape(made, (1,) * len(x.shape)) if keepdims else made
    if ord in (None, "fro") or (ord == 2 and len(x.shape) == 1):
        x = x if x.dtype.kind in "fc" else OPS.astype(x, np.dtype(float))
        return OPS.sqrt(OPS.sum(OPS.square(OPS.abs(x)), axis=axis, keepdims=keepdims))
    return OPS.norm(x, ord=ord, axis=axis, keepdims=keepdims)


@implements(np.linalg.matrix_power, views=True)
def matrix_power(a: Any, n: int) -> Any:
    if isinstance(a, Array) and n == 1:
        return a
    return OPS.matrix_power(tensor_of(as_tensor(a)), n)


@implements(np.linalg.lstsq)
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    a, b = _pair(a, b)
    kinds = [one.dtype if one.dtype.kind in "fc" else np.dtype(float) for one in (a, b)]
    wanted = np.result_type(*kinds)
    wide = np.result_type(wanted, np.float64)  # in which NumPy computes
    if isinstance(rcond, int | float) and rcond < 0:
        rcond = float(np.finfo(np.float64).eps)
    found = OPS.lstsq(OPS.astype(a, wide), OPS.astype(b, wide), rcond=rcond)
    real = np.zeros(1, wanted).real.dtype
    x, residuals = OPS.astype(found.x, wanted), OPS.astype(found.residuals, real)
    return x, residuals, OPS.astype(found.rank, np.dtype(np.int32)), OPS.astype(found.s, real)


@implements(np.diff, views=True)
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    if isinstance(n, int) and n == 0:
        return a  # itself
    if prepend is not None or append is not None:
        raise NotImplementedError
    made = OPS.diff(tensor_of(as_tensor(a)), n=n, axis=axis)
    return as_array(made) if isinstance(a, Array) else made


@implements(np.trapezoid)
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    y = tensor_of(y)
    steps = dx if x is None else OPS.diff(tensor_of(x), axis=-1)
    moved = OPS.moveaxis(y, axis, -1)
    pairs = OPS.getitem(moved, (Ellipsis, slice(1, None))) + OPS.getitem(
        moved, (Ellipsis, slice(None, -1))
    )
    return OPS.sum(pairs * steps / 2.0, axis=-1)


@implements(np.polyval)
def polyval(p: Any, x: Any) -> Any:
    p = tensor_of(p)
    if not len(shape_of(p)):
        raise TypeError("iteration over a 0-d array")
    count = shape_of(p)[0]
    if not isinstance(count, int):
        raise NotImplementedError  # NumPy's own code goes over the coefficients
    made: Any = OPS.zeros_like(tensor_of(x))
    for number in range(count):
        made = made * x + OPS.getitem(p, number)
    return made


@implements(np.real, views=True)
def real(val: Any) -> Any:
    if isinstance(val, Array | Scalar):
        return val if val.dtype.kind != "c" else _part(val, "real")
    if isinstance(val, Number) and val.kind is complex:
        return OPS.py_real(val)
    if isinstance(val, Number):
        return OPS.py_int(val) if val.kind is bool else val
    val = tensor_of(val)
    return OPS.real(val) if val.dtype.kind == "c" else val


@implements(np.imag, views=True)
def imag(val: Any) -> Any:
    if isinstance(val, Array | Scalar) and val.dtype.kind == "c":
        return _part(val, "imag")
    if isinstance(val, Number) and val.kind is complex:
        return OPS.py_imag(val)
    if isinstance(val, Number):
        return 0.0 if val.kind is float else 0
    plain = tensor_of(val)
    found = OPS.imag(plain) if plain.dtype.kind == "c" else OPS.zeros_like(plain)
    if isinstance(val, Array):
        return Array.holding(held_by(found), is_writeable=False)
    return as_result(found) if isinstance(val, Scalar) else found


def _part(value: Any, name: str) -> Any:
    """A part of complex elements: a view of an array, a scalar of a scalar."""
    if isinstance(value, Array):
        return view_of(value, "part", name)
    return as_result(OPS.apply(name, (as_tensor(value),), {}))


def _setter(name: str) -> Any:
    def put_part(self: Array, value: Any) -> None:
        if self.dtype.kind != "c" and name == "imag":
            raise TypeError("array does not have imaginary part to set")
        target = view_of(self, "part", name) if self.dtype.kind == "c" else self
        put(target, OPS.updated(as_tensor(target), ..., as_tensor(value)))

    return put_part


for _name, _part_of in (("real", real), ("imag", imag)):
    setattr(Array, _name, property(_part_of, _setter(_name)))


@implements(np.shape)
def shape(a: Any) -> Any:
    return tuple(tensor_of(a).shape)


@implements(np.ndim)
def ndim(a: Any) -> Any:
    return len(tensor_of(a).shape)


@implements(np.nan_to_num, views=True)
def nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    given, x = x, tensor_of(x)
    if x.dtype.kind != "f" or not (copy or isinstance(given, Array)):
        raise NotImplementedError
    made = _finite(x, nan, posinf, neginf)
    if copy:
        return made if type(given) is Tensor else as_result(made)
    put(given, made)
    return given


def _finite(x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    limits = np.finfo(x.dtype)
    high = float(limits.max) if posinf is None else posinf
    low = float(limits.min) if neginf is None else neginf
    made = OPS.where(OPS.isnan(x), OPS.full_like(x, nan), x)
    made = OPS.where(OPS.equal(x, np.inf), OPS.full_like(x, high), made)
    return OPS.where(OPS.equal(x, -np.inf), OPS.full_like(x, low), made)
