"""Strings that are filled in: `pattern % values`, `pattern.format(...)` and `pattern.join(...)`."""

from __future__ import annotations

import math
import re
import string
from typing import Any

from autograph.effects.choice import Choice
from autograph.effects.places import StagedItems
from autograph.effects.sentinels import UNSET, Sentinel
from autograph.effects.skeleton import Fixed, Group
from autograph.effects.texts import Pieces, Text
from autograph.effects.tracing import Tracing, current
from autograph.errors import StateError
from autograph.operators.attributes import attr
from autograph.operators.conditions import choose
from autograph.operators.dispatch import call
from autograph.operators.items import item
from autograph.operators.text import (
    FORMATTED,
    Represented,
    formatted,
    frozen_parts,
    has_own_text,
    is_staged,
    is_staged_string,
    is_told,
    joined,
)
from autograph.runtime.core.number import Number

CONVERSIONS = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?[#0\- +]*(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+))?"
    r"[hlL]?(?P<type>[diouxXeEfFgGcrsa%])"
)


class Filled:
    """`pattern % values` of staged values."""

    __slots__ = ("pattern", "values")
    _staged_parts = ("pattern", "values")

    def __init__(self, pattern: str, values: Any) -> None:
        self.pattern = pattern
        self.values = values

    @staticmethod
    def _concrete(pattern: str, values: Any) -> str:
        filled: str = pattern % values
        return filled


def is_filled_late(values: Any) -> bool:
    """Whether `pattern % values` is more than Python's own."""
    given = values if isinstance(values, tuple) else (values,)
    return is_staged(values) or any(has_own_text(one, FORMATTED) for one in given)


def percent(pattern: str, values: Any) -> Any:
    """`pattern % values` with staged values, or with objects that know how they are shown."""
    tracing = current()
    assert tracing is not None
    if isinstance(values, tuple):
        choices = [one for one in values if isinstance(one, Choice) and is_told(one)]
        if choices and math.prod(len(one.options) for one in choices) <= 8:
            first = next(place for place, one in enumerate(values) if one is choices[0])
            before, after = values[:first], values[first + 1 :]
            return choose(
                tracing, values[first], lambda one: percent(pattern, (*before, one, *after))
            )
        shown: Any = tuple(_shown(pattern, list(values)))
        if any(map(is_staged_string, shown)) and _takes(pattern, len(shown)):
            return _spread(pattern, list(shown))
    else:
        shown = values if isinstance(values, dict) else _shown(pattern, [values])[0]
        if is_staged_string(shown) and _takes(pattern, 1):
            return _spread(pattern, [shown])
    return Text((Filled(pattern, frozen_parts(shown)),)) if is_staged(shown) else pattern % shown


def _takes(pattern: str, count: int) -> bool:
    """Whether a pattern takes so many values, one after the other."""
    found = [one for one in CONVERSIONS.finditer(pattern) if one["type"] != "%"]
    plain = all(one["key"] is None and "*" not in one[0] for one in found)
    return plain and len(found) == count


def _spread(pattern: str, values: list[Any]) -> Any:
    """The pattern with its values filled in one by one: strings stay what they are made of."""
    parts: list[Any] = []
    end = 0
    for found in CONVERSIONS.finditer(pattern):
        parts.append(pattern[end : found.start()])
        end = found.end()
        if found["type"] == "%":
            parts.append("%")
        elif found[0] == "%s" and is_staged_string(values[0]):
            parts.append(values.pop(0))
        else:
            value = values.pop(0)
            text = isinstance(value, Text)
            parts.append(
                Text((Filled(found[0], (value,)),)) if text else percent(found[0], (value,))
            )
    return joined(*parts, pattern[end:])


def _shown(pattern: str, values: list[Any]) -> list[Any]:
    """The values, objects of the user's as the texts that their own methods make."""
    kinds: list[str] = []
    for found in CONVERSIONS.finditer(pattern):
        if found["type"] != "%":
            starred = sum(found[name] == "*" for name in ("width", "precision"))
            kinds += ["*"] * starred + [found["type"]]
    if len(kinds) != len(values):
        return values  # Python's own error
    return [_as_text(one, kind) for one, kind in zip(values, kinds, strict=True)]


