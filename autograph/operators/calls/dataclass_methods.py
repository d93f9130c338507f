"""Methods that `dataclasses` writes: they have no source, but what they do is known."""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Callable
from typing import Any

from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.calls.user_hashing import note_key
from autograph.operators.expressions.arithmetic import COMPARISONS
from autograph.operators.expressions.attributes import load, set_attr, store_plain
from autograph.operators.expressions.boolean import and_, or_
from autograph.operators.expressions.container_comparison import equal_sequences
from autograph.operators.expressions.identity import is_
from autograph.operators.strings.formatting import joined, text_of
from autograph.operators.strings.snapshots import unless_under_way
from autograph.runtime.core.python_versions import EQUALITY_IS_THAT_OF_FIELDS
from autograph.tracing.tracing import Tracing

Model = Callable[..., Any]


def _equal(tracing: Tracing, written: type, left: Any, right: Any) -> Any:
    """`__eq__`: instances of one class are compared field by field."""
    if EQUALITY_IS_THAT_OF_FIELDS:
        return or_(is_(left, right), lambda: _equal_fields(tracing, written, left, right))
    if type(left) is not type(right):
        return NotImplemented
    names = [field.name for field in dataclasses.fields(written) if field.compare]
    return equal_sequences(
        COMPARISONS["eq"],
        tuple(load(tracing, left, name) for name in names),
        tuple(load(tracing, right, name) for name in names),
    )


def _equal_fields(tracing: Tracing, written: type, left: Any, right: Any) -> Any:
    """`left.x == right.x and left.y == right.y`."""
    if type(left) is not type(right):
        return NotImplemented

    def of_field(name: str) -> Callable[[], Any]:
        return lambda: COMPARISONS["eq"](load(tracing, left, name), load(tracing, right, name))

    names = [field.name for field in dataclasses.fields(written) if field.compare]
    if not names:
        return True
    first, *others = map(of_field, names)
    return and_(first(), *others)


def _text(tracing: Tracing, written: type, value: Any, _: Any = None) -> Any:
    """`__repr__`: the class and its fields."""

    def show() -> Any:
        parts: list[Any] = []
        for field in dataclasses.fields(written):
            if field.repr:
                start = ", " if parts else ""
                parts += [f"{start}{field.name}=", text_of(load(tracing, value, field.name), True)]
        return joined(f"{type(value).__qualname__}(", *parts, ")")

    return unless_under_way(value, "...", show)


def _ordered(name: str) -> Model:
    """`__lt__` and the like: instances of one class are compared as tuples of their fields."""

    def compare(tracing: Tracing, written: type, left: Any, right: Any) -> Any:
        if type(left) is not type(right):
            return NotImplemented
        names = [field.name for field in dataclasses.fields(written) if field.compare]
        fields = [tuple(load(tracing, one, each) for each in names) for one in (left, right)]
        return COMPARISONS[name](*fields)

    return compare


def _hash(tracing: Tracing, written: type, value: Any) -> Any:
    """`__hash__`: of the tuple of the fields."""
    fields = [one for one in dataclasses.fields(written) if one.compare and one.hash is not False]
    held = tuple(load(tracing, value, one.name) for one in fields)
    note_key(tracing, held)
    return hash(held)


def _initialise(tracing: Tracing, written: type, made: Any, *args: Any, **kwargs: Any) -> None:
    """`__init__`, called by that of a class derived from the dataclass."""
    initialise(tracing, written, made, vars(written)["__init__"], args, kwargs)


GENERATED: dict[str, Model] = {
    "__init__": lambda *args, **kwargs: _initialise(*args, **kwargs),
    "__eq__": _equal,
    "__repr__": _text,
    "__hash__": _hash,
    **{f"__{name}__": _ordered(name) for name in ("lt", "le", "gt", "ge")},
}


def generated_model(function: types.FunctionType, owner: Any) -> Model | None:
    """What a method means if `dataclasses` wrote it: for a class of `owner`, whose fields count."""
    name = function.__name__
    if name not in GENERATED or not dataclasses.is_dataclass(owner):
        return None
    inner: Any = getattr(function, "__wrapped__", function)
    code = getattr(inner, "__code__", None)
    if not code or code.co_filename != "<string>":
        return None
    kinds = [one for one in type.mro(type(owner)) if vars(one).get(name) is function]
    model, written = GENERATED[name], kinds[0] if kinds else type(owner)
    return lambda tracing, *args, **kwargs: model(tracing, written, *args, **kwargs)


def is_generated(function: types.FunctionType) -> bool:
    """Whether a method was written by `dataclasses`."""
    return function.__code__.co_filename == "<string>" and function.__name__ in GENERATED


def initialise(
    tracing: Tracing,
    written: Any,
    made: Any,
    initialiser: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> None:
    """The `__init__` that was `written` for a dataclass: its fields, then `__post_init__`."""
    try:
        given = inspect.signature(initialiser).bind(made, *args, **kwargs).arguments
    except TypeError:
        initialiser(made, *args, **kwargs)  # Python's own error
        raise
    frozen = written.__dataclass_params__.frozen
    passed_on = []
    for field in written.__dataclass_fields__.values():
        kind = getattr(field, "_field_type").name  # noqa: B009 - private, and stable since 3.7
        value = given.get(field.name, field.default) if field.init else field.default
        if field.default_factory is not dataclasses.MISSING:
            value = given[field.name] if field.name in given else call(field.default_factory)
        if kind == "_FIELD_INITVAR":
            passed_on.append(value)
        elif kind == "_FIELD" and value is not dataclasses.MISSING and _is_set(written, field):
            if frozen:
                store_plain(tracing, value, made, field.name)
            else:
                set_attr(value, made, field.name)
    after = special_method(type(made), "__post_init__")
    if after is not None:
        call(after, made, *passed_on)


def _is_set(written: type, field: dataclasses.Field[Any]) -> bool:
    """Whether `__init__` sets a field: one that is no parameter keeps the class's default."""
    by_factory = field.default_factory is not dataclasses.MISSING
    return field.init or by_factory or "__slots__" in vars(written)
