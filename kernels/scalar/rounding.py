"""Rounding, sign, square root, minimum and maximum of floats, as NumPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.exponential import ONE32, ONE64, ZERO32, ZERO64
from autograph.kernels.scalar.intrinsics import (
    round_down,
    round_even,
    round_to_zero,
    round_up,
    select,
    square_root,
)

MINUS_ONE32 = np.float32(-1.0)
MINUS_ONE64 = np.float64(-1.0)


def sqrt_float(x: Any) -> Any:
    """The square root; nan below 0."""
    return square_root(x)


def floor_float(x: Any) -> Any:
    """The largest integer not above x."""
    return round_down(x)


def ceil_float(x: Any) -> Any:
    """The smallest integer not below x."""
    return round_up(x)


def trunc_float(x: Any) -> Any:
    """x without its fraction."""
    return round_to_zero(x)


def round_float(x: Any) -> Any:
    """The nearest integer; halves go to the even one."""
    return round_even(x)


def sign_float32(x: Any) -> Any:
    """-1, 0 or 1, and nan for nan; the sign of -0 is 0."""
    return select(x > ZERO32, ONE32, select(x < ZERO32, MINUS_ONE32, x + ZERO32))


def sign_float64(x: Any) -> Any:
    """-1, 0 or 1, and nan for nan; the sign of -0 is 0."""
    return select(x > ZERO64, ONE64, select(x < ZERO64, MINUS_ONE64, x + ZERO64))


def minimum_float(a: Any, b: Any) -> Any:
    """The smaller of two; nan if either is nan."""
    return select((a < b) | (a != a), a, b)


def maximum_float(a: Any, b: Any) -> Any:
    """The larger of two; nan if either is nan."""
    return select((a > b) | (a != a), a, b)
