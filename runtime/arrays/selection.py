"""NumPy's functions that search, sort and choose."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.runtime.arrays.table import implements, tensor_of
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.reducing.sorting import argsort_by
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS


@implements(np.where, keeps=True)
def where(condition: Any, *options: Any) -> Any:
    if not options:
        return nonzero(condition)
    condition = tensor_of(condition)
    if condition.dtype.kind != "b":
        condition = OPS.not_equal(condition, 0)
    taken = (list, tuple, np.generic, np.ndarray)  # whose dtypes count
    x, y = (tensor_of(one) if isinstance(one, taken) else one for one in options)
    if not isinstance(x, Tensor) and not isinstance(y, Tensor):
        kinds = [one.kind() if isinstance(one, Number) else one for one in (x, y)]
        dtype = np.result_type(*(np.asarray(one).dtype for one in kinds))
        x = OPS.asarray(x, dtype=dtype)
    return OPS.where(condition, _wrapped(x, y), _wrapped(y, x))


def _wrapped(value: Any, other: Any) -> Any:
    """A Python int beside integers of fewer bits, which NumPy's `where` casts as it does arrays."""
    kind = value.kind if isinstance(value, Number) else type(value)
    if kind is int and isinstance(other, Tensor) and other.dtype.kind in "iu":
        return OPS.astype(OPS.asarray(value), other.dtype)
    return value


@implements(np.nonzero)
def nonzero(a: Any) -> Any:
    return OPS.nonzero(tensor_of(a))


@implements(np.flatnonzero)
def flatnonzero(a: Any) -> Any:
    return OPS.nonzero(OPS.reshape(tensor_of(a), (-1,)))[0]


@implements(np.ix_)
def ix_(*args: Any) -> Any:
    made = []
    for place, one in enumerate(args):
        part = tensor_of(one)
        if len(part.shape) != 1:
            raise ValueError("Cross index must be 1 dimensional")
        part = OPS.nonzero(part)[0] if part.dtype.kind == "b" else part
        sizes = tuple(-1 if axis == place else 1 for axis in range(len(args)))
        made.append(OPS.reshape(part, sizes))
    return tuple(made)


@implements(np.argwhere)
def argwhere(a: Any) -> Any:
    if not len(shape_of(tensor_of(a))):  # so many rows as it is true, of no indices
        return OPS.stack(list(nonzero(OPS.reshape(a, (1,)))), axis=-1)[:, :0]
    return OPS.stack(list(nonzero(a)), axis=-1)


@implements(np.take)
def take(a: Any, indices: Any, axis: Any = None, mode: str = "raise") -> Any:
    a = tensor_of(a)
    if axis is None:
        a, axis = OPS.reshape(a, (-1,)), 0
    if isinstance(indices, range):
        indices = list(indices)
    if isinstance(indices, list | tuple):
        indices = tensor_of(indices) if indices else OPS.zeros((0,), dtype=np.dtype(int))
    if isinstance(indices, Tensor) and indices.dtype.kind == "b":  # as numbers, not as a mask
        indices = OPS.astype(indices, np.dtype(int))
    if mode != "raise":
        size = OPS.dimension(a, axis)
        places = OPS.asarray(indices)
        indices = OPS.remainder(places, size) if mode == "wrap" else OPS.clip(places, 0, size - 1)
    key = (slice(None),) * (axis % len(a.shape)) + (indices,)
    return OPS.getitem(a, key)


@implements(np.take_along_axis)
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    return OPS.take_along_axis(arr, indices, axis=axis)


@implements(np.sort)
def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    a = tensor_of(a)
    if axis is None:
        a, axis = OPS.reshape(a, (-1,)), 0
    return OPS.sort(a, axis=axis)


@implements(np.argsort)
def argsort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    a = tensor_of(a)
    if axis is None:
        a, axis = OPS.reshape(a, (-1,)), 0
    return argsort_by(OPS, a, axis, kind_of_sort(kind, stable))


