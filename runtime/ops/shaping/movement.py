"""Ops that move elements: permute, flip, roll, concat, stack, tile, repeat."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.devices import placed
from autograph.runtime.core.dims import DimLike
from autograph.runtime.core.door import apply
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Effect,
    Elementwise,
    Library,
    Movement,
    Op,
    Sample,
)
from autograph.runtime.core.spec import (
    ShapeError,
    Spec,
    normalized_axes,
    normalized_axis,
    promoted,
)
from autograph.runtime.ops.inference import same_size, size_of_attribute
from autograph.runtime.ops.shaping.arrangement import repeat, roll, tile
from autograph.runtime.ops.shaping.shapes import MATRIX

CUBE = np.linspace(-1.0, 1.0, 12).reshape(2, 3, 2)


# order of axes ------------------------------------------------------------------------------------
def permutation(axes: Any, ndim: int) -> tuple[int, ...]:
    """`axes` as a permutation of all axes; ValueError where it is none."""
    found = tuple(normalized_axis(one, ndim) for one in axes)
    if sorted(found) != list(range(ndim)):
        raise ValueError(f"axes {tuple(axes)} do not permute the {ndim} axes of the tensor")
    return found


def _infer_permute(x: Spec, *, axes: tuple[int, ...]) -> Spec:
    return Spec(x.dtype, tuple(x.shape[one] for one in permutation(axes, x.ndim)))


def _permute_gradient(o: Any, g: Any, out: Any, x: Any, *, axes: tuple[int, ...]) -> Any:
    order = permutation(axes, x.ndim)
    return o.permute_dims(g, tuple(order.index(i) for i in range(x.ndim)))


PERMUTE = Op(
    name="permute_dims",
    summary="x with its axes in another order.",
    infer=_infer_permute,
    reference=lambda x, *, axes: np.transpose(x, axes),
    gradient=(_permute_gradient,),
    lowering=Movement("permute"),
    samples=(
        Sample((CUBE,), {"axes": (2, 0, 1)}),
        Sample((CUBE,), {"axes": (0, -1, 1)}),
        Sample((np.zeros((0, 3)),), {"axes": (1, 0)}),
    ),
)


# flip, roll ---------------------------------------------------------------------------------------
def _infer_flip(x: Spec, *, axis: Any = None) -> Spec:
    normalized_axes(axis, x.ndim)
    return x.with_shape(x.shape)


def _flip(x: Any, *, axis: Any = None) -> Any:
    return np.flip(x, axis)


def _infer_roll(x: Spec, *, shift: Any, axis: int) -> Spec:
    normalized_axis(axis, x.ndim)
    return x.with_shape(x.shape)


# joining ------------------------------------------------------------------------------------------
def _infer_concat(*specs: Spec, axis: int = 0) -> Spec:
    if not specs:
        raise ValueError("need at least one array to concatenate")
    first = specs[0]
    if not first.ndim:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    along = normalized_axis(axis, first.ndim)
    total: DimLike = 0
    for spec in specs:
        if spec.ndim != first.ndim or any(
            i != along and not same_size(one, other)
            for i, (one, other) in enumerate(zip(spec.shape, first.shape, strict=True))
        ):
            raise ShapeError(f"{first} and {spec} cannot be joined along axis {axis}")
        total = total + spec.shape[along]
    shape = (*first.shape[:along], total, *first.shape[along + 1 :])
    return Spec(promoted(specs), shape)


def _concat(*arrays: Any, axis: int = 0) -> Any:
    return np.concatenate(arrays, axis=axis)


def _concat_gradient(o: Any, g: Any, out: Any, *arrays: Any, axis: int) -> tuple[Any, ...]:
    along = normalized_axis(axis, arrays[0].ndim)
    parts: list[Any] = []
    start: Any = 0
    for array in arrays:
        stop = start + o.dimension(array, along)
        part = g[(slice(None),) * along + (slice(start, stop),)]
        parts.append(o.astype(o.reshape_like(part, array), array.dtype))
        start = stop
    return tuple(parts)


def _infer_stack(*specs: Spec, axis: int = 0) -> Spec:
    if not specs:
        raise ValueError("need at least one array to stack")
    first = specs[0]
    for spec in specs:
        if spec.ndim != first.ndim or not all(map(same_size, spec.shape, first.shape)):
            raise ShapeError(f"all input arrays must have the same shape: {first} and {spec}")
    along = normalized_axis(axis, first.ndim + 1)
    return Spec(promoted(specs), (*first.shape[:along], len(specs), *first.shape[along:]))


def _stack(*arrays: Any, axis: int = 0) -> Any:
    return np.stack(arrays, axis=axis)


def _stack_gradient(o: Any, g: Any, out: Any, *arrays: Any, axis: int) -> tuple[Any, ...]:
    along = normalized_axis(axis, out.ndim)
    return tuple(
        o.astype(g[(slice(None),) * along + (i,)], array.dtype) for i, array in enumerate(arrays)
    )


def _public_concat(o: Any, arrays: Any, /, axis: int | None = 0) -> Any:
    """The tensors of a sequence, or the items of a staged list, one after the other along `axis`.

    `axis=None` flattens each first. ValueError where nothing is joined or shapes do not fit.
    """
    if o.is_list(arrays):
        return o.list_concat(arrays, axis=axis)
    parts = o.operands(tuple(arrays))
    if axis is None:
        parts, axis = tuple(o.reshape(one, (-1,)) for one in parts), 0
    return apply(CONCAT, parts, {"axis": int(axis)})


def _public_stack(o: Any, arrays: Any, /, axis: int = 0) -> Any:
    """The tensors of a sequence, or the items of a staged list, side by side along a new axis.

    ValueError where nothing is stacked or the shapes differ.
    """
    if o.is_list(arrays):
        return o.list_stack(arrays, axis=axis)
    return apply(STACK, o.operands(tuple(arrays)), {"axis": int(axis)})


def _infer_unstack(x: Spec, *, axis: int = 0) -> tuple[Spec, ...]:
    if not x.ndim:
        raise ValueError("Input array must be at least 1-d.")
    along = normalized_axis(axis, x.ndim)
    size = x.shape[along]
    if not isinstance(size, int):
        raise ShapeError(
            f"unstack needs the size of axis {axis} of {x} while tracing; loop over it instead"
        )
    return (Spec(x.dtype, (*x.shape[:along], *x.shape[along + 1 :])),) * size


def _unstack(x: Any, *, axis: int = 0) -> Any:
    return tuple(np.moveaxis(x, axis, 0))


# tile, repeat -------------------------------------------------------------------------------------
def _infer_tile(x: Spec, *, repetitions: tuple[Any, ...]) -> Spec:
    shape, counts = _aligned(x.shape, repetitions)
    return Spec(
        x.dtype,
        tuple(dim * size_of_attribute(number) for dim, number in zip(shape, counts, strict=True)),
    )


def _aligned(shape: Any, repetitions: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    rank = max(len(shape), len(repetitions))
    return (
        (1,) * (rank - len(shape)) + tuple(shape),
        (1,) * (rank - len(repetitions)) + tuple(repetitions),
    )


def _tile_gradient(o: Any, g: Any, out: Any, x: Any, *, repetitions: tuple[Any, ...]) -> Any:
    sizes = tuple(o.dimension(x, i) for i in range(x.ndim))
    shape, counts = _aligned(sizes, repetitions)
    split = tuple(one for pair in zip(counts, shape, strict=True) for one in pair)
    total = o.sum(o.reshape(g, split), axis=tuple(range(0, len(split), 2)))
    return o.reshape_like(total, x)


def _infer_repeat(x: Spec, *, repeats: Any, axis: int | None = None) -> Spec:
    number = size_of_attribute(repeats)
    if axis is None:
        return Spec(x.dtype, (x.size * number,))
    along = normalized_axis(axis, x.ndim)
    return Spec(
        x.dtype, tuple(dim * number if i == along else dim for i, dim in enumerate(x.shape))
    )


def _repeat(x: Any, *, repeats: int, axis: int | None = None) -> Any:
    return np.repeat(x, repeats, axis)


NO_REPEATS = "repeats may not contain negative values."


def _infer_checked_counts(counts: Spec, *, told: str = NO_REPEATS) -> Spec:
    return counts


def _checked_counts(counts: Any, *, told: str = NO_REPEATS) -> Any:
    if (counts < 0).any():
        raise ValueError(told)
    return counts


def _repeat_gradient(o: Any, g: Any, out: Any, x: Any, *, repeats: Any, axis: int | None) -> Any:
    sizes = tuple(o.dimension(x, i) for i in range(x.ndim))
    along = x.ndim - 1 if axis is None else normalized_axis(axis, x.ndim)
    split = (*sizes[: along + 1], repeats, *sizes[along + 1 :])
    return o.reshape_like(o.sum(o.reshape(g, split), axis=along + 1), x)


COPY = Op(
    name="copy",
    summary="x in a cell of its own.",
    infer=lambda x: x.with_shape(x.shape),
    reference=placed,
    gradient=(lambda o, g, out, x: g,),
    lowering=Elementwise("{0}"),
    samples=(Sample((MATRIX,)), Sample((1.5,)), Sample(([True, False],), gradient=False)),
)
CONCAT = Op(
    name="concat",
    summary="Tensors one after the other along an axis they have.",
    infer=_infer_concat,
    reference=_concat,
    gradient=(_concat_gradient,),
    lowering=Movement("concat"),
    variadic=True,
    samples=(
        Sample((MATRIX, [[1.0, 2.0, 3.0]])),
        Sample((MATRIX, [[1.0], [2.0]], np.zeros((2, 0))), {"axis": -1}),
        Sample(([1, 2], np.array([3], np.int8)), gradient=False),
    ),
    public=_public_concat,
)
STACK = Op(
    name="stack",
    summary="Tensors of one shape side by side along a new axis.",
    infer=_infer_stack,
    reference=_stack,
    gradient=(_stack_gradient,),
    lowering=Movement("stack"),
    variadic=True,
    samples=(
        Sample((MATRIX, MATRIX)),
        Sample(([1.0, 2.0], [3.0, 4.0], [5.0, 6.0]), {"axis": -1}),
        Sample((1.0, 2.0)),
    ),
    public=_public_stack,
)

RECORDS = (
    PERMUTE,
    Op(
        name="flip",
        summary="x backwards along `axis`: one axis, several, or all.",
        infer=_infer_flip,
        reference=_flip,
        gradient=(lambda o, g, out, x, *, axis: o.flip(g, axis=axis),),
        lowering=Movement("flip"),
        samples=(
            Sample((MATRIX,)),
            Sample((MATRIX,), {"axis": -1}),
            Sample((CUBE,), {"axis": (0, 2)}),
            Sample((1.5,)),
        ),
    ),
    Op(
        name="roll",
        summary="x moved by `shift` along an axis; what leaves at one end enters at the other.",
        infer=_infer_roll,
        reference=lambda x, *, shift, axis: np.roll(x, shift, axis),
        gradient=(lambda o, g, out, x, *, shift, axis: o.roll(g, shift=-shift, axis=axis),),
        lowering=Movement("roll"),
        samples=(
            Sample((MATRIX,), {"shift": 1, "axis": -1}),
            Sample((MATRIX,), {"shift": -5, "axis": 0}),
            Sample((np.zeros((0, 3)),), {"shift": 1, "axis": 0}),
        ),
        public=roll,
    ),
    CONCAT,
    STACK,
    Op(
        name="unstack",
        summary="The parts of x along an axis, as a tuple.",
        infer=_infer_unstack,
        reference=_unstack,
        gradient=(lambda o, g, out, x, *, axis: o.stack(g, axis=axis),),
        lowering=Movement("unstack"),
        samples=(Sample((MATRIX,)), Sample((MATRIX,), {"axis": -1})),
    ),
    Op(
        name="tile",
        summary="x laid side by side as often as `repetitions` says for each axis.",
        infer=_infer_tile,
        reference=lambda x, *, repetitions: np.tile(x, repetitions),
        gradient=(_tile_gradient,),
        lowering=Movement("tile"),
        public=tile,
        samples=(
            Sample((MATRIX,), {"repetitions": (2, 1)}),
            Sample(([1.0, 2.0],), {"repetitions": (2, 3)}),
            Sample((MATRIX,), {"repetitions": (2,)}),
        ),
    ),
    Op(
        name="repeat",
        summary="Each element of x, or each part along an axis, `repeats` times in a row.",
        infer=_infer_repeat,
        reference=_repeat,
        gradient=(_repeat_gradient,),
        lowering=Movement("repeat"),
        samples=(
            Sample((MATRIX,), {"repeats": 2}),
            Sample((MATRIX,), {"repeats": 3, "axis": 0}),
            Sample((np.zeros((0, 2)),), {"repeats": 2, "axis": -1}),
        ),
        public=repeat,
    ),
    Op(
        name="checked_counts",
        summary="How often each part is repeated: ValueError where a count is below 0.",
        infer=_infer_checked_counts,
        reference=_checked_counts,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("checked_counts"),
        effect=Effect.MAY_RAISE,
        samples=(Sample(([0, 1, 5],), gradient=False),),
    ),
    COPY,
)


# functions made of them ---------------------------------------------------------------------------
def transpose(o: Any, x: Any, axes: Any = None) -> Any:
    """`x` with its axes in the order `axes`, by default reversed."""
    x = o.asarray_or_same(x)
    return o.permute_dims(x, tuple(axes) if axes is not None else tuple(range(x.ndim))[::-1])


def matrix_transpose(o: Any, x: Any) -> Any:
    """`x` with its last two axes exchanged. ValueError where there are fewer."""
    x = o.asarray_or_same(x)
    if x.ndim < 2:
        raise ValueError("matrix_transpose needs at least two axes")
    axes = range(x.ndim)
    return o.permute_dims(x, (*axes[:-2], axes[-1], axes[-2]))


def clip(o: Any, x: Any, min: Any = None, max: Any = None) -> Any:
    """`x` with what is below `min` or above `max` replaced by them; None is no bound."""
    if min is not None:
        x = o.maximum(x, min)
    return x if max is None else o.minimum(x, max)


FUNCTIONS = (transpose, matrix_transpose, clip)
VIEWS = frozenset({"permute_dims", "flip"})
