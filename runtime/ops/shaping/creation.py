"""Tensors from nothing: filled ones, ranges, the identity matrix, triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.door import apply
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Decomposition,
    Movement,
    Op,
    Sample,
)
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.building import typed
from autograph.runtime.ops.inference import checked_size, size_of_attribute
from autograph.runtime.ops.quiet import quiet


# full ---------------------------------------------------------------------------------------------
def _infer_full(fill: Spec, *, shape: tuple[Any, ...]) -> Spec:
    if fill.ndim:
        raise ValueError(f"full takes one value, not {fill}; use broadcast_to")
    return Spec(fill.dtype, tuple(size_of_attribute(size) for size in shape))


def _full(fill: Any, *, shape: tuple[int, ...]) -> Any:
    if np.ndim(fill):
        _infer_full(Spec(fill.dtype, fill.shape), shape=())
    return np.full(shape, fill)


FULL: Op = Op(
    name="full",
    summary="A tensor of a shape with one value everywhere.",
    infer=_infer_full,
    reference=_full,
    gradient=(lambda o, g, out, fill, *, shape: o.sum(g),),
    lowering=Movement("fill"),
    samples=(
        Sample((1.5,), {"shape": (2, 3)}),
        Sample((2,), {"shape": ()}, gradient=False),
        Sample((True,), {"shape": (0, 2)}, gradient=False),
    ),
    public=lambda o, shape, fill_value, dtype=None: apply(
        FULL, (o.asarray(fill_value, dtype=dtype),), {"shape": o.as_shape(shape)}
    ),
)


def zeros(o: Any, shape: Any, dtype: Any = float) -> Any:
    """A tensor of zeros; the default float dtype unless `dtype` says otherwise."""
    return _filled(o, shape, np.zeros((), dtypes.as_dtype(dtype or float)))


def ones(o: Any, shape: Any, dtype: Any = float) -> Any:
    """A tensor of ones; the default float dtype unless `dtype` says otherwise."""
    return _filled(o, shape, np.ones((), dtypes.as_dtype(dtype or float)))


def _filled(o: Any, shape: Any, value: Any) -> Any:
    return apply(FULL, (value,), {"shape": o.as_shape(shape)})


def empty(o: Any, shape: Any, dtype: Any = float) -> Any:
    """A tensor whose elements mean nothing yet: zeros."""
    return zeros(o, shape, dtype=dtype)


def empty_like(o: Any, x: Any, dtype: Any = None) -> Any:
    """A tensor of the shape of `x` whose elements mean nothing yet: zeros."""
    return full_like(o, x, 0, dtype=dtype)


def full_like(o: Any, x: Any, fill_value: Any, dtype: Any = None) -> Any:
    """A tensor of the shape of `x` and, unless `dtype` is given, its dtype, with one value."""
    x = o.asarray_or_same(x)
    chosen = dtypes.as_dtype(dtype) if dtype is not None else x.dtype
    if isinstance(fill_value, bool | int | float):
        filled = np.empty((), chosen)
        filled[()] = fill_value
        fill_value = filled
    return o.apply("broadcast_like", (o.asarray(fill_value, dtype=chosen), x), {})


def zeros_like(o: Any, x: Any, dtype: Any = None) -> Any:
    """Zeros in the shape and dtype of `x`."""
    return full_like(o, x, 0, dtype=dtype)


def ones_like(o: Any, x: Any, dtype: Any = None) -> Any:
    """Ones in the shape and dtype of `x`."""
    return full_like(o, x, 1, dtype=dtype)


# ranges -------------------------------------------------------------------------------------------
def _infer_arange(start: Spec, step: Spec, *, length: Any, dtype: DType) -> Spec:
    return Spec(dtype, (size_of_attribute(length),))


@quiet
def _arange_reference(start: Any, step: Any, *, length: int, dtype: DType) -> Any:
    return (start + np.arange(length) * step).astype(dtype)


def _arange_start(o: Any, g: Any, out: Any, start: Any, step: Any, **how: Any) -> Any:
    return o.like_number(o.sum(g), start)


def _arange_step(
    o: Any, g: Any, out: Any, start: Any, step: Any, *, length: Any, dtype: DType
) -> Any:
    return o.like_number(o.sum(g * counted(o, length, g.dtype)), step)


ARANGE: Op = Op(
    name="arange",
    summary="start, start + step, …: in int64 or float64, then in the dtype of the result.",
    infer=_infer_arange,
    reference=_arange_reference,
    gradient=(typed(_arange_start, 0), typed(_arange_step, 1)),
    lowering=Movement("arange"),
    samples=(
        Sample((0, 1), {"length": 4, "dtype": dtypes.int64}, gradient=False),
        Sample((5, -2), {"length": 3, "dtype": dtypes.float32}, gradient=False),
        Sample((0.5, 0.25), {"length": 0, "dtype": dtypes.float64}, gradient=False),
        Sample((np.array(0.5), np.array(0.25)), {"length": 3, "dtype": dtypes.float64}),
    ),
    public=lambda o, start, /, stop=None, step=1, dtype=None: _arange(o, start, stop, step, dtype),
)


def _floating_of(*bounds: Any) -> DType | None:
    """The float dtype that bounds which are tensors or arrays have, if any."""
    held = [one.dtype for one in bounds if isinstance(one, Tensor | np.ndarray | np.generic)]
    floats = [one for one in held if one.kind == "f"]
    return np.result_type(*floats) if floats else None


def _arange(o: Any, start: Any, stop: Any, step: Any, dtype: Any) -> Any:
    if stop is None:
        start, stop = 0, start
    given = _floating_of(start, stop, step)
    first, apart = start, step
    start, stop, step = (o.as_number(one) for one in (start, stop, step))
    kinds = {o.kind_of(one) for one in (start, stop, step)}
    if "f" in kinds:
        chosen = given or dtypes.default_dtype(float)
        start, step = start + 0.0, step + 0.0
        length = o.py_ceil((stop - start) / step)
        start, step = _as_followed(o, first, start), _as_followed(o, apart, step)
    else:
        chosen = dtypes.default_dtype(int)
        length = -((start - stop) // step)
    length = o.py_max2(length, 0)
    wanted = dtypes.as_dtype(dtype) if dtype is not None else chosen
    return apply(ARANGE, (start, step), {"length": length, "dtype": wanted})


def _as_followed(o: Any, bound: Any, number: Any) -> Any:
    """A bound of which `number` is the value: a tensor stays one, which tapes follow."""
    is_tensor = isinstance(bound, Tensor)
    return o.astype(o.reshape(bound, ()), dtypes.float64) if is_tensor else number


def counted(o: Any, size: Any, dtype: DType = dtypes.int64) -> Any:
    """0, 1, …: as many as `size`. ValueError below 0, where `arange` gives none."""
    return o.apply("arange", (0, 1), {"length": size, "dtype": dtype})


def _infer_linspace(
    start: Spec, stop: Spec, *, num: Any, endpoint: bool = True, dtype: DType = dtypes.float32
) -> Spec:
    _check_bounds(start.ndim, stop.ndim)
    return Spec(dtype, (size_of_attribute(num),))


def _check_bounds(*axes: int) -> None:
    """ValueError for bounds that are no single numbers: they would be taken one for each number."""
    if any(axes):
        raise ValueError(
            "start and stop of linspace() are single numbers; write "
            "start + (stop - start) * ag.linspace(0.0, 1.0, num)[:, None] for rows of them"
        )


@quiet
def _linspace(
    start: Any, stop: Any, *, num: int, endpoint: bool = True, dtype: DType = dtypes.float32
) -> Any:
    _check_bounds(np.ndim(start), np.ndim(stop))
    steps = np.arange(checked_size(num), dtype=dtype)
    share = steps / np.asarray(max(num - 1 if endpoint else num, 1), dtype)
    low, high = np.asarray(start, dtype), np.asarray(stop, dtype)
    # From both ends, so that the last is `stop` itself.
    return np.where(share < 0.5, low + share * (high - low), high - (1 - share) * (high - low))


def _linspace_share(o: Any, num: Any, endpoint: bool, dtype: DType) -> Any:
    parts = o.py_max2(num - 1 if endpoint else num, 1)
    return counted(o, num, dtype) / parts


def _linspace_rule(o: Any, start: Any, stop: Any, *, num: Any, endpoint: bool, dtype: DType) -> Any:
    share = _linspace_share(o, num, endpoint, dtype)
    low, high = o.asarray(start, dtype=dtype), o.asarray(stop, dtype=dtype)
    width = high - low
    return o.where(o.less(share, 0.5), low + share * width, high - (1 - share) * width)


def _linspace_low(
    o: Any, g: Any, out: Any, start: Any, stop: Any, *, num: Any, endpoint: bool, dtype: DType
) -> Any:
    return o.sum(g * (1 - _linspace_share(o, num, endpoint, dtype)))


def _linspace_high(
    o: Any, g: Any, out: Any, start: Any, stop: Any, *, num: Any, endpoint: bool, dtype: DType
) -> Any:
    return o.sum(g * _linspace_share(o, num, endpoint, dtype))


LINSPACE: Op = Op(
    name="linspace",
    summary="`num` numbers at equal distances from start to stop.",
    infer=_infer_linspace,
    reference=_linspace,
    gradient=(typed(_linspace_low, 0), typed(_linspace_high, 1)),
    lowering=Decomposition(_linspace_rule),
    samples=(
        Sample((0.5, 2.0), {"num": 5, "dtype": dtypes.float64}),
        Sample((0.5, 2.0), {"num": 4, "endpoint": False, "dtype": dtypes.float64}),
        Sample((1.0, 2.0), {"num": 1, "dtype": dtypes.float64}),
        Sample((1.0, 2.0), {"num": 0}, gradient=False),
    ),
    public=lambda o, start, stop, /, num=50, endpoint=True, *, dtype=None: _public_linspace(
        o, start, stop, num, dtype, endpoint
    ),
)


def _public_linspace(o: Any, start: Any, stop: Any, num: Any, dtype: Any, endpoint: Any) -> Any:
    """Computed in floats; whole numbers of another dtype are rounded down, as NumPy does."""
    own = _floating_of(start, stop) or dtypes.default_dtype(float)
    wanted = own if dtype is None else dtypes.as_dtype(dtype)
    computed = wanted if wanted.kind == "f" else dtypes.float64
    attributes = {"num": o.attribute(num), "endpoint": bool(endpoint)}
    ends = [
        o.asarray(one, dtype=None if isinstance(one, Tensor | np.ndarray) else computed)
        for one in (start, stop)
    ]
    made = apply(LINSPACE, tuple(ends), {**attributes, "dtype": computed})
    return made if wanted == computed else o.astype(o.floor(made), wanted)


# matrices -----------------------------------------------------------------------------------------
def _infer_eye(*, rows: Any, columns: Any, k: Any = 0, dtype: DType = dtypes.float32) -> Spec:
    return Spec(dtype, (size_of_attribute(rows), size_of_attribute(columns)))


def _eye(*, rows: int, columns: int, k: int = 0, dtype: DType = dtypes.float32) -> Any:
    return np.eye(rows, columns, k, dtype=dtype)


def _eye_rule(o: Any, *, rows: Any, columns: Any, k: Any, dtype: DType) -> Any:
    row, column = counted(o, rows)[:, None], counted(o, columns)[None, :]
    return o.astype(o.equal(row + k, column), dtype)


EYE: Op = Op(
    name="eye",
    summary="1 on a diagonal, 0 elsewhere; `k` counts diagonals upwards from the main one.",
    infer=_infer_eye,
    reference=_eye,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Decomposition(_eye_rule),
    samples=(
        Sample((), {"rows": 3, "columns": 3}, gradient=False),
        Sample((), {"rows": 2, "columns": 4, "k": 1, "dtype": dtypes.int32}, gradient=False),
    ),
    public=lambda o, n_rows, n_cols=None, /, k=0, dtype=float: apply(
        EYE,
        (),
        {
            "rows": o.attribute(n_rows),
            "columns": o.attribute(n_rows if n_cols is None else n_cols),
            "k": o.attribute(k),
            "dtype": dtypes.as_dtype(dtype or float),
        },
    ),
)


def _infer_triangle(x: Spec, *, k: Any = 0) -> Spec:
    if x.ndim < 2:
        raise ValueError(f"a triangle is of a matrix, not of {x}")
    return x.with_shape(x.shape)


def _tril(x: Any, *, k: int = 0) -> Any:
    _infer_triangle(Spec(x.dtype, x.shape))
    return np.tril(x, k)


def _triu(x: Any, *, k: int = 0) -> Any:
    _infer_triangle(Spec(x.dtype, x.shape))
    return np.triu(x, k)


def _distance(o: Any, x: Any) -> Any:
    """By how many diagonals each element is above the main one."""
    rows, columns = o.dimension(x, x.ndim - 2), o.dimension(x, x.ndim - 1)
    return o.arange(columns)[None, :] - o.arange(rows)[:, None]


TRIANGLE_SAMPLES = (
    Sample(([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],)),
    Sample((np.linspace(0, 1, 18).reshape(2, 3, 3),), {"k": -1}),
    Sample(([[True, True], [True, True]],), {"k": 1}, gradient=False),
)

RECORDS = (
    FULL,
    ARANGE,
    LINSPACE,
    EYE,
    Op(
        name="tril",
        summary="The matrix x with zeros above its diagonal `k`.",
        infer=_infer_triangle,
        reference=_tril,
        gradient=(lambda o, g, out, x, *, k: o.tril(g, k=k),),
        lowering=Decomposition(
            lambda o, x, *, k: o.where(o.less_equal(_distance(o, x), k), x, o.zeros_like(x))
        ),
        samples=TRIANGLE_SAMPLES,
    ),
    Op(
        name="triu",
        summary="The matrix x with zeros below its diagonal `k`.",
        infer=_infer_triangle,
        reference=_triu,
        gradient=(lambda o, g, out, x, *, k: o.triu(g, k=k),),
        lowering=Decomposition(
            lambda o, x, *, k: o.where(o.greater_equal(_distance(o, x), k), x, o.zeros_like(x))
        ),
        samples=TRIANGLE_SAMPLES,
    ),
)
FUNCTIONS = (zeros, ones, empty, empty_like, full_like, zeros_like, ones_like)
