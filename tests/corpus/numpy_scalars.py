"""Scalars of the caller's: values, of which one call may find one where another finds two."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tests.corpus.registry import case, program, stateful

ONE, TWO, NOTHING = np.float64(1.0), np.float64(2.0), np.float64(np.nan)


@program(case(ONE, ONE), case(ONE, TWO), case(TWO, ONE), compiled=True)
def one_scalar_at_two_places(a, b):
    return a * 10 + b * 100


@program(case({"low": ONE, "high": ONE}, [TWO, TWO]), case({"low": TWO, "high": ONE}, [ONE, TWO]))
def one_scalar_in_containers(limits, items):
    limits["low"] = min(limits["low"], items[0])
    limits["high"] = max(limits["high"], items[1])
    return limits["low"] - limits["high"], limits["high"] + items[0]


@program(case(ONE, ONE), case(ONE, np.float64(1.0)), case(NOTHING, NOTHING), case(ONE, TWO))
def which_scalar(a, b):
    return a is b, a == b, a in [b], [1.0, b].count(a), a in (ONE, b)


def fib(n, memo=None):
    memo = {} if memo is None else memo
    if n < 2:
        return n
    if n in memo:
        return memo[n]
    memo[n] = fib(n - 1, memo) + fib(n - 2, memo)
    return memo[n]


@program(case(np.int64(6)), case(np.int64(1)), case(np.int64(12)))
def remembered_by_scalars(n):
    return fib(n), {n: 1}, {(n, 2): 3, (2, n): 4}, {n, n + 1}


@program(
    case(np.int64(2), np.array([3])),
    case(np.int64(1), np.array([2])),
    case(np.int64(5), np.array([5])),
)
def keys_of_several_kinds(n, x):
    table = {1: "a", n: "b", (n, 1): "c", x[0]: "e"}
    table[True] = "d"
    table[2.0] = "f"
    return table, n in table, 2 in table, (2, 1) in table


NUMBERS = [np.int64(2), 3, np.int64(1), np.int64(2)]


@program(case(np.float64(3.0)), case(np.float64(7.0)))
def scalars_in_lists_from_outside(x):
    items = [1.0, *NUMBERS]
    items.remove(3)
    try:
        place = NUMBERS.index(x)
    except ValueError as error:
        place = str(error)
    places = {v: k for k, v in enumerate(NUMBERS)}
    return Counter(NUMBERS), places, items, place, dict(zip(NUMBERS, "ab"))


class Half:
    def __init__(self, n):
        self.n = n

    def __float__(self):
        return self.n / 2


@program(case(np.int64(3)), case(np.int64(5)))
def floats_of_objects(n):
    try:
        return float(Half(n)), float(Half(float(n)))
    except TypeError as error:
        return str(error)


class Range:
    def __init__(self):
        self.low = 9.0
        self.high = -9.0

    def add(self, value):
        if value < self.low:
            self.low = value
        if value > self.high:
            self.high = value


@stateful(*[case(np.float64(v)) for v in (1, 3, -2, 7)])
def smallest_and_largest():
    found = Range()

    def f(value):
        found.add(value)
        return found.low - found.high

    return f, found
