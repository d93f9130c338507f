"""Running sums and products, and the places of extremes, along the middle of three axes.

An array of any shape is [outer, length, inner] around an axis. Buffers are flat.
"""

from __future__ import annotations

from typing import Any


def cumulative_sum(out: Any, a: Any, outer: int, length: int, inner: int) -> int:
    """out[o, i, k] = the sum of a[o, 0..i, k], in the dtype of `out`; gives 0."""
    for o in range(outer):
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
    for o in range(outer):
        if length > 0:
            for k in range(inner):
                out[o * length * inner + k] = a[o * length * inner + k]
        for i in range(1, length):
            for k in range(inner):
                at = (o * length + i) * inner + k
                out[at] = out[at - inner] * a[at]
    return 0


def place_of_maximum(out: Any, a: Any, outer: int, length: int, inner: int) -> int:
    """out[o, k] = the first i where a[o, i, k] is largest, or nan; 1 if there is no i, else 0."""
    if length == 0 and outer * inner > 0:
        return 1
    for o in range(outer):
        for k in range(inner):
            start = o * length * inner + k
            best = a[start]
            place = 0
            for i in range(1, length):
                value = a[start + i * inner]
                if (value > best) | ((value != value) & (best == best)):
                    best = value
                    place = i
            out[o * inner + k] = place
    return 0


def place_of_minimum(out: Any, a: Any, outer: int, length: int, inner: int) -> int:
    """out[o, k] = the first i where a[o, i, k] is smallest, or nan; 1 if there is no i, else 0."""
    if length == 0 and outer * inner > 0:
        return 1
    for o in range(outer):
        for k in range(inner):
            start = o * length * inner + k
            best = a[start]
            place = 0
            for i in range(1, length):
                value = a[start + i * inner]
                if (value < best) | ((value != value) & (best == best)):
                    best = value
                    place = i
            out[o * inner + k] = place
    return 0
