"""What functions of `itertools` give, and check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def check_slice(start: Any, stop: Any, step: Any, only_stop: bool) -> None:
    """What `islice` raises for numbers that it does not take."""
    if stop is not None and stop < 0:
        raise ValueError(
            "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
            if only_stop
            else "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        )
    if start < 0:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")


def products(*parts: Any) -> Any:
    """`list(product(*parts))`."""
    if len(parts) == 0:
        return [()]
    return [(*before, one) for before in products(*parts[:-1]) for one in parts[-1]]


def combinations(items: Any, count: int, again: int) -> Any:
    """`list(combinations(items, count))`; with `again` 0 instead of 1, of
    `combinations_with_replacement`."""
    chosen: Any = [()]
    for _ in range(count):
        chosen = [
            (*before, place)
            for before in chosen
            for place in range(before[-1] + again if before else 0, len(items))
        ]
    return [tuple([items[place] for place in places]) for places in chosen]


def permutations(items: Any, count: int) -> Any:
    """`list(permutations(items, count))`."""
    chosen: Any = [()]
    for _ in range(count):
        chosen = [
            (*before, place)
            for before in chosen
            for place in range(len(items))
            if place not in before
        ]
    return [tuple([items[place] for place in places]) for places in chosen]


def items_by_index_backwards(owner: Any) -> Iterator[Any]:
    """The iterator of `reversed(owner)`, of an object with `__len__` and `__getitem__`."""
    for index in range(len(owner) - 1, -1, -1):
        yield owner[index]


def items_by_index(owner: Any) -> Iterator[Any]:
    """The iterator of an object that has `__getitem__` alone."""
    index = 0
    while True:
        try:
            item = owner[index]
        except IndexError:
            return
        yield item
        index += 1


class Turn:
    """Which group `grouped` has come to: those before it give nothing more, as in Python."""

    def __init__(self) -> None:
        self.number = -1


def members(turn: Turn, number: int, items: Any, start: int, end: int) -> Iterator[Any]:
    """One group: items from a place on."""
    place = start
    while place < end and turn.number == number:
        yield items[place]
        place += 1


def starts_of_groups(keys: Any) -> Any:
    """Where another key stands than that with which the group before it began."""
    starts: Any = []
    first = 0
    for place in range(len(keys)):
        if place == 0 or not keys[first] == keys[place]:
            first = place
            starts.append(place)
    return starts


def grouped(iterable: Any, key: Any = None) -> Iterator[Any]:
    """The iterator of `groupby(iterable, key)`."""
    items = list(iterable)
    keys = items if key is None else [key(one) for one in items]
    starts = starts_of_groups(keys)
    turn = Turn()
    for number in range(len(starts)):
        start = starts[number]
        end = starts[number + 1] if number + 1 < len(starts) else len(items)
        turn.number = number
        yield keys[start], members(turn, number, items, start, end)
    turn.number = -1
