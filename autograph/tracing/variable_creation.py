"""Variables made in a staged call: once, by the first call that comes there.

A call that makes Variables is traced, run and forgotten. What is remembered is in which
circumstances it made them: a call in the same ones that makes them again would make them at every
call.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Sequence
from typing import Any, Protocol

from autograph.errors import StateError
from autograph.runtime.core.location import Location
from autograph.runtime.core.tensor import Tensor

REMEDY = (
    "keep it where the next call finds it: `if self.v is None: self.v = ag.Variable(...)`; "
    "or make it under `with ag.init_scope():`, which is done once for each trace"
)
MAXIMUM_REMEMBERED = 256


class Making(Protocol):
    """What this needs of the trace of a call."""

    makes: list[Location | None]
    exact_key: Any

    def matches(self, arguments: tuple[Any, ...]) -> bool:
        """Whether the state that the trace read is as it was."""


class Creations:
    """Where one staged function made Variables, and in which calls."""

    turns = 0
    """How many calls made Variables, of any function."""

    def __init__(self) -> None:
        self._always: dict[Location | None, None] = {}
        """Lines that were seen to make one at every call."""
        self._calls: list[tuple[Hashable, tuple[Any, ...], dict[Location | None, None]]] = []

    def refuse_again(self, key: Hashable, arguments: Sequence[Any], place: Location | None) -> None:
        """StateError where a call makes a Variable that an earlier one made."""
        for known, objects, places in self._calls:
            if known == key and _are(objects, arguments):
                first = next(iter(places), None)
                raise _again(place, place if place in places else first)
        if place in self._always:
            raise _again(place, place)

    def note(self, concrete: Making, arguments: tuple[Any, ...]) -> None:
        """Remember a call that made Variables."""
        Creations.turns += 1
        places = dict.fromkeys(concrete.makes)
        if concrete.matches(arguments):  # and would make them at the next call
            self._always.update(places)
        self._calls.append((concrete.exact_key, tuple(map(_remembered, arguments)), places))
        del self._calls[:-MAXIMUM_REMEMBERED]


def _again(place: Location | None, first: Location | None) -> StateError:
    return StateError(
        "a Variable is made again, where an earlier call made one: it would be a new one at every "
        "call",
        location=place,
        sides=[] if first is None or first == place else [("an earlier call made one", first)],
        remedy=REMEDY,
    )


def _remembered(argument: Any) -> Any:
    """What tells an object from others later, without keeping it alive."""
    if isinstance(argument, Tensor | bool | int | float | str | type(None)):
        return None  # the key tells
    try:
        return weakref.ref(argument)
    except TypeError:
        return _UNKNOWN


_UNKNOWN = object()
"""In the place of an argument that cannot be recognised: a list, a dict."""


def _are(objects: Sequence[Any], arguments: Sequence[Any]) -> bool:
    """Whether the remembered arguments are those given."""
    if len(objects) != len(arguments):
        return False
    return all(
        known is None or (known is not _UNKNOWN and known() is one)
        for known, one in zip(objects, arguments, strict=True)
    )
