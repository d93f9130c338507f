"""NumPy's functions that make arrays: of shapes, ranges, and of what they are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import Array, View, as_array, as_tensor, view_of
from autograph.runtime.arrays.layouts import ordered
from autograph.runtime.arrays.table import (
    CREATING,
    implements,
    strong_dtype,
    tensor_of,
    tensors_in,
)
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS

CREATING |= {np.linspace, np.logspace, np.geomspace, np.arange, np.eye, np.identity, np.tri}
CREATING |= {np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.array_split}
CREATING |= {np.meshgrid, np.diag, np.vander, np.indices, np.hanning, np.hamming, np.fromiter}
CREATING |= {np.fft.fftfreq, np.fft.rfftfreq, np.blackman, np.bartlett, np.kaiser, np.frombuffer}
CREATING |= {np.full, np.tril_indices, np.triu_indices, np.diag_indices, np.ix_, np.diagflat}


@implements(np.zeros, keeps=True)
def zeros(shape: Any, dtype: Any = float, order: str = "C") -> Any:
    return OPS.zeros(shape, dtype=np.dtype(dtype))


@implements(np.ones, keeps=True)
def ones(shape: Any, dtype: Any = None, order: str = "C") -> Any:
    return OPS.ones(shape, dtype=np.dtype(dtype or float))


@implements(np.empty, keeps=True)
def empty(shape: Any, dtype: Any = float, order: str = "C") -> Any:
    return OPS.zeros(shape, dtype=np.dtype(dtype))


@implements(np.full, keeps=True)
def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> Any:
    value = of_parts(fill_value, dtype)
    return (
        OPS.copy(OPS.broadcast_to(value, OPS.as_shape(shape)))
        if value.ndim
        else OPS.full(shape, value)
    )


def _like(function: Any, a: Any, dtype: Any, shape: Any) -> Any:
    chosen = np.dtype(dtype) if dtype is not None else tensor_of(a).dtype
    if shape is not None:
        return function(shape, dtype=chosen)
    made = {"zeros": OPS.zeros_like, "ones": OPS.ones_like}[function.__name__]
    return made(a, dtype=chosen)


@implements(np.zeros_like, np.empty_like, keeps=True)
def zeros_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None
) -> Any:
    return _like(zeros, a, dtype, shape)


@implements(np.ones_like, keeps=True)
def ones_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None
) -> Any:
    return _like(ones, a, dtype, shape)


@implements(np.full_like, keeps=True)
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
) -> Any:
    chosen = np.dtype(dtype) if dtype is not None else tensor_of(a).dtype
    if shape is not None:
        return full(shape, fill_value, chosen)
    value = of_parts(fill_value, chosen)
    return OPS.copy(OPS.broadcast_like(value, tensor_of(a)))


def of_parts(value: Any, dtype: Any) -> Any:
    """A new tensor of a tensor, an array, a number or nested lists of them, as NumPy makes one."""
    wanted = np.dtype(dtype) if dtype is not None else strong_dtype(value)
    if isinstance(value, Tensor):
        return OPS.copy(value) if value.dtype == wanted else OPS.astype(value, wanted)
    return OPS.asarray(value, dtype=wanted)


@implements(np.copy, keeps=True)
def copied(a: Any, order: str = "K", subok: bool = False) -> Any:
    return of_parts(a, None)


@implements(np.array, keeps=True, views=True)
def array(
    object: Any,
    dtype: Any = None,
    copy: Any = True,
    order: str = "K",
    subok: bool = False,
    ndmin: int = 0,
) -> Any:
    if copy is not True and isinstance(object, Array) and (dtype is None or object.dtype == dtype):
        missing = ndmin - len(object.shape)
        object = ordered(object, order)
        return View(object, "index", (None,) * missing + (Ellipsis,)) if missing > 0 else object
    if copy is False:
        if any(True for _ in tensors_in((object,))):
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        raise NotImplementedError
    made = of_parts(_plain(object), dtype)
    while len(made.shape) < ndmin:
        made = OPS.expand_dims(made, 0)
    return as_array(made)


@implements(np.ascontiguousarray, views=True)
def ascontiguousarray(a: Any, dtype: Any = None) -> Any:
    made = asarray(a, dtype, "C")
    return made if len(made.shape) else view_of(made, "index", (None,))


@implements(np.asarray, np.asanyarray, keeps=True, views=True)
def asarray(a: Any, dtype: Any = None, order: Any = None, **ignored: Any) -> Any:
    if isinstance(a, Array) and (dtype is None or a.dtype == np.dtype(dtype)):
        return ordered(a, order)
    return as_array(of_parts(_plain(a), dtype))


@implements(np.asfortranarray, keeps=True, views=True)
def asfortranarray(a: Any, dtype: Any = None) -> Any:
    made = asarray(a, dtype, "F")
    return made if len(made.shape) else view_of(made, "index", (None,))


def _plain(value: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    return as_tensor(value)


@implements(np.arange)
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, **ignored: Any) -> Any:
    if stop is None:
        start, stop = 0, start
    step = 1 if step is None else step
    found = np.result_type(np.intp, strong_dtype([start, stop, step]))
    chosen = np.dtype(dtype) if dtype is not None else found
    if found.kind != "f" or chosen.kind not in "iuf":
        return OPS.arange(start, stop, step, dtype=chosen)
    # As NumPy has it: all of them from the first two, in the dtype of the result.
    first, following = (OPS.asarray(one, dtype=chosen) for one in (start, start + step))
    count = OPS.py_max2(OPS.py_ceil(OPS.as_number((stop - start) / step)), 0)
    return first + OPS.asarray(OPS.arange(count), dtype=chosen) * (following - first)


def _inexact(*bounds: Any) -> Any:
    """The dtype of numbers between bounds: that of floats among them, else float64."""
    found = np.result_type(*[_as_promoted(one) for one in bounds])
    return found if found.kind in "fc" else np.dtype(float)


def _as_promoted(bound: Any) -> Any:
    """A bound as `np.result_type` takes it: Python's numbers are weak beside scalars."""
    if isinstance(bound, Number):
        return bound.kind(0)
    return bound if type(bound) in (bool, int, float, complex) else strong_dtype(bound)


