"""`round` to a number of digits that is staged, and exact ratios."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
ROUNDED = (
    (2.675, 2), (-1.355, 1), (1234.5, -2), (2.5, 0), (5e15, -16), (1.23456789e-5, 8), (-0.0, -400),
    (3.7, 23), (3.7, 400), (12345.678, -5), (99999.5, -1), (-350.0, -2), (0.1, 22),
)  # fmt: skip
D = tuple(case(t(x, dtype=ag.float64), t(digits)) for x, digits in ROUNDED)
I = tuple(
    case(t(n), t(digits)) for n, digits in ((12345, -2), (25, -1), (-35, -1), (7, 3), (5, -19))
)


@program(*D)
def floats_to_staged_digits(x, n):
    return round(float(x), int(n)), round(float(x), n)


@program(*I)
def ints_to_staged_digits(x, n):
    return round(int(x), int(n)), round(17, -int(n)), round(True, int(n))


@program(*D[:4])
def digits_by_turns(x, n):
    found = []
    for i in range(-3, 4):
        found.append(round(float(x), i + int(n)))
    return found, [round(one, int(n)) for one in (float(x), 1.005, 3)]


@program(case(t(2.5), t(1.0)))
def digits_that_are_a_float(x, n):
    return round(float(x), float(n))


@program(case(t(2.6)), case(t(-1.35)), case(t(0.0)), case(t(float("inf"))), case(t(float("nan"))))
def exact_ratios(x):
    return float(x).as_integer_ratio(), (3).as_integer_ratio()


@program(case(t(3)), case(t(-2)))
def ratios_of_ints(n):
    return int(n).as_integer_ratio(), (n > 0).item().as_integer_ratio()
