"""Lists made of the items of others: items picked by their positions, one list after another."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Effect, Library, Op, Sample
from autograph.runtime.core.spec import PYINT, ListSpec, Spec
from autograph.runtime.ops.indexing.index_ops import require_integers
from autograph.runtime.ops.lists.list_ops import RAGGED, ROWS, joined

SCALARS = ListValue([np.array(1.0), np.array(3.5)])
LETTERS = ListValue([np.array([104, 105]), np.zeros(0, np.int64), np.array([33])])


def _infer_take(items: Any, positions: Spec) -> ListSpec:
    if not isinstance(items, ListSpec):
        raise TypeError(f"a list op takes a list, not {items}")
    require_integers(positions)
    if positions.ndim != 1:
        raise TypeError(f"positions in a list are a 1-d tensor, not {positions}")
    return items


def _take(items: ListValue, positions: Any) -> ListValue:
    found = []
    for place in positions.tolist():
        if not 0 <= place < len(items):
            raise IndexError("list index out of range")
        found.append(items[place])
    return ListValue(found)


def _take_gradient(o: Any, g: Any, out: Any, items: Any, positions: Any) -> Any:
    """Items that were picked get the gradient from where they went, the others zeros."""
    taken = o.dimension(positions, 0)
    number = o.arange(o.list_length(items), dtype=dtypes.int64) + taken
    went = o.arange(taken, dtype=dtypes.int64)
    back = o.apply("scatter_set", (number, positions, went), {"axis": 0})
    return o.list_take(o.list_extend(g, o.list_of_zeros(items)), back)


def _infer_extend(items: Any, others: Any) -> ListSpec:
    if not (isinstance(items, ListSpec) and isinstance(others, ListSpec)):
        raise TypeError("list_extend takes two lists")
    return joined(items, others.element)


def _extend(items: ListValue, others: ListValue) -> ListValue:
    for one in others:
        items = items.push(one)
    return items


def _first_part(o: Any, g: Any, out: Any, items: Any, others: Any) -> Any:
    return o.list_take(g, o.arange(o.list_length(items), dtype=dtypes.int64))


def _second_part(o: Any, g: Any, out: Any, items: Any, others: Any) -> Any:
    numbers = o.arange(o.list_length(others), dtype=dtypes.int64)
    return o.list_take(g, numbers + o.list_length(items))


def _infer_numbers(x: Spec) -> ListSpec:
    require_integers(x)
    if x.ndim != 1:
        raise TypeError(f"list_numbers takes a 1-d tensor, not {x}")
    return ListSpec(PYINT)


def _infer_pack(items: Any, *, element: Spec) -> Spec:
    if not isinstance(items, ListSpec):
        raise TypeError(f"a list op takes a list, not {items}")
    rest = tuple(Dim.fresh("l") if isinstance(dim, Dim) else dim for dim in element.shape)
    return Spec(element.dtype, (Dim.fresh("l"), *rest))


def _pack(items: ListValue, *, element: Spec) -> Any:
    if not len(items):
        shape = (0 if isinstance(dim, Dim) else dim for dim in element.shape)
        return np.zeros((0, *shape), element.dtype)
    if isinstance(items[0], bool | int | float):
        return np.asarray(list(items), element.dtype)
    return np.stack(list(items))


def _pack_gradient(o: Any, g: Any, out: Any, items: Any, *, element: Spec) -> Any:
    return o.list_unpack(g, python=False)


def _unpack_gradient(o: Any, g: Any, out: Any, x: Any, *, python: bool) -> Any:
    rest = tuple(dim if isinstance(dim, int) else Dim.fresh("l") for dim in x.shape[1:])
    return o.list_pack(g, element=Spec(x.dtype, rest))


def _infer_unpack(x: Spec, *, python: bool = False) -> ListSpec:
    if not x.ndim:
        raise TypeError("list_unpack takes a tensor with a first axis")
    return ListSpec(Spec(x.dtype, x.shape[1:], python))


def _unpack(x: Any, *, python: bool = False) -> ListValue:
    return ListValue(x.tolist() if python else map(np.asarray, x))


PADDING = -1
"""What stands behind the end of a row of numbers that are not negative."""


def _infer_pad(items: Any) -> Spec:
    element = items.element if isinstance(items, ListSpec) else None
    if element is None or element.python or element.dtype != dtypes.int64 or element.ndim != 1:
        raise TypeError(f"list_pad takes a list of int64 tensors with one axis, not {items}")
    return Spec(element.dtype, (Dim.fresh("l"), Dim.fresh("l")))


def _pad(items: ListValue) -> Any:
    widest = max((len(one) for one in items), default=0)
    found = np.full((len(items), widest), PADDING, np.int64)
    for row, one in zip(found, items, strict=True):
        row[: len(one)] = one
    return found


def _infer_unpad(x: Spec) -> ListSpec:
    if x.dtype != dtypes.int64 or x.ndim != 2:
        raise TypeError(f"list_unpad takes an int64 tensor with two axes, not {x}")
    return ListSpec(Spec(x.dtype, (Dim.fresh("e"),)))


def _unpad(x: Any) -> ListValue:
    return ListValue(row[row != PADDING] for row in np.asarray(x))


def _infer_values(items: Any, *, dtype: Any) -> Spec:
    if not isinstance(items, ListSpec) or items.element.ndim:
        raise TypeError(f"list_values takes a list of numbers or 0-d tensors, not {items}")
    return Spec(dtype, (Dim.fresh("l"),))


def _values(items: ListValue, *, dtype: Any) -> Any:
    return np.asarray(list(items), dtype)


RECORDS = (
    Op(
        name="list_take",
        summary="The items at positions from 0 on, each taken once at most; else IndexError.",
        infer=_infer_take,
        reference=_take,
        gradient=(_take_gradient, None),
        lowering=Library("list_take"),
        effect=Effect.MAY_RAISE,
        samples=(
            Sample((ROWS, np.array([1, 0]))),
            Sample((RAGGED, np.array([1]))),
            Sample((RAGGED, np.zeros((0,), np.int64))),
        ),
    ),
    Op(
        name="list_numbers",
        summary="The elements of a 1-d tensor of integers as Python ints.",
        infer=_infer_numbers,
        reference=lambda x: ListValue(x.tolist()),
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("list_numbers"),
        samples=(Sample((np.array([2, 0, 1]),), gradient=False),),
    ),
    Op(
        name="list_values",
        summary="The items, numbers or 0-d tensors of this dtype, as a 1-d tensor; for comparison.",
        infer=_infer_values,
        reference=_values,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("list_values"),
        samples=(Sample((SCALARS,), {"dtype": dtypes.float64}, gradient=False),),
    ),
    Op(
        name="list_pack",
        summary="The items, of the spec `element`, as one tensor of their dtype.",
        infer=_infer_pack,
        reference=_pack,
        gradient=(_pack_gradient,),
        lowering=Library("list_pack"),
        effect=Effect.MAY_RAISE,
        samples=(
            Sample((ROWS,), {"element": Spec(dtypes.float64, (2,))}),
            Sample((SCALARS,), {"element": Spec(dtypes.float64, ())}),
        ),
    ),
    Op(
        name="list_unpack",
        summary="The parts of a tensor along its first axis as a list, of Python numbers if told.",
        infer=_infer_unpack,
        reference=_unpack,
        gradient=(_unpack_gradient,),
        lowering=Library("list_unpack"),
        samples=(Sample((np.ones((2, 3)),)), Sample((np.ones((2,)),), {"python": False})),
    ),
    Op(
        name="list_pad",
        summary="Rows of integers from 0 on, as long as each is, as one tensor: -1 fills it up.",
        infer=_infer_pad,
        reference=_pad,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("list_pad"),
        samples=(
            Sample((LETTERS,), gradient=False),
            Sample((ListValue([np.array([1, 2])]),), gradient=False),
        ),
    ),
    Op(
        name="list_unpad",
        summary="The rows of a tensor up to the -1 that fill each up, as a list.",
        infer=_infer_unpad,
        reference=_unpad,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("list_unpad"),
        samples=(Sample((np.array([[104, 105], [-1, -1], [33, -1]]),), gradient=False),),
    ),
    Op(
        name="list_extend",
        summary="The items of one list, then those of another.",
        infer=_infer_extend,
        reference=_extend,
        gradient=(_first_part, _second_part),
        lowering=Library("list_extend"),
        samples=(Sample((ROWS, ROWS)), Sample((RAGGED, ROWS)), Sample((ROWS, ListValue()))),
    ),
)
