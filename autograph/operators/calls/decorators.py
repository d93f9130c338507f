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
from functools import partial
from typing import Any

from autograph.conversion.syntax.build import MODULE_NAME, is_converted, is_inner
from autograph.errors import StateError
from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.calls.lru_cache import CACHED
from autograph.operators.expressions.truth import choose
from autograph.tracing.reading import LIBRARIES, package_of
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice

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
    tracing = current()
    if tracing is None:
        return function  # type: ignore[no-any-return]
    return partial(_decorated, tracing, function)


def _decorated(tracing: Tracing, function: Any, decorated: Any) -> Any:
    if is_of_library(function):
        note_inner(tracing, (decorated,))
        made = note_cache(tracing, function(decorated))
    else:
        made = call(function, decorated)
    if isinstance(made, type) and isinstance(decorated, type) and made is not decorated:
        tracing.note_class(made, decorated)
    return made


def note_inner(tracing: Tracing, given: tuple[Any, ...]) -> None:
    """Note functions that were defined just now: their variables belong to calls of this trace,
    also where what Python's library makes of them is read like something from outside."""
    for one in given:
        if isinstance(one, types.FunctionType) and is_inner(one.__code__):
            for name, cell in zip(one.__code__.co_freevars, one.__closure__ or (), strict=True):
                if name != MODULE_NAME and id(cell) not in tracing.closures.outer:
                    tracing.closures.inner.add(id(cell))
                    tracing.keep(cell)


def base(kind: Any) -> Any:
    """A base class or metaclass of a class statement: what it runs for a new class is known."""
    tracing = current()
    if tracing is None or not isinstance(kind, type):
        return kind
    for owner in (kind, type(kind)):
        hooks = _HOOKS_OF_METACLASSES if issubclass(owner, type) else ("__init_subclass__",)
        for name in hooks:
            _refuse_hook(special_method(owner, name, bound=False))
    return kind


def check_members(kind: type) -> None:
    """StateError for a class that was just made where a member was told so: `__set_name__`."""
    for member in tuple(vars(kind).values()):
        _refuse_hook(special_method(type(member), "__set_name__", bound=False))


def _refuse_hook(hook: Any) -> None:
    hook = getattr(hook, "__func__", hook)
    if isinstance(hook, types.FunctionType) and not (is_of_library(hook) or is_converted(hook)):
        raise StateError(
            f"a class statement runs {hook.__qualname__}, which is not converted there: "
            "what it changes would not be seen",
            remedy="define the class outside of the staged function",
        )


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
    if function is functools.partial and args and isinstance(args[0], Choice):
        return choose(
            tracing, args[0], lambda one: arrange(tracing, function, (one, *args[1:]), kwargs)
        )
    note_inner(tracing, args)
    made = function(*args, **kwargs)
    return tracing.born(note_cache(tracing, made))


def note_cache(tracing: Tracing, made: Any) -> Any:
    """Note where a function under `lru_cache` was made."""
    if isinstance(made, CACHED):
        tracing.caches.made[id(made)] = tracing.region
        tracing.keep(made)
    return made


def is_arranging(function: Any) -> bool:
    """Whether a callable only arranges functions."""
    plain = isinstance(function, type | types.FunctionType)
    return plain and any(function is one for one in ARRANGING)
