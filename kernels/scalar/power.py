"""Powers of floats: branch-free in float64 for float32, the C library's for float64.

For float32, x**y = 2**(y * log2(x)), with a logarithm of 2**-44 and an exponential of 2**-29. In
loops over arrays of float64, x**y = e**(y * log(x)), with a logarithm that is a sum of two floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.error_function import exp_of_sum
from autograph.kernels.scalar.exponential import (
    BIAS64,
    EXP64_MAGIC,
    EXP64_MAGIC_BITS,
    HALF64,
    MANTISSA32,
    MANTISSA64,
    ONE32,
    ONE64,
    ZERO32,
    ZERO64,
)
from autograph.kernels.scalar.intrinsics import (
    bits_to_float32,
    bits_to_float64,
    c_power,
    float32_bits,
    float64_bits,
    product_error,
    round_to_zero,
    select,
)
from autograph.kernels.scalar.logarithm import (
    INFINITY32,
    INFINITY64,
    LOG2_OF_32,
    LOG32_LIFT,
    LOG32_LIFT_POWER,
    LOG32_ROOT_BITS,
    LOG32_SMALLEST,
    LOG64_LIFT,
    LOG64_LIFT_POWER,
    LOG64_ROOT_BITS,
    LOG64_SMALLEST,
    LOG64_TWO,
    NAN32,
    NAN64,
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
INT64_0 = np.int64(0)
POWER64_1_OVER_5 = np.float64(1 / 5)
POWER64_1_OVER_7 = np.float64(1 / 7)
POWER64_1_OVER_9 = np.float64(1 / 9)
POWER64_1_OVER_11 = np.float64(1 / 11)
POWER64_1_OVER_13 = np.float64(1 / 13)
POWER64_1_OVER_15 = np.float64(1 / 15)
POWER64_1_OVER_17 = np.float64(1 / 17)
POWER64_1_OVER_19 = np.float64(1 / 19)
POWER64_1_OVER_21 = np.float64(1 / 21)
POWER64_1_OVER_23 = np.float64(1 / 23)
POWER64_1_OVER_25 = np.float64(1 / 25)
POWER64_THIRD = np.float64(1 / 3)
POWER64_THIRD_LOW = np.float64(1.850371707708594e-17)
POWER64_LN2_1 = np.float64(0.6931471805598903)
POWER64_LN2_2 = np.float64(5.497923018708371e-14)
POWER64_LARGEST = np.float64(2.0**66)
POWER64_LOWEST = np.float64(-760.0)
POWER64_HIGHEST = np.float64(720.0)


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


def sum_error(a: Any, b: Any, s: Any) -> Any:
    """What rounding takes from a + b, which is s."""
    t = s - a
    return (a - (s - t)) + (b - t)


def log_in_two_float64(a: Any) -> Any:
    """(h, t): log(a) = h + t, for a finite a > 0.

    a = 2**k (1 + f), and log(a) = k ln 2 + 2 artanh(f / (2 + f)), each step as a sum of two floats
    (T. J. Dekker, A Floating-Point Technique for Extending the Available Precision, 1971).
    """
    small = a < LOG64_SMALLEST
    bits = float64_bits(select(small, a * LOG64_LIFT, a))
    n = (bits - LOG64_ROOT_BITS) >> MANTISSA64
    f = bits_to_float64(bits - (n << MANTISSA64)) - ONE64
    k = np.float64(n) - select(small, LOG64_LIFT_POWER, ZERO64)
    # s + s_low = f / (2 + f)
    d = LOG64_TWO + f
    d_low = f - (d - LOG64_TWO)
    s = f / d
    s_low = (((f - s * d) - product_error(s, d)) - s * d_low) / d
    # w + w_low = s * s
    w = s * s
    w_low = product_error(s, s) + LOG64_TWO * (s * s_low)
    t = w * POWER64_THIRD
    t_low = product_error(w, POWER64_THIRD) + (w * POWER64_THIRD_LOW + w_low * POWER64_THIRD)
    c = POWER64_1_OVER_25 * w + POWER64_1_OVER_23
    c = c * w + POWER64_1_OVER_21
    c = c * w + POWER64_1_OVER_19
    c = c * w + POWER64_1_OVER_17
    c = c * w + POWER64_1_OVER_15
    c = c * w + POWER64_1_OVER_13
    c = c * w + POWER64_1_OVER_11
    c = c * w + POWER64_1_OVER_9
    c = c * w + POWER64_1_OVER_7
    c = c * w + POWER64_1_OVER_5
    c = w * w * c
    u = t + c
    u_low = sum_error(t, c, u) + t_low
    v = s * u
    v_low = product_error(s, u) + (s * u_low + s_low * u)
    h = s + v
    low = LOG64_TWO * (sum_error(s, v, h) + (s_low + v_low))
    b = k * POWER64_LN2_1
    h = LOG64_TWO * h
    total = b + h
    low = low + (sum_error(b, h, total) + k * POWER64_LN2_2)
    result = total + low
    return result, (total - result) + low


def power_in_loops_float64(x: Any, y: Any) -> Any:
    """x**y with the special cases of C, branch-free, for loops over arrays.

    The logarithm is a sum of two floats, and so is its product with y: results that are floats,
    such as those of 10**3, come out exactly.
    """
    a = abs(x)
    log, log_low = log_in_two_float64(a)
    # e**(whole + rest) = x**y
    z = select(y < POWER64_LARGEST, y, POWER64_LARGEST)
    z = select(z > -POWER64_LARGEST, z, -POWER64_LARGEST)
    p = z * log
    e = product_error(z, log) + z * log_low
    whole = p + e
    rest = (p - whole) + e
    beyond = (whole > POWER64_LOWEST) ^ True
    whole = select(beyond, POWER64_LOWEST, whole)
    beyond = beyond | (whole > POWER64_HIGHEST)
    whole = select(whole < POWER64_HIGHEST, whole, POWER64_HIGHEST)
    made = exp_of_sum(whole, select(beyond, ZERO64, rest))
    # the special cases
    made = select(a == ONE64, ONE64, made)
    edge = (a == ZERO64) | (a == INFINITY64)
    grows = (y > ZERO64) == (a > ZERO64)
    made = select(edge, select(grows, INFINITY64, ZERO64), made)
    whole_y = round_to_zero(y) == y
    half = y * HALF64
    odd = whole_y & (round_to_zero(half) != half)
    below = float64_bits(x) < INT64_0
    made = select(odd & below, -made, made)
    made = select(below & ((edge | whole_y) ^ True), NAN64, made)
    made = select((x == x) & (y == y), made, NAN64)
    return select((y == ZERO64) | (x == ONE64), ONE64, made)
