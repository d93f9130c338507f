"""`isinstance`: of classes, of those whose metaclass decides, and of protocols."""

from __future__ import annotations

import abc
import types
import typing
from collections.abc import Callable
from typing import Any

from autograph.operators.arrays.numpy_arrays import class_of
from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.identity import is_not
from autograph.operators.expressions.membership import any_of_several
from autograph.operators.expressions.truth import choose, condition
from autograph.operators.iterators.replayable_iterators import Replayed
from autograph.operators.iterators.resumable_generators import ResumableGenerator
from autograph.operators.iterators.staged_iterables import (
    Enumerated,
    Mapped,
    StagedRange,
    StagedTuple,
    Zipped,
)
from autograph.operators.strings.format_errors import example_of
from autograph.runtime.arrays.cells import Array, Scalar
from autograph.runtime.core.number import Number
from autograph.strings.text import Text
from autograph.tracing.ambient_state import note_registrations
from autograph.tracing.reading import is_users
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.marks import declared

STAND_INS = (StagedRange, StagedTuple, Replayed, Enumerated, Zipped, Mapped, ResumableGenerator)
"""What stands for an object of one of Python's classes, its `kind`."""
LIBRARY = ("abc", "typing", "typing_extensions", "enum")
"""Modules whose metaclasses need not be converted to know what they say."""


def is_instance(tracing: Tracing, value: Any, kinds: Any) -> Any:
    """`isinstance(value, kinds)`."""
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: is_instance(tracing, one, kinds))
    if isinstance(kinds, tuple | types.UnionType):
        parts = kinds if isinstance(kinds, tuple) else kinds.__args__
        if any(map(_is_asked, _flat(parts))):
            return _of_any(tracing, value, parts)
    elif _is_asked(kinds):
        return _asked(tracing, value, kinds)
    return _natively(tracing, value, kinds)


def _natively(tracing: Tracing, value: Any, kinds: Any) -> bool:
    """What Python says of the object that a value stands for."""
    if isinstance(value, Number | Text):
        value = example_of(value)
    note_registrations(tracing, value.kind if isinstance(value, STAND_INS) else type(value), kinds)
    if isinstance(value, STAND_INS):
        return issubclass(value.kind, kinds)
    if isinstance(value, Array | Scalar):
        return issubclass(class_of(value), kinds)
    return isinstance(value, kinds)


def _flat(kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    nested = (_flat(one) if isinstance(one, tuple) else (one,) for one in kinds)
    return tuple(one for part in nested for one in part)


def _of_any(tracing: Tracing, value: Any, kinds: tuple[Any, ...]) -> Any:
    """Whether a value is an instance of one of several, which are asked one after the other."""
    if not kinds:
        return False
    first = is_instance(tracing, value, kinds[0])
    return branch(tracing, first, lambda: True, lambda: _of_any(tracing, value, kinds[1:]))


def _is_asked(kind: Any) -> bool:
    """Whether a method of the user's, or what an object has, decides what an instance is."""
    check = special_method(type(kind), "__instancecheck__")
    users = isinstance(check, types.FunctionType) and check.__module__ not in LIBRARY
    return users or bool(declared(kind, "_is_protocol", False))


def _asked(tracing: Tracing, value: Any, kind: Any) -> Any:
    check = special_method(type(kind), "__instancecheck__")
    if check.__module__ not in LIBRARY:
        exactly = type(value) is kind and not isinstance(value, Number | Text)
        return exactly or condition(tracing, call(check, kind, value))
    has_none = not is_users(type(value)) or not getattr(kind, "_is_runtime_protocol", False)
    if has_none or abc.ABCMeta.__instancecheck__(kind, value):
        return _natively(tracing, value, kind)
    find: Callable[[Any], set[str]] = getattr(typing, "_get_protocol_attrs")  # noqa: B009
    return _has_all(tracing, value, kind, sorted(find(kind)))


def _has_all(tracing: Tracing, value: Any, kind: Any, names: list[str]) -> Any:
    """Whether an object has the members of a protocol; a method of it may not be None."""
    if not names:
        return True
    first, *rest = names
    go_on: Callable[[], Any] = lambda: _has_all(tracing, value, kind, rest)  # noqa: E731

    def unless_none() -> Any:
        if not callable(getattr(kind, first, None)):
            return go_on()
        return branch(tracing, is_not(call(getattr, value, first), None), go_on, lambda: False)

    return branch(tracing, call(hasattr, value, first), unless_none, lambda: False)


def check_plainly(tracing: Tracing, kind: Any, value: Any) -> Any:
    """`type.__instancecheck__(kind, value)`, and that of classes that are abstract."""
    return _natively(tracing, value, kind)


def is_subclass(tracing: Tracing, kind: Any, kinds: Any) -> Any:
    """`issubclass(kind, kinds)`."""
    if isinstance(kind, Choice):
        return choose(tracing, kind, lambda one: is_subclass(tracing, one, kinds))
    if isinstance(kinds, Choice):
        return choose(tracing, kinds, lambda one: is_subclass(tracing, kind, one))
    if isinstance(kinds, tuple | types.UnionType):
        parts = _flat(kinds if isinstance(kinds, tuple) else kinds.__args__)
        if any(map(_has_own_check, parts)):
            tests = [lambda one=one: is_subclass(tracing, kind, one) for one in parts]
            return any_of_several(tests)
    elif _has_own_check(kinds):
        check = special_method(type(kinds), "__subclasscheck__")
        return condition(tracing, call(check, kinds, kind))
    if isinstance(kind, type):
        note_registrations(tracing, kind, kinds)
    return issubclass(kind, kinds)


def _has_own_check(kind: Any) -> bool:
    check = special_method(type(kind), "__subclasscheck__")
    return isinstance(check, types.FunctionType) and check.__module__ not in LIBRARY
