"""Special functions: of the gamma and beta families, of errors, of Bessel; entropies.

The references are SciPy's, and CPython runs them; what is made of functions that programs have is
native.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.record import Gradient, Hosted, Op, Sample
from autograph.runtime.core.spec import Spec, broadcast, promoted
from autograph.runtime.ops.building import all_typed
from autograph.runtime.ops.inference import floating
from autograph.runtime.ops.quiet import quiet

POSITIVE = ([0.5, 1.25, 2.0, 7.3],)
INNER = ([0.5, -0.25, 0.9, 0.01],)
SHARES = ([0.1, 0.5, 0.75],)
POINTS = ([0.5, -1.25, 2.0, 0.3],)


def _of_scipy(name: str) -> Callable[..., Any]:
    """SciPy's function, which is imported where it is first called: that takes a while."""

    def function(*arrays: Any) -> Any:
        return getattr(importlib.import_module("scipy.special"), name)(*arrays)

    return function


def _broadcast_infer(*specs: Spec) -> Spec:
    return Spec(floating(promoted(specs)), broadcast([one.shape for one in specs]))


def _summed(rule: Gradient | None, position: int) -> Gradient | None:
    """A rule whose result is summed back to the shape of its operand."""
    if rule is None:
        return None

    def summed(o: Any, g: Any, out: Any, *inputs: Any, **attributes: Any) -> Any:
        found = rule(o, g, out, *inputs, **attributes)
        own = inputs[position]
        return o.sum_like(found, own) if hasattr(own, "shape") else o.sum(found)

    return summed


def _hosted(
    name: str,
    summary: str,
    gradients: tuple[Gradient | None, ...],
    samples: tuple[Any, ...],
    scipy_name: str = "",
) -> Op:
    function = _of_scipy(scipy_name or name)

    @quiet
    def of_one(x: Any) -> Any:
        return np.asarray(function(np.asarray(x, floating(x.dtype))))

    @quiet
    def of_two(x: Any, y: Any) -> Any:
        dtype = floating(np.result_type(x, y))
        return np.asarray(function(np.asarray(x, dtype), np.asarray(y, dtype)), dtype)

    @quiet
    def of_three(x: Any, y: Any, z: Any) -> Any:
        dtype = floating(np.result_type(x, y, z))
        return np.asarray(function(*(np.asarray(one, dtype) for one in (x, y, z))), dtype)

    rules = tuple(_summed(rule, place) for place, rule in enumerate(gradients))
    single = tuple(np.asarray(one, np.float32) for one in samples)
    partly = any(getattr(rule, "is_unknown", False) for rule in gradients)
    return Op(
        name=name,
        summary=summary,
        infer=_broadcast_infer,
        reference=(of_one, of_two, of_three)[len(gradients) - 1],
        gradient=all_typed(rules),
        lowering=Hosted(),
        samples=(Sample(samples, gradient=not partly), Sample(single, gradient=False)),
    )


def _unknown(name: str, parameter: str) -> Gradient:
    """A rule for what has no gradient here, where it is asked for: it is not zero."""

    def rule(o: Any, g: Any, out: Any, *inputs: Any) -> Any:
        raise StagingError(
            f"the gradient of {name} by {parameter} is not known",
            remedy=f"write ag.stop_gradient({parameter}) if it is a constant",
        )

    rule.is_unknown = True  # type: ignore[attr-defined]
    return rule


# polygamma ----------------------------------------------------------------------------------------
@quiet
def _polygamma(x: Any, *, n: int) -> Any:
    x = np.asarray(x, floating(x.dtype))
    return np.asarray(_of_scipy("polygamma")(n, x), x.dtype)


POLYGAMMA = Op(
    name="polygamma",
    summary="The n-th derivative of digamma.",
    infer=lambda x, *, n: Spec(floating(x.dtype), x.shape),
    reference=_polygamma,
    gradient=all_typed((lambda o, g, out, x, *, n: g * o.polygamma(n + 1, x),)),
    lowering=Hosted(),
    samples=(Sample(POSITIVE, {"n": 1}), Sample(POSITIVE, {"n": 3})),
    public=lambda o, n, x, /: o.apply("polygamma", o.operands((x,)), {"n": n}),
)


# rules --------------------------------------------------------------------------------------------
def _i1_slope(o: Any, g: Any, out: Any, x: Any) -> Any:
    zero = o.equal(x, 0)
    return g * o.where(zero, 0.5, o.i0(x) - out / o.where(zero, 1, x))


