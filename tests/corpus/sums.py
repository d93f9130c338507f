"""`sum` of numbers that the run tells: since Python 3.12 it keeps what additions of floats lose."""

from __future__ import annotations

import math
from fractions import Fraction

import autograph as ag
from tests.corpus.registry import case, program

X = ag.asarray(0.1, dtype=ag.float64)
TENTHS = (case(X, ag.asarray(10)), case(X, ag.asarray(0)), case(X, ag.asarray(1)))


@program(*TENTHS, compiled=True)
def tenths(x, n):
    grown = []
    for i in range(n):
        grown.append(float(x))
    return sum([float(x)] * 10), sum(grown), sum(float(x) for i in range(n)), sum(grown, 0.1)


@program(*TENTHS, compiled=True)
def floats_and_ints(x, n):
    y, k = float(x), int(n)
    return (
        sum([y] * 3 + [1] + [1e100, 1.0, -1e100, True]),
        sum([k, y, y, k, 1e16, k, y]),
        sum([True, y, False, y, 1e16, True]),
        sum([2**60, y, -(2**60), y]),
        sum([y] * 5, k > 3),
    )


@program(*TENTHS)
def one_of_two_kinds(x, n):
    either = float(x) if n > 5 else 3
    return sum([0.1, either, either, 1e16, either]), sum([either] * 10, 0.5)


@program(*TENTHS)
def what_is_not_finite(x, n):
    y = float(x) / 0.1
    return (
        sum([y * math.inf, 1.0, y]),
        sum([y * 1e308, 1e308, -1e308]),
        sum([-0.0, -y * 0.0], -0.0),
        sum([y, math.nan]),
    )


@program(*TENTHS)
def after_other_numbers(x, n):
    y = float(x)
    return sum([2**62, 2**62] + [0.1] * 10) * y, float(sum([Fraction(1, 2)] + [0.1] * 4)) * y


@program(*TENTHS)
def of_tensors(x, n):
    return sum([x] * 10), sum(x * i for i in range(n)), sum(ag.stack([x] * 4)), sum([1, x, 2.5])


@program(*TENTHS)
def of_values_and_maps(x, n):
    table = {1: float(x), 2: float(x), 3: float(x)}
    return sum(table.values()), sum(map(float, [x] * 10)), sum(range(n)), sum([int(n)] * 3)


@program(case(X), case(ag.asarray(-2.0, dtype=ag.float64)), case(ag.asarray(0)))
def words_of_math(x):
    found = []
    for function in (math.sqrt, math.log, math.acos, math.acosh, math.atanh, math.log1p):
        try:
            found.append(function(x.item() * 1.5))
        except ValueError as error:
            found.append(str(error))
    try:
        found.append(math.log(int(x)))
    except ValueError as error:
        found.append(str(error))
    return found


@program(case(X, ag.asarray(3)), case(X, ag.asarray(2)), case(X, ag.asarray(1)))
def words_of_unpacking(x, n):
    items = [x + 1.0]
    for i in range(n - 1):
        items.append(x * i)
    try:
        a, b = items
    except ValueError as error:
        return str(error)
    return a + b


@program(case(X, ag.asarray(3)), case(X, ag.asarray(2)))
def words_of_searches(x, n):
    words = []
    items = [1, 2]
    for i in range(n):
        items.append(i)
    for search in (items.index, items.remove, range(n).index):
        try:
            search(int(n) * 10)
        except ValueError as error:
            words.append(str(error))
    return words
