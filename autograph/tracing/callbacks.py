"""What a function that `py_function` calls can reach, and what it may not touch.

A call reads Python's state when it starts and writes it at its end. A function that is called back
in between would see old state, and what it changes would not be seen.
"""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from autograph.errors import StateError
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.places import (
    AttributePlace,
    CellPlace,
    ContentsPlace,
    NamePlace,
    Place,
    TensorPlace,
)
from autograph.tracing.reading import LIBRARIES, package_of
from autograph.values.object_state import attributes_of

CONTAINERS = (list, tuple, set, frozenset, deque)
MAXIMUM = 10_000
"""How many objects are looked at."""


def refuse_touched(functions: Iterable[Any], written: Iterable[Place]) -> None:
    """StateError if a function that is called back mentions what the call writes."""
    places = list(written)
    for function in functions if places else ():
        reach = _Reach(function)
        for place in places:
            if reach.touches(place):
                name = getattr(function, "__qualname__", repr(function))
                raise StateError(
                    f"{name}, which py_function calls, uses {place.describe()}, which the staged "
                    "function changes: it would see what was there before the call",
                    remedy="give it what it needs in the inputs, and let it return what is new",
                )


class _Reach:
    """The objects that a function can reach by the names in its code."""

    def __init__(self, function: Any) -> None:
        self.names: set[str] = set()
        self.found: dict[int, Any] = {}
        size = (-1, -1)
        while size != (len(self.names), len(self.found)):
            size = (len(self.names), len(self.found))
            self.found = {}
            self._walk(function)

    def touches(self, place: Place) -> bool:
        """Whether the function may read or write a place."""
        if isinstance(place, AttributePlace):
            return id(place.owner) in self.found and place.name in self.names
        if isinstance(place, NamePlace):
            return id(place.owner) in self.found and place.name in self.names
        return isinstance(place, CellPlace | ContentsPlace | TensorPlace) and (
            id(place.owner) in self.found
        )

    def _walk(self, start: Any) -> None:
        pending = [start]
        while pending and len(self.found) < MAXIMUM:
            item = pending.pop()
            if id(item) not in self.found:
                self.found[id(item)] = item
                pending.extend(self._parts(item))

    def _parts(self, item: Any) -> Iterator[Any]:
        if isinstance(item, types.FunctionType):
            yield from self._parts_of_function(item)
        elif isinstance(item, types.MethodType):
            yield from (item.__func__, item.__self__)
        elif isinstance(item, types.BuiltinFunctionType):
            yield item.__self__
        elif isinstance(item, functools.partial):
            yield from (item.func, *item.args, *item.keywords.values())
        elif isinstance(item, types.CellType):
            try:
                yield item.cell_contents
            except ValueError:
                return
        elif isinstance(item, dict):
            yield from item.values()
        elif isinstance(item, CONTAINERS):
            yield from item
        elif isinstance(item, types.ModuleType):
            if package_of(item) not in LIBRARIES:
                yield from self._named(vars(item))
        elif not isinstance(item, Tensor | str | int | float):
            yield from self._parts_of_object(item)

    def _parts_of_function(self, function: types.FunctionType) -> Iterator[Any]:
        if package_of(function) in LIBRARIES:
            return
        names = set(_names(function.__code__))
        self.names |= names
        self.found[id(function.__globals__)] = function.__globals__
        for name in names:
            if name in function.__globals__:
                yield function.__globals__[name]
        yield from function.__closure__ or ()
        yield from function.__defaults__ or ()
        yield from (function.__kwdefaults__ or {}).values()

    def _parts_of_object(self, item: Any) -> Iterator[Any]:
        yield from self._named(attributes_of(item) or {})
        kinds = item.__mro__ if isinstance(item, type) else type(item).__mro__
        for kind in kinds:
            if package_of(kind) not in LIBRARIES:
                for member in self._named(vars(kind)):
                    yield member.fget if isinstance(member, property) else member

    def _named(self, namespace: Any) -> Iterator[Any]:
        yield from (value for name, value in list(namespace.items()) if name in self.names)
        special = namespace.get("__call__")
        if special is not None:
            yield special


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def refuse_changed(cells: list[Tensor], before: list[Any], intact: bool) -> None:
    """StateError if a function that was called back changed what the running call uses."""
    changed = False
    for cell, value in zip(cells, before, strict=True):
        if cell._value is not value:
            cell._value = value
            changed = True
    if changed or not intact:
        what = "a Variable or tensor" if changed else "Python state"
        raise StateError(
            f"a function that py_function called changed {what} that the running call uses",
            remedy="let it return what is new, and assign it in the staged function",
        )
