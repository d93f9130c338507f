"""sin, cos, tan and the remainder of float64 without a C library: for GPUs.

sin and cos: x = q * pi/2 + r, in two float64, by parts of pi/2 of 33 bits where x is small
(W. J. Cody, W. Waite, Software Manual for the Elementary Functions, 1980), else by the product of
x's 53 bits with 192 bits of 2/pi, modulo 4 (M. H. Payne, R. N. Hanek, Radian Reduction for
Trigonometric Functions, 1983); then Taylor's series.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.intrinsics import (
    bits_to_float64,
    copy_sign,
    float64_bits,
    product_error,
    round_even,
    select,
    two_over_pi,
)
from autograph.kernels.scalar.random_bits import WORD_BITS, WORD_MASK, high_product

ALONE_MEDIUM = np.float64(800000.0)
ALONE_TWO_OVER_PI = np.float64(0.6366197723675814)
ALONE_HALF_PI = np.float64(1.5707963267948966)
ALONE_HALF_PI_LOW = np.float64(6.123233995736766e-17)
ALONE_PART_1 = np.float64(1.5707963267341256)
ALONE_PART_2 = np.float64(6.077100506303966e-11)
ALONE_PART_3 = np.float64(2.0222662487111665e-21)
ALONE_PART_4 = np.float64(8.4784276603689e-32)
ALONE_FRACTION = np.int64(0xFFFFFFFFFFFFF)
ALONE_HIDDEN = np.int64(1 << 52)
ALONE_SCALE_128 = np.float64(2.0**-128)
ALONE_INFINITY = np.float64(np.inf)
ALONE_TOP = np.uint64(1 << 63)
ALONE_SCALE_32 = np.float64(2.0**-32)
ALONE_SCALE_64 = np.float64(2.0**-64)
ALONE_SCALE_96 = np.float64(2.0**-96)


def two_product(a: Any, b: Any) -> Any:
    """(p, e): a * b = p + e exactly, unless something overflows."""
    return a * b, product_error(a, b)


def two_sum(a: Any, b: Any) -> Any:
    """(s, e): a + b = s + e exactly."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def reduced_large(a: Any) -> Any:
    """(q, r, t) for a finite a > 2**19: a = q * pi/2 + r + t modulo 2 pi, 0 <= q < 4."""
    bits = float64_bits(a)
    mantissa = np.uint64((bits & ALONE_FRACTION) | ALONE_HIDDEN)
    first = (bits >> np.int64(52)) - np.int64(1075 + 2 - 64)
    place = first >> np.int64(6)
    left = np.uint64(first & np.int64(63))
    right = np.uint64(63) - left
    one = np.uint64(1)
    w0 = two_over_pi(place)
    w1 = two_over_pi(place + np.int64(1))
    w2 = two_over_pi(place + np.int64(2))
    w3 = two_over_pi(place + np.int64(3))
    w0 = (w0 << left) | ((w1 >> one) >> right)
    w1 = (w1 << left) | ((w2 >> one) >> right)
    w2 = (w2 << left) | ((w3 >> one) >> right)
    low = mantissa * w2
    middle = mantissa * w1
    carried = middle + high_product(mantissa, w2)
    carry = select(carried < middle, np.uint64(1), np.uint64(0))
    high = mantissa * w0 + high_product(mantissa, w1) + carry
    q = np.int64(high >> np.uint64(62))
    f1 = (high << np.uint64(2)) | (carried >> np.uint64(62))
    f0 = (carried << np.uint64(2)) | (low >> np.uint64(62))
    upper = f1 >= ALONE_TOP
    f0 = select(upper, np.uint64(0) - f0, f0)
    borrow = select(upper & (f0 != np.uint64(0)), np.uint64(1), np.uint64(0))
    f1 = select(upper, np.uint64(0) - f1 - borrow, f1)
    high_part = np.float64(f1 >> WORD_BITS) * ALONE_SCALE_32
    low_part = np.float64(f1 & WORD_MASK) * ALONE_SCALE_64
    r, t = two_sum(high_part, low_part)
    rest = np.float64(f0 >> WORD_BITS) * ALONE_SCALE_96
    rest = rest + np.float64(f0 & WORD_MASK) * ALONE_SCALE_128
    r, t = two_sum(r, t + rest)
    p, e = two_product(r, ALONE_HALF_PI)
    e = e + (r * ALONE_HALF_PI_LOW + t * ALONE_HALF_PI)
    s = p + e
    t = (p - s) + e
    q = select(upper, q + np.int64(1), q)
    return q & np.int64(3), select(upper, -s, s), select(upper, -t, t)


