"""Paths to what objects hold themselves: guards that follow them run no code of the user's.

`a[0].norm` would compute a cached property of an object that has not computed it yet.
"""

from __future__ import annotations

import types
from collections import deque
from typing import Any

from autograph.tracing.places import AttributePlace
from autograph.tracing.tracing import Tracing

ASKED = ("__getattr__", "__getattribute__")
OF_SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType)
PLAIN = (list, dict, set, deque)


def member_of(kind: type, name: str) -> Any:
    """What a class or its bases hold under a name, as it stands there; else None."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


def is_asked(kind: type) -> bool:
    """Whether code of the user's is asked for the attributes that objects of a class lack."""
    return any(isinstance(member_of(kind, name), types.FunctionType) for name in ASKED)


def has_namespace(value: Any) -> bool:
    """Whether a value has a `__dict__`: no `__getattr__` is asked."""
    return type(value).__dictoffset__ != 0


def path_of_attribute(tracing: Tracing, place: AttributePlace) -> str:
    """The path to an attribute that an object holds itself."""
    path, name, kind = tracing.path_of(place.owner), place.name, type(place.owner)
    member = member_of(kind, name)
    computes = hasattr(type(member), "__get__") and not isinstance(member, types.FunctionType)
    slot = isinstance(member, OF_SLOTS)
    if isinstance(place.owner, type) or not (is_asked(kind) or (computes and not slot)):
        return tracing.table.attribute(path, name)
    if slot:
        return f"{tracing.table.constant(member)}.__get__({path})"
    return f"own({path})[{name!r}]" if has_namespace(place.owner) else f"{path}.{name}"


def path_of_item(tracing: Tracing, container: Any, key: Any) -> str:
    """The path to an item of a container that holds it."""
    kind, path = type(container), tracing.path_of(container)
    for base in PLAIN:
        if isinstance(container, base) and _differs(kind, base, "__getitem__"):
            return f"{base.__name__}.__getitem__({path}, {tracing.table.key(key)})"
    if hasattr(kind, "__missing__"):
        return tracing.table.item_of_missing(path, key)
    return tracing.table.item(path, key)


def held_item(container: Any, key: Any) -> Any:
    """The item of a container that holds it, as its built-in class finds it."""
    for base in (list, dict, deque, tuple):
        if isinstance(container, base):
            return base.__getitem__(container, key)  # type: ignore[index]
    return container[key]


def items_of(container: Any, path: str) -> str:
    """The list of the keys or items of a container at `path`."""
    for base in PLAIN:
        if isinstance(container, base) and _differs(type(container), base, "__iter__"):
            return f"[*{base.__name__}.__iter__({path})]"
    return f"[*{path}]"


def length_of(container: Any, path: str) -> str:
    """The length of a container at `path`."""
    for base in PLAIN:
        if isinstance(container, base) and _differs(type(container), base, "__len__"):
            return f"{base.__name__}.__len__({path})"
    return f"len({path})"


def _differs(kind: type, base: type, name: str) -> bool:
    return member_of(kind, name) is not member_of(base, name)
