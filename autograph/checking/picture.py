"""A frozen picture of Python values: types, values to the bit, and which object is which."""

from __future__ import annotations

import enum
import functools
import io
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.checking.reach import (
    CONTENTS,
    ITERATORS,
    ONCE,
    Name,
    attributes_of,
    contents,
    contents_of,
    is_open,
)
from autograph.runtime.core.dtypes import SHORT_NAMES
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.tracing.lent_generators import is_lent, state_of
from autograph.values.marks import declared, is_staged_function

Given = Callable[[Any], str | None]
"""What tells the path of an object that was there before; None for one that is new."""
PLAIN = (bool, int, str, bytes, type(None), type(Ellipsis), range)
NAMED = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.MethodType,
    types.ModuleType,
    type,
    functools.partial,
    np.ufunc,
)
LONGEST = 8
"""So many elements of an array are shown."""


@dataclass(slots=True)
class Picture:
    """One value: its kind, which object it is if that can be told, its content and parts."""

    kind: str
    label: int | str | None = None
    """The number of a new object, or the path of one that was there before."""
    content: Any = None
    parts: tuple[tuple[str, Picture], ...] = ()
    """By what is written behind the name of the whole: `[0]`, `['key']`, `.attribute`."""
    origin: Any = None
    """The array or number that the content was copied from."""

    def shown(self, part: str | None = None) -> str:
        """A short text."""
        if part is not None:
            return dict(self.parts)[f"[{part!r}]"].shown()
        if self.kind == "given":
            return f"the object {self.label}"
        if self.kind == "same":
            return f"object {self.label} again"
        if isinstance(self.content, np.ndarray):
            return _shown_array(self)
        if self.content is not None or self.kind == "NoneType":
            return f"{self.content!r}" if self.kind in _BARE else f"{self.kind} {self.content}"
        opening, closing = _BRACKETS.get(self.kind, (f"{self.kind}(", ")"))
        inner = [_part(name, one, self.kind) for name, one in self.parts[:LONGEST]]
        inner += ["…"] if len(self.parts) > LONGEST else []
        return f"{opening}{', '.join(inner)}{closing}"


def _part(name: str, part: Picture, kind: str) -> str:
    if name.startswith("."):
        return f"{name[1:]}={part.shown()}"
    return f"{name[1:-1]}: {part.shown()}" if kind not in _ORDERED else part.shown()


_BRACKETS = {"list": ("[", "]"), "tuple": ("(", ")"), "dict": ("{", "}")}
_ORDERED = frozenset({"list", "tuple", "deque", "bytearray"})
_BARE = frozenset(one.__name__ for one in PLAIN)


def _shown_array(picture: Picture) -> str:
    array = picture.content
    if picture.kind in ("float", "complex"):
        return repr(array.item())
    dtype = SHORT_NAMES.get(array.dtype, str(array.dtype))
    text = f"{picture.kind} {dtype}[{','.join(map(str, array.shape))}]"
    return f"{text} {array.tolist()}" if array.size <= LONGEST else text


