"""What gradients are asked for: tensors in nested containers, dataclasses and modules.

Reading an object is logged while tracing, so a `Reading` does it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from autograph.runtime.control.structure import ordered
from autograph.runtime.core.tensor import Tensor

Build = Callable[[Iterator[Any]], Any]


class Reading:
    """How an object is looked into, and a new one made: as Python does it."""

    def contents(self, container: Any) -> Any:
        """A list or dict that is about to be gone through."""
        return container

    def attribute(self, owner: Any, name: str) -> Any:
        """`owner.name`."""
        return getattr(owner, name)

    def variables(self, module: Any) -> Mapping[str, Any]:
        """`module.named_variables()`."""
        named: Mapping[str, Any] = module.named_variables()
        return named

    def made(self, item: Any) -> Any:
        """A container or object that was made just now."""
        return item


def is_object(item: Any) -> bool:
    """Whether an item is taken apart by its attributes: a dataclass or a module."""
    if isinstance(item, type | Tensor):
        return False
    return dataclasses.is_dataclass(item) or callable(getattr(type(item), "named_variables", None))


def taken_apart(nested: Any, reading: Reading) -> tuple[list[Any], Build]:
    """The leaves of `nested`, and what puts as many others together as they were nested.

    Of the fields of a dataclass those count that hold float tensors; the others become None, but
    for what is nested. A module becomes a dict of its trainable Variables by name.
    """
    leaves: list[Any] = []
    return leaves, _collect(nested, leaves, reading, False)


def _collect(item: Any, leaves: list[Any], reading: Reading, inside: bool) -> Build:
    if isinstance(item, list | tuple):
        return _sequence(reading.contents(item), leaves, reading, inside)
    if isinstance(item, dict):
        return _mapping(reading.contents(item), leaves, reading, inside)
    if is_object(item):
        if dataclasses.is_dataclass(item):
            return _fields(item, leaves, reading)
        named = reading.variables(item)
        chosen = {name: one for name, one in named.items() if one.trainable and _is_float(one)}
        return _mapping(chosen, leaves, reading, True)
    if inside and not _is_float(item):
        return lambda found: None
    leaves.append(item)
    return lambda found: next(found)


def _is_float(item: Any) -> bool:
    return isinstance(item, Tensor) and item.dtype.kind == "f"


def _sequence(item: Any, leaves: list[Any], reading: Reading, inside: bool) -> Build:
    parts = [_collect(one, leaves, reading, inside) for one in item]
    kind = type(item)

    def build(found: Iterator[Any]) -> Any:
        values = [part(found) for part in parts]
        if isinstance(item, list):
            return reading.made(values)
        return kind(*values) if hasattr(item, "_fields") else tuple(values)

    return build


def _mapping(item: dict[Any, Any], leaves: list[Any], reading: Reading, inside: bool) -> Build:
    parts = {key: _collect(item[key], leaves, reading, inside) for key in ordered(item)}

    def build(found: Iterator[Any]) -> Any:
        values = {key: part(found) for key, part in parts.items()}
        return reading.made({key: values[key] for key in item})

    return build


def _fields(item: Any, leaves: list[Any], reading: Reading) -> Build:
    names = [one.name for one in dataclasses.fields(item)]
    parts = [_collect(reading.attribute(item, one), leaves, reading, True) for one in names]
    kind = type(item)

    def build(found: Iterator[Any]) -> Any:
        made = reading.made(object.__new__(kind))
        for name, part in zip(names, parts, strict=True):
            object.__setattr__(made, name, part(found))
        return made

    return build
