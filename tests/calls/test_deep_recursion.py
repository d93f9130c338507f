"""A recursion by known values that is too deep to be traced is refused, not taken for an error."""

from __future__ import annotations

import pytest

import autograph as ag


def total(x, depth):
    return x if depth == 0 else total(x, depth - 1) + 1


def caught(x, n):
    if n > 1:
        try:
            return total(x, 400)
        except RecursionError:
            return x * 0
    return x


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_recursion_that_is_too_deep() -> None:
    with pytest.raises(ag.StagingError, match="too deep to be traced"):
        ag.function(caught)(ag.asarray(1.0), ag.asarray(2))
    assert float(ag.function(total)(ag.asarray(1.0), 40)) == 41.0
