"""Arrays whose elements do not lie in one row: what NumPy makes a view of, and what a copy."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

SQUARE = np.arange(16.0).reshape(4, 4)
LAYOUTS = (
    case(SQUARE.T, 1.0),
    case(SQUARE, -1.0),
    case(np.arange(64.0).reshape(8, 8)[::2, ::2], 1.0),
    case(SQUARE[::-1], -1.0),
    case(SQUARE[:, ::-1], 1.0),
)


@program(*LAYOUTS, mutate=False, vary=False)
def reshaped(matrix, sign):
    if sign > 0:
        matrix.reshape(-1)[0] = 50.0
    matrix.ravel()[1] = 60.0
    turned = matrix.T.reshape(-1)
    turned[2] = 70.0
    matrix.T.ravel()[3] = 80.0
    return matrix, turned


@program(*LAYOUTS, mutate=False, vary=False)
def with_an_axis_more(matrix, sign):
    matrix.reshape(4, 4, 1)[..., 0] += sign
    backwards = matrix[::-1].ravel()
    backwards[0] = 30.0
    matrix[1:].reshape(-1)[0] = 90.0
    return matrix, backwards


@program(case(np.arange(6.0)), case(np.arange(12.0)[::2]), case(np.arange(6.0)[::-1]), vary=False)
def rows_raveled(row):
    flat = row.ravel()
    flat[0] = 100.0
    return row, flat
