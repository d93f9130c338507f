"""Loops over ranges with indices that fit, that do not, and that fit in some turns alone."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = t([1.0, 2.0, 3.0, 4.0, 5.0], dtype=ag.float64)
A = np.array([5.0, 1.0, 4.0, 2.0, 3.0])
LONG = t(np.arange(20000.0) % 7)


@program(
    case(X, t(5)), case(X, t(3)), case(X, t(0)), case(X, t(6)), case(LONG, t(9000)), compiled=True
)
def fits_or_not(x, n):
    s = t(0.0, dtype=ag.float64)
    for i in range(n):
        s = s + x[i] * x[i]
    return s


@program(
    case(X, t(5), t(1)),
    case(X, t(5), t(-1)),
    case(X, t(5), t(-5)),
    case(X, t(5), t(-6)),
    compiled=True,
)
def moved_by_a_number(x, n, k):
    s = t(0.0, dtype=ag.float64)
    for i in range(n):
        s = s + x[i + k] - x[i]
    return s


@program(case(X, t(5)), case(X, t(4)), case(X, t(1)), compiled=True)
def tested_where_it_fits(x, n):
    s = t(0.0, dtype=ag.float64)
    for i in range(n):
        if i + 1 < len(x):
            s = s + x[i + 1] * 10.0
        else:
            s = s + x[i]
    return s


@program(case(X, t(4)), case(X, t(0)), case(X, t(7)), compiled=True)
def backwards(x, n):
    s = t(0.0, dtype=ag.float64)
    for i in range(n, -1, -1):
        s = s * 0.5 + x[i]
    return s


@program(case(X, t(5), t(2)), case(X, t(5), t(3)), case(X, t(7), t(2)), compiled=True)
def in_steps(x, n, k):
    s = t(0.0, dtype=ag.float64)
    for i in range(1, n, k):
        s = s + x[i] - x[i - 1]
    return s


@program(case(X, t(4), t(1)), case(X, t(4), t(2)), case(X, t(2**40), t(2**40)), compiled=True)
def multiplied(x, n, k):
    s = t(0.0, dtype=ag.float64)
    for i in range(n):
        s = s + x[i * k]
    return s


@program(case(X, t(3.5)), case(X, t(99.0)), compiled=True)
def left_early(x, limit):
    s = t(0.0, dtype=ag.float64)
    k = 0
    for i in range(len(x) + 1):
        s = s + x[i]
        k = i
        if s > limit:
            break
    return s, k


@program(case(A), compiled=True)
def sorted_by_exchange(a):
    a = a.copy()
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


@program(
    case(np.array([1, 2, 3, 2]), np.array([2, 3, 2])),
    case(np.array([1]), np.array([1, 1])),
    compiled=True,
)
def distance(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    d[:, 0] = np.arange(len(a) + 1)
    d[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[-1, -1]


@program(case(A, 4), case(A, 5), case(A, 6), compiled=True)
def written_and_past_the_end(a, n):
    for i in range(n):
        a[i] = a[i] + a[i - 1]
    return a


@program(case(t(3), t(2)), case(t(5), t(3)), compiled=True)
def rows_that_change_their_size(n, m):
    x = ag.ones((2,), dtype=ag.float64)
    s = t(0.0, dtype=ag.float64)
    for i in range(n):
        x = ag.concat([x, x[:1] * i])
        s = s + x[i] + x[i + 1] * m
    return s


@program(case(X, t(3), t(4)), case(X, t(3), t(5)), compiled=True)
def by_another_index(x, n, last):
    order = ag.astype(x, ag.int64) - 1
    s = t(0.0, dtype=ag.float64)
    for i in range(n):
        s = s + x[order[i + 1]] + x[last]
    return s


@program(case(X, t(5)), compiled=True)
def gradients_of_turns(x, n):
    def f(x):
        s = t(0.0, dtype=ag.float64)
        for i in range(n):
            s = s * 0.5 + x[i] * x[i - 1]
        return s

    return ag.grad(f)(x)


@program(case(X, t(5), t(2**62)), case(X, t(3), t(1)), compiled=True)
def larger_than_a_word(x, n, k):
    s, total = t(0.0, dtype=ag.float64), 0
    for i in range(n):
        total = (i + k) + i
        s = s + x[i]
    return s, total
