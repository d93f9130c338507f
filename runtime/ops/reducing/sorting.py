"""Order: sort, argsort, searchsorted, unique values. NaN comes last; equal ones keep order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Decomposition, Library, Op, Sample
from autograph.runtime.core.spec import Spec, normalized_axis
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.indexing.entries import out_of_bounds
from autograph.runtime.ops.reducing.reduction import MATRIX


# argsort ------------------------------------------------------------------------------------------
def _infer_argsort(
    x: Spec, *, axis: int = -1, descending: bool = False, kind: str = "stable"
) -> Spec:
    normalized_axis(axis, x.ndim)
    return Spec(dtypes.int64, x.shape)


def _argsort(x: Any, *, axis: int = -1, descending: bool = False, kind: str = "stable") -> Any:
    if not descending:
        return np.argsort(x, axis=axis, kind="stable" if kind == "stable" else "quicksort")
    flipped = np.flip(np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)
    order = x.shape[axis] - 1 - flipped
    last = np.isnan(np.take_along_axis(x, order, axis)) if x.dtype.kind == "f" else None
    if last is None:
        return order
    return np.take_along_axis(order, np.argsort(last, axis=axis, kind="stable"), axis)


# sort ---------------------------------------------------------------------------------------------
def _infer_sorted(x: Spec, *, axis: int = -1) -> Spec:
    normalized_axis(axis, x.ndim)
    return x


def _sorted(x: Any, *, axis: int = -1) -> Any:
    return np.sort(x, axis=axis)


def _sorted_gradient(o: Any, g: Any, out: Any, x: Any, *, axis: int = -1) -> Any:
    places = o.argsort(x, axis=axis)
    return o.take_along_axis(g, o.argsort(places, axis=axis), axis=axis)


# order_statistics ---------------------------------------------------------------------------------
def _infer_order_statistics(x: Spec, places: Spec) -> Spec:
    _check_places(x, places)
    return Spec(x.dtype, (*places.shape, *x.shape[1:]))


def _check_places(x: Any, places: Any) -> None:
    if places.ndim != 1 or places.dtype != dtypes.int64:
        raise TypeError("places of order statistics are int64, along one axis")
    if not x.ndim:
        raise ValueError("order statistics are those along an axis")


def _order_statistics(x: Any, places: Any) -> Any:
    _check_places(x, places)
    for place in places.tolist():
        if not 0 <= place < x.shape[0]:
            raise IndexError(out_of_bounds(place, 0, x.shape[0]))
    if not places.size:
        return np.zeros((0, *x.shape[1:]), x.dtype)
    return np.partition(x, np.unique(places), axis=0)[places]


def _order_statistics_gradient(o: Any, g: Any, out: Any, x: Any, places: Any) -> Any:
    back = o.argsort(o.argsort(x, axis=0), axis=0)
    return o.take_along_axis(o.scatter_add(o.zeros_like(x), places, g), back, axis=0)


# python_order -------------------------------------------------------------------------------------
def _infer_python_order(x: Spec, *, reverse: bool = False) -> Spec:
    return Spec(dtypes.int64, x.shape)


def _python_order(x: Any, *, reverse: bool = False) -> Any:
    items = np.asarray(x).tolist()
    return np.array(sorted(range(len(items)), key=items.__getitem__, reverse=reverse), np.int64)


# set_order ----------------------------------------------------------------------------------------
def _infer_set_order(x: Spec) -> Spec:
    _check_members(x)
    return Spec(dtypes.int64, x.shape)


def _check_members(x: Any) -> None:
    if x.dtype not in (dtypes.int64, dtypes.float64) or x.ndim != 1:
        raise TypeError("members of a set are int64 or float64, along one axis")


def _set_order(x: Any) -> Any:
    _check_members(x)
    places = {member: place for place, member in enumerate(np.asarray(x).tolist())}
    return np.array([places[member] for member in set(list(places))], np.int64)


# searchsorted -------------------------------------------------------------------------------------
def _infer_searchsorted(x: Spec, values: Spec, *, side: str = "left") -> Spec:
    _check_search(x, side)
    return Spec(dtypes.int64, values.shape)


def _check_search(x: Any, side: str) -> None:
    if x.ndim != 1:
        raise ValueError("searchsorted looks into a tensor of one axis")
    if side not in ("left", "right"):
        raise ValueError(f"side is 'left' or 'right', not {side!r}")


def _searchsorted(x: Any, values: Any, *, side: str = "left") -> Any:
    _check_search(x, side)
    return np.asarray(np.searchsorted(x, values, side=side))  # type: ignore[call-overload]


FEWEST_SEARCHED = 32
"""Among fewer elements each is compared, which vectorizes; among more the places are halved."""
MOST_BITS = 32
"""Of a place among so many elements as only the run tells."""


def _searchsorted_rule(o: Any, x: Any, values: Any, *, side: str) -> Any:
    size = o.dimension(x, 0)
    if isinstance(size, int) and size < FEWEST_SEARCHED:
        found = _is_before(o, x, o.expand_dims(values, -1), side)
        return o.sum(found, axis=-1, dtype=dtypes.int64)
    padded = o.concat([x, o.zeros((1,), dtype=x.dtype)])  # an element to look at where none is left
    place = o.zeros_like(values, dtype=dtypes.int64)
    for bit in reversed(range(size.bit_length() if isinstance(size, int) else MOST_BITS)):
        further = place + (1 << bit)
        at = o.take(padded, o.minimum(further - 1, size), axis=0)
        goes_on = o.logical_and(o.less_equal(further, size), _is_before(o, at, values, side))
        place = o.where(goes_on, further, place)
    return place


def _is_before(o: Any, x: Any, value: Any, side: str) -> Any:
    """Whether elements of x stand before where a value would go."""
    before = o.less(x, value) if side == "left" else o.less_equal(x, value)
    if value.dtype.kind == "f" or x.dtype.kind == "f":  # NaN is after all numbers
        before = o.logical_or(before, o.logical_and(o.isnan(value), o.logical_not(o.isnan(x))))
        if side == "right":
            before = o.logical_or(before, o.logical_and(o.isnan(value), o.isnan(x)))
    return before


def _public_argsort(
    o: Any, x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True
) -> Any:
    """The places of the elements along an axis, in rising (or falling) order of these.

    Equal ones keep their order, whether `stable` asks for it or not.
    """
    x = o.asarray_or_same(x)
    return o.apply("argsort", (x,), {"axis": axis, "descending": bool(descending)})


def argsort_by(o: Any, x: Any, axis: int, kind: str) -> Any:
    """`argsort` by NumPy's "quicksort", which leaves equal elements in any order, or "stable"."""
    kind = "stable" if x.dtype.kind == "c" else kind
    return o.apply("argsort", (x,), {"axis": axis, "kind": kind})


