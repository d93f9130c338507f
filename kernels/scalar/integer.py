"""Division, shifts, powers, minimum and maximum of integers, as NumPy has them.

One text serves every width: programs compute in 64 bits and the caller's cast cuts the result to
the width, which gives what NumPy computes in the width itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.scalar.intrinsics import select

INT64_ZERO = np.int64(0)
INT64_ONE = np.int64(1)
INT64_MINUS_ONE = np.int64(-1)
INT64_LAST_BIT = np.int64(63)
UINT64_ZERO = np.uint64(0)
UINT64_ONE = np.uint64(1)
UINT64_TWO = np.uint64(2)
UINT64_FOUR = np.uint64(4)
UINT64_EIGHT = np.uint64(8)
UINT64_SIXTEEN = np.uint64(16)
UINT64_HALF = np.uint64(32)
UINT64_LAST_BIT = np.uint64(63)


def floor_divide_number(a: Any, b: Any) -> Any:
    """a // b of floats or unsigned integers; an integer by 0 is 0."""
    return a // b


def floor_divide_signed(a: Any, b: Any) -> Any:
    """a // b; by 0 it is 0; the smallest integer by -1 is itself, as in NumPy."""
    a = np.int64(a)
    b = np.int64(b)
    return select(b == INT64_MINUS_ONE, -a, a // b)


def remainder_number(a: Any, b: Any) -> Any:
    """a % b, with the sign of b; an integer by 0 is 0."""
    return a % b


def sign_signed(x: Any) -> Any:
    """-1, 0 or 1."""
    x = np.int64(x)
    return select(x > INT64_ZERO, INT64_ONE, select(x < INT64_ZERO, INT64_MINUS_ONE, INT64_ZERO))


def sign_unsigned(x: Any) -> Any:
    """0 or 1."""
    x = np.uint64(x)
    return select(x > UINT64_ZERO, UINT64_ONE, UINT64_ZERO)


def minimum_int(a: Any, b: Any) -> Any:
    """The smaller of two."""
    return select(a < b, a, b)


def maximum_int(a: Any, b: Any) -> Any:
    """The larger of two."""
    return select(a > b, a, b)


def left_shift_signed(a: Any, b: Any) -> Any:
    """a << b; 0 where b is negative or at least the width."""
    a = np.int64(a)
    b = np.int64(b)
    inside = (b >= INT64_ZERO) & (b <= INT64_LAST_BIT)
    return select(inside, a << (b & INT64_LAST_BIT), INT64_ZERO)


def left_shift_unsigned(a: Any, b: Any) -> Any:
    """a << b; 0 where b is at least the width."""
    a = np.uint64(a)
    b = np.uint64(b)
    return select(b <= UINT64_LAST_BIT, a << (b & UINT64_LAST_BIT), UINT64_ZERO)


def right_shift_signed(a: Any, b: Any) -> Any:
    """a >> b; where b is negative or at least the width, -1 for negative a, else 0."""
    a = np.int64(a)
    b = np.int64(b)
    inside = (b >= INT64_ZERO) & (b <= INT64_LAST_BIT)
    return a >> select(inside, b, INT64_LAST_BIT)


def right_shift_unsigned(a: Any, b: Any) -> Any:
    """a >> b; 0 where b is at least the width."""
    a = np.uint64(a)
    b = np.uint64(b)
    return select(b <= UINT64_LAST_BIT, a >> (b & UINT64_LAST_BIT), UINT64_ZERO)


def power_signed(a: Any, b: Any) -> Any:
    """a**b by squaring, modulo the width; 1 where b is negative (NumPy raises: test b before)."""
    result = np.int64(1)
    base = np.int64(a)
    rest = np.int64(b)
    while rest > INT64_ZERO:
        if rest & INT64_ONE == INT64_ONE:
            result = result * base
        base = base * base
        rest = rest >> INT64_ONE
    return result


def power_unsigned(a: Any, b: Any) -> Any:
    """a**b by squaring, modulo the width."""
    result = np.uint64(1)
    base = np.uint64(a)
    rest = np.uint64(b)
    while rest > UINT64_ZERO:
        if rest & UINT64_ONE == UINT64_ONE:
            result = result * base
        base = base * base
        rest = rest >> UINT64_ONE
    return result


def covering_mask(limit: Any) -> Any:
    """The smallest 2**n - 1 that is not below a uint64."""
    mask = np.uint64(limit)
    mask = mask | (mask >> UINT64_ONE)
    mask = mask | (mask >> UINT64_TWO)
    mask = mask | (mask >> UINT64_FOUR)
    mask = mask | (mask >> UINT64_EIGHT)
    mask = mask | (mask >> UINT64_SIXTEEN)
    return mask | (mask >> UINT64_HALF)
