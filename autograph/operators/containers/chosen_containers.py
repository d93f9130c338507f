"""Containers of which one is meant, of one length: gone over item by item.

Each item is one of several values then, and what is done with it is traced once, not once for each
container.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator, Sequence
from typing import Any

from autograph.control.chosen_contents import DictView
from autograph.errors import StateError
from autograph.operators.calls.dispatch import call
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice


class Aligned:
    """The items of a choice of lists or tuples of one length, or of dicts with the same keys."""

    __slots__ = ("backwards", "choice", "keys", "kind", "tracing")

    def __init__(
        self, tracing: Tracing, choice: Choice, kind: str, keys: tuple[Any, ...] | None
    ) -> None:
        self.tracing = tracing
        self.choice = choice
        self.kind = kind
        self.keys = keys
        self.backwards = False

    @classmethod
    def of(cls, tracing: Tracing, iterable: Any) -> Aligned | None:
        """The items of a choice, if they are aligned now."""
        choice, kind = iterable, "keys"
        if isinstance(iterable, DictView):
            choice, kind = iterable.container, iterable.kind
        if not isinstance(choice, Choice):
            return None
        places = _common_places(tracing, choice)
        if places is None:
            return None
        keyed = isinstance(choice.options[0], dict)
        return cls(tracing, choice, kind, tuple(places) if keyed else None)

    def reversed(self) -> Aligned:
        """The same items, the last one first."""
        found = Aligned(self.tracing, self.choice, self.kind, self.keys)
        found.backwards = not self.backwards
        return found

    def places(self) -> Sequence[Any] | None:
        """The index or key of each item; None where something has changed the containers apart."""
        found = _common_places(self.tracing, self.choice)
        changed = found is None or (self.keys is not None and self.keys != tuple(found))
        return None if changed else found

    def at(self, number: int) -> Any:
        """The item of this number; StopIteration where there is none."""
        places = self.places()
        if places is None:
            raise StateError(
                "a container that is one of several, depending on a staged condition, is changed "
                "while it is gone over",
                remedy="go over a copy of it: for item in list(items)",
            )
        if number >= len(places):
            raise StopIteration
        return self._item(places[-1 - number if self.backwards else number])

    def _item(self, place: Any) -> Any:
        if self.keys is not None and self.kind == "keys":
            return place
        value = call(operator.getitem, self.choice, place)
        return (place, value) if self.kind == "items" else value

    def __iter__(self) -> Iterator[Any]:
        for number in itertools.count():
            try:
                item = self.at(number)
            except StopIteration:
                return
            yield item


def _common_places(tracing: Tracing, choice: Choice) -> Sequence[Any] | None:
    """The index or key of each item; None where the containers are not aligned."""
    found: Sequence[Any] | None = None
    for one in choice.options:
        here = _places(tracing, one)
        if here is None or (found is not None and found != here):
            return None
        found = here
    return found


def _places(tracing: Tracing, container: Any) -> Sequence[Any] | None:
    """The indices or keys of a plain container."""
    kind = type(container)
    if not isinstance(container, list | tuple | dict) or hasattr(kind.__iter__, "__code__"):
        return None
    if id(container) in tracing.references:
        return None  # it may be none of a store's: its row is looked at where it is the one
    if isinstance(container, list | dict):
        if tracing.contents(container) is not None:
            return None
        read_contents(tracing, container)
    return list(container) if isinstance(container, dict) else range(len(container))
