"""Loops that may be staged only if the containers of known length keep that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.errors import StagingError
from autograph.runtime.core.spec import Spec
from autograph.tracing.places import ContentsPlace, StagedItems
from autograph.tracing.tracing import Tracing
from autograph.values.skeleton import Choices, Fixed, Group, Leaf, Skeleton


def keeping_lengths(tracing: Tracing, loop: Callable[[], Any], numbers: bool = False) -> Any:
    """What a staged loop gives; StagingError where it makes a known container longer.

    `numbers`: of one that holds nothing but numbers, strings and tuples of them it may, since
    none of these is an object that others may ask for.
    """
    outer, tracing.writes_out = tracing.writes_out, True
    try:
        code = loop()
    finally:
        tracing.writes_out = outer
    for place, old in tracing.region.log.values():
        new = place.get() if isinstance(place, ContentsPlace) else None
        if isinstance(new, StagedItems) and not isinstance(old, StagedItems):
            if not (numbers and _holds_numbers(new.element)):
                raise StagingError("a container gets a staged length")
    return code


def _holds_numbers(element: Skeleton) -> bool:
    match element:
        case Leaf(spec=spec):
            return isinstance(spec, Spec) and spec.python
        case Fixed(value=value):
            return value is None or type(value) in (bool, int, float, complex, str)
        case Group(items=parts) | Choices(options=parts):
            return all(map(_holds_numbers, parts))
    return False
