"""Where a value belongs in a list that is in order: Python's `bisect`."""

from __future__ import annotations

from typing import Any


def left(items: Any, wanted: Any, low: Any = 0, high: Any = None, *, key: Any = None) -> Any:
    """`bisect_left(items, wanted, low, high, key=key)`."""
    if low < 0:
        raise ValueError("lo must be non-negative")
    if high is None:
        high = len(items)
    while low < high:
        middle = (low + high) // 2
        here = items[middle] if key is None else key(items[middle])
        if here < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def right(items: Any, wanted: Any, low: Any = 0, high: Any = None, *, key: Any = None) -> Any:
    """`bisect_right(items, wanted, low, high, key=key)`."""
    if low < 0:
        raise ValueError("lo must be non-negative")
    if high is None:
        high = len(items)
    while low < high:
        middle = (low + high) // 2
        here = items[middle] if key is None else key(items[middle])
        if wanted < here:
            high = middle
        else:
            low = middle + 1
    return low


def insert_left(items: Any, item: Any, low: Any = 0, high: Any = None, *, key: Any = None) -> None:
    """`insort_left(items, item, low, high, key=key)`."""
    wanted = item if key is None else key(item)
    items.insert(left(items, wanted, low, high, key=key), item)


def insert_right(items: Any, item: Any, low: Any = 0, high: Any = None, *, key: Any = None) -> None:
    """`insort_right(items, item, low, high, key=key)`."""
    wanted = item if key is None else key(item)
    items.insert(right(items, wanted, low, high, key=key), item)
