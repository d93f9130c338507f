"""Attributes that are nothing but an entry of `__dict__`, which the short way of a call looks up.

Once the `__dict__` of an object was asked for, an attribute costs CPython 3.11 three times what the
entry costs. It is the entry as long as no class of the object has the name: their numbers of names
are tested, since a class that gets a property of that name gets a name.
"""

from __future__ import annotations

import types
from typing import Any

_PLAIN: tuple[Any, ...] = (object.__getattribute__, types.ModuleType.__getattribute__)


def is_plain(owner: Any, name: str) -> bool:
    """Whether `owner.name` is `owner.__dict__[name]`."""
    kind = type(owner)
    if kind.__getattribute__ not in _PLAIN or any(name in vars(one) for one in kind.__mro__):
        return False
    return name in getattr(owner, "__dict__", ())


def own_classes(owner: Any) -> list[Any]:
    """The namespaces of the classes of an object that Python code may add names to."""
    heap_type = 1 << 9
    return [vars(one) for one in type(owner).__mro__ if one.__flags__ & heap_type]
