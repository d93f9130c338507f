"""`choice` of NumPy's generators with a probability for each item: Python on one uniform number."""

from __future__ import annotations

from typing import Any

import numpy as np

OF_GENERATORS = (
    "a must be a positive integer unless no samples are taken",
    "a cannot be empty unless no samples are taken",
    "p must be 1-dimensional",
    "a and p must have same size",
    "Probabilities contain NaN",
    "Probabilities are not non-negative",
    "Probabilities do not sum to 1. See Notes section of docstring for more information.",
)
OF_RANDOM_STATES = (
    "a must be greater than 0 unless no samples are taken",
    "'a' cannot be empty unless no samples are taken",
    "'p' must be 1-dimensional",
    "'a' and 'p' must have same size",
    "probabilities contain NaN",
    "probabilities are not non-negative",
    "probabilities do not sum to 1",
)
"""What they say of no items (a number of them, an array of them), and of probabilities."""


def places(
    rng: Any, count: int, counted: bool, p: Any, size: Any, tolerance: float, words: tuple[str, ...]
) -> Any:
    """The places of the chosen ones of `count` items, which are numbers or (`counted`) not given.

    `tolerance`: how far from 1 the sum of the probabilities may be.
    """
    if count <= 0:
        raise ValueError(words[0] if counted else words[1])
    weights = np.asarray(p, dtype=np.float64)
    if weights.ndim != 1:
        raise ValueError(words[2])
    if len(weights) != count:
        raise ValueError(words[3])
    total = _sum(weights)
    if np.isnan(total):
        raise ValueError(words[4])
    if np.any(weights < 0):
        raise ValueError(words[5])
    if abs(total - 1.0) > tolerance:
        raise ValueError(words[6])
    ends = np.cumsum(weights)
    ends = ends / ends[-1]
    drawn = rng.random() if size is None else rng.random(size)
    return np.searchsorted(ends, drawn, side="right")


def _sum(values: Any) -> Any:
    """The sum with what rounding loses carried on (Kahan), as NumPy adds probabilities."""
    total, lost = values[0], 0.0
    for place in range(1, len(values)):
        more = values[place] - lost
        after = total + more
        lost = (after - total) - more
        total = after
    return total