def _i1e_slope(o: Any, g: Any, out: Any, x: Any) -> Any:
    zero = o.equal(x, 0)
    inverse = 1 / o.where(zero, 1, x)
    return g * o.where(zero, 0.5, o.i0e(x) - out * (o.sign(x) + inverse))


def _gammainc_slope(o: Any, a: Any, x: Any) -> Any:
    return o.exp((a - 1) * o.log(x) - x - o.gammaln(a))


def _betainc_slope(o: Any, g: Any, out: Any, a: Any, b: Any, x: Any) -> Any:
    return g * o.exp((a - 1) * o.log(x) + (b - 1) * o.log1p(-x) - betaln(o, a, b))


HALF_ROOT_PI = math.sqrt(math.pi) / 2

RECORDS = (
    _hosted(
        "gammaln",
        "The logarithm of the absolute value of the gamma function.",
        (lambda o, g, out, x: g * o.digamma(x),),
        POSITIVE,
    ),
    _hosted(
        "gamma",
        "The gamma function: (x - 1)! of whole numbers.",
        (lambda o, g, out, x: g * out * o.digamma(x),),
        POSITIVE,
    ),
    _hosted(
        "digamma",
        "The derivative of the logarithm of the gamma function.",
        (lambda o, g, out, x: g * o.polygamma(1, x),),
        POSITIVE,
    ),
    POLYGAMMA,
    _hosted(
        "erfinv",
        "The number whose erf is x; infinite at -1 and 1, NaN beyond.",
        (lambda o, g, out, x: g * HALF_ROOT_PI * o.exp(out * out),),
        INNER,
    ),
    _hosted(
        "erfcinv",
        "The number whose erfc is x.",
        (lambda o, g, out, x: -g * HALF_ROOT_PI * o.exp(out * out),),
        SHARES,
    ),
    _hosted(
        "ndtri",
        "The number below which the share x of a normal distribution is.",
        (lambda o, g, out, x: g * math.sqrt(2 * math.pi) * o.exp(out * out / 2),),
        SHARES,
    ),
    _hosted(
        "gammainc",
        "The share of the integral of the gamma function that is below x.",
        (
            _unknown("gammainc", "a"),
            lambda o, g, out, a, x: g * _gammainc_slope(o, a, x),
        ),
        ([0.5, 2.0, 3.5], [0.4, 1.5, 6.0]),
    ),
    _hosted(
        "gammaincc",
        "The share of the integral of the gamma function that is above x.",
        (
            _unknown("gammaincc", "a"),
            lambda o, g, out, a, x: -g * _gammainc_slope(o, a, x),
        ),
        ([0.5, 2.0, 3.5], [0.4, 1.5, 6.0]),
    ),
    _hosted(
        "betainc",
        "The share of the integral of the beta function that is below x.",
        (_unknown("betainc", "a"), _unknown("betainc", "b"), _betainc_slope),
        ([0.5, 2.0, 3.5], [1.5, 0.7, 2.0], [0.4, 0.5, 0.9]),
    ),
    _hosted(
        "i0",
        "The modified Bessel function of order 0.",
        (lambda o, g, out, x: g * o.i1(x),),
        POINTS,
    ),
    _hosted("i1", "The modified Bessel function of order 1.", (_i1_slope,), POINTS),
    _hosted(
        "i0e",
        "The modified Bessel function of order 0, times exp(-|x|).",
        (lambda o, g, out, x: g * (o.i1e(x) - o.sign(x) * out),),
        POINTS,
    ),
    _hosted(
        "i1e", "The modified Bessel function of order 1, times exp(-|x|).", (_i1e_slope,), POINTS
    ),
    _hosted(
        "iv",
        "The modified Bessel function of order v.",
        (
            _unknown("iv", "v"),
            lambda o, g, out, v, x: g * (o.iv(v - 1, x) + o.iv(v + 1, x)) / 2,
        ),
        ([0.5, 2.0, 3.5], [0.4, 1.5, 6.0]),
    ),
    _hosted(
        "jv",
        "The Bessel function of the first kind of order v.",
        (
            _unknown("jv", "v"),
            lambda o, g, out, v, x: g * (o.jv(v - 1, x) - o.jv(v + 1, x)) / 2,
        ),
        ([0.5, 2.0, 3.5], [0.4, 1.5, 6.0]),
    ),
)


