"""Strings some of whose parts are known only when the graph runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from autograph.errors import StateError
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.places import Items


class Text:
    """A string some of whose parts are known only when the graph runs."""

    __slots__ = ("parts",)
    _staged_parts = ("parts",)

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts = parts

    def __add__(self, other: Any) -> Any:
        return (
            Text(self.parts + parts_of(other)) if isinstance(other, str | Text) else NotImplemented
        )

    def __radd__(self, other: Any) -> Any:
        return Text((other, *self.parts)) if isinstance(other, str) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        return Text(self.parts * count) if isinstance(count, int) else self._refuse()

    __rmul__ = __mul__

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise StateError(
            "a string with staged values in it is looked into, and it is known only when the "
            "function runs",
            remedy="compare, count or choose with the values themselves",
        )

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __mod__ = _refuse

    def __hash__(self) -> int:
        raise StateError(
            "the hash of a string with staged values in it is known only when the function runs",
            remedy="compare the strings themselves, or use them as keys",
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(str, name):
            raise AttributeError(f"'str' object has no attribute {name!r}")
        return TextMethod(self, name)

    @staticmethod
    def _concrete(parts: tuple[Any, ...]) -> str:
        if len(parts) == 1 and type(parts[0]) is str:
            return parts[0]
        return "".join(part if type(part) is str else str(part) for part in parts)


Text.__name__ = "str"  # which Python's own errors call it by


class TextMethod:
    """A method of a string with staged parts, bound to it."""

    __slots__ = ("name", "text")
    _staged_parts = ("text", "name")

    def __init__(self, text: Any, name: str) -> None:
        self.text = text
        self.name = name

    @staticmethod
    def _concrete(text: str, name: str) -> Any:
        return getattr(text, name)


class Formatted:
    """A part of a string: a staged value, its conversion and its format."""

    __slots__ = ("conversion", "spec", "value")
    _staged_parts = ("value", "conversion", "spec")
    _by_value = True
    _may_be_empty = False

    def __init__(self, value: Any, conversion: str, spec: str) -> None:
        self.value = value
        self.conversion = conversion
        self.spec = spec

    @classmethod
    def of(cls, value: Any, conversion: int, spec: Any) -> Formatted:
        """What an f-string has for a value; a number without a format has one text only."""
        if isinstance(value, Number) and isinstance(spec, str) and not spec:
            conversion = -1
        return cls(value, chr(conversion) if conversion != -1 else "", spec)

    @staticmethod
    def _all_concrete(values: list[Any], conversions: list[str], specs: list[str]) -> Iterator[str]:
        """`_concrete` for many."""
        if any(conversions):
            return map(Formatted._concrete, values, conversions, specs)
        return map(format, values, specs)

    @staticmethod
    def _concrete(value: Any, conversion: str, spec: str) -> str:
        return plain_format(value, ord(conversion) if conversion else -1, spec)


def plain_format(value: Any, conversion: int, spec: str) -> str:
    """What an f-string makes of `{value!conversion:spec}`."""
    if conversion == ord("r"):
        value = repr(value)
    elif conversion == ord("s"):
        value = str(value)
    elif conversion == ord("a"):
        value = ascii(value)
    return format(value, spec)


class Character:
    """A part of a string: one character, told by its staged code point."""

    __slots__ = ("value",)
    _staged_parts = ("value",)
    _by_value = True
    _may_be_empty = False
    _length = 1
    _concrete = staticmethod(chr)

    def __init__(self, value: Any) -> None:
        self.value = value


class Characters:
    """A part of a string: characters, as many as the run tells, by a row of their code points."""

    __slots__ = ("codes",)
    _staged_parts = ("codes",)
    _by_value = True

    def __init__(self, codes: Any) -> None:
        # What the cell holds: a string has no cell that anybody could write into.
        self.codes = codes._value if isinstance(codes, Tensor) else codes

    @staticmethod
    def _concrete(codes: Any) -> str:
        return "".join(map(chr, np.asarray(codes).tolist()))


class Filled:
    """A part of a string: `pattern % values` of staged values."""

    __slots__ = ("pattern", "values")
    _staged_parts = ("pattern", "values")

    def __init__(self, pattern: str, values: Any) -> None:
        self.pattern = pattern
        self.values = values

    @staticmethod
    def _concrete(pattern: str, values: Any) -> str:
        filled: str = pattern % values
        return filled


class Joined:
    """A part of a string: `separator.join(items)` of staged length."""

    __slots__ = ("items", "separator")
    _staged_parts = ("separator", "items")

    def __init__(self, separator: str, items: Any) -> None:
        self.separator = separator
        self.items = items

    @staticmethod
    def _concrete(separator: str, items: Any) -> str:
        return separator.join(items.values)


class Changed:
    """A part of a string: what a method makes of a string that only the run knows."""

    __slots__ = ("args", "name", "text")
    _staged_parts = ("text", "name", "args")

    def __init__(self, text: Any, name: str, args: tuple[Any, ...]) -> None:
        self.text = text
        self.name = name
        self.args = args

    @staticmethod
    def _concrete(text: str, name: str, args: tuple[Any, ...]) -> str:
        changed: str = getattr(text, name)(*args)
        return changed


class Pieces:
    """A part of a string: pieces, as many as the run tells, one after the other."""

    __slots__ = ("rows",)
    _staged_parts = ("rows",)

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    @staticmethod
    def _concrete(rows: Items) -> str:
        return "".join(map(str, rows.values))


def parts_of(value: Any) -> tuple[Any, ...]:
    """What a string is made of."""
    return value.parts if isinstance(value, Text) else (value,)
