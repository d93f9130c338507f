"""Where a value belongs in a list that is in order: Python's `bisect`."""

from __future__ import annotations

from typing import Any


def left(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    """`bisect_left(a, x, lo, hi, key=key)`."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) // 2
        here = a[middle] if key is None else key(a[middle])
        if here < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def right(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    """`bisect_right(a, x, lo, hi, key=key)`."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) // 2
        here = a[middle] if key is None else key(a[middle])
        if x < here:
            hi = middle
        else:
            lo = middle + 1
    return lo


def insert_left(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
    """`insort_left(a, x, lo, hi, key=key)`."""
    wanted = x if key is None else key(x)
    a.insert(left(a, wanted, lo, hi, key=key), x)


def insert_right(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
    """`insort_right(a, x, lo, hi, key=key)`."""
    wanted = x if key is None else key(x)
    a.insert(right(a, wanted, lo, hi, key=key), x)
