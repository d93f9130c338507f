"""Operators, items, attributes and methods of NumPy's arrays and scalars, while tracing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.arrays import (
    algebra,
    creation,
    manipulation,
    named,
    reductions,
    selection,
)
from autograph.runtime.arrays.bits import with_bytes_as
from autograph.runtime.arrays.cells import (
    Array,
    Scalar,
    View,
    as_array,
    as_result,
    as_tensor,
    known_elements,
    put,
    view_of,
)
from autograph.runtime.arrays.layouts import ordered
from autograph.runtime.arrays.manipulation import (
    change,
    in_fortran_order,
    reshaped,
    transpose,
)
from autograph.runtime.arrays.table import (
    CHANGING,
    OPERANDS,
    apply_function,
    implements,
    mapped,
    store,
    strong_dtype,
)
from autograph.runtime.arrays.ufuncs import call
from autograph.runtime.core import dtypes
from autograph.runtime.core.number import Number
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS

FAMILIES = (algebra, creation, manipulation, named, reductions, selection)
"""Importing them fills the table."""

BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "matmul": np.matmul,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
}
COMPARING = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
UNARY = {"neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert}


def operate(ufunc: Any, left: Any, right: Any) -> Any:
    """An operator of which one operand at least is an array or a scalar."""
    if not (isinstance(left, OPERANDS) and isinstance(right, OPERANDS)):
        return NotImplemented
    return apply_function(ufunc, (left, right), {})


def in_place(ufunc: Any, array: Array, other: Any) -> Array:
    """`array += other`: computed as `array + other`, and put into the array.

    TypeError where NumPy does not cast the result to the array's dtype, ValueError where the result
    has another shape.
    """
    value = call(ufunc, as_tensor(array), mapped(other, as_tensor))
    if not np.can_cast(value.dtype, array.dtype, "same_kind"):
        kind = other.kind if isinstance(other, Number) else type(other)
        given = np.zeros(1, getattr(other, "dtype", None) or kind)
        ufunc(np.ones(1, array.dtype), given, out=np.zeros(1, array.dtype))  # raises
    if array.is_writeable is False:
        raise ValueError("output array is read-only")
    store(value, array)
    return array


SHORT = ("add", "sub", "mul", "truediv", *COMPARING)
"""Operators that are those of tensors, for floats of one dtype and numbers of Python."""
_CELLS = frozenset({Array, View, Scalar, np.ndarray})


def _install(kind: Any) -> None:
    for name, ufunc in (*BINARY.items(), *COMPARING.items()):
        setattr(kind, f"__{name}__", _forward(ufunc, name))
        if name in BINARY:
            setattr(kind, f"__r{name}__", _reflected(ufunc, name))
    for name, ufunc in UNARY.items():
        setattr(kind, f"__{name}__", _unary(ufunc))
    kind.__divmod__ = lambda self, other: operate(np.divmod, self, other)
    kind.__rdivmod__ = lambda self, other: operate(np.divmod, other, self)
    kind.__getitem__ = item
    kind.__setitem__ = change


def _forward(ufunc: Any, name: str) -> Callable[[Any, Any], Any]:
    if name not in SHORT:
        return lambda self, other: operate(ufunc, self, other)
    plain = getattr(Tensor, f"__{name}__")

    def method(self: Any, other: Any) -> Any:
        if _is_short(self, other):
            return as_result(plain(self, other))
        return operate(ufunc, self, other)

    return method


def _reflected(ufunc: Any, name: str) -> Callable[[Any, Any], Any]:
    if name not in SHORT:
        return lambda self, other: operate(ufunc, other, self)
    plain = getattr(Tensor, f"__r{name}__")

    def method(self: Any, other: Any) -> Any:
        if _is_short(self, other):
            return as_result(plain(self, other))
        return operate(ufunc, other, self)

    return method


def _is_short(cell: Any, other: Any) -> bool:
    """Whether an operator, outside of traces, has operands of floats in one dtype."""
    if STATE.interpreter is not None:
        return False
    dtype, kind = cell._value.dtype, type(other)
    if dtype.kind != "f":
        return False
    return kind is float or kind is int or (kind in _CELLS and other.dtype == dtype)


def _unary(ufunc: Any) -> Callable[[Any], Any]:
    return lambda self: apply_function(ufunc, (self,), {})


# items --------------------------------------------------------------------------------------------
def item(cell: Any, key: Any) -> Any:
    """`a[key]`: a scalar, a view, or (by arrays) a new array."""
    copies = any(isinstance(one, Array) for one in (key if isinstance(key, tuple) else (key,)))
    key = _plain_key(key)
    keys = key if isinstance(key, tuple) else (key,)
    if not all(map(_is_basic, keys)):
        return as_array(OPS.getitem(as_tensor(cell), key))
    wanted = sum(one is not None and one is not Ellipsis for one in keys)
    indices = sum(
        one is not Ellipsis and not isinstance(one, slice) and one is not None for one in keys
    )
    if wanted == indices == len(cell.shape) and len(keys) == indices:
        known = known_elements(cell)
        if known is not None and all(isinstance(one, int) for one in keys):
            return known[key]
        return as_result(OPS.getitem(as_tensor(cell), key))
    if isinstance(cell, Scalar) or copies:  # also by an array without axes
        return as_array(OPS.getitem(as_tensor(cell), key))
    if isinstance(cell, View) and cell.name == "flat":
        return as_array(OPS.getitem(as_tensor(cell), key))  # NumPy's iterator gives copies
    return view_of(cell, "index", key)


def _plain_key(key: Any) -> Any:
    if isinstance(key, tuple):
        return tuple(map(_plain_key, key))
    if isinstance(key, slice):
        return slice(*map(_plain_key, (key.start, key.stop, key.step)))
    if isinstance(key, np.integer):
        return int(key)
    if isinstance(key, range):
        return list(key)
    return mapped(key, as_tensor)


def _is_basic(key: Any) -> bool:
    if isinstance(key, Tensor):
        return not len(key.shape) and key.dtype.kind in "iu"
    return not isinstance(key, list | np.ndarray | bool | np.bool_)


# attributes ---------------------------------------------------------------------------------------
def _astype(
    self: Any, dtype: Any, order: str = "K", *args: Any, copy: bool = True, **rest: Any
) -> Any:
    if not copy and self.dtype == np.dtype(dtype):
        return ordered(self, order) if isinstance(self, Array) else self
    plain = as_tensor(self)
    if self.dtype.kind == "c" and np.dtype(dtype).kind in "iuf":
        plain = OPS.real(plain)
    made = OPS.astype(plain, np.dtype(dtype))
    return (as_result if isinstance(self, Scalar) else as_array)(made)


def _reshape(self: Any, *shape: Any, order: str = "C", **rest: Any) -> Any:
    if order not in ("C", "F"):
        raise NotImplementedError
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
    if isinstance(self, Scalar) and not sizes:
        return self
    is_own = isinstance(self, Array) and rest.get("copy") is not True
    whole = self if is_own else as_array(OPS.copy(as_tensor(self)))
    return (reshaped if order == "C" else in_fortran_order)(whole, mapped(sizes, as_tensor))


def _transpose(self: Any, *axes: Any) -> Any:
    order = (
        axes[0]
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], tuple | list))
        else axes
    )
    return transpose(self, order or None)


def _copy(self: Any, order: str = "C") -> Any:
    return self if isinstance(self, Scalar) else as_array(OPS.copy(as_tensor(self)))


def _flatten(self: Any, order: str = "C") -> Any:
    if order not in ("C", "F"):
        raise NotImplementedError
    plain = as_tensor(self if order == "C" else transpose(self))
    return as_array(OPS.copy(OPS.reshape(plain, (-1,))))


def _view(self: Any, dtype: Any = None, type: Any = None) -> Any:
    if dtype is np.ndarray:
        dtype = None
    if type not in (None, np.ndarray):
        raise NotImplementedError
    held = as_tensor(self).dtype
    wanted = held if dtype is None else np.dtype(dtype)
    if wanted == held:
        return view_of(self, "index", Ellipsis) if isinstance(self, Array) else self
    if wanted not in (*dtypes.ALL, *dtypes.COMPLEX):
        raise NotImplementedError
    if wanted.itemsize != held.itemsize:
        if not shape_of(as_tensor(self)):
            raise ValueError(
                "Changing the dtype of a 0d array is only supported if the itemsize is unchanged"
            )
        if not self.is_contiguous:
            raise NotImplementedError
    if isinstance(self, Array):
        return view_of(self, "bits", wanted)
    return as_result(with_bytes_as(as_tensor(self), wanted))


def _fill(self: Any, value: Any) -> None:
    change(self, Ellipsis, value)


def _resize(self: Any, *shape: Any, refcheck: bool = True) -> None:
    """`array.resize(shape)` to the shape that it has."""
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
    if not isinstance(self, Array) or tuple(sizes) != tuple(shape_of(self)):
        raise NotImplementedError


def _sort(self: Any, axis: int = -1, kind: Any = None, order: Any = None, **rest: Any) -> None:
    put(self, OPS.sort(as_tensor(self), axis=axis))


def _function(function: Any) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **keywords: Any) -> Any:
        found = apply_function(function, (self, *args), keywords)
        if found is NotImplemented:
            raise NotImplementedError
        return found

    return method


def _compress(self: Any, condition: Any, axis: Any = None) -> Any:
    """`array.compress(condition)`: NumPy's function takes them the other way round."""
    return apply_function(np.compress, (condition, self, axis), {})


