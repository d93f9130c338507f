"""Writes of a call: what is done to the user's places once a run has succeeded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import Array, put
from autograph.runtime.arrays.layouts import looked_into
from autograph.runtime.core.door import assign
from autograph.tracing.places import (
    AttributePlace,
    CellPlace,
    ContentsPlace,
    NamePlace,
    Place,
    TensorPlace,
)
from autograph.values.sentinels import UNSET
from autograph.values.skeleton import Skeleton


@dataclass(slots=True)
class Write:
    """A kind of place that the call changes, and the type of what it gets.

    The place itself is made anew for each call: a trace keeps no object of the user's alive.
    """

    kind: type[Place]
    name: str
    """Of a variable or an attribute."""
    title: str
    """What the user calls the place; nothing for a tensor."""
    owner: int
    """The number of its owner among the given objects."""
    skeleton: Skeleton
    suffix: int = 0
    """For a list that was only appended to: how many items of it are to be kept as they are."""
    appends: bool = False
    moved: bool = False
    """For an attribute that was deleted and set again, and so comes last."""


def commit(writes: Sequence[Write], given: Sequence[Any], values: Sequence[Any]) -> None:
    """Write values to where the trace wrote them: all, or none where that is interrupted."""
    done: list[tuple[Write, Any, Any]] = []
    try:
        for write, value in zip(writes, values, strict=True):
            owner = given[write.owner]
            if isinstance(owner, np.ndarray):
                done.append((write, owner, owner.copy()))
                np.copyto(owner, value._value)
                continue
            if isinstance(owner, Array):  # that a tape watches
                whole = looked_into(owner)[0]
                done.append((write, whole, whole._value))
                put(owner, value)
                continue
            if write.kind is TensorPlace:
                done.append((write, owner, owner._value))
                assign(owner, value)
                continue
            if write.appends:
                done.append((write, owner, len(owner)))
                list.extend(owner, value.values)
                continue
            place = _place(write, owner)
            done.append((write, owner, place.get()))
            if write.moved:
                _place(write, owner).set(UNSET)
            place.set(value)
    except BaseException:
        for write, owner, before in reversed(done):
            if isinstance(owner, np.ndarray):
                np.copyto(owner, before)
            elif write.kind is TensorPlace:
                owner._value = before
            elif write.appends:
                del owner[before:]
            else:
                _place(write, owner).set(before)
        raise


def _place(write: Write, owner: Any) -> Place:
    kind = write.kind
    if kind is CellPlace or kind is NamePlace or kind is AttributePlace:
        return kind(owner, write.name)
    return ContentsPlace(owner, _NO_TRACING)


class _NoTracing:
    staged_items: dict[int, Any] = {}
    popped: dict[int, bool] = {}


_NO_TRACING: Any = _NoTracing()
