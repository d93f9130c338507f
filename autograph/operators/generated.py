"""Methods that `dataclasses` writes: they have no source, but what they do is known."""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Callable
from typing import Any

from autograph.effects.tracing import Tracing
from autograph.operators.arithmetic import COMPARISONS
from autograph.operators.attributes import load, set_attr, store_plain
from autograph.operators.comparing import equal_sequences
from autograph.operators.dispatch import call, special_method
from autograph.operators.text import joined, text_of

Model = Callable[..., Any]


def _equal(tracing: Tracing, left: Any, right: Any) -> Any:
    """`__eq__`: instances of one class are compared field by field."""
    if type(left) is not type(right):
        return NotImplemented
    names = [field.name for field in dataclasses.fields(left) if field.compare]
    return equal_sequences(
        COMPARISONS["eq"],
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


def _ordered(name: str) -> Model:
    """`__lt__` and the like: instances of one class are compared as tuples of their fields."""

    def compare(tracing: Tracing, left: Any, right: Any) -> Any:
        if type(left) is not type(right):
            return NotImplemented
        names = [field.name for field in dataclasses.fields(left) if field.compare]
        fields = [tuple(load(tracing, one, each) for each in names) for one in (left, right)]
        return COMPARISONS[name](*fields)

    return compare


def _hash(tracing: Tracing, value: Any) -> Any:
    """`__hash__`: of the tuple of the fields."""
    fields = [one for one in dataclasses.fields(value) if one.compare and one.hash is not False]
    return hash(tuple(load(tracing, value, one.name) for one in fields))


GENERATED: dict[str, Model] = {
    "__eq__": _equal,
    "__repr__": _text,
    "__hash__": _hash,
    **{f"__{name}__": _ordered(name) for name in ("lt", "le", "gt", "ge")},
}


def generated_model(function: types.FunctionType, owner: Any) -> Model | None:
    """What a method means if `dataclasses` wrote it."""
    if function.__name__ not in GENERATED or not dataclasses.is_dataclass(owner):
        return None
    written: Any = getattr(function, "__wrapped__", function)
    code = getattr(written, "__code__", None)
    return GENERATED[function.__name__] if code and code.co_filename == "<string>" else None


def is_generated(function: types.FunctionType) -> bool:
    """Whether a method was written by `dataclasses`."""
    return function.__code__.co_filename == "<string>" and function.__name__ in (
        "__init__",
        *GENERATED,
    )


def initialise(
    tracing: Tracing, made: Any, initialiser: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """The `__init__` of a dataclass: its fields in order, then `__post_init__`."""
    try:
        given = inspect.signature(initialiser).bind(made, *args, **kwargs).arguments
    except TypeError:
        initialiser(made, *args, **kwargs)  # Python's own error
        raise
    frozen = type(made).__dataclass_params__.frozen
    passed_on = []
    for field in type(made).__dataclass_fields__.values():
        kind = getattr(field, "_field_type").name  # noqa: B009 - private, and stable since 3.7
        value = given.get(field.name, field.default) if field.init else field.default
        if field.default_factory is not dataclasses.MISSING:
            value = given[field.name] if field.name in given else call(field.default_factory)
        if kind == "_FIELD_INITVAR":
            passed_on.append(value)
        elif kind == "_FIELD" and value is not dataclasses.MISSING and _is_set(made, field):
            if frozen:
                store_plain(tracing, value, made, field.name)
            else:
                set_attr(value, made, field.name)
    after = special_method(type(made), "__post_init__")
    if after is not None:
        call(after, made, *passed_on)


def _is_set(made: Any, field: dataclasses.Field[Any]) -> bool:
    """Whether `__init__` sets a field: one that is no parameter keeps the class's default."""
    by_factory = field.default_factory is not dataclasses.MISSING
    return field.init or by_factory or "__slots__" in vars(type(made))
