"""What Python's `math` checks, and its functions that are sums, products and comparisons."""

from __future__ import annotations

from math import copysign, nextafter
from typing import Any

from autograph.runtime.core.python_versions import NO_POWER, NO_QUOTIENT, NO_REMAINDER

INFINITY = float("inf")
DEGREE = 180.0 / 3.141592653589793
RADIAN = 3.141592653589793 / 180.0


def check(x: Any, result: Any, overflows: bool, refusal: str) -> Any:
    """The result of a function of one number; the errors of `math` where it has none.

    `refusal` is a text to be formatted with the number.
    """
    if result != result and x == x:
        raise ValueError(refusal.format(x))
    if (result == INFINITY or result == -INFINITY) and x != INFINITY and x != -INFINITY:
        if overflows:
            raise OverflowError("math range error")
        raise ValueError(refusal.format(x))
    return result


def scaled(number: Any, center: Any, spread: Any) -> Any:
    """What `random.gauss` makes of a standard normal number."""
    return center + number * spread


def is_nan(x: Any) -> Any:
    """`isnan(x)`."""
    return x != x


def is_infinite(x: Any) -> Any:
    """`isinf(x)`."""
    return x == INFINITY or x == -INFINITY


def is_finite(x: Any) -> Any:
    """`isfinite(x)`."""
    return x == x and x != INFINITY and x != -INFINITY


def is_whole(x: Any) -> Any:
    """`x.is_integer()`."""
    return is_finite(x) and x % 1.0 == 0.0


def bit_length(n: Any) -> Any:
    """`n.bit_length()`."""
    rest, length = abs(n), 0
    while rest > 0:
        rest, length = rest // 2, length + 1
    return length


def bit_count(n: Any) -> Any:
    """`n.bit_count()`."""
    rest, count = abs(n), 0
    while rest > 0:
        rest, count = rest // 2, count + rest % 2
    return count


def ratio_of_float(x: Any) -> Any:
    """`x.as_integer_ratio()` of a float."""
    if x != x:
        raise ValueError("cannot convert NaN to integer ratio")
    if x == INFINITY or x == -INFINITY:
        raise OverflowError("cannot convert Infinity to integer ratio")
    divisor = 1
    while x % 1.0 != 0.0:
        x, divisor = x * 2.0, divisor * 2
    return int(x), divisor


def ratio_of_int(n: Any) -> Any:
    """`n.as_integer_ratio()` of an int."""
    return int(n), 1


def degrees(x: Any) -> Any:
    """`degrees(x)`."""
    return x * DEGREE


def radians(x: Any) -> Any:
    """`radians(x)`."""
    return x * RADIAN


def power_of_floats(x: Any, y: Any, result: Any) -> Any:
    """`pow(x, y)`, where `result` is infinite or NaN for what has none."""
    if result != result and x == x and y == y:
        raise ValueError(NO_POWER)
    if (result == INFINITY or result == -INFINITY) and is_finite(x) and is_finite(y):
        if x == 0.0:
            raise ValueError(NO_POWER)
        raise OverflowError("math range error")
    return result


def length(x: Any, y: Any, result: Any) -> Any:
    """`hypot(x, y)`, where `result` is infinite for what is too large."""
    if result == INFINITY and is_finite(x) and is_finite(y):
        raise OverflowError("math range error")
    return result


def modulo(x: Any, y: Any) -> Any:
    """`fmod(x, y)`: with the sign of x."""
    if x != x or y != y:
        return x + y
    if x == INFINITY or x == -INFINITY or y == 0.0:
        raise ValueError(NO_REMAINDER)
    if y == INFINITY or y == -INFINITY:
        return x
    return copysign(abs(x) % abs(y), x)


def remainder(x: Any, y: Any) -> Any:
    """`remainder(x, y)`: of the nearest multiple of y."""
    if x != x or y != y:
        return x + y
    if x == INFINITY or x == -INFINITY or y == 0.0:
        raise ValueError(NO_REMAINDER)
    if y == INFINITY or y == -INFINITY:
        return x
    size, step = abs(x), abs(y)
    rest = size % step
    other = step - rest
    if rest > other:
        rest = -other
    elif rest == other:
        rest = rest - 2.0 * ((0.5 * (size - rest)) % step)
    return copysign(1.0, x) * rest


