"""NumPy's functions that change the shape: of arrays they are views, of tensors values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import (
    Array,
    Scalar,
    View,
    as_array,
    as_tensor,
    put,
    view_of,
)
from autograph.runtime.arrays.creation import of_parts
from autograph.runtime.arrays.layouts import is_shared, looked_into
from autograph.runtime.arrays.table import (
    CHANGING,
    has_numbers,
    implements,
    paused,
    tensor_of,
    tensors_in,
)
from autograph.runtime.core.dims import may_be_one
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import normalized_axis
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.shaping.shapes import open_squeeze, shape_of
from autograph.runtime.ops.table import OPS


def _viewed(a: Any) -> Any:
    """An array of what is to be viewed; tensors and the rest as tensors."""
    if isinstance(a, Array) or type(a) is Tensor:
        return a
    if isinstance(a, Scalar):
        return as_array(as_tensor(a))
    return tensor_of(a)


def permuted(a: Any, axes: Sequence[int]) -> Any:
    """The axes of `a` in another order."""
    if len(axes) != len(a.shape):
        raise ValueError("axes don't match array")
    order = tuple(normalized_axis(one, len(a.shape)) for one in axes)
    if sorted(order) != list(range(len(a.shape))):
        raise ValueError("axes don't match array")
    if not isinstance(a, Array):
        return OPS.permute_dims(a, order)
    if isinstance(a, View) and a.name == "permute":
        a, order = a.base, tuple(a.argument[axis] for axis in order)
    if order == tuple(range(len(order))):
        return view_of(a, "index", Ellipsis)
    return View(a, "permute", order)


def indexed(a: Any, key: Any) -> Any:
    """`a[key]` by a key without arrays."""
    return view_of(a, "index", key) if isinstance(a, Array) else OPS.getitem(a, key)


def reshaped(a: Any, shape: Any, flat: bool = False) -> Any:
    """`a` in another shape: a view of it, unless NumPy has to copy its elements.

    `flat`: it copies also what lies in steps, as `ravel` does.
    """
    if not isinstance(a, Array):
        return OPS.reshape(a, shape)
    shared = True if a.is_contiguous else is_shared(a, shape, flat)
    if shared:
        if flat:
            looked_into(a)[0].layout_asked = True
        return view_of(a, "reshape", shape)
    made = as_array(OPS.reshape(as_tensor(a), shape))
    if shared is None:
        made.is_writeable = None
    return made


@implements(np.reshape, views=True)
def reshape(
    a: Any, shape: Any = None, order: str = "C", *, newshape: Any = None, **rest: Any
) -> Any:
    if order not in ("C", "A", "F"):
        raise NotImplementedError
    wanted = newshape if shape is None else shape
    if rest.get("copy") is True and isinstance(a, Array):
        a = as_array(OPS.copy(as_tensor(a)))
    if order == "F":
        return in_fortran_order(_viewed(a), wanted)
    if isinstance(a, Scalar) and isinstance(wanted, tuple | list) and not wanted:
        return a  # a scalar of NumPy's stays one where it keeps its shape
    return reshaped(_viewed(a), wanted)


def in_fortran_order(a: Any, shape: Any) -> Any:
    """`a` in another shape, its elements taken and put with the first axis as the fastest."""
    sizes = tuple(shape)[::-1] if isinstance(shape, tuple | list) else (shape,)
    return transpose(reshaped(transpose(a), sizes))


@implements(np.ravel, views=True)
def ravel(a: Any, order: str = "C") -> Any:
    if order == "F":
        return reshaped(transpose(_viewed(a)), (-1,), flat=True)
    if order != "C":
        raise NotImplementedError
    return reshaped(_viewed(a), (-1,), flat=True)


@implements(np.transpose, np.permute_dims, views=True)
def transpose(a: Any, axes: Any = None) -> Any:
    if isinstance(a, Scalar) and not axes:
        return a
    a = _viewed(a)
    return permuted(a, tuple(axes) if axes is not None else tuple(range(len(a.shape)))[::-1])


@implements(np.matrix_transpose, views=True)
def matrix_transpose(x: Any, /) -> Any:
    return swapaxes(x, -1, -2)


@implements(np.swapaxes, views=True)
def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    a = _viewed(a)
    order = list(range(len(a.shape)))
    one, other = (normalized_axis(axis, len(order)) for axis in (axis1, axis2))
    order[one], order[other] = order[other], order[one]
    return permuted(a, order)


@implements(np.moveaxis, views=True)
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    a = _viewed(a)
    count = len(a.shape)
    sources = [normalized_axis(one, count) for one in np.atleast_1d(source).tolist()]
    places = [normalized_axis(one, count) for one in np.atleast_1d(destination).tolist()]
    order = [axis for axis in range(count) if axis not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return permuted(a, order)


@implements(np.rollaxis, views=True)
def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    a = _viewed(a)
    count = len(a.shape)
    axis = normalized_axis(axis, count)
    start = start + count if start < 0 else start
    order = [one for one in range(count) if one != axis]
    order.insert(start - 1 if axis < start else start, axis)
    return permuted(a, order)


@implements(np.expand_dims, views=True)
def expand_dims(a: Any, axis: Any) -> Any:
    a = _viewed(a)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    count = len(a.shape) + len(axes)
    places = {normalized_axis(one, count) for one in axes}
    return indexed(a, tuple(None if n in places else slice(None) for n in range(count)))


@implements(np.squeeze, views=True)
def squeeze(a: Any, axis: Any = None) -> Any:
    if isinstance(a, Scalar) and (axis is None or axis == ()):
        return a
    a = _viewed(a)
    if axis is None:
        if any(may_be_one(size) for size in shape_of(a) if not isinstance(size, int)):
            raise open_squeeze()
        places = {n for n, size in enumerate(shape_of(a)) if size == 1}
    else:
        axes = (axis,) if isinstance(axis, int) else tuple(axis)
        places = {normalized_axis(one, len(a.shape)) for one in axes}
        sizes = [shape_of(a)[one] for one in places]
        if any(may_be_one(size) for size in sizes if not isinstance(size, int)):
            raise open_squeeze()
        if any(size != 1 for size in sizes):
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    key = tuple(0 if n in places else slice(None) for n in range(len(a.shape)))
    return indexed(a, (*key, Ellipsis))  # a view also where no axis is left


@implements(np.flip, views=True)
def flip(m: Any, axis: Any = None) -> Any:
    m = _viewed(m)
    count = len(m.shape)
    axes = range(count) if axis is None else (axis,) if isinstance(axis, int) else axis
    places = {normalized_axis(one, count) for one in axes}
    return indexed(
        m, tuple(slice(None, None, -1) if n in places else slice(None) for n in range(count))
    )


@implements(np.flipud, views=True)
def flipud(m: Any) -> Any:
    return flip(m, 0)


@implements(np.fliplr, views=True)
def fliplr(m: Any) -> Any:
    return flip(m, 1)


@implements(np.rot90, views=True)
def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    if not isinstance(k, int):
        raise NotImplementedError
    m = _viewed(m)
    turns, (first, second) = k % 4, axes
    if turns == 0:
        return indexed(m, Ellipsis)
    if turns == 2:
        return flip(m, (first, second))
    if turns == 1:
        return swapaxes(flip(m, second), first, second)
    return flip(swapaxes(m, first, second), second)


@implements(np.atleast_1d, views=True)
def atleast_1d(*arrays: Any) -> Any:
    return _each(arrays, 1, lambda a: indexed(a, None))


@implements(np.atleast_2d, views=True)
def atleast_2d(*arrays: Any) -> Any:
    return _each(arrays, 2, lambda a: indexed(a, (None,) * (2 - len(a.shape))))


@implements(np.atleast_3d, views=True)
def atleast_3d(*arrays: Any) -> Any:
    keys = {0: (None, None, None), 1: (None, slice(None), None), 2: (Ellipsis, None)}
    return _each(arrays, 3, lambda a: indexed(a, keys[len(a.shape)]))


def _each(arrays: tuple[Any, ...], rank: int, widened: Any) -> Any:
    found = [one if len(one.shape) >= rank else widened(one) for one in map(_viewed, arrays)]
    return found[0] if len(found) == 1 else tuple(found)


@implements(np.array_split, views=True)
def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    if isinstance(indices_or_sections, int):
        size = shape_of(_viewed(ary))[axis]
        if not isinstance(size, int):
            raise NotImplementedError  # what is staged for it asks for the size
        if indices_or_sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        whole, rest = divmod(size, indices_or_sections)
        places = np.cumsum([whole + (n < rest) for n in range(indices_or_sections)])
        indices_or_sections = places[:-1].tolist()
    return split(ary, indices_or_sections, axis)


@implements(np.split, views=True)
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    ary = _viewed(ary)
    axis = normalized_axis(axis, len(ary.shape))
    size = shape_of(ary)[axis]
    if isinstance(indices_or_sections, int):
        if not isinstance(size, int):
            raise NotImplementedError
        if size % indices_or_sections:
            raise ValueError("array split does not result in an equal division")
        step = size // indices_or_sections
        bounds: list[Any] = [step * n for n in range(1, indices_or_sections)]
    elif isinstance(indices_or_sections, Number | Tensor):
        raise NotImplementedError
    else:
        bounds = list(indices_or_sections)
    pairs = zip([None, *bounds], [*bounds, None], strict=True)
    whole = (slice(None),) * axis
    return [indexed(ary, (*whole, slice(start, stop))) for start, stop in pairs]


@implements(np.hsplit, views=True)
def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    rank = len(_viewed(ary).shape)
    if rank == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if rank > 1 else 0)


@implements(np.vsplit, views=True)
def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    if len(_viewed(ary).shape) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


@implements(np.dsplit, views=True)
def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    if len(_viewed(ary).shape) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


@implements(np.broadcast_to, views=True)
def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    if isinstance(array, Array):
        several = shape if isinstance(shape, tuple | list) else (shape,)
        sizes = (OPS.to_int(as_tensor(one)) if isinstance(one, Tensor) else one for one in several)
        return view_of(array, "broadcast", tuple(sizes))
    made = OPS.broadcast_to(tensor_of(as_tensor(array)), OPS.as_shape(shape))
    return frozen(made, isinstance(array, Scalar))


def spread(array: Any, shape: Any) -> Any:
    """An array as `np.broadcast_arrays` gives it along with others, in the shape of all."""
    if tuple(shape_of(array)) == tuple(shape):
        return array
    return view_of(array, "spread", tuple(shape))


def frozen(made: Any, is_array: bool) -> Any:
    """A tensor, or an array that is only read."""
    return Array.holding(made._value, is_writeable=False) if is_array else made


@implements(np.diagonal, views=True)
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    moved = moveaxis(a, (axis1, axis2), (-2, -1))
    if isinstance(a, Array):
        return view_of(moved, "diagonal", offset)
    return OPS.diagonal(moved, offset=offset)


# copies -------------------------------------------------------------------------------------------
def _tensors(arrays: Any) -> list[Any]:
    return [tensor_of(one) for one in arrays]


def _require_casts(arrays: Any, dtype: Any, casting: str) -> None:
    """NumPy's own error where one of several arrays is not cast to the dtype that is asked for."""
    for one in arrays if dtype is not None else ():
        with paused():
            part: Any = np.zeros(1, tensor_of(one).dtype)
            np.concatenate([part], dtype=dtype, casting=casting)  # type: ignore[call-overload]


