"""Strings with staged values in them: f-strings, str(), print and messages of exceptions."""

from __future__ import annotations

import copy
import enum
import math
import types
from collections import deque
from typing import Any

from autograph.effects.choice import Choice
from autograph.effects.contents import CONTAINERS, DictView
from autograph.effects.marks import declared
from autograph.effects.places import Items
from autograph.effects.texts import Text, parts_of
from autograph.effects.tracing import current
from autograph.effects.wholes import Shown, read_whole
from autograph.errors import StateError
from autograph.operators import handles
from autograph.operators.conditions import choose
from autograph.operators.dispatch import call, special_method
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor


class Formatted:
    """One staged part of a string: the value, its conversion and its format."""

    __slots__ = ("conversion", "spec", "value")
    _staged_parts = ("value", "conversion", "spec")
    _by_value = True
    _may_be_empty = False

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
    if isinstance(value, Number | Choice) or declared(type(value), "_concrete") is not None:
        return True
    if isinstance(value, DictView):
        value = value.container
    if isinstance(value, CONTAINERS):
        tracing = current()
        if tracing is not None and tracing.contents(value) is not None:
            return True
    if isinstance(value, dict):
        return any(map(is_staged, value.values()))
    if has_own_text(value):
        return current() is not None
    if isinstance(value, BaseException):
        return is_staged(value.args) or (
            current() is not None and isinstance(type(value).__str__, types.FunctionType)
        )
    if type(value) is types.SimpleNamespace:
        return any(map(is_staged, vars(value).values()))
    if isinstance(value, slice):
        return any(map(is_staged, (value.start, value.stop, value.step)))
    return isinstance(value, tuple | list | deque) and any(map(is_staged, value))


REPRESENTED = ("__repr__",)
SHOWN = ("__str__", "__repr__")
FORMATTED = ("__format__", *SHOWN)


def has_own_text(value: Any, methods: tuple[str, ...] = REPRESENTED) -> bool:
    """Whether a method of the user's, or of `dataclasses`, makes the text of an object."""
    kind = type(value)
    if isinstance(value, type) or kind.__module__.split(".")[0] == "autograph":
        return False
    if not (hasattr(value, "__dict__") or hasattr(kind, "__slots__")):
        return False
    found = (special_method(kind, name) for name in methods)
    return any(isinstance(one, types.FunctionType) and one.__module__ != "enum" for one in found)


def formatted(value: Any, conversion: int = -1, spec: Any = "") -> Any:
    """One `{value!conversion:spec}` of an f-string."""
    tracing = current()
    if tracing is None:
        return plain_format(value, conversion, str(spec))
    if is_staged_string(value) and conversion in (-1, ord("s")) and _is_empty(spec):
        return value
    read_whole(tracing, value, Shown.REPRESENTATION if conversion == ord("r") else Shown.TEXT)
    if isinstance(value, Choice) and is_told(value):
        return choose(tracing, value, lambda one: joined(formatted(one, conversion, spec)))
    if isinstance(spec, Choice):
        return choose(tracing, spec, lambda one: formatted(value, conversion, one))
    if has_own_text(value, FORMATTED) and not isinstance(value, tuple | BaseException):
        return _formatted_object(value, conversion, spec)
    if not is_staged(value) and not isinstance(spec, Text):
        return plain_format(value, conversion, spec)
    if isinstance(value, BaseException | types.SimpleNamespace):
        value = call(repr if conversion == ord("r") else str, value)
        return formatted(value, -1, spec)
    return Formatted(frozen_parts(value), conversion, spec)


def _is_empty(spec: Any) -> bool:
    return isinstance(spec, str) and not spec


def is_told(value: Choice) -> bool:
    """Whether the text of each option is known while tracing, or a method makes it."""
    return len(value.options) <= 8 and all(
        isinstance(one, TOLD) or has_own_text(one, FORMATTED) for one in value.options
    )


TOLD = (str, int, float, bool, type(None), enum.Enum)


def _formatted_object(value: Any, conversion: int, spec: Any) -> Any:
    """An object whose class knows how it is shown."""
    if conversion != -1:
        name = {"r": repr, "s": str, "a": ascii}[chr(conversion)]
        return formatted(call(name, value), -1, spec)
    own = special_method(type(value), "__format__")
    if isinstance(own, types.FunctionType):
        return call(own, value, spec)
    return plain_format(value, -1, str(spec)) if spec else call(str, value)


def frozen_parts(value: Any) -> Any:
    """A value as it is now: cells by their value, lists as they stand."""
    known = current()
    if known is not None:
        read_whole(known, value)
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
    staged = handles.snapshot(tracing, tracing.contents(value))
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
        f"the text of {with_article(type(value).__name__)} with staged items is known only when "
        "it runs",
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
    for place, part in enumerate(parts):
        if isinstance(part, Choice) and _is_short(parts):
            return _joined_for_each(parts, place)
    return Text(tuple(one for part in parts for one in parts_of(part)))


def is_staged_string(value: Any) -> bool:
    """Whether this is a string on each path, with staged parts or one of several."""
    if isinstance(value, Choice):
        return all(type(one) in (str, Text) for one in value.options)
    return isinstance(value, Text)


def are_strings(left: Any, right: Any) -> bool:
    """Whether both are strings on each path, and one of them depends on it which."""
    pair = (left, right)
    chosen = any(isinstance(one, Choice) for one in pair)
    return chosen and all(type(one) is str or is_staged_string(one) for one in pair)


def _is_short(parts: tuple[Any, ...]) -> bool:
    """Whether a string has so few possible texts that it is one of them."""
    choices = [part for part in parts if isinstance(part, Choice)]
    told = all(isinstance(one, str) for part in choices for one in part.options)
    return told and math.prod(len(part.options) for part in choices) <= 8


def _joined_for_each(parts: tuple[Any, ...], place: int) -> Any:
    tracing = current()
    assert tracing is not None
    before, after = parts[:place], parts[place + 1 :]
    return choose(tracing, parts[place], lambda one: joined(*before, one, *after))


def text_of(value: Any, representation: bool = False) -> Any:
    """`str(value)` or `repr(value)`."""
    tracing = current()
    if is_staged_string(value) and not representation:
        return value
    if tracing is not None:
        read_whole(tracing, value, Shown.REPRESENTATION if representation else Shown.TEXT)
        if isinstance(value, Choice) and is_told(value):
            return choose(tracing, value, lambda one: call(repr if representation else str, one))
    if not is_staged(value):
        return repr(value) if representation else str(value)
    if isinstance(value, BaseException):
        return _text_of_exception(value, representation)
    if type(value) is types.SimpleNamespace:
        parts = [joined(f"{name}=", text_of(held, True)) for name, held in vars(value).items()]
        between = [one for part in parts for one in (", ", part)][1:]
        return joined("namespace(", *between, ")")
    return Text((Formatted(frozen_parts(value), ord("r" if representation else "s"), ""),))


def _text_of_exception(error: BaseException, representation: bool) -> Any:
    """What the text of a built-in exception is made of: its arguments."""
    if isinstance(error, BaseExceptionGroup) and not representation:
        count = len(error.exceptions)
        return joined(formatted(error.args[0]), f" ({count} sub-exception{'s'[: count != 1]})")
    if len(error.args) != 1:
        arguments = text_of(error.args, representation=True)
        return joined(type(error).__name__, arguments) if representation else arguments
    (only,) = error.args
    if representation:
        return joined(f"{type(error).__name__}(", text_of(only, representation=True), ")")
    return text_of(only, representation=isinstance(error, KeyError))
