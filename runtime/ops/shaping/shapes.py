"""Ops that change the shape and keep the order of the elements, and the ones that broadcast.

`broadcast_like`, `sum_like` and `reshape_like` take a tensor for its shape alone: what gradient
rules use, so that nothing in them depends on sizes known only when the graph runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.dims import Dim, DimLike, Shape, divide, may_be_one, product
from autograph.runtime.core.door import apply
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Decomposition,
    DynamicInt,
    Effect,
    Movement,
    Op,
    Sample,
)
from autograph.runtime.core.spec import PYINT, ShapeError, Spec, normalized_axis
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.inference import same_size, size_of_attribute

MATRIX = [[0.5, -1.25, 2.0], [1.5, 0.75, -0.3]]


# reshape ------------------------------------------------------------------------------------------
def _infer_reshape(x: Spec, *, shape: tuple[Any, ...]) -> Spec:
    open_places = [i for i, size in enumerate(shape) if isinstance(size, DynamicInt) or size == -1]
    if sum(not isinstance(size, DynamicInt) and size < 0 for size in shape) > 1:
        raise ValueError("can only specify one unknown dimension")
    dims: list[DimLike] = [
        size_of_attribute(size) if i not in open_places else 0 for i, size in enumerate(shape)
    ]
    rest = product(dim for i, dim in enumerate(dims) if i not in open_places)
    if len(open_places) == 1:
        size = divide(x.size, rest)
        given = isinstance(shape[open_places[0]], DynamicInt)  # of size 0 it may be anything
        known = isinstance(x.size, int) and isinstance(rest, int)
        if size is None and known and not (given and x.size == rest == 0):
            raise _misfit(x, shape)
        dims[open_places[0]] = Dim.fresh("n") if size is None else size
    elif not open_places:
        if not same_size(rest, x.size):
            raise _misfit(x, shape)
    else:
        for place in open_places:
            dims[place] = Dim.fresh("n")
    return Spec(x.dtype, tuple(dims))


def _misfit(x: Spec, shape: Sequence[Any]) -> ShapeError:
    return ShapeError(f"cannot reshape {x}, of size {x.size}, into shape {tuple(shape)}")


def _reshape_reference(x: Any, *, shape: tuple[Any, ...]) -> Any:
    return x.reshape(shape)


def _reshape(o: Any, x: Any, /, shape: Any, *, copy: bool | None = None) -> Any:
    """`x` with the same elements in another shape; one size may be -1. ShapeError (a ValueError)
    where the number of elements differs. With `copy`, items of the result may be assigned."""
    x, shape = o.asarray_or_same(x), o.as_shape(shape)
    if copy:
        return o.copy(_reshape(o, x, shape))
    if STATE.interpreter is None or fits(shape_of(x), shape):
        return o.view(apply(RESHAPE, (x,), {"shape": shape}))
    return o.view(apply(CHECKED_RESHAPE, (x,), {"shape": shape}))


def fits(dims: Shape, shape: tuple[Any, ...]) -> bool:
    """Whether it is sure while tracing that a reshape of `dims` into `shape` holds."""
    total = product(dims)
    if any(not isinstance(size, int) for size in shape):
        return False
    if -1 not in shape:
        return total == product(shape)
    return divide(total, product(size for size in shape if size != -1)) is not None


RESHAPE_SAMPLES = (
    Sample((MATRIX,), {"shape": (3, 2)}),
    Sample((MATRIX,), {"shape": (-1,)}),
    Sample((1.5,), {"shape": (1, 1)}),
    Sample((np.zeros((0, 3)),), {"shape": (3, 0)}),
)


def _reshape_op(name: str, summary: str, effect: Effect) -> Op:
    return Op(
        name=name,
        summary=summary,
        infer=_infer_reshape,
        reference=_reshape_reference,
        gradient=(lambda o, g, out, x, *, shape: o.reshape_like(g, x),),
        lowering=Movement("reshape"),
        effect=effect,
        samples=RESHAPE_SAMPLES,
        public=_reshape,
    )


RESHAPE = _reshape_op("reshape", "The same elements in another shape.", Effect.PURE)
CHECKED_RESHAPE = _reshape_op(
    "checked_reshape",
    "reshape where the sizes are known only at run time: ValueError where they do not fit.",
    Effect.MAY_RAISE,
)


def _infer_reshape_like(x: Spec, like: Spec) -> Spec:
    if not same_size(x.size, like.size):
        raise _misfit(x, like.shape)
    return Spec(x.dtype, like.shape)


RESHAPE_LIKE: Op = Op(
    name="reshape_like",
    summary="The elements of x in the shape of another tensor.",
    infer=_infer_reshape_like,
    reference=lambda x, like: np.reshape(x, np.shape(like)),
    gradient=(lambda o, g, out, x, like: o.reshape_like(g, x), None),
    lowering=Movement("reshape_like"),
    samples=(Sample((MATRIX, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])), Sample(([2.0], 1.0))),
    public=lambda o, x, like: x if same_shape(x, like) else apply(RESHAPE_LIKE, (x, like)),
)


def same_shape(x: Any, like: Any) -> bool:
    """Whether two tensors surely have one shape."""
    if STATE.interpreter is None and isinstance(x, Tensor) and isinstance(like, Tensor):
        return bool(x._value.shape == like._value.shape)
    return shape_of(x) == shape_of(like)


def shape_of(x: Any) -> Shape:
    """The shape as this trace knows it: a tensor from outside may have symbolic sizes in it."""
    interpreter = STATE.interpreter
    if interpreter is None:
        found: Shape = x.shape if isinstance(x, Tensor) else np.shape(x)
        return found
    if not isinstance(x, Tensor) or isinstance(x._value, np.ndarray):
        staged: Shape = interpreter.value_of(x, shown=False).spec.shape
        return staged
    # What is staged already is not brought into this graph for its shape alone.
    shape: Shape = x._value.spec.shape
    return shape


def known_size(x: Any, axis: int, what: str) -> int:
    """The size of an axis that must be known while tracing; StagingError where it is not."""
    size = shape_of(x)[axis]
    if isinstance(size, int):
        return size
    told = f"{what} has a size that is known only when the graph runs"
    raise StagingError(told, remedy="reshape it to sizes that are known, or choose them in Python")


# axes of size 1 -----------------------------------------------------------------------------------
def new_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Where new axes go, counted in the result; AxisError out of range, ValueError on repeats."""
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    total = ndim + len(axes)
    found = tuple(sorted(normalized_axis(one, total) for one in axes))
    if len(set(found)) != len(found):
        raise ValueError("repeated axis")
    return found


