"""Sums of floats whose error hardly grows with the length, on flat buffers.

Native code adds a block of 512 in many lanes at once (`gather_sum`); blocks are added with what
each addition rounds away.
"""

from __future__ import annotations

from typing import Any

from autograph.kernels.memory import apart_range, gather_sum
from autograph.kernels.scalar.intrinsics import select

SUM_BLOCK = 512


def sum_of_block(a: Any, start: int, count: int, zero: Any) -> Any:
    """The sum of `count` elements from `start` on, in any order; `zero` has their dtype."""
    total = zero
    for i in range(count):
        total = gather_sum(total, a[start + i])
    return total


def sum_rows(out: Any, a: Any, zero: Any, rows: int, columns: int) -> int:
    """out[row] = the sum of a[row, :]; `zero` has the dtype of both, a float; gives 0."""
    for row in apart_range(rows):
        total = zero
        lost = zero
        for block in range(0, columns, SUM_BLOCK):
            count = min(columns - block, SUM_BLOCK)
            part = sum_of_block(a, row * columns + block, count, zero)
            whole = total + part
            virtual = whole - total
            lost = lost + ((total - (whole - virtual)) + (part - virtual))
            total = whole
        # where the total is infinite, what was lost is nan
        out[row] = select(lost == lost, total + lost, total)
    return 0


def sum_columns(out: Any, a: Any, rows: int, columns: int) -> int:
    """out[column] = the sum of a[:, column] from the first row on, as NumPy adds; gives 0."""
    for column in apart_range(columns):
        out[column] = 0
    for row in range(rows):
        for column in apart_range(columns):
            out[column] = out[column] + a[row * columns + column]
    return 0