def _has_axes(bound: Any) -> bool:
    """Whether a bound is an array: NumPy's own code spaces its elements, each by itself."""
    return isinstance(bound, list | tuple) or bool(len(getattr(bound, "shape", ())))


@implements(np.logspace)
def logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    if any(map(_has_axes, (start, stop, base))) or axis not in (0, -1):
        raise NotImplementedError
    exponents = _spaced(start, stop, num, endpoint, _inexact(start, stop))[0]
    powers = OPS.power(base, exponents)
    return powers if dtype is None else OPS.astype(powers, np.dtype(dtype))


@implements(np.geomspace)
def geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    if _has_axes(start) or _has_axes(stop):
        raise NotImplementedError
    # Bounds that are Python's numbers count as arrays here, as they do not for `linspace`.
    kind = np.result_type(strong_dtype(start), strong_dtype(stop), 1.0)
    low, high = (OPS.asarray(one, dtype=kind) for one in (start, stop))
    sign = OPS.sign(low)
    low, high = low / sign, high / sign
    exponents, places, last = _spaced(OPS.log10(low), OPS.log10(high), num, endpoint, kind)
    made = OPS.where(OPS.equal(places, 0), low, OPS.power(10.0, exponents))
    made = sign * (made if last is None else OPS.where(OPS.equal(places, last), high, made))
    return made if dtype is None else OPS.astype(made, np.dtype(dtype))


@implements(np.linspace)
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    if _has_axes(start) or _has_axes(stop):
        raise NotImplementedError
    kind = _inexact(start, stop)
    made = _spaced(start, stop, num, endpoint, kind)[0]
    if dtype is not None:
        made = OPS.floor(made) if np.dtype(dtype).kind in "iu" else made
        made = OPS.astype(made, np.dtype(dtype))
    if not retstep:
        return made
    parts = num - 1 if endpoint else num
    return made, (OPS.asarray(stop, dtype=kind) - OPS.asarray(start, dtype=kind)) / parts