def _infer_expand_dims(x: Spec, *, axis: Any) -> Spec:
    shape = list(x.shape)
    for place in new_axes(axis, x.ndim):
        shape.insert(place, 1)
    return Spec(x.dtype, tuple(shape))


EXPAND_DIMS: Op = Op(
    name="expand_dims",
    summary="x with new axes of size 1 at `axis`, an int or several.",
    infer=_infer_expand_dims,
    reference=lambda x, *, axis: np.expand_dims(x, axis),
    gradient=(lambda o, g, out, x, *, axis: o.squeeze(g, axis),),
    lowering=Movement("expand_dims"),
    samples=(
        Sample((MATRIX,), {"axis": 0}),
        Sample((MATRIX,), {"axis": -1}),
        Sample((1.5,), {"axis": (0, 1)}),
    ),
)


def open_squeeze() -> StagingError:
    """The error where the run tells whether an axis is of size 1."""
    return StagingError(
        "squeeze of an axis whose size is known only at run time",
        remedy="take its only part by its number: x[0]",
    )


def squeezed_axes(shape: Shape, axis: Any) -> tuple[int, ...]:
    """The axes that `squeeze` takes away; ValueError where one is not of size 1."""
    if axis is None:
        if any(isinstance(dim, Dim) and may_be_one(dim) for dim in shape):
            raise open_squeeze()
        return tuple(i for i, dim in enumerate(shape) if isinstance(dim, int) and dim == 1)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    found = tuple(sorted(normalized_axis(one, len(shape)) for one in axes))
    if len(set(found)) < len(found):
        raise ValueError("duplicate value in 'axis'")
    if any(isinstance(shape[one], Dim) for one in found):
        raise open_squeeze()
    if any(shape[one] != 1 for one in found):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return found


