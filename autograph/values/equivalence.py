"""When two Python values are the same to every program that reads them."""

from __future__ import annotations

import enum
import operator
import re
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

ATOMS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))

_SHOWN = {
    ("autograph.tensor_spec", "TensorSpec"),
    ("datetime", "date"),
    ("datetime", "datetime"),
    ("datetime", "time"),
    ("datetime", "timedelta"),
    ("datetime", "timezone"),
    ("decimal", "Decimal"),
    ("fractions", "Fraction"),
    ("ipaddress", "_IPAddressBase"),
    ("pathlib", "PurePath"),
    ("re", "Pattern"),
    ("uuid", "UUID"),
}
"""Classes of the standard library whose objects never change and show all that they hold."""

_BASES: tuple[type, ...] = (float, complex, int, str, bytes)


def is_shown(kind: type) -> bool:
    """Whether objects of a class are known by how they are shown."""
    names = {(base.__module__, base.__qualname__) for base in kind.__mro__}
    return bool(names & _SHOWN) and not kind.__dictoffset__


def same_atom(left: Any, right: Any) -> bool:
    """Whether two atoms of one class are the same: -0.0 is not 0.0, nan is nan."""
    kind = type(right)
    if kind in (int, str, bool, bytes):
        return bool(left == right)
    if left is right:
        return True
    if getattr(left, "__dict__", None) or getattr(right, "__dict__", None):
        return False  # of a subclass, with attributes
    shown: Any = next(base.__repr__ for base in _BASES if issubclass(kind, base))
    return bool(shown(left) == shown(right))


def same_value(left: Any, right: Any) -> bool:
    """Whether two values are the same down to the class of every part, and in the same order.

    Objects that may change, or that do not show what they hold, are the same as themselves only.
    """
    if left is right:
        return True
    kind = type(right)
    if type(left) is not kind:
        return False
    if isinstance(right, enum.Enum):
        return False
    if isinstance(right, ATOMS):
        return same_atom(left, right)
    if kind in _PARTS:
        ours, theirs = _PARTS[kind](left), _PARTS[kind](right)
        return len(ours) == len(theirs) and all(map(same_value, ours, theirs))
    if is_shown(kind) or isinstance(right, np.generic):
        return repr(left) == repr(right)
    if isinstance(right, np.dtype | types.GenericAlias):
        return bool(left == right)
    return False


def _pairs(items: Any) -> list[Any]:
    return [one for pair in items.items() for one in pair]


_PARTS: dict[type, Callable[[Any], Any]] = {
    tuple: tuple,
    list: list,
    dict: _pairs,
    set: list,
    frozenset: list,
    range: lambda one: (one.start, one.stop, one.step),
    re.Pattern: lambda one: (one.pattern, one.flags),
    slice: lambda one: (one.start, one.stop, one.step),
}
"""Plain containers and what they are made of; sets in the order in which they are gone over."""


LONG = 200
"""So many numbers in a list are compared as a whole, not one by one."""


def is_long_table(items: Sequence[Any]) -> bool:
    """Whether items are plain numbers, and many: data more than state."""
    return len(items) > LONG and {*map(type, items)} <= {int, float, bool}


def same_numbers(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether two lists hold the same plain numbers, of the same classes."""
    if len(left) != len(right):
        return False
    return all(map(operator.is_, left, right)) or all(map(same_value, left, right))
