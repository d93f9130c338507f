"""Random numbers as functions of a seed and a counter.

The i-th element of an array is a function of the seed and i alone, so every way to compute it gives
the same bits. Normal numbers: Box and Muller (1958), with the sine of a uniform half turn, which
has the distribution of the cosine of a uniform turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.intrinsics import select, square_root
from autograph.kernels.scalar.logarithm import log_float32, log_float64
from autograph.kernels.scalar.threefry import random_bits

WORD_BITS = np.uint64(32)
WORD_MASK = np.uint64(0xFFFFFFFF)
UNIFORM32_SHIFT = np.uint64(40)
UNIFORM32_STEP = np.float32(2.0**-24)
UNIFORM64_SHIFT = np.uint64(11)
UNIFORM64_STEP = np.float64(2.0**-53)
UNIFORM64_HALF_STEP = np.float64(2.0**-54)
NORMAL32_STEP = np.float32(2.0**-32)
NORMAL32_HALF_STEP = np.float32(2.0**-33)
NORMAL32_TURN = np.float32(2.0**-31)
NORMAL32_MINUS_TWO = np.float32(-2.0)
NORMAL64_MINUS_TWO = np.float64(-2.0)
NORMAL64_SHIFT = np.int64(10)
NORMAL64_SECOND = np.uint64(0x9E3779B97F4A7C15)
HALF_TURN32_C0 = np.float32(1.5707963267616778)
HALF_TURN32_C1 = np.float32(-0.6459640952645823)
HALF_TURN32_C2 = np.float32(0.0796926012607005)
HALF_TURN32_C3 = np.float32(-0.004681651018360487)
HALF_TURN32_C4 = np.float32(0.00016024703074710205)
HALF_TURN32_C5 = np.float32(-3.428791330366811e-06)
HALF_TURN64_C0 = np.float64(1.5707963267948966)
HALF_TURN64_C1 = np.float64(-0.6459640975062463)
HALF_TURN64_C2 = np.float64(0.07969262624616705)
HALF_TURN64_C3 = np.float64(-0.004681754135318642)
HALF_TURN64_C4 = np.float64(0.0001604411847870717)
HALF_TURN64_C5 = np.float64(-3.598843234157668e-06)
HALF_TURN64_C6 = np.float64(5.69217268636688e-08)
HALF_TURN64_C7 = np.float64(-6.68800244186922e-10)
HALF_TURN64_C8 = np.float64(6.064190893599298e-12)
HALF_TURN64_C9 = np.float64(-4.2488846570453344e-14)


def random_bits_uint64(seed: Any, counter: Any) -> Any:
    """64 random bits, a uint64."""
    return random_bits(np.uint64(seed), np.uint64(counter))


def random_uniform_float32(seed: Any, counter: Any) -> Any:
    """A multiple of 2**-24 in [0, 1)."""
    bits = random_bits(np.uint64(seed), np.uint64(counter))
    return np.float32(bits >> UNIFORM32_SHIFT) * UNIFORM32_STEP


def random_uniform_float64(seed: Any, counter: Any) -> Any:
    """A multiple of 2**-53 in [0, 1)."""
    bits = random_bits(np.uint64(seed), np.uint64(counter))
    return np.float64(bits >> UNIFORM64_SHIFT) * UNIFORM64_STEP


def random_normal_float32(seed: Any, counter: Any) -> Any:
    """A normal number of mean 0 and variance 1."""
    bits = random_bits(np.uint64(seed), np.uint64(counter))
    u = np.float32(np.uint32(bits & WORD_MASK)) * NORMAL32_STEP + NORMAL32_HALF_STEP
    r = np.float32(np.int32(np.uint32(bits >> WORD_BITS))) * NORMAL32_TURN
    z = r * r
    p = HALF_TURN32_C5 * z + HALF_TURN32_C4
    p = p * z + HALF_TURN32_C3
    p = p * z + HALF_TURN32_C2
    p = p * z + HALF_TURN32_C1
    p = p * z + HALF_TURN32_C0
    return square_root(log_float32(u) * NORMAL32_MINUS_TWO) * (r * p)


def random_normal_float64(seed: Any, counter: Any) -> Any:
    """A normal number of mean 0 and variance 1."""
    bits = random_bits(np.uint64(seed), np.uint64(counter))
    u = np.float64(bits >> UNIFORM64_SHIFT) * UNIFORM64_STEP + UNIFORM64_HALF_STEP
    bits = random_bits(np.uint64(seed) ^ NORMAL64_SECOND, np.uint64(counter))
    r = np.float64(np.int64(bits) >> NORMAL64_SHIFT) * UNIFORM64_STEP
    z = r * r
    p = HALF_TURN64_C9 * z + HALF_TURN64_C8
    p = p * z + HALF_TURN64_C7
    p = p * z + HALF_TURN64_C6
    p = p * z + HALF_TURN64_C5
    p = p * z + HALF_TURN64_C4
    p = p * z + HALF_TURN64_C3
    p = p * z + HALF_TURN64_C2
    p = p * z + HALF_TURN64_C1
    p = p * z + HALF_TURN64_C0
    return square_root(log_float64(u) * NORMAL64_MINUS_TWO) * (r * p)


def high_product(a: Any, b: Any) -> Any:
    """The upper 64 bits of the product of two uint64."""
    a_low = a & WORD_MASK
    a_high = a >> WORD_BITS
    b_low = b & WORD_MASK
    b_high = b >> WORD_BITS
    middle = a_high * b_low + ((a_low * b_low) >> WORD_BITS)
    other = a_low * b_high + (middle & WORD_MASK)
    return a_high * b_high + (middle >> WORD_BITS) + (other >> WORD_BITS)


def random_integer(seed: Any, counter: Any, low: Any, high: Any) -> Any:
    """An int64 in [low, high), low < high, two int64; `low` where high <= low.

    It is low + floor(bits * (high - low) / 2**64): the bias is below (high - low) / 2**64.
    """
    bits = random_bits(np.uint64(seed), np.uint64(counter))
    above = high_product(bits, np.uint64(high) - np.uint64(low))
    return select(np.int64(high) > np.int64(low), np.int64(np.uint64(low) + above), np.int64(low))
