"""erf, erfc and gelu, branch-free, in float64 for both floats.

Four ranges of |x| have a quotient of polynomials each (the coefficients are those of fdlibm, Sun
Microsystems, 1993): in x*x about 0, in |x| - 1 about 1 (less a straight line, which is added to
erf(1) by itself), and in 1/(x*x) for two stretches of the tail, where it stands in an exponent
beside -x*x. One quotient is computed, with the coefficients of the range. The upper half of the
bits of x is squared exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.exponential import (
    BIAS64,
    EXP64_C0,
    EXP64_C1,
    EXP64_C2,
    EXP64_C3,
    EXP64_C4,
    EXP64_C5,
    EXP64_C6,
    EXP64_C7,
    EXP64_C8,
    EXP64_C9,
    EXP64_C10,
    EXP64_LN2_HIGH,
    EXP64_LN2_LOW,
    EXP64_LOG2E,
    EXP64_MAGIC,
    EXP64_MAGIC_BITS,
    HALF64,
    INT64_1,
    MANTISSA64,
    ONE64,
    ZERO64,
)
from autograph.kernels.scalar.hyperbolic import TWO64
from autograph.kernels.scalar.intrinsics import (
    bits_to_float64,
    copy_sign,
    float64_bits,
    select,
)
from autograph.kernels.scalar.logarithm import LOG64_HIGH_BITS

ERF_END_0 = np.float64(0.84375)
ERF_END_1 = np.float64(1.25)
ERF_END_2 = np.float64(2.857142857142857)
ERF_LAST = np.float64(28.0)
ERF_SLOPE = np.float64(0.375)
ERF_QUARTER = np.float64(0.25)
ERF_SHIFT = np.float64(0.5625)
ERF_AT_1 = np.float64(8.45062911510467529297e-01)
ERFC_AT_1 = np.float64(1.54937088489532470703e-01)
ERF_P0 = np.float64(1.28379167095512558561e-01)
ERF_P1 = np.float64(-3.25042107247001499370e-01)
ERF_P2 = np.float64(-2.84817495755985104766e-02)
ERF_P3 = np.float64(-5.77027029648944159157e-03)
ERF_P4 = np.float64(-2.37630166566501626084e-05)
ERF_Q1 = np.float64(3.97917223959155352819e-01)
ERF_Q2 = np.float64(6.50222499887672944485e-02)
ERF_Q3 = np.float64(5.08130628187576562776e-03)
ERF_Q4 = np.float64(1.32494738004321644526e-04)
ERF_Q5 = np.float64(-3.96022827877536812320e-06)
ERF_A0 = np.float64(-0.0023621185607526594)
ERF_A1 = np.float64(0.03985611868374833)
ERF_A2 = np.float64(-0.4121157061860179)
ERF_A3 = np.float64(0.11569740076284761)
ERF_A4 = np.float64(-0.13783043968772027)
ERF_A5 = np.float64(-0.01183590310266738)
ERF_A6 = np.float64(-0.0072802820618796844)
ERF_A7 = np.float64(-0.0044941874425496655)
ERF_B1 = np.float64(1.06420880400844228286e-01)
ERF_B2 = np.float64(5.40397917702171048937e-01)
ERF_B3 = np.float64(7.18286544141962662868e-02)
ERF_B4 = np.float64(1.26171219808761642112e-01)
ERF_B5 = np.float64(1.36370839120290507362e-02)
ERF_B6 = np.float64(1.19844998467991074170e-02)
ERF_R0 = np.float64(-9.86494403484714822705e-03)
ERF_R1 = np.float64(-6.93858572707181764372e-01)
ERF_R2 = np.float64(-1.05586262253232909814e01)
ERF_R3 = np.float64(-6.23753324503260060396e01)
ERF_R4 = np.float64(-1.62396669462573470355e02)
ERF_R5 = np.float64(-1.84605092906711035994e02)
ERF_R6 = np.float64(-8.12874355063065934246e01)
ERF_R7 = np.float64(-9.81432934416914548592e00)
ERF_S1 = np.float64(1.96512716674392571292e01)
ERF_S2 = np.float64(1.37657754143519042600e02)
ERF_S3 = np.float64(4.34565877475229228821e02)
ERF_S4 = np.float64(6.45387271733267880336e02)
ERF_S5 = np.float64(4.29008140027567833386e02)
ERF_S6 = np.float64(1.08635005541779435134e02)
ERF_S7 = np.float64(6.57024977031928170135e00)
ERF_S8 = np.float64(-6.04244152148580987438e-02)
ERF_U0 = np.float64(-9.86494292470009928597e-03)
ERF_U1 = np.float64(-7.99283237680523006574e-01)
ERF_U2 = np.float64(-1.77579549177547519889e01)
ERF_U3 = np.float64(-1.60636384855821916062e02)
ERF_U4 = np.float64(-6.37566443368389627722e02)
ERF_U5 = np.float64(-1.02509513161107724954e03)
ERF_U6 = np.float64(-4.83519191608651397019e02)
ERF_V1 = np.float64(3.03380607434824582924e01)
ERF_V2 = np.float64(3.25792512996573918826e02)
ERF_V3 = np.float64(1.53672958608443695994e03)
ERF_V4 = np.float64(3.19985821950859553908e03)
ERF_V5 = np.float64(2.55305040643316442583e03)
ERF_V6 = np.float64(4.74528541206955367215e02)
ERF_V7 = np.float64(-2.24409524465858183362e01)
GELU_ROOT_HALF = np.float64(0.7071067811865476)
GELU_ROOT_HALF_HIGH = np.float64(0.7071067690849304)
GELU_ROOT_HALF_LOW = np.float64(1.210161710447897e-08)
GELU_SHIFT = np.float64(0.90625)
GELU_REST = np.float64(-0.002823590279972655)
GELU_LAST = np.float64(39.0)
GELU_BELOW = np.float64(-0.0)
GELU_DENSITY = np.float64(1.1283791670955126)


def exp_of_sum(high: Any, low: Any) -> Any:
    """exp(high + low), of a sum from -800 to 720.

    `high` has 43 bits at most and |low| < 1, or `low` is what rounding took from `high`.
    """
    t = (high + low) * EXP64_LOG2E + EXP64_MAGIC
    k = t - EXP64_MAGIC
    a = high - k * EXP64_LN2_HIGH
    b = low - k * EXP64_LN2_LOW
    r = a + b
    c = (a - r) + b
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
    q = ONE64 + r
    p = q + (((ONE64 - q) + r) + p)
    n = float64_bits(t) - EXP64_MAGIC_BITS
    half = n >> INT64_1
    first = bits_to_float64((half + BIAS64) << MANTISSA64)
    rest = bits_to_float64(((n - half) + BIAS64) << MANTISSA64)
    return (p * rest) * first


def error_quotient(a: Any) -> Any:
    """The quotient of the range in which a >= 0 is; about 1 it lacks a straight line."""
    outer = a >= ERF_END_0
    tail = a >= ERF_END_1
    far = a >= ERF_END_2
    s = select(outer, a - ONE64, a * a)
    s = select(tail, ONE64 / (a * a), s)
    p = select(tail, select(far, ZERO64, ERF_R7), ERF_A7) * s + select(
        tail, select(far, ERF_U6, ERF_R6), ERF_A6
    )
    p = p * s + select(tail, select(far, ERF_U5, ERF_R5), ERF_A5)
    p = select(outer, p, ZERO64) * s + select(
        tail, select(far, ERF_U4, ERF_R4), select(outer, ERF_A4, ERF_P4)
    )
    p = p * s + select(tail, select(far, ERF_U3, ERF_R3), select(outer, ERF_A3, ERF_P3))
    p = p * s + select(tail, select(far, ERF_U2, ERF_R2), select(outer, ERF_A2, ERF_P2))
    p = p * s + select(tail, select(far, ERF_U1, ERF_R1), select(outer, ERF_A1, ERF_P1))
    p = p * s + select(tail, select(far, ERF_U0, ERF_R0), select(outer, ERF_A0, ERF_P0))
    q = select(far, ZERO64, ERF_S8) * s + select(far, ERF_V7, ERF_S7)
    q = select(tail, q, ZERO64) * s + select(tail, select(far, ERF_V6, ERF_S6), ERF_B6)
    q = select(outer, q, ZERO64) * s + select(
        tail, select(far, ERF_V5, ERF_S5), select(outer, ERF_B5, ERF_Q5)
    )
    q = q * s + select(tail, select(far, ERF_V4, ERF_S4), select(outer, ERF_B4, ERF_Q4))
    q = q * s + select(tail, select(far, ERF_V3, ERF_S3), select(outer, ERF_B3, ERF_Q3))
    q = q * s + select(tail, select(far, ERF_V2, ERF_S2), select(outer, ERF_B2, ERF_Q2))
    q = q * s + select(tail, select(far, ERF_V1, ERF_S1), select(outer, ERF_B1, ERF_Q1))
    return p / (q * s + ONE64)


def inner_complement(x: Any, rest: Any) -> Any:
    """erfc(x) for x < 0.84375, where erf(x) = x + rest."""
    high = select(x < HALF64, HALF64 - ((x - HALF64) + rest), (ONE64 - x) - rest)
    return select(x < ERF_QUARTER, ONE64 - (x + rest), high)


def error_tail(a: Any, quotient: Any) -> Any:
    """erfc(a) for a in [1.25, 28]."""
    high = bits_to_float64(float64_bits(a) & LOG64_HIGH_BITS)
    rest = (high - a) * (high + a) + quotient
    return exp_of_sum(-high * high - ERF_SHIFT, rest) / a


def erf_float64(x: Any) -> Any:
    """erf(x)."""
    a = abs(x)
    quotient = error_quotient(select(a < ERF_LAST, a, ERF_LAST))
    near = a + a * quotient
    middle = (ERF_AT_1 + ERF_SLOPE * (a - ONE64)) + quotient
    b = select(a < ERF_LAST, a, ERF_LAST)
    far = ONE64 - error_tail(select(b > ERF_END_1, b, ERF_END_1), quotient)
    y = select(a < ERF_END_0, near, select(a < ERF_END_1, middle, far))
    return copy_sign(select(x == x, y, x), x)


def erfc_float64(x: Any) -> Any:
    """1 - erf(x), exact where that is tiny."""
    a = abs(x)
    b = select(a < ERF_LAST, a, ERF_LAST)
    quotient = error_quotient(b)
    inner = inner_complement(x, x * quotient)
    right = x > ZERO64
    line = ERF_SLOPE * (b - ONE64)
    middle = select(right, (ERFC_AT_1 - line) - quotient, ONE64 + ((ERF_AT_1 + line) + quotient))
    tail = error_tail(select(b > ERF_END_1, b, ERF_END_1), quotient)
    tail = select(a < ERF_LAST, tail, ZERO64)
    far = select(right, tail, TWO64 - tail)
    y = select(a < ERF_END_0, inner, select(a < ERF_END_1, middle, far))
    return select(x == x, y, x)


def gelu_float64(x: Any) -> Any:
    """x times the share of the normal distribution that is below x."""
    a = abs(x)
    c = select(a < GELU_LAST, a, GELU_LAST)
    # c / sqrt(2) = t + d
    t = c * GELU_ROOT_HALF
    high = bits_to_float64(float64_bits(c) & LOG64_HIGH_BITS)
    low = c - high
    d = ((high * GELU_ROOT_HALF_HIGH - t) + low * GELU_ROOT_HALF_HIGH) + c * GELU_ROOT_HALF_LOW
    quotient = error_quotient(t)
    squares = -HALF64 * (high * high)
    rest = (high - c) * (high + c) * HALF64
    beyond = t >= ERF_END_1
    e = exp_of_sum(
        select(beyond, squares - GELU_SHIFT, squares),
        select(beyond, rest + (quotient + GELU_REST), rest),
    )
    slope = GELU_DENSITY * e * d
    middle = (ERFC_AT_1 - ERF_SLOPE * (t - ONE64)) - (quotient + slope)
    inner = select(t < ERF_END_0, inner_complement(t, t * quotient + slope), middle)
    # in the tail c * erfc(t) / 2 is e: c / t / 2 is in the exponent
    half = HALF64 * inner
    right = select(beyond, c - e, c * (ONE64 - half))
    y = copy_sign(select(x > ZERO64, right, select(beyond, e, c * half)), x)
    y = select(a < GELU_LAST, y, select(x > ZERO64, x, GELU_BELOW))
    return select(x == x, y, x)


def erf_float32(x: Any) -> Any:
    """erf(x)."""
    return np.float32(erf_float64(np.float64(x)))


def erfc_float32(x: Any) -> Any:
    """1 - erf(x), exact where that is tiny."""
    return np.float32(erfc_float64(np.float64(x)))


def gelu_float32(x: Any) -> Any:
    """x times the share of the normal distribution that is below x."""
    return np.float32(gelu_float64(np.float64(x)))
