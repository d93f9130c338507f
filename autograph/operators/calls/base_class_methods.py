"""Methods of `object`, `type` and the built-in classes, reached through `super()` or by name."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.control.whole_reads import note_identity
from autograph.operators.calls.constructors import construct_plain
from autograph.operators.calls.dispatch import call
from autograph.operators.calls.isinstance_checks import check_plainly
from autograph.operators.calls.unconverted import call_native
from autograph.operators.containers.container_methods import (
    call_container_method,
    initialise_container,
)
from autograph.operators.expressions.attributes import load_plain, store_plain
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.identity import is_, not_
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.plain_iteration import iterate
from autograph.operators.iterators.user_iterators import SequenceIterator
from autograph.operators.statements.deletion import delete_plain
from autograph.operators.strings.formatting import text_of_exception
from autograph.runtime.core.number import Number
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

Slot = Callable[..., Any]
CONTAINERS = (list, dict, set, deque)
TEXTS = ("__str__", "__repr__")
HEAP_TYPE = 1 << 9
"""The flag of classes that class statements make."""
OF_OBJECT = ("__eq__", "__ne__", "__hash__", "__repr__", "__str__", "__dir__", "__sizeof__")


def _initialise(
    tracing: Tracing, written: Any, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[None] | None:
    """`__init__` that a built-in class defines; None where that is to be called as it is."""
    if isinstance(owner, BaseException):
        own: Any = next(base for base in type(owner).__mro__ if not base.__flags__ & HEAP_TYPE)
        own.__init__(owner, *args, **kwargs)
        owner.args = args if own is not OSError else owner.args
    elif isinstance(owner, CONTAINERS):
        initialise_container(tracing, owner, args, kwargs)
    elif issubclass(written, types.SimpleNamespace) and not args:
        for name, value in kwargs.items():
            store_plain(tracing, value, owner, name)
    elif written is object:
        object.__init__(owner, *args, **kwargs)
    elif written is not type:
        return None
    return (None,)


def _add_note(tracing: Tracing, error: BaseException, note: str) -> None:
    """`error.add_note(note)`."""
    if not hasattr(error, "__notes__"):
        store_plain(tracing, tracing.born([]), error, "__notes__")
    call_container_method(tracing, error.__notes__, "append", (note,), {})


def _get(tracing: Tracing, descriptor: Any, *owner: Any) -> Any:
    return descriptor.__get__(*owner)


def _store(tracing: Tracing, owner: Any, name: str, value: Any) -> None:
    store_plain(tracing, value, owner, name)


def _iterate(tracing: Tracing, owner: Any) -> Any:
    """`__iter__` of a built-in sequence."""
    return tracing.born(SequenceIterator(owner))


SLOTS: dict[str, Slot] = {
    "__iter__": _iterate,
    "__setattr__": _store,
    "__getattribute__": load_plain,
    "__delattr__": delete_plain,
    "__get__": _get,
    "__call__": construct_plain,
}


def call_slot(
    tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any] | None:
    """What a method of a built-in class gives, in a tuple; None where it is none of these."""
    if isinstance(function, types.BuiltinFunctionType):
        if function.__name__ == "add_note" and isinstance(function.__self__, BaseException):
            _add_note(tracing, function.__self__, *args, **kwargs)
            return (None,)
        return _call_static(tracing, function, args, kwargs)
    if isinstance(function, types.MethodWrapperType):
        owner, rest = function.__self__, args
    elif isinstance(function, types.WrapperDescriptorType) and args:
        owner, rest = args[0], args[1:]
    else:
        return None
    name = function.__name__
    if name == "__call__" and not isinstance(owner, type):
        return None
    if name in OF_OBJECT and function.__objclass__ is object:
        return (_call_of_object(tracing, function, owner, rest),)
    if name == "__iter__" and not isinstance(owner, list | tuple):
        return None
    if name == "__init__":
        return _initialise(tracing, function.__objclass__, owner, tuple(rest), kwargs)
    if name in TEXTS and isinstance(owner, BaseException):
        text = text_of_exception(owner, name == "__repr__", function.__objclass__)
        return (text,)
    slot = SLOTS.get(name)
    return None if slot is None else (slot(tracing, owner, *rest, **kwargs),)


def _call_of_object(tracing: Tracing, function: Any, owner: Any, rest: tuple[Any, ...]) -> Any:
    """What `object` has for all, of which a class may have its own."""
    name = function.__name__
    if name == "__str__" and not rest:
        return call(repr, owner)
    if name == "__eq__" and len(rest) == 1:
        same = is_(owner, rest[0])
        if isinstance(same, Number):
            return branch(tracing, same, lambda: True, lambda: NotImplemented)
        return True if same else NotImplemented
    if name == "__ne__" and len(rest) == 1:
        equal = call(type(owner).__eq__, owner, rest[0])
        chosen = isinstance(equal, Choice)
        return choose(tracing, equal, _opposite) if chosen else _opposite(equal)
    if name in ("__hash__", "__repr__"):
        note_identity(tracing, owner)
    given = rest if isinstance(function, types.MethodWrapperType) else (owner, *rest)
    return function(*given)


def _opposite(equal: Any) -> Any:
    return equal if equal is NotImplemented else not_(equal)


def _call_static(
    tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any] | None:
    """`object.__new__(kind)` and the like, and `super().__init_subclass__()`."""
    if function.__name__ == "__init_subclass__" and isinstance(function.__self__, type):
        return (function(*args, **kwargs),)
    if function.__name__ == "__instancecheck__" and isinstance(function.__self__, type):
        return (check_plainly(tracing, function.__self__, *args),)
    if function.__name__ == "fromkeys" and isinstance(function.__self__, type) and args:
        return (tracing.born(function(iterate(args[0]), *args[1:])),)
    if function.__name__ != "__new__" or not args or not isinstance(args[0], type):
        return None
    if issubclass(args[0], type):
        return None
    kind, *rest = args
    if function.__self__ is object:
        return (tracing.born(object.__new__(kind, *rest, **kwargs)),)
    if issubclass(kind, types.SimpleNamespace):
        return (tracing.born(function(kind)),)
    if issubclass(kind, (*CONTAINERS, BaseException)):
        return (tracing.born(function(kind, *rest, **kwargs)),)
    if issubclass(kind, str | bytes | int | float) and not kind.__flags__ & (1 << 8):
        return (tracing.born(call_native(tracing, function, args, kwargs)),)
    if issubclass(kind, tuple | frozenset):
        return (tracing.born(function(kind, *map(iterate, rest), **kwargs)),)
    return None
