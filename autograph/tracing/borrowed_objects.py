"""What a trace did to the user's own objects, and how they are given back."""

from __future__ import annotations

from typing import Any

from autograph.tracing.places import Key, Place


class Borrowed:
    """Places that were written or that hold what stands for their values, until the trace ends."""

    def __init__(self) -> None:
        self._written: dict[Key, tuple[Place, Any]] = {}
        self._substituted: list[tuple[Place, Any]] = []
        self._items: list[tuple[Any, Any, Any, Any]] = []
        self.given_back = False

    def touch(self, place: Place) -> None:
        """Note what a place holds, before it is written for the first time in any region."""
        if place.key not in self._written:
            self._written[place.key] = (place, place.get())

    def substitute(self, place: Place, value: Any) -> None:
        """Let a place hold what stands for its value."""
        self._substituted.append((place, place.get()))
        place.set(value)

    def replaced(self, container: Any, key: Any, value: Any, standing: Any) -> None:
        """Note that an item of a container was put in the place of another."""
        self._items.append((container, key, value, standing))

    def give_back(self, interrupted: bool) -> None:
        """Make every object as it was; `interrupted`: there are regions that were not left."""
        for place, old in reversed(self._written.values()) if interrupted else ():
            if not place.same(old, place.get()):
                place.set(old)
        for container, key, value, standing in reversed(self._items):
            for number, held in list(_entries(container)):
                if number == key and held is standing:
                    container[key] = value
        for place, value in reversed(self._substituted):
            place.set(value)
        self.given_back = True


def _entries(container: Any) -> Any:
    return container.items() if isinstance(container, dict) else enumerate(container)
