"""Where scalar functions are tried, and how far off they are there."""

from __future__ import annotations

import functools
from typing import Any

import mpmath
import numpy as np
import scipy.special as special_functions

FLOATS = ("float32", "float64")


def _angle(y: Any, x: Any) -> Any:
    if not y:  # the signs of zeros count, which mpmath has not
        raise ValueError
    return mpmath.atan2(y, x)


EXACT: dict[str, Any] = {
    "exp": mpmath.exp,
    "expm1": mpmath.expm1,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "log": mpmath.log,
    "log1p": mpmath.log1p,
    "log2": lambda x: mpmath.log(x, 2),
    "log10": mpmath.log10,
    "tanh": mpmath.tanh,
    "sinh": mpmath.sinh,
    "cosh": mpmath.cosh,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
    "asin": mpmath.asin,
    "acos": mpmath.acos,
    "atan": mpmath.atan,
    "angle": _angle,
    "hypot": lambda x, y: mpmath.sqrt(x * x + y * y),
    "asinh": mpmath.asinh,
    "acosh": mpmath.acosh,
    "atanh": mpmath.atanh,
    "erf": mpmath.erf,
    "erfc": lambda x: mpmath.erfc(x) if x < 1e3 else mpmath.mpf(0),
    "gelu": lambda x: x * EXACT["erfc"](-x / mpmath.sqrt(2)) / 2,
    "power": mpmath.power,
    "power_in_loops": mpmath.power,
}


def _softplus(x: Any) -> Any:
    return np.where(np.isnan(x), x, np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))))


def _sigmoid(x: Any) -> Any:
    small = np.exp(-np.abs(x))
    return np.where(x < 0, small, 1) / (1 + small)


def _beyond_numpy(name: str) -> Any:
    """By SciPy in float64; by mpmath, one by one, in anything wider. Infinities as limits."""
    in_scipy = {"gelu": lambda x: x * special_functions.ndtr(x)}
    quick = in_scipy.get(name) or getattr(special_functions, name)
    at_infinity = {"erf": (-1, 1), "erfc": (2, 0), "gelu": (-0.0, np.inf)}[name]

    def one(x: Any) -> Any:
        # nothing of a tail is left in float64
        if x != x or abs(x) > 50:
            return x if x != x or (name == "gelu" and x > 0) else at_infinity[int(x > 0)]
        exact = EXACT[name](mpmath.mpf(float(x)))
        high = float(exact)
        return np.longdouble(high) + np.longdouble(float(exact - high))

    def function(x: Any) -> Any:
        if x.dtype != np.longdouble:
            return np.where(np.isinf(x), np.where(x > 0, *at_infinity[::-1]), quick(x))
        with mpmath.workdps(25):
            return np.array([one(value) for value in x.ravel()], np.longdouble).reshape(x.shape)

    return function


def _in_numpy(name: str) -> Any:
    if name in BEYOND_NUMPY:
        return _beyond_numpy(name)
    if name == "angle":
        return np.arctan2
    if name == "power_in_loops":
        return np.power
    inverse = name.startswith("a")
    return getattr(np, f"arc{name[1:]}" if inverse else name)


BEYOND_NUMPY = ("erf", "erfc", "gelu")
IN_NUMPY: dict[str, Any] = {
    **{name: _in_numpy(name) for name in EXACT if name not in ("sigmoid", "softplus")},
    "sigmoid": _sigmoid,
    "softplus": _softplus,
}
"""The same for arrays of any float dtype, a wider one included."""


def special(dtype: str) -> np.ndarray[Any, Any]:
    """Zeros, infinities, nan, the ends of the range and of the normal numbers, around 1."""
    info = np.finfo(dtype)
    ends = [0.0, np.inf, info.tiny, info.smallest_subnormal, info.max, 1.0, info.eps, 2.0, 0.5]
    near = [1 + info.eps, 1 - info.epsneg, 3.0, 88.7, 89.0, 103.9, 709.7, 710.4, 745.1, 1e-3, 0.625]
    values = np.array([*ends, *near], dtype)
    return np.concatenate([values, -values, np.array([np.nan], dtype)])


