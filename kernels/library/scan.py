"""Running sums and products, and the places of extremes, along the middle of three axes.

An array of any shape is [outer, length, inner] around an axis. Buffers are flat.
"""

from __future__ import annotations

from typing import Any

from autograph.kernels.memory import apart_range, gather_max, gather_min
from autograph.kernels.scalar.intrinsics import select

PLACE_BLOCK = 32


def cumulative_sum(out: Any, a: Any, outer: int, length: int, inner: int) -> int:
    """out[o, i, k] = the sum of a[o, 0..i, k], in the dtype of `out`; gives 0."""
    for o in apart_range(outer):
        if length > 0:
            for k in range(inner):
                out[o * length * inner + k] = a[o * length * inner + k]
        for i in range(1, length):
            for k in range(inner):
                at = (o * length + i) * inner + k
                out[at] = out[at - inner] + a[at]
    return 0


def cumulative_product(out: Any, a: Any, outer: int, length: int, inner: int) -> int:
    """out[o, i, k] = the product of a[o, 0..i, k], in the dtype of `out`; gives 0."""
    for o in apart_range(outer):
        if length > 0:
            for k in range(inner):
                out[o * length * inner + k] = a[o * length * inner + k]
        for i in range(1, length):
            for k in range(inner):
                at = (o * length + i) * inner + k
                out[at] = out[at - inner] * a[at]
    return 0


def place_of_maximum(out: Any, a: Any, outer: int, length: int, inner: int) -> int:
    """out[o, k] = the first i where a[o, i, k] is largest, or nan; 1 if there is no i, else 0.

    `out` is int64.
    """
    if length == 0 and outer * inner > 0:
        return 1
    for o in apart_range(outer):
        if inner == 1:
            out[o] = place_of_maximum_in_row(a, o * length, length)
        else:
            for k in range(inner):
                out[o * inner + k] = 0
            for i in range(1, length):
                for k in range(inner):
                    value = a[(o * length + i) * inner + k]
                    best = a[(o * length + out[o * inner + k]) * inner + k]
                    if (value > best) | ((value != value) & (best == best)):
                        out[o * inner + k] = i
    return 0


def place_of_maximum_in_row(a: Any, start: int, length: int) -> int:
    """The first i where a[start + i] is largest, or nan.

    Native code asks many elements at once whether one of them is largest so far; of the few blocks
    that have one it finds the largest, and where that is.
    """
    best = a[start]
    place = 0
    for block in range(0, length, PLACE_BLOCK):
        last = min(block + PLACE_BLOCK, length)
        found = 0
        if block > 0:
            for i in range(block, last):
                value = a[start + i]
                found = found + select((value > best) | (value != value), 1, 0)
        if (block == 0) | ((found > 0) & (best == best)):
            most = a[start + block]
            for i in range(block, last):
                most = gather_max(most, a[start + i])
            best = most
            place = last
            for i in range(block, last):
                value = a[start + i]
                place = min(place, select((value == most) | (value != value), i, last))
    return place


def place_of_minimum(out: Any, a: Any, outer: int, length: int, inner: int) -> int:
    """out[o, k] = the first i where a[o, i, k] is smallest, or nan; 1 if there is no i, else 0.

    `out` is int64.
    """
    if length == 0 and outer * inner > 0:
        return 1
    for o in apart_range(outer):
        if inner == 1:
            out[o] = place_of_minimum_in_row(a, o * length, length)
        else:
            for k in range(inner):
                out[o * inner + k] = 0
            for i in range(1, length):
                for k in range(inner):
                    value = a[(o * length + i) * inner + k]
                    best = a[(o * length + out[o * inner + k]) * inner + k]
                    if (value < best) | ((value != value) & (best == best)):
                        out[o * inner + k] = i
    return 0


def place_of_minimum_in_row(a: Any, start: int, length: int) -> int:
    """The first i where a[start + i] is smallest, or nan.

    Native code asks many elements at once whether one of them is smallest so far; of the few blocks
    that have one it finds the smallest, and where that is.
    """
    best = a[start]
    place = 0
    for block in range(0, length, PLACE_BLOCK):
        last = min(block + PLACE_BLOCK, length)
        found = 0
        if block > 0:
            for i in range(block, last):
                value = a[start + i]
                found = found + select((value < best) | (value != value), 1, 0)
        if (block == 0) | ((found > 0) & (best == best)):
            most = a[start + block]
            for i in range(block, last):
                most = gather_min(most, a[start + i])
            best = most
            place = last
            for i in range(block, last):
                value = a[start + i]
                place = min(place, select((value == most) | (value != value), i, last))
    return place
