"""Calls of functions under `functools.lru_cache`.

One from outside, given plain values, is called as it is, in Python: what it gives is state that the
trace read. Any other is called anew in each call of the staged function, and once for equal
arguments in it.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
from collections import deque
from collections.abc import Callable
from typing import Any, NoReturn

from autograph.conversion.syntax.build import is_converted
from autograph.errors import StagingError, StateError
from autograph.operators.calls.dataclass_methods import is_generated
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.attributes import attr
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.reading import BY_NAME, observe_once
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
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
        return _once(tracing, key, given, lambda: call(wrapped, *args, **kwargs))
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


def _once(
    tracing: Tracing, key: tuple[Any, ...], given: tuple[Any, ...], run: Callable[[], Any]
) -> Any:
    known = tracing.cached.get(key)
    if known is not None and _is_around(known[0], tracing.region):
        return known[1]
    result = run()
    tracing.keep(given)
    tracing.cached[key] = (tracing.region, result)
    return result


def _is_around(made: Region, now: Region | None) -> bool:
    """Whether what was computed in one region is known in another."""
    while made.merged is not None:
        made = made.merged
    while now is not None and now is not made:
        now = now.parent
    return now is made