METHODS: dict[str, Callable[..., Any]] = {
    name: _function(getattr(np, name))
    for name in "sum prod mean std var max min argmax argmin any all cumsum cumprod clip dot"
    " repeat argsort nonzero diagonal searchsorted swapaxes squeeze ravel"
    " conjugate".split()
}
METHODS |= {
    "conj": lambda self: self if self.dtype.kind != "c" else METHODS["conjugate"](self),
    "astype": _astype,
    "compress": _compress,
    "reshape": _reshape,
    "transpose": _transpose,
    "copy": _copy,
    "__copy__": _copy,
    "flatten": _flatten,
    "fill": _fill,
    "view": _view,
    "resize": _resize,
    "sort": _sort,
}
for _name, _method in METHODS.items():
    _method.__name__ = _method.__qualname__ = _name


ATTRIBUTES: dict[str, Callable[[Any], Any]] = {
    "T": lambda self: transpose(self) if len(self.shape) else self,
    "mT": lambda self: manipulation.swapaxes(self, -1, -2),
    "real": lambda self: self if self.dtype.kind != "c" else apply_function(np.real, (self,), {}),
    "imag": lambda self: apply_function(np.imag, (self,), {}),
    "itemsize": lambda self: self.dtype.itemsize,
    "flat": lambda self: view_of(self, "flat", None) if isinstance(self, Array) else self,
}


def add_at(array: Any, indices: Any, values: Any) -> None:
    """`np.add.at(array, indices, values)`: where an index repeats, all of its values count."""
    if isinstance(indices, tuple | slice) or not isinstance(array, Array):
        raise NotImplementedError
    if strong_dtype(indices).kind == "b":
        raise NotImplementedError
    plain = as_tensor(array)
    put(array, OPS.scatter_add(plain, mapped(indices, as_tensor), mapped(values, as_tensor)))


CHANGING.add(np.add.at)
implements(np.add.at, views=True)(add_at)


def _in_place(ufunc: Any) -> Callable[[Any, Any], Any]:
    return lambda self, other: in_place(ufunc, self, other)


for _kind in (Array, Scalar):
    _install(_kind)
for _name, _ufunc in BINARY.items():
    setattr(Array, f"__i{_name}__", _in_place(_ufunc))
