"""Stable sorting of rows by merging, nan last, on flat buffers; and as Python sorts a list."""

from __future__ import annotations

from typing import Any


def sort_rows(out: Any, scratch: Any, a: Any, rows: int, columns: int) -> int:
    """out[row, :] = a[row, :] in rising order; `scratch` has the size of one row; gives 0."""
    for row in range(rows):
        base = row * columns
        for i in range(columns):
            out[base + i] = a[base + i]
        for first in range(0, columns, 16):
            for i in range(first + 1, min(first + 16, columns)):
                value = out[base + i]
                j = i
                while j > first:
                    other = out[base + j - 1]
                    if (value < other) | ((other != other) & (value == value)):
                        out[base + j] = other
                        j -= 1
                    else:
                        break
                out[base + j] = value
        width = 16
        while width < columns:
            for i in range(columns):
                scratch[i] = out[base + i]
            for first in range(0, columns, 2 * width):
                left = first
                middle = min(first + width, columns)
                right = middle
                last = min(first + 2 * width, columns)
                for at in range(first, last):
                    use_right = left >= middle
                    if (left < middle) & (right < last):
                        value = scratch[right]
                        other = scratch[left]
                        use_right = (value < other) | ((other != other) & (value == value))
                    if use_right:
                        out[base + at] = scratch[right]
                        right += 1
                    else:
                        out[base + at] = scratch[left]
                        left += 1
            width = 2 * width
    return 0


def argsort_rows(out: Any, scratch: Any, a: Any, rows: int, columns: int, descending: int) -> int:
    """out[row, :] = the places of a[row, :] in rising (or falling) order, nan last; gives 0.

    Equal ones keep their order. `out` and `scratch` are int64, `scratch` as long as one row.
    """
    for row in range(rows):
        base = row * columns
        for i in range(columns):
            out[base + i] = i
        width = 1
        while width < columns:
            for i in range(columns):
                scratch[i] = out[base + i]
            for first in range(0, columns, 2 * width):
                left = first
                middle = min(first + width, columns)
                right = middle
                last = min(first + 2 * width, columns)
                for at in range(first, last):
                    use_right = left >= middle
                    if (left < middle) & (right < last):
                        value = a[base + scratch[right]]
                        other = a[base + scratch[left]]
                        before = value < other
                        if descending != 0:
                            before = value > other
                        use_right = before | ((other != other) & (value == value))
                    if use_right:
                        out[base + at] = scratch[right]
                        right += 1
                    else:
                        out[base + at] = scratch[left]
                        left += 1
            width = 2 * width
    return 0


def turn_around(out: Any, first: int, last: int) -> int:
    """out[first:last] in reverse; gives 0."""
    for i in range((last - first) // 2):
        other = out[last - 1 - i]
        out[last - 1 - i] = out[first + i]
        out[first + i] = other
    return 0


def first_run(out: Any, a: Any, count: int, over_equals: int) -> int:
    """How many of the items at the places `out` rise at the start; where they fall, turned around.

    `over_equals`: as CPython from 3.13 on, whose falling runs have equal items, too.
    """
    n = 1
    if over_equals == 0:
        falls = a[out[1]] < a[out[0]]
        n = 2
        while n < count and (a[out[n]] < a[out[n - 1]]) == falls:
            n += 1
        if falls:
            turn_around(out, 0, n)
        return n
    while n < count and not (a[out[n]] < a[out[n - 1]]):
        n += 1
    if n == count or (n > 1 and a[out[0]] < a[out[n - 1]]):
        return n
    turn_around(out, 0, n)
    n += 1
    equals = 0
    while n < count and (a[out[n]] < a[out[n - 1]] or not (a[out[n - 1]] < a[out[n]])):
        if not (a[out[n]] < a[out[n - 1]]):
            equals += 1
        elif equals > 0:
            turn_around(out, n - equals - 1, n)
            equals = 0
        n += 1
    if equals > 0:
        turn_around(out, n - equals - 1, n)
    turn_around(out, 0, n)
    while n < count and not (a[out[n]] < a[out[n - 1]]):
        n += 1
    return n


def order_items(
    out: Any, scratch: Any, a: Any, count: int, backwards: int, over_equals: int
) -> int:
    """out[:] = the places of the items of `a` in the order in which `list.sort` puts them; gives 0.

    Equal ones keep their order, backwards, too. Up to 63 items are compared in the order in which
    CPython compares them, which is seen where one is nan: a run at the start, then each goes where
    halving finds its place. More, of which none is nan, are merged. `out` and `scratch` are int64,
    as long as `a`.
    """
    if count > 63:
        return argsort_rows(out, scratch, a, 1, count, backwards)
    for i in range(count):
        out[i] = count - 1 - i if backwards != 0 else i
    if count > 1:
        for number in range(first_run(out, a, count, over_equals), count):
            place = out[number]
            low = 0
            high = number
            while low < high:
                middle = (low + high) // 2
                if a[place] < a[out[middle]]:
                    high = middle
                else:
                    low = middle + 1
            for i in range(number, low, -1):
                out[i] = out[i - 1]
            out[low] = place
    if backwards != 0:
        turn_around(out, 0, count)
    return 0
