"""The order in which CPython goes over a set of numbers: see `kernels/library/set_order`."""

from __future__ import annotations

from typing import Any

from autograph.runtime.graph.trace import RunLimitError


def least_mask(count: int) -> int:
    """The last place of the smallest table that a set of so many members may have."""
    size = 8
    while count * 5 >= (size - 1) * 3:
        size *= 2
    return size - 1


def ascending(members: Any, most: Any) -> Any:
    """The members of a set of which each is its own place in the table: as they stand there."""
    known = [one for one in members]
    for place in range(len(known)):
        if known[place] > most or (place > 0 and known[place - 1] >= known[place]):
            raise RuntimeError("a set is gone over that other members were added to meanwhile")
    return known


def pop_first(members: Any) -> Any:
    """`members.pop()` of a set that nothing is added to: what stands first in its table."""
    known = list(members)
    if len(known) == 0:
        raise KeyError("pop from an empty set")
    members.remove(known[0])
    return known[0]


def in_order(members: Any, places: Any) -> Any:
    """The members, at their places in the table, one after the other."""
    known = [one for one in members]
    return [known[place] for place in places]


def check_no_nan(has_nan: Any) -> None:
    """A set of numbers that is gone over holds no NaN, whose hash is its address."""
    if has_nan:
        raise RunLimitError("a set with NaN is gone over: only Python knows where it stands there")
