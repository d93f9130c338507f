"""Containers whose contents are one of several: every use of them is a staged switch."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.effects.choice import Choice
from autograph.effects.places import ContentsPlace
from autograph.effects.switch import switch
from autograph.effects.tracing import Tracing

CONTAINERS = (list, dict, set, deque)


def chosen_contents(tracing: Tracing, container: Any) -> Choice | None:
    """The contents of a container if they are one of several, else None."""
    if not isinstance(container, CONTAINERS):
        return None
    contents = tracing.staged_items.get(id(container))
    return contents if isinstance(contents, Choice) else None


def with_each(
    tracing: Tracing, container: Any, contents: Choice, action: Callable[[], Any]
) -> Any:
    """Run `action` for each of the contents that `container` may have; the results are merged."""
    place = ContentsPlace(container, tracing)

    def using(option: Any) -> Callable[[], Any]:
        def run() -> Any:
            tracing.touch(place)
            place.set(option)
            result = action()
            if place.same(option, place.get()):
                place.set(contents)  # it was only read
            return result

        return run

    index = tracing.region.trace.lift(contents.tag._value)
    return switch(tracing, index, [using(option) for option in contents.options])