@implements(np.concatenate)
def concatenate(
    arrays: Any, axis: Any = 0, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    _require_casts(arrays, dtype, casting)
    if axis is None and any(isinstance(one, int | float | Number) for one in arrays):
        plain = [one if isinstance(one, int | float) else tensor_of(one) for one in arrays]
        shared = np.result_type(*[getattr(one, "dtype", one) for one in plain])
        arrays = [OPS.asarray(one, dtype=shared) for one in plain]
    parts = _tensors(arrays)
    if axis is None:
        parts, axis = [OPS.reshape(one, (-1,)) for one in parts], 0
    if any(not len(one.shape) for one in parts):
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    made = OPS.concat(parts, axis=axis)
    return made if dtype is None else OPS.astype(made, np.dtype(dtype))


@implements(np.stack)
def stack(arrays: Any, axis: int = 0, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    _require_casts(arrays, dtype, casting)
    made = OPS.stack(_tensors(arrays), axis=axis)
    return made if dtype is None else OPS.astype(made, np.dtype(dtype))


@implements(np.vstack)
def vstack(tup: Any, **rest: Any) -> Any:
    return concatenate([atleast_2d(one) for one in _tensors(tup)], 0, **rest)


@implements(np.hstack)
def hstack(tup: Any, **rest: Any) -> Any:
    parts = [atleast_1d(one) for one in _tensors(tup)]
    return concatenate(parts, 0 if len(parts[0].shape) == 1 else 1, **rest)


@implements(np.dstack)
def dstack(tup: Any, **rest: Any) -> Any:
    return concatenate([atleast_3d(one) for one in _tensors(tup)], 2, **rest)


@implements(np.column_stack)
def column_stack(tup: Any) -> Any:
    parts = [one if len(one.shape) > 1 else transpose(atleast_2d(one)) for one in _tensors(tup)]
    return concatenate(parts, 1)


@implements(np.tile)
def tile(A: Any, reps: Any) -> Any:
    return OPS.tile(tensor_of(A), reps if isinstance(reps, tuple | list) else (reps,))


@implements(np.repeat)
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    return OPS.repeat(tensor_of(a), repeats, axis=axis)


@implements(np.roll, keeps=True)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    return OPS.roll(tensor_of(a), shift, axis=axis)


FROM_EDGES = ("symmetric", "linear_ramp", "maximum", "mean", "median", "minimum")
"""Modes of `np.pad` that are written as Python on other functions."""


@implements(np.pad)
def pad(array: Any, pad_width: Any, mode: Any = "constant", **how: Any) -> Any:
    if mode in FROM_EDGES or "reflect_type" in how:
        raise NotImplementedError
    chosen = "constant" if mode == "empty" else mode
    return OPS.pad(tensor_of(array), pad_width, mode=chosen, **how)


@implements(np.append)
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    arr, values = _tensors((arr, values))
    if axis is None:
        return OPS.concat([OPS.reshape(arr, (-1,)), OPS.reshape(values, (-1,))])
    return OPS.concat([arr, values], axis=axis)


@implements(np.delete)
def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    arr = tensor_of(arr)
    if axis is None:
        arr, axis = OPS.reshape(arr, (-1,)), 0
    if not isinstance(obj, int):
        raise NotImplementedError
    axis = normalized_axis(axis, len(arr.shape))
    size = shape_of(arr)[axis]
    if not isinstance(size, int):
        OPS.getitem(arr, ((slice(None),) * axis) + (obj,))  # an IndexError where there is none
    elif not -size <= obj < size:
        raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {size}")
    whole = (slice(None),) * axis
    after = slice(obj + 1, None) if obj != -1 else slice(0, 0)
    parts = [OPS.getitem(arr, (*whole, one)) for one in (slice(None, obj), after)]
    return OPS.concat(parts, axis=axis)


@implements(np.insert)
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    arr = tensor_of(arr)
    if axis is None:
        arr, axis = OPS.reshape(arr, (-1,)), 0
    several = isinstance(obj, list | tuple | slice) or (isinstance(obj, Tensor) and obj.ndim)
    if len(arr.shape) != 1 or several:
        raise NotImplementedError
    size = shape_of(arr)[0]
    if isinstance(size, int) and isinstance(obj, int) and not -size <= obj <= size:
        raise IndexError(f"index {obj} is out of bounds for axis 0 with size {size}")
    values = OPS.reshape(of_parts(values, arr.dtype), (-1,))
    return OPS.concat(
        [OPS.getitem(arr, slice(None, obj)), values, OPS.getitem(arr, slice(obj, None))]
    )


# changes ------------------------------------------------------------------------------------------
CHANGING |= {np.copyto, np.put, np.putmask, np.place, np.fill_diagonal, np.put_along_axis}


def change(target: Any, key: Any, value: Any) -> None:
    """`target[key] = value` of an array or tensor."""
    if isinstance(value, View) and value.base is target and _is_same(value.argument, _plain(key)):
        return  # as `a[i] += v` puts back what it has changed in place
    if isinstance(target, Array):
        if _is_of_one(target, key):
            _check_element(target, value)
        stored = _plain(_as_stored(value, target.dtype))
        if isinstance(target, View) and target.name == "flat" and not _is_of_one(target, key):
            stored = _repeated(stored, OPS.getitem(as_tensor(target), _plain(key)))
        put(target, OPS.updated(as_tensor(target), _plain(key), stored))
    elif isinstance(target, Tensor) and not isinstance(target, Scalar):
        OPS.setitem(target, key, value)
    else:
        name = f"numpy.{target.dtype}" if isinstance(target, Scalar) else type(target).__name__
        raise TypeError(f"'{name}' object does not support item assignment")


def _is_of_one(target: Array, key: Any) -> bool:
    """Whether an index has one integer for each axis."""
    keys = key if isinstance(key, tuple) else (key,)
    return len(keys) == len(target.shape) and all(
        isinstance(one, int | np.integer | Number)
        and not isinstance(one, bool)
        or (isinstance(one, Tensor) and not len(one.shape) and one.dtype.kind in "iu")
        for one in keys
    )


def _check_element(target: Array, value: Any) -> None:
    """What NumPy raises for one element that is set to an array or a list."""
    if isinstance(value, Array | np.ndarray) and len(value.shape):
        sizes = [size if isinstance(size, int) else 1 for size in shape_of(value)]
        value = np.zeros(sizes, value.dtype)
    elif not isinstance(value, list | tuple) or any(True for _ in tensors_in([value])):
        return
    if not has_numbers([value]):
        with paused():
            np.zeros((1,) * len(target.shape), target.dtype)[(0,) * len(target.shape)] = value


def _as_stored(value: Any, dtype: Any) -> Any:
    """Strings and other objects as the numbers that NumPy makes of them for an array of `dtype`."""
    if isinstance(value, Array | Scalar) and value.dtype.kind == "c" and dtype.kind in "iuf":
        return OPS.real(as_tensor(value))
    if isinstance(value, Tensor | Number | np.ndarray) or has_numbers([value]):
        return value
    if any(True for _ in tensors_in([value])):
        return value
    given = np.asarray(value)
    is_list = isinstance(value, list | tuple)
    if given.dtype.kind in "biufc" and (not is_list or given.dtype.kind == dtype.kind):
        return value
    stored = np.zeros(given.shape if is_list else (), dtype)
    stored[...] = value
    return stored


def _is_same(one: Any, other: Any) -> bool:
    """Whether two indices are surely the same."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, slice) and isinstance(other, slice):
        bounds = [(each.start, each.stop, each.step) for each in (one, other)]
        return _is_same(*bounds)
    return one is other or (type(one) is int and type(other) is int and one == other)


def _plain(value: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    if isinstance(value, slice):
        return slice(*map(_plain, (value.start, value.stop, value.step)))
    return list(value) if isinstance(value, range) else as_tensor(value)


@implements(np.copyto, views=True)
def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    kind = src.kind if isinstance(src, Number) else type(src)
    given = tensor_of(src).dtype
    weak = kind is bool or (kind is int and dst.dtype.kind != "b")
    if not weak and not np.can_cast(given, dst.dtype, casting):  # type: ignore[arg-type]
        told = f"from {given!r} to {dst.dtype!r} according to the rule '{casting}'"
        what = "scalar" if kind is int else "array data"
        raise TypeError(f"Cannot cast {what} {told}")
    if where is not True:
        plain = as_tensor(dst)
        src = OPS.where(tensor_of(where), _as_stored(src, plain.dtype), plain)
    change(dst, Ellipsis, src)


@implements(np.fill_diagonal, views=True)
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    if len(a.shape) != 2 or wrap:
        raise NotImplementedError
    rows, columns = shape_of(a)  # of an argument, symbols; `a.shape` has what this call brought
    if isinstance(rows, int) and isinstance(columns, int):
        places = OPS.arange(min(rows, columns))
    else:
        sizes = [OPS.asarray(OPS.dimension(as_tensor(a), axis)) for axis in (0, 1)]
        places = OPS.arange(OPS.to_int(OPS.minimum(*sizes)))
    change(a, (places, places), val)


@implements(np.putmask, views=True)
def putmask(a: Any, mask: Any, values: Any) -> None:
    plain = as_tensor(a)
    change(
        a,
        Ellipsis,
        OPS.where(_plain(mask), _repeated(_plain(values), plain), plain),
    )


def _repeated(values: Any, like: Any) -> Any:
    """Values one after the other, over and over, as many as a tensor has: without any, its own."""
    values = OPS.astype(tensor_of(values), like.dtype)
    if shape_of(values) == shape_of(like):
        return values
    values = OPS.reshape(values, (-1,))
    given = shape_of(values)[0]
    if isinstance(given, int) and given < 2:
        return OPS.broadcast_like(OPS.reshape(values, ()), like) if given else like
    count = OPS.dimension(OPS.reshape(like, (-1,)), 0)
    places = OPS.remainder(OPS.arange(count), OPS.asarray(OPS.dimension(values, 0)))
    return OPS.reshape_like(OPS.take(values, places, axis=0), like)
