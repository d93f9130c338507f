"""`round` to decimal digits, exactly as Python rounds: half to even."""

from __future__ import annotations

from math import copysign
from typing import Any

WHOLE = 4503599627370496.0
"""From here on, 2**52, a float has no fraction."""
SPLITTER = 134217729.0
"""2**27 + 1: it splits a float into two halves of which all products are exact."""
TENS = tuple(10.0**digits for digits in range(23))
"""The powers of ten that are floats."""
WHOLE_TENS = tuple(10**digits for digits in range(19))
"""The powers of ten that are ints of 64 bits."""
INFINITY = float("inf")


def rounded_to_digits(x: Any, digits: Any) -> Any:
    """`round(x, digits)` of a float."""
    size = abs(x)
    if x != x or size == INFINITY or x == 0.0 or digits > 323:
        return x
    if digits < -308 or (digits < -15 and size <= 5e15):
        return copysign(0.0, x)
    if digits < -15 or (digits > 22 and size < 1e-6):
        raise NotImplementedError(
            "round() of such a number to less than -15 or more than 22 digits"
        )
    if digits > 22:
        return x
    if digits < 0:
        return rounded_to_tens(x, TENS[-digits])
    return rounded(x, TENS[digits])


def rounded_int_to_digits(n: Any, digits: Any) -> Any:
    """`round(n, digits)` of an int."""
    if digits >= 0:
        return n
    if digits < -19 or (digits < -18 and abs(n) <= 5000000000000000000):
        return 0
    if digits < -18:
        raise OverflowError("round() of an int gives one of more than 64 bits")
    return rounded_int(n, WHOLE_TENS[-digits])


def rounded(x: Any, scale: Any) -> Any:
    """`round(x, digits)` of a float, where `scale` is 10.0**digits."""
    size = abs(x)
    if not size * scale < 2.0 * WHOLE:
        return x
    whole = nearest(size * scale, product_error(size, scale))
    return copysign(whole / scale, x)


def nearest(product: Any, error: Any) -> Any:
    """The whole number nearest to `product + error`, as a float."""
    whole = round(product)
    over = product - whole
    if over + error > 0.5 or (over == 0.5 and error > 0.0):
        return float(whole + 1)
    if over + error < -0.5 or (over == -0.5 and error < 0.0):
        return float(whole - 1)
    if over == 0.0 and whole % 2 == 1:  # far from zero the half is in the error
        if error == 0.5:
            return float(whole + 1)
        if error == -0.5:
            return float(whole - 1)
    return float(whole)


def product_error(x: Any, y: Any) -> Any:
    """What rounding left out of `x * y`."""
    product = x * y
    x_high = SPLITTER * x - (SPLITTER * x - x)
    y_high = SPLITTER * y - (SPLITTER * y - y)
    x_low = x - x_high
    y_low = y - y_high
    return ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low


def rounded_to_tens(x: Any, ten: Any) -> Any:
    """`round(x, -digits)` of a float, where `ten` is 10.0**digits."""
    size = abs(x)
    if not size < 2.0 * WHOLE * ten:
        return x
    rest = size % ten
    low = size - rest
    if 2.0 * rest < ten:
        return copysign(low, x)
    if 2.0 * rest == ten and (low / ten) % 2.0 == 0.0:
        return copysign(low, x)
    return copysign(size + (ten - rest), x)


def rounded_int(n: Any, ten: Any) -> Any:
    """`round(n, -digits)` of an int, where `ten` is 10**digits."""
    count, rest = divmod(n, ten)
    if 2 * rest > ten or (2 * rest == ten and count % 2 == 1):
        count += 1
    return count * ten
