"""Functions of one real number, elementwise: exponentials, logarithms, trigonometry, rounding."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.door import apply
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Elementwise, Op, Sample
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.building import (
    POSITIVE_SAMPLES,
    REAL_SAMPLES,
    by_kind,
    complex_function,
    float_function,
    typed,
    unary,
)
from autograph.runtime.ops.inference import is_complex
from autograph.runtime.ops.quiet import quiet

EDGE_SAMPLES = (
    *REAL_SAMPLES,
    Sample(([math.inf, -math.inf, math.nan, -0.0, 1e-40],), gradient=False),
)
DOMAIN_SAMPLES = (
    *POSITIVE_SAMPLES,
    Sample(([0.0, -1.0, math.inf, math.nan],), gradient=False),
)
ROUNDING_SAMPLES = (
    Sample(([0.5, 1.5, -2.5, 2.4, -0.3],), gradient=False),
    Sample((1.75,), gradient=False),
    Sample((np.array([3, -4], np.int16),), gradient=False),
)


def _sigmoid(x: Any) -> Any:
    # exp of -|x| cannot overflow: both halves are exact to the last bits.
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small)).astype(x.dtype)


def _round_expression(dtype: DType, attributes: Any) -> str:
    decimals = attributes.get("decimals", 0)
    if dtype.kind == "b" or (dtype.kind != "f" and decimals >= 0):
        return "{0}"
    if decimals == 0:
        return "round({0})"
    scale = float(10 ** abs(decimals))
    if decimals > 0:
        return f"round({{0}} * {scale}) / {scale}"
    return f"round({{0}} / {scale}) * {scale}"


@quiet
def _round_reference(x: Any, *, decimals: int = 0) -> Any:
    if x.dtype.kind == "b":  # NumPy makes float16 of it
        return x.copy()
    return np.round(x, decimals)


def _round_infer(x: Spec, *, decimals: int = 0) -> Spec:
    return Spec(x.dtype, x.shape)


def _public_round(o: Any, x: Any, /, decimals: int = 0) -> Any:
    """x rounded to `decimals` places, halves to even: both parts of a complex number."""
    (x,) = o.elementwise_operands(ROUND, (x,))
    attributes = {"decimals": o.attribute(decimals)}
    if not is_complex(x):
        return apply(ROUND, (x,), attributes)
    return o.complex(*(apply(ROUND, (part,), attributes) for part in (o.real(x), o.imag(x))))


ROUND: Op = Op(
    name="round",
    summary="x rounded to `decimals` places, halves to even; the gradient is zero.",
    infer=_round_infer,
    reference=_round_reference,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Elementwise(_round_expression, compute="result"),
    samples=(
        *ROUNDING_SAMPLES,
        Sample(([1.256, -0.345],), {"decimals": 2}, gradient=False),
    ),
    public=_public_round,
)


def _astype_infer(x: Spec, *, dtype: DType) -> Spec:
    return Spec(dtype, x.shape)


@quiet
def _astype_reference(x: Any, *, dtype: DType) -> Any:
    return np.asarray(x).astype(dtype)


def _public_astype(o: Any, x: Any, dtype: Any, *, copy: bool = True) -> Any:
    """x in another dtype: floats are cut towards zero, integers wrap.

    Without `copy`, x itself where it has that dtype.
    """
    dtype = dtypes.as_dtype(dtype)
    (x,) = o.elementwise_operands(ASTYPE, (x,))
    if not copy and isinstance(x, Tensor) and x.dtype == dtype:
        return x
    return apply(ASTYPE, (x,), {"dtype": dtype})


ASTYPE: Op = Op(
    name="astype",
    summary="x in another dtype: floats are cut towards zero, integers wrap.",
    infer=_astype_infer,
    reference=_astype_reference,
    gradient=(typed(lambda o, g, out, x, *, dtype: g, 0),),
    lowering=Elementwise("{0}", compute="result"),
    samples=(
        Sample(([0.5, 2.5],), {"dtype": np.dtype(np.float64)}),
        Sample(([0.5, 2.5, -1.5],), {"dtype": np.dtype(np.int32)}, gradient=False),
        Sample(([300, -1],), {"dtype": np.dtype(np.uint8)}, gradient=False),
        Sample(([0.0, 0.5],), {"dtype": np.dtype(bool)}, gradient=False),
    ),
    public=_public_astype,
)

STOP_GRADIENT = Op(
    name="stop_gradient",
    summary="x, through which no gradient flows.",
    infer=lambda x: x.with_shape(x.shape),
    reference=lambda x: x,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Elementwise("{0}"),
    samples=(Sample(([1.0, 2.0],), gradient=False), Sample((1,), gradient=False)),
)

_WHOLE = {"b": "{0}", "i": "{0}"}

RECORDS = (
    complex_function(
        "sqrt",
        "The square root of x; NaN below zero.",
        np.sqrt,
        "sqrt({0})",
        lambda o, g, out, x: g / (2 * out),
        DOMAIN_SAMPLES,
    ),
    complex_function(
        "exp",
        "e to the power x.",
        np.exp,
        "exp({0})",
        lambda o, g, out, x: g * out,
        EDGE_SAMPLES,
    ),
    complex_function(
        "expm1",
        "exp(x) - 1, exact near zero.",
        np.expm1,
        "expm1({0})",
        lambda o, g, out, x: g * o.exp(x),
        EDGE_SAMPLES,
    ),
    complex_function(
        "log",
        "The natural logarithm of x; NaN below zero.",
        np.log,
        "log({0})",
        lambda o, g, out, x: g / x,
        DOMAIN_SAMPLES,
    ),
    complex_function(
        "log1p",
        "log(1 + x), exact near zero.",
        np.log1p,
        "log1p({0})",
        lambda o, g, out, x: g / (x + 1),
        DOMAIN_SAMPLES,
    ),
    complex_function(
        "log2",
        "The logarithm of x to the base 2.",
        np.log2,
        "log2({0})",
        lambda o, g, out, x: g / (x * math.log(2)),
        DOMAIN_SAMPLES,
    ),
    complex_function(
        "log10",
        "The logarithm of x to the base 10.",
        np.log10,
        "log10({0})",
        lambda o, g, out, x: g / (x * math.log(10)),
        DOMAIN_SAMPLES,
    ),
    complex_function(
        "sin", "The sine of x.", np.sin, "sin({0})", lambda o, g, out, x: g * o.cos(x)
    ),
    complex_function(
        "cos", "The cosine of x.", np.cos, "cos({0})", lambda o, g, out, x: -g * o.sin(x)
    ),
    complex_function(
        "tan", "The tangent of x.", np.tan, "tan({0})", lambda o, g, out, x: g * (1 + out * out)
    ),
    complex_function(
        "tanh",
        "The hyperbolic tangent of x.",
        np.tanh,
        "tanh({0})",
        lambda o, g, out, x: g * (1 - out * out),
        EDGE_SAMPLES,
    ),
    complex_function(
        "sinh",
        "The hyperbolic sine of x.",
        np.sinh,
        "sinh({0})",
        lambda o, g, out, x: g * o.cosh(x),
        EDGE_SAMPLES,
    ),
    complex_function(
        "cosh",
        "The hyperbolic cosine of x.",
        np.cosh,
        "cosh({0})",
        lambda o, g, out, x: g * o.sinh(x),
        EDGE_SAMPLES,
    ),
    float_function(
        "sigmoid",
        "1 / (1 + exp(-x)), without overflow.",
        _sigmoid,
        "sigmoid({0})",
        lambda o, g, out, x: g * (out * (1 - out)),
        EDGE_SAMPLES,
    ),
    unary(
        "floor",
        "The largest integer not above x; the gradient is zero.",
        np.floor,
        Elementwise(by_kind(f="floor({0})", **_WHOLE)),
        samples=ROUNDING_SAMPLES,
    ),
    unary(
        "ceil",
        "The smallest integer not below x; the gradient is zero.",
        np.ceil,
        Elementwise(by_kind(f="ceil({0})", **_WHOLE)),
        samples=ROUNDING_SAMPLES,
    ),
    unary(
        "trunc",
        "x without its fraction; the gradient is zero.",
        np.trunc,
        Elementwise(by_kind(f="trunc({0})", **_WHOLE)),
        samples=ROUNDING_SAMPLES,
    ),
    ROUND,
    ASTYPE,
    STOP_GRADIENT,
)
