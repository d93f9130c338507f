"""What the nodes of a saved graph refer to besides numbers: exceptions to raise, and prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.control.raising import DeadEnd, ExceptionFactory
from autograph.errors import StagingError
from autograph.keeping.errors import DamagedError, KeepingError
from autograph.keeping.functions.constants import (
    NotKept,
    constant_from_json,
    constant_to_json,
    described,
)
from autograph.keeping.functions.exceptions import error_from_json, error_to_json
from autograph.keeping.functions.structure import SkeletonReader, SkeletonWriter
from autograph.operators.builtins.printing import HostFunction, Print
from autograph.runtime.core.location import Location
from autograph.runtime.graph.ir import Graph
from autograph.values.skeleton import Skeleton

_OPTIONS = ("sep", "end", "flush")


class SavingError(StagingError, KeepingError):
    """A function, or a part of it, cannot be saved: the message names it and the user's line.

    A saved function is loaded without the Python code that it was made of. What needs that code
    cannot be saved: calls of `py_function`, arguments and results of the user's own classes, and
    Python values that the function changes.
    """


def attached_to_json(item: Any, graph: Graph) -> Any:
    """An object that a graph refers to. SavingError, with the line, for one without a form."""
    try:
        if isinstance(item, DeadEnd):
            return {"dead end": None}
        if isinstance(item, ExceptionFactory):
            if item.frozen is not None:
                return {"raises": SkeletonWriter().write(item.frozen)}
            return {"raises error": error_to_json(item.error)}
        if isinstance(item, Print):
            options = {key: constant_to_json(one) for key, one in item.options.items()}
            if options.keys() - set(_OPTIONS):
                raise NotKept("a print to a file")
            return {"prints": SkeletonWriter().write(item.arguments), "options": options}
        raise NotKept(_called(item))
    except NotKept as error:
        raise SavingError(
            f"{graph.name} needs {error}, and that is Python code, which cannot be saved",
            location=_place_of(item, graph),
            remedy="compute it with ag ops, or keep it out of the function that is saved",
        ) from None


def _called(item: Any) -> str:
    if isinstance(item, HostFunction):
        return f"py_function of {described(item.function)}"
    return described(item)


def _place_of(item: Any, graph: Graph) -> Location | None:
    """The user's line of the node that refers to an object."""
    waiting, seen = [graph], {graph}
    while waiting:
        for node in waiting.pop().nodes:
            if any(one is item for one in node.attributes.values()):
                return node.location
            fresh = [one for one in node.graphs if one not in seen]
            seen.update(fresh)
            waiting += fresh
    return None


def attached_from_json(item: Any) -> Any:
    """The object that `attached_to_json` wrote. DamagedError for anything else."""
    if isinstance(item, dict):
        if "dead end" in item:
            return DeadEnd()
        if "raises error" in item:
            return ExceptionFactory(error_from_json(item["raises error"]), None)
        if "raises" in item:
            return _Raised(SkeletonReader(0).read(item["raises"]))
        if "prints" in item:
            return Print(SkeletonReader(0).read(item["prints"]), _options(item.get("options")))
    raise DamagedError(f"{item!r:.80} is nothing that a graph refers to")


class _Raised(ExceptionFactory):
    """An exception of which only the structure is known."""

    def __init__(self, frozen: Skeleton) -> None:
        super().__init__(RuntimeError("an exception of a saved function"), frozen, _NoLines())


class _NoLines(Sequence[None]):
    """The user's lines that exceptions are raised on: they are not saved."""

    def __getitem__(self, number: Any) -> Any:
        return None

    def __len__(self) -> int:
        return 0


def _options(item: Any) -> dict[str, Any]:
    if not isinstance(item, dict) or item.keys() - set(_OPTIONS):
        raise DamagedError(f"{item!r:.80} are no options of print")
    return {key: constant_from_json(one) for key, one in item.items()}
