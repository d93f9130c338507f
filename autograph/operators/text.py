"""Strings with staged values in them: f-strings, str(), print and messages of exceptions."""

from __future__ import annotations

from typing import Any

from autograph.effects.choice import Choice
from autograph.effects.places import Items
from autograph.effects.tracing import current
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor


class Text:
    """A string some of whose parts are known only when the graph runs."""

    __slots__ = ("parts",)
    _staged_parts = ("parts",)

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts = parts

    @staticmethod
    def _concrete(parts: tuple[Any, ...]) -> str:
        return "".join(part if type(part) is str else str(part) for part in parts)


class Formatted:
    """One staged part of a string: the value, its conversion and its format."""

    __slots__ = ("conversion", "spec", "value")
    _staged_parts = ("value", "conversion", "spec")

    def __init__(self, value: Any, conversion: int, spec: str) -> None:
        self.value = value
        self.conversion = conversion
        self.spec = spec

    @staticmethod
    def _concrete(value: Any, conversion: int, spec: str) -> str:
        return plain_format(value, conversion, spec)


def plain_format(value: Any, conversion: int, spec: str) -> str:
    """What an f-string makes of `{value!conversion:spec}`."""
    if conversion == ord("r"):
        value = repr(value)
    elif conversion == ord("s"):
        value = str(value)
    elif conversion == ord("a"):
        value = ascii(value)
    return format(value, spec)


def is_staged(value: Any) -> bool:
    """Whether the text of a value is known only when the graph runs."""
    if isinstance(value, Tensor):
        return current() is not None
    if isinstance(value, Number | Choice | Text):
        return True
    if isinstance(value, list):
        tracing = current()
        if tracing is not None and id(value) in tracing.staged_items:
            return True
    if isinstance(value, tuple | list):
        return any(map(is_staged, value))
    return isinstance(value, dict) and any(map(is_staged, value.values()))


def formatted(value: Any, conversion: int = -1, spec: Any = "") -> Any:
    """One `{value!conversion:spec}` of an f-string."""
    if current() is None or not is_staged(value):
        return plain_format(value, conversion, str(spec))
    if isinstance(value, Text) and conversion == -1 and not spec:
        return value
    return Formatted(frozen_parts(value), conversion, spec)


def frozen_parts(value: Any) -> Any:
    """A value as it is now: cells by their value, lists as they stand."""
    if isinstance(value, Tensor):
        tracing = current()
        assert tracing is not None
        return Tensor._of(tracing.region.trace.value_of(value))
    if isinstance(value, list):
        tracing = current()
        assert tracing is not None
        staged = tracing.staged_items.get(id(value))
        return ListText(staged or tuple(map(frozen_parts, value)))
    if type(value) is tuple:
        return tuple(map(frozen_parts, value))
    return value


class ListText:
    """A list with staged items, as it was when its text was asked for."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items

    @staticmethod
    def _concrete(items: Any) -> list[Any]:
        return list(items.values if isinstance(items, Items) else items)


def joined(*parts: Any) -> Any:
    """An f-string."""
    if all(type(part) is str for part in parts):
        return "".join(parts)
    flat: list[Any] = []
    for part in parts:
        flat += part.parts if isinstance(part, Text) else (part,)
    return Text(tuple(flat))


def text_of(value: Any, representation: bool = False) -> Any:
    """`str(value)` or `repr(value)`."""
    if not is_staged(value):
        return repr(value) if representation else str(value)
    if isinstance(value, Text) and not representation:
        return value
    return Text((Formatted(frozen_parts(value), ord("r" if representation else "s"), ""),))