def _public_searchsorted(
    o: Any, x: Any, values: Any, /, side: str = "left", sorter: Any = None
) -> Any:
    """Where `values` would go in x, which is in order (or is in that of `sorter`): before equal
    ones, or after them where `side` is "right"."""
    x = o.asarray_or_same(x)
    if not isinstance(values, Tensor | np.ndarray | np.generic):
        kept = x.dtype.kind == "f" or isinstance(values, int)
        values = o.asarray(values, dtype=x.dtype if kept else None)
    x, values = o.operands((x, values))
    if sorter is not None:
        x = o.take(x, sorter, axis=0)
    return o.apply("searchsorted", (x, values), {"side": side})


RECORDS = (
    Op(
        name="argsort",
        summary="The places of the elements along an axis, in rising (or falling) order of these.",
        infer=_infer_argsort,
        reference=_argsort,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("argsort"),
        samples=(
            Sample(([[3.0, 1.0, 2.0], [0.5, np.nan, -1.0]],), gradient=False),
            Sample((MATRIX,), {"axis": 0, "descending": True}, gradient=False),
            Sample(([1.0, np.nan, 3.0, 1.0, 3.0],), {"descending": True}, gradient=False),
            Sample((np.array([[5, -3], [5, 9]], np.int16),), {"axis": -2}, gradient=False),
            Sample((np.zeros((0, 3)),), {"axis": 0}, gradient=False),
            Sample((np.arange(99) % 7,), {"kind": "quicksort"}, gradient=False),
            Sample((np.arange(40.0).reshape(2, 20) % 3,), {"kind": "quicksort"}, gradient=False),
            Sample((np.arange(40) % 3 == 0,), {"kind": "quicksort"}, gradient=False),
        ),
        public=_public_argsort,
    ),
    Op(
        name="sorted_along",
        summary="The elements along an axis in rising order; NaN last.",
        infer=_infer_sorted,
        reference=_sorted,
        gradient=(_sorted_gradient,),
        lowering=Library("sorted_along"),
        samples=(
            Sample(([[3.0, 1.0, 2.0], [0.5, 7.5, -1.0]],)),
            Sample((MATRIX,), {"axis": 0}),
            Sample(([[3.0, np.nan, 2.0, -np.inf, np.inf]],), gradient=False),
            Sample((np.array([[5, -3], [5, 9]], np.int16),), {"axis": -2}, gradient=False),
            Sample((np.arange(40) % 3 == 0,), gradient=False),
            Sample((np.zeros((0, 3)),), {"axis": 0}, gradient=False),
        ),
    ),
    Op(
        name="order_statistics",
        summary="The elements at these places of the first axis, were they in rising order.",
        infer=_infer_order_statistics,
        reference=_order_statistics,
        gradient=(_order_statistics_gradient, None),
        lowering=Library("order_statistics"),
        samples=(
            Sample(([3.0, 1.0, 2.0, 7.0], np.array([2, 0]))),
            Sample(([[3.0, 1.0], [0.5, -1.0], [2.0, 2.5]], np.array([1]))),
            Sample(([3.0, np.nan, 2.0], np.array([0, 1, 2])), gradient=False),
            Sample((np.arange(99) * 31 % 17, np.array([40, 41, 3])), gradient=False),
            Sample((np.zeros((3, 0)), np.array([1])), gradient=False),
        ),
    ),
    Op(
        name="python_order",
        summary="The places of numbers in the order in which Python's sort puts them.",
        infer=_infer_python_order,
        reference=_python_order,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("python_order"),
        samples=(
            Sample(([3.0, 1.0, np.nan, 2.0, 1.0],), gradient=False),
            Sample(([3.0, 1.0, -0.0, 0.0, 1.0, 3.0],), {"reverse": True}, gradient=False),
            Sample((np.arange(99) % 7,), gradient=False),
            Sample(([True, False, True],), gradient=False),
            Sample((np.zeros((0,)),), gradient=False),
        ),
    ),
    Op(
        name="set_order",
        summary="The places of numbers, no two of which are equal, in the order of a set of them.",
        infer=_infer_set_order,
        reference=_set_order,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("set_order"),
        samples=(
            Sample((np.arange(9) * 7 - 20,), gradient=False),
            Sample((np.array([5, -1, 8, 2**62, -(2**63)]),), gradient=False),
            Sample((np.arange(99) ** 3,), gradient=False),
            Sample((np.array([0.5, -2.0, 1e300, 5e-324, np.inf, 3.7]),), gradient=False),
            Sample((np.zeros((0,)),), gradient=False),
        ),
    ),
    Op(
        name="searchsorted",
        summary="Where `values` would go in x, which is in order: before or after equal ones.",
        infer=_infer_searchsorted,
        reference=_searchsorted,
        gradient=(),
        lowering=Decomposition(_searchsorted_rule),
        samples=(
            Sample(([1.0, 2.0, 2.0, 5.0], [[2.0, 0.0], [9.0, np.nan]]), gradient=False),
            Sample(([1, 2, 2, 5], [2, 3]), {"side": "right"}, gradient=False),
        ),
        public=_public_searchsorted,
    ),
)


