"""Sorting. Up to 63 items are compared in the order in which Python compares them.

The lists made here are seen by nobody else: sorted lists are made of them.
"""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.python_versions import FALLS_OVER_EQUALS


def order(keys: Any, backwards: Any) -> Any:
    """The places of the keys from the least to the greatest; equal ones stay in order."""
    count = len(keys)
    places = list(range(count))
    if backwards:
        places.reverse()
    start = run_length(keys, places)
    if count > 63:
        for key in keys:
            check_many(count, key != key)
    for number in range(start, count):
        place = places[number]
        low = 0
        high = number
        while low < high:
            middle = (low + high) // 2
            if keys[place] < keys[places[middle]]:
                high = middle
            else:
                low = middle + 1
        del places[number]
        places.insert(low, place)
    if backwards:
        places.reverse()
    return places


def check_many(count: Any, is_odd: Any) -> None:
    """ValueError where one of so many that another order of comparisons is taken is NaN."""
    if count > 63 and is_odd:
        raise ValueError("64 items or more are sorted, and one is not equal to itself")


def run_length(keys: Any, places: Any) -> Any:
    """How many keys at the start are in order; where they fall, they are turned around first."""
    count = len(places)
    if count < 2:
        return count
    if FALLS_OVER_EQUALS:
        return run_over_equals(keys, places, count)
    length = 2
    if keys[places[1]] < keys[places[0]]:
        while length < count and keys[places[length]] < keys[places[length - 1]]:
            length += 1
        places[:length] = places[:length][::-1]
    else:
        while length < count and not keys[places[length]] < keys[places[length - 1]]:
            length += 1
    return length


def run_over_equals(keys: Any, places: Any, count: Any) -> Any:
    """The same as CPython does it from 3.13 on: in what falls there may be keys that are equal."""
    length = 1
    while length < count and not keys[places[length]] < keys[places[length - 1]]:
        length += 1
    if length == count or (length > 1 and keys[places[0]] < keys[places[length - 1]]):
        return length
    places[:length] = places[:length][::-1]
    length += 1
    equals = 0
    while length < count:
        if keys[places[length]] < keys[places[length - 1]]:
            if equals:
                turn_around(places, length - equals - 1, length)
            equals = 0
        elif keys[places[length - 1]] < keys[places[length]]:
            break
        else:
            equals += 1
        length += 1
    if equals:
        turn_around(places, length - equals - 1, length)
    places[:length] = places[:length][::-1]
    while length < count and not keys[places[length]] < keys[places[length - 1]]:
        length += 1
    return length


def turn_around(places: Any, first: Any, last: Any) -> None:
    """`places[first:last]` in reverse."""
    places[first:last] = places[first:last][::-1]


def check_order(places: Any) -> None:
    """ValueError where comparisons contradict one another, as those of NaN do."""
    for place in places:
        if place < 0:
            raise ValueError("what is sorted has no order: one of the keys may be NaN")


def keys_of(items: Any, key: Any) -> Any:
    """What the items are sorted by."""
    return [key(item) for item in items]


class ComparedBy:
    """`cmp_to_key(compare)(obj)`: ordered as a function says."""

    def __init__(self, compare: Any, obj: Any) -> None:
        self.compare = compare
        self.obj = obj

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) < 0

    def __gt__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) > 0

    def __le__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) <= 0

    def __ge__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) >= 0

    def __eq__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) == 0


def key_by(compare: Any) -> Any:
    """`cmp_to_key(compare)`."""
    return lambda obj: ComparedBy(compare, obj)
