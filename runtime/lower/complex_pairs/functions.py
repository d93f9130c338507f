"""Functions of complex numbers by functions of real ones, with the special values of C's library,
which NumPy calls. None of them branches, so the loops around them vectorise."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.lower.complex_pairs.pair import Pair
from autograph.runtime.ops.table import OPS as o


def _signed(magnitude: Any, sign: Any) -> Any:
    return o.copysign(magnitude, sign)


def _as(x: Any, number: float) -> Any:
    """A number in the dtype of x."""
    return o.asarray(number, dtype=x.dtype)


def _limit(x: Any) -> int:
    """The largest integer of which exp is finite."""
    return math.floor(math.log(float(np.finfo(x.dtype).max)))


def _power_of_two(x: Any, exponent: int) -> float:
    """2 to a power, of the range that floats of the dtype of x have."""
    return 2.0 ** (exponent if x.dtype.itemsize == 8 else exponent // 8)


# roots and logarithms -----------------------------------------------------------------------------
def sqrt(x: Pair) -> Pair:
    """The root with a real part that is not negative; its imaginary part has the sign of x's.

    Large and small parts are scaled first, so that their absolute value is exact.
    """
    a, b = o.abs(x.real), o.abs(x.imag)
    most = o.where(a > b, a, b)
    high, low = _power_of_two(a, 1000), _power_of_two(a, -960)
    is_high, is_low = most > high, most < low
    step = _power_of_two(a, 112)
    scale = o.where(is_high, _as(a, 0.0625), o.where(is_low, _as(a, step), 1.0))
    back = o.where(is_high, _as(a, 4.0), o.where(is_low, _as(a, step**-0.5), 1.0))
    a, b = a * scale, b * scale
    root = o.sqrt(0.5 * (o.hypot(a, b) + a))
    none = o.equal(root, 0)
    other = 0.5 * b / o.where(none, 1.0, root)
    root, other = root * back, other * back
    right = x.real >= 0
    real, imag = o.where(right, root, other), o.where(right, other, root)
    return _special_root(x, real, imag)


def _special_root(x: Pair, real: Any, imag: Any) -> Pair:
    below = o.logical_and(o.isinf(x.real), x.real < 0)
    above = o.logical_and(o.isinf(x.real), x.real > 0)
    nan = o.isnan(x.imag)
    rest = o.where(nan, x.imag, 0.0)
    real = o.where(below, rest, o.where(above, x.real, real))
    imag = o.where(below, math.inf, o.where(above, rest, imag))
    wide = o.isinf(x.imag)
    real, imag = o.where(wide, math.inf, real), o.where(wide, math.inf, imag)
    return Pair(real, _signed(imag, x.imag))


def log(x: Pair) -> Pair:
    """The logarithm of the absolute value, exact near 1, and the angle."""
    a, b = o.abs(x.real), o.abs(x.imag)
    large, small = o.where(a > b, a, b), o.where(a > b, b, a)
    step = _power_of_two(a, 512)
    is_high, is_low = large > step, large < 1 / step
    scale = o.where(is_high, _as(a, 1 / step), o.where(is_low, _as(a, step), 1.0))
    much = math.log(step)
    more = o.where(is_high, _as(a, much), o.where(is_low, _as(a, -much), 0.0))
    size = o.hypot(large * scale, small * scale)
    near = o.logical_and(size > 0.5, size < 2.0)
    beside = 0.5 * o.log1p((large - 1.0) * (large + 1.0) + small * small)
    real = o.where(near, beside, o.log(size) + more)
    return Pair(real, o.atan2(x.imag, x.real))


def _times(factor: float) -> Callable[[Pair], Pair]:
    def rule(x: Pair) -> Pair:
        found = log(x)
        return Pair(found.real * factor, found.imag * factor)

    return rule


def log1p(x: Pair) -> Pair:
    """log(1 + x), as NumPy has it."""
    return Pair(o.log(o.hypot(x.real + 1.0, x.imag)), o.atan2(x.imag, x.real + 1.0))


# exponentials -------------------------------------------------------------------------------------
def exp(x: Pair) -> Pair:
    """e to the power x: of large parts in two factors, since the product may be finite."""
    limit = _limit(x.real)
    large = x.real > limit
    first = o.where(large, _as(x.real, math.exp(limit)), 1.0)
    second = o.exp(o.where(large, x.real - limit, x.real))
    real, imag = o.cos(x.imag) * first * second, o.sin(x.imag) * first * second
    beyond = o.logical_not(o.isfinite(x.imag))
    none = o.logical_and(beyond, o.equal(x.real, -math.inf))
    wide = o.logical_and(beyond, o.equal(x.real, math.inf))
    real = o.where(none, 0.0, o.where(wide, math.inf, real))
    imag = o.where(none, _signed(o.zeros_like(imag), x.imag), imag)
    return Pair(real, o.where(o.equal(x.imag, 0), x.imag, imag))


def expm1(x: Pair) -> Pair:
    """exp(x) - 1, exact near zero, as NumPy has it."""
    half = o.sin(x.imag * 0.5)
    real = o.expm1(x.real) * o.cos(x.imag) - 2.0 * half * half
    return Pair(real, o.exp(x.real) * o.sin(x.imag))


# hyperbolic and trigonometric ---------------------------------------------------------------------
def _hyperbolic(x: Pair) -> tuple[Any, Any, Any, Any, Any]:
    """sinh and cosh of the real part, each without a factor that may overflow; sin and cos."""
    limit = _limit(x.real)
    size = o.abs(x.real)
    large = size > limit
    factor = o.where(large, _as(x.real, math.exp(limit)), 1.0)
    rest = 0.5 * o.exp(o.where(large, size - limit, 0.0))
    sinh = o.where(large, _signed(rest, x.real), o.sinh(x.real))
    cosh = o.where(large, rest, o.cosh(x.real))
    return sinh, cosh, factor, o.sin(x.imag), o.cos(x.imag)


def sinh(x: Pair) -> Pair:
    """The hyperbolic sine."""
    wave, bow, factor, sine, cosine = _hyperbolic(x)
    real, imag = wave * cosine * factor, bow * sine * factor
    beyond, flat = o.logical_not(o.isfinite(x.imag)), o.equal(x.imag, 0)
    real = o.where(o.equal(x.real, 0), x.real, real)
    real = o.where(o.logical_and(beyond, o.isinf(x.real)), x.real, real)
    real = o.where(o.logical_and(flat, o.isinf(x.real)), x.real, real)
    return Pair(real, o.where(flat, x.imag, imag))


def cosh(x: Pair) -> Pair:
    """The hyperbolic cosine."""
    wave, bow, factor, sine, cosine = _hyperbolic(x)
    real, imag = bow * cosine * factor, wave * sine * factor
    beyond = o.logical_not(o.isfinite(x.imag))
    real = o.where(o.logical_and(beyond, o.isinf(x.real)), math.inf, real)
    flat = o.logical_or(o.equal(x.imag, 0), o.equal(x.real, 0))
    none = _signed(o.zeros_like(imag), _signed(o.ones_like(imag), x.real) * x.imag)
    return Pair(real, o.where(flat, none, imag))


def tanh(x: Pair) -> Pair:
    """The hyperbolic tangent."""
    size = o.abs(x.real)
    large = size > _limit(x.real) // 2
    inner = o.where(large, _as(x.real, 1.0), x.real)
    large = o.logical_and(large, o.logical_or(o.isfinite(x.imag), o.isinf(size)))
    sine, cosine, wave, bow = o.sin(x.imag), o.cos(x.imag), o.sinh(inner), o.cosh(inner)
    scale = wave * wave + cosine * cosine
    real, imag = wave * bow / scale, sine * cosine / scale
    far = 4.0 * sine * cosine * o.exp(-2.0 * o.where(large, size, 0.0))
    real = o.where(large, _signed(o.ones_like(real), x.real), real)
    imag = o.where(large, far, imag)
    beyond = o.logical_and(large, o.logical_not(o.isfinite(x.imag)))
    imag = o.where(beyond, _signed(o.zeros_like(imag), x.imag), imag)
    real = o.where(o.equal(x.real, 0), x.real, real)
    return Pair(real, o.where(o.equal(x.imag, 0), x.imag, imag))


def _turned(function: Callable[[Pair], Pair]) -> Callable[[Pair], Pair]:
    """f(x) = -i g(ix): sin by sinh, and tan by tanh."""

    def rule(x: Pair) -> Pair:
        found = function(Pair(-x.imag, x.real))
        return Pair(found.imag, -found.real)

    return rule


RULES: dict[str, Callable[..., Any]] = {
    "sqrt": sqrt,
    "log": log,
    "log2": _times(1 / math.log(2)),
    "log10": _times(1 / math.log(10)),
    "log1p": log1p,
    "exp": exp,
    "expm1": expm1,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "sin": _turned(sinh),
    "cos": lambda x: cosh(Pair(-x.imag, x.real)),
    "tan": _turned(tanh),
}
