"""Decorators and other functions that only arrange functions: they run as they are."""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import enum
import functools
import operator
import types
from collections.abc import Callable
from typing import Any

from autograph.effects.reading import LIBRARIES, package_of
from autograph.effects.tracing import Tracing, current
from autograph.errors import StateError
from autograph.operators.dispatch import call, special_method
from autograph.syntax.build import is_converted

ARRANGING: tuple[Any, ...] = (
    property,
    staticmethod,
    classmethod,
    functools.cached_property,
    functools.partial,
    functools.partialmethod,
    functools.singledispatchmethod,
    functools.singledispatch,
    functools.wraps,
    functools.update_wrapper,
    functools.lru_cache,
    functools.cache,
    functools.total_ordering,
    contextlib.contextmanager,
    dataclasses.dataclass,
    dataclasses.field,
    abc.abstractmethod,
    enum.unique,
    operator.attrgetter,
    operator.itemgetter,
    operator.methodcaller,
)
"""What takes functions without calling them, and gives something of them."""


def decorator(function: Any) -> Callable[[Any], Any]:
    """What stands after `@`: the user's own is called like any function."""
    if current() is None or is_of_library(function):
        return function  # type: ignore[no-any-return]
    return lambda decorated: call(function, decorated)


def base(kind: Any) -> Any:
    """A base class or metaclass of a class statement: what it runs for a new class is known."""
    tracing = current()
    if tracing is None or not isinstance(kind, type):
        return kind
    for owner in (kind, type(kind)):
        hooks = _HOOKS_OF_METACLASSES if issubclass(owner, type) else ("__init_subclass__",)
        for name in hooks:
            hook = special_method(owner, name, bound=False)
            hook = getattr(hook, "__func__", hook)
            if isinstance(hook, types.FunctionType) and not (
                is_of_library(hook) or is_converted(hook)
            ):
                raise StateError(
                    f"a class statement runs {hook.__qualname__}, which is not converted there: "
                    "what it changes would not be seen",
                    remedy="define the class outside of the staged function",
                )
    return kind


_HOOKS_OF_METACLASSES = ("__prepare__", "__new__", "__init__", "__call__")


def is_of_library(function: Any) -> bool:
    """Whether a callable is not the user's: what it does to a function is Python's own matter."""
    if isinstance(function, functools.partial):
        return is_of_library(function.func)
    if isinstance(function, types.MethodType):
        return is_of_library(function.__func__)
    named = isinstance(function, types.FunctionType | types.BuiltinFunctionType | type)
    owner = function if named else type(function)
    if isinstance(function, types.BuiltinFunctionType):
        bound = function.__self__
        owner = function if isinstance(bound, types.ModuleType | None) else type(bound)
    return (package_of(owner) or "builtins") in LIBRARIES


def arrange(tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of one of `ARRANGING`: what it makes was made just now."""
    made = function(*args, **kwargs)
    return tracing.born(made)


def is_arranging(function: Any) -> bool:
    """Whether a callable only arranges functions."""
    plain = isinstance(function, type | types.FunctionType)
    return plain and any(function is one for one in ARRANGING)
