"""The classes of exceptions that a saved function may raise: Python's own, and this library's."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Any

from autograph.errors import StagingError
from autograph.keeping.errors import DamagedError
from autograph.keeping.functions.constants import (
    NotKept,
    constant_from_json,
    constant_to_json,
    described,
)
from autograph.runtime.core.variable import VariableError
from autograph.values.exception_objects import ORIGIN, new_exception, parts_of_exception
from autograph.values.exception_origins import Origins

_SPECIAL = ("__cause__", "__suppress_context__", "__context__", "__notes__", ORIGIN)


def _subclasses(kind: type) -> set[type]:
    found = {kind}
    below: list[type] = type.__subclasses__(kind)
    for one in below:
        if one.__module__.startswith("autograph."):
            found |= _subclasses(one)
    return found


def _ours() -> dict[str, type]:
    """The exceptions of this library: those that ops raise are Python's own, made finer."""
    python = [one for one in vars(builtins).values() if _is_exception(one)]
    found: set[Any] = {VariableError, *_subclasses(StagingError)}
    for base in python:
        found |= {one for one in _subclasses(base) if one.__module__.startswith("autograph.")}
    return {f"{one.__module__}.{one.__qualname__}": one for one in found}


def _is_exception(item: Any) -> bool:
    return isinstance(item, type) and issubclass(item, BaseException)


def name_of_class(kind: type) -> str | None:
    """What a saved function calls a class of exceptions; None where it cannot have it."""
    if getattr(builtins, kind.__name__, None) is kind:
        return str(kind.__name__)
    name = f"{kind.__module__}.{kind.__qualname__}"
    return name if _ours().get(name) is kind else None


def class_named(name: Any) -> Any:
    """The class that `name_of_class` named. DamagedError for anything else."""
    found = getattr(builtins, name, None) if isinstance(name, str) else None
    if not _is_exception(found):
        found = _ours().get(name) if isinstance(name, str) else None
    if found is None:
        raise DamagedError(f"{name!r:.80} is no class of exceptions that this library knows")
    return found


def check_parts(names: Iterable[Any]) -> tuple[str, ...]:
    """The names of what an exception is made of. DamagedError unless they are such names."""
    known = tuple(ORIGIN if one == ORIGIN else one for one in names)
    named = all(isinstance(one, str) for one in known)
    fit = named and all(one in _SPECIAL or not one.startswith("__") for one in known)
    if not fit or "args" not in known:
        raise DamagedError(f"{known!r:.80} are no parts of an exception")
    return known


def error_to_json(error: BaseException) -> Any:
    """An exception of known parts. NotKept for a class or a part that has no form on disk."""
    name = name_of_class(type(error))
    if name is None:
        raise NotKept(described(type(error)))
    parts = {}
    for key, part in parts_of_exception(error, Origins()).items():
        if key == ORIGIN:
            continue
        nested = isinstance(part, BaseException)
        parts[key] = {"error": error_to_json(part)} if nested else constant_to_json(part)
    return {"class": name, "parts": parts}


def error_from_json(item: Any) -> BaseException:
    """The exception that `error_to_json` wrote. DamagedError for anything else."""
    parts = item.get("parts") if isinstance(item, dict) else None
    if not isinstance(parts, dict):
        raise DamagedError(f"{item!r:.80} is no exception")
    check_parts(parts)
    made = {}
    for key, part in parts.items():
        nested = isinstance(part, dict) and "error" in part
        made[key] = error_from_json(part["error"]) if nested else constant_from_json(part)
    return new_exception(class_named(item.get("class")), made, made.values())
