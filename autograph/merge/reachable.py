"""What values refer to in stores, and what is referred to from there."""

from __future__ import annotations

from typing import Any

from autograph.tracing.places import ContentsPlace, StagedItems
from autograph.tracing.tracing import Tracing
from autograph.values.references import StoreKey, parts_in
from autograph.values.skeleton import Reference, Skeleton


def reached(tracing: Tracing, *values: Skeleton) -> dict[StoreKey, Any]:
    """What the stores hold now that some values refer to, and those that these refer to."""
    found: dict[StoreKey, Any] = {}
    waiting = list(values)
    while waiting:
        for part in parts_in(waiting.pop()):
            if isinstance(part, Reference) and part.key not in found:
                contents = ContentsPlace(tracing.stores[part.key].items, tracing).get()
                found[part.key] = contents
                if isinstance(contents, StagedItems):
                    waiting.append(contents.element)
    return found