def kind_of_sort(kind: Any, stable: Any) -> str:
    """Whether two arguments of `np.argsort` ask for the "stable" order, or for any: "quicksort"."""
    if kind is None:
        return "stable" if stable else "quicksort"
    first = str(kind)[:1].lower()
    if not first or first not in "qhms":
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})")
    return "quicksort" if first in "qh" else "stable"


@implements(np.partition)
def partition(a: Any, kth: Any, axis: Any = -1, kind: str = "introselect") -> Any:
    _check_places(a, kth, axis)
    return sort(a, axis)  # NumPy says of no other place what stands there


@implements(np.argpartition)
def argpartition(a: Any, kth: Any, axis: Any = -1, kind: str = "introselect") -> Any:
    _check_places(a, kth, axis)
    return argsort(a, axis)


def _check_places(a: Any, kth: Any, axis: Any) -> None:
    """ValueError for places of a partition that are known not to be there."""
    sizes = shape_of(tensor_of(a))
    count = math.prod(sizes) if axis is None else sizes[axis]
    for one in kth if isinstance(kth, list | tuple) else (kth,):
        if isinstance(one, int) and isinstance(count, int) and not -count <= one < count:
            if 0 not in sizes:
                raise ValueError(f"kth(={one + count * (one < 0)}) out of bounds ({count})")


@implements(np.searchsorted)
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    shared = np.result_type(tensor_of(a).dtype, tensor_of(v).dtype)
    a, v = (OPS.astype(tensor_of(one), shared) for one in (a, v))
    return OPS.searchsorted(a, v, side=side, sorter=sorter)


@implements(np.digitize)
def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    return OPS.digitize(x, bins, right=right)


@implements(np.clip)
def clip(
    a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None, **rest: Any
) -> Any:
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    a = tensor_of(a)
    if a.dtype.kind in "iu":  # Python ints that the dtype does not hold bound nothing
        low = None if type(low) is int and low <= np.iinfo(a.dtype).min else low
        high = None if type(high) is int and high >= np.iinfo(a.dtype).max else high
    made = a if low is None else OPS.maximum(a, low)
    made = made if high is None else OPS.minimum(made, high)
    return OPS.copy(made) if made is a else made


def _dtype_of_round(a: Any, decimals: int = 0) -> tuple[Any, ...]:
    a = tensor_of(a)
    return (np.round(np.ones(1, bool), decimals).dtype if a.dtype.kind == "b" else a.dtype,)


@implements(np.round, np.around, dtypes=_dtype_of_round)
def round(a: Any, decimals: int = 0) -> Any:
    return OPS.round(tensor_of(a), decimals=decimals)


@implements(np.select, keeps=True)
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    made = default
    for test, value in zip(reversed(condlist), reversed(choicelist), strict=True):
        made = where(test, value, made)
    return made


@implements(np.compress)
def compress(condition: Any, a: Any, axis: Any = None) -> Any:
    return take(a, flatnonzero(condition), axis)


@implements(np.unique)
def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    ar = tensor_of(ar)
    if axis is not None or ar.dtype.kind == "f":
        raise NotImplementedError  # of NaN, NumPy keeps one, and the op each
    if return_index or (return_inverse and return_counts):
        found = OPS.unique_all(ar)
    elif return_inverse:
        found = OPS.unique_inverse(ar)
    elif return_counts:
        found = OPS.unique_counts(ar)
    else:
        return OPS.unique_values(ar)
    made = [found.values]
    if return_index:
        made.append(found.indices)
    if return_inverse:
        made.append(found.inverse_indices)
    if return_counts:
        made.append(found.counts)
    return tuple(made)


@implements(np.isclose)
def isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    return OPS.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


@implements(np.allclose)
def allclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    return OPS.to_bool(OPS.all(isclose(a, b, rtol, atol, equal_nan)))


@implements(np.array_equal)
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    one, other = tensor_of(a1), tensor_of(a2)
    sizes = list(zip(shape_of(one), shape_of(other), strict=False))
    known = [(a, b) for a, b in sizes if isinstance(a, int) and isinstance(b, int)]
    if len(one.shape) != len(other.shape) or any(a != b for a, b in known):
        return False
    return OPS.to_bool(OPS.array_equal(one, other, equal_nan=equal_nan))
