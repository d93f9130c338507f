"""Arithmetic, elementwise, with NumPy's rules: `/` is true division, `%` has the divisor's sign."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.door import apply
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Effect,
    Elementwise,
    Library,
    Op,
    Sample,
)
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.building import (
    BINARY_SAMPLES,
    BOOLEAN_SAMPLES,
    INTEGER_SAMPLES,
    REAL_SAMPLES,
    binary,
    by_kind,
    unary,
)
from autograph.runtime.ops.inference import is_complex

NONZERO_SAMPLES = (
    Sample(([[0.5, -1.25, 2.0]], [[1.5], [-0.75]])),
    Sample(([0.7, -1.1], 1.3)),
    Sample((np.zeros((0, 3)), [1.0, 2.0, 3.0])),
    Sample(([1.0, -1.0, 0.0], [0.0, 0.0, 0.0]), gradient=False),
)
ZERO_DIVISION_SAMPLES = (*INTEGER_SAMPLES, Sample(([5, -5, 0], [0, 0, 0]), gradient=False))


def _power_of_base(o: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    if isinstance(y, int | float):
        return g * (y * o.power(x, y - 1)) if y else o.zeros_like(g)
    # Where y is 0 the power is 1: its own gradient must not be infinite, beside a factor 0.
    if isinstance(y, Number):  # in the precision of the gradient, not in the default one
        exponent = o.asarray(y, dtype=g.dtype)
    else:
        exponent = y if is_complex(y) else o.astype(y, g.dtype)
    return g * (exponent * o.power(x, o.where(o.equal(y, 0), exponent, exponent - 1)))


def _power_of_exponent(o: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    base = o.where(o.equal(x, 0), 1, x)
    return g * out * o.log(o.astype(base, out.dtype) if is_complex(out) else base)


def _abs_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    if is_complex(x):
        return g * o.conj(x / o.where(o.equal(out, 0), 1, out))
    return g * o.sign(x)


def _sign(o: Any, x: Any) -> Any:
    x = o.asarray_or_same(x)
    if not is_complex(x):
        return o.elementwise(SIGN, (x,))
    size = o.abs(x)
    none = o.equal(size, 0)
    return o.where(none, 0, x / o.where(none, 1, size))


def _share(o: Any, g: Any, wins: Any, ties: Any) -> Any:
    return o.where(wins, g, o.where(ties, 0.5 * g, 0))


def _power(o: Any, x: Any, y: Any) -> Any:
    """x ** y. x squared is `square`; a negative power of an integer raises ValueError."""
    if type(y) is float and y == 0.5 and isinstance(x, Tensor) and x.ndim:
        if x.dtype.kind == "f":  # as NumPy has it for arrays: that of -inf is NaN
            return o.sqrt(x)
    if type(y) is int and y == 2 and isinstance(x, Tensor) and x.dtype.kind in "iufc":
        return o.square(x)
    if STATE.interpreter is not None:
        x, y = o.elementwise_operands(POWER, (x, y))
        y = _checked_exponent(o, x, y)
    return o.elementwise(POWER, (x, y))


def _checked_exponent(o: Any, x: Any, y: Any) -> Any:
    kinds = [o.kind_of(one) for one in (x, y)]
    if kinds[1] != "i" or kinds[0] in "fc":
        return y
    tensors = [one for one in (x, y) if isinstance(one, Tensor)]
    if len(tensors) == 2 and np.result_type(*[one.dtype for one in tensors]).kind == "f":
        return y  # uint64 beside a signed one
    if isinstance(y, Number):
        y = o.to_tensor(y, dtype=np.dtype(np.int64) if kinds[0] == "b" else x.dtype)
    if type(y) is int:
        if y >= 0 or x.size == 0:
            return y
        if isinstance(x.size, int):
            raise ValueError(_NEGATIVE_POWER)
        y = o.asarray(y, dtype=np.int64 if kinds[0] == "b" else x.dtype)
    return apply(CHECKED_EXPONENT, (y, x if isinstance(x, Tensor) else y))


_NEGATIVE_POWER = "Integers to negative integer powers are not allowed."


def _checked_exponent_reference(y: Any, x: Any) -> Any:
    if (y < 0).any() and x.size:
        raise ValueError(_NEGATIVE_POWER)
    return y


def _infer_first(y: Spec, x: Spec) -> Spec:
    return y


CHECKED_EXPONENT = Op(
    name="checked_exponent",
    summary="Integers y that are not negative: ValueError where one is, unless x has no elements.",
    infer=_infer_first,
    reference=_checked_exponent_reference,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Library("checked_exponent"),
    effect=Effect.MAY_RAISE,
    samples=(
        Sample(([0, 1, 5], [2, 3, 4]), gradient=False),
        Sample(([-1], np.zeros((0,), np.int64)), gradient=False),
    ),
)

POWER = binary(
    "power",
    "x to the power y.",
    np.power,
    Elementwise("power({0}, {1})", compute="result"),
    (_power_of_base, _power_of_exponent),
    samples=(
        Sample(([[0.5, 1.25, 2.0]], [[1.5], [-0.75]])),
        Sample(([0.7, 1.1], 1.3)),
        Sample(([0.0, -1.5], 3), gradient=False),
        Sample(([2, -3], [3, 2]), gradient=False),
    ),
    operator=("pow",),
    public=_power,
)

SIGN = unary(
    "sign",
    "-1, 0 or 1 by the sign of x, NaN of NaN; of a complex number x / |x|.",
    np.sign,
    Elementwise("sign({0})"),
    public=_sign,
)

RECORDS = (
    binary(
        "add",
        "x + y; of bools, logical or.",
        np.add,
        Elementwise(by_kind(b="{0} | {1}", i="{0} + {1}", f="{0} + {1}"), compute="result"),
        (lambda o, g, out, x, y: g, lambda o, g, out, x, y: g),
        samples=(*BINARY_SAMPLES, *INTEGER_SAMPLES, *BOOLEAN_SAMPLES),
        operator=("add",),
    ),
    binary(
        "subtract",
        "x - y.",
        np.subtract,
        Elementwise("{0} - {1}", compute="result"),
        (lambda o, g, out, x, y: g, lambda o, g, out, x, y: -g),
        samples=(*BINARY_SAMPLES, *INTEGER_SAMPLES),
        operator=("sub",),
    ),
    binary(
        "multiply",
        "x * y; of bools, logical and.",
        np.multiply,
        Elementwise(by_kind(b="{0} & {1}", i="{0} * {1}", f="{0} * {1}"), compute="result"),
        (lambda o, g, out, x, y: g * y, lambda o, g, out, x, y: g * x),
        samples=(*BINARY_SAMPLES, *INTEGER_SAMPLES, *BOOLEAN_SAMPLES),
        operator=("mul",),
    ),
    binary(
        "divide",
        "x / y, true division: integers give float64.",
        np.divide,
        Elementwise("{0} / {1}", compute="result"),
        (lambda o, g, out, x, y: g / y, lambda o, g, out, x, y: -g * out / y),
        samples=(*NONZERO_SAMPLES, *INTEGER_SAMPLES),
        operator=("truediv",),
    ),
    binary(
        "floor_divide",
        "The largest integer not above x / y. An integer divided by zero gives 0.",
        np.floor_divide,
        Elementwise("floor_divide({0}, {1})", compute="result"),
        samples=(*NONZERO_SAMPLES, *ZERO_DIVISION_SAMPLES),
        operator=("floordiv",),
    ),
    binary(
        "remainder",
        "x - y * floor(x / y), with the sign of y. Of integers by zero: 0.",
        np.remainder,
        Elementwise("remainder({0}, {1})", compute="result"),
        (lambda o, g, out, x, y: g, lambda o, g, out, x, y: -g * o.floor_divide(x, y)),
        samples=(*NONZERO_SAMPLES, *ZERO_DIVISION_SAMPLES),
        operator=("mod",),
    ),
    POWER,
    CHECKED_EXPONENT,
    binary(
        "minimum",
        "The smaller of x and y; NaN where either is. Where they tie each gets half the gradient.",
        np.minimum,
        Elementwise("minimum({0}, {1})", compute="result"),
        (
            lambda o, g, out, x, y: _share(o, g, o.less(x, y), o.equal(x, y)),
            lambda o, g, out, x, y: _share(o, g, o.less(y, x), o.equal(x, y)),
        ),
        samples=(*BINARY_SAMPLES, *INTEGER_SAMPLES),
    ),
    binary(
        "maximum",
        "The larger of x and y; NaN where either is. Where they tie each gets half the gradient.",
        np.maximum,
        Elementwise("maximum({0}, {1})", compute="result"),
        (
            lambda o, g, out, x, y: _share(o, g, o.greater(x, y), o.equal(x, y)),
            lambda o, g, out, x, y: _share(o, g, o.greater(y, x), o.equal(x, y)),
        ),
        samples=(*BINARY_SAMPLES, *INTEGER_SAMPLES),
    ),
    unary(
        "negative",
        "-x.",
        np.negative,
        Elementwise("-{0}"),
        lambda o, g, out, x: -g,
        operator=("neg",),
    ),
    unary(
        "positive",
        "+x: x itself.",
        np.positive,
        Elementwise("{0}"),
        lambda o, g, out, x: g,
        operator=("pos",),
    ),
    unary(
        "abs",
        "The absolute value of x.",
        np.absolute,
        Elementwise(by_kind(b="{0}", i="abs({0})", f="abs({0})")),
        _abs_gradient,
        operator=("abs",),
    ),
    SIGN,
    unary(
        "square",
        "x * x.",
        np.square,
        Elementwise(by_kind(i="{0} * {0}", f="{0} * {0}"), compute="result"),
        lambda o, g, out, x: 2 * g * x,
        samples=(*REAL_SAMPLES, Sample(([3, -4],), gradient=False)),
    ),
)
