"""What neurons do to a number, and the error function that some of it is made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.kernels.scalar.arrays import array_function
from autograph.runtime.core.door import apply
from autograph.runtime.core.record import Op, Sample
from autograph.runtime.ops.building import REAL_SAMPLES, float_function

EDGES = Sample(([math.inf, -math.inf, math.nan, -0.0, 1e-40, 100.0, -100.0],), gradient=False)
RANGES = Sample(([0.1, -0.8, 1.0, -1.1, 2.5, -2.0, 3.5, -4.0, 0.0],))
ERROR_SAMPLES = (*REAL_SAMPLES, RANGES, EDGES)
SLOPE = 2 / math.sqrt(math.pi)
ROOT_HALF = math.sqrt(0.5)
DENSITY = 1 / math.sqrt(2 * math.pi)


def _of_scalars(name: str) -> Any:
    """The scalar function of the programs, on arrays: NumPy has none."""

    def reference(x: Any) -> Any:
        return np.asarray(array_function(f"{name}_{x.dtype.name}")(x), x.dtype)

    return reference


def _softplus(x: Any) -> Any:
    return np.logaddexp(x, np.zeros((), x.dtype))


def _log_sigmoid(x: Any) -> Any:
    return -np.logaddexp(-x, np.zeros((), x.dtype))


def _sigmoid(x: Any) -> Any:
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small)).astype(x.dtype)


def _silu_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    share = o.sigmoid(x)
    return g * (share + out * (1 - share))


def _gelu_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    share = 0.5 * o.erfc(x * -ROOT_HALF)
    return g * (share + x * (DENSITY * o.exp(-0.5 * (x * x))))


def _public_gelu(o: Any, x: Any, /, approximate: bool = False) -> Any:
    """x times the share of the normal distribution below x (Hendrycks and Gimpel, 2016).

    `approximate` takes a tanh for that share, as the first models did.
    """
    x = o.asarray_or_same(x)
    if not approximate:
        return apply(GELU, (x,))
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))
    return 0.5 * x * (1 + o.tanh(inner))


GELU: Op = float_function(
    "gelu",
    "x times the share of the normal distribution below x.",
    _of_scalars("gelu"),
    "gelu({0})",
    _gelu_gradient,
    ERROR_SAMPLES,
    _public_gelu,
)

RECORDS = (
    float_function(
        "erf",
        "The error function: the integral of 2/sqrt(pi) exp(-t*t) from 0 to x.",
        _of_scalars("erf"),
        "erf({0})",
        lambda o, g, out, x: g * (SLOPE * o.exp(-(x * x))),
        ERROR_SAMPLES,
    ),
    float_function(
        "erfc",
        "1 - erf(x), exact where that is tiny.",
        _of_scalars("erfc"),
        "erfc({0})",
        lambda o, g, out, x: g * (-SLOPE * o.exp(-(x * x))),
        ERROR_SAMPLES,
    ),
    float_function(
        "softplus",
        "log(1 + exp(x)), without overflow.",
        _softplus,
        "softplus({0})",
        lambda o, g, out, x: g * o.sigmoid(x),
        ERROR_SAMPLES,
    ),
    float_function(
        "log_sigmoid",
        "log(sigmoid(x)), exact where that is tiny.",
        _log_sigmoid,
        "-softplus(-{0})",
        lambda o, g, out, x: g * o.sigmoid(-x),
        ERROR_SAMPLES,
    ),
    float_function(
        "silu",
        "x * sigmoid(x), also known as swish.",
        lambda x: x * _sigmoid(x),
        "{0} * sigmoid({0})",
        _silu_gradient,
        ERROR_SAMPLES,
    ),
    GELU,
)


def relu6(o: Any, x: Any, /) -> Any:
    """x brought into [0, 6]; the gradient at both ends is 0."""
    x = o.asarray_or_same(x)
    return o.where(o.less(x, 6), o.relu(x), o.minimum(o.stop_gradient(x), 6))


def leaky_relu(o: Any, x: Any, /, negative_slope: Any = 0.01) -> Any:
    """x where it is positive, else `negative_slope` times x."""
    x = o.asarray_or_same(x)
    return o.where(o.greater(x, 0), x, negative_slope * x)


def elu(o: Any, x: Any, /, alpha: Any = 1.0) -> Any:
    """x where it is positive, else alpha * (exp(x) - 1) (Clevert et al., 2016)."""
    x = o.asarray_or_same(x)
    positive = o.greater(x, 0)
    return o.where(positive, x, alpha * o.expm1(o.where(positive, 0, x)))


def selu(o: Any, x: Any, /) -> Any:
    """`elu`, scaled so that mean 0 and variance 1 stay (Klambauer et al., 2017)."""
    return 1.0507009873554805 * elu(o, x, 1.6732632423543772)


FUNCTIONS = (relu6, leaky_relu, elu, selu)
