"""Writes of a call: what is done to the user's places once a run has succeeded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograph.effects.places import (
    AttributePlace,
    CellPlace,
    ContentsPlace,
    NamePlace,
    Place,
    TensorPlace,
)
from autograph.effects.skeleton import Skeleton
from autograph.runtime.core.door import assign


@dataclass(slots=True)
class Write:
    """A place of the user's that the call changes, and the type of what it gets."""

    place: Place
    owner: int
    """The number of its owner among the given objects."""
    skeleton: Skeleton
    suffix: int = 0
    """For a list that was only appended to: how many items of it are to be kept as they are."""
    appends: bool = False


def commit(write: Write, owner: Any, value: Any) -> None:
    """Write a value to where the trace wrote it."""
    place = write.place
    if isinstance(place, TensorPlace):
        assign(owner, value)
    elif isinstance(place, CellPlace):
        CellPlace(owner, place.name).set(value)
    elif isinstance(place, NamePlace):
        NamePlace(owner, place.name).set(value)
    elif isinstance(place, AttributePlace):
        AttributePlace(owner, place.name).set(value)
    elif write.appends:
        list.extend(owner, value.values)
    else:
        ContentsPlace(owner, _NO_TRACING).set(value)


class _NoTracing:
    staged_items: dict[int, Any] = {}


_NO_TRACING: Any = _NoTracing()
