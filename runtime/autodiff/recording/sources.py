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

    def counted(self, item: Any) -> Any:
        """An item in an object, if it counts, else None."""
        return item if _is_float(item) else None

    def variables(self, module: Any) -> Mapping[str, Any]:
        """`module.named_variables()`."""
        named: Mapping[str, Any] = module.named_variables()
        return named

    def made(self, item: Any) -> Any:
        """A container or object that was made just now."""
        return item


@dataclasses.dataclass(frozen=True, slots=True)
class _Taking:
    """The leaves that were found so far, and how others are."""

    leaves: list[Any]
    reading: Reading
    none_is_leaf: bool


def is_object(item: Any) -> bool:
    """Whether an item is taken apart by its attributes: a dataclass or a module."""
    if isinstance(item, type | Tensor):
        return False
    return dataclasses.is_dataclass(item) or callable(getattr(type(item), "named_variables", None))


def taken_apart(
    nested: Any, reading: Reading, none_is_leaf: bool = False
) -> tuple[list[Any], Build]:
    """The leaves of `nested`, and what puts as many others together as they were nested.

    Of the fields of a dataclass those count that hold float tensors; the others become None, but
    for what is nested. A module becomes a dict of its trainable Variables by name. A None in a
    container stays None, unless it is a leaf.
    """
    leaves: list[Any] = []
    return leaves, _collect(nested, _Taking(leaves, reading, none_is_leaf), False)


def _collect(item: Any, taking: _Taking, inside: bool) -> Build:
    if isinstance(item, list | tuple):
        return _sequence(taking.reading.contents(item), taking, inside)
    if isinstance(item, dict):
        return _mapping(taking.reading.contents(item), taking, inside)
    if is_object(item):
        if dataclasses.is_dataclass(item):
            return _fields(item, taking)
        named = taking.reading.variables(item)
        chosen = {name: one for name, one in named.items() if one.trainable and _is_float(one)}
        return _mapping(chosen, taking, True)
    if inside:
        item = taking.reading.counted(item)
        if item is None:
            return lambda found: None
    taking.leaves.append(item)
    return lambda found: next(found)


def _is_inside(item: Any, taking: _Taking, inside: bool) -> bool:
    """Whether only float tensors count: in an object, and where nothing is given."""
    return inside or (item is None and not taking.none_is_leaf)


def _is_float(item: Any) -> bool:
    return isinstance(item, Tensor) and item.dtype.kind == "f"


def _sequence(item: Any, taking: _Taking, inside: bool) -> Build:
    parts = [_collect(one, taking, _is_inside(one, taking, inside)) for one in item]
    kind = type(item)

    def build(found: Iterator[Any]) -> Any:
        values = [part(found) for part in parts]
        if isinstance(item, list):
            return taking.reading.made(values)
        return kind(*values) if hasattr(item, "_fields") else tuple(values)

    return build


def _mapping(item: dict[Any, Any], taking: _Taking, inside: bool) -> Build:
    parts = {
        key: _collect(item[key], taking, _is_inside(item[key], taking, inside))
        for key in ordered(item)
    }

    def build(found: Iterator[Any]) -> Any:
        values = {key: part(found) for key, part in parts.items()}
        return taking.reading.made({key: values[key] for key in item})

    return build


def _fields(item: Any, taking: _Taking) -> Build:
    names = [one.name for one in dataclasses.fields(item)]
    parts = [_collect(taking.reading.attribute(item, one), taking, True) for one in names]
    kind = type(item)

    def build(found: Iterator[Any]) -> Any:
        made = taking.reading.made(object.__new__(kind))
        for name, part in zip(names, parts, strict=True):
            object.__setattr__(made, name, part(found))
        return made

    return build
