"""How many different Python values one value may be, as a staged condition or loop leaves it."""

from __future__ import annotations

from collections import deque
from types import GeneratorType

from autograph.errors import MergeError
from autograph.strings.growing_strings import is_string
from autograph.values.marks import declared
from autograph.values.references import FoundReferences
from autograph.values.skeleton import Again, Choices, Fixed, Group, Made, Skeleton

MAXIMUM_OPTIONS = 16
MOST_KNOWN = 64
"""Of objects that are known while tracing."""
MOST_LENGTHS = 3
"""Of lists that an element of a container of staged length may be, before it refers to them."""
MOST_TUPLES = 4
"""Of lengths that a tuple may have there: those that grow from turn to turn never settle."""
MOST_LEVELS = 5
"""Of choices in tuples of choices: a type that holds itself would never settle."""
MOST_STRINGS = 128
"""Of known strings that an element of a container of staged length may be."""


def check_count(options: list[Skeleton], what: str, in_list: bool) -> None:
    """Raise for more options than are merged: FoundReferences where they could be referred to.

    `in_list`: they are elements of a container of staged length. Raises MergeError otherwise.
    """
    tuples = [one for one in options if isinstance(one, Group) and one.kind is tuple]
    if in_list and len({len(one.items) for one in tuples}) > MOST_TUPLES:
        raise MergeError(
            f"{what} may be a tuple of more than {MOST_TUPLES} lengths after a staged condition "
            "or loop",
            remedy="make it a list, which may be of any length",
        )
    if _levels(tuple(options), MOST_LEVELS + 1) > MOST_LEVELS:
        raise MergeError(
            f"{what} may be a tuple in a tuple, and so on to any depth, after a staged condition "
            "or loop",
            remedy="keep the parts in lists, or make lists of numbers and lists of tuples apart",
        )
    most = MAXIMUM_OPTIONS
    if all(isinstance(one, Fixed) for one in options):
        most = MOST_STRINGS if in_list and all(map(is_string, options)) else MOST_KNOWN
    error = MergeError(
        f"{what} may be any of more than {most} different Python values "
        "after a staged condition or loop",
        remedy="keep a number or a tensor that tells them apart, and make the values of it "
        "after the call",
    )
    if len(options) > most:
        kind = next(filter(None, map(_kind_of_object, options)), None)
        raise error if kind is None else FoundReferences(kind, (kind,), otherwise=error)
    lists = [one for one in options if isinstance(one, Made) and one.kind is list]
    if in_list and len(lists) > MOST_LENGTHS and not any(one.referred for one in lists):
        raise FoundReferences(list, otherwise=error)


def _kind_of_object(option: Skeleton) -> type | None:
    """The class of an object that could be referred to."""
    if isinstance(option, Fixed):
        kind = type(option.value)
        if issubclass(kind, GeneratorType | type) or declared(kind, "_keeps_identity") is not None:
            return None
        return kind if option.born or kind in (list, dict, set, deque) else None
    return option.kind if isinstance(option, Made | Again) else None


def _levels(parts: tuple[Skeleton, ...], most: int) -> int:
    """How many choices are in one another in some parts, at most so many."""
    if most <= 0:
        return 0
    found = 0
    for one in parts:
        if isinstance(one, Choices):
            found = max(found, 1 + _levels(one.options, most - 1))
        elif isinstance(one, Group):
            found = max(found, _levels(one.items, most))
        if found >= most:
            break
    return found
