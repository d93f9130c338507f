"""The primitives beyond NumPy casts that scalar functions use.

In CPython they are what is written here. `codegen.vocabulary` makes one LLVM instruction, or one
call of the C library, of each. `select` matters most: LLVM
moves the computation of an arm of `a if c else b` into a branch, and then does not vectorise the
loop around it; it never does so with a `select`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = [
    "bits_to_float32",
    "bits_to_float64",
    "c_cosine",
    "c_power",
    "c_sine",
    "c_tangent",
    "copy_sign",
    "float32_bits",
    "float64_bits",
    "product_error",
    "round_down",
    "round_even",
    "round_to_zero",
    "round_up",
    "select",
    "square_root",
    "two_over_pi",
]


def select(condition: Any, if_true: Any, if_false: Any) -> Any:
    """`if_true` where `condition` (a bool), else `if_false`, both of one type."""
    return if_true if condition else if_false


def copy_sign(magnitude: Any, sign: Any) -> Any:
    """`magnitude` with the sign bit of `sign`: two floats of one type."""
    return np.copysign(magnitude, sign)


def float32_bits(x: Any) -> Any:
    """The int32 that has the bits of a float32."""
    return x.view(np.int32)


def bits_to_float32(bits: Any) -> Any:
    """The float32 that has the low 32 bits of an integer."""
    return np.int32(bits).view(np.float32)


def float64_bits(x: Any) -> Any:
    """The int64 that has the bits of a float64."""
    return x.view(np.int64)


def bits_to_float64(bits: Any) -> Any:
    """The float64 that has the bits of an int64."""
    return bits.view(np.float64)


def round_down(x: Any) -> Any:
    """The largest integer not above a float, as a float."""
    return np.floor(x)


def round_up(x: Any) -> Any:
    """The smallest integer not below a float, as a float."""
    return np.ceil(x)


def round_to_zero(x: Any) -> Any:
    """A float without its fraction."""
    return np.trunc(x)


def round_even(x: Any) -> Any:
    """The integer nearest to a float, as a float; halves go to the even one."""
    return np.rint(x)


def product_error(a: Any, b: Any) -> Any:
    """What rounding takes from a * b, of float64 that are not near the ends of the range.

    Veltkamp and Dekker's splitting here, one instruction in native code.
    """
    t = _SPLIT * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = _SPLIT * b
    b_high = t - (t - b)
    b_low = b - b_high
    return ((a_high * b_high - a * b) + a_high * b_low + a_low * b_high) + a_low * b_low


_SPLIT = np.float64(134217729.0)  # 2**27 + 1


def square_root(x: Any) -> Any:
    """The square root of a float; nan below 0."""
    return np.sqrt(x)


def c_sine(x: Any) -> Any:
    """The C library's sin of a float64; nan for infinities."""
    return np.float64(math.sin(x)) if math.isfinite(x) else x - x


def c_cosine(x: Any) -> Any:
    """The C library's cos of a float64; nan for infinities."""
    return np.float64(math.cos(x)) if math.isfinite(x) else x - x


def c_tangent(x: Any) -> Any:
    """The C library's tan of a float64; nan for infinities."""
    return np.float64(math.tan(x)) if math.isfinite(x) else x - x


def c_power(x: Any, y: Any) -> Any:
    """The C library's pow of two float64."""
    return x**y


TWO_OVER_PI = (
    0x0000000000000000,
    0xA2F9836E4E441529,
    0xFC2757D1F534DDC0,
    0xDB6295993C439041,
    0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0,
    0x06492EEA09D1921C,
    0xFE1DEB1CB129A73E,
    0xE88235F52EBB4484,
    0xE99C7026B45F7E41,
    0x3991D639835339F4,
    0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F,
    0x6D367ECF27CB09B7,
    0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA,
    0x6BFB5FB11F8D5D08,
    0x56033046FC7B6BAB,
    0xF0CFBC209AF4361D,
)
"""The bits of 2/pi behind the point, 64 in a word, after a word of zeros."""


def two_over_pi(place: Any) -> Any:
    """A word of the bits of 2/pi."""
    return np.uint64(TWO_OVER_PI[place])
