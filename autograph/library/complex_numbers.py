"""Arithmetic of Python's complex numbers, as Python on their parts; and `cmath`.

The formulas are CPython's (Objects/complexobject.c), so that results are the same to the last bit
where those of floats are.
"""

from __future__ import annotations

import math
from typing import Any

from autograph.runtime.core.python_versions import (
    COMPLEX_BY_ZERO,
    KEEPS_REAL_OPERANDS,
    ZERO_TO_A_COMPLEX_POWER,
)

INFINITY = float("inf")
LARGEST_EXPONENT = 709.782712893384
"""Of e, with a result that a float holds."""
NATURAL_OF_TEN = 2.302585092994045684


def parts(x: Any) -> Any:
    """The real and the imaginary part of a number."""
    if isinstance(x, complex):
        return x.real, x.imag
    return float(x), 0.0


def made(real: Any = 0, imag: Any = None) -> Any:
    """`complex(real, imag)`, each of which may be complex."""
    a, b = parts(real)
    if imag is None:
        return complex(a, b)
    c, d = parts(imag)
    if isinstance(imag, complex):
        a = a - d
    if isinstance(real, complex):
        c = c + b
    return complex(a, c)


def add(x: Any, y: Any) -> Any:
    """`x + y`."""
    (a, b), (c, d) = parts(x), parts(y)
    if KEEPS_REAL_OPERANDS and not (isinstance(x, complex) and isinstance(y, complex)):
        return complex(a + c, b if isinstance(x, complex) else d)
    return complex(a + c, b + d)


def subtract(x: Any, y: Any) -> Any:
    """`x - y`."""
    (a, b), (c, d) = parts(x), parts(y)
    if KEEPS_REAL_OPERANDS and not (isinstance(x, complex) and isinstance(y, complex)):
        return complex(a - c, b if isinstance(x, complex) else -d)
    return complex(a - c, b - d)


def multiply(x: Any, y: Any) -> Any:
    """`x * y`."""
    (a, b), (c, d) = parts(x), parts(y)
    if KEEPS_REAL_OPERANDS and not isinstance(x, complex):
        return complex(a * c, a * d)
    if KEEPS_REAL_OPERANDS and not isinstance(y, complex):
        return complex(a * c, b * c)
    return complex(a * c - b * d, a * d + b * c)


def divide(x: Any, y: Any) -> Any:
    """`x / y`, by Smith's method."""
    (a, b), (c, d) = parts(x), parts(y)
    if c == 0.0 and d == 0.0:
        raise ZeroDivisionError(COMPLEX_BY_ZERO)
    if KEEPS_REAL_OPERANDS and not isinstance(y, complex):
        return complex(a / c, b / c)
    return quotient(a, b, c, d)


def quotient(a: Any, b: Any, c: Any, d: Any) -> Any:
    """(a + bi) / (c + di), where c + di is not 0."""
    if abs(c) >= abs(d):
        ratio = d / c
        scale = c + d * ratio
        return complex((a + b * ratio) / scale, (b - a * ratio) / scale)
    if abs(d) >= abs(c):
        ratio = c / d
        scale = c * ratio + d
        return complex((a * ratio + b) / scale, (b * ratio - a) / scale)
    return complex(math.nan, math.nan)


def power(x: Any, y: Any) -> Any:
    """`x ** y`: by products where the exponent is a small whole number."""
    (a, b), (c, d) = parts(x), parts(y)
    if d == 0.0 and c == math.floor(c) and abs(c) <= 100.0:
        found = whole_power(a, b, int(c))
    else:
        found = polar_power(a, b, c, d)
    if abs(found.real) == INFINITY or abs(found.imag) == INFINITY:
        raise OverflowError("complex exponentiation")
    return found


def whole_power(a: Any, b: Any, count: Any) -> Any:
    """(a + bi) ** count."""
    base, found = complex(a, b), complex(1.0, 0.0)
    rest = abs(count)
    while rest > 0:
        if rest % 2 == 1:
            found = multiply(found, base)
        base = multiply(base, base)
        rest = rest // 2
    if count >= 0:
        return found
    c, d = parts(found)
    if c == 0.0 and d == 0.0:
        raise ZeroDivisionError(ZERO_TO_A_COMPLEX_POWER)
    return quotient(1.0, 0.0, c, d)


