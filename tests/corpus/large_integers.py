"""Known Python ints beyond int64 beside staged numbers."""

from __future__ import annotations

import math

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
LARGE = math.factorial(21)
FLOATS = (
    *(case(t(1.5)), case(t(-2.25)), case(t(0.0)), case(t(math.nan)), case(t(math.inf))),
    *(case(t(x, dtype=ag.float64)) for x in (1e19, float(LARGE), 2.0**63, 2.0**53)),
)


@program(*FLOATS, compiled=True)
def arithmetic_with_a_float(x):
    y = float(x)
    return y / LARGE, LARGE * y, y + 10**20, LARGE - y, y % LARGE, y // 10**30


@program(*FLOATS, compiled=True)
def comparisons_are_exact(x):
    y = float(x)
    limits = (LARGE, LARGE + 1, 2**63, 2**63 + 1, -(2**70) - 1, 10**400, -(10**400))
    return [(y < k, y <= k, y > k, y >= k, y == k, y != k, k < y, k >= y) for k in limits]


@program(*FLOATS, compiled=True)
def the_least_so_far(x):
    best = 10**20
    for k in range(3):
        if float(x) * k < best:
            best = float(x) * k
    return best, max(float(x), LARGE), float(x) in (LARGE, 1.5), sum([float(x), LARGE])


@program(case(t([3, 1, 2])), case(t([5, 7, 6])), compiled=True)
def the_least_of_ints(xs):
    best = 10**20
    for x in xs:
        if int(x) < best:
            best = int(x)
    return best, int(xs[0]) == LARGE, -LARGE < int(xs[0]), LARGE <= int(xs[0])


@program(*FLOATS)
def too_large_for_a_float(x):
    try:
        return float(x) * 10**400
    except OverflowError as error:
        return str(error)


@program(case(t(3)), refused="OverflowError", naming=("int64",))
def arithmetic_with_an_int(n):
    return int(n) * LARGE
