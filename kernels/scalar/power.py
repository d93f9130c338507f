"""Powers of floats: branch-free in float64 for float32, the C library's for float64.

For float32, x**y = 2**(y * log2(x)), with a logarithm of 2**-44 and an exponential of 2**-29.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.exponential import (
    BIAS64,
    EXP64_MAGIC,
    EXP64_MAGIC_BITS,
    MANTISSA32,
    MANTISSA64,
    ONE32,
    ONE64,
    ZERO32,
)
from autograph.kernels.scalar.intrinsics import (
    bits_to_float32,
    bits_to_float64,
    c_power,
    float32_bits,
    float64_bits,
    round_to_zero,
    select,
)
from autograph.kernels.scalar.logarithm import (
    INFINITY32,
    LOG2_OF_32,
    LOG32_LIFT,
    LOG32_LIFT_POWER,
    LOG32_ROOT_BITS,
    LOG32_SMALLEST,
    LOG64_TWO,
    NAN32,
)

POWER32_Q0 = np.float64(0.6666666667579936)
POWER32_Q1 = np.float64(0.3999999562273259)
POWER32_Q2 = np.float64(0.2857210903207574)
POWER32_Q3 = np.float64(0.2217619508082768)
POWER32_Q4 = np.float64(0.19584045645271914)
POWER32_E0 = np.float64(1.0000000005557546)
POWER32_E1 = np.float64(0.6931472057701088)
POWER32_E2 = np.float64(0.2402264688451486)
POWER32_E3 = np.float64(0.05550328708581726)
POWER32_E4 = np.float64(0.009618489355892849)
POWER32_E5 = np.float64(0.0013399958517711233)
POWER32_E6 = np.float64(0.00015345765414552282)
POWER32_LOWEST = np.float64(-200.0)
POWER32_HIGHEST = np.float64(200.0)
POWER32_HALF = np.float32(0.5)
INT32_0 = np.int32(0)


def log2_wide(a: Any) -> Any:
    """log2 of a float32 a > 0 as a float64; -inf at 0."""
    y = select(a < LOG32_SMALLEST, a * LOG32_LIFT, a)
    bits = float32_bits(y)
    n = np.int32(np.int32(bits - LOG32_ROOT_BITS) >> MANTISSA32)
    f = np.float64(bits_to_float32(bits - np.int32(n << MANTISSA32))) - ONE64
    k = select(a < LOG32_SMALLEST, np.float32(n) - LOG32_LIFT_POWER, np.float32(n))
    k = select(a > ZERO32, select(a < INFINITY32, k, a), -INFINITY32)
    s = f / (LOG64_TWO + f)
    z = s * s
    p = POWER32_Q4 * z + POWER32_Q3
    p = p * z + POWER32_Q2
    p = p * z + POWER32_Q1
    p = p * z + POWER32_Q0
    return (s * (z * p) + (s + s)) * LOG2_OF_32 + np.float64(k)


def exp2_narrow(t: Any) -> Any:
    """2**t as a float32, t a float64 between -200 and 200."""
    shifted = t + EXP64_MAGIC
    f = t - (shifted - EXP64_MAGIC)
    p = POWER32_E6 * f + POWER32_E5
    p = p * f + POWER32_E4
    p = p * f + POWER32_E3
    p = p * f + POWER32_E2
    p = p * f + POWER32_E1
    p = p * f + POWER32_E0
    n = (float64_bits(shifted) - EXP64_MAGIC_BITS) + BIAS64
    return np.float32(p * bits_to_float64(n << MANTISSA64))


def power_float32(x: Any, y: Any) -> Any:
    """x**y with the special cases of C: pow(x, 0) = pow(1, y) = 1, nan for negative x and y not
    whole."""
    a = abs(x)
    t = np.float64(y) * log2_wide(a)
    clipped = select(t > POWER32_LOWEST, t, POWER32_LOWEST)
    clipped = select(clipped < POWER32_HIGHEST, clipped, POWER32_HIGHEST)
    p = select(t == t, exp2_narrow(clipped), NAN32)
    p = select(a == ONE32, ONE32, p)
    whole = round_to_zero(y) == y
    half = y * POWER32_HALF
    odd = whole & (round_to_zero(half) != half)
    p = select(odd & (float32_bits(x) < INT32_0), -p, p)
    p = select((x < ZERO32) & (a < INFINITY32) & (whole ^ True), NAN32, p)
    p = select((x == x) & (y == y), p, NAN32)
    return select((y == ZERO32) | (x == ONE32), ONE32, p)


def power_float64(x: Any, y: Any) -> Any:
    """x**y with the special cases of C."""
    return c_power(x, y)