# functions ----------------------------------------------------------------------------------------
def sort(o: Any, x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The elements along an axis in rising (or falling) order; NaN last, equal ones as they were.

    The gradient goes to where each element came from.
    """
    x = o.asarray_or_same(x)
    if not descending and x.dtype.kind != "c":
        return o.apply("sorted_along", (x,), {"axis": axis})
    places = o.argsort(x, axis=axis, descending=descending)
    return o.take_along_axis(x, places, axis=axis)


class UniqueCounts(NamedTuple):
    """What `unique_counts` gives."""

    values: Any
    counts: Any


class UniqueInverse(NamedTuple):
    """What `unique_inverse` gives."""

    values: Any
    inverse_indices: Any


class UniqueAll(NamedTuple):
    """What `unique_all` gives."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


def unique_all(o: Any, x: Any, /) -> Any:
    """The different values of x in rising order, where each is first, which one each element of x
    is, and how often each is there. Every NaN is a value of its own."""
    x = o.asarray_or_same(x)
    flat = o.reshape(x, (-1,))
    places = o.argsort(flat)
    ordered = o.take(flat, places, axis=0)
    first = _is_first(o, ordered)
    return UniqueAll(
        ordered[first],
        places[first],
        _inverse(o, x, places, first),
        _counts(o, ordered, first),
    )


def unique_values(o: Any, x: Any, /) -> Any:
    """The different values of x, in rising order."""
    ordered = o.sort(o.reshape(o.asarray_or_same(x), (-1,)))
    return ordered[_is_first(o, ordered)]


def unique_counts(o: Any, x: Any, /) -> Any:
    """The different values of x, in rising order, and how often each is there."""
    ordered = o.sort(o.reshape(o.asarray_or_same(x), (-1,)))
    first = _is_first(o, ordered)
    return UniqueCounts(ordered[first], _counts(o, ordered, first))


def unique_inverse(o: Any, x: Any, /) -> Any:
    """The different values of x, in rising order, and which of them each element of x is."""
    x = o.asarray_or_same(x)
    flat = o.reshape(x, (-1,))
    places = argsort_by(o, flat, -1, "quicksort")
    ordered = o.take(flat, places, axis=0)
    first = _is_first(o, ordered)
    return UniqueInverse(ordered[first], _inverse(o, x, places, first))


def _is_first(o: Any, ordered: Any) -> Any:
    """Whether each of these, which are in order, is another than the one before."""
    number = o.arange(o.dimension(ordered, 0))
    return o.logical_or(o.equal(number, 0), o.not_equal(ordered, o.roll(ordered, 1, axis=0)))


def _inverse(o: Any, x: Any, places: Any, first: Any) -> Any:
    group = o.cumulative_sum(o.astype(first, dtypes.int64), axis=0) - 1
    return o.reshape_like(o.scatter_add(o.zeros_like(group), places, group), x)


def _counts(o: Any, ordered: Any, first: Any) -> Any:
    number = o.arange(o.dimension(ordered, 0))
    starts = number[first]
    after = o.concat([starts[1:], o.reshape(o.asarray(o.dimension(ordered, 0)), (1,))])
    return after - starts


FUNCTIONS = (sort, unique_all, unique_values, unique_counts, unique_inverse)
