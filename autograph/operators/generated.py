"""Methods that `dataclasses` writes: they have no source, but what they do is known."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any

from autograph.effects.tracing import Tracing
from autograph.operators.arithmetic import equal_sequences
from autograph.operators.attributes import load
from autograph.operators.text import joined, text_of

Model = Callable[[Tracing, Any, Any], Any]


def _equal(tracing: Tracing, left: Any, right: Any) -> Any:
    """`__eq__`: instances of one class are compared field by field."""
    if type(left) is not type(right):
        return NotImplemented
    names = [field.name for field in dataclasses.fields(left) if field.compare]
    return equal_sequences(
        tuple(load(tracing, left, name) for name in names),
        tuple(load(tracing, right, name) for name in names),
    )


def _text(tracing: Tracing, value: Any, _: Any = None) -> Any:
    """`__repr__`: the class and its fields."""
    parts: list[Any] = []
    for field in dataclasses.fields(value):
        if field.repr:
            start = ", " if parts else ""
            parts += [f"{start}{field.name}=", text_of(load(tracing, value, field.name), True)]
    return joined(f"{type(value).__qualname__}(", *parts, ")")


GENERATED: dict[str, Model] = {"__eq__": _equal, "__repr__": _text}


def generated_model(function: types.FunctionType, owner: Any) -> Model | None:
    """What a method means if `dataclasses` wrote it."""
    if function.__name__ not in GENERATED or not dataclasses.is_dataclass(owner):
        return None
    written: Any = getattr(function, "__wrapped__", function)
    code = getattr(written, "__code__", None)
    return GENERATED[function.__name__] if code and code.co_filename == "<string>" else None
