"""The order of sets of ints, as the library has it, is that of the Python that runs."""

from __future__ import annotations

import random

import pytest

from autograph.library.set_order import hash_of, in_table

SPREADS = (10, 100, 10**6, 2**62)


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("count", [1, 4, 5, 20, 60, 400])
def test_members_come_in_the_order_of_the_table(count: int, spread: int) -> None:
    source = random.Random(count * spread)
    for _ in range(20):
        given = [source.randrange(-spread, spread) for _ in range(count)]
        assert in_table(list(dict.fromkeys(given))) == list(set(given))
        assert [hash_of(one) for one in given] == [hash(one) for one in given]


def test_large_sets_grow_more_slowly() -> None:
    given = list(range(0, 300_000, 3))
    random.Random(0).shuffle(given)
    assert in_table(given) == list(set(given))
