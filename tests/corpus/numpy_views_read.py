"""Views of NumPy's that are only read, windows, and masks: what they see, and what they refuse."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

M, N = np.arange(9.0).reshape(3, 3), np.arange(16.0).reshape(4, 4)
X = np.arange(5.0)


@program(case(M), case(N), case(M[:, :2]), compiled=True)
def views_see_what_is_written_later(m):
    diagonal, above = np.diagonal(m), np.diag(m, 1)
    wide = np.broadcast_to(m[0], (2, len(m[0])))
    m[0, 0] = 50.0
    m[0, 1] = 60.0
    return diagonal + 1, above * 2, wide.sum(), diagonal, wide, m


@program(case(X, 3), case(X, np.int64(2)), compiled=True)
def broadcast_in_a_loop(x, n):
    wide = np.broadcast_to(x, (n, len(x)))
    total = 0.0
    for i in range(n):
        x[0] += 1
        total += wide[i, 0]
    return total, x


@program(case(M))
def diagonals_are_only_read(m):
    d = m.diagonal()
    try:
        d[0] = 1.0
    except ValueError as error:
        return str(error), m
    return "written", m


@program(case(X))
def windows_are_only_read(x):
    windows = np.lib.stride_tricks.sliding_window_view(x * 1.0, 2)
    try:
        windows[0] = 9.0
    except ValueError as error:
        return str(error), windows
    return "written", windows


@program(case(M, X), case(N, X), compiled=True)
def windows_of_an_image(m, x):
    windows = np.lib.stride_tricks.sliding_window_view
    return windows(m * 1.0, (2, 2)).sum(axis=(2, 3)), windows(x * 1.0, 3).max(axis=1)


@program(case(M, M[0] > 0), case(N, N[0] > 0), case(N, M[0] > 0))
def masked_columns(m, mask):
    return m[..., mask], m[:, mask], m[[True] * len(mask)]


@program(case(N), case(M))
def reduced_and_accumulated(m):
    whole = (m * 2).astype(int)
    runs = np.bitwise_and.accumulate(whole, axis=1), np.bitwise_or.reduce(whole)
    return runs, np.bitwise_or.reduce(whole[:, :0], axis=1), np.maximum.reduce(m, 1)


@program(case(M), case(N), case(M.T), compiled=True)
def flat_is_written(m):
    m.flat[5] = 99.0
    part = m.flat[1:3]
    part[0] = -1.0
    m.flat[::4] = 7.0
    return m, part, sum(m.flat)