def _infer_squeeze(x: Spec, *, axis: Any = None) -> Spec:
    gone = squeezed_axes(x.shape, axis)
    return Spec(x.dtype, tuple(dim for i, dim in enumerate(x.shape) if i not in gone))


def _squeeze_reference(x: Any, *, axis: Any = None) -> Any:
    squeezed_axes(x.shape, axis)  # what this raises has no frame of NumPy's own Python code
    return np.squeeze(x, axis)


SQUEEZE: Op = Op(
    name="squeeze",
    summary="x without its axes of size 1, or without those of `axis`.",
    infer=_infer_squeeze,
    reference=_squeeze_reference,
    gradient=(lambda o, g, out, x, *, axis: o.reshape_like(g, x),),
    lowering=Movement("squeeze"),
    samples=(
        Sample(([[[1.0], [2.0]]],)),
        Sample(([[[1.0], [2.0]]],), {"axis": -1}),
        Sample((np.zeros((1, 0)),), {"axis": (0,)}),
    ),
)


# broadcasting -------------------------------------------------------------------------------------
def _infer_broadcast_to(x: Spec, *, shape: tuple[Any, ...]) -> Spec:
    dims = tuple(size_of_attribute(size) for size in shape)
    _check_broadcast(x, dims)
    return Spec(x.dtype, dims)


def _check_broadcast(x: Spec, dims: Shape) -> None:
    fine = x.ndim <= len(dims) and all(
        one == 1 or same_size(one, other)
        for one, other in zip(reversed(x.shape), reversed(dims), strict=False)
    )
    if not fine:
        raise ShapeError(f"{x} does not broadcast to shape {tuple(dims)}")


BROADCAST_TO: Op = Op(
    name="broadcast_to",
    summary="x repeated along new axes and axes of size 1 to fill a shape.",
    infer=_infer_broadcast_to,
    reference=lambda x, *, shape: np.broadcast_to(x, shape),
    gradient=(lambda o, g, out, x, *, shape: o.sum_like(g, x),),
    lowering=Movement("broadcast_to"),
    samples=(
        Sample(([[1.0], [2.0]],), {"shape": (2, 3)}),
        Sample((1.5,), {"shape": (2, 2)}),
        Sample(([1.0, 2.0],), {"shape": (0, 2)}),
    ),
    public=lambda o, x, /, shape: o.view(
        apply(BROADCAST_TO, (o.asarray_or_same(x),), {"shape": o.as_shape(shape)})
    ),
)


def _infer_broadcast_like(x: Spec, like: Spec) -> Spec:
    _check_broadcast(x, like.shape)
    return Spec(x.dtype, like.shape)


def _broadcast_like(x: Any, like: Any) -> Any:
    if isinstance(like, np.ndarray) and like.size <= 1024:  # filling is quicker than a view
        result = np.empty(like.shape, x.dtype if type(x) is np.ndarray else np.asarray(x).dtype)
        result[...] = x
        return result
    return np.broadcast_to(x, np.shape(like))


BROADCAST_LIKE: Op = Op(
    name="broadcast_like",
    summary="x broadcast to the shape of another tensor.",
    infer=_infer_broadcast_like,
    reference=_broadcast_like,
    gradient=(lambda o, g, out, x, like: o.sum_like(g, x), None),
    lowering=Movement("broadcast_like"),
    samples=(Sample(([[1.0], [2.0]], MATRIX)), Sample((1.5, [1.0, 2.0]))),
    public=lambda o, x, like: broadcast_like(x, like),
)


def broadcast_like(x: Any, like: Any) -> Any:
    """`x` broadcast to the shape of `like`; `x` itself where it surely has that shape."""
    return x if same_shape(x, like) else apply(BROADCAST_LIKE, (x, like))


def _infer_sum_like(x: Spec, like: Spec) -> Spec:
    if not like.python:
        _check_broadcast(like, x.shape)
    return Spec(like.dtype, like.shape, like.python)


def _sum_like_reference(x: Any, like: Any) -> Any:
    if isinstance(like, bool | int | float):
        return type(like)(np.sum(x))
    total = np.sum(x, axis=summed_axes(x.shape, like.shape)[0])
    return total.reshape(like.shape).astype(like.dtype)


