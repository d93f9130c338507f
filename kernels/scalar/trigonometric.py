"""sin, cos and tan: branch-free, in float64, for float32; the C library's for float64.

|x| * 2/pi = q + r with q whole and |r| <= 1/2. 2/pi is cut into pieces of 29 bits, so that the
product of each with a float32 is exact in float64; whole multiples of 4 fall away exactly, piece by
piece. Four pieces suffice, if they are the four that begin where the products stop being multiples
of 4, which depends on the size of x. So every x up to the largest is reduced without a table
look-up. The polynomials are Remez fits of sin and cos of r * pi/2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.exponential import ONE64
from autograph.kernels.scalar.intrinsics import (
    c_cosine,
    c_sine,
    c_tangent,
    copy_sign,
    round_even,
    select,
)

TRIG32_P0 = np.float64(341782637 * 2.0**-29)
TRIG32_P1 = np.float64(423170132 * 2.0**-58)
TRIG32_P2 = np.float64(352195499 * 2.0**-87)
TRIG32_P3 = np.float64(488592205 * 2.0**-116)
TRIG32_P4 = np.float64(461485765 * 2.0**-145)
TRIG32_P5 = np.float64(90590992 * 2.0**-174)
TRIG32_P6 = np.float64(478285810 * 2.0**-203)
TRIG32_LARGE = np.float64(2.0**54)
TRIG32_LARGER = np.float64(2.0**83)
TRIG32_LARGEST = np.float64(2.0**112)
TRIG32_QUARTER = np.float64(0.25)
TRIG32_FOUR = np.float64(4.0)
SIN32_C0 = np.float64(1.5707963267877374)
SIN32_C1 = np.float64(-0.6459640961001714)
SIN32_C2 = np.float64(0.0796925817894341)
SIN32_C3 = np.float64(-0.004681260232553985)
SIN32_C4 = np.float64(0.00015819417833529118)
COS32_C0 = np.float64(0.9999999999438427)
COS32_C1 = np.float64(-1.2337005395481155)
COS32_C2 = np.float64(0.25366918220364093)
COS32_C3 = np.float64(-0.02085993315771985)
COS32_C4 = np.float64(0.0009033565323955384)
QUADRANT_1 = np.int64(1)
QUADRANT_2 = np.int64(2)


def quadrants_float32(a: Any) -> Any:
    """(q, r) for a float64 a >= 0 that has the value of a float32: a * 2/pi = q + r modulo 4."""
    large = a >= TRIG32_LARGE
    larger = a >= TRIG32_LARGER
    largest = a >= TRIG32_LARGEST
    p = select(large, TRIG32_P1, TRIG32_P0)
    p = a * select(largest, TRIG32_P3, select(larger, TRIG32_P2, p))
    first = p - TRIG32_FOUR * round_even(p * TRIG32_QUARTER)
    p = select(large, TRIG32_P2, TRIG32_P1)
    p = a * select(largest, TRIG32_P4, select(larger, TRIG32_P3, p))
    second = p - TRIG32_FOUR * round_even(p * TRIG32_QUARTER)
    p = select(large, TRIG32_P3, TRIG32_P2)
    third = a * select(largest, TRIG32_P5, select(larger, TRIG32_P4, p))
    p = select(large, TRIG32_P4, TRIG32_P3)
    fourth = a * select(largest, TRIG32_P6, select(larger, TRIG32_P5, p))
    q = round_even(((fourth + third) + second) + first)
    return q, (((first - q) + second) + third) + fourth


def sin_quadrant(r: Any) -> Any:
    """sin(r * pi/2) for |r| <= 1/2."""
    z = r * r
    p = SIN32_C4 * z + SIN32_C3
    p = p * z + SIN32_C2
    p = p * z + SIN32_C1
    return r * (p * z + SIN32_C0)


def cos_quadrant(r: Any) -> Any:
    """cos(r * pi/2) for |r| <= 1/2."""
    z = r * r
    p = COS32_C4 * z + COS32_C3
    p = p * z + COS32_C2
    p = p * z + COS32_C1
    return p * z + COS32_C0


def sin_float32(x: Any) -> Any:
    """sin(x); nan for infinities."""
    wide = np.float64(x)
    q, r = quadrants_float32(abs(wide))
    n = np.int64(q)
    y = select((n & QUADRANT_1) == QUADRANT_1, cos_quadrant(r), sin_quadrant(r))
    y = select((n & QUADRANT_2) == QUADRANT_2, -y, y)
    return np.float32(y * copy_sign(ONE64, wide))


def cos_float32(x: Any) -> Any:
    """cos(x); nan for infinities."""
    q, r = quadrants_float32(abs(np.float64(x)))
    n = np.int64(q)
    y = select((n & QUADRANT_1) == QUADRANT_1, sin_quadrant(r), cos_quadrant(r))
    return np.float32(select(((n + QUADRANT_1) & QUADRANT_2) == QUADRANT_2, -y, y))


def tan_float32(x: Any) -> Any:
    """tan(x); nan for infinities."""
    wide = np.float64(x)
    q, r = quadrants_float32(abs(wide))
    odd = (np.int64(q) & QUADRANT_1) == QUADRANT_1
    sine = sin_quadrant(r)
    cosine = cos_quadrant(r)
    y = select(odd, -cosine, sine) / select(odd, sine, cosine)
    return np.float32(y * copy_sign(ONE64, wide))


def sin_float64(x: Any) -> Any:
    """sin(x); nan for infinities."""
    return c_sine(x)


def cos_float64(x: Any) -> Any:
    """cos(x); nan for infinities."""
    return c_cosine(x)


def tan_float64(x: Any) -> Any:
    """tan(x); nan for infinities."""
    return c_tangent(x)
