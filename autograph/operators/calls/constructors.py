"""Calls of classes: the object is created in the current region, its `__init__` is converted."""

from __future__ import annotations

import enum
import types
from collections import ChainMap, UserDict, UserList
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograph.control.chosen_contents import chosen_contents
from autograph.errors import StateError
from autograph.library import keyed
from autograph.operators.calls.decorators import is_of_library
from autograph.operators.calls.dispatch import call, call_function, special_method
from autograph.operators.calls.unconverted import call_native, first_choice, is_ours, of_ours
from autograph.operators.calls.unconverted_arguments import Constructor
from autograph.operators.calls.variable_creation import make_variable
from autograph.operators.expressions.truth import choose
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.tracing.purity import is_pure
from autograph.tracing.reading import is_users
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.marks import declared

CONVERTED = ("contextlib",)
"""Modules of the standard library whose classes only call the user's code, and are converted."""


SERIES = tuple(getattr(np.polynomial, name) for name in np.polynomial.__all__ if name[0].isupper())
"""`Polynomial`, `Chebyshev` and their kin."""
WRITTEN = frozenset({ChainMap, UserDict, UserList, np.poly1d, *SERIES})
"""Classes of the standard library and NumPy that are written in Python, and converted."""


def construct(tracing: Tracing, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`kind(*args, **kwargs)`."""
    if issubclass(kind, Variable):
        if "__init__" in vars(kind) and kind is not Variable:
            raise StateError(
                f"{kind.__name__}, a class of Variables with an __init__ of its own, is called in "
                "a staged function",
                remedy="make the object outside, or under `with ag.init_scope():`",
            )
        return make_variable(tracing, kind, args, kwargs)
    if is_ours(kind) and not is_users(kind):
        given = [of_ours(tracing, one) for one in args]
        return tracing.born(kind(*given, **kwargs))
    if kind is super:
        return super(*args)
    metaclass = type(kind).__call__
    if isinstance(metaclass, types.FunctionType) and not isinstance(kind, enum.EnumMeta):
        return call_function(tracing, metaclass, (kind, *args), kwargs)
    return construct_plain(tracing, kind, *args, **kwargs)


def construct_plain(tracing: Tracing, kind: type, /, *args: Any, **kwargs: Any) -> Any:
    """`type.__call__(kind, *args, **kwargs)`."""
    if isinstance(kind, enum.EnumMeta):
        return _member(tracing, kind, args, kwargs)
    maker: Any = kind.__new__
    if _is_namedtuple(kind) and (not isinstance(maker, types.FunctionType) or _is_written(maker)):
        return kind(*args, **kwargs)
    if issubclass(kind, SimpleNamespace) and not _has_own_making(kind):
        return tracing.born(kind(*args, **kwargs))
    in_python = kind.__flags__ & (1 << 9)  # a heap type: made by a class statement
    library = is_of_library(kind) and kind.__module__ not in CONVERTED
    if issubclass(kind, np.generic | np.random.RandomState):
        return call_native(tracing, kind, args, kwargs)
    if not in_python or (library and kind not in WRITTEN):
        if issubclass(kind, BaseException):
            if issubclass(kind, BaseExceptionGroup) and len(args) == 2:
                return _exception_group(tracing, kind, *args)
            if kind is OSError and len(args) > 1 and isinstance(args[0], Number | Tensor):
                raise StateError(
                    "OSError is made of a staged number, which tells the class that Python makes",
                    remedy="make the class that is meant: FileNotFoundError(2, message)",
                )
            return tracing.born(kind(*args, **kwargs))
        if is_pure(kind) or kind.__module__ in ("collections", "builtins"):
            return call_native(tracing, Constructor(kind), args, kwargs)
        return call_native(tracing, kind, args, kwargs)
    return _python_object(tracing, kind, args, kwargs)


def _exception_group(tracing: Tracing, kind: type, message: Any, errors: Any) -> Any:
    """A group of exceptions that are known."""
    items = errors if isinstance(errors, list | tuple) else ()
    chosen = isinstance(errors, Choice) or first_choice(items, False) is not None
    if (
        chosen
        or chosen_contents(tracing, errors) is not None
        or tracing.contents(errors) is not None
    ):
        raise StateError(
            f"{with_article(kind.__name__)} is made of exceptions that depend on a staged "
            "condition",
            remedy="collect their messages, and raise one exception with all of them",
        )
    return tracing.born(kind(message, errors))


def _member(
    tracing: Tracing, kind: enum.EnumMeta, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """`kind(value)` of an enumeration."""
    if len(args) != 1 or kwargs:
        return kind(*args, **kwargs)
    if isinstance(args[0], Choice):
        return choose(tracing, args[0], lambda one: construct(tracing, kind, (one,), {}))
    members: Any = kind
    own = members._missing_
    plain: Any = enum.Enum
    asked = getattr(own, "__func__", own).__module__ != "enum"
    if not isinstance(args[0], Number) and not (asked and _lacks(members, args[0])):
        return kind(*args)
    if issubclass(kind, enum.Flag) and isinstance(args[0], Number):
        raise StateError(
            f"a {kind.__name__} is made of a staged number: which members are in it is not known",
            remedy="choose among the flags themselves, or keep the number",
        )
    missing = None if getattr(own, "__func__", None) is plain._missing_.__func__ else own
    return call(keyed.member, kind, tuple(members), args[0], missing)


def _lacks(members: Any, value: Any) -> bool:
    """Whether an enumeration has no member of a value, so that its `_missing_` is asked."""
    return all(one.value != value for one in members.__members__.values())


def _has_own_making(kind: type[SimpleNamespace]) -> bool:
    """Whether code of the user's runs where a namespace is made."""
    plain = SimpleNamespace
    return kind.__init__ is not plain.__init__ or kind.__new__ is not plain.__new__


def _is_written(function: types.FunctionType) -> bool:
    """Whether `collections.namedtuple` wrote a function."""
    return (function.__module__ or "").startswith("namedtuple_")


def _is_namedtuple(kind: type) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _python_object(
    tracing: Tracing, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    if declared(kind, "__abstractmethods__"):
        return kind(*args, **kwargs)  # Python's own error
    made = _made(tracing, kind, args, kwargs)
    if not isinstance(made, kind):
        return made
    special_method(kind, "__init__")  # notes which class has it
    initialiser: Any = kind.__init__  # type: ignore[misc]
    inherited: Any = object.__init__
    if not isinstance(initialiser, types.FunctionType):
        if initialiser is not inherited:
            call(initialiser, made, *args, **kwargs)
        elif (args or kwargs) and _is_default(kind.__new__):
            raise TypeError(f"{kind.__name__}() takes no arguments")
        return made
    call_function(tracing, initialiser, (made, *args), kwargs)
    return made


def _is_default(maker: Any) -> bool:
    return maker is object.__new__


def _made(tracing: Tracing, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `kind.__new__` gives."""
    special_method(kind, "__new__")  # notes which class has it
    maker: Any = kind.__new__
    if isinstance(maker, types.FunctionType):
        return call_function(tracing, maker, (kind, *args), kwargs)
    if _is_default(maker):
        return tracing.born(object.__new__(kind))
    return call(maker, kind, *args, **kwargs)
