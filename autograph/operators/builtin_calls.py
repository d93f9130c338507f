"""What calls of Python's builtins mean on staged values."""

from __future__ import annotations

import builtins
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from autograph.effects.choice import Choice
from autograph.effects.contents import DictView, chosen_contents, with_each
from autograph.effects.reading import read_contents
from autograph.effects.sentinels import UNSET
from autograph.effects.tracing import Tracing
from autograph.errors import StateError
from autograph.operators import containers
from autograph.operators.arithmetic import BINARY, COMPARISONS
from autograph.operators.attributes import attr, del_attr, may_lack, set_attr
from autograph.operators.branching import branch
from autograph.operators.conditions import choose, condition, to_number
from autograph.operators.consumers import over_items
from autograph.operators.derived import derived, enumerated, filtered, mapped
from autograph.operators.dispatch import call, call_method, callback, special_method
from autograph.operators.items import Sequenced
from autograph.operators.iterables import (
    Enumerated,
    Indexed,
    Reversed,
    StagedRange,
    Zipped,
    as_indexed,
    dimension,
)
from autograph.operators.iteration import advance, iterate, lazily, mapping, opened
from autograph.operators.library_calls import LIBRARY_MODELS
from autograph.operators.names import truth
from autograph.operators.printing import staged_print
from autograph.operators.recipes import fresh_recipe, recipe_of, wraps
from autograph.operators.reductions import staged_all, staged_any, staged_extreme, staged_sum
from autograph.operators.text import Text, formatted, joined, text_of
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS

CONTAINERS = (list, dict, set, deque)
Model = Callable[..., Any]


def _len(tracing: Tracing, value: Any) -> Any:
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _len(tracing, one))
    if isinstance(value, Tensor):
        if not value.shape:
            raise TypeError("len() of a 0-d tensor")
        return dimension(value, 0)
    if isinstance(value, Indexed):
        return value.length(tracing)
    if isinstance(value, DictView):
        value = value.container
    if isinstance(value, CONTAINERS):
        return containers.length(tracing, value)
    if isinstance(value, Text):
        raise StateError("the length of a string that is staged", remedy="count it another way")
    if hasattr(special_method(type(value), "__len__"), "__code__"):
        return call_method(value, "__len__")
    return len(value)


def _range(tracing: Tracing, *bounds: Any) -> Any:
    for number, bound in enumerate(bounds):
        if isinstance(bound, Choice):
            return choose(
                tracing,
                bound,
                partial(_range_among, tracing, bounds[:number], bounds[number + 1 :]),
            )
    if not any(isinstance(bound, Number | Tensor) for bound in bounds):
        return range(*bounds)
    numbers = [_range_bound(bound) for bound in bounds]
    if len(numbers) == 3:
        branch(tracing, COMPARISONS["eq"](numbers[2], 0), _zero_step, lambda: None)
    if len(numbers) == 1:
        return StagedRange(0, numbers[0], 1)
    start, stop, step = numbers if len(numbers) == 3 else (*numbers, 1)
    return StagedRange(start, stop, step)


def _zero_step() -> None:
    raise ValueError("range() arg 3 must not be zero")


def _range_among(
    tracing: Tracing, before: tuple[Any, ...], after: tuple[Any, ...], bound: Any
) -> Any:
    return _range(tracing, *before, bound, *after)


def _range_bound(bound: Any) -> Any:
    if isinstance(bound, Number):
        if bound.kind is float:
            raise TypeError("'float' object cannot be interpreted as an integer")
        return bound if bound.kind is int else OPS.py_int(bound)
    if isinstance(bound, Tensor):
        if bound.ndim or bound.dtype.kind not in "iu":
            raise TypeError("only 0-d integer tensors are bounds of a range")
        return to_number(bound, int)
    return bound


def _conversion(kind: type) -> Model:
    def convert(tracing: Tracing, value: Any = 0, *rest: Any) -> Any:
        if isinstance(value, Choice):
            return choose(tracing, value, lambda one: convert(tracing, one, *rest))
        if isinstance(value, Tensor):
            return condition(tracing, value) if kind is bool else to_number(value, kind)
        if isinstance(value, Number):
            if kind is value.kind:
                return value
            return {bool: OPS.py_bool, int: OPS.py_int, float: OPS.py_float}[kind](value)
        if kind is bool:
            return condition(tracing, value)
        for name in (f"__{kind.__name__}__", "__index__"):
            if hasattr(special_method(type(value), name), "__code__"):
                return call_method(value, name)
        return kind(value, *rest)

    return convert


def _isinstance(tracing: Tracing, value: Any, kinds: Any) -> Any:
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _isinstance(tracing, one, kinds))
    if isinstance(value, Number):
        return issubclass(value.kind, kinds)
    if isinstance(value, Text):
        return issubclass(str, kinds)
    if isinstance(value, StagedRange):
        return issubclass(range, kinds)
    if isinstance(value, Tensor) and tracing.sealed.get(id(value)) == "array":
        return issubclass(tracing.scalars.get(id(value), np.ndarray), kinds)
    return isinstance(value, kinds)


