"""Activations of functions: their arguments, and what agrees where one is a turn of another."""

from __future__ import annotations

import inspect
import types
from collections import deque
from typing import Any

from autograph.effects.choice import Choice
from autograph.effects.tracing import current
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor


class FoundRecursion(BaseException):
    """A function was re-entered under a staged condition: trace again, knowing that.

    `opened`: its first call is no turn like the others, and is traced where it stands.
    """

    def __init__(self, code: types.CodeType, opened: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.opened = opened


def identity_of(function: types.FunctionType) -> tuple[Any, ...]:
    """What two functions share that do the same: a decorator makes many of one code."""
    code = function.__code__
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    own = (id(cell) for name, cell in cells if name != "ag__")
    return (code, *own, *map(id, defaults))


def kind_of(value: Any) -> Any:
    """What must agree between two activations for them to be turns of one recursion."""
    if isinstance(value, Tensor):
        return (Tensor, value.dtype, value.ndim)
    if isinstance(value, Number):
        return value.kind
    if type(value) in (bool, int, float):
        return type(value)
    if isinstance(value, tuple):
        return (type(value), *map(kind_of, value))
    if isinstance(value, Choice):
        return (Choice, *map(kind_of, value.options))
    tracing = current()
    if tracing is not None and tracing.is_born(value):
        standing = tracing.references.get(id(value))
        if standing is not None:
            return standing.store.key
        if tracing.sealed.get(id(value)) == "element":
            return type(value)
        if isinstance(value, list | dict | set | deque):
            staged = tracing.contents(value) is not None
            return type(value), None if staged else id(value)
    return value if isinstance(value, str | None) else id(value)


def bound(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> inspect.BoundArguments:
    """The arguments of a call, defaults included."""
    arguments = inspect.signature(function).bind(*args, **kwargs)
    arguments.apply_defaults()
    return arguments
