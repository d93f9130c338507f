"""Methods, operators and KeyErrors of dicts and sets that are staged, or given a staged key."""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

from autograph.control.chosen_contents import DictView
from autograph.errors import StateError
from autograph.library import keyed as library
from autograph.library import set_order
from autograph.operators.calls.dispatch import call
from autograph.operators.containers import dicts_and_sets, rows
from autograph.operators.iterators.staged_iterables import KeyedItems, has_staged_length
from autograph.runtime.arrays.cells import Array
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tracing.places import ContentsPlace
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing
from autograph.values.object_state import empty, setting_of
from autograph.values.sentinels import UNSET


def members_of(tracing: Tracing, container: Any) -> Any:
    """The members of a set, or the keys of a dict, to go over in the order of insertion."""
    view = container if isinstance(container, DictView) else DictView(container, "keys")
    if dicts_and_sets.is_staged(tracing, view.container):
        return KeyedItems.of(tracing, view.container, view.kind)
    if isinstance(container, set):
        read_contents(tracing, container)
        return tuple(container)
    return container


def copied(tracing: Tracing, container: Any) -> Any:
    """`container.copy()`."""
    made = empty(type(container), setting_of(container))
    return dicts_and_sets.like(tracing, container, made)


def missing_key(key: Any) -> Callable[[], Any]:
    """What raises for a key that is not there."""

    def fail() -> Any:
        raise KeyError(key)

    return fail


# dicts --------------------------------------------------------------------------------------------
def _get(tracing: Tracing, table: Any, key: Any, default: Any = None) -> Any:
    return dicts_and_sets.get(tracing, table, key, lambda: default)


def _set_default(tracing: Tracing, table: Any, key: Any, default: Any = None) -> Any:
    tracing.keeper.move((key, default), rows.rows_of(tracing, table).element)

    def put() -> Any:
        dicts_and_sets.set_item(tracing, table, key, default)
        return default

    return dicts_and_sets.get(tracing, table, key, put)


def _pop(tracing: Tracing, table: Any, key: Any = UNSET, default: Any = UNSET) -> Any:
    ordered = tracing.shrunk.get(id(table), -1) >= 0
    if isinstance(table, set) and ordered and tracing.note_pop(table):
        return call(set_order.pop_first, table)
    if isinstance(table, set):
        raise StateError(
            "set.pop of a set that is staged: which member comes first is known only to Python",
            remedy="keep the members in a list",
        )
    if key is UNSET:
        {}.pop()  # type: ignore[call-overload]  # raises Python's own error
    missing = missing_key(key) if default is UNSET else lambda: default
    return dicts_and_sets.remove(tracing, table, key, missing, value=True)


def update(tracing: Tracing, table: Any, other: Any = (), /, **named: Any) -> None:
    """`table.update(other, **named)`."""
    if isinstance(other, dict):
        call(library.update, table, members_of(tracing, other), other)
    elif hasattr(type(other), "keys"):
        call(library.update_from, table, other)
    else:
        call(library.update_pairs, table, other)
    for key, value in named.items():
        dicts_and_sets.set_item(tracing, table, key, value)


DICT_METHODS: dict[str, Callable[..., Any]] = {
    "clear": dicts_and_sets.clear,
    "copy": copied,
    "get": _get,
    "pop": _pop,
    "popitem": dicts_and_sets.pop_last,
    "setdefault": _set_default,
    "update": update,
}


def _move_to_end(tracing: Tracing, table: Any, key: Any, last: Any = True) -> None:
    call(library.move_to_end, table, key, last)


def _pop_item(tracing: Tracing, table: Any, last: Any = True) -> Any:
    return call(library.pop_item, table, last, lambda: dicts_and_sets.pop_last(tracing, table))


ORDERED_METHODS: dict[str, Callable[..., Any]] = {
    **DICT_METHODS,
    "move_to_end": _move_to_end,
    "popitem": _pop_item,
}


# counters -----------------------------------------------------------------------------------------
def _count(tracing: Tracing, counter: Any, iterable: Any = (), /, **named: Any) -> None:
    if isinstance(iterable, dict):
        call(library.counted_from, counter, members_of(tracing, iterable), iterable)
    else:
        call(library.counted, counter, members_of(tracing, iterable))
    call(library.counted_from, counter, list(named), named)


def _subtract(tracing: Tracing, counter: Any, iterable: Any = ()) -> None:
    if isinstance(iterable, dict):
        raise StateError("Counter.subtract of a mapping, staged", remedy="use a for statement")
    call(library.subtracted, counter, members_of(tracing, iterable))


def _most_common(tracing: Tracing, counter: Any, number: Any = None) -> Any:
    pairs = call(list, KeyedItems.of(tracing, counter, "items"))
    call(pairs.sort, key=operator.itemgetter(1), reverse=True)
    return pairs if number is None else call(operator.getitem, pairs, slice(number))


def _total(tracing: Tracing, counter: Any) -> Any:
    return call(library.total, KeyedItems.of(tracing, counter, "values"))


COUNTER_METHODS: dict[str, Callable[..., Any]] = {
    **DICT_METHODS,
    "most_common": _most_common,
    "subtract": _subtract,
    "total": _total,
    "update": _count,
}


