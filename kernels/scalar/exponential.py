"""exp, expm1 and the logistic function, branch-free, for float32 and float64.

x = k ln 2 + r with |r| <= ln 2 / 2. k is rounded by adding and subtracting 1.5 * 2**p (p bits of
mantissa), whose low bits then hold k as an integer. The polynomials are Remez fits of
(exp(r) - 1 - r) / r**2. 2**k is applied in two factors, so that results below the smallest
normal number round once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.intrinsics import (
    bits_to_float32,
    bits_to_float64,
    float32_bits,
    float64_bits,
    select,
)

EXP32_LOWEST = np.float32(-104.5)
EXP32_HIGHEST = np.float32(89.0)
EXP32_LOG2E = np.float32(1.4426950408889634)
EXP32_MAGIC = np.float32(12582912.0)
EXP32_MAGIC_BITS = np.int32(0x4B400000)
EXP32_LN2_HIGH = np.float32(0.693359375)
EXP32_LN2_LOW = np.float32(-2.12194440e-4)
EXP32_C0 = np.float32(0.5)
EXP32_C1 = np.float32(0.16666666)
EXP32_C2 = np.float32(0.04166636)
EXP32_C3 = np.float32(0.00833339)
EXP32_C4 = np.float32(0.0013940668)
EXP32_C5 = np.float32(0.0001984594)
EXPM1_32_LOWEST = np.float32(-18.0)
EXPM1_32_BIAS = np.int32(126)
EXPM1_32_TINY = np.float32(1e-20)
ONE32 = np.float32(1.0)
HALF32 = np.float32(0.5)
INVERSE32_AT_0 = np.float32(1.4571)
ZERO32 = np.float32(0.0)
BIAS32 = np.int32(127)
MANTISSA32 = np.int32(23)
INT32_1 = np.int32(1)

EXP64_LOWEST = np.float64(-746.0)
EXP64_HIGHEST = np.float64(710.0)
EXP64_LOG2E = np.float64(1.4426950408889634)
EXP64_MAGIC = np.float64(6755399441055744.0)
EXP64_MAGIC_BITS = np.int64(0x4338000000000000)
EXP64_LN2_HIGH = np.float64(6.93147180369123816490e-01)
EXP64_LN2_LOW = np.float64(1.90821492927058770002e-10)
EXP64_C0 = np.float64(0.5)
EXP64_C1 = np.float64(0.16666666666666677)
EXP64_C2 = np.float64(0.04166666666666651)
EXP64_C3 = np.float64(0.008333333333321653)
EXP64_C4 = np.float64(0.0013888888888962587)
EXP64_C5 = np.float64(0.00019841269886074323)
EXP64_C6 = np.float64(2.4801587172243856e-05)
EXP64_C7 = np.float64(2.7557244253289543e-06)
EXP64_C8 = np.float64(2.7557402772603977e-07)
EXP64_C9 = np.float64(2.5109024783846034e-08)
EXP64_C10 = np.float64(2.08753284665195e-09)
EXPM1_64_LOWEST = np.float64(-38.0)
EXPM1_64_BIAS = np.int64(1022)
EXPM1_64_TINY = np.float64(1e-40)
ONE64 = np.float64(1.0)
HALF64 = np.float64(0.5)
INVERSE64_AT_0 = np.float64(1.4571)
ZERO64 = np.float64(0.0)
BIAS64 = np.int64(1023)
MANTISSA64 = np.int64(52)
INT64_1 = np.int64(1)


def exp_float32(x: Any) -> Any:
    """exp(x)."""
    y = select(x > EXP32_LOWEST, x, EXP32_LOWEST)
    y = select(y < EXP32_HIGHEST, y, EXP32_HIGHEST)
    t = y * EXP32_LOG2E + EXP32_MAGIC
    k = t - EXP32_MAGIC
    a = y - k * EXP32_LN2_HIGH
    b = k * EXP32_LN2_LOW
    r = a - b
    c = (a - r) - b
    p = EXP32_C5 * r + EXP32_C4
    p = p * r + EXP32_C3
    p = p * r + EXP32_C2
    p = p * r + EXP32_C1
    p = p * r + EXP32_C0
    p = p * (r * r) + c
    # 1 + r + p with what the first sum rounds away
    q = ONE32 + r
    p = q + (((ONE32 - q) + r) + p)
    n = np.int32(float32_bits(t) - EXP32_MAGIC_BITS)
    half = np.int32(n >> INT32_1)
    rest = np.int32(np.int32(n - half) + BIAS32)
    half = np.int32(half + BIAS32)
    low = bits_to_float32(half << MANTISSA32)
    high = bits_to_float32(rest << MANTISSA32)
    p = (p * high) * low
    return select(x == x, p, x)


def exp_float64(x: Any) -> Any:
    """exp(x)."""
    y = select(x > EXP64_LOWEST, x, EXP64_LOWEST)
    y = select(y < EXP64_HIGHEST, y, EXP64_HIGHEST)
    t = y * EXP64_LOG2E + EXP64_MAGIC
    k = t - EXP64_MAGIC
    a = y - k * EXP64_LN2_HIGH
    b = k * EXP64_LN2_LOW
    r = a - b
    c = (a - r) - b
    p = EXP64_C10 * r + EXP64_C9
    p = p * r + EXP64_C8
    p = p * r + EXP64_C7
    p = p * r + EXP64_C6
    p = p * r + EXP64_C5
    p = p * r + EXP64_C4
    p = p * r + EXP64_C3
    p = p * r + EXP64_C2
    p = p * r + EXP64_C1
    p = p * r + EXP64_C0
    p = p * (r * r) + c
    # 1 + r + p with what the first sum rounds away
    q = ONE64 + r
    p = q + (((ONE64 - q) + r) + p)
    n = float64_bits(t) - EXP64_MAGIC_BITS
    half = n >> INT64_1
    low = bits_to_float64((half + BIAS64) << MANTISSA64)
    high = bits_to_float64(((n - half) + BIAS64) << MANTISSA64)
    p = (p * high) * low
    return select(x == x, p, x)


def expm1_float32(x: Any) -> Any:
    """exp(x) - 1, accurate near 0."""
    y = select(x > EXPM1_32_LOWEST, x, EXPM1_32_LOWEST)
    y = select(y < EXP32_HIGHEST, y, EXP32_HIGHEST)
    t = y * EXP32_LOG2E + EXP32_MAGIC
    k = t - EXP32_MAGIC
    a = y - k * EXP32_LN2_HIGH
    b = k * EXP32_LN2_LOW
    r = a - b
    c = (a - r) - b
    p = EXP32_C5 * r + EXP32_C4
    p = p * r + EXP32_C3
    p = p * r + EXP32_C2
    p = p * r + EXP32_C1
    p = p * r + EXP32_C0
    p = p * (r * r) + c
    n = np.int32(float32_bits(t) - EXP32_MAGIC_BITS)
    # exp(x) / 2 - 1 / 2, doubled at the end: 2**128 is no float32
    scale = bits_to_float32(np.int32(n + EXPM1_32_BIAS) << MANTISSA32)
    a = scale - HALF32
    b = scale * r
    q = a + b
    p = q + (((a - q) + b) + scale * p)
    p = p + p
    return select(x * x > EXPM1_32_TINY, p, x)


def expm1_float64(x: Any) -> Any:
    """exp(x) - 1, accurate near 0."""
    y = select(x > EXPM1_64_LOWEST, x, EXPM1_64_LOWEST)
    y = select(y < EXP64_HIGHEST, y, EXP64_HIGHEST)
    t = y * EXP64_LOG2E + EXP64_MAGIC
    k = t - EXP64_MAGIC
    a = y - k * EXP64_LN2_HIGH
    b = k * EXP64_LN2_LOW
    r = a - b
    c = (a - r) - b
    p = EXP64_C10 * r + EXP64_C9
    p = p * r + EXP64_C8
    p = p * r + EXP64_C7
    p = p * r + EXP64_C6
    p = p * r + EXP64_C5
    p = p * r + EXP64_C4
    p = p * r + EXP64_C3
    p = p * r + EXP64_C2
    p = p * r + EXP64_C1
    p = p * r + EXP64_C0
    p = p * (r * r) + c
    n = float64_bits(t) - EXP64_MAGIC_BITS
    # exp(x) / 2 - 1 / 2, doubled at the end: 2**1024 is no float64
    scale = bits_to_float64((n + EXPM1_64_BIAS) << MANTISSA64)
    a = scale - HALF64
    b = scale * r
    q = a + b
    p = q + (((a - q) + b) + scale * p)
    p = p + p
    return select(x * x > EXPM1_64_TINY, p, x)


def sigmoid_float32(x: Any) -> Any:
    """1 / (1 + exp(-x)); its argument of exp is never positive, so nothing overflows."""
    e = exp_float32(-abs(x))
    total = ONE32 + e
    quotient = select(x < ZERO32, e, ONE32) / total
    # What the sum rounded away, times about 1 / total, which a line gives within 5 % on [1, 2].
    return quotient - quotient * (e - (total - ONE32)) * (INVERSE32_AT_0 - HALF32 * total)


def sigmoid_float64(x: Any) -> Any:
    """1 / (1 + exp(-x)); its argument of exp is never positive, so nothing overflows."""
    e = exp_float64(-abs(x))
    total = ONE64 + e
    quotient = select(x < ZERO64, e, ONE64) / total
    return quotient - quotient * (e - (total - ONE64)) * (INVERSE64_AT_0 - HALF64 * total)
