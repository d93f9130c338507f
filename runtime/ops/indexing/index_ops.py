"""The records of indexing: basic (`index`), by integer arrays (`take`), and what writes.

Those that read or write are pure: their indices are in range and not negative. What may not be is
checked first, by `checked_index` and `checked_indices`, which may raise. `runtime.ops.subscript`
makes `x[...]` of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Effect,
    Library,
    Movement,
    Op,
    Sample,
)
from autograph.runtime.core.spec import PYINT, ShapeError, Spec, normalized_axis
from autograph.runtime.ops.building import typed
from autograph.runtime.ops.indexing.entries import (
    Slice,
    indexed_shape,
    out_of_bounds,
    plain_index,
)
from autograph.runtime.ops.inference import same_size

MATRIX = [[0.5, -1.25, 2.0], [1.5, 0.75, -0.3]]
Index = tuple[Any, ...]


# basic --------------------------------------------------------------------------------------------
def _infer_index(x: Spec, *, index: Index) -> Spec:
    return x.with_shape(indexed_shape(x.shape, index))


def _index_gradient(o: Any, g: Any, out: Any, x: Any, *, index: Index) -> Any:
    zeros = o.zeros_like(x, dtype=g.dtype)
    return o.apply("index_add", (zeros, g), {"index": index})


def _infer_write(x: Spec, value: Spec, *, index: Index) -> Spec:
    _check_fits(value, indexed_shape(x.shape, index))
    return x.with_shape(x.shape)


def _check_fits(value: Spec, target: tuple[Any, ...]) -> None:
    fits = value.ndim <= len(target) and all(
        one == 1 or same_size(one, other)
        for one, other in zip(reversed(value.shape), reversed(target), strict=False)
    )
    if not fits:
        raise ShapeError(
            f"could not broadcast input array from shape {value.shape} into shape {target}"
        )


def _index_set(x: Any, value: Any, *, index: Index) -> Any:
    result = x.copy()
    try:
        result[plain_index(index)] = value
    except ValueError as error:
        raise error from None  # the cause is a TypeError of NumPy's own code
    return result


def _index_add(x: Any, value: Any, *, index: Index) -> Any:
    result = x.copy()
    result[plain_index(index)] += value
    return result


def _kept(o: Any, g: Any, out: Any, x: Any, value: Any, *, index: Index) -> Any:
    return o.apply("index_set", (g, np.zeros((), g.dtype)), {"index": index})


def _written(o: Any, g: Any, out: Any, x: Any, value: Any, *, index: Index) -> Any:
    return o.sum_like(o.apply("index", (g,), {"index": index}), value)


INDEX_ATTRIBUTES = (
    {"index": (1, Slice(None, None, -1))},
    {"index": (Slice(0, 1), None, 2)},
    {"index": (Slice(), Slice(5, None))},
)


# one integer --------------------------------------------------------------------------------------
def _infer_checked_index(index: Spec, x: Spec, *, axis: int) -> Spec:
    normalized_axis(axis, x.ndim)
    return PYINT


def _checked_index(index: Any, x: Any, *, axis: int) -> int:
    size: int = x.shape[axis]
    number = int(index)
    if not -size <= number < size:
        raise IndexError(out_of_bounds(number, axis, size))
    return number % size


# integer arrays -----------------------------------------------------------------------------------
def _infer_checked_indices(indices: Spec, x: Spec, *, axis: int) -> Spec:
    normalized_axis(axis, x.ndim)
    require_integers(indices)
    return Spec(dtypes.int64, indices.shape)


def require_integers(indices: Any) -> None:
    """IndexError where `indices` are of another kind than integers."""
    if indices.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")


def _checked_indices(indices: Any, x: Any, *, axis: int) -> Any:
    size = x.shape[axis]
    found = np.asarray(indices).astype(np.int64)
    bad = (found < -size) | (found >= size)
    if bad.any():
        raise IndexError(out_of_bounds(int(found[bad].flat[0]), axis, size))
    return np.where(found < 0, found + size, found)


def _taken_shape(x: Spec, indices: Spec, axis: int) -> tuple[Any, ...]:
    along = normalized_axis(axis, x.ndim)
    return (*x.shape[:along], *indices.shape, *x.shape[along + 1 :])


def _infer_take(x: Spec, indices: Spec, *, axis: int) -> Spec:
    require_integers(indices)
    return x.with_shape(_taken_shape(x, indices, axis))


def _take(x: Any, indices: Any, *, axis: int) -> Any:
    return np.take(x, indices, axis=axis)


def _take_gradient(o: Any, g: Any, out: Any, x: Any, indices: Any, *, axis: int) -> Any:
    zeros = o.zeros_like(x, dtype=g.dtype)
    return o.apply("scatter_add", (zeros, indices, g), {"axis": axis})


def _infer_scatter(x: Spec, indices: Spec, values: Spec, *, axis: int) -> Spec:
    require_integers(indices)
    _check_fits(values, _taken_shape(x, indices, axis))
    return x.with_shape(x.shape)


def _at(x: Any, indices: Any, axis: int) -> tuple[Any, ...]:
    return (slice(None),) * normalized_axis(axis, x.ndim) + (indices,)


def _scatter_add(x: Any, indices: Any, values: Any, *, axis: int) -> Any:
    result = x.copy()
    np.add.at(result, _at(x, indices, axis), values)
    return result


def _scatter_set(x: Any, indices: Any, values: Any, *, axis: int) -> Any:
    result = x.copy()
    result[_at(x, indices, axis)] = values
    return result


def _scattered(o: Any, g: Any, out: Any, x: Any, i: Any, values: Any, *, axis: int) -> Any:
    return o.sum_like(o.apply("take", (g, i), {"axis": axis}), values)


def _not_overwritten(o: Any, g: Any, out: Any, x: Any, i: Any, values: Any, *, axis: int) -> Any:
    return o.apply("scatter_set", (g, i, np.zeros((), g.dtype)), {"axis": axis})


def _last_written(o: Any, g: Any, out: Any, x: Any, i: Any, values: Any, *, axis: int) -> Any:
    # Of several values for one place the last stays: only that one has a gradient.
    along = normalized_axis(axis, x.ndim)
    number: Any = 1
    for one in range(i.ndim):
        number = number * o.dimension(i, one)
    slots = o.reshape_like(o.arange(number), i)
    owner = o.apply("scatter_set", (o.arange(o.dimension(x, along)), i, slots), {"axis": 0})
    stays = o.equal(o.apply("take", (owner, i), {"axis": 0}), slots)
    for _ in range(x.ndim - along - 1):
        stays = o.expand_dims(stays, -1)
    taken = o.apply("take", (g, i), {"axis": axis})
    return o.sum_like(o.where(stays, taken, 0), values)


# boolean masks ------------------------------------------------------------------------------------
def _infer_nonzero_flat(mask: Spec) -> Spec:
    return Spec(dtypes.int64, (Dim.fresh("k"),))


SCATTER_SAMPLES = (
    Sample(([0.5, 1.5, 2.5], [2, 0, 2], [1.0, 2.0, 3.0]), {"axis": 0}),
    Sample((MATRIX, [[0, 2], [1, 1]], np.arange(8.0).reshape(2, 2, 2)), {"axis": 1}),
    Sample((MATRIX, [1, 1], 1.5), {"axis": 0}),
)

INDEX = Op(
    name="index",
    summary="x[index] by ints in range, slices and None.",
    infer=_infer_index,
    reference=lambda x, *, index: x[plain_index(index)],
    gradient=(_index_gradient,),
    lowering=Movement("slice"),
    samples=tuple(Sample((MATRIX,), one) for one in INDEX_ATTRIBUTES),
)

RECORDS = (
    INDEX,
    Op(
        name="index_set",
        summary="x with the part x[index] replaced by `value`, which broadcasts to it.",
        infer=_infer_write,
        reference=_index_set,
        gradient=(_kept, _written),
        lowering=Library("index_set"),
        samples=(
            Sample((MATRIX, [1.0, 2.0, 3.0]), INDEX_ATTRIBUTES[0]),
            Sample((MATRIX, 1.5), INDEX_ATTRIBUTES[1]),
            Sample((MATRIX, 1.5), INDEX_ATTRIBUTES[2]),
        ),
    ),
    Op(
        name="index_add",
        summary="x with `value`, which broadcasts, added to the part x[index].",
        infer=_infer_write,
        reference=_index_add,
        gradient=(typed(lambda o, g, out, x, value, *, index: g, 0), _written),
        lowering=Library("index_add"),
        samples=(
            Sample((MATRIX, [1.0, 2.0, 3.0]), INDEX_ATTRIBUTES[0]),
            Sample((MATRIX, 1.5), INDEX_ATTRIBUTES[1]),
        ),
    ),
    Op(
        name="checked_index",
        summary="An integer as an index of an axis of x, from 0: IndexError out of range.",
        infer=_infer_checked_index,
        reference=_checked_index,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("checked_index"),
        effect=Effect.MAY_RAISE,
        samples=(
            Sample((np.array(-1), MATRIX), {"axis": 0}, gradient=False),
            Sample((np.array(2), MATRIX), {"axis": 1}, gradient=False),
        ),
    ),
    Op(
        name="checked_indices",
        summary="Integers as indices of an axis of x, from 0, in int64: IndexError out of range.",
        infer=_infer_checked_indices,
        reference=_checked_indices,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("checked_indices"),
        effect=Effect.MAY_RAISE,
        samples=(
            Sample(([-1, 0, 1], MATRIX), {"axis": 0}, gradient=False),
            Sample((np.array([[2], [0]], np.uint8), MATRIX), {"axis": 1}, gradient=False),
            Sample((np.zeros((0,), np.int64), MATRIX), {"axis": 1}, gradient=False),
        ),
    ),
    Op(
        name="take",
        summary="The parts of x at `indices` along an axis, whose place their shape takes.",
        infer=_infer_take,
        reference=_take,
        gradient=(typed(_take_gradient, 0), None),
        lowering=Library("take"),
        samples=(
            Sample((MATRIX, [1, 0, 1]), {"axis": 0}),
            Sample((MATRIX, [[0, 2], [1, 1]]), {"axis": -1}),
            Sample((MATRIX, 1), {"axis": 0}),
            Sample((MATRIX, np.zeros((0,), np.int64)), {"axis": 0}),
        ),
    ),
    Op(
        name="scatter_add",
        summary="x with `values`, which broadcast, added at `indices` along an axis.",
        infer=_infer_scatter,
        reference=_scatter_add,
        gradient=(lambda o, g, out, x, i, values, *, axis: g, None, _scattered),
        lowering=Library("scatter_add"),
        samples=SCATTER_SAMPLES,
    ),
    Op(
        name="scatter_set",
        summary="x with `values`, which broadcast, at `indices` along an axis; the last one stays.",
        infer=_infer_scatter,
        reference=_scatter_set,
        gradient=(_not_overwritten, None, _last_written),
        lowering=Library("scatter_set"),
        samples=SCATTER_SAMPLES,
    ),
    Op(
        name="nonzero_flat",
        summary="Where a mask holds: the places in the order of the flat mask.",
        infer=_infer_nonzero_flat,
        reference=lambda mask: np.flatnonzero(mask),
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("nonzero_flat"),
        samples=(
            Sample(([[True, False], [True, True]],), gradient=False),
            Sample((np.zeros((0,), bool),), gradient=False),
        ),
    ),
)
VIEWS = frozenset({"index"})