def _type(tracing: Tracing, value: Any, *rest: Any) -> Any:
    if rest:
        raise StateError("a class is made by type() inside a staged function")
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _type(tracing, one))
    if isinstance(value, Number):
        return value.kind
    if id(value) in tracing.scalars:
        return tracing.scalars[id(value)]
    return str if isinstance(value, Text) else type(value)


def _enumerate(tracing: Tracing, iterable: Any, start: Any = 0) -> Any:
    iterable = opened(iterable)
    if fresh_recipe(tracing, iterable) is not None:
        return derived(tracing, enumerated, iterable, start)
    indexed = as_indexed(tracing, iterable)
    if indexed is None:
        if not isinstance(start, Number):
            items = lazily(iterable)
            return wraps(tracing, tracing.born(enumerate(items, start)), (items,))
        indexed = Sequenced(tuple(iterate(iterable)))
    return tracing.born(Enumerated(indexed, start))


def _zip(tracing: Tracing, *iterables: Any, strict: bool = False) -> Any:
    indexed = [as_indexed(tracing, one) for one in iterables]
    if not any(indexed) or strict or _one_by_one(tracing, iterables, indexed):
        items = tuple(map(lazily, iterables))
        return wraps(tracing, tracing.born(zip(*items, strict=strict)), items)
    pairs = zip(iterables, indexed, strict=True)
    return tracing.born(Zipped(tuple(two or Sequenced(tuple(iterate(one))) for one, two in pairs)))


def _one_by_one(tracing: Tracing, iterables: Any, indexed: Any) -> bool:
    """Whether one is an iterator, which may have no end, and all that is indexed is counted."""
    counted = all(isinstance(one.length(tracing), int) for one in indexed if one is not None)
    return counted and any(isinstance(one, Iterator) for one in iterables)


def _reversed(tracing: Tracing, sequence: Any) -> Any:
    indexed = as_indexed(tracing, sequence)
    if indexed is not None:
        return tracing.born(Reversed(indexed))
    if isinstance(sequence, (*CONTAINERS, DictView)):
        return tracing.born(reversed(iterate(sequence)))  # type: ignore[call-overload]
    if hasattr(special_method(type(sequence), "__reversed__"), "__code__"):
        return call_method(sequence, "__reversed__")
    return reversed(sequence)


def _map(tracing: Tracing, function: Any, *iterables: Any) -> Any:
    iterables = tuple(map(opened, iterables))
    if len(iterables) == 1 and fresh_recipe(tracing, iterables[0]) is not None:
        return derived(tracing, mapped, function, *iterables)
    items = tuple(map(lazily, iterables))
    return wraps(tracing, tracing.born(map(callback(function), *items)), items)


def _filter(tracing: Tracing, function: Any, iterable: Any) -> Any:
    iterable = opened(iterable)
    if fresh_recipe(tracing, iterable) is not None:
        return derived(tracing, filtered, function, iterable)
    return tracing.born(
        one for one in lazily(iterable) if truth(one if function is None else call(function, one))
    )


def _collection(kind: type) -> Model:
    def make(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
        for one in args:
            contents = chosen_contents(tracing, one)
            if contents is not None:
                return with_each(tracing, one, contents, lambda: make(tracing, *args, **kwargs))
        if kind is dict and args and special_method(type(args[0]), "keys") is not None:
            made = kind(mapping(args[0]), **kwargs)
        elif kind is dict and args:
            made = kind([tuple(iterate(pair)) for pair in iterate(args[0])], **kwargs)
        else:
            made = kind(*map(iterate, args), **kwargs)
        return made if kind in (tuple, frozenset) else tracing.born(made)

    return make


def _sorted(tracing: Tracing, iterable: Any, *, key: Any = None, reverse: Any = False) -> Any:
    chosen = None if key is None else callback(key)
    return tracing.born(sorted(iterate(iterable), key=chosen, reverse=reverse))


def _round(tracing: Tracing, value: Any, digits: Any = None) -> Any:
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _round(tracing, one, digits))
    if _is_users(value, "__round__"):
        return call_method(value, "__round__", *(() if digits is None else (digits,)))
    return round(value, digits) if digits is not None else round(value)


def _is_users(value: Any, method: str) -> bool:
    """Whether a class of the user's defines a special method."""
    special = special_method(type(value), method)
    return hasattr(special, "__code__") and not isinstance(value, Tensor | Number)


def _divmod(tracing: Tracing, left: Any, right: Any) -> Any:
    if isinstance(left, int | float) and isinstance(right, int | float):
        return divmod(left, right)
    if _is_users(left, "__divmod__"):
        return call_method(left, "__divmod__", right)
    return BINARY["floordiv"](left, right), BINARY["mod"](left, right)


def _pow(tracing: Tracing, base: Any, exponent: Any, modulus: Any = None) -> Any:
    if modulus is None:
        return BINARY["pow"](base, exponent)
    if any(isinstance(one, Tensor | Number) for one in (base, exponent, modulus)):
        raise StateError(
            "pow() with a modulus, of staged numbers", remedy="write base ** exponent % modulus"
        )
    return pow(base, exponent, modulus)


