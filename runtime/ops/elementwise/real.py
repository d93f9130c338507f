"""More functions of real numbers: inverse trigonometry, angles and lengths, signs, neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.record import Elementwise, Op, Sample
from autograph.runtime.core.spec import Spec, broadcast, promoted
from autograph.runtime.ops.building import REAL_SAMPLES, all_typed, complex_function
from autograph.runtime.ops.inference import floating, is_complex
from autograph.runtime.ops.quiet import quiet_binary

EDGES = Sample(([np.inf, -np.inf, np.nan, -0.0, 1.0, -1.0, 2.0],), gradient=False)
INNER_SAMPLES = (Sample(([0.5, -0.25, 0.9, 0.0],)), Sample((0.3,)), EDGES)
OUTER_SAMPLES = (Sample(([1.5, 2.25, 9.0],)), Sample((1.3,)), EDGES)
ALL_SAMPLES = (*REAL_SAMPLES, EDGES)
PAIR_SAMPLES = (
    Sample(([[0.5, -1.25, 2.0]], [[1.5], [-0.75]])),
    Sample(([0.7, -1.1], 1.3)),
    Sample((1.5, -0.5)),
    Sample((np.array([3, -4], np.int16), np.array([1, 2], np.int16)), gradient=False),
    Sample(([0.0, -0.0, np.inf, -np.inf, np.nan], [-0.0, 0.0, -np.inf, 1.0, 1.0]), gradient=False),
)


def _infer_pair(x: Spec, y: Spec) -> Spec:
    return Spec(floating(promoted([x, y])), broadcast([x.shape, y.shape]))


def float_pair(
    name: str, summary: str, function: Any, expression: str, gradient: tuple[Any, ...]
) -> Op:
    """A function of two real numbers; integers become floats first (see `floating`)."""
    silent = quiet_binary(function)

    def reference(x: Any, y: Any) -> Any:
        dtype = floating(np.result_type(x, y))
        return silent(np.asarray(x, dtype), np.asarray(y, dtype))

    return Op(
        name=name,
        summary=summary,
        infer=_infer_pair,
        reference=reference,
        gradient=all_typed(gradient),
        lowering=Elementwise(expression, compute="result"),
        samples=PAIR_SAMPLES,
    )


def _infer_signbit(x: Spec) -> Spec:
    return Spec(np.dtype(bool), x.shape)


def _share_of_exponential(o: Any, one: Any, other: Any) -> Any:
    """exp(one) / (exp(one) + exp(other)); halves where they are equal, infinities too."""
    apart = one - other
    return o.sigmoid(o.where(o.isnan(apart), o.where(o.equal(one, other), 0, apart), apart))


def _acosh_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    if is_complex(x):  # the root of the product may have the other sign
        return g / (o.sqrt(x - 1) * o.sqrt(x + 1))
    return g / o.sqrt((x - 1) * (x + 1))


RECORDS = (
    complex_function(
        "asin",
        "The angle in [-pi/2, pi/2] whose sine is x; NaN outside of [-1, 1].",
        np.arcsin,
        "asin({0})",
        lambda o, g, out, x: g / o.sqrt((1 - x) * (1 + x)),
        INNER_SAMPLES,
    ),
    complex_function(
        "acos",
        "The angle in [0, pi] whose cosine is x; NaN outside of [-1, 1].",
        np.arccos,
        "acos({0})",
        lambda o, g, out, x: -g / o.sqrt((1 - x) * (1 + x)),
        INNER_SAMPLES,
    ),
    complex_function(
        "atan",
        "The angle in [-pi/2, pi/2] whose tangent is x.",
        np.arctan,
        "atan({0})",
        lambda o, g, out, x: g / (1 + x * x),
        ALL_SAMPLES,
    ),
    complex_function(
        "asinh",
        "The number whose hyperbolic sine is x.",
        np.arcsinh,
        "asinh({0})",
        lambda o, g, out, x: g / (o.sqrt(x * x + 1) if is_complex(x) else o.hypot(x, 1.0)),
        ALL_SAMPLES,
    ),
    complex_function(
        "acosh",
        "The number, not negative, whose hyperbolic cosine is x; NaN below 1.",
        np.arccosh,
        "acosh({0})",
        _acosh_gradient,
        OUTER_SAMPLES,
    ),
    complex_function(
        "atanh",
        "The number whose hyperbolic tangent is x; NaN outside of [-1, 1].",
        np.arctanh,
        "atanh({0})",
        lambda o, g, out, x: g / ((1 - x) * (1 + x)),
        INNER_SAMPLES,
    ),
    complex_function(
        "reciprocal",
        "1 / x.",
        lambda x: np.divide(np.ones((), x.dtype), x),
        "1.0 / {0}",
        lambda o, g, out, x: -g * out * out,
        (*REAL_SAMPLES[:2], EDGES),
    ),
    float_pair(
        "atan2",
        "The angle in [-pi, pi] of the point with the coordinates y, the first one, and x.",
        np.arctan2,
        "angle({0}, {1})",
        (
            lambda o, g, out, y, x: g * x / (x * x + y * y),
            lambda o, g, out, y, x: -g * y / (x * x + y * y),
        ),
    ),
    float_pair(
        "hypot",
        "The length of (x, y): the root of x*x + y*y, without overflow.",
        np.hypot,
        "hypot({0}, {1})",
        (
            lambda o, g, out, x, y: g * o.where(o.equal(out, 0), 0, x / out),
            lambda o, g, out, x, y: g * o.where(o.equal(out, 0), 0, y / out),
        ),
    ),
    float_pair(
        "copysign",
        "x with the sign of y, that of a zero too.",
        np.copysign,
        "copysign({0}, {1})",
        (
            lambda o, g, out, x, y: g * o.copysign(o.sign(x), x) * o.copysign(o.ones_like(x), y),
            None,
        ),
    ),
    float_pair(
        "nextafter",
        "The float next to x on the way to y; the gradient is that of x.",
        np.nextafter,
        "nextafter({0}, {1})",
        (lambda o, g, out, x, y: g, None),
    ),
    float_pair(
        "logaddexp",
        "log(exp(x) + exp(y)), without overflow.",
        np.logaddexp,
        "select({0} == {1}, {0} + log(2.0), maximum({0}, {1}) + log1p(exp(-abs({0} - {1}))))",
        (
            lambda o, g, out, x, y: g * _share_of_exponential(o, x, y),
            lambda o, g, out, x, y: g * _share_of_exponential(o, y, x),
        ),
    ),
    Op(
        name="signbit",
        summary="Whether x is negative, or a zero or NaN with a minus sign.",
        infer=_infer_signbit,
        reference=lambda x: np.signbit(x) if x.dtype.kind == "f" else x < 0,
        gradient=(),
        lowering=Elementwise(
            lambda dtype, _: "copysign(1.0, {0}) < 0.0" if dtype.kind == "f" else "{0} < 0"
        ),
        samples=(EDGES, Sample((np.array([3, -4], np.int16),), gradient=False)),
    ),
)
