"""`sorted` and `list.sort`: Python's own on plain keys, else in the graph, stable as Python's."""

from __future__ import annotations

from typing import Any

from autograph.control.chosen_tensors import can_be_chosen, chosen
from autograph.library import ordering
from autograph.operators.calls.dispatch import call
from autograph.operators.containers import lists, rows
from autograph.operators.containers.sequences import listed
from autograph.operators.containers.slices import as_index, has_index
from autograph.operators.containers.stacked_lists import column_of
from autograph.operators.expressions.arithmetic import COMPARISONS
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.items import item
from autograph.operators.expressions.truth import condition
from autograph.operators.iterators.plain_iteration import iterate
from autograph.operators.iterators.staged_iterables import is_long, makes_rows
from autograph.runtime.arrays.cells import Array, Scalar, as_result, as_tensor
from autograph.runtime.core.number import Number
from autograph.runtime.core.python_versions import SORTS_BY_TRUTH
from autograph.runtime.core.spec import NUMBER_SPECS, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import StagedList
from autograph.runtime.ops.elementwise.large_ints import is_large
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import ContentsPlace, Items
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.equivalence import ATOMS
from autograph.values.skeleton import Leaf, kind_of


class _Staged(Exception):
    """A comparison that only the run decides."""


class _Ranked:
    """A key that Python's own sort compares as converted code does."""

    __slots__ = ("key", "tracing")

    def __init__(self, tracing: Tracing, key: Any) -> None:
        self.tracing = tracing
        self.key = key

    def __lt__(self, other: _Ranked) -> bool:
        flag = condition(self.tracing, COMPARISONS["lt"](self.key, other.key))
        if not isinstance(flag, bool):
            raise _Staged
        return flag


def _direction(tracing: Tracing, reverse: Any) -> Any:
    """`reverse` as Python takes it: its truth, before 3.12 an int, or what has an index."""
    if SORTS_BY_TRUTH:
        return condition(tracing, reverse)
    return as_index(reverse) if isinstance(reverse, Tensor) or has_index(reverse) else reverse


def staged_sorted(tracing: Tracing, iterable: Any, *, key: Any = None, reverse: Any = False) -> Any:
    """`sorted(iterable, key=key, reverse=reverse)`."""
    reverse = _direction(tracing, reverse)
    if isinstance(iterable, set) and rows.staged(tracing, iterable) is not None:
        iterable = rows.new_list(tracing, rows.rows_of(tracing, iterable))
    if makes_rows(tracing, iterable):
        made = listed(tracing, iterable)
        sort(tracing, made, key=key, reverse=reverse)
        return made
    return tracing.born(_sorted(tracing, list(iterate(iterable)), key, reverse))


def sort(tracing: Tracing, items: list[Any], *, key: Any = None, reverse: Any = False) -> None:
    """`items.sort(key=key, reverse=reverse)`."""
    reverse = _direction(tracing, reverse)
    place = ContentsPlace(items, tracing)
    contents = rows.staged(tracing, items)
    if contents is None:
        read_contents(tracing, items)
        ordered = _sorted(tracing, list(items), key, reverse)
        tracing.touch(place)
        # a store may hold the list by now
        place.set(rows.staged(tracing, ordered) or Items(tuple(ordered)))
        return
    keys = items if key is None else call(ordering.keys_of, items, key)
    values = None if _is_staged(reverse) else _column_of_numbers(tracing, keys)
    if values is not None:
        positions = _order_of(values, bool(reverse))
    else:
        places = call(ordering.order, keys, reverse)
        positions = OPS.list_values(column_of(tracing, places), dtype=rows.INDEX)
    rows.replace(tracing, items, rows.taken(contents, positions))


def _sorted(tracing: Tracing, items: list[Any], key: Any, reverse: Any) -> list[Any]:
    """A list of known length, sorted."""
    keys = items if key is None else [call(key, one) for one in items]
    if isinstance(reverse, Number | Choice):
        found: list[Any] = branch(
            tracing,
            reverse,
            lambda: tracing.born(_ordered(tracing, items, keys, True)),
            lambda: tracing.born(_ordered(tracing, items, keys, False)),
        )
        return found
    return _ordered(tracing, items, keys, bool(reverse))


def _ordered(tracing: Tracing, items: list[Any], keys: list[Any], reverse: bool) -> list[Any]:
    plain = all(map(_is_plain, keys))
    ranked = keys if plain else [_Ranked(tracing, one) for one in keys]
    try:
        places = sorted(range(len(items)), key=ranked.__getitem__, reverse=reverse)
    except _Staged:
        return _in_graph(tracing, items, keys, reverse)
    return [items[place] for place in places]


def _is_plain(key: Any) -> bool:
    return type(key) in ATOMS or (type(key) is tuple and all(map(_is_plain, key)))


