"""Containers with staged values in them are compared item by item, as Python compares them."""

from __future__ import annotations

import types
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from typing import Any

from autograph.operators.calls.dispatch import special_method
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.truth import condition
from autograph.operators.iterators.indexed import Sequence
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tracing.reading import is_users
from autograph.tracing.tracing import current
from autograph.values.choice import Choice

SEQUENCES = (tuple, list, deque)
STAGED = (
    *(Number, Tensor, Choice, Sequence, Text),
    *(*SEQUENCES, dict, types.MethodType, types.SimpleNamespace),
)
"""What an item is that is staged, or that may hold what is."""
COMPARING = ("__eq__", "__lt__", "__gt__", "__le__", "__ge__")
Binary = Callable[[Any, Any], Any]


def are_sequences(left: Any, right: Any, method: str = "__eq__", reflected: str = "") -> bool:
    """Whether Python would compare two sequences item by item, and one holds staged values.

    By `method` of the left one, or the right one's if that is of a class derived from the other's.
    """
    kind = next((kind for kind in SEQUENCES if isinstance(left, kind)), None)
    if kind is None or not isinstance(right, kind):
        return False
    derived = type(left) is not type(right) and issubclass(type(right), type(left))
    if compares_itself(left, method) or (derived and compares_itself(right, reflected or method)):
        return False
    return _any_staged((*items_of(left), *items_of(right)))


def _any_staged(items: Iterable[Any]) -> bool:
    tracing, items = current(), list(items)
    if tracing is not None and tracing.any_handle(items):
        return True
    return any(isinstance(one, STAGED) or _is_compared_by_users(one) for one in items)


def _is_compared_by_users(item: Any) -> bool:
    """Whether a method of the user's, which may read anything, compares an item."""
    return is_users(type(item)) and any(compares_itself(item, name) for name in COMPARING)


def are_containers(left: Any, right: Any, method: str = "__eq__") -> bool:
    """Whether Python would test two containers item by item, and one holds staged values."""
    if not isinstance(left, dict):
        return are_sequences(left, right, method)
    own = compares_itself(left, method) or compares_itself(right, method)
    if not isinstance(right, dict) or own:
        return False
    return _any_staged((*left.values(), *right.values()))


def compares_itself(value: Any, method: str = "__eq__") -> bool:
    """Whether a class of the user's, or a Counter, has its own `==`, or another comparison."""
    return isinstance(special_method(type(value), method), types.FunctionType)


def equal_containers(equals: Binary, left: Any, right: Any) -> Any:
    """`left == right` of two containers, where items are tested by `equals`."""
    if not isinstance(left, dict):
        return equal_sequences(equals, left, right)
    size = dict.__len__
    if size(left) != size(right) or any(not dict.__contains__(right, key) for key in keys_of(left)):
        return False
    if isinstance(left, OrderedDict) and isinstance(right, OrderedDict):
        if list(keys_of(left)) != list(keys_of(right)):
            return False
    pairs = ((value, dict.__getitem__(right, key)) for key, value in dict.items(left))
    return _all_equal(equals, pairs)


def keys_of(table: dict[Any, Any]) -> Iterable[Any]:
    """The keys in their order, whatever a subclass has for an iterator."""
    kind = OrderedDict if isinstance(table, OrderedDict) else dict
    return kind.__iter__(table)


def items_of(sequence: Any) -> list[Any]:
    """What a sequence holds, whatever a subclass of Python's own has for an iterator."""
    kind = next(kind for kind in SEQUENCES if isinstance(sequence, kind))
    return list(kind.__iter__(sequence))


def equal_sequences(equals: Binary, left: Any, right: Any) -> Any:
    """`left == right` of two sequences: identical items are equal, others by `equals`."""
    left, right = items_of(left), items_of(right)
    return len(left) == len(right) and _all_equal(equals, zip(left, right, strict=True))


def _all_equal(equals: Binary, pairs: Iterable[tuple[Any, Any]]) -> Any:
    result: Any = True
    for one, other in pairs:
        if one is not other:
            tracing = current()
            assert tracing is not None
            here = condition(tracing, equals(one, other))
            if here is False:
                return False
            if here is not True:
                result = here if result is True else OPS.py_and(result, here)
    return result


def order_sequences(equals: Binary, left: Any, right: Any, apply: Binary) -> Any:
    """`left < right` and the like of two sequences: the first items that differ decide."""
    tracing = current()
    assert tracing is not None
    left, right = items_of(left), items_of(right)
    for place, (one, other) in enumerate(zip(left, right, strict=False)):
        equal = True if one is other else condition(tracing, equals(one, other))
        if equal is False:
            return apply(one, other)
        if equal is not True:
            return _decided(equals, equal, left, right, place, apply)
    return apply(len(left), len(right))


def _decided(equals: Binary, equal: Any, left: Any, right: Any, place: int, apply: Binary) -> Any:
    """The order by the items at `place` where they differ, else by those after it."""
    tracing = current()
    assert tracing is not None
    return branch(
        tracing,
        equal,
        lambda: order_sequences(equals, left[place + 1 :], right[place + 1 :], apply),
        lambda: apply(left[place], right[place]),
    )
