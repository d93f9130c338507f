"""Products of matrices of integers and bools, with NumPy's wrap-around, on flat buffers.

Steps are in elements; exchanged steps transpose an operand.
"""

from __future__ import annotations

from typing import Any


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
    for row in range(rows):
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
    for row in range(rows):
        for column in range(columns):
            out[row * columns + column] = False
        for k in range(inner):
            if a[row * step_a_row + k * step_a]:
                for column in range(columns):
                    at = row * columns + column
                    out[at] = out[at] | b[k * step_b + column * step_b_column]
    return 0