# sets ---------------------------------------------------------------------------------------------
def _remove(tracing: Tracing, members: Any, member: Any) -> None:
    dicts_and_sets.remove(tracing, members, member, missing_key(member))


def _discard(tracing: Tracing, members: Any, member: Any) -> None:
    dicts_and_sets.remove(tracing, members, member, lambda: None)


def _set_update(tracing: Tracing, members: Any, *others: Any) -> None:
    for other in others:
        call(library.add_all, members, members_of(tracing, other))


def _set_without(tracing: Tracing, members: Any, *others: Any) -> None:
    for other in others:
        call(library.discard_all, members, members_of(tracing, other))
    tracing.change_set(members)


def union(tracing: Tracing, members: Any, *others: Any) -> Any:
    """`members.union(*others)`."""
    made = copied(tracing, members)
    _set_update(tracing, made, *others)
    return made


def difference(tracing: Tracing, members: Any, *others: Any) -> Any:
    """`members.difference(*others)`."""
    made = copied(tracing, members)
    _set_without(tracing, made, *others)
    return made


def as_set(tracing: Tracing, other: Any) -> Any:
    """An argument of a method of sets, as something to look members up in."""
    if isinstance(other, dict | set | frozenset):
        return other
    return call(library.add_all, tracing.born(set()), other)


def intersection(tracing: Tracing, members: Any, *others: Any) -> Any:
    """`members.intersection(*others)`: of equal members, it holds those that Python finds last."""
    made = members if others else copied(tracing, members)
    for other in others:
        fresh, known = tracing.born(set()), members_of(tracing, made)
        if not isinstance(other, set | frozenset):
            made = call(library.common, fresh, members_of(tracing, other), made)
        elif dicts_and_sets.may_hold_equals(tracing, made, other):
            given = (made, other, known, members_of(tracing, other))
            made = call(library.common_of_shorter, fresh, *given)
        else:
            made = call(library.common, fresh, known, other)
    return made


def symmetric_difference(tracing: Tracing, members: Any, other: Any) -> Any:
    """`members.symmetric_difference(other)`."""
    other = as_set(tracing, other)
    first = call(library.apart, tracing.born(set()), members_of(tracing, members), other)
    return call(library.apart, first, members_of(tracing, other), members)


def is_subset(tracing: Tracing, members: Any, other: Any) -> Any:
    """`members.issubset(other)`."""
    return call(library.is_within, members_of(tracing, members), as_set(tracing, other))


def _is_superset(tracing: Tracing, members: Any, other: Any) -> Any:
    return call(library.is_within, members_of(tracing, other), members)


def _is_disjoint(tracing: Tracing, members: Any, other: Any) -> Any:
    return call(library.is_disjoint, members_of(tracing, other), members)


def _keeping(taken: Callable[..., Any]) -> Callable[..., Any]:
    """A method that leaves in the set what another one gives."""

    def keep(tracing: Tracing, members: Any, *others: Any) -> None:
        made, place = taken(tracing, members, *others), ContentsPlace(members, tracing)
        tracing.change_set(members)
        tracing.touch(place)
        place.set(ContentsPlace(made, tracing).get())

    return keep


SET_METHODS: dict[str, Callable[..., Any]] = {
    "add": dicts_and_sets.add,
    "clear": dicts_and_sets.clear,
    "copy": copied,
    "difference": difference,
    "difference_update": _set_without,
    "discard": _discard,
    "intersection": intersection,
    "intersection_update": _keeping(intersection),
    "isdisjoint": _is_disjoint,
    "issubset": is_subset,
    "issuperset": _is_superset,
    "pop": _pop,
    "remove": _remove,
    "symmetric_difference": symmetric_difference,
    "symmetric_difference_update": _keeping(symmetric_difference),
    "union": union,
    "update": _set_update,
}


def methods_of(container: Any) -> dict[str, Callable[..., Any]]:
    """The methods of a dict or set."""
    if isinstance(container, Counter):
        return COUNTER_METHODS
    if isinstance(container, OrderedDict):
        return ORDERED_METHODS
    return DICT_METHODS if isinstance(container, dict) else SET_METHODS


TAKING_KEYS = frozenset({"add", "discard", "get", "move_to_end", "pop", "remove", "setdefault"})
"""These have a key, or a member, as their first argument."""
AT_AN_END = {"move_to_end": 1, "popitem": 0}
"""Where methods of an OrderedDict are told which end is meant."""
TAKING_ITEMS = frozenset(
    "difference difference_update intersection intersection_update isdisjoint issubset issuperset"
    " subtract symmetric_difference symmetric_difference_update union update".split()
)
"""These go over their argument."""


