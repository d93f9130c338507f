"""Lists: growable sequences of tensors or numbers, as values. Every change gives a new list.

In a compiled program they are buffers that change in place. A push and a pop are each other's
gradients; the gradient of a list is a list of equal length.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Effect, Library, Op, Sample
from autograph.runtime.core.spec import PYINT, ListSpec, ShapeError, Spec, normalized_axis

ROWS = ListValue([np.array([1.0, 2.0]), np.array([3.0, 4.5])])
RAGGED = ListValue([np.array([1.0, 2.0]), np.array([3.0])])
ONE_ROW = np.array([0.5, -1.0])


# specs --------------------------------------------------------------------------------------------
def element_of(spec: Any) -> Spec:
    """The spec of one item: sizes that may differ by item are symbols of their own."""
    element: Spec = _require_list(spec).element
    shape = tuple(Dim.fresh("e") if isinstance(dim, Dim) else dim for dim in element.shape)
    return Spec(element.dtype, shape, element.python)


def _require_list(spec: Any) -> ListSpec:
    if not isinstance(spec, ListSpec):
        raise TypeError(f"a list op takes a list, not {spec}")
    return spec


def joined(spec: ListSpec, item: Spec) -> ListSpec:
    """The spec of the list with `item` in it; TypeError where dtype or rank differ."""
    element = spec.element
    if (element.dtype, element.ndim, element.python) != (item.dtype, item.ndim, item.python):
        raise TypeError(
            f"a staged list of {element} cannot hold {item}; its items have one dtype and rank"
        )
    if element.shape == item.shape:
        return spec
    shape: tuple[DimLike, ...] = tuple(
        one if one == other or isinstance(one, Dim) else Dim.fresh("e")
        for one, other in zip(element.shape, item.shape, strict=True)
    )
    return ListSpec(Spec(element.dtype, shape))


def _stacked_dtype(element: Spec) -> Any:
    return dtypes.default_dtype(element.python_type) if element.python else element.dtype


def _infer_create(*, element: Spec) -> ListSpec:
    return ListSpec(element)


def _infer_push(items: Any, item: Spec) -> ListSpec:
    return joined(_require_list(items), item)


def _infer_pop(items: Any) -> tuple[Any, Spec]:
    return items, element_of(items)


def _infer_get(items: Any, index: Spec) -> Spec:
    return element_of(items)


def _infer_set(items: Any, index: Spec, item: Spec) -> ListSpec:
    return joined(_require_list(items), item)


def _infer_length(items: Any) -> Spec:
    _require_list(items)
    return PYINT


def _infer_stack(items: Any, *, axis: int = 0) -> Spec:
    element = element_of(items)
    along = normalized_axis(axis, element.ndim + 1)
    shape = (*element.shape[:along], Dim.fresh("l"), *element.shape[along:])
    return Spec(_stacked_dtype(element), shape)


def _infer_stack_like(items: Any, like: Spec, *, axis: int = 0) -> Spec:
    return Spec(_stacked_dtype(element_of(items)), like.shape)


def _infer_concat(items: Any, *, axis: int = 0) -> Spec:
    element = element_of(items)
    if not element.ndim:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    along = normalized_axis(axis, element.ndim)
    shape = (*element.shape[:along], Dim.fresh("l"), *element.shape[along + 1 :])
    return Spec(element.dtype, shape)


def _infer_split_like(x: Spec, like: Any, *, axis: int = 0) -> ListSpec:
    return ListSpec(Spec(x.dtype, _require_list(like).element.shape))


def _infer_unstack(x: Spec, *, axis: int = 0) -> ListSpec:
    if not x.ndim:
        raise ShapeError("a 0-d tensor has no parts")
    along = normalized_axis(axis, x.ndim)
    return ListSpec(Spec(x.dtype, (*x.shape[:along], *x.shape[along + 1 :])))


def _infer_zeros_like(items: Any) -> ListSpec:
    return _require_list(items)


def _infer_add(items: Any, others: Any) -> ListSpec:
    _require_list(others)
    return _require_list(items)


def _infer_fill(item: Spec, length: Spec) -> ListSpec:
    return ListSpec(item)


def _infer_total(items: Any, like: Spec) -> Spec:
    return like


# references ---------------------------------------------------------------------------------------
def _create(*, element: Spec) -> ListValue:
    return ListValue()


def _position(items: ListValue, index: int, message: str) -> int:
    if not -len(items) <= index < len(items):
        raise IndexError(message)
    return int(index) % len(items)


def _get(items: ListValue, index: int) -> Any:
    return items[_position(items, index, "list index out of range")]


def _set(items: ListValue, index: int, item: Any) -> ListValue:
    return items.set(_position(items, index, "list assignment index out of range"), item)


def _add_at(items: ListValue, index: int, item: Any) -> ListValue:
    place = _position(items, index, "list index out of range")
    return items.set(place, items[place] + item)


def _stack(items: ListValue, *, axis: int = 0) -> Any:
    if not len(items):
        raise ValueError("need at least one array to stack")
    first = items[0]
    if isinstance(first, bool | int | float):
        return np.asarray(list(items), dtypes.default_dtype(type(first)))
    return np.stack(list(items), axis=axis)


def _stack_like(items: ListValue, like: Any, *, axis: int = 0) -> Any:
    if not len(items):
        return np.zeros_like(like)
    return _stack(items, axis=axis)


def _concat(items: ListValue, *, axis: int = 0) -> Any:
    if not len(items):
        raise ValueError("need at least one array to concatenate")
    return np.concatenate(list(items), axis=axis)


def _split_like(x: Any, like: ListValue, *, axis: int = 0) -> ListValue:
    ends = np.cumsum([item.shape[axis] for item in like])[:-1]
    return ListValue(np.split(x, ends, axis=axis) if len(like) else ())


def _unstack(x: Any, *, axis: int = 0) -> ListValue:
    return ListValue(np.asarray(part) for part in np.moveaxis(x, axis, 0))


def _zeros_like(items: ListValue) -> ListValue:
    return ListValue(_zero(item) for item in items)


def _zero(item: Any) -> Any:
    return type(item)(0) if isinstance(item, bool | int | float) else np.zeros_like(item)


def _ones_like(items: ListValue) -> ListValue:
    return ListValue(
        type(item)(1) if isinstance(item, bool | int | float) else np.ones_like(item)
        for item in items
    )


def _add(items: ListValue, others: ListValue) -> ListValue:
    if len(items) != len(others):
        raise ValueError(f"lists of {len(items)} and {len(others)} items are not added")
    return ListValue(np.add(one, other) for one, other in zip(items, others, strict=True))


def _fill(item: Any, length: int) -> ListValue:
    return ListValue([item] * max(int(length), 0))


def _total(items: ListValue, like: Any) -> Any:
    total = _zero(like)
    for item in items:
        total = total + item
    return total


def _push(items: ListValue, item: Any) -> ListValue:
    return items.push(item)


# gradients ----------------------------------------------------------------------------------------
def _push_gradient(o: Any, g: Any, out: Any, items: Any, item: Any) -> Any:
    rest, gradient = o.list_pop(g)
    return rest, gradient


def _get_gradient(o: Any, g: Any, out: Any, items: Any, index: Any) -> Any:
    return o.list_add_at(o.list_of_zeros(items), index, g)


def _set_kept(o: Any, g: Any, out: Any, items: Any, index: Any, item: Any) -> Any:
    return o.list_set(g, index, o.zero_of(item))


def _exchange_kept(o: Any, g: Any, out: Any, items: Any, index: Any, item: Any, old: Any) -> Any:
    return o.list_set(g, index, o.zero_of(old))


def _exchange_put(o: Any, g: Any, out: Any, items: Any, index: Any, item: Any, old: Any) -> Any:
    return o.list_get(g, index)


def _unstack_gradient(o: Any, g: Any, out: Any, x: Any, *, axis: int) -> Any:
    return o.list_stack_like(g, x, axis=axis)


RECORDS = (
    Op(
        name="list_create",
        summary="An empty list whose items will have the spec `element`.",
        infer=_infer_create,
        reference=_create,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("list_create"),
        samples=(Sample((), {"element": Spec(dtypes.float64, (2,))}),),
    ),
    Op(
        name="list_push",
        summary="The list with an item added at its end.",
        infer=_infer_push,
        reference=_push,
        gradient=(_push_gradient,),
        lowering=Library("list_push"),
        variadic=True,
        samples=(Sample((ROWS, ONE_ROW)), Sample((RAGGED, ONE_ROW))),
    ),
    Op(
        name="list_pop",
        summary="The list without its last item, and that item; IndexError where it is empty.",
        infer=_infer_pop,
        reference=lambda items: items.pop(),
        gradient=(lambda o, g, out, items: o.list_push(g[0], g[1]),),
        lowering=Library("list_pop"),
        effect=Effect.MAY_RAISE,
        samples=(Sample((ROWS,)), Sample((RAGGED,))),
    ),
    Op(
        name="list_get",
        summary="The item at an index; IndexError out of range.",
        infer=_infer_get,
        reference=_get,
        gradient=(_get_gradient, None),
        lowering=Library("list_get"),
        effect=Effect.MAY_RAISE,
        samples=(Sample((ROWS, 0)), Sample((RAGGED, -1))),
    ),
    Op(
        name="list_set",
        summary="The list with another item at an index; IndexError out of range.",
        infer=_infer_set,
        reference=_set,
        gradient=(_set_kept, None, lambda o, g, out, items, index, item: o.list_get(g, index)),
        lowering=Library("list_set"),
        effect=Effect.MAY_RAISE,
        samples=(Sample((ROWS, -1, ONE_ROW)), Sample((ROWS, 0, ONE_ROW))),
    ),
    Op(
        name="list_exchange",
        summary="The list with another item at an index, where `old` stands, of other sizes.",
        infer=lambda items, index, item, old: _infer_set(items, index, item),
        reference=lambda items, index, item, old: _set(items, index, item),
        gradient=(_exchange_kept, None, _exchange_put, None),
        lowering=Library("list_exchange"),
        effect=Effect.MAY_RAISE,
        samples=(Sample((RAGGED, 1, ONE_ROW, np.array([3.0]))),),
    ),
    Op(
        name="list_add_at",
        summary="The list with a value added to the item at an index; IndexError out of range.",
        infer=_infer_set,
        reference=_add_at,
        gradient=(
            lambda o, g, out, items, index, item: g,
            None,
            lambda o, g, out, items, index, item: o.list_get(g, index),
        ),
        lowering=Library("list_add_at"),
        effect=Effect.MAY_RAISE,
        samples=(Sample((ROWS, 1, ONE_ROW)),),
    ),
    Op(
        name="list_length",
        summary="The number of items, a Python int.",
        infer=_infer_length,
        reference=lambda items: len(items),
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("list_length"),
        samples=(Sample((ROWS,)),),
    ),
    Op(
        name="list_stack",
        summary="The items side by side along a new axis; ValueError where there are none.",
        infer=_infer_stack,
        reference=_stack,
        gradient=(lambda o, g, out, items, *, axis: o.list_unstack(g, axis=axis),),
        lowering=Library("list_stack"),
        effect=Effect.MAY_RAISE,
        samples=(Sample((ROWS,)), Sample((ROWS,), {"axis": -1})),
    ),
    Op(
        name="list_stack_like",
        summary="The items side by side, in the shape of a tensor: of no items zeros.",
        infer=_infer_stack_like,
        reference=_stack_like,
        gradient=(lambda o, g, out, items, like, *, axis: o.list_unstack(g, axis=axis), None),
        lowering=Library("list_stack_like"),
        samples=(Sample((ROWS, np.zeros((2, 2)))), Sample((ListValue(), np.zeros((0, 2))))),
    ),
    Op(
        name="list_concat",
        summary="The items one after the other along an axis; ValueError where there are none.",
        infer=_infer_concat,
        reference=_concat,
        gradient=(lambda o, g, out, items, *, axis: o.list_split_like(g, items, axis=axis),),
        lowering=Library("list_concat"),
        effect=Effect.MAY_RAISE,
        samples=(Sample((ROWS,)), Sample((RAGGED,))),
    ),
    Op(
        name="list_split_like",
        summary="A tensor cut along an axis into parts as large as the items of a list.",
        infer=_infer_split_like,
        reference=_split_like,
        gradient=(lambda o, g, out, x, like, *, axis: o.list_concat(g, axis=axis), None),
        lowering=Library("list_split_like"),
        samples=(Sample((np.arange(3.0), RAGGED)),),
    ),
    Op(
        name="list_unstack",
        summary="The parts of a tensor along an axis, as a list.",
        infer=_infer_unstack,
        reference=_unstack,
        gradient=(_unstack_gradient,),
        lowering=Library("list_unstack"),
        samples=(Sample((np.ones((2, 3)),)), Sample((np.ones((2, 3)),), {"axis": -1})),
    ),
    Op(
        name="list_zeros_like",
        summary="A list of zeros as large as the items of another.",
        infer=_infer_zeros_like,
        reference=_zeros_like,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("list_zeros_like"),
        samples=(Sample((RAGGED,)),),
    ),
    Op(
        name="list_ones_like",
        summary="A list of ones as large as the items of another.",
        infer=_infer_zeros_like,
        reference=_ones_like,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("list_ones_like"),
        samples=(Sample((RAGGED,)), Sample((ListValue(),))),
    ),
    Op(
        name="list_add",
        summary="The sums of the items of two lists of equal length: how gradients of lists add.",
        infer=_infer_add,
        reference=_add,
        gradient=(lambda o, g, out, items, others: g, lambda o, g, out, items, others: g),
        lowering=Library("list_add"),
        samples=(Sample((ROWS, ROWS)),),
    ),
    Op(
        name="list_fill",
        summary="A list with one item several times, as `[x] * n`.",
        infer=_infer_fill,
        reference=_fill,
        gradient=(lambda o, g, out, item, length: o.list_total(g, item), None),
        lowering=Library("list_fill"),
        samples=(Sample((ONE_ROW, 3)), Sample((ONE_ROW, 0))),
    ),
    Op(
        name="list_total",
        summary="The sum of the items, which have the shape of `like`; of no items zeros.",
        infer=_infer_total,
        reference=_total,
        gradient=(lambda o, g, out, items, like: o.list_fill(g, o.list_length(items)), None),
        lowering=Library("list_total"),
        samples=(Sample((ROWS, ONE_ROW)),),
    ),
)