@functools.cache
def near_quadrants() -> np.ndarray[Any, Any]:
    """For every exponent the float32 nearest to a multiple of pi/2, relative to its size.

    m * 2**k is near a multiple of pi/2 where m is the denominator of a convergent of 2**k * 2/pi.
    """
    found = []
    with mpmath.workdps(120):
        for exponent in range(104):
            rest = mpmath.ldexp(2 / mpmath.pi, exponent)
            before, denominator = 0, 1
            while True:
                rest = 1 / (rest - mpmath.floor(rest))
                after = int(mpmath.floor(rest)) * denominator + before
                if after >= 1 << 24:
                    break
                before, denominator = denominator, after
            found.append(np.ldexp(float(denominator), exponent))
    return np.array(found, np.float32)


def points(dtype: str, count: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """Specials, then `count` values or more: all bit patterns alike, and where functions change."""
    random = np.random.default_rng(seed)
    width = np.dtype(dtype).itemsize * 8
    each = count // 8
    bits = random.integers(0, 2**width, each, dtype=np.uint64).astype(f"uint{width}").view(dtype)
    quadrants = (np.arange(each) - each // 3) * (np.pi / 2)
    groups = [
        special(dtype),
        bits,
        random.normal(size=each).astype(dtype),
        (random.normal(size=each) * 10).astype(dtype),
        random.uniform(-120, 120, each).astype(dtype),
        random.uniform(-760, 760, each).astype(dtype),
        (1 + random.normal(size=each) * 1e-2).astype(dtype),
        (random.normal(size=each) * 1e-3).astype(dtype),
        quadrants.astype(dtype),
        random.uniform(-1, 1, each).astype(dtype),
        random.uniform(1, 3, each).astype(dtype),
        near_quadrants().astype(dtype),
    ]
    return np.concatenate(groups)


def pairs(dtype: str, count: int, seed: int = 0) -> tuple[np.ndarray[Any, Any], ...]:
    """Bases and exponents: all pairs of specials, then about `count` random ones."""
    random = np.random.default_rng(seed)
    corner = special(dtype)
    each = count // 3
    mixed = points(dtype, each, seed)
    bases = [
        np.repeat(corner, corner.size),
        random.uniform(0, 20, each),
        1 + random.normal(size=each) * 1e-3,
        random.permutation(mixed),
        random.integers(-9, 9, each),
    ]
    exponents = [
        np.tile(corner, corner.size),
        random.uniform(-30, 30, each),
        random.uniform(-8e4, 8e4, each),
        random.permutation(mixed),
        random.integers(-9, 9, each),
    ]
    return tuple(np.concatenate([part.astype(dtype) for part in x]) for x in (bases, exponents))


def ulps(found: Any, exact: Any, dtype: str) -> float:
    """How far a float is from an mpmath number, in units in the last place of that number."""
    info = np.finfo(dtype)
    size = abs(exact)
    largest = mpmath.mpf(float(info.max))
    if size >= largest * (1 + mpmath.mpf(float(info.eps)) / 4):
        return 0.0 if np.isinf(found) and (found > 0) == (exact > 0) else float("inf")
    if not np.isfinite(found):
        return float("inf")
    exponent = info.minexp if size == 0 else int(mpmath.floor(mpmath.log(size, 2)))
    unit = mpmath.ldexp(1, max(exponent, info.minexp) - info.nmant)
    return float(abs(mpmath.mpf(float(found)) - exact) / unit)


def ulps_of_arrays(found: Any, exact: Any, dtype: str) -> Any:
    """The same for arrays; `exact` has a wider dtype. Specials must be equal, or count as inf."""
    rounded = exact.astype(dtype)
    unit = np.spacing(np.abs(np.where(np.isfinite(rounded), rounded, 1)))
    distance = np.abs(found.astype(exact.dtype) - exact) / unit.astype(exact.dtype)
    same = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
    return np.where(np.isfinite(rounded) & np.isfinite(found), distance, np.where(same, 0, np.inf))


def same_bits(one: Any, other: Any) -> Any:
    """Where two arrays have the same value and sign, or are both nan."""
    equal = (one == other) & (np.signbit(one) == np.signbit(other))
    return equal | (np.isnan(one) & np.isnan(other))
