"""Compiled sums, and what is made of sums, have the very bits that NumPy's have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

SUMS: dict[str, Callable[[Any, Any], Any]] = {
    "all": lambda x, y: x.sum(),
    "of products": lambda x, y: (x * y).sum(),
    "of a function": lambda x, y: np.sqrt(np.abs(x)).sum(),
    "rows": lambda x, y: x.sum(axis=1),
    "columns": lambda x, y: x.sum(axis=0),
    "rows of products": lambda x, y: (x * y).sum(axis=1),
    "the other way round": lambda x, y: x.T.sum(axis=1),
    "rows of columns": lambda x, y: x.T.sum(axis=0),
    "all, the other way round": lambda x, y: x.T.sum(),
    "mean": lambda x, y: x.mean(),
    "means of rows": lambda x, y: x.mean(axis=1),
    "std": lambda x, y: x.std(),
    "variances of rows": lambda x, y: x.var(axis=1),
    "a part": lambda x, y: x[1:-1, 1:-1].sum(),
    "every second": lambda x, y: x[0, ::2].sum(),
    "of parts": lambda x, y: ((x[1:] - x[:-1]) ** 2).sum(),
    "a window": lambda x, y: (x[1:4, 2:5] * y[:3, :3]).sum(),
    "distances": lambda x, y: ((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2),
    "two axes": lambda x, y: (x[:6, None, :] * y[None, :6, :]).sum(axis=(0, 2)),
    "the last two axes": lambda x, y: (x[:6, None, :] * y[None, :6, :]).sum(axis=(1, 2)),
    "with another result": lambda x, y: (x + y) / (x + y).sum(axis=1, keepdims=True),
    "weights": lambda x, y: np.average(x, axis=1, weights=y[0] ** 2),
    "without NaN": lambda x, y: np.nansum(x),
    "norms": lambda x, y: np.linalg.norm(x, axis=1),
    "products": lambda x, y: np.prod(x[:4] + 1),
    "products of rows": lambda x, y: np.prod(x, axis=1),
}
SHAPES = ((5, 5), (6, 7), (8, 8), (9, 16), (12, 100), (7, 129), (20, 257), (6, 1000))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", SUMS)
def test_sum(name: str, dtype: Any) -> None:
    function = SUMS[name]
    compiled = ag.function(function)
    draws = np.random.default_rng(len(name))
    for shape in SHAPES:
        x, y = (draws.normal(size=shape).astype(dtype) for _ in "xy")
        wanted, found = np.asarray(function(x, y)), np.asarray(compiled(x, y))
        assert found.dtype == wanted.dtype
        assert np.array_equal(wanted, found), shape


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 127, 128, 129, 136, 1031, 5000, 40_000])
def test_a_sum_of_so_many(count: int) -> None:
    compiled, heavy = ag.function(SUMS["all"]), ag.function(lambda x: np.floor(x * 9).sum())
    for dtype in (np.float64, np.float32):
        x = np.random.default_rng(count).normal(size=count).astype(dtype)
        assert compiled(x, x) == x.sum()
        assert heavy(x) == np.floor(x * 9).sum()
        with np.errstate(invalid="ignore"):
            for special in (np.inf, np.nan):
                if count:
                    x[count // 2] = special
                    assert np.array_equal(compiled(x, x), x.sum(), equal_nan=True)
