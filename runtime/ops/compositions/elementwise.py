"""Functions of single numbers that are made of others, and spaces between two numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.building import REAL_SAMPLES, float_function
from autograph.runtime.ops.elementwise.real import EDGES
from autograph.runtime.ops.inference import floating

RECORDS = (
    float_function(
        "cbrt",
        "The real cube root of x.",
        np.cbrt,
        "copysign(power(abs({0}), 1.0 / 3.0), {0})",
        lambda o, g, out, x: g / (3 * out * out),
        (*REAL_SAMPLES, EDGES),
    ),
    float_function(
        "exp2",
        "2 to the power x.",
        np.exp2,
        "power(2.0, {0})",
        lambda o, g, out, x: g * out * math.log(2),
        (*REAL_SAMPLES, EDGES),
    ),
)


def _float(o: Any, x: Any) -> Any:
    x = o.asarray_or_same(x)
    wanted = floating(x.dtype)
    return x if x.dtype == wanted else o.astype(x, wanted)


def _together(o: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Two operands as tensors. A Python number has the dtype that it has beside the other one."""
    if isinstance(x, Tensor) and isinstance(y, Tensor):
        return x, y
    dtype = o.maximum(*o.paired(x, y)).dtype
    return tuple(o.asarray(one, dtype=dtype) for one in (x, y))


def fix(o: Any, x: Any, /) -> Any:
    """x without its fraction, as a float."""
    return o.trunc(_float(o, x))


def sinc(o: Any, x: Any, /) -> Any:
    """sin(pi x) / (pi x); 1 at 0."""
    y = _float(o, x) * math.pi
    zero = o.equal(y, 0)
    safe = o.where(zero, 1, y)
    # at 0 its series, for gradients of the first and second order
    return o.where(zero, 1 - y * y / 6, o.sin(safe) / safe)


def heaviside(o: Any, x: Any, h: Any, /) -> Any:
    """0 below 0, 1 above, and h at 0."""
    x, h = (_float(o, one) for one in _together(o, x, h))
    return o.where(o.equal(x, 0), h, o.where(o.isnan(x), x, o.where(o.less(x, 0), 0, 1)))


def deg2rad(o: Any, x: Any, /) -> Any:
    """An angle in degrees as one in radians."""
    return _float(o, x) * (math.pi / 180)


def rad2deg(o: Any, x: Any, /) -> Any:
    """An angle in radians as one in degrees."""
    return _float(o, x) * (180 / math.pi)


def logaddexp2(o: Any, x: Any, y: Any, /) -> Any:
    """log2(2**x + 2**y), without overflow."""
    x, y = o.paired(x, y)
    return o.logaddexp(x * math.log(2), y * math.log(2)) / math.log(2)


def fmax(o: Any, x: Any, y: Any, /) -> Any:
    """The larger of x and y; where one is NaN, the other."""
    return _beside_nan(o, o.maximum, x, y)


def fmin(o: Any, x: Any, y: Any, /) -> Any:
    """The smaller of x and y; where one is NaN, the other."""
    return _beside_nan(o, o.minimum, x, y)


def _beside_nan(o: Any, extreme: Any, x: Any, y: Any) -> Any:
    x, y = _together(o, x, y)
    return extreme(o.where(o.isnan(x), y, x), o.where(o.isnan(y), x, y))


def divmod(o: Any, x: Any, y: Any, /) -> tuple[Any, Any]:
    """The rounded quotient, and what remains: (x // y, x % y)."""
    return o.floor_divide(x, y), o.remainder(x, y)


def nan_to_num(
    o: Any, x: Any, /, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """x with `nan` for NaN, and for infinities numbers, the largest there are unless given."""
    x = o.asarray_or_same(x)
    if x.dtype.kind != "f":
        return o.copy(x)
    limits = np.finfo(x.dtype)
    top = float(limits.max) if posinf is None else posinf
    bottom = float(limits.min) if neginf is None else neginf
    finite = o.where(o.isnan(x), nan, x)
    finite = o.where(o.equal(x, math.inf), top, finite)
    return o.where(o.equal(x, -math.inf), bottom, finite)


# spaces -------------------------------------------------------------------------------------------
def logspace(
    o: Any,
    start: Any,
    stop: Any,
    /,
    num: Any = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: Any = None,
) -> Any:
    """`num` powers of `base`, their exponents at equal distances from start to stop."""
    exponents = o.linspace(start, stop, num, endpoint=endpoint)
    return _cast(o, o.power(base, exponents), dtype)


def geomspace(
    o: Any, start: Any, stop: Any, /, num: Any = 50, endpoint: bool = True, dtype: Any = None
) -> Any:
    """`num` numbers from start to stop, each the same multiple of the one before."""
    start, stop = (_float(o, one) for one in _together(o, start, stop))
    sign = o.where(o.logical_and(o.less(start, 0), o.less(stop, 0)), -1.0, 1.0)
    low, high = o.log10(sign * start), o.log10(sign * stop)
    found = o.power(10.0, o.linspace(low, high, num, endpoint=endpoint))
    return _cast(o, o.astype(sign, found.dtype) * found, dtype)


def _cast(o: Any, x: Any, dtype: Any) -> Any:
    return x if dtype is None else o.astype(x, dtypes.as_dtype(dtype))


FUNCTIONS = (
    *(fix, sinc, heaviside, deg2rad, rad2deg, logaddexp2, fmax, fmin, divmod, nan_to_num),
    *(logspace, geomspace),
)
