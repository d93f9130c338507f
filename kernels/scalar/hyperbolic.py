"""tanh, sinh and cosh, branch-free, for float32 and float64.

Near 0 an odd polynomial (tanh in float64: a quotient of two, from Cephes); elsewhere exp. Where
exp would overflow before sinh and cosh do, it is taken at |x| - k ln 2 and scaled by 2**k after
that, with a k for which k ln 2 is almost a floating-point number: the subtraction is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.exponential import (
    HALF32,
    HALF64,
    ONE32,
    ONE64,
    exp_float32,
    exp_float64,
)
from autograph.kernels.scalar.intrinsics import copy_sign, select

TWO32 = np.float32(2.0)
TANH32_SMALL = np.float32(0.625)
TANH32_C0 = np.float32(-0.3333328)
TANH32_C1 = np.float32(0.13331383)
TANH32_C2 = np.float32(-0.053734004)
TANH32_C3 = np.float32(0.020618133)
TANH32_C4 = np.float32(-0.0056793145)
SINH32_C0 = np.float32(0.16666667)
SINH32_C1 = np.float32(0.0083333505)
SINH32_C2 = np.float32(0.00019836066)
SINH32_C3 = np.float32(2.8174384e-06)
QUARTER32 = np.float32(0.25)
COSH32_LARGE = np.float32(88.0)
COSH32_SHIFT = np.float32(162.88958740234375)  # 235 ln 2
COSH32_SCALE = np.float32(2.0**117)

TWO64 = np.float64(2.0)
TANH64_SMALL = np.float64(0.625)
TANH64_P0 = np.float64(-1.61468768441708447952e3)
TANH64_P1 = np.float64(-9.92877231001918586564e1)
TANH64_P2 = np.float64(-9.64399179425052238628e-1)
TANH64_Q0 = np.float64(4.84406305325125486048e3)
TANH64_Q1 = np.float64(2.23548839060100448583e3)
TANH64_Q2 = np.float64(1.12811678491632931402e2)
SINH64_C0 = np.float64(0.16666666666666669)
SINH64_C1 = np.float64(0.008333333333333139)
SINH64_C2 = np.float64(0.00019841269841437684)
SINH64_C3 = np.float64(2.7557319155335837e-06)
SINH64_C4 = np.float64(2.5052123398745496e-08)
SINH64_C5 = np.float64(1.6057240325212467e-10)
SINH64_C6 = np.float64(7.75931271604532e-13)
QUARTER64 = np.float64(0.25)
COSH64_LARGE = np.float64(709.0)
COSH64_SHIFT = np.float64(1416.0996898839683)  # 2043 ln 2
COSH64_SCALE = np.float64(2.0**1021)


def tanh_float32(x: Any) -> Any:
    """tanh(x)."""
    a = abs(x)
    z = a * a
    p = TANH32_C4 * z + TANH32_C3
    p = p * z + TANH32_C2
    p = p * z + TANH32_C1
    p = p * z + TANH32_C0
    small = a + a * (z * p)
    large = ONE32 - TWO32 / (exp_float32(a + a) + ONE32)
    return copy_sign(select(a < TANH32_SMALL, small, large), x)


def tanh_float64(x: Any) -> Any:
    """tanh(x)."""
    a = abs(x)
    z = a * a
    p = (TANH64_P2 * z + TANH64_P1) * z + TANH64_P0
    q = ((z + TANH64_Q2) * z + TANH64_Q1) * z + TANH64_Q0
    small = a + a * (z * (p / q))
    large = ONE64 - TWO64 / (exp_float64(a + a) + ONE64)
    return copy_sign(select(a < TANH64_SMALL, small, large), x)


def sinh_float32(x: Any) -> Any:
    """sinh(x)."""
    a = abs(x)
    z = a * a
    p = SINH32_C3 * z + SINH32_C2
    p = p * z + SINH32_C1
    p = p * z + SINH32_C0
    small = a + a * (z * p)
    scale = select(a > COSH32_LARGE, COSH32_SCALE, ONE32)
    last = select(a > COSH32_LARGE, COSH32_SCALE, HALF32)
    e = exp_float32(select(a > COSH32_LARGE, a - COSH32_SHIFT, a)) * scale * last
    large = e - QUARTER32 / e
    return copy_sign(select(a < ONE32, small, large), x)


def cosh_float32(x: Any) -> Any:
    """cosh(x)."""
    a = abs(x)
    scale = select(a > COSH32_LARGE, COSH32_SCALE, ONE32)
    last = select(a > COSH32_LARGE, COSH32_SCALE, HALF32)
    e = exp_float32(select(a > COSH32_LARGE, a - COSH32_SHIFT, a)) * scale * last
    return e + QUARTER32 / e


def sinh_float64(x: Any) -> Any:
    """sinh(x)."""
    a = abs(x)
    z = a * a
    p = SINH64_C6 * z + SINH64_C5
    p = p * z + SINH64_C4
    p = p * z + SINH64_C3
    p = p * z + SINH64_C2
    p = p * z + SINH64_C1
    p = p * z + SINH64_C0
    small = a + a * (z * p)
    scale = select(a > COSH64_LARGE, COSH64_SCALE, ONE64)
    last = select(a > COSH64_LARGE, COSH64_SCALE, HALF64)
    e = exp_float64(select(a > COSH64_LARGE, a - COSH64_SHIFT, a)) * scale * last
    large = e - QUARTER64 / e
    return copy_sign(select(a < ONE64, small, large), x)


def cosh_float64(x: Any) -> Any:
    """cosh(x)."""
    a = abs(x)
    scale = select(a > COSH64_LARGE, COSH64_SCALE, ONE64)
    last = select(a > COSH64_LARGE, COSH64_SCALE, HALF64)
    e = exp_float64(select(a > COSH64_LARGE, a - COSH64_SHIFT, a)) * scale * last
    return e + QUARTER64 / e
