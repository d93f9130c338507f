"""The mutable state that a call can reach: from its arguments and from what its code names.

Followed are containers, instances, closures, the globals that code names, and the user's own
functions, classes and modules. Not followed: libraries, and what has its state in C.
"""

from __future__ import annotations

import enum
import functools
import io
import itertools
import os
import sys
import sysconfig
import types
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.runtime.core.location import is_ours
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.ops.shaping.random import DEFAULT_GENERATOR, Generator
from autograph.tracing.lent_generators import is_lent
from autograph.tracing.places import base_of_dict
from autograph.tracing.reading import LIBRARIES
from autograph.values.marks import declared, is_staged_function

CONTENTS = (list, dict, set, deque, bytearray)
"""What is a container; its subclasses too."""
_GONE_THROUGH: tuple[Any, ...] = ([], (), "", b"", range(0), {}, {}.values(), {}.items(), set())
ITERATORS = (
    *(type(iter(one)) for one in _GONE_THROUGH),
    type(reversed([])),
    *(kind for kind in vars(itertools).values() if isinstance(kind, type)),
    enumerate,
    zip,
    map,
    filter,
    reversed,
)
ONCE = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
"""What can be gone through once, and not copied."""
ATOMS = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    type(Ellipsis),
    range,
    slice,
    np.generic,
)
OPEN_INSTANCES = frozenset({"types", "argparse", "collections", "dataclasses", "__main__"})
"""Libraries whose instances are plain data."""
IN_PLAIN_PYTHON = "autograph.nn."
"""The part of this package whose objects are followed like the user's own."""
_CODE = (types.FunctionType, staticmethod, classmethod, property)
_CACHED = type(functools.lru_cache(lambda: None))
_FOREIGN_FOLDERS = tuple(
    os.path.join(folder, "")
    for folder in {*map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))}
)


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that can change, and how the user gets to it."""

    item: Any
    path: str


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a namespace of a module."""

    namespace: dict[str, Any]
    name: str


class Reach:
    """All that a call can reach and that can change, each with its shortest path."""

    def __init__(self, function: types.FunctionType, arguments: Mapping[str, Any]) -> None:
        self.objects: dict[int, Found] = {}
        """Containers, instances, classes, tensors, arrays, by id. Each has a path of its own."""
        self.cells: dict[int, Found] = {}
        """The closure cells of functions."""
        self.names: dict[tuple[int, str], Found] = {}
        """Globals that code names: a Name each."""
        self.iterators: dict[int, Found] = {}
        self._seen: dict[int, Any] = {}
        self._paths: dict[str, int] = {}
        self._pending: deque[tuple[Any, str]] = deque()
        for name, value in arguments.items():
            self._pending.append((value, name))
        self._pending.append((function, function.__name__))
        self._pending.append((DEFAULT_GENERATOR.state, "the default generator"))
        while self._pending:
            self._visit(*self._pending.popleft())

    def places(self) -> list[Found]:
        """All that can change."""
        return [*self.objects.values(), *self.names.values(), *self.cells.values()]

    def _found(self, item: Any, path: str) -> None:
        number = self._paths[path] = self._paths.get(path, 0) + 1
        self.objects[id(item)] = Found(item, path if number == 1 else f"{path} ({number})")

    def path_of(self, item: Any) -> str | None:
        """The path of an object that was there before the call."""
        found = self.objects.get(id(item)) or self.iterators.get(id(item))
        return found.path if found is not None else None

    def stands_for(self, copied: Any, original: Any) -> None:
        """Take the copy of an iterator for the iterator itself."""
        self.iterators[id(copied)] = Found(copied, self.iterators[id(original)].path)

    def _visit(self, value: Any, path: str) -> None:
        if isinstance(value, (*ATOMS, enum.Enum, np.dtype)) or id(value) in self._seen:
            return
        self._seen[id(value)] = value
        if isinstance(value, Tensor | np.ndarray | io.StringIO):
            name = value.name if isinstance(value, Variable) else None
            self._found(value, f"Variable {name!r}" if name else path)
            own = getattr(value, "__dict__", {})  # of a class of Variables of the user's
            self._pending.extend((one, f"{path}.{key}") for key, one in own.items())
            return
        if is_lent(value):
            self._found(value, path)
            return
        if isinstance(value, (*ITERATORS, *ONCE)):
            self.iterators[id(value)] = Found(value, path)
            return
        self._pending.extend(self._parts(value, path))

    def _parts(self, value: Any, path: str) -> Iterator[tuple[Any, str]]:
        """What can be reached in one step."""
        if isinstance(value, types.FunctionType):
            yield from self._of_function(value, path)
        elif isinstance(value, types.MethodType):
            yield value.__self__, path
            yield value.__func__, path
        elif isinstance(value, types.ModuleType):
            return
        elif isinstance(value, type):
            yield from self._of_class(value, path)
        elif isinstance(value, functools.partial):
            yield from ((one, path) for one in (value.func, value.args, value.keywords))
        elif isinstance(value, property):
            yield from ((one, path) for one in (value.fget, value.fset, value.fdel) if one)
        elif isinstance(value, staticmethod | classmethod):
            yield value.__func__, path
        elif isinstance(value, functools.cached_property):
            yield value.func, path
        elif isinstance(value, _CACHED):
            yield value.__wrapped__, path
        elif is_staged_function(value):
            attributes = attributes_of(value)
            if attributes:
                self._found(value, path)
            yield from ((one, f"{path}.{name}") for name, one in attributes.items())
            yield value.__autograph_inline__, path
        elif isinstance(value, tuple | frozenset):
            yield from _items(value, path)
        else:
            yield from self._of_instance(value, path)

    def _of_instance(self, value: Any, path: str) -> Iterator[tuple[Any, str]]:
        if isinstance(value, CONTENTS):
            self._found(value, path)
            if not isinstance(value, bytearray):
                yield from _items(value, path)
        elif not is_open(type(value)):
            return
        attributes = attributes_of(value)
        if attributes:
            self._found(value, path)
        for name, one in attributes.items():
            yield one, f"{path}.{name}"
        yield type(value), type(value).__name__

    def _of_class(self, value: type, path: str) -> Iterator[tuple[Any, str]]:
        if not is_users(value):
            return
        self._found(value, path)
        for name, one in vars(value).items():
            if not name.startswith("__") or isinstance(one, _CODE):
                yield one, f"{path}.{name}"
        for base in value.__bases__:
            yield base, base.__name__

    def _of_function(self, function: types.FunctionType, path: str) -> Iterator[tuple[Any, str]]:
        if not is_users(function):
            if "__wrapped__" in vars(function):  # what a decorator, such as `grad`, is around
                yield function.__wrapped__, path  # type: ignore[attr-defined]
            return
        if function.__dict__:
            self._found(function, path)
        yield from ((one, f"{path}.{name}") for name, one in vars(function).items())
        yield from ((one, path) for one in function.__defaults__ or ())
        yield from ((one, path) for one in (function.__kwdefaults__ or {}).values())
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            self.cells.setdefault(id(cell), Found(cell, name))
            if (one := contents_of(cell)) is not cell:
                yield one, name
        yield from self._of_namespace(function.__globals__, names_in(function.__code__))

    def _of_namespace(
        self, namespace: dict[str, Any], names: frozenset[str], prefix: str = ""
    ) -> Iterator[tuple[Any, str]]:
        for name in sorted(names):
            key = (id(namespace), name)
            if name.startswith("__") or key in self.names:
                continue
            self.names[key] = Found(Name(namespace, name), f"{prefix}{name}")
            value = namespace.get(name)
            if isinstance(value, types.ModuleType):
                if is_users(value):
                    yield from self._of_namespace(vars(value), names, f"{prefix}{name}.")
            else:
                yield value, f"{prefix}{name}"


