"""The position of each object in the frozen state, by which other names of it refer to it."""

from __future__ import annotations

from collections.abc import Iterator

from autograph.values.skeleton import Again, Choices, Group, Held, Leaf, Made, Path, Skeleton


def standing(skeleton: Skeleton) -> frozenset[Path]:
    """All the places where the objects of a type stood when they were frozen."""
    match skeleton:
        case Leaf(paths=paths):
            return frozenset(paths)
        case Made(items=items, paths=paths):
            return frozenset(paths).union(*map(standing, items))
        case Group(items=items) | Held(items=items):
            return frozenset().union(*map(standing, items))
        case Choices(options=options):
            return frozenset().union(*map(standing, options))
    return frozenset()


def tensors_in(
    skeleton: Skeleton, slot: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], Path, bool]]:
    """The tensors in a type: in which part, where frozen, and whether for the first time."""
    match skeleton:
        case Leaf(paths=paths):
            for path in paths:
                yield slot, path, True
        case Again(path=path):
            yield slot, path, False
        case Made(items=items) | Group(items=items) | Held(items=items) | Choices(options=items):
            for number, item in enumerate(items):
                yield from tensors_in(item, (*slot, number))
