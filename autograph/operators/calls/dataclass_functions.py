"""What `dataclasses.replace`, `asdict` and `astuple` mean: fields are read like any attribute."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from autograph.control.chosen_contents import chosen_contents, with_each
from autograph.conversion.convert import do_not_convert
from autograph.library import keyed, sequences
from autograph.operators.builtins.copying import deep
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.attributes import load
from autograph.operators.expressions.items import item
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.plain_iteration import iterate
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

Model = Callable[..., Any]


def _is_instance(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _replace(tracing: Tracing, value: Any, /, **changes: Any) -> Any:
    """`dataclasses.replace(value, **changes)`."""
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _replace(tracing, one, **changes))
    if not _is_instance(value):
        raise TypeError("replace() should be called on dataclass instances")
    for field in dataclasses.fields(value):
        if not field.init and field.name in changes:
            raise ValueError(
                f"field {field.name} is declared with init=False, it cannot be specified "
                "with replace()"
            )
        if field.init and field.name not in changes:
            changes[field.name] = load(tracing, value, field.name)
    return call(type(value), **changes)


def _fields(tracing: Tracing, class_or_instance: Any) -> Any:
    """`dataclasses.fields`, which asks the class alone."""
    one = class_or_instance
    if isinstance(one, Choice):
        return choose(tracing, one, lambda option: _fields(tracing, option))
    return dataclasses.fields(type(one) if _is_instance(one) else one)


def _is_dataclass(tracing: Tracing, obj: Any) -> Any:
    if isinstance(obj, Choice):
        return choose(tracing, obj, lambda option: _is_dataclass(tracing, option))
    return dataclasses.is_dataclass(obj if isinstance(obj, type) else type(obj))


def _as_dict(tracing: Tracing, obj: Any, *, dict_factory: Any = dict) -> Any:
    def made(one: Any, inner: Callable[[Any], Any]) -> Any:
        names = [field.name for field in dataclasses.fields(one)]
        return call(
            dict_factory,
            tracing.born([(name, inner(load(tracing, one, name))) for name in names]),
        )

    return _taken_apart(tracing, obj, made, "asdict")


def _as_tuple(tracing: Tracing, obj: Any, *, tuple_factory: Any = tuple) -> Any:
    def made(one: Any, inner: Callable[[Any], Any]) -> Any:
        fields = [inner(load(tracing, one, field.name)) for field in dataclasses.fields(one)]
        return call(tuple_factory, tracing.born(fields))

    return _taken_apart(tracing, obj, made, "astuple")


def _taken_apart(tracing: Tracing, value: Any, made: Any, name: str) -> Any:
    """Instances in it become what `made` gives; containers are copied, the rest deeply."""

    def inner(one: Any) -> Any:
        if isinstance(one, Choice):
            return choose(tracing, one, inner)
        if _is_instance(one):
            return made(one, inner)
        if isinstance(one, tuple):
            parts = [inner(part) for part in one]
            return type(one)._make(parts) if hasattr(one, "_make") else type(one)(parts)
        if not isinstance(one, list | dict):
            return deep(tracing, one)
        contents = chosen_contents(tracing, one)
        if contents is not None:
            return with_each(tracing, one, contents, lambda: inner(one))
        if tracing.contents(one) is not None:
            each = sequences.each_of if isinstance(one, list) else keyed.each_pair
            copied = call(each, do_not_convert(inner), one)
            return copied if type(one) in (list, dict) else call(type(one), copied)
        if isinstance(one, list):
            return call(type(one), tracing.born([inner(part) for part in iterate(one)]))
        pairs = [(inner(key), inner(item(one, key))) for key in list(iterate(one))]
        return call(type(one), tracing.born(pairs))

    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _taken_apart(tracing, one, made, name))
    if not _is_instance(value):
        raise TypeError(f"{name}() should be called on dataclass instances")
    return inner(value)


DATACLASS_MODELS: dict[Any, Model] = {
    dataclasses.fields: _fields,
    dataclasses.is_dataclass: _is_dataclass,
    dataclasses.replace: _replace,
    dataclasses.asdict: _as_dict,
    dataclasses.astuple: _as_tuple,
}
