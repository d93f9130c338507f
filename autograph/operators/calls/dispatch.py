"""Calls, for the rooms below them.

What a call means builds on nearly every operator, and many an operator calls a method of the
user's. The rules are therefore bound late: `calls` gives them to `bind` when it is imported, which
the package itself sees to, and the rooms below know only this one.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from autograph.runtime.arrays.cells import Array, Scalar
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.tracing.reading import observe_in
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.marks import is_staged_function

Rule = Callable[[Tracing, Any, tuple[Any, ...], dict[str, Any]], Any]

_rules: dict[str, Rule] = {}


def bind(call: Rule, call_function: Rule) -> None:
    """Say what calls mean while tracing: of anything, and of a Python function."""
    _rules["call"] = call
    _rules["call_function"] = call_function


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)`."""
    tracing = current()
    if tracing is None:
        return function(*args, **kwargs)
    return _rules["call"](tracing, function, args, kwargs)


def call_function(
    tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call of a Python function while tracing."""
    return _rules["call_function"](tracing, function, args, kwargs)


def call_method(owner: Any, name: str, *args: Any) -> Any:
    """`type(owner).name(owner, *args)`, as Python looks special methods up."""
    return call(special_method(type(owner), name), owner, *args)


def special_method(kind: type, name: str, bound: bool = True) -> Any:
    """What instances of a class do for `name`; None for nothing. Metaclasses have no say in it.

    `bound`: static methods and class methods as they are called.
    """
    for base in kind.__mro__:
        if name in base.__dict__:
            found = base.__dict__[name]
            tracing = current()
            code = isinstance(found, types.FunctionType | staticmethod) or is_staged_function(found)
            if tracing is not None and code:
                observe_in(tracing, kind.__mro__, name)
            if not bound:
                return found
            return getattr(base, name) if isinstance(found, staticmethod | classmethod) else found
    return None


def overrides(tensor: Any, name: str) -> bool:
    """Whether the class of a tensor is the user's, and has a special method of its own."""
    kind = type(tensor)
    if kind is Tensor or kind is Variable or issubclass(kind, Array | Scalar):
        return False
    return special_method(kind, name) is not getattr(Variable, name, None)


def is_users_method(value: Any, name: str) -> bool:
    """Whether a class of the user's defines a special method of an object."""
    if isinstance(value, Tensor):
        return overrides(value, name)
    special = special_method(type(value), name)
    return hasattr(special, "__code__") and not isinstance(value, Number | Choice)


def callback(function: Any) -> Callable[..., Any]:
    """A function to be handed to C code: calls of it are converted."""

    def called(*args: Any, **kwargs: Any) -> Any:
        return call(function, *args, **kwargs)

    return functools.update_wrapper(called, function)
