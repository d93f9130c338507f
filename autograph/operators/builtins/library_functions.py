"""What calls of the standard library's functions mean on staged values."""

from __future__ import annotations

import bisect
import builtins
import functools
import heapq
import operator
import os
import sys
import typing
from collections.abc import Callable
from typing import Any

from autograph.control.whole_reads import note_identity
from autograph.errors import StateError
from autograph.library import bisection, heaps, ordering, sequences
from autograph.operators.builtins.breakpoints import BREAKPOINTS
from autograph.operators.builtins.environment import getenv
from autograph.operators.calls.dispatch import call, call_method
from autograph.operators.containers import rows
from autograph.operators.containers.slices import as_index, has_index
from autograph.operators.expressions.arithmetic import AUGMENTED, BINARY, COMPARISONS, UNARY
from autograph.operators.expressions.attributes import load
from autograph.operators.expressions.identity import is_, is_not, not_
from autograph.operators.expressions.items import del_item, item, set_item
from autograph.operators.expressions.membership import in_
from autograph.operators.expressions.truth import condition
from autograph.operators.iterators.generator_recipes import recipe_of
from autograph.operators.iterators.plain_iteration import iterate
from autograph.operators.iterators.staged_iterables import has_staged_length
from autograph.operators.iterators.user_iterators import SequenceIterator
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing
from autograph.values.sentinels import UNSET

Model = Callable[..., Any]
_BINARY_NAMES = "add sub mul truediv floordiv mod pow matmul lshift rshift and or xor".split()


def _callable(tracing: Tracing, value: Any) -> bool:
    return callable(value)


def _id(tracing: Tracing, value: Any) -> int:
    if isinstance(value, Tensor) and tracing.identities.of(value) is not None:
        raise StateError(
            "id() of a tensor that is one of several, depending on a staged condition, is unknown",
            remedy="compare with 'is'",
        )
    if rows.has_no_identity(tracing, value) or id(value) in tracing.references:
        raise StateError(
            f"id() of {with_article(type(value).__name__)} that is in a container of staged length",
            remedy="use a number that tells the objects apart",
        )
    note_identity(tracing, value)
    return id(value)


def _reduce(tracing: Tracing, function: Any, iterable: Any, *initial: Any) -> Any:
    if isinstance(iterable, SequenceIterator):
        iterable = call(list, iterable)
    if has_staged_length(tracing, iterable) or recipe_of(tracing, iterable) is not None:
        if initial:
            return call(sequences.reduced, function, iterable, initial[0])
        return call(sequences.reduced_from_first, function, call(list, iterable))
    items = iter(iterate(iterable))
    total = initial[0] if initial else next(items, UNSET)
    if total is UNSET:
        raise TypeError("reduce() of empty iterable with no initial value")
    for one in items:
        total = call(function, total, one)
    return total


def _operator_models() -> dict[Any, Model]:
    """The functions of the module `operator`, which are the operators of the language."""
    names = {"and_bits": "and_", "or_bits": "or_", "xor_bits": "xor"}
    models: dict[Any, Model] = {}
    for name, function in {**BINARY, **COMPARISONS, **UNARY}.items():
        plain = getattr(operator, names.get(name, name))

        def model(tracing: Tracing, *args: Any, function: Any = function) -> Any:
            return function(*args)

        models[plain] = model
    for name in _BINARY_NAMES:
        special = f"aug_{name}"

        def augmented(tracing: Tracing, *args: Any, function: Any = AUGMENTED[special]) -> Any:
            return function(*args)

        models[getattr(operator, f"i{name}")] = augmented
    models[operator.getitem] = lambda tracing, container, key: item(container, key)
    models[operator.setitem] = lambda tracing, container, key, value: set_item(
        value, container, key
    )
    models[operator.delitem] = lambda tracing, container, key: del_item(container, key)
    models[operator.contains] = lambda tracing, container, wanted: in_(wanted, container)
    models[operator.index] = _index
    models[operator.not_] = lambda tracing, value: not_(value)
    models[operator.concat] = lambda tracing, left, right: BINARY["add"](left, right)
    models[operator.iconcat] = lambda tracing, left, right: AUGMENTED["aug_add"](left, right)
    models[operator.inv] = lambda tracing, value: UNARY["invert"](value)
    models[operator.abs] = lambda tracing, value: call(abs, value)
    models[operator.call] = lambda tracing, function, *args, **kwargs: call(
        function, *args, **kwargs
    )
    models[operator.countOf] = lambda tracing, items, wanted: call(sequences.count, items, wanted)
    models[operator.truth] = lambda tracing, value: condition(tracing, value)
    models[sequences.is_surely] = lambda tracing, left, right: is_(left, right, or_equal=True)
    models[operator.is_] = lambda tracing, left, right: is_(left, right)
    models[operator.is_not] = lambda tracing, left, right: is_not(left, right)
    return models