class Camera:
    """Takes pictures that belong together: an object has one label in all of them."""

    def __init__(self, given: Given | None = None) -> None:
        self.given = given
        self._labels: dict[int, tuple[int, Any]] = {}

    def take(self, value: Any) -> Picture:
        """The picture of `value` and of everything that it holds."""
        kind = type(value)
        if kind in PLAIN:
            return Picture(kind.__name__, content=value, origin=value)
        if kind in (float, complex) or isinstance(value, np.generic):
            return Picture(kind.__name__, content=np.asarray(value), origin=value)
        if isinstance(value, enum.Enum | np.dtype):
            return Picture(kind.__name__, content=str(value))
        if isinstance(value, NAMED) or is_staged_function(value):
            return Picture("named", content=_name_of(value))
        if isinstance(value, property):
            named = [one and _name_of(one) for one in (value.fget, value.fset, value.fdel)]
            return Picture("property", content=str(named))
        if isinstance(value, staticmethod | classmethod):
            return Picture(kind.__name__, content=_name_of(value.__func__))
        if isinstance(value, tuple):
            return Picture(kind.__name__, parts=self._sequence(value))
        path = self.given(value) if self.given is not None else None
        if path is not None:
            return self._mentioned("given", path, value)
        known = self._labels.get(id(value))
        if known is not None:
            return self._mentioned("same", known[0], value)
        label = len(self._labels)
        self._labels[id(value)] = (label, value)
        return self.contents(value, label)

    def _mentioned(self, kind: str, label: int | str, value: Any) -> Picture:
        """An object that is shown elsewhere; a tensor with its value all the same."""
        if not isinstance(value, Tensor) or not isinstance(value._value, np.ndarray):
            return Picture(kind, label)
        return Picture(kind, label, np.array(value._value), origin=value._value)

    def contents(self, value: Any, label: int | str | None) -> Picture:
        """The picture of an object by what it holds, even if it was there before."""
        kind = type(value).__name__
        if isinstance(value, Tensor):
            kind = "Variable" if isinstance(value, Variable) else "Tensor"
            if not isinstance(value._value, np.ndarray):  # what a failed trace left behind
                return Picture(kind, label, repr(value._value))
            own = self._attributes(getattr(value, "__dict__", {}))  # of a class of the user's
            return Picture(kind, label, np.array(value._value), own, origin=value._value)
        if isinstance(value, np.ndarray):
            return Picture("ndarray", label, np.array(value), origin=value)
        if isinstance(value, set | frozenset):
            return Picture(kind, label, sorted(map(self._key, contents(value))))
        if isinstance(value, Name):
            absent = value.name not in value.namespace
            return Picture("unset") if absent else self.take(value.namespace[value.name])
        if isinstance(value, types.CellType):
            inside = contents_of(value)
            return Picture("unset") if inside is value else self.take(inside)
        if isinstance(value, io.StringIO):
            return Picture(kind, label, value.getvalue())
        if isinstance(value, (*ITERATORS, *ONCE)):
            return Picture(kind, label)
        if is_lent(value):
            return Picture(kind, label, repr(state_of(value)))
        if isinstance(value, type):
            named = [(name, one) for name, one in vars(value).items() if not name.startswith("__")]
            return Picture("class", label, parts=self._attributes(dict(named)))
        return self._instance(value, label)

    def _instance(self, value: Any, label: int | str | None) -> Picture:
        kind = type(value).__name__
        parts: tuple[tuple[str, Picture], ...] = ()
        content = None
        if isinstance(value, dict):
            pairs = contents(value)
            parts = tuple((f"[{self._key(key)}]", self.take(one)) for key, one in pairs)
        elif isinstance(value, CONTENTS):
            parts = self._sequence(value)
        elif not is_open(type(value)) and _has_text(value):
            content = repr(value)
        return Picture(kind, label, content, (*parts, *self._attributes(attributes_of(value))))

    def _sequence(self, value: Any) -> tuple[tuple[str, Picture], ...]:
        fields = getattr(type(value), "_fields", None) if isinstance(value, tuple) else None
        return tuple(
            (f".{fields[number]}" if fields else f"[{number}]", self.take(one))
            for number, one in enumerate(contents(value))
        )

    def _attributes(self, attributes: dict[str, Any]) -> tuple[tuple[str, Picture], ...]:
        return tuple((f".{name}", self.take(one)) for name, one in sorted(attributes.items()))

    def _key(self, key: Any) -> str:
        """A member of a set or a key of a dict, as text."""
        if isinstance(key, tuple):
            return f"({', '.join(map(self._key, key))})"
        return repr(key) if isinstance(key, PLAIN) else self.take(key).shown()


def _has_text(value: Any) -> bool:
    """Whether the text of a value says more than which object it is."""
    written: Any = type(value).__repr__
    return written is not object.__repr__


def _name_of(value: Any) -> str:
    while (inner := declared(value, "__wrapped__")) is not None:
        value = inner
    code = declared(value, "__code__")
    line = f" of line {code.co_firstlineno}" if code is not None else ""
    return f"{declared(value, '__name__') or type(value).__name__}{line}"


def freeze(value: Any) -> Picture:
    """The picture of `value` and of everything reachable from it."""
    return Camera().take(value)
