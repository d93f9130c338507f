"""Loops that may be staged only if the containers of known length keep that."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from autograph.errors import StagingError
from autograph.runtime.core.spec import Spec
from autograph.tracing.places import ContentsPlace, Items, StagedItems
from autograph.tracing.region import Checkpoint, Region
from autograph.tracing.tracing import Tracing
from autograph.values.skeleton import Choices, Fixed, Group, Leaf, Skeleton


def keeping_lengths(
    tracing: Tracing,
    loop: Callable[[], Any],
    numbers: bool = False,
    several: Collection[int] = (),
) -> Any:
    """What a staged loop gives; StagingError where it makes a known container longer.

    `numbers`: of one that holds nothing but numbers, strings and tuples of them it may, since
    none of these is an object that others may ask for. `several`: the containers, by id, of which
    only the run tells what they hold after a turn that is written out.
    """
    outer, tracing.writes_out = tracing.writes_out, not several
    try:
        code = loop()
    finally:
        tracing.writes_out = outer
    for place, old in tracing.region.log.values():
        new = place.get() if isinstance(place, ContentsPlace) else None
        if isinstance(new, StagedItems) and not isinstance(old, StagedItems):
            allowed = id(place.owner) in several or (numbers and _holds_numbers(new.element))
            if not allowed:
                raise StagingError("a container gets a staged length")
    return code


EXPLODING = 4
"""A turn that is this many times as long as the one before tells that the next ones explode."""
LONG = 1000
"""So many nodes has a turn that counts for that."""


class Growth:
    """Whether the turns of a loop that is written out get longer and longer.

    Each stages a choice of what those before may have done, as where a list is changed at a
    place that the run tells.
    """

    def __init__(self) -> None:
        self.last = 0
        self.explodes = False

    def note(self, begun: Checkpoint) -> None:
        """Note a turn that began there, and is over."""
        now = begun.count()
        self.explodes = now > LONG and now > EXPLODING * self.last > 0
        self.last = now


def of_unknown_contents(region: Region) -> set[int]:
    """The containers, by id, that were changed in a region, and of which the run tells what they
    hold."""
    return {
        id(place.owner)
        for place, _ in region.log.values()
        if isinstance(place, ContentsPlace) and not isinstance(place.get(), Items)
    }


def _holds_numbers(element: Skeleton) -> bool:
    match element:
        case Leaf(spec=spec):
            return isinstance(spec, Spec) and spec.python
        case Fixed(value=value):
            return value is None or type(value) in (bool, int, float, complex, str)
        case Group(items=parts) | Choices(options=parts):
            return all(map(_holds_numbers, parts))
    return False
