"""asin, acos, atan, atan2, hypot, asinh, acosh and atanh, branch-free, in float64 for both floats.

atan brings |x| to [0, 7/16] by the differences from atan(1/2), atan(1), atan(3/2) and pi/2; asin
and acos go from |x| > 1/2 to the root of (1 - |x|) / 2, whose upper half of bits is squared
exactly. The coefficients are those of fdlibm (Sun Microsystems, 1993). The hyperbolic ones are
log1p of what keeps its digits near 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.exponential import HALF64, ONE64, ZERO64
from autograph.kernels.scalar.hyperbolic import TWO64
from autograph.kernels.scalar.intrinsics import (
    bits_to_float64,
    copy_sign,
    float64_bits,
    select,
    square_root,
)
from autograph.kernels.scalar.logarithm import INFINITY64, LOG64_HIGH_BITS, NAN64, log1p_float64

ATAN_END_0 = np.float64(0.4375)
ATAN_END_1 = np.float64(0.6875)
ATAN_END_2 = np.float64(1.1875)
ATAN_END_3 = np.float64(2.4375)
ATAN_ONE_AND_A_HALF = np.float64(1.5)
ATAN_HIGH_0 = np.float64(4.63647609000806093515e-01)
ATAN_HIGH_1 = np.float64(7.85398163397448278999e-01)
ATAN_HIGH_2 = np.float64(9.82793723247329054082e-01)
ATAN_HIGH_3 = np.float64(1.57079632679489655800e00)
ATAN_LOW_0 = np.float64(2.26987774529616870924e-17)
ATAN_LOW_1 = np.float64(3.06161699786838301793e-17)
ATAN_LOW_2 = np.float64(1.39033110312309984516e-17)
ATAN_LOW_3 = np.float64(6.12323399573676603587e-17)
ATAN_C0 = np.float64(3.33333333333329318027e-01)
ATAN_C1 = np.float64(-1.99999999998764832476e-01)
ATAN_C2 = np.float64(1.42857142725034663711e-01)
ATAN_C3 = np.float64(-1.11111104054623557880e-01)
ATAN_C4 = np.float64(9.09088713343650656196e-02)
ATAN_C5 = np.float64(-7.69187620504482999495e-02)
ATAN_C6 = np.float64(6.66107313738753120669e-02)
ATAN_C7 = np.float64(-5.83357013379057348645e-02)
ATAN_C8 = np.float64(4.97687799461593236017e-02)
ATAN_C9 = np.float64(-3.65315727442169155270e-02)
ATAN_C10 = np.float64(1.62858201153657823623e-02)
ASIN_P0 = np.float64(1.66666666666666657415e-01)
ASIN_P1 = np.float64(-3.25565818622400915405e-01)
ASIN_P2 = np.float64(2.01212532134862925881e-01)
ASIN_P3 = np.float64(-4.00555345006794114027e-02)
ASIN_P4 = np.float64(7.91534994289814532176e-04)
ASIN_P5 = np.float64(3.47933107596021167570e-05)
ASIN_Q1 = np.float64(-2.40339491173441421878e00)
ASIN_Q2 = np.float64(2.02094576023350569471e00)
ASIN_Q3 = np.float64(-6.88283971605453293030e-01)
ASIN_Q4 = np.float64(7.70381505559019352791e-02)
HALF_PI_HIGH = np.float64(1.57079632679489655800e00)
HALF_PI_LOW = np.float64(6.12323399573676603587e-17)
PI_HIGH = np.float64(3.1415926535897931160e00)
PI_LOW = np.float64(1.2246467991473531772e-16)
INVERSE_LARGE = np.float64(2.0**28)
LN2_64 = np.float64(0.6931471805599453)


def atan_float64(x: Any) -> Any:
    """atan(x)."""
    a = abs(x)
    above_0 = a >= ATAN_END_0
    above_1 = a >= ATAN_END_1
    above_2 = a >= ATAN_END_2
    above_3 = a >= ATAN_END_3
    top = select(above_0, TWO64 * a - ONE64, a)
    top = select(above_1, a - ONE64, top)
    top = select(above_2, a - ATAN_ONE_AND_A_HALF, top)
    top = select(above_3, -ONE64, top)
    bottom = select(above_0, TWO64 + a, ONE64)
    bottom = select(above_1, a + ONE64, bottom)
    bottom = select(above_2, ONE64 + ATAN_ONE_AND_A_HALF * a, bottom)
    bottom = select(above_3, a, bottom)
    high = select(above_0, ATAN_HIGH_0, ZERO64)
    high = select(above_1, ATAN_HIGH_1, high)
    high = select(above_2, ATAN_HIGH_2, high)
    high = select(above_3, ATAN_HIGH_3, high)
    low = select(above_0, ATAN_LOW_0, ZERO64)
    low = select(above_1, ATAN_LOW_1, low)
    low = select(above_2, ATAN_LOW_2, low)
    low = select(above_3, ATAN_LOW_3, low)
    t = top / bottom
    z = t * t
    p = ATAN_C10 * z + ATAN_C9
    p = p * z + ATAN_C8
    p = p * z + ATAN_C7
    p = p * z + ATAN_C6
    p = p * z + ATAN_C5
    p = p * z + ATAN_C4
    p = p * z + ATAN_C3
    p = p * z + ATAN_C2
    p = p * z + ATAN_C1
    p = p * z + ATAN_C0
    y = high - ((t * (z * p) - low) - t)
    return copy_sign(select(x == x, y, x), x)


def atan_float32(x: Any) -> Any:
    """atan(x)."""
    return np.float32(atan_float64(np.float64(x)))


def angle_float64(y: Any, x: Any) -> Any:
    """The angle of the point (x, y), in [-pi, pi]; signs of zeros count."""
    flat = abs(x)
    tall = abs(y)
    both = (flat == INFINITY64) & (tall == INFINITY64)
    none = (flat == ZERO64) & (tall == ZERO64)
    ratio = select(both, ONE64, select(none, ZERO64, tall / flat))
    angle = atan_float64(ratio)
    left = copy_sign(ONE64, x) < ZERO64
    angle = select(left, PI_HIGH - (angle - PI_LOW), angle)
    angle = select((x == x) & (y == y), angle, x + y)
    return copy_sign(angle, y)


def angle_float32(y: Any, x: Any) -> Any:
    """The angle of the point (x, y), in [-pi, pi]; signs of zeros count."""
    return np.float32(angle_float64(np.float64(y), np.float64(x)))


def hypot_float64(x: Any, y: Any) -> Any:
    """The root of x*x + y*y, without overflow; infinite where either is."""
    a = abs(x)
    b = abs(y)
    large = select(a > b, a, b)
    small = select(a > b, b, a)
    ratio = select(small == ZERO64, ZERO64, small / large)
    r = select(large == INFINITY64, large, large * square_root(ONE64 + ratio * ratio))
    r = select((x == x) & (y == y), r, x + y)
    return select((a == INFINITY64) | (b == INFINITY64), INFINITY64, r)


def hypot_float32(x: Any, y: Any) -> Any:
    """The root of x*x + y*y, without overflow; infinite where either is."""
    a = np.float64(x)
    b = np.float64(y)
    r = square_root(a * a + b * b)
    return np.float32(select((abs(a) == INFINITY64) | (abs(b) == INFINITY64), INFINITY64, r))


def arc_ratio(z: Any) -> Any:
    """(asin(s) - s) / s for z = s*s <= 1/4."""
    p = ASIN_P5 * z + ASIN_P4
    p = p * z + ASIN_P3
    p = p * z + ASIN_P2
    p = p * z + ASIN_P1
    p = p * z + ASIN_P0
    q = ASIN_Q4 * z + ASIN_Q3
    q = q * z + ASIN_Q2
    q = q * z + ASIN_Q1
    return z * p / (q * z + ONE64)


def asin_float64(x: Any) -> Any:
    """asin(x); nan outside of [-1, 1]."""
    a = abs(x)
    outer = a > HALF64
    z = select(outer, (ONE64 - a) * HALF64, a * a)
    r = arc_ratio(z)
    s = square_root(z)
    # s = high + rest, and high * high is exact
    high = bits_to_float64(float64_bits(s) & LOG64_HIGH_BITS)
    rest = select(z > ZERO64, (z - high * high) / (s + high), ZERO64)
    far = HALF_PI_HIGH - (TWO64 * high + (TWO64 * (s * r + rest) - HALF_PI_LOW))
    y = select(outer, far, a + a * r)
    y = select(a <= ONE64, y, NAN64)
    return copy_sign(select(x == x, y, x), x)


def asin_float32(x: Any) -> Any:
    """asin(x); nan outside of [-1, 1]."""
    return np.float32(asin_float64(np.float64(x)))


def acos_float64(x: Any) -> Any:
    """acos(x); nan outside of [-1, 1]."""
    a = abs(x)
    outer = a > HALF64
    z = select(outer, (ONE64 - a) * HALF64, a * a)
    r = arc_ratio(z)
    s = square_root(z)
    high = bits_to_float64(float64_bits(s) & LOG64_HIGH_BITS)
    rest = select(z > ZERO64, (z - high * high) / (s + high), ZERO64)
    near = HALF_PI_HIGH - (x - (HALF_PI_LOW - x * r))
    right = TWO64 * (high + (s * r + rest))
    left = PI_HIGH - TWO64 * (s + (s * r - HALF_PI_LOW))
    y = select(outer, select(x > ZERO64, right, left), near)
    y = select(a <= ONE64, y, NAN64)
    return select(x == x, y, x)


def acos_float32(x: Any) -> Any:
    """acos(x); nan outside of [-1, 1]."""
    return np.float32(acos_float64(np.float64(x)))


def asinh_float64(x: Any) -> Any:
    """asinh(x)."""
    a = abs(x)
    large = a > INVERSE_LARGE
    b = select(large, ONE64, a)
    root = square_root(b * b + ONE64)
    inner = b + b * b / (ONE64 + root)
    y = log1p_float64(select(large, a - ONE64, inner)) + select(large, LN2_64, ZERO64)
    return copy_sign(select(x == x, y, x), x)


def asinh_float32(x: Any) -> Any:
    """asinh(x)."""
    return np.float32(asinh_float64(np.float64(x)))


def acosh_float64(x: Any) -> Any:
    """acosh(x); nan below 1."""
    large = x > INVERSE_LARGE
    t = select(large, ONE64, x - ONE64)
    inner = t + square_root(TWO64 * t + t * t)
    y = log1p_float64(select(large, x - ONE64, inner)) + select(large, LN2_64, ZERO64)
    return select(x >= ONE64, y, select(x == x, NAN64, x))


def acosh_float32(x: Any) -> Any:
    """acosh(x); nan below 1."""
    return np.float32(acosh_float64(np.float64(x)))


def atanh_float64(x: Any) -> Any:
    """atanh(x); infinite at 1 and -1, nan beyond."""
    a = abs(x)
    y = HALF64 * log1p_float64(TWO64 * a + TWO64 * a * a / (ONE64 - a))
    far = HALF64 * log1p_float64(TWO64 * a / (ONE64 - a))
    y = select(a < HALF64, y, far)
    y = select(a == ONE64, INFINITY64, y)
    y = select(a <= ONE64, y, NAN64)
    return copy_sign(select(x == x, y, x), x)


def atanh_float32(x: Any) -> Any:
    """atanh(x); infinite at 1 and -1, nan beyond."""
    return np.float32(atanh_float64(np.float64(x)))
