"""Sorting and selecting in rows, nan last, on flat buffers; and sorting as Python sorts a list.

NumPy's own functions sort where it has them; else rows are merged, which keeps equal ones in order.
"""

from __future__ import annotations

from typing import Any

from autograph.kernels.library.numpy_sorts import (
    quicksort_order,
    sort_part,
    stable_order,
)


def sort_rows(out: Any, scratch: Any, a: Any, rows: int, columns: int) -> int:
    """out[row, :] = a[row, :] in rising order; `scratch` has the size of one row; gives 0."""
    for row in range(rows):
        base = row * columns
        for i in range(columns):
            out[base + i] = a[base + i]
        if sort_part(out, base, columns) != 0:
            merge_row(out, scratch, base, columns)
    return 0


def merge_row(out: Any, scratch: Any, base: int, columns: int) -> int:
    """Sort out[base:base + columns] by merging; `scratch` is as long; gives 0."""
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
        if descending != 0 or stable_order(out, a, base, columns) != 0:
            merge_order(out, scratch, a, base, columns, descending)
    return 0


def argsort_rows_quickly(out: Any, scratch: Any, a: Any, rows: int, columns: int) -> int:
    """`argsort_rows`, of equal ones in the order that NumPy's quicksort leaves; gives 0."""
    for row in range(rows):
        base = row * columns
        for i in range(columns):
            out[base + i] = i
        if quicksort_order(out, a, base, columns) != 0:
            merge_order(out, scratch, a, base, columns, 0)
    return 0


def merge_order(out: Any, scratch: Any, a: Any, base: int, columns: int, descending: int) -> int:
    """Sort the places out[base:base + columns] of a[base:base + columns] by merging; gives 0."""
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


def select_rows(
    out: Any, scratch: Any, a: Any, places: Any, rows: int, columns: int, count: int
) -> int:
    """out[i, row] = the element of a[row, :] at places[i] in rising order, nan last.

    `scratch` has the size of one row. Gives 0, or i + 1 where the i-th place is out of range.
    """
    for i in range(count):
        if (places[i] < 0) | (places[i] >= columns):
            return i + 1
    for row in range(rows):
        base = row * columns
        numbers = 0
        for i in range(columns):
            value = a[base + i]
            scratch[numbers] = value
            if value == value:
                numbers += 1
        if numbers < columns:
            last = numbers
            for i in range(columns):
                value = a[base + i]
                if value != value:
                    scratch[last] = value
                    last += 1
        low = 0
        before = -1
        for i in range(count):
            place = places[i]
            if place < before:
                low = 0
            if place < numbers:
                select_place(scratch, low, numbers, place)
                low = place
            before = place
            out[i * rows + row] = scratch[place]
    return 0


def select_place(a: Any, low: int, high: int, place: int) -> int:
    """Move elements of a[low:high], none of them nan, until a[place] is where it is in rising
    order: smaller ones are before it, larger ones behind it. Gives 0.

    Each turn divides the rest by the middle one of three, first those that are smaller, then those
    that are equal. The three are taken where a generator of numbers says, so that no order of the
    elements is slow.
    """
    state = 88172645463325252
    while high - low > 8:
        size = high - low
        state = (state * 25214903917 + 11) & 281474976710655
        one = a[low + (state >> 16) % size]
        state = (state * 25214903917 + 11) & 281474976710655
        two = a[low + (state >> 16) % size]
        state = (state * 25214903917 + 11) & 281474976710655
        three = a[low + (state >> 16) % size]
        pivot = max(min(one, two), min(max(one, two), three))
        end = low
        for i in range(low, high):
            value = a[i]
            a[i] = a[end]
            a[end] = value
            if value < pivot:
                end += 1
        if place < end:
            high = end
            continue
        low = end
        for i in range(low, high):
            value = a[i]
            a[i] = a[end]
            a[end] = value
            if value == pivot:
                end += 1
        if place < end:
            return 0
        low = end
    for i in range(low + 1, high):
        value = a[i]
        j = i
        while j > low:
            other = a[j - 1]
            if value < other:
                a[j] = other
                j -= 1
            else:
                break
        a[j] = value
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
