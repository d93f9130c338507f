"""The order of sets of numbers, as the op has it, is that of the Python that runs."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.ops.table import OPS

SPREADS = (10, 100, 10**6, 2**62)


@ag.function
def order(numbers: ag.Tensor) -> ag.Tensor:
    return OPS.set_order(numbers)


def check(given: list[int] | list[float]) -> None:
    known = list(dict.fromkeys(given))
    found = order(ag.asarray(np.array(known, type(known[0])))).numpy()
    assert [known[place] for place in found] == list(set(given))


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("count", [1, 4, 5, 20, 60, 400])
def test_ints_come_in_the_order_of_the_table(count: int, spread: int) -> None:
    source = random.Random(count * spread)
    for _ in range(20):
        check([source.randrange(-spread, spread) for _ in range(count)])


@pytest.mark.parametrize("count", [1, 4, 60, 400])
def test_floats_come_in_the_order_of_the_table(count: int) -> None:
    source = random.Random(count)
    for _ in range(20):
        bits = [struct.unpack("d", struct.pack("Q", source.getrandbits(64)))[0] for _ in range(9)]
        halves = [source.randrange(-50, 50) / 2 for _ in range(count)]
        given = halves + [source.uniform(-9, 9) for _ in range(count)] + bits
        check([one for one in (*given, float("inf"), 5e-324, -1.0) if one == one])


def test_large_sets_grow_more_slowly() -> None:
    given = list(range(0, 300_000, 3))
    random.Random(0).shuffle(given)
    check(given)
