"""Arrays of random numbers as functions of a seed: what programs compute, made by NumPy at once.

The element at the flat place i is the scalar function of the seed and the counter i, to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.kernels.scalar.arrays import array_function

CHUNK = 1 << 14
"""How many elements are computed at a time, so that intermediate arrays stay in the cache."""


def _filled(
    function: Callable[..., Any], shape: Sequence[int], dtype: np.dtype[Any], seed: int, *rest: Any
) -> np.ndarray[Any, Any]:
    size = math.prod(shape)
    out = np.empty(size, dtype)
    key = np.asarray(seed % 2**64, np.uint64)
    with np.errstate(all="ignore"):
        for start in range(0, size, CHUNK):
            stop = min(start + CHUNK, size)
            out[start:stop] = function(key, np.arange(start, stop, dtype=np.uint64), *rest)
    return out.reshape(tuple(shape))


def _float(dtype: Any) -> np.dtype[Any]:
    kind: np.dtype[Any] = np.dtype(dtype)
    if kind.name not in ("float32", "float64"):
        raise TypeError(f"random numbers of dtype {kind} are not to be had: float32, float64")
    return kind


def random_uniform(
    seed: int, shape: Sequence[int], dtype: Any = np.float32
) -> np.ndarray[Any, Any]:
    """Numbers in [0, 1) of `dtype`, float32 or float64 (TypeError otherwise), for any int seed."""
    kind = _float(dtype)
    return _filled(array_function(f"random_uniform_{kind.name}"), shape, kind, seed)


def random_normal(seed: int, shape: Sequence[int], dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    """Normal numbers of mean 0 and variance 1, float32 or float64 (TypeError otherwise)."""
    kind = _float(dtype)
    return _filled(array_function(f"random_normal_{kind.name}"), shape, kind, seed)


def random_integers(
    seed: int, shape: Sequence[int], low: int, high: int, dtype: Any = np.int64
) -> np.ndarray[Any, Any]:
    """Integers in [low, high) of an integer dtype; ValueError unless low < high are int64."""
    if not -(2**63) <= low < high < 2**63:
        raise ValueError(f"random integers need low < high, both int64: {low}, {high}")
    bounds = np.asarray(low, np.int64), np.asarray(high, np.int64)
    return _filled(array_function("random_integer"), shape, np.dtype(dtype), seed, *bounds)
