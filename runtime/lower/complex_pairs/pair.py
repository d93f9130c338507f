"""A complex number as its two parts, with the arithmetic that NumPy has for it."""

from __future__ import annotations

from typing import Any

from autograph.runtime.ops.table import OPS as o


class Pair:
    """The parts of a complex tensor: real ones of one dtype and shape."""

    __slots__ = ("imag", "is_real", "real")

    def __init__(self, real: Any, imag: Any, is_real: bool = False) -> None:
        self.real = real
        self.imag = imag
        self.is_real = is_real
        """Whether it was a real tensor, and `imag` is zeros."""

    @property
    def parts(self) -> tuple[Any, Any]:
        """Both parts."""
        return self.real, self.imag


def add(x: Pair, y: Pair) -> Pair:
    """x + y."""
    return Pair(x.real + y.real, x.imag + y.imag)


def subtract(x: Pair, y: Pair) -> Pair:
    """x - y."""
    return Pair(x.real - y.real, x.imag - y.imag)


def multiply(x: Pair, y: Pair) -> Pair:
    """x * y."""
    return Pair(
        x.real * y.real - x.imag * y.imag,
        x.real * y.imag + x.imag * y.real,
    )


def square(x: Pair) -> Pair:
    """x * x."""
    across = x.real * x.imag
    return Pair(x.real * x.real - x.imag * x.imag, across + across)


def divide(x: Pair, y: Pair) -> Pair:
    """x / y by Smith's method, which neither overflows nor underflows before the quotient does.

    By zero, both parts of x are divided by it.
    """
    if y.is_real:
        return _divide_by_real(x, y.real, y.imag)
    leads = o.abs(y.real) >= o.abs(y.imag)
    none = o.logical_and(o.equal(y.real, 0), o.equal(y.imag, 0))
    large, small = o.where(leads, y.real, y.imag), o.where(leads, y.imag, y.real)
    ratio = small / large
    scale = 1 / o.where(none, 0, large + small * ratio)
    real = o.where(leads, x.real + x.imag * ratio, x.real * ratio + x.imag)
    imag = o.where(leads, x.imag - x.real * ratio, x.imag * ratio - x.real)
    return Pair(o.where(none, x.real, real) * scale, o.where(none, x.imag, imag) * scale)


def _divide_by_real(x: Pair, y: Any, zero: Any) -> Pair:
    ratio = zero / y
    none = o.equal(y, 0)
    scale = 1 / o.where(none, 0, y)
    real = o.where(none, x.real, x.real + x.imag * ratio)
    imag = o.where(none, x.imag, x.imag - x.real * ratio)
    return Pair(real * scale, imag * scale)


def reciprocal(x: Pair) -> Pair:
    """1 / x."""
    return divide(Pair(o.ones_like(x.real), o.zeros_like(x.real)), x)


def conjugate(x: Pair) -> Pair:
    """x with its imaginary part negated."""
    return Pair(x.real, -x.imag)


def absolute(x: Pair) -> Any:
    """The absolute value, without overflow."""
    return o.hypot(x.real, x.imag)


def is_zero(x: Pair) -> Any:
    """Whether x is 0."""
    return o.logical_and(o.equal(x.real, 0), o.equal(x.imag, 0))


def is_nonzero(x: Pair) -> Any:
    """Whether x is not 0: its truth."""
    return o.logical_or(o.not_equal(x.real, 0), o.not_equal(x.imag, 0))


def select(condition: Any, x: Pair, y: Pair) -> Pair:
    """x where the condition holds, else y."""
    return Pair(o.where(condition, x.real, y.real), o.where(condition, x.imag, y.imag))