def summed_axes(shape: Shape, like: Shape) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of `shape` that were broadcast from `like`: all of them, and only the new ones."""
    new = tuple(range(len(shape) - len(like)))
    stretched = tuple(
        i + len(new)
        for i, dim in enumerate(like)
        if isinstance(dim, int) and dim == 1 and shape[i + len(new)] != 1
    )
    return new + stretched, new


def _sum_like_rule(o: Any, x: Any, like: Any, sizes: Sequence[Any] | None = None) -> Any:
    """See SUM_LIKE; `sizes`: those of `like`, where only its spec is there."""
    shape = like.shape if hasattr(like, "shape") else ()
    everything, new = summed_axes(x.shape, shape)
    if everything:
        x = o.sum(x, axis=everything, keepdims=True, dtype=x.dtype)
    if new:
        x = o.squeeze(x, new)
    if not hasattr(like, "shape"):
        return o.to_number(x, kind=like.kind)
    for axis, (dim, own) in enumerate(zip(shape, x.shape, strict=True)):
        if isinstance(dim, Dim) and dim != own and may_be_one(dim):
            size = o.dimension(like, axis) if sizes is None else sizes[axis]
            x = _summed_if_one(o, x, axis, size)
    return o.astype(x, like.dtype)


def _summed_if_one(o: Any, x: Any, axis: int, size: Any) -> Any:
    """x summed along an axis if `size`, known at run time, is 1; else `size` is that of the axis.

    Each part of x along the axis goes to the place where it came from: all to the first, or each
    to its own.
    """
    shape = tuple(
        size if place == axis else o.dimension(x, place) if isinstance(dim, Dim) else dim
        for place, dim in enumerate(x.shape)
    )
    step = o.minimum(o.to_tensor(size, dtype=dtypes.int64) - 1, 1)
    target = o.arange(o.dimension(x, axis)) * step
    zeros = o.zeros(shape, dtype=x.dtype)
    return o.apply("scatter_add", (zeros, target, x), {"axis": axis})


def _sum_like(o: Any, x: Any, like: Any) -> Any:
    """`x` summed back to the shape and dtype of `like`, which broadcasts to it.

    Of a complex gradient of a real tensor the real part is meant.
    """
    if x.dtype.kind == "c" and isinstance(like, Tensor) and like.dtype.kind == "f":
        x = o.real(x)
    if isinstance(like, Tensor) and same_shape(x, like):
        return x if x.dtype == like.dtype else o.astype(x, like.dtype)
    return apply(SUM_LIKE, (x, like))


SUM_LIKE: Op = Op(
    name="sum_like",
    summary="x summed over the axes along which a tensor broadcasts to it: its shape and dtype.",
    infer=_infer_sum_like,
    reference=_sum_like_reference,
    gradient=(
        lambda o, g, out, x, like: o.broadcast_like(o.astype(o.asarray(g), x.dtype), x),
        None,
    ),
    lowering=Decomposition(_sum_like_rule),
    samples=(
        Sample((MATRIX, [[1.0], [2.0]])),
        Sample((MATRIX, 1.5)),
        Sample((MATRIX, [1.0, 2.0, 3.0])),
        Sample((np.zeros((0, 2)), [[1.0, 2.0]])),
    ),
    public=_sum_like,
)


def _infer_size_of(x: Spec, *, axis: int) -> Spec:
    normalized_axis(axis, x.ndim)
    return PYINT


SIZE_OF: Op = Op(
    name="size_of",
    summary="The size of an axis of x, as a Python int.",
    infer=_infer_size_of,
    reference=lambda x, *, axis: int(x.shape[axis]),
    gradient=NOT_DIFFERENTIABLE,
    lowering=Movement("size_of"),
    samples=(
        Sample((MATRIX,), {"axis": -1}, gradient=False),
        Sample((np.zeros((0, 2)),), {"axis": 0}, gradient=False),
    ),
)

RECORDS = (
    RESHAPE,
    CHECKED_RESHAPE,
    RESHAPE_LIKE,
    EXPAND_DIMS,
    SQUEEZE,
    BROADCAST_TO,
    BROADCAST_LIKE,
    SUM_LIKE,
    SIZE_OF,
)
VIEWS = frozenset({"expand_dims", "squeeze"})
"""Ops whose result NumPy would make a view: assigning an item of it raises."""
