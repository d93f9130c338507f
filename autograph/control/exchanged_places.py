"""Tensors that exchange their places turn by turn: what one of them may be, all of them may be.

In each turn of a bubble sort an item may come from one place further away, so that the types of the
items would settle after as many rounds as there are items.
"""

from __future__ import annotations

from dataclasses import replace

from autograph.runtime.core.tensor import Tensor
from autograph.values.skeleton import Cell, Group, Held, Leaf, Made, Skeleton, candidates


def pooled(target: Skeleton, before: Skeleton) -> Skeleton:
    """A type in which tensors that may be others than before may be any of those."""
    return _Pool(target, before).put(target, before)


class _Pool:
    """The objects from outside that the tensors of a type may be, where these got more."""

    def __init__(self, target: Skeleton, before: Skeleton) -> None:
        self.objects: dict[int, Tensor] = {}
        self._gather(target, before)

    def _gather(self, target: Skeleton, before: Skeleton) -> None:
        if isinstance(target, Leaf):
            if _is_wider(target, before):
                found = (one for one in target.same if isinstance(one, Tensor))
                self.objects.update((id(one), one) for one in found)
        elif isinstance(target, Made | Group | Held) and isinstance(before, type(target)):
            for one, other in zip(target.items, before.items, strict=False):
                self._gather(one, other)

    def put(self, target: Skeleton, before: Skeleton) -> Skeleton:
        """The type with these in place of the tensors that got more."""
        if isinstance(target, Leaf):
            if not _is_wider(target, before):
                return target
            known = set(map(id, target.same))
            more = (one for key, one in self.objects.items() if key not in known)
            return replace(target, same=(*target.same, *more))
        if not isinstance(target, Made | Group | Held) or not isinstance(before, type(target)):
            return target
        if len(target.items) != len(before.items):
            return target
        pairs = zip(target.items, before.items, strict=True)
        return replace(target, items=tuple(self.put(one, other) for one, other in pairs))


def _is_wider(target: Leaf, before: Skeleton) -> bool:
    known = candidates(before) if isinstance(before, Leaf | Cell) else ()
    return len(target.same) > len(known)