def is_staged_call(
    tracing: Tracing, container: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> bool:
    """Whether a method of a dict or set needs what is here."""
    if dicts_and_sets.is_staged(tracing, container):
        return True
    if name in AT_AN_END and isinstance(container, OrderedDict):
        ends = (*args[AT_AN_END[name] :], *kwargs.values())
        return any(isinstance(one, Tensor | Number) for one in ends) or (
            name in TAKING_KEYS and dicts_and_sets.is_staged_key(args[0])
        )
    if name in TAKING_KEYS and args:
        return dicts_and_sets.is_staged_key(args[0])
    if name in TAKING_ITEMS:
        return any(goes_over_staged(tracing, one) for one in args)
    return False


def goes_over_staged(tracing: Tracing, value: Any) -> bool:
    """Whether the items of an argument are staged, or how many there are."""
    if isinstance(value, DictView):
        value = value.container
    if isinstance(value, Text) or dicts_and_sets.is_staged(tracing, value):
        return True
    if isinstance(value, Array) or has_staged_length(tracing, value):
        return True
    return isinstance(value, list | tuple) and any(
        dicts_and_sets.is_staged_key(one[0] if isinstance(one, tuple) and one else one)
        for one in value
    )


def _note_order(tracing: Tracing, members: set[Any]) -> None:
    """A set that is known so far loses a member. Ints that are their own places in CPython's table
    are gone over in ascending order, and a table gets no smaller while members are taken out."""
    if dicts_and_sets.is_staged(tracing, members) or id(members) in tracing.shrunk or not members:
        return
    most = set_order.least_mask(len(members))
    if all(type(one) is int and 0 <= one <= most for one in members):
        tracing.shrunk[id(members)] = most
        tracing.keep(members)


def method(
    tracing: Tracing, container: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A method of a dict or set that is staged, or given a staged key."""
    found = methods_of(container).get(name)
    if found is None:
        raise StateError(
            f"{type(container).__name__}.{name} of contents that are staged",
            remedy="use a for statement",
        )
    if name in ("discard", "remove") and type(container) is set:
        _note_order(tracing, container)
    return found(tracing, container, *args, **kwargs)


# operators ----------------------------------------------------------------------------------------
_SET_OPERATORS: dict[Any, Callable[..., Any]] = {
    operator.or_: union,
    operator.and_: intersection,
    operator.sub: difference,
    operator.xor: symmetric_difference,
    operator.le: is_subset,
    operator.ge: lambda tracing, left, right: is_subset(tracing, right, left),
}


def _as_set(value: Any) -> Any:
    """The keys or the pairs of a dict as a set: with one of these, that is what they are."""
    is_keyed = isinstance(value, DictView) and value.kind != "values"
    return call(set, value) if is_keyed else value


def asked_in_order(function: Any, left: Any, right: Any) -> tuple[Any, Any]:
    """A view of keys and a set for `&`, as Python asks them: which of equal members it gives."""
    if function is operator.and_ and isinstance(left, DictView) and type(right) is set:
        return right, left
    return left, right


def operate(tracing: Tracing, function: Any, left: Any, right: Any) -> Any:
    """A binary operator on dicts or sets of which one is staged."""
    if isinstance(left, frozenset) and function in _SET_OPERATORS:
        raise StateError(
            "an operator on a frozenset and a set that is staged would give a frozenset of members "
            "that are known only when it runs",
            remedy="make it a set first: set(frozen) | members",
        )
    left, right = (_as_set(one) for one in asked_in_order(function, left, right))
    counters = isinstance(left, Counter) + isinstance(right, Counter)
    if counters and not (counters == 1 and function in (operator.eq, operator.ne)):
        return NotImplemented  # multisets, which have operators of their own
    if isinstance(left, OrderedDict) and isinstance(right, OrderedDict):
        if function in (operator.eq, operator.ne):
            return call(function, *(call(list, call(one.items)) for one in (left, right)))
    if isinstance(left, dict) and isinstance(right, dict):
        if function is operator.or_:
            merging = type(left) is dict and isinstance(right, OrderedDict | defaultdict)
            like = right if merging else left
            made = dicts_and_sets.like(tracing, left, empty(type(like), setting_of(like)))
            update(tracing, made, right)
            return made
        if function in (operator.eq, operator.ne):
            same = call(library.equal, left, members_of(tracing, left), right)
            return same if function is operator.eq else OPS.py_not(same)
    if isinstance(left, set) and isinstance(right, frozenset):
        right = tracing.born(set(right))
    elif isinstance(right, set) and isinstance(left, frozenset):
        left = tracing.born(set(left))
    if isinstance(left, set) and isinstance(right, set):
        if function in _SET_OPERATORS:
            return _SET_OPERATORS[function](tracing, left, right)
        if function in (operator.eq, operator.ne):
            sizes = call(operator.eq, call(len, left), call(len, right))
            within = is_subset(tracing, left, right)
            same = OPS.py_and(sizes, within)
            return same if function is operator.eq else OPS.py_not(same)
        if function in (operator.lt, operator.gt):
            small, large = (left, right) if function is operator.lt else (right, left)
            sizes = call(operator.lt, call(len, small), call(len, large))
            return OPS.py_and(sizes, is_subset(tracing, small, large))
    if function in (operator.eq, operator.ne):
        return function is operator.ne
    return NotImplemented


def makes_containers(container: Any) -> bool:
    """Whether a missing key of a container gives an empty one of Python's own, which it keeps."""
    plain = type(container) is defaultdict
    return plain and container.default_factory in (list, dict, set, deque)
