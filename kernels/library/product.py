"""Products of matrices on flat buffers: of floats in parts, by BLAS; of integers and bools, with
NumPy's wrap-around.

Steps are in elements; exchanged steps transpose an operand.
"""

from __future__ import annotations

from typing import Any

from autograph.kernels.library.blas import multiply_part
from autograph.kernels.memory import apart_range, parallel_range
from autograph.kernels.scalar.intrinsics import select

LEAST_PART = 500_000
"""The fewest multiplications of a part: ten microseconds and more. A product of twice as many is
cut, into the same parts for any number of threads, since BLAS may round another way in a part."""
PART_EXTENT = 256
"""Parts have about so many rows or columns at least: each of them brings the other operand into
order anew."""


def multiply_matrices(
    out: Any,
    a: Any,
    b: Any,
    rows: int,
    columns: int,
    inner: int,
    transpose_a: int,
    transpose_b: int,
    accumulate: int,
) -> None:
    """out[rows, columns] = a[rows, inner] b[inner, columns], or that added to `out`, for floats.

    With `transpose_a`, `a` holds its transpose: [inner, rows]; likewise `b`: [columns, inner].
    """
    turns = rows * columns * inner
    if turns < 2 * LEAST_PART:
        multiply_part(
            out,
            a,
            b,
            0,
            rows,
            0,
            columns,
            rows,
            columns,
            inner,
            transpose_a,
            transpose_b,
            accumulate,
        )
    else:
        extent = max(rows, columns)
        wanted = min(turns // LEAST_PART, max(extent // PART_EXTENT, 2))
        size = ((extent + wanted - 1) // wanted + 15) // 16 * 16
        along = columns >= rows
        for part in parallel_range((extent + size - 1) // size, turns // extent * size * 2 // 5):
            first = part * size
            multiply_part(
                out,
                a,
                b,
                select(along, 0, first),
                select(along, rows, min(size, rows - first)),
                select(along, first, 0),
                select(along, min(size, columns - first), columns),
                rows,
                columns,
                inner,
                transpose_a,
                transpose_b,
                accumulate,
            )


def multiply_integers(
    out: Any,
    a: Any,
    b: Any,
    rows: int,
    columns: int,
    inner: int,
    step_a_row: int,
    step_a: int,
    step_b: int,
    step_b_column: int,
) -> int:
    """out[rows, columns] = a b, modulo the width of `out`; gives 0."""
    for row in apart_range(rows):
        for column in range(columns):
            out[row * columns + column] = 0
        for k in range(inner):
            factor = a[row * step_a_row + k * step_a]
            for column in range(columns):
                at = row * columns + column
                out[at] = out[at] + factor * b[k * step_b + column * step_b_column]
    return 0


def multiply_bools(
    out: Any,
    a: Any,
    b: Any,
    rows: int,
    columns: int,
    inner: int,
    step_a_row: int,
    step_a: int,
    step_b: int,
    step_b_column: int,
) -> int:
    """out[rows, columns] = whether some k has a[row, k] and b[k, column]; gives 0."""
    for row in apart_range(rows):
        for column in range(columns):
            out[row * columns + column] = False
        for k in range(inner):
            if a[row * step_a_row + k * step_a]:
                for column in range(columns):
                    at = row * columns + column
                    out[at] = out[at] | b[k * step_b + column * step_b_column]
    return 0