def reduced_medium(a: Any) -> Any:
    """(q, r, t) for 0 <= a < 800,000."""
    n = round_even(a * ALONE_TWO_OVER_PI)
    r0 = a - n * ALONE_PART_1
    w = n * ALONE_PART_2
    r1 = r0 - w
    e1 = (r0 - r1) - w
    w = n * ALONE_PART_3
    r2 = r1 - w
    e2 = (r1 - r2) - w
    t = (e1 + e2) - n * ALONE_PART_4
    r = r2 + t
    return np.int64(n) & np.int64(3), r, (r2 - r) + t


def reduced_float64(a: Any) -> Any:
    """(q, r, t) for a >= 0: a = q * pi/2 + r + t modulo 2 pi, |r| <= pi/4 or a little more."""
    if a < ALONE_MEDIUM:
        q, r, t = reduced_medium(a)
        return q, r, t
    q, r, t = reduced_large(a)
    return q, r, t


def sine_series(r: Any, t: Any) -> Any:
    """sin(r + t) for |r| up to pi/4 and a tiny t."""
    z = r * r
    p = np.float64(2.8114572543455206e-15) * z - np.float64(7.647163731819816e-13)
    p = p * z + np.float64(1.6059043836821613e-10)
    p = p * z - np.float64(2.505210838544172e-08)
    p = p * z + np.float64(2.7557319223985893e-06)
    p = p * z - np.float64(0.0001984126984126984)
    p = p * z + np.float64(0.008333333333333333)
    p = p * z - np.float64(0.16666666666666666)
    return r + ((z * r) * p + t * (np.float64(1.0) - np.float64(0.5) * z))


def cosine_series(r: Any, t: Any) -> Any:
    """cos(r + t) for |r| up to pi/4 and a tiny t."""
    z = r * r
    p = np.float64(-1.5619206968586225e-16) * z + np.float64(4.779477332387385e-14)
    p = p * z - np.float64(1.1470745597729725e-11)
    p = p * z + np.float64(2.08767569878681e-09)
    p = p * z - np.float64(2.755731922398589e-07)
    p = p * z + np.float64(2.48015873015873e-05)
    p = p * z - np.float64(0.001388888888888889)
    p = p * z + np.float64(0.041666666666666664)
    half = np.float64(0.5) * z
    w = np.float64(1.0) - half
    return w + (((np.float64(1.0) - w) - half) + (z * z * p - r * t))


def sine_alone(x: Any) -> Any:
    """sin(x); nan for infinities."""
    a = abs(x)
    if a < ALONE_INFINITY:
        q, r, t = reduced_float64(a)
        y = select((q & np.int64(1)) == np.int64(1), cosine_series(r, t), sine_series(r, t))
        y = select((q & np.int64(2)) == np.int64(2), -y, y)
        return select(x == np.float64(0.0), x, y * copy_sign(np.float64(1.0), x))
    return x - x


def cosine_alone(x: Any) -> Any:
    """cos(x); nan for infinities."""
    a = abs(x)
    if a < ALONE_INFINITY:
        q, r, t = reduced_float64(a)
        y = select((q & np.int64(1)) == np.int64(1), sine_series(r, t), cosine_series(r, t))
        return select(((q + np.int64(1)) & np.int64(2)) == np.int64(2), -y, y)
    return x - x


def tangent_alone(x: Any) -> Any:
    """tan(x); nan for infinities."""
    a = abs(x)
    if a < ALONE_INFINITY:
        q, r, t = reduced_float64(a)
        s = sine_series(r, t)
        c = cosine_series(r, t)
        odd = (q & np.int64(1)) == np.int64(1)
        y = select(odd, -c, s) / select(odd, s, c)
        return select(x == np.float64(0.0), x, y * copy_sign(np.float64(1.0), x))
    return x - x


def remainder_alone(x: Any, y: Any) -> Any:
    """What is left of x when y has been taken from it as often as it goes: C's fmod."""
    a = float64_bits(abs(x))
    b = float64_bits(abs(y))
    infinite = np.int64(0x7FF0000000000000)
    if (a >= infinite) | (b > infinite) | (b == np.int64(0)):
        return (x * y) / (x * y)
    if a < b:
        return x
    above = max(a >> np.int64(52), np.int64(1))
    below = max(b >> np.int64(52), np.int64(1))
    rest = a & ALONE_FRACTION
    part = b & ALONE_FRACTION
    if a >= ALONE_HIDDEN:
        rest = rest | ALONE_HIDDEN
    if b >= ALONE_HIDDEN:
        part = part | ALONE_HIDDEN
    turns = above - below
    rest = rest % part
    while turns > np.int64(0):
        step = min(turns, np.int64(10))
        rest = (rest << step) % part
        turns = turns - step
    scale = below - np.int64(1075)
    made = np.float64(rest)
    if scale < np.int64(-1022):
        made = made * bits_to_float64(np.int64(1) << np.int64(52))
        scale = scale + np.int64(1022)
    made = made * bits_to_float64((scale + np.int64(1023)) << np.int64(52))
    return copy_sign(made, x)
