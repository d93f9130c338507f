"""What is known of an object by which object it is, never by an attribute.

Attributes are copied by functools.wraps, and forwarded by a user's `__getattr__`: a wrapper would
be taken for what it wraps.
"""

from __future__ import annotations

import types
import weakref
from typing import Any


def declared(value: Any, name: str, default: Any = None) -> Any:
    """`getattr(value, name, default)` that no `__getattr__` or `__getattribute__` of a user gives.

    Nor that of a user's metaclass, where the value is a class.
    """
    find = type.__getattribute__ if isinstance(value, type) else object.__getattribute__
    try:
        return find(value, name)
    except AttributeError:
        return default


class Marked:
    """Callables that the user has marked; they are held weakly where they can be."""

    def __init__(self) -> None:
        self._held: dict[int, Any] = {}

    def add(self, function: Any) -> None:
        """Mark a callable, or the function behind a method."""
        plain = _behind(function)
        key = id(plain)
        try:
            self._held[key] = weakref.ref(plain, lambda _: self._held.pop(key, None))
        except TypeError:
            self._held[key] = lambda: plain

    def __contains__(self, function: Any) -> bool:
        plain = _behind(function)
        known = self._held.get(id(plain))
        return known is not None and known() is plain


def _behind(function: Any) -> Any:
    methods = (types.MethodType, staticmethod, classmethod)
    while isinstance(function, methods):
        function = function.__func__
    return function


def is_staged_function(value: Any) -> bool:
    """Whether a value is what `@function` made, or a method or a specialization of it."""
    kind = type(value)
    return (
        kind.__module__.startswith("autograph.")
        and declared(kind, "__autograph_prepare__") is not None
    )


def staged_form(value: Any) -> Any:
    """What a call of a staged function is while tracing; None for anything else."""
    return value.__autograph_inline__ if is_staged_function(value) else None
