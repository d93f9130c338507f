"""Moving rows between flat buffers: by index, by repetition, into a larger array, transposed.

Where an index is outside, nothing more is written and the status is its position + 1; else 0.
"""

from __future__ import annotations

from typing import Any

from autograph.kernels.memory import apart_range


def take_rows(
    out: Any, a: Any, indices: Any, outer: int, length: int, count: int, width: int
) -> int:
    """out[o, i, :] = a[o, indices[i], :] for a[outer, length, width]; negative: from the end."""
    for i in range(count):
        index = indices[i]
        if (index < -length) | (index >= length):
            return i + 1
    for o in range(outer):
        for i in apart_range(count):
            index = indices[i] + (length if indices[i] < 0 else 0)
            for k in range(width):
                out[(o * count + i) * width + k] = a[(o * length + index) * width + k]
    return 0


def scatter_add_rows(
    out: Any, indices: Any, updates: Any, outer: int, length: int, count: int, width: int
) -> int:
    """out[o, indices[i], :] += updates[o, i, :] for out[outer, length, width], in order of i."""
    for i in range(count):
        index = indices[i]
        if (index < -length) | (index >= length):
            return i + 1
    for o in range(outer):
        for i in range(count):
            index = indices[i] + (length if indices[i] < 0 else 0)
            for k in apart_range(width):
                at = (o * length + index) * width + k
                out[at] = out[at] + updates[(o * count + i) * width + k]
    return 0


def put_rows(
    out: Any, indices: Any, updates: Any, outer: int, length: int, count: int, width: int
) -> int:
    """out[o, indices[i], :] = updates[o, i, :] for out[outer, length, width]; the last stays."""
    for i in range(count):
        index = indices[i]
        if (index < -length) | (index >= length):
            return i + 1
    for o in range(outer):
        for i in range(count):
            index = indices[i] + (length if indices[i] < 0 else 0)
            for k in apart_range(width):
                out[(o * length + index) * width + k] = updates[(o * count + i) * width + k]
    return 0


def one_hot(out: Any, indices: Any, count: int, depth: int) -> int:
    """out[i, indices[i]] = 1 and 0 elsewhere, a row all 0 where its index is outside; gives 0."""
    for at in apart_range(count * depth):
        out[at] = 0
    for i in apart_range(count):
        index = indices[i]
        if (index >= 0) & (index < depth):
            out[i * depth + index] = 1
    return 0


def copy_rows(out: Any, a: Any, rows: int, width: int, start: int, out_step: int, step: int) -> int:
    """out[start + row * out_step + k] = a[row * step + k] for k < width: one part of a
    concatenation along an axis; gives 0."""
    for row in apart_range(rows):
        for k in range(width):
            out[start + row * out_step + k] = a[row * step + k]
    return 0


def repeat_rows(out: Any, a: Any, rows: int, width: int, count: int) -> int:
    """out[row, c, :] = a[row, :] for c < count; gives 0."""
    for row in apart_range(rows):
        for c in range(count):
            for k in range(width):
                out[(row * count + c) * width + k] = a[row * width + k]
    return 0


def transpose_rows(out: Any, a: Any, batch: int, rows: int, columns: int) -> int:
    """out[b, column, row] = a[b, row, column], in tiles, so that caches serve both; gives 0."""
    for b in range(batch):
        base = b * rows * columns
        for tile in apart_range((rows + 15) // 16):
            first_row = tile * 16
            for first_column in range(0, columns, 16):
                last_row = min(first_row + 16, rows)
                for column in range(first_column, min(first_column + 16, columns)):
                    for row in range(first_row, last_row):
                        out[base + column * rows + row] = a[base + row * columns + column]
    return 0


def places_of_true(out: Any, mask: Any, size: int) -> int:
    """Writes the flat places where `mask` is true, in rising order; gives how many there are."""
    count = 0
    for i in range(size):
        if mask[i]:
            out[count] = i
            count += 1
    return count
