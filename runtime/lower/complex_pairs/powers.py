"""Powers of complex numbers: by products where the exponent is a small integer, as in NumPy."""

from __future__ import annotations

import math
from typing import Any

from autograph.runtime.lower.complex_pairs import functions, pair
from autograph.runtime.lower.complex_pairs.pair import Pair, select
from autograph.runtime.ops.table import OPS as o

LARGEST_PRODUCT = 100
"""Below this NumPy has powers as products."""
DIGITS = 7
"""The binary digits of such an exponent."""


def power_of_known(x: Pair, exponent: Any) -> Pair | None:
    """x to a power that is known; None where it is no small integer."""
    whole = complex(exponent)
    number = int(whole.real) if math.isfinite(whole.real) else 0
    if whole != number or abs(number) >= LARGEST_PRODUCT:
        return None
    one, zero = o.ones_like(x.real), o.zeros_like(x.real)
    if not number:
        return Pair(one, zero)
    made = _product(x, abs(number))
    return made if number > 0 else _inverted(x, made)


def _inverted(x: Pair, made: Pair) -> Pair:
    """1 over a power of x; NaN of zero."""
    nan = o.full_like(x.real, math.nan)
    return select(pair.is_zero(x), Pair(nan, nan), pair.reciprocal(made))


def _product(x: Pair, number: int) -> Pair:
    made, factor = None, x
    while number:
        if number & 1:
            made = factor if made is None else pair.multiply(made, factor)
        number >>= 1
        if number:
            factor = pair.multiply(factor, factor)
    assert made is not None
    return made


def power(x: Pair, y: Pair) -> Pair:
    """x ** y: exp(y log(x)), and products where y turns out to be a small integer."""
    one, zero = o.ones_like(x.real + y.real), o.zeros_like(x.real + y.real)
    size = functions.log(x)
    if y.is_real:
        general = functions.exp(Pair(y.real * size.real, y.real * size.imag))
        exact = o.equal(o.floor(y.real), y.real)
    else:
        general = functions.exp(pair.multiply(y, size))
        exact = o.logical_and(o.equal(o.floor(y.real), y.real), o.equal(y.imag, 0))
    is_small = o.logical_and(exact, o.abs(y.real) < LARGEST_PRODUCT)
    made = select(is_small, _by_digits(x, y.real, one, zero), general)
    none = pair.is_zero(x)
    nan = o.full_like(zero, math.nan)
    made = select(none, select(y.real > 0, Pair(zero, zero), Pair(nan, nan)), made)
    return select(pair.is_zero(y), Pair(one, zero), made)


def _by_digits(x: Pair, exponent: Any, one: Any, zero: Any) -> Pair:
    """x to a small integer, by the binary digits of that: the same steps for all of them."""
    rest, made, factor = o.abs(exponent), Pair(one, zero), x
    for digit in range(DIGITS):
        half = o.floor(rest * 0.5)
        made = select(rest > half + half, pair.multiply(made, factor), made)
        if digit < DIGITS - 1:
            factor = pair.multiply(factor, factor)
        rest = half
    inverse = pair.reciprocal(made)
    return select(exponent < 0, inverse, made)
