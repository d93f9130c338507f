"""Listeners to attributes that modules are given: restores that wait for a Variable to be made.

A deferred restore waits for Variables that are not made yet. Nobody else listens, and while nobody
does, attributes are set as of any object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Listener = Callable[[Any, str, Any], None]

KINDS: list[Any] = []
"""The classes, subclasses included, whose attributes can be listened to."""

_listeners: list[Listener] = []


def set_and_tell(owner: Any, name: str, value: Any) -> None:
    """The `__setattr__` of a class that is listened to."""
    object.__setattr__(owner, name, value)
    tell(owner, name, value)


def tell(owner: Any, name: str, value: Any) -> None:
    """An attribute was set."""
    if _listeners and isinstance(owner, tuple(KINDS)):
        _listeners[0](owner, name, value)


def listen(listener: Listener | None) -> None:
    """Tell `listener` of all attributes from now on; None ends that."""
    _listeners[:] = [] if listener is None else [listener]
    for kind in KINDS:
        if listener is not None:
            kind.__setattr__ = set_and_tell
        elif "__setattr__" in kind.__dict__:
            del kind.__setattr__