def polar_power(a: Any, b: Any, c: Any, d: Any) -> Any:
    """(a + bi) ** (c + di) by length and angle."""
    if a == 0.0 and b == 0.0:
        if d != 0.0 or c < 0.0:
            raise ZeroDivisionError(ZERO_TO_A_COMPLEX_POWER)
        return complex(0.0, 0.0)
    length, angle = math.hypot(a, b), math.atan2(b, a)
    if length != INFINITY and c * math.log(length) > LARGEST_EXPONENT:
        raise OverflowError("complex exponentiation")
    scale, turn = length**c, angle * c
    if d != 0.0:
        scale = divided_by_exponential(scale, angle * d)
        turn = turn + d * math.log(length)
    return complex(scale * math.cos(turn), scale * math.sin(turn))


def divided_by_exponential(scale: Any, exponent: Any) -> Any:
    """scale / e ** exponent, which C gives as 0 or infinity where `math.exp` raises or is 0."""
    if exponent > LARGEST_EXPONENT:
        return 0.0
    divisor = math.exp(exponent)
    if divisor == 0.0:
        raise OverflowError("complex exponentiation")
    return scale / divisor


def equal(x: Any, y: Any) -> Any:
    """`x == y`."""
    a, b = (x.real, x.imag) if isinstance(x, complex) else (x, 0.0)
    c, d = (y.real, y.imag) if isinstance(y, complex) else (y, 0.0)
    return a == c and b == d


def unequal(x: Any, y: Any) -> Any:
    """`x != y`."""
    return not equal(x, y)


def negative(x: Any) -> Any:
    """`-x`."""
    return complex(-x.real, -x.imag)


def positive(x: Any) -> Any:
    """`+x`."""
    return x


def conjugate(x: Any) -> Any:
    """`x.conjugate()`."""
    return complex(x.real, -x.imag)


def length(x: Any) -> Any:
    """`abs(x)`."""
    a, b = x.real, x.imag
    found = math.hypot(a, b)
    if found == INFINITY and abs(a) != INFINITY and abs(b) != INFINITY:
        raise OverflowError("absolute value too large")
    return found


# cmath --------------------------------------------------------------------------------------------
def check(x: Any, result: Any, overflows: bool) -> Any:
    """The result of a function of `cmath`; its errors where there is none."""
    if is_finite(x) and not is_finite(result):
        if overflows:
            raise OverflowError("math range error")
        raise ValueError("math domain error")
    return result


def logarithm(x: Any, base: Any) -> Any:
    """`cmath.log(x, base)` of two logarithms."""
    return divide(x, base)


def decimal_logarithm(natural: Any) -> Any:
    """`cmath.log10(x)`, of the natural logarithm of x."""
    return complex(natural.real / NATURAL_OF_TEN, natural.imag / NATURAL_OF_TEN)


def phase(x: Any) -> Any:
    """`cmath.phase(x)`."""
    a, b = parts(x)
    return math.atan2(b, a)


def polar(x: Any) -> Any:
    """`cmath.polar(x)`."""
    return length(complex(*parts(x))), phase(x)


def rect(r: Any, phi: Any) -> Any:
    """`cmath.rect(r, phi)`."""
    return complex(r * math.cos(phi), r * math.sin(phi))


def is_finite(x: Any) -> Any:
    """`cmath.isfinite(x)`."""
    a, b = parts(x)
    return math.isfinite(a) and math.isfinite(b)


def is_infinite(x: Any) -> Any:
    """`cmath.isinf(x)`."""
    a, b = parts(x)
    return math.isinf(a) or math.isinf(b)


def is_nan(x: Any) -> Any:
    """`cmath.isnan(x)`."""
    a, b = parts(x)
    return math.isnan(a) or math.isnan(b)


def is_close(x: Any, y: Any, rel_tol: Any, abs_tol: Any) -> Any:
    """`cmath.isclose(x, y)`."""
    if rel_tol < 0 or abs_tol < 0:
        raise ValueError("tolerances must be non-negative")
    if equal(x, y):
        return True
    if is_infinite(x) or is_infinite(y):
        return False
    apart = length(subtract(complex(*parts(x)), complex(*parts(y))))
    longest = max(length(complex(*parts(x))), length(complex(*parts(y))))
    return apart <= rel_tol * longest or apart <= abs_tol
