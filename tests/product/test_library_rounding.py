"""The plain Python that staged `round` runs gives what Python's own gives."""

from __future__ import annotations

import math
import random

import pytest

from autograph.library import mathematics
from autograph.library.rounding import rounded, rounded_int, rounded_to_tens

EDGES = (0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 2.675, 1.005, 1.115, 0.285, 1e15 + 0.3, 2.0**52 - 0.5)
LARGE = (2.0**51 + 0.5, 2.0**52 + 1.0, 2.0**53 - 1.0, 2.0**60, 1e300, math.inf, -math.inf)


def numbers() -> list[float]:
    generator = random.Random(7)
    found = [*EDGES, *LARGE]
    for _ in range(4000):
        found.append(generator.uniform(-1, 1) * 10.0 ** generator.randint(-6, 18))
        found.append(generator.randint(-(10**6), 10**6) / 2.0 ** generator.randint(0, 12))
        found.append(round(generator.uniform(-1e3, 1e3), generator.randint(0, 4)) + 0.005)
    return found


@pytest.mark.parametrize("digits", [0, 1, 2, 3, 5, 9, 15, 16, 22])
def test_to_digits(digits: int) -> None:
    for x in numbers():
        assert repr(rounded(x, 10.0**digits)) == repr(round(x, digits)), (x, digits)


@pytest.mark.parametrize("digits", [1, 2, 3, 7, 12, 15])
def test_to_tens(digits: int) -> None:
    for x in numbers():
        assert repr(rounded_to_tens(x, 10.0**digits)) == repr(round(x, -digits)), (x, digits)
        if math.isfinite(x) and abs(x) < 2**62:
            assert rounded_int(int(x), 10**digits) == round(int(x), -digits)


def test_remainders() -> None:
    for x, y in zip(numbers(), reversed(numbers()), strict=True):
        if math.isfinite(x) and y:
            assert repr(mathematics.modulo(x, y)) == repr(math.fmod(x, y))
            assert repr(mathematics.remainder(x, y)) == repr(math.remainder(x, y)), (x, y)
        assert repr(mathematics.fraction_and_whole(x)) == repr(math.modf(x))
        assert mathematics.last_place(x) == math.ulp(x)