_NO_INDEX: Any = 0.5
"""For this, Python raises its own error."""


def _index(tracing: Tracing, value: Any) -> Any:
    if isinstance(value, Tensor):
        return as_index(value)
    if isinstance(value, Number):
        return OPS.py_int(value) if value.kind is not float else operator.index(_NO_INDEX)
    if has_index(value):
        return call_method(value, "__index__")
    return operator.index(value)


def _cmp_to_key(tracing: Tracing, mycmp: Any) -> Any:
    return call(ordering.key_by, mycmp)


def call_getter(tracing: Tracing, function: Any, args: tuple[Any, ...]) -> Any:
    """A call of an `operator.attrgetter`, `itemgetter` or `methodcaller`."""
    kind, given = function.__reduce__()[:2]
    (value,) = args
    if isinstance(function, operator.methodcaller):
        if isinstance(kind, functools.partial):
            return call(load(tracing, value, kind.args[0]), *given, **kind.keywords)
        return call(load(tracing, value, given[0]), *given[1:])
    read = _dotted if isinstance(function, operator.attrgetter) else _item
    found = tuple(read(tracing, value, one) for one in given)
    return found if len(found) > 1 else found[0]


def _dotted(tracing: Tracing, value: Any, names: str) -> Any:
    for name in names.split("."):
        value = load(tracing, value, name)
    return value


def _item(tracing: Tracing, value: Any, key: Any) -> Any:
    return item(value, key)


def _written(function: Any) -> Model:
    """The model of a function that is written in plain Python in `autograph.library`."""

    def model(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
        return call(function, *args, **kwargs)

    return model


def _smallest(tracing: Tracing, n: Any, iterable: Any, key: Any = None) -> Any:
    return call(heaps.smallest, n, iterable, key)


def _largest(tracing: Tracing, n: Any, iterable: Any, key: Any = None) -> Any:
    return call(heaps.largest, n, iterable, key)


CHANGING = (
    heapq.heappush,
    heapq.heappop,
    heapq.heapreplace,
    heapq.heappushpop,
    heapq.heapify,
    bisect.insort_left,
    bisect.insort_right,
)
"""These change the list that they are given."""

LIBRARY_MODELS: dict[Any, Model] = {
    typing.cast: lambda tracing, typ, val: val,
    typing.assert_type: lambda tracing, val, typ: val,
    sys.exc_info: lambda tracing: sys.exc_info(),
    sys.exception: lambda tracing: sys.exception(),
    heapq.heappush: _written(heaps.push),
    heapq.heappop: _written(heaps.pop),
    heapq.heapreplace: _written(heaps.replace),
    heapq.heappushpop: _written(heaps.push_and_pop),
    heapq.heapify: _written(heaps.make),
    heapq.merge: _written(heaps.merge),
    heapq.nsmallest: _smallest,
    heapq.nlargest: _largest,
    bisect.bisect_left: _written(bisection.left),
    bisect.bisect_right: _written(bisection.right),
    bisect.insort_left: _written(bisection.insert_left),
    bisect.insort_right: _written(bisection.insert_right),
    builtins.callable: _callable,
    builtins.id: _id,
    functools.reduce: _reduce,
    os.getenv: getenv,
    functools.cmp_to_key: _cmp_to_key,
    **_operator_models(),
    **BREAKPOINTS,
}
