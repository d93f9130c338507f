"""Stable sorting of rows by merging, nan last, on flat buffers."""

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