def _as_text(value: Any, kind: str) -> Any:
    if isinstance(value, tuple) or not has_own_text(value, FORMATTED) or kind not in "rsa":
        return value
    return call(str, value) if kind == "s" else Represented(call(repr, value))


def text_method(pattern: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`pattern.format(...)` or `pattern.join(...)` of staged values; None for anything else."""
    if name == "format":
        given = (*args, *kwargs.values())
        if any(is_staged(one) or has_own_text(one, FORMATTED) for one in given):
            return _format(pattern, args, kwargs)
    if name == "format_map" and len(args) == 1 and not kwargs and type(args[0]) is not dict:
        fields = [field for _, field, _, _ in string.Formatter().parse(pattern) if field]
        names = dict.fromkeys(re.split(r"[.\[]", one, maxsplit=1)[0] for one in fields)
        return _format(pattern, (), {one: item(args[0], one) for one in names})
    if name == "join" and len(args) == 1:
        items = tuple(args[0])
        if any(isinstance(one, Text | Choice) for one in items):
            other = _no_string(pattern, items)
            if other is not UNSET:
                return other
            apart = [part for one in items for part in (pattern, one)]
            return joined(*apart[1:])
        return pattern.join(items)
    return None


def _no_string(separator: str, items: tuple[Any, ...]) -> Any:
    """What `join` does where an item may be no string; UNSET where all are."""
    for place, one in enumerate(items):
        if isinstance(one, Choice) and not all(isinstance(o, str | Text) for o in one.options):
            tracing = current()
            assert tracing is not None
            return choose(
                tracing,
                one,
                lambda option, place=place: text_method(
                    separator, "join", ((*items[:place], option, *items[place + 1 :]),), {}
                ),
            )
        if not isinstance(one, str | Text | Choice):
            kind = one.kind if isinstance(one, Number) else type(one)
            raise TypeError(f"sequence item {place}: expected str instance, {kind.__name__} found")
    return UNSET


class Joined:
    """`separator.join(items)` of staged length."""

    __slots__ = ("items", "separator")
    _staged_parts = ("separator", "items")

    def __init__(self, separator: str, items: Any) -> None:
        self.separator = separator
        self.items = items

    @staticmethod
    def _concrete(separator: str, items: Any) -> str:
        return separator.join(items.values)


def joined_rows(tracing: Tracing, separator: str, contents: StagedItems) -> Any:
    """`separator.join(items)` of a list of staged length."""
    options = getattr(contents.element, "options", (contents.element,))
    for one in options:
        known = isinstance(one, Fixed) and isinstance(one.value, str | Sentinel)
        if not known and not (isinstance(one, Group) and one.kind is Text):
            raise StateError(
                "items that are no strings are joined, of a list of staged length",
                remedy="append strings: str(x)",
            )
    return Text((Joined(separator, contents) if separator else Pieces(contents),))


def _format(pattern: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    fields = _Fields(args, kwargs)
    try:
        parsed = list(string.Formatter().parse(pattern))
        for _, field, _, _ in parsed:
            fields.check(field)
    except (IndexError, KeyError, ValueError):
        return pattern.format(*args, **kwargs)  # Python's own error
    return fields.fill(pattern)


class _Fields:
    """The values that the fields of a pattern name."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.args = args
        self.kwargs = kwargs
        self.number = 0

    def check(self, field: str | None) -> None:
        """Errors of names and numbers that there are not; what is numbered by itself is left."""
        if field:
            first = re.split(r"[.\[]", field)[0]
            if first.isdecimal():
                self.args[int(first)]
            elif first:
                self.kwargs[first]

    def fill(self, pattern: str) -> Any:
        """The pattern with its fields filled in."""
        parts: list[Any] = []
        for text, field, spec, conversion in string.Formatter().parse(pattern):
            parts.append(text)
            if field is not None:
                value = self._value(field)
                code = ord(conversion) if conversion else -1
                parts.append(formatted(value, code, self.fill(spec) if spec else ""))
        return joined(*parts)

    def _value(self, field: str) -> Any:
        first, *rest = re.split(r"(?=[.\[])", field)
        if not first:
            first = str(self.number)
            self.number += 1
        value = self.args[int(first)] if first.isdecimal() else self.kwargs[first]
        for step in rest:
            if step.startswith("."):
                value = attr(value, step[1:])
            else:
                key = step[1:-1]
                value = item(value, int(key) if key.isdecimal() else key)
        return value