def _items(value: Any, path: str) -> Iterator[tuple[Any, str]]:
    if isinstance(value, dict):
        for key, one in contents(value):
            yield key, f"{path}[{key!r}]" if isinstance(key, ATOMS) else path
            yield one, f"{path}[{key!r}]" if isinstance(key, ATOMS) else f"{path}[…]"
        return
    fields = getattr(type(value), "_fields", None) if isinstance(value, tuple) else None
    for number, one in enumerate(contents(value)):
        yield one, f"{path}.{fields[number]}" if fields else f"{path}[{number}]"


def contents(container: Any) -> list[Any]:
    """What a container holds (a dict: its pairs), without the user's own methods."""
    if isinstance(container, dict):
        return list(base_of_dict(container).items(container))
    kinds = (list, tuple, set, frozenset, deque, bytearray)
    base = next(kind for kind in kinds if isinstance(container, kind))
    return list(base.__iter__(container))


def contents_of(cell: types.CellType) -> Any:
    """What a closure cell holds; the cell itself where it is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return cell


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes that an instance keeps itself, in its `__dict__` or in slots."""
    if is_staged_function(value):
        own = declared(value, "_own_names", vars(value))
        return {name: one for name, one in vars(value).items() if name not in own}
    try:
        found = dict(object.__getattribute__(value, "__dict__"))
    except AttributeError:
        found = {}
    if isinstance(value, functools.singledispatchmethod):
        found.pop("_method_cache", None)  # of what it would find again, by weak references
    for kind in type(value).__mro__:
        for name, slot in vars(kind).items():
            if isinstance(slot, types.MemberDescriptorType) and is_open(kind):
                try:
                    found[name] = slot.__get__(value, kind)
                except AttributeError:
                    pass
    return found


@functools.lru_cache(maxsize=4096)
def names_in(code: types.CodeType) -> frozenset[str]:
    """The names of globals and attributes in a function and in the functions inside it."""
    inner = (names_in(one) for one in code.co_consts if isinstance(one, types.CodeType))
    return frozenset(code.co_names).union(*inner)


def is_open(kind: type) -> bool:
    """Whether the attributes of instances of a class are followed."""
    if kind.__module__.startswith("_cython"):  # functions of modules that Cython compiled
        return False
    return is_users(kind) or kind.__module__ in OPEN_INSTANCES or kind is Generator


def is_users(item: Any) -> bool:
    """Whether a function, class or module is the user's own, not a library's."""
    if isinstance(item, types.ModuleType):
        return _is_users_file(getattr(item, "__file__", None) or "", item.__name__)
    module = getattr(item, "__module__", None) or ""
    if isinstance(item, types.FunctionType):
        return _is_users_file(item.__code__.co_filename, module)
    return _is_users_file(getattr(sys.modules.get(module), "__file__", None) or "", module)


def _is_users_file(filename: str, module: str) -> bool:
    if f"{module}.".startswith(IN_PLAIN_PYTHON):
        return True
    return module.partition(".")[0] not in LIBRARIES and not is_library(filename)


def is_library(filename: str) -> bool:
    """Whether a file is part of Python, of what is installed, or of this package."""
    return is_ours(filename) or filename.startswith(_FOREIGN_FOLDERS)
