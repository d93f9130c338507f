"""Makers of records: a family states what differs, these fill in what its members share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Effect,
    Elementwise,
    Gradient,
    Lowering,
    Op,
    Sample,
)
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.inference import by_dtype, by_ufunc, floating, inexact
from autograph.runtime.ops.quiet import quiet_binary, quiet_unary

REAL_SAMPLES = (
    Sample(([0.5, -1.25, 2.0, 0.3],)),
    Sample((1.5,)),
    Sample((np.zeros((0, 3)),)),
)
POSITIVE_SAMPLES = (
    Sample(([0.5, 1.25, 2.0, 0.3],)),
    Sample((1.5,)),
    Sample((np.zeros((2, 0)),)),
)
BINARY_SAMPLES = (
    Sample(([[0.5, -1.25, 2.0]], [[1.5], [-0.75]])),
    Sample(([0.7, -1.1], 1.3)),
    Sample((1.5, -0.5)),
    Sample((np.zeros((0, 3)), [1.0, 2.0, 3.0])),
)
INTEGER_SAMPLES = (
    Sample(([[7, -7, 5]], [[2], [3]]), gradient=False),
    Sample((np.array([9, 200], np.uint8), np.array(3, np.uint8)), gradient=False),
)
BOOLEAN_SAMPLES = (Sample(([True, False, True], [[True], [False]]), gradient=False),)


def in_dtype(o: Any, gradient: Any, dtype: DType) -> Any:
    """A gradient in the dtype of the value it belongs to: of a real one, the real part."""
    if gradient.dtype == dtype:
        return gradient
    if gradient.dtype.kind == "c" and dtype.kind == "f":
        gradient = o.real(gradient)
    return o.astype(gradient, dtype)


def typed(rule: Gradient | None, position: int) -> Gradient | None:
    """`rule`, its result in the dtype of the input it belongs to."""
    if rule is None:
        return None

    def typed_rule(o: Any, g: Any, out: Any, *inputs: Any, **attributes: Any) -> Any:
        gradient = rule(o, g, out, *inputs, **attributes)
        own = inputs[position]
        return in_dtype(o, gradient, own.dtype) if isinstance(own, Tensor) else gradient

    typed_rule.untyped = rule  # type: ignore[attr-defined]
    return typed_rule


def untyped(rule: Gradient) -> Gradient:
    """The rule inside a `typed` one, for those who see to the dtype themselves."""
    found: Gradient = getattr(rule, "untyped", rule)
    return found


def all_typed(rules: tuple[Gradient | None, ...]) -> tuple[Gradient | None, ...]:
    """Each rule with its result in the dtype of its input."""
    return tuple(typed(rule, position) for position, rule in enumerate(rules))


def float_function(
    name: str,
    summary: str,
    function: Callable[[Any], Any],
    expression: str,
    gradient: Gradient | None,
    samples: tuple[Sample, ...] = REAL_SAMPLES,
    public: Callable[..., Any] | None = None,
    rule: Callable[[DType], DType] = floating,
) -> Op:
    """A function of one real number; integers become floats first.

    `rule` gives the dtype of the result: `floating`, or `inexact` where it takes complex ones.
    """
    silent = quiet_unary(function)

    def reference(x: Any) -> Any:
        return silent(x if x.dtype.kind == "f" else x.astype(rule(x.dtype)))

    return Op(
        name=name,
        summary=summary,
        infer=by_dtype(rule),
        reference=reference,
        gradient=all_typed((gradient,)) if gradient else NOT_DIFFERENTIABLE,
        lowering=Elementwise(expression, compute="result"),
        samples=(*samples, Sample((np.array([1, 2, 3], np.int8),), gradient=False)),
        public=public,
    )


def complex_function(
    name: str,
    summary: str,
    function: Callable[[Any], Any],
    expression: str,
    gradient: Gradient | None,
    samples: tuple[Sample, ...] = REAL_SAMPLES,
) -> Op:
    """A function of one real or complex number, analytic: its gradient needs no conjugates.

    Of complex numbers `Elementwise` says nothing: programs compute with their parts.
    """
    return float_function(name, summary, function, expression, gradient, samples, None, inexact)


def unary(
    name: str,
    summary: str,
    ufunc: np.ufunc,
    lowering: Lowering,
    gradient: Gradient | None = None,
    samples: tuple[Sample, ...] = REAL_SAMPLES,
    operator: tuple[str, ...] = (),
    effect: Effect = Effect.PURE,
    public: Callable[..., Any] | None = None,
) -> Op:
    """A NumPy ufunc of one operand, with NumPy's dtypes."""
    return Op(
        name=name,
        summary=summary,
        infer=by_ufunc(ufunc),
        reference=quiet_unary(ufunc),
        gradient=all_typed((gradient,)) if gradient else NOT_DIFFERENTIABLE,
        lowering=lowering,
        samples=samples,
        operator=operator,
        effect=effect,
        public=public,
    )


def binary(
    name: str,
    summary: str,
    ufunc: np.ufunc,
    lowering: Lowering,
    gradient: tuple[Gradient | None, ...] = NOT_DIFFERENTIABLE,
    samples: tuple[Sample, ...] = BINARY_SAMPLES,
    operator: tuple[str, ...] = (),
    public: Callable[..., Any] | None = None,
) -> Op:
    """A NumPy ufunc of two operands that broadcast, with NumPy's dtypes."""
    return Op(
        name=name,
        summary=summary,
        infer=by_ufunc(ufunc),
        reference=quiet_binary(ufunc),
        gradient=all_typed(gradient),
        lowering=lowering,
        samples=samples,
        operator=operator,
        public=public,
    )


def by_kind(**expressions: str) -> Callable[[DType, Any], str]:
    """An expression by the kind of the compute dtype: `b`, `i` (signed or not) or `f`."""

    def choose(dtype: DType, attributes: Any) -> str:
        kind = "i" if dtype.kind == "u" else dtype.kind
        return expressions[kind]

    return choose