def _is_number(item: Any) -> bool:
    """Whether nobody asks which object an item is: a number, a scalar, a tuple of them."""
    if type(item) is tuple:
        return all(map(_is_number, item))
    return isinstance(item, Number | int | float | Scalar)


def _is_value(key: Any) -> bool:
    """Whether a column can hold a key."""
    if type(key) is tuple:
        return all(map(_is_value, key))
    return isinstance(key, Number | Tensor) or _is_plain(key)


def _in_graph(tracing: Tracing, items: list[Any], keys: list[Any], reverse: bool) -> list[Any]:
    """The items in an order that only the run knows: each is picked by its place."""
    values = _tensor_of(keys)
    places: Any
    if values is not None:
        places = _order_of(values, reverse)
        if items is keys and all(map(_is_number, items)):
            ordered = OPS.take(values, places, axis=0)
            return [_like(keys[0], ordered[place]) for place in range(len(items))]
        if is_long(tracing, len(items)) and all(map(_is_number, items)):
            contents = rows.rows_of_items(tracing, items)
            return rows.new_list(tracing, rows.taken(contents, places))
        found = [OPS.to_number(places[number], kind=int) for number in range(len(items))]
        if can_be_chosen(tracing, items):
            trace = tracing.region.trace
            return [chosen(tracing, trace.lift(place._value), items) for place in found]
        return [item(tuple(items), place) for place in found]
    if all(map(_is_value, keys)):
        held = rows.new_list(tracing, rows.rows_of_items(tracing, keys), hidden=True)
        places = call(ordering.order, held, reverse)
        if items is keys and all(map(_is_number, items)):
            return [item(held, item(places, number)) for number in range(len(items))]
    else:
        places = _by_pairs(tracing, keys, reverse)
    return [item(tuple(items), item(places, number)) for number in range(len(items))]


# numbers ------------------------------------------------------------------------------------------
def _order_of(values: Any, reverse: bool) -> Any:
    """The places of numbers, a tensor of one axis, as Python sorts them."""
    if values.dtype.kind == "f":
        call(ordering.check_many, OPS.dimension(values, 0), OPS.any(OPS.isnan(values)))
    return OPS.python_order(values, reverse=reverse)


def _tensor_of(keys: list[Any]) -> Any:
    """Keys that are numbers of one class, staged or known, as one tensor; None of others."""
    kinds = {_kind_of_number(key) for key in keys}
    found = kinds.pop()
    if found is None or kinds:
        return None
    kind, dtype = found
    if kind in NUMBER_SPECS:
        return OPS.stack([OPS.to_tensor(key, dtype=dtype) for key in keys])
    return OPS.stack([as_tensor(key) for key in keys])


def _kind_of_number(key: Any) -> tuple[Any, Any] | None:
    """The class of a number, and its dtype: of Python's, of NumPy's, or of a tensor's element."""
    if isinstance(key, Array):
        return None
    if isinstance(key, Tensor):
        is_one = not key.shape and key.dtype.kind in "iuf"
        return (kind_of(key), key.dtype) if is_one else None
    kind = key.kind if isinstance(key, Number) else type(key)
    is_one = kind in (int, float) and not is_large(key)
    return (kind, NUMBER_SPECS[kind].dtype) if is_one else None


def _like(key: Any, value: Any) -> Any:
    """A tensor without axes, as a number of the class of another one."""
    if isinstance(key, Scalar):
        return as_result(value)
    return OPS.to_number(value, kind=key.kind if isinstance(key, Number) else type(key))


def _column_of_numbers(tracing: Tracing, keys: Any) -> Any:
    """The keys of a list of staged length as a tensor of one axis; None if they are no numbers."""
    contents = rows.staged(tracing, keys)
    if contents is None:
        return None
    element = contents.element
    if not isinstance(element, Leaf) or not isinstance(element.spec, Spec):
        return None
    if element.spec.ndim or element.spec.dtype.kind not in "iuf":
        return None
    column = StagedList(contents.columns[0])
    return OPS.list_values(column, dtype=element.spec.dtype)


# pairs --------------------------------------------------------------------------------------------
def _by_pairs(tracing: Tracing, keys: list[Any], reverse: bool) -> list[Any]:
    """The places in order of keys that no column holds: each is compared with each other."""
    count = len(keys)
    later: list[Any] = [0] * count
    for place, key in enumerate(keys):
        for other in range(place):
            first, second = (keys[other], key) if reverse else (key, keys[other])
            before = condition(tracing, COMPARISONS["lt"](first, second))
            later[place] = later[place] + (OPS.py_not(before) if _is_staged(before) else not before)
            later[other] = later[other] + before
    made: list[Any] = tracing.born([-1] * count)
    tracing.keeper.hide(made)
    for place, number in enumerate(later):
        lists.set_list_item(tracing, made, number, place)
    call(ordering.check_order, made)
    return made


def _is_staged(flag: Any) -> bool:
    return isinstance(flag, Number)
