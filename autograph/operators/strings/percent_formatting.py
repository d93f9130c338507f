"""`pattern % values` of staged values, and of objects that know how they are shown."""

from __future__ import annotations

import math
import operator
import types
from typing import Any

from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.expressions.attributes import attr
from autograph.operators.expressions.items import item
from autograph.operators.expressions.truth import choose
from autograph.operators.strings.format_errors import CONVERSIONS, check_percent, kinds_of
from autograph.operators.strings.formatting import (
    is_plain_string,
    is_staged_string,
    is_told,
    joined,
)
from autograph.operators.strings.snapshots import (
    FORMATTED,
    Represented,
    frozen_parts,
    has_own_text,
    is_staged,
)
from autograph.runtime.arrays.cells import Scalar
from autograph.runtime.core.number import Number
from autograph.strings.text import Filled, Text
from autograph.tracing.tracing import current
from autograph.values.choice import Choice

CONVERTED = (*FORMATTED, "__int__", "__float__", "__index__")
"""The methods by which `%` asks an object for what it fills in."""
NUMERIC: dict[str, tuple[Any, tuple[str, ...]]] = {
    **dict.fromkeys("diu", (int, ("__int__", "__index__"))),
    **dict.fromkeys("oxXc", (operator.index, ("__index__",))),
    **dict.fromkeys("eEfFgG", (float, ("__float__", "__index__"))),
}
"""What makes a number of an object for a conversion, and by which methods."""


def is_filled_late(values: Any) -> bool:
    """Whether `pattern % values` is more than Python's own."""
    if is_staged(values) or _is_users(values, "__getitem__"):
        return True
    given = values if isinstance(values, tuple) else (values,)
    held = values.values() if isinstance(values, dict) else ()
    return any(has_own_text(one, CONVERTED) for one in (*given, *held))


def _is_users(value: Any, method: str) -> bool:
    return isinstance(special_method(type(value), method), types.FunctionType)


def percent(pattern: str, values: Any) -> Any:
    """`pattern % values` with staged values, or with objects that know how they are shown."""
    tracing = current()
    assert tracing is not None
    if _is_by_name(pattern, values):
        found = CONVERSIONS.finditer(pattern)
        named = tuple(item(values, one["key"]) for one in found if one["type"] != "%")
        return percent(CONVERSIONS.sub(_without_key, pattern), named)
    if _fills_nothing(pattern, values):
        return pattern % {}
    if isinstance(values, tuple):
        choices = [one for one in values if isinstance(one, Choice) and is_told(one)]
        if choices and math.prod(len(one.options) for one in choices) <= 8:
            first = next(place for place, one in enumerate(values) if one is choices[0])
            before, after = values[:first], values[first + 1 :]
            return choose(
                tracing, values[first], lambda one: percent(pattern, (*before, one, *after))
            )
    shown: Any = _shown(pattern, values)
    check_percent(pattern, shown)
    given = shown if isinstance(shown, tuple) else (shown,)
    if any(map(is_staged_string, given)) and _takes(pattern, len(given)):
        return _spread(pattern, list(given))
    return Text((Filled(pattern, frozen_parts(shown)),)) if is_staged(shown) else pattern % shown


def _is_by_name(pattern: str, values: Any) -> bool:
    """Whether each conversion names a value of a dict, or of another mapping."""
    found = [one for one in CONVERSIONS.finditer(pattern) if one["type"] != "%" or one["key"]]
    if not found or isinstance(values, tuple | str | Text | Choice):
        return False
    plain = all(one["key"] is not None and "*" not in one[0] for one in found)
    named = plain and all(one["type"] != "%" for one in found)
    return named and special_method(type(values), "__getitem__") is not None


def _fills_nothing(pattern: str, values: Any) -> bool:
    """Whether a pattern takes no value, and lets what could be a mapping go unused."""
    if isinstance(values, tuple | str | Text | Choice | Number):
        return False
    has_items = special_method(type(values), "__getitem__") is not None
    return has_items and all(one["type"] == "%" for one in CONVERSIONS.finditer(pattern))


def _without_key(found: Any) -> str:
    whole: str = found[0]
    return whole if found["key"] is None else whole.replace(f"({found['key']})", "", 1)


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


def _shown(pattern: str, values: Any) -> Any:
    """The values, objects of the user's as the texts or numbers that their own methods make."""
    kinds = kinds_of(pattern)
    if not isinstance(values, tuple):
        return _as_shown(values, kinds[0]) if len(kinds) == 1 else values
    if len(kinds) != len(values):
        return values  # Python's own error
    return tuple(_as_shown(one, kind) for one, kind in zip(values, kinds, strict=True))


def _as_shown(value: Any, kind: str) -> Any:
    if isinstance(value, tuple):
        return value
    if kind in "rsa":
        if kind == "s" and is_plain_string(value):
            return str(value)
        raised = isinstance(value, BaseException) and is_staged(value)
        if not (raised or has_own_text(value, FORMATTED) or has_own_text(value)):
            return value
        return call(str, value) if kind == "s" else Represented(call(repr, value))
    make, methods = NUMERIC.get(kind, (None, ()))
    if make is float and isinstance(value, Scalar) and value.dtype.kind == "c":
        return attr(value, "real")  # as `float` of a complex number of NumPy's, with a warning
    return call(make, value) if has_own_text(value, methods) else value
