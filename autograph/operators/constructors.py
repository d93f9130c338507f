"""Calls of classes: the object is created in the current region, its `__init__` is converted."""

from __future__ import annotations

import enum
import types
from typing import Any

from autograph.effects.purity import is_pure
from autograph.effects.tracing import Tracing
from autograph.errors import StateError
from autograph.operators.dispatch import call_function
from autograph.operators.native import call_native, is_ours, of_ours
from autograph.runtime.core.variable import Variable


def construct(tracing: Tracing, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`kind(*args, **kwargs)`."""
    if issubclass(kind, Variable):
        raise StateError(
            "a Variable is created inside a staged function, where it would be a new one at every "
            "call",
            remedy="create it once, outside, or use a tensor: ag.copy(x)",
        )
    if is_ours(kind):
        given = [of_ours(tracing, one) for one in args]
        return tracing.born(kind(*given, **kwargs))
    if issubclass(kind, BaseException):
        return tracing.born(kind(*args, **kwargs))
    if isinstance(kind, enum.EnumMeta) or _is_namedtuple(kind):
        return kind(*args, **kwargs)
    if not _is_plain_python(kind):
        if is_pure(kind) or kind.__module__ in ("collections", "builtins"):
            return call_native(tracing, _Constructor(kind), args, kwargs)
        return call_native(tracing, kind, args, kwargs)
    return _python_object(tracing, kind, args, kwargs)


class _Constructor:
    """A class of the standard library, as a pure function."""

    __module__ = "math"

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.__qualname__ = kind.__qualname__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.kind(*args, **kwargs)


def _is_namedtuple(kind: type) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _is_plain_python(kind: type) -> bool:
    """Whether instances are made by `object.__new__` (or a converted one) and `__init__`."""
    maker: Any = kind.__new__
    initialiser: Any = kind.__init__  # type: ignore[misc]
    plain_maker = maker is object.__new__ or isinstance(maker, types.FunctionType)
    plain_start = initialiser is object.__init__ or isinstance(initialiser, types.FunctionType)
    ordinary = type(kind).__call__ is type.__call__
    in_python = kind.__flags__ & (1 << 9)  # a heap type: made by a class statement
    return bool(plain_maker and plain_start and ordinary and in_python)


def _python_object(
    tracing: Tracing, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    if isinstance(kind.__new__, types.FunctionType):
        made = call_function(tracing, kind.__new__, (kind, *args), kwargs)
        if not isinstance(made, kind):
            return made
    else:
        made = object.__new__(kind)
    tracing.born(made)
    initialiser = kind.__init__  # type: ignore[misc]
    if not isinstance(initialiser, types.FunctionType):
        if args or kwargs:
            raise TypeError(f"{kind.__name__}() takes no arguments")
        return made
    if is_generated(initialiser):
        initialiser(made, *args, **kwargs)
    else:
        call_function(tracing, initialiser, (made, *args), kwargs)
    return made


def is_generated(function: types.FunctionType) -> bool:
    """Whether a method was written by `dataclasses`: it only stores its arguments."""
    return function.__code__.co_filename == "<string>" and function.__name__ in (
        "__init__",
        "__eq__",
        "__repr__",
    )