# made of others -----------------------------------------------------------------------------------
def expit(o: Any, x: Any, /) -> Any:
    """1 / (1 + exp(-x)): `ag.sigmoid`."""
    return o.sigmoid(x)


def logit(o: Any, x: Any, /) -> Any:
    """The inverse of `expit`: log(x / (1 - x))."""
    x = o.asarray_or_same(x)
    return o.log(x) - o.log1p(-x)


def log_expit(o: Any, x: Any, /) -> Any:
    """The logarithm of `expit`, without overflow."""
    return o.log_sigmoid(x)


def xlogy(o: Any, x: Any, y: Any, /) -> Any:
    """x * log(y); 0 where x is 0, unless y is NaN."""
    x, y = o.operands((x, y))
    none = o.logical_and(o.equal(x, 0), o.logical_not(o.isnan(y)))
    return o.where(none, 0, x) * o.log(o.where(none, 1, y))


def xlog1py(o: Any, x: Any, y: Any, /) -> Any:
    """x * log1p(y); 0 where x is 0, unless y is NaN."""
    x, y = o.operands((x, y))
    none = o.logical_and(o.equal(x, 0), o.logical_not(o.isnan(y)))
    return o.where(none, 0, x) * o.log1p(o.where(none, 0, y))


def entr(o: Any, x: Any, /) -> Any:
    """-x * log(x); 0 at 0, -inf below."""
    x = o.asarray_or_same(x)
    positive = o.greater(x, 0)
    safe = o.where(positive, x, 1)
    rest = o.where(o.isnan(x), math.nan, o.where(o.equal(x, 0), 0.0, -math.inf))
    return o.where(positive, -safe * o.log(safe), rest)


def rel_entr(o: Any, x: Any, y: Any, /) -> Any:
    """x * log(x / y); 0 where x is 0 and y not below, infinite where one is below 0."""
    x, y = o.operands((x, y))
    inside = o.logical_and(o.greater(x, 0), o.greater(y, 0))
    a, b = o.where(inside, x, 1), o.where(inside, y, 1)
    none = o.logical_and(o.equal(x, 0), o.greater_equal(y, 0))
    unknown = o.logical_or(o.isnan(x), o.isnan(y))
    rest = o.where(unknown, math.nan, o.where(none, 0.0, math.inf))
    return o.where(inside, a * o.log(a / b), rest)


def kl_div(o: Any, x: Any, y: Any, /) -> Any:
    """x * log(x / y) - x + y; see `rel_entr`."""
    return rel_entr(o, x, y) - x + y


def ndtr(o: Any, x: Any, /) -> Any:
    """The share of a normal distribution that is below x."""
    return o.erfc(-o.asarray_or_same(x) * math.sqrt(0.5)) / 2


def betaln(o: Any, a: Any, b: Any, /) -> Any:
    """The logarithm of the absolute value of the beta function."""
    a, b = o.operands((a, b))
    return o.gammaln(a) + o.gammaln(b) - o.gammaln(a + b)


def beta(o: Any, a: Any, b: Any, /) -> Any:
    """The beta function of positive numbers: gamma(a) gamma(b) / gamma(a + b)."""
    return o.exp(betaln(o, a, b))


def factorial(o: Any, x: Any, /) -> Any:
    """The product of the whole numbers up to x, as a float: gamma(x + 1); 0 below 0."""
    x = o.asarray_or_same(x)
    below = o.less(x, 0)
    return o.where(below, 0, o.gamma(o.where(below, 0, x) + 1))


def comb(o: Any, N: Any, chosen: Any, /) -> Any:
    """How many choices of so many out of N there are, as a float; 0 for more than N, or below 0."""
    total, chosen = o.operands((N, chosen))
    inside = o.logical_and(o.less_equal(0, chosen), o.less_equal(chosen, total))
    total, chosen = o.where(inside, total, 1), o.where(inside, chosen, 0)
    rest = o.gammaln(chosen + 1) + o.gammaln(total - chosen + 1)
    return o.where(inside, o.round(o.exp(o.gammaln(total + 1) - rest)), 0)


FUNCTIONS = (
    *(expit, logit, log_expit, xlogy, xlog1py, entr, rel_entr, kl_div, ndtr),
    *(betaln, beta, factorial, comb),
)