def _spaced(start: Any, stop: Any, num: Any, endpoint: bool, kind: Any) -> tuple[Any, Any, Any]:
    """Numbers at equal distances as NumPy has them: their places, and the last of these if `stop`
    is at it."""
    if isinstance(num, Tensor):
        num = OPS.to_int(num)
    low, high = OPS.asarray(start, dtype=kind), OPS.asarray(stop, dtype=kind)
    parts = OPS.py_max2(num - 1 if endpoint else num, 1)
    places = OPS.astype(OPS.arange(num), kind)
    whole = high - low
    step = whole / OPS.asarray(parts, dtype=kind)
    tiny = OPS.equal(step, 0)  # where a step is too small for a number
    along = OPS.where(tiny, places / OPS.asarray(parts, dtype=kind) * whole, places * step)
    made = along + low
    if not endpoint:
        return made, places, None
    last = OPS.where(OPS.asarray(num) > 1, OPS.asarray(parts, dtype=kind), -1)
    return OPS.where(OPS.equal(places, last), high, made), places, last


@implements(np.eye)
def eye(N: Any, M: Any = None, k: int = 0, dtype: Any = float, order: str = "C") -> Any:
    return OPS.eye(N, M, k=k, dtype=np.dtype(dtype))


@implements(np.tri)
def tri(N: Any, M: Any = None, k: int = 0, dtype: Any = float) -> Any:
    return OPS.tri(N, M, k, np.dtype(dtype))


@implements(np.identity)
def identity(n: Any, dtype: Any = None) -> Any:
    return OPS.eye(n, dtype=np.dtype(dtype or float))


@implements(np.tril)
def tril(m: Any, k: int = 0) -> Any:
    m = _square(m)
    return _part(m, _distance(m) <= k) if isinstance(k, Number) else OPS.tril(m, k=k)


@implements(np.triu)
def triu(m: Any, k: int = 0) -> Any:
    m = _square(m)
    return _part(m, _distance(m) >= k) if isinstance(k, Number) else OPS.triu(m, k=k)


def _part(m: Any, kept: Any) -> Any:
    return OPS.where(kept, m, OPS.zeros_like(m))


def _distance(m: Any) -> Any:
    """How far each element of a matrix is to the right of its diagonal."""
    rows, columns = (OPS.arange(OPS.dimension(m, axis)) for axis in (-2, -1))
    return OPS.expand_dims(columns, 0) - OPS.expand_dims(rows, 1)


def _square(m: Any) -> Any:
    """A matrix; of a row, one whose rows are all that row, as NumPy has it."""
    m = tensor_of(m)
    if len(m.shape) != 1:
        return m
    size = OPS.dimension(m, 0)
    return OPS.broadcast_to(m, (size, size))


@implements(np.diag, views=True)
def diag(v: Any, k: int = 0) -> Any:
    if isinstance(v, Array) and len(v.shape) == 2:
        return view_of(v, "diagonal", k)
    is_array = isinstance(v, Array)
    v = tensor_of(_plain(v))
    if len(v.shape) == 2:
        return OPS.diagonal(v, offset=k)
    if len(v.shape) != 1:
        raise ValueError("Input must be 1- or 2-d.")
    made = diagflat(v, k)
    return as_array(made) if is_array else made


@implements(np.diagflat)
def diagflat(v: Any, k: int = 0) -> Any:
    v = OPS.reshape(tensor_of(v), (-1,))
    size = OPS.dimension(v, 0) + abs(k)
    rows = OPS.expand_dims(OPS.arange(size), 1)
    columns = OPS.expand_dims(OPS.arange(size), 0)
    placed = OPS.pad(v, ((max(k, 0), 0) if k > 0 else (0, max(-k, 0)),)) if k else v
    full_rows = OPS.expand_dims(placed, 0) if k >= 0 else OPS.expand_dims(placed, 0)
    return OPS.where(OPS.equal(columns - rows, k), full_rows, OPS.zeros_like(full_rows))


@implements(np.meshgrid)
def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    if not copy:
        raise NotImplementedError  # which gives views
    flat = [OPS.reshape(tensor_of(one), (-1,)) for one in xi]
    if sparse:
        places = [1, 0, *range(2, len(flat))] if indexing == "xy" and len(flat) > 1 else None
        along = places or range(len(flat))
        return tuple(
            OPS.reshape(one, tuple(-1 if n == axis else 1 for n in range(len(flat))))
            for one, axis in zip(flat, along, strict=True)
        )
    return tuple(OPS.meshgrid(*flat, indexing=indexing))