def _abs(tracing: Tracing, value: Any) -> Any:
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _abs(tracing, one))
    if hasattr(special_method(type(value), "__abs__"), "__code__") and not isinstance(
        value, Tensor | Number
    ):
        return call_method(value, "__abs__")
    return abs(value)


def _getattr(tracing: Tracing, owner: Any, name: str, *default: Any) -> Any:
    partial = may_lack(tracing, owner, name)
    if partial is not None and default:
        return choose(tracing, partial, lambda one: default[0] if one is UNSET else one)
    try:
        return attr(owner, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def _hasattr(tracing: Tracing, owner: Any, name: str) -> Any:
    partial = may_lack(tracing, owner, name)
    if partial is not None:
        missing: Any = hasattr(type(owner), name)
        return choose(tracing, partial, lambda one: missing if one is UNSET else True)
    try:
        attr(owner, name)
    except AttributeError:
        return False
    return True


def _setattr(tracing: Tracing, owner: Any, name: str, value: Any) -> None:
    set_attr(value, owner, name)


def _vars(tracing: Tracing, owner: Any) -> Any:
    return attr(owner, "__dict__")


def _delattr(tracing: Tracing, owner: Any, name: str) -> None:
    del_attr(owner, name)


def _iter(tracing: Tracing, value: Any, *rest: Any) -> Any:
    return iter(iterate(value), *rest) if rest else tracing.born(iter(iterate(value)))


def _next(tracing: Tracing, iterator: Any, *default: Any) -> Any:
    if hasattr(special_method(type(iterator), "__next__"), "__code__"):
        try:
            return call_method(iterator, "__next__")
        except StopIteration:
            if default:
                return default[0]
            raise
    return next(advance(tracing, iterator), *default)


def _text(representation: bool) -> Model:
    def convert(tracing: Tracing, value: Any = "", *rest: Any) -> Any:
        if isinstance(value, CONTAINERS):
            read_contents(tracing, value)
        for name in ("__repr__",) if representation else ("__str__", "__repr__"):
            special = special_method(type(value), name)
            if hasattr(special, "__code__") and not isinstance(value, Tensor | Number | Choice):
                if not type(value).__module__.startswith("autograph"):
                    return call_method(value, name)
        return text_of(value, representation) if not rest else str(value, *rest)

    return convert


def _format(tracing: Tracing, value: Any, spec: str = "") -> Any:
    return joined(formatted(value, -1, spec))


def _hash(tracing: Tracing, value: Any) -> int:
    if _is_users(value, "__hash__"):
        return call_method(value, "__hash__")  # type: ignore[no-any-return]
    return hash(value)


def _over_items(kind: Any, model: Model) -> Model:
    """A model that goes over its first argument, which may be a generator."""

    def run(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
        if not args or (kind is dict and special_method(type(args[0]), "keys") is not None):
            return model(tracing, *args, **kwargs)
        iterable = opened(args[0])
        if recipe_of(tracing, iterable) is None:
            return model(tracing, iterable, *args[1:], **kwargs)

        def of(items: Any) -> Any:
            if isinstance(items, list):
                return items if kind is list else call(kind, items, *args[1:], **kwargs)
            return model(tracing, items, *args[1:], **kwargs)

        return over_items(tracing, iterable, of)

    return run


MODELS: dict[Any, Model] = {
    builtins.len: _len,
    builtins.slice: lambda tracing, *parts: slice(*parts),
    builtins.range: _range,
    builtins.print: staged_print,
    builtins.isinstance: _isinstance,
    builtins.type: _type,
    builtins.int: _conversion(int),
    builtins.float: _conversion(float),
    builtins.bool: _conversion(bool),
    builtins.abs: _abs,
    builtins.min: staged_extreme(min),
    builtins.max: staged_extreme(max),
    builtins.sum: staged_sum,
    builtins.any: staged_any,
    builtins.all: staged_all,
    builtins.enumerate: _enumerate,
    builtins.zip: _zip,
    builtins.reversed: _reversed,
    builtins.map: _map,
    builtins.filter: _filter,
    builtins.list: _over_items(list, _collection(list)),
    builtins.tuple: _over_items(tuple, _collection(tuple)),
    builtins.set: _over_items(set, _collection(set)),
    builtins.frozenset: _over_items(frozenset, _collection(frozenset)),
    builtins.dict: _over_items(dict, _collection(dict)),
    builtins.sorted: _over_items(sorted, _sorted),
    builtins.round: _round,
    builtins.divmod: _divmod,
    builtins.pow: _pow,
    builtins.getattr: _getattr,
    builtins.hasattr: _hasattr,
    builtins.setattr: _setattr,
    builtins.delattr: _delattr,
    builtins.vars: _vars,
    builtins.iter: _iter,
    builtins.next: _next,
    builtins.str: _text(False),
    builtins.repr: _text(True),
    builtins.format: _format,
    builtins.hash: _hash,
    **LIBRARY_MODELS,
}
