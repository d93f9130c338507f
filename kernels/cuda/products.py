"""Products of matrices on a GPU, in the language of programs: in place of BLAS.

`multiply_matrices` stands for that of `kernels.library.product`: with all lanes, each of which has
elements of its own, or within a loop that is dealt out, by one. Of the products of a batch each
lane has elements, too, without waiting between them: `multiply_in_turn`.
"""

from __future__ import annotations

import inspect
from typing import Any

from autograph.kernels.memory import apart_range, gather_sum
from autograph.kernels.scalar.intrinsics import select

lane: Any = None
lanes: Any = None


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
    for at in apart_range(rows * columns):
        multiply_for(out, a, b, rows, columns, inner, transpose_a, transpose_b, accumulate, at)
    return 0


def multiply_in_turn(
    out: Any,
    a: Any,
    b: Any,
    rows: int,
    columns: int,
    inner: int,
    transpose_a: int,
    transpose_b: int,
    accumulate: int,
    turn: int,
) -> int:
    """The elements of a product that this lane has; those of the next turn go on where these end,
    so that all lanes have work."""
    count = rows * columns
    first = (lane() + lanes() - turn * count % lanes()) % lanes()
    for at in range(first, count, lanes()):
        multiply_for(out, a, b, rows, columns, inner, transpose_a, transpose_b, accumulate, at)
    return 0


def multiply_for(
    out: Any,
    a: Any,
    b: Any,
    rows: int,
    columns: int,
    inner: int,
    transpose_a: int,
    transpose_b: int,
    accumulate: int,
    at: int,
) -> int:
    """The element `at` of a product."""
    row = at // columns
    column = at - row * columns
    at_a = select(transpose_a != 0, row, row * inner)
    step_a = select(transpose_a != 0, rows, 1)
    at_b = select(transpose_b != 0, column * inner, column)
    step_b = select(transpose_b != 0, 1, columns)
    if inner > 0:
        total = a[at_a] * b[at_b]
        for _ in range(1, inner):
            at_a = at_a + step_a
            at_b = at_b + step_b
            total = gather_sum(total, a[at_a] * b[at_b])
        if accumulate != 0:
            total = out[at] + total
        out[at] = total
    elif accumulate == 0:
        out[at] = 0
    return 0


TEXTS = {
    function.__name__: inspect.getsource(function)
    for function in (multiply_matrices, multiply_in_turn, multiply_for)
}
"""By name; the first stands for that of the CPU."""
