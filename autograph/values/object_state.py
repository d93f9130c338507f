"""What an object is made of besides its class, and how an empty one of its class is made."""

from __future__ import annotations

import enum
import functools
import types
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograph.errors import StateError
from autograph.runtime.core.anatomy import with_article
from autograph.values.marks import declared
from autograph.values.sentinels import UNSET

_HEAP_TYPE = 1 << 9
_OPEN = (
    *(dict, list, set, tuple, deque, BaseException),
    *(types.SimpleNamespace, types.FunctionType, types.CellType, functools.partial),
)
"""Classes written in C of whose objects all is known that they hold."""


def attributes_of(value: Any) -> dict[str, Any] | None:
    """What an object keeps in its `__dict__` and its slots; None where it has neither."""
    namespace = getattr(value, "__dict__", None)
    slots = [
        name
        for base in type(value).__mro__
        for name, one in vars(base).items()
        if isinstance(one, types.MemberDescriptorType) and name != "__dict__"
    ]
    if namespace is None and not slots:
        return None
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return {**held, **(namespace or {})}


@dataclass(frozen=True, slots=True)
class Setting:
    """What a container is made with, besides its items: a default factory, a maximal length, and
    the names of its attributes if its class is the user's."""

    own: Any = None
    names: tuple[str, ...] = ()


@functools.cache
def _setting(own: Any, names: tuple[str, ...]) -> Setting:
    return Setting(own, names)


def setting_of(container: Any) -> Setting:
    """The setting of a container: one and the same for equal ones."""
    own: Any = None
    if isinstance(container, defaultdict):
        own = container.default_factory
    elif isinstance(container, deque):
        own = container.maxlen
    return _setting(own, tuple(getattr(container, "__dict__", ())))


def _is_of_c(kind: type) -> bool:
    """Whether a class is written in C; since Python 3.12 more and more of these are heap types."""
    made = vars(kind).get("__new__")
    return not kind.__flags__ & _HEAP_TYPE or isinstance(made, types.BuiltinFunctionType)


def open_base(kind: type) -> Any:
    """The class written in C that a class is made from; StateError where it has hidden contents."""
    base = next(one for one in kind.__mro__ if _is_of_c(one))
    if base is object or issubclass(base, _OPEN):
        return base
    raise StateError(
        f"{with_article(kind.__name__)} that was made inside a staged function or branch leaves "
        f"it, and what {with_article(base.__name__)} holds is hidden",
        remedy="make it outside, or return what it is made of",
    )


def empty(kind: Any, setting: Setting | None) -> Any:
    """A new object of a class, without its `__new__` and `__init__`; containers with theirs."""
    if issubclass(kind, deque):
        return kind(maxlen=setting.own if setting is not None else None)
    fresh = open_base(kind).__new__(kind)
    if isinstance(fresh, defaultdict) and setting is not None:
        fresh.default_factory = setting.own
    return fresh


def give_attributes(fresh: Any, names: tuple[str, ...], parts: list[Any]) -> None:
    """Set attributes without the user's own methods; what is unset stays so."""
    for name, part in zip(names, parts, strict=True):
        if part is not UNSET:
            keep_attribute(fresh, name, part)


def keep_attribute(owner: Any, name: str, value: Any) -> None:
    """Put an attribute where an object keeps it, past properties and descriptors of its class."""
    if is_hidden(type(owner), name) and hasattr(owner, "__dict__"):
        owner.__dict__[name] = value
    else:
        object.__setattr__(owner, name, value)


def drop_attribute(owner: Any, name: str) -> None:
    """Take an attribute out from where an object keeps it."""
    if is_hidden(type(owner), name) and hasattr(owner, "__dict__"):
        del owner.__dict__[name]
    else:
        object.__delattr__(owner, name)


def put_in_order(namespace: dict[str, Any], order: Sequence[str]) -> None:
    """Bring names to the order in which they stood before one was deleted; new ones come last."""
    known = [name for name in order if name in namespace]
    names = known + [name for name in namespace if name not in order]
    if names != [*namespace]:
        held = dict(namespace)
        namespace.clear()
        namespace.update((name, held[name]) for name in names)


def is_hidden(kind: type, name: str) -> bool:
    """Whether a property, or a descriptor of the user's, stands before an attribute of this name:
    `self.__dict__["x"]` holds what `x` gives."""
    # `getattr(kind, name)` would call the descriptor.
    found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    return hasattr(type(found), "__set__") and not isinstance(found, _SLOTS)


_SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType)


# made from a number, a string or a tuple ----------------------------------------------------------
BASE = "__autograph_base__"
"""The part of an object that is the number, string or tuple that it was made from."""

_BASES: dict[type, Any] = {
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    int: int.__int__,
    float: float.__float__,
    complex: complex.__complex__,
    tuple: lambda value: tuple(tuple.__iter__(value)),
}


MADE_FROM = tuple(_BASES)


def parts_by_base(value: Any) -> dict[str, Any] | None:
    """What an object is made of whose class a user made from one of these; None for any other."""
    if isinstance(value, enum.Enum) or type(value) in (*_BASES, bool):
        return None
    for base, taken in _BASES.items():
        if isinstance(value, base) and not declared(type(value), "_staged_parts"):
            return {BASE: taken(value), **(attributes_of(value) or {})}
    return None


def made_by_base(kind: Any, names: tuple[str, ...], parts: list[Any]) -> Any:
    """A new object of such a class, without the user's own methods."""
    base, *attributes = parts
    fresh = type(base).__new__(kind, base)
    give_attributes(fresh, names[1:], attributes)
    return fresh
