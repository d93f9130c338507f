"""Products of matrices on a GPU, in the language of programs: in place of BLAS.

`multiply_matrices` stands for that of `kernels.library.product`: with all lanes, each of which has
elements of its own, or within a loop that is dealt out, by one.
"""

from __future__ import annotations

import inspect
from typing import Any

from autograph.kernels.memory import apart_range, gather_sum
from autograph.kernels.scalar.intrinsics import select


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
) -> int:
    """out[rows, columns] = a[rows, inner] b[inner, columns], or that added to `out`; gives 0.

    With `transpose_a`, `a` holds its transpose: [inner, rows]; likewise `b`: [columns, inner].
    """
    row_a = select(transpose_a != 0, 1, inner)
    step_a = select(transpose_a != 0, rows, 1)
    column_b = select(transpose_b != 0, inner, 1)
    step_b = select(transpose_b != 0, 1, columns)
    for at in apart_range(rows * columns):
        row = at // columns
        column = at - row * columns
        if inner > 0:
            total = a[row * row_a] * b[column * column_b]
            for k in range(1, inner):
                at_a = row * row_a + k * step_a
                total = gather_sum(total, a[at_a] * b[k * step_b + column * column_b])
            if accumulate != 0:
                total = out[at] + total
            out[at] = total
        elif accumulate == 0:
            out[at] = 0
    return 0


TEXTS = {"multiply_matrices": inspect.getsource(multiply_matrices)}
"""By the names of what they stand for."""
