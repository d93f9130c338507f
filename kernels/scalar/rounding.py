"""Rounding, sign, square root, minimum and maximum of floats, as NumPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.exponential import ONE32, ONE64, ZERO32, ZERO64
from autograph.kernels.scalar.intrinsics import (
    bits_to_float32,
    bits_to_float64,
    copy_sign,
    float32_bits,
    float64_bits,
    round_down,
    round_even,
    round_to_zero,
    round_up,
    select,
    square_root,
)

MINUS_ONE32 = np.float32(-1.0)
MINUS_ONE64 = np.float64(-1.0)
NEXT32 = np.int32(1)
NEXT64 = np.int64(1)
LEAST32 = np.float32(1.401298464324817e-45)
LEAST64 = np.float64(5e-324)


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


def copysign_float(x: Any, y: Any) -> Any:
    """x with the sign of y, that of a zero too."""
    return copy_sign(x, y)


def nextafter_float32(x: Any, y: Any) -> Any:
    """The float next to x on the way to y; nan where either is."""
    bits = float32_bits(x)
    away = select((y > x) == (x > ZERO32), NEXT32, np.int32(-NEXT32))
    least = copy_sign(LEAST32, y)
    moved = select(x == ZERO32, least, bits_to_float32(np.int32(bits + away)))
    return select(x == y, y, select((x == x) & (y == y), moved, x + y))


def nextafter_float64(x: Any, y: Any) -> Any:
    """The float next to x on the way to y; nan where either is."""
    bits = float64_bits(x)
    away = select((y > x) == (x > ZERO64), NEXT64, -NEXT64)
    least = copy_sign(LEAST64, y)
    moved = select(x == ZERO64, least, bits_to_float64(bits + away))
    return select(x == y, y, select((x == x) & (y == y), moved, x + y))
