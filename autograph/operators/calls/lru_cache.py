"""Calls of functions under `functools.lru_cache`.

One from outside, given plain values, is called as it is, in Python: what it gives is state that the
trace read. Any other is called anew in each call of the staged function, and once for equal
arguments in it: while tracing, and where the function is a recursion over staged numbers, by a dict
that the graph fills.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import types
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from autograph.conversion.convert import convert_function
from autograph.conversion.syntax.build import is_converted
from autograph.errors import StagingError, StateError
from autograph.library import cached as library
from autograph.merge.leaks import holds_staged
from autograph.operators.calls.dataclass_methods import is_generated
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.attributes import attr
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.strings.text import Text
from autograph.tracing.reading import BY_NAME, observe_once
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.equivalence import ATOMS

CACHED = type(functools.lru_cache(lambda: None))
PLAIN = (*ATOMS, *BY_NAME, enum.Enum)


def call_cached(
    tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call of a cached function."""
    given = (*args, *(part for pair in sorted(kwargs.items()) for part in pair))
    key = (id(function), tuple(map(_key, given)))
    if tracing.hints.numbers and any(isinstance(one, Number) for one in given):
        # Perhaps a number that was known before: a trace that knows it again can use the cache.
        raise StagingError("a staged number is given to a function under lru_cache")
    wrapped: Callable[..., Any] = function.__wrapped__
    if not all(map(_is_plain, given)) or is_converted(wrapped):
        return _once(
            tracing, key, given, lambda: _computed(tracing, function, wrapped, args, kwargs)
        )
    constants = [tracing.table.constant(one) for one in (function, args, kwargs)]
    path = "{}(*{}, **{})".format(*constants)
    with tracing.paused():
        result = function(*args, **kwargs)
    return observe_once(tracing, ("cached", *key), result, path)


def refuse_statistics(name: str) -> NoReturn:
    """StateError for what looks into the cache of a function under lru_cache, or empties it."""
    raise StateError(
        f"{name} of a function under lru_cache is called in a staged function, where calls are "
        "remembered in the graph",
        remedy="call it outside, or keep what was computed in a dict of your own",
    )


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_is_plain, value))
    return isinstance(value, PLAIN) and not is_converted(value)


def _key(value: Any) -> Any:
    """What tells arguments apart: values by equality, objects by identity."""
    if isinstance(value, list | dict | set | deque) or type(value) is Tensor:
        hash(value)  # raises what Python raises, unless a class of the user's can be hashed
    if isinstance(value, tuple):
        return (type(value), *map(_key, value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and _is_by_fields(value):
        fields = [one.name for one in dataclasses.fields(value) if one.compare]
        return (type(value), *(_key(attr(value, name)) for name in fields))
    return (type(value), value) if isinstance(value, ATOMS) else (Tensor, id(value))


def _is_by_fields(value: Any) -> bool:
    """Whether `dataclasses` wrote how instances are hashed and compared."""
    methods = (getattr(type(value), "__hash__", None), getattr(type(value), "__eq__", None))
    return all(isinstance(one, types.FunctionType) and is_generated(one) for one in methods)


def _computed(
    tracing: Tracing,
    function: Any,
    wrapped: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """A call of the function behind the cache; the graph remembers it where it is a recursion."""
    code = _converted_code(wrapped, tracing) if tracing.hints.cycles else None
    told_apart = tracing.hints.forgetful or function.cache_parameters()["typed"]
    given = _in_order(wrapped, args, kwargs)
    if code in tracing.hints.cycles and given is not None and not told_apart:
        first = next((n for n, one in enumerate(given) if _is_key(one)), len(given))
        objects, keys = given[:first], given[first:]
        staged = any(map(holds_staged, keys)) and not any(map(holds_staged, objects))
        region = (
            _made_in(tracing, function, wrapped) if staged and all(map(_is_key, keys)) else None
        )
        if region is not None:
            known = (id(function), len(args), *kwargs, len(keys), *map(_key, objects))
            if known not in tracing.caches.functions:
                held = partial(wrapped, *objects) if objects else wrapped
                tracing.caches.functions[known] = _remembering(tracing, held, len(keys), region)
                tracing.caches.remembered.add(code)
                tracing.keep((function, objects))
            return call(tracing.caches.functions[known], *keys)
    return call(wrapped, *args, **kwargs)


def _in_order(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...] | None:
    """The arguments by position; None where some have names alone, or do not fit."""
    if not kwargs:
        return args
    try:
        given = inspect.signature(function, follow_wrapped=False).bind(*args, **kwargs)
    except TypeError:
        return None
    return None if given.kwargs else given.args


def _converted_code(wrapped: Any, tracing: Tracing) -> Any:
    """The code that is run for a function; None for what is no function of the user's."""
    if not isinstance(wrapped, types.FunctionType):
        return None
    if not is_converted(wrapped):
        try:
            wrapped = convert_function(wrapped, tracing.hints.resuming)
        except StagingError:
            return None
    return wrapped.__code__


def _is_key(value: Any) -> bool:
    """Whether a graph can look for a value: a number, a string, None, or a tuple of them."""
    if type(value) is tuple:
        return all(map(_is_key, value))
    if isinstance(value, Choice):
        return all(map(_is_key, value.options))
    return isinstance(value, Number | Text) or type(value) in (bool, int, float, str, type(None))


def _made_in(tracing: Tracing, function: Any, wrapped: Any) -> Region | None:
    """The region in which a function was made, or the outermost; None for one that has ended."""
    made = tracing.caches.made.get(id(function))
    if made is None:
        return None if is_converted(wrapped) else tracing.root
    while made.merged is not None:
        made = made.merged
    return made if _is_around(made, tracing.region) else None


def _remembering(tracing: Tracing, function: Any, count: int, region: Region) -> Any:
    """A function that remembers the calls of another, in a dict that was made in a region."""
    memo: dict[Any, Any] = {}
    region.born[id(memo)] = memo
    tracing.keep(memo)
    make = library.remembering if count == 1 else library.remembering_pairs
    made = call(make, function, memo)
    made.__name__ = getattr(function, "__name__", "function")
    tracing.caches.remembering.add(made.__code__)
    return made


def _once(
    tracing: Tracing, key: tuple[Any, ...], given: tuple[Any, ...], run: Callable[[], Any]
) -> Any:
    known = tracing.caches.results.get(key)
    if known is not None and _is_around(known[0], tracing.region):
        return known[1]
    result = run()
    tracing.keep(given)
    tracing.caches.results[key] = (tracing.region, result)
    return result


def _is_around(made: Region, now: Region | None) -> bool:
    """Whether what was computed in one region is known in another."""
    while made.merged is not None:
        made = made.merged
    while now is not None and now is not made:
        now = now.parent
    return now is made
