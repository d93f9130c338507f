"""What `dataclasses.replace`, `asdict` and `astuple` mean: fields are read like any attribute."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.effects.choice import Choice
from autograph.effects.tracing import Tracing
from autograph.operators.attributes import load
from autograph.operators.conditions import choose
from autograph.operators.copying import deep
from autograph.operators.dispatch import call
from autograph.operators.items import item
from autograph.operators.iteration import iterate

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


def _as_dict(tracing: Tracing, value: Any, *, dict_factory: Any = dict) -> Any:
    def made(one: Any, inner: Callable[[Any], Any]) -> Any:
        names = [field.name for field in dataclasses.fields(one)]
        return call(
            dict_factory,
            tracing.born([(name, inner(load(tracing, one, name))) for name in names]),
        )

    return _taken_apart(tracing, value, made, "asdict")


def _as_tuple(tracing: Tracing, value: Any, *, tuple_factory: Any = tuple) -> Any:
    def made(one: Any, inner: Callable[[Any], Any]) -> Any:
        fields = [inner(load(tracing, one, field.name)) for field in dataclasses.fields(one)]
        return call(tuple_factory, tracing.born(fields))

    return _taken_apart(tracing, value, made, "astuple")


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
        staged = tracing.contents(one) is not None
        if type(one) in (list, set, deque) and not staged:
            return tracing.born(type(one)([inner(part) for part in iterate(one)]))
        if type(one) is dict and not staged:
            pairs = [(inner(key), inner(item(one, key))) for key in list(iterate(one))]
            return tracing.born(dict(pairs))
        return deep(tracing, one)

    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _taken_apart(tracing, one, made, name))
    if not _is_instance(value):
        raise TypeError(f"{name}() should be called on dataclass instances")
    return inner(value)


DATACLASS_MODELS: dict[Any, Model] = {
    dataclasses.replace: _replace,
    dataclasses.asdict: _as_dict,
    dataclasses.astuple: _as_tuple,
}
