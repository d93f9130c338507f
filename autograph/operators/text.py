"""Strings with staged values in them: f-strings, str(), print and messages of exceptions."""

from __future__ import annotations

import copy
import types
from collections import deque
from typing import Any, NoReturn

from autograph.effects.choice import Choice
from autograph.effects.contents import CONTAINERS, DictView
from autograph.effects.places import Items
from autograph.effects.tracing import current
from autograph.errors import StateError
from autograph.operators.dispatch import call, special_method
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor


class Text:
    """A string some of whose parts are known only when the graph runs."""

    __slots__ = ("parts",)
    _staged_parts = ("parts",)

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts = parts

    def __add__(self, other: Any) -> Any:
        return joined(self, other) if isinstance(other, str | Text) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return joined(other, self) if isinstance(other, str) else NotImplemented

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise StateError(
            "a string with staged values in it is looked into, and it is known only when the "
            "function runs",
            remedy="compare, count or choose with the values themselves",
        )

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refuse
    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __mul__ = _refuse
    __int__ = __float__ = __mod__ = _refuse

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(str, name):
            raise AttributeError(f"'str' object has no attribute {name!r}")
        self._refuse()

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
    if isinstance(value, Number | Choice) or hasattr(type(value), "_concrete"):
        return True
    if isinstance(value, DictView):
        value = value.container
    if isinstance(value, CONTAINERS):
        tracing = current()
        if tracing is not None and id(value) in tracing.staged_items:
            return True
    if isinstance(value, dict):
        return any(map(is_staged, value.values()))
    if has_own_text(value):
        return current() is not None
    if isinstance(value, BaseException):
        return is_staged(value.args) or (
            current() is not None and isinstance(type(value).__str__, types.FunctionType)
        )
    return isinstance(value, tuple | list | deque) and any(map(is_staged, value))


def has_own_text(value: Any) -> bool:
    """Whether a method of the user's, or of `dataclasses`, makes the text of an object."""
    kind = type(value)
    if isinstance(value, type) or kind.__module__.split(".")[0] == "autograph":
        return False
    return isinstance(special_method(kind, "__repr__"), types.FunctionType) and (
        hasattr(value, "__dict__") or hasattr(kind, "__slots__")
    )


def formatted(value: Any, conversion: int = -1, spec: Any = "") -> Any:
    """One `{value!conversion:spec}` of an f-string."""
    if current() is None or not is_staged(value):
        return plain_format(value, conversion, str(spec))
    if isinstance(value, BaseException):
        value = call(repr if conversion == ord("r") else str, value)
        return formatted(value, -1, spec)
    if isinstance(value, Text) and conversion == -1 and not spec:
        return value
    return Formatted(frozen_parts(value), conversion, spec)


def frozen_parts(value: Any) -> Any:
    """A value as it is now: cells by their value, lists as they stand."""
    if isinstance(value, Tensor):
        tracing = current()
        assert tracing is not None
        return Tensor._of(tracing.region.trace.value_of(value))
    if isinstance(value, Choice):
        return Choice(value.tag, tuple(map(frozen_parts, value.options)))
    if isinstance(value, (*CONTAINERS, DictView)):
        return _frozen_container(value)
    if not isinstance(value, tuple) and (
        has_own_text(value) or (isinstance(value, BaseException) and is_staged(value))
    ):
        return Represented(call(repr, value))
    if isinstance(value, tuple):
        parts = map(frozen_parts, value)
        return tuple(parts) if type(value) is tuple else type(value)._make(parts)  # type: ignore[attr-defined]
    return value


def _frozen_container(value: Any) -> Any:
    tracing = current()
    assert tracing is not None
    staged = tracing.staged_items.get(id(value))
    if type(value) is list:
        return ListText(staged or tuple(map(frozen_parts, value)))
    if type(value) is dict:
        return DictText(staged or tuple((key, frozen_parts(one)) for key, one in value.items()))
    if not is_staged(value):
        return copy.copy(value)
    if type(value) is deque:
        return DequeText(staged or tuple(map(frozen_parts, value)), value.maxlen)
    if type(value) is set:
        return SetText(staged)
    raise StateError(
        f"the text of a {type(value).__name__} with staged items is known only when it runs",
        remedy="print its items, or make a list or a dict of them",
    )


class Represented:
    """An object in a container, as its `repr` showed it when the text was asked for."""

    __slots__ = ("text",)
    _staged_parts = ("text",)

    def __init__(self, text: Any) -> None:
        self.text = text

    @staticmethod
    def _concrete(text: str) -> Any:
        return _Shown(text)


class _Shown:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class ListText:
    """A list with staged items, as it was when its text was asked for."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items

    @staticmethod
    def _concrete(items: Any) -> list[Any]:
        return list(items.values if isinstance(items, Items) else items)


class DequeText:
    """A deque with staged items, as it was when its text was asked for."""

    __slots__ = ("items", "maxlen")
    _staged_parts = ("items", "maxlen")

    def __init__(self, items: Any, maxlen: Any) -> None:
        self.items = items
        self.maxlen = maxlen

    @staticmethod
    def _concrete(items: Any, maxlen: Any) -> deque[Any]:
        return deque(items.values if isinstance(items, Items) else items, maxlen)


class SetText:
    """A set with staged members, as it was when its text was asked for."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items

    @staticmethod
    def _concrete(items: Any) -> set[Any]:
        return set(items.values)


class DictText:
    """A dict with staged values, as it was when its text was asked for."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items

    @staticmethod
    def _concrete(items: Any) -> dict[Any, Any]:
        return dict(items.values if isinstance(items, Items) else items)


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
    if isinstance(value, BaseException):
        return _text_of_exception(value, representation)
    return Text((Formatted(frozen_parts(value), ord("r" if representation else "s"), ""),))


def _text_of_exception(error: BaseException, representation: bool) -> Any:
    """What the text of a built-in exception is made of: its arguments."""
    if len(error.args) != 1:
        arguments = text_of(error.args, representation=True)
        return joined(type(error).__name__, arguments) if representation else arguments
    (only,) = error.args
    if representation:
        return joined(f"{type(error).__name__}(", text_of(only, representation=True), ")")
    return text_of(only, representation=isinstance(error, KeyError))


class Filled:
    """`pattern % values`, or `pattern.format(*values, **named)`."""

    __slots__ = ("method", "named", "pattern", "values")
    _staged_parts = ("pattern", "method", "values", "named")

    def __init__(self, pattern: str, method: str, values: Any, named: Any) -> None:
        self.pattern = pattern
        self.method = method
        self.values = values
        self.named = named

    @staticmethod
    def _concrete(pattern: str, method: str, values: Any, named: Any) -> str:
        if method == "%":
            filled: str = pattern % values
            return filled
        text: str = pattern.format(*values, **dict(named))
        return text


def percent(pattern: str, values: Any) -> Text:
    """`pattern % values` with staged values."""
    return Text((Filled(pattern, "%", frozen_parts(values), ()),))


def text_method(pattern: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`pattern.format(...)` or `pattern.join(...)` of staged values; None for anything else."""
    if name == "format" and (is_staged(args) or is_staged(kwargs)):
        named = tuple((key, frozen_parts(one)) for key, one in kwargs.items())
        return Text((Filled(pattern, "format", frozen_parts(args), named),))
    if name == "join" and len(args) == 1:
        items = tuple(args[0])
        if any(isinstance(one, Text) for one in items):
            apart = [part for one in items for part in (pattern, one)]
            return joined(*apart[1:])
        return pattern.join(items)
    return None
