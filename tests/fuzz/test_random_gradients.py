"""Gradients of random functions with loops, recursion and lists are those of eager Python."""

from __future__ import annotations

import pytest

from tests.fuzz.program_gradients import check, source_of

IN_TEST = (*range(12), 213)
IN_SWEEP, BATCH = 2_000, 100


def verify(seed: int, mode: str) -> None:
    found = check(seed, mode)
    assert not found.startswith("different"), f"{found}\n{source_of(seed)}"


@pytest.mark.parametrize("seed", IN_TEST)
def test_in_text(seed: int) -> None:
    verify(seed, "text")


@pytest.mark.parametrize("seed", IN_TEST[:3])
def test_evaluated(seed: int) -> None:
    verify(seed, "evaluate")


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(0, IN_SWEEP, BATCH))
def test_many(first: int) -> None:
    for seed in range(first, first + BATCH):
        verify(seed, "text")


def test_programs_are_worth_running() -> None:
    """Most return, and few are refused."""
    kinds = [check(seed, "evaluate") for seed in range(300, 310)]
    assert kinds.count("same") >= 7
