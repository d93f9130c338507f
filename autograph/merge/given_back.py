"""What a recursive function gives back of what it is given: the very objects of each call.

In the graph of the function its arguments are values. Where its result, or a variable that it
changes, holds one of them, the types say so by the place of the argument; a call finds there the
object that it has passed: `def last(node): return node if node.next is None else last(node.next)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.merge.freeze import Freezer
from autograph.merge.join import Joining, find_option
from autograph.merge.thaw import Thawer
from autograph.runtime.core.number import Number
from autograph.values.skeleton import (
    OPTION,
    Again,
    Cell,
    Choices,
    Fixed,
    Leaf,
    Made,
    Path,
    Skeleton,
)


def _label(name: str) -> str:
    return f"argument {name}"


def freeze_arguments(freezer: Freezer, arguments: Mapping[str, Any]) -> list[Skeleton]:
    """The arguments by their values; what is frozen after them may be one of them again."""
    return [freezer.freeze_at(_label(name), value) for name, value in arguments.items()]


@dataclass(frozen=True, slots=True)
class Given:
    """What one call passes: the arguments by name, what they were frozen to, and which objects
    stood where then."""

    arguments: Mapping[str, Any]
    frozen: Sequence[Skeleton]
    objects: Mapping[Path, Any]


def note_arguments(thawer: Thawer, given: Given, targets: Sequence[Skeleton]) -> None:
    """Let the result of a call find the objects that the call was given.

    `targets` are the types of the arguments in the graph.
    """
    for name, target, one in zip(given.arguments, targets, given.frozen, strict=True):
        _note(thawer, given.objects, target, one, (_label(name),))


def _note(
    thawer: Thawer, objects: Mapping[Path, Any], target: Skeleton, frozen: Skeleton, path: Path
) -> None:
    if isinstance(frozen, Choices):
        assert frozen.tag is not None
        for number, option in enumerate(frozen.options):
            with thawer.made.option(Number(frozen.tag), number):
                _note(thawer, objects, target, option, path)
        return
    if isinstance(target, Choices):
        place = find_option(target.options, frozen, Joining())
        if place is not None:
            wanted = target.options[place]
            _note(thawer, objects, wanted, frozen, (*path, (OPTION, place)))
        return
    found = _object_of(objects, frozen)
    if found is not None:
        thawer.note((path,), found)
    items, wanted_items = getattr(frozen, "items", ()), getattr(target, "items", ())
    if len(items) == len(wanted_items):
        for number, (item, wanted) in enumerate(zip(items, wanted_items, strict=True)):
            _note(thawer, objects, wanted, item, (*path, number))


def _object_of(objects: Mapping[Path, Any], frozen: Skeleton) -> Any:
    """The object that was frozen to this; None for what has no identity."""
    match frozen:
        case Again(path=path):
            return objects.get(path)
        case Cell(tensor=tensor):
            return tensor
        case Fixed(value=value):
            return value
        case Leaf(paths=(path, *_)) | Made(paths=(path, *_)):
            return objects.get(path)
    return None