def fraction_and_whole(x: Any) -> Any:
    """`modf(x)`."""
    if x == INFINITY or x == -INFINITY:
        return copysign(0.0, x), x
    if x != x:
        return x, x
    fraction = abs(x) % 1.0
    return copysign(fraction, x), copysign(abs(x) - fraction, x)


def last_place(x: Any) -> Any:
    """`ulp(x)`."""
    x = abs(x)
    if x != x or x == INFINITY:
        return x
    above = nextafter(x, INFINITY)
    if above == INFINITY:
        return x - nextafter(x, -INFINITY)
    return above - x


def greatest_divisor(a: Any, b: Any) -> Any:
    """`gcd(a, b)`."""
    a, b = abs(a), abs(b)
    while b != 0:
        a, b = b, a % b
    return a


def least_multiple(a: Any, b: Any) -> Any:
    """`lcm(a, b)`."""
    if a == 0 or b == 0:
        return 0
    return abs(a // greatest_divisor(a, b) * b)


def greatest_divisor_of(*numbers: Any) -> Any:
    """`gcd(*numbers)`."""
    divisor = 0
    for number in numbers:
        divisor = greatest_divisor(divisor, number)
    return divisor


def least_multiple_of(*numbers: Any) -> Any:
    """`lcm(*numbers)`."""
    multiple = 1
    for number in numbers:
        multiple = least_multiple(multiple, number)
    return multiple


def factorial(n: Any) -> Any:
    """`factorial(n)`."""
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    product = 1
    for factor in range(2, n + 1):
        product *= factor
    return product


def combinations(n: Any, k: Any) -> Any:
    """`comb(n, k)`."""
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    if k > n - k:
        k = n - k
    result = 1
    for number in range(1, k + 1):
        result = result * (n - k + number) // number
    return result


def permutations(n: Any, k: Any = None) -> Any:
    """`perm(n, k)`."""
    if k is None:
        return factorial(n)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    result = 1
    for number in range(n - k + 1, n + 1):
        result *= number
    return result


def integer_root(n: Any) -> Any:
    """`isqrt(n)`."""
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    low, high = 0, 3037000499
    while low < high:
        middle = (low + high + 1) // 2
        if middle * middle <= n:
            low = middle
        else:
            high = middle - 1
    return low


def product(numbers: Any, start: Any) -> Any:
    """`prod(numbers, start=start)`."""
    for number in numbers:
        start = start * number
    return start


def is_close(a: Any, b: Any, relative: Any, absolute: Any) -> Any:
    """`isclose(a, b, rel_tol=relative, abs_tol=absolute)`."""
    if relative < 0.0 or absolute < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if a == INFINITY or a == -INFINITY or b == INFINITY or b == -INFINITY:
        return False
    apart = abs(b - a)
    near = apart <= abs(relative * b) or apart <= abs(relative * a)
    return near or apart <= absolute


def _inverse(number: Any, modulus: Any) -> Any:
    """The inverse of a number modulo a positive one: Euclid's algorithm."""
    rest, last = number % modulus, modulus
    factor, before = 1, 0
    while rest != 0:
        times = last // rest
        last, rest = rest, last - times * rest
        before, factor = factor, before - times * factor
    if last != 1:
        raise ValueError("base is not invertible for the given modulus")
    return before % modulus


def power(base: Any, exponent: Any, modulus: Any) -> Any:
    """`pow(base, exponent, modulus)`."""
    if modulus == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    if exponent < 0 and modulus != 1 and modulus != -1:
        base = _inverse(base, abs(modulus))
        exponent = -exponent
    result = 1 % modulus
    base = base % modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent = exponent // 2
    return result


def quotient_and_rest(left: Any, right: Any) -> Any:
    """`divmod(left, right)` of numbers, one of them a float."""
    if right == 0.0:
        raise ZeroDivisionError(NO_QUOTIENT)
    return left // right, left % right
