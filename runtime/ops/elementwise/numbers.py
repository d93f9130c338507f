"""Python numbers that are known only at run time: Python's own arithmetic, errors included.

An int is an int64 here: what would be larger raises OverflowError. Where Python's result changes
its type with the value (`2 ** -1`) that raises too.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from autograph.runtime.core import dtypes
from autograph.runtime.core.python_versions import ZERO_TO_A_NEGATIVE_POWER
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Effect,
    Elementwise,
    Gradient,
    Library,
    Lowering,
    Op,
    Sample,
)
from autograph.runtime.core.spec import NUMBER_SPECS, PYBOOL, PYFLOAT, PYINT, Spec

TOO_LARGE = "Python int too large for a staged one (int64)"
_ZERO = {bool: False, int: 0, float: 0.0}


def fitting(value: Any) -> Any:
    """`value`, if a staged number can hold it; OverflowError for an int beyond int64."""
    if type(value) is int and not -(2**63) <= value < 2**63:
        raise OverflowError(TOO_LARGE)
    return value


def require_numbers(name: str, specs: tuple[Any, ...]) -> None:
    for spec in specs:
        if not (isinstance(spec, Spec) and spec.python):
            raise TypeError(f"{name} takes Python numbers, not {spec}")


def _arithmetic(name: str, function: Callable[..., Any]) -> Callable[..., Spec]:
    """Inference by example: the type of the result is that of Python's for small operands."""

    def infer(*specs: Spec) -> Spec:
        require_numbers(name, specs)
        result = function(*(spec.python_type(1) for spec in specs))
        return NUMBER_SPECS[type(result)]

    return infer


def _fitted(function: Callable[..., Any]) -> Callable[..., Any]:
    def reference(x: Any, y: Any) -> Any:
        return fitting(function(x, y))

    return reference


def _fitted_unary(function: Callable[..., Any]) -> Callable[..., Any]:
    def reference(x: Any) -> Any:
        return fitting(function(x))

    return reference


def _power(x: Any, y: Any) -> Any:
    if isinstance(y, int) and isinstance(x, int) and y < 0:
        if x == 0:
            raise ZeroDivisionError(ZERO_TO_A_NEGATIVE_POWER)
        raise ValueError(
            "a staged int to a negative power would be a float; write float(x) ** y instead"
        )
    if isinstance(x, int) and isinstance(y, int) and abs(x) > 1 and y > 64:
        raise OverflowError(TOO_LARGE)
    result = x**y
    if isinstance(result, complex):
        raise ValueError("a staged negative float to a fractional power would be complex")
    return fitting(result)


def _left_shift(x: Any, y: Any) -> Any:
    if y > 63 and x:
        raise OverflowError(TOO_LARGE)
    return fitting(operator.lshift(x, min(y, 64)))


def _invert(x: Any) -> Any:
    if isinstance(x, float):
        raise TypeError("bad operand type for unary ~: 'float'")
    return -operator.index(x) - 1


def _smaller(x: Any, y: Any) -> Any:
    return y if y < x else x


def _larger(x: Any, y: Any) -> Any:
    return y if y > x else x


def _infer_choice(x: Spec, y: Spec) -> Spec:
    require_numbers("min and max", (x, y))
    if x.dtype != y.dtype:
        raise TypeError(f"min or max of a {x} and a {y} has no one type; convert one of them")
    return x


def _infer_to(spec: Spec) -> Callable[..., Spec]:
    def infer(x: Spec) -> Spec:
        require_numbers("this", (x,))
        return spec

    return infer


NUMBERS = (Sample((7, 2)), Sample((-7, 2)), Sample((7.5, -2)), Sample((2, 0.5)), Sample((True, 3)))
INTEGERS = (Sample((12, 3)), Sample((-7, 2)), Sample((True, 3)))
ONE = (Sample((7,)), Sample((-2.5,)), Sample((True,)))
_EITHER = (Sample((7, 2)), Sample((-7.5, 2.0)), Sample((0, 0)))


def _binary(
    sign: str,
    function: Callable[..., Any],
    summary: str,
    gradient: tuple[Gradient | None, ...] = NOT_DIFFERENTIABLE,
    samples: tuple[Sample, ...] = NUMBERS,
) -> Op:
    name = f"py_{sign}"
    return Op(
        name=name,
        summary=summary,
        infer=_arithmetic(name, function),
        reference=function if function in (_power, _left_shift) else _fitted(function),
        gradient=gradient,
        lowering=Library(name),
        effect=Effect.MAY_RAISE,
        samples=samples,
        operator=(sign,),
    )


def _comparison(sign: str, function: Callable[..., Any], symbol: str) -> Op:
    def infer(x: Spec, y: Spec) -> Spec:
        require_numbers(f"py_{sign}", (x, y))
        return PYBOOL

    return Op(
        name=f"py_{sign}",
        summary=f"x {symbol} y, of Python numbers.",
        infer=infer,
        reference=lambda x, y: function(x, y),
        gradient=NOT_DIFFERENTIABLE,
        lowering=Elementwise(f"{{0}} {symbol} {{1}}"),
        samples=(*NUMBERS, Sample((2, 2.0)), Sample((math.nan, math.nan))),
        operator=(sign,),
    )


def _unary(
    name: str,
    function: Callable[..., Any],
    infer: Callable[..., Spec],
    summary: str,
    gradient: Gradient | None = None,
    samples: tuple[Sample, ...] = ONE,
    effect: Effect = Effect.MAY_RAISE,
    lowering: Lowering | None = None,
    operators: tuple[str, ...] = (),
) -> Op:
    return Op(
        name=name,
        summary=summary,
        infer=infer,
        reference=_fitted_unary(function),
        gradient=(gradient,) if gradient else NOT_DIFFERENTIABLE,
        lowering=lowering or Library(name),
        effect=effect,
        samples=samples,
        operator=operators,
    )


def _mod_gradient(o: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    return -g * o.py_floordiv(x, y)


def _power_of_base(o: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    return g * y * o.py_float(x) ** (y - 1)


def _power_of_exponent(o: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    logarithm = o.log(o.to_tensor(o.py_float(x), dtype=dtypes.float64))
    return g * out * o.to_number(logarithm, kind=float)


_PLUS = (lambda o, g, out, x, y: g, lambda o, g, out, x, y: g)

RECORDS = (
    _binary("add", operator.add, "x + y, of Python numbers.", _PLUS),
    _binary("sub", operator.sub, "x - y.", (_PLUS[0], lambda o, g, out, x, y: -g)),
    _binary(
        "mul",
        operator.mul,
        "x * y.",
        (lambda o, g, out, x, y: g * y, lambda o, g, out, x, y: g * x),
    ),
    _binary(
        "truediv",
        operator.truediv,
        "x / y; ZeroDivisionError where y is 0.",
        (lambda o, g, out, x, y: g / y, lambda o, g, out, x, y: -g * out / y),
    ),
    _binary("floordiv", operator.floordiv, "x // y; ZeroDivisionError where y is 0."),
    _binary(
        "mod",
        operator.mod,
        "x % y, with the sign of y; ZeroDivisionError where y is 0.",
        (_PLUS[0], _mod_gradient),
    ),
    _binary(
        "pow",
        _power,
        "x ** y; of ints with a negative y ValueError, as Python would give a float.",
        (_power_of_base, _power_of_exponent),
        samples=(Sample((7, 2)), Sample((-2.0, 3)), Sample((2, 0.5)), Sample((True, 3))),
    ),
    _binary("and", operator.and_, "x & y.", samples=INTEGERS),
    _binary("or", operator.or_, "x | y.", samples=INTEGERS),
    _binary("xor", operator.xor, "x ^ y.", samples=INTEGERS),
    _binary(
        "lshift",
        _left_shift,
        "x << y; ValueError where y is negative.",
        samples=(Sample((12, 3)), Sample((-7, 2)), Sample((True, 3))),
    ),
    _binary(
        "rshift",
        operator.rshift,
        "x >> y; ValueError where y is negative.",
        samples=(Sample((12, 3)), Sample((-7, 2)), Sample((-7, 100))),
    ),
    _comparison("eq", operator.eq, "=="),
    _comparison("ne", operator.ne, "!="),
    _comparison("lt", operator.lt, "<"),
    _comparison("le", operator.le, "<="),
    _comparison("gt", operator.gt, ">"),
    _comparison("ge", operator.ge, ">="),
    _unary(
        "py_neg",
        operator.neg,
        _arithmetic("py_neg", operator.neg),
        "-x.",
        lambda o, g, out, x: -g,
        operators=("neg",),
    ),
    _unary(
        "py_pos",
        operator.pos,
        _arithmetic("py_pos", operator.pos),
        "+x; a bool gives an int.",
        lambda o, g, out, x: g,
        effect=Effect.PURE,
        operators=("pos",),
    ),
    _unary(
        "py_abs",
        abs,
        _arithmetic("py_abs", abs),
        "abs(x).",
        lambda o, g, out, x: g * (1 - 2 * (x < 0)),
        operators=("abs",),
    ),
    _unary(
        "py_invert",
        _invert,
        _arithmetic("py_invert", _invert),
        "~x, of an int.",
        samples=(Sample((7,)), Sample((-8,))),
        effect=Effect.PURE,
        operators=("invert",),
    ),
    _unary(
        "py_not",
        operator.not_,
        _infer_to(PYBOOL),
        "not x.",
        effect=Effect.PURE,
        lowering=Elementwise("{0} == 0"),
    ),
    Op(
        name="py_min2",
        summary="min(x, y) of two Python numbers of one type: y where y < x.",
        infer=_infer_choice,
        reference=_smaller,
        gradient=(
            lambda o, g, out, x, y: g * o.py_not(y < x),
            lambda o, g, out, x, y: g * (y < x),
        ),
        lowering=Elementwise("select({1} < {0}, {1}, {0})"),
        samples=_EITHER,
    ),
    Op(
        name="py_max2",
        summary="max(x, y) of two Python numbers of one type: y where y > x.",
        infer=_infer_choice,
        reference=_larger,
        gradient=(
            lambda o, g, out, x, y: g * o.py_not(y > x),
            lambda o, g, out, x, y: g * (y > x),
        ),
        lowering=Elementwise("select({1} > {0}, {1}, {0})"),
        samples=_EITHER,
    ),
    _unary("py_round", round, _infer_to(PYINT), "round(x), halves to even."),
    _unary("py_floor", math.floor, _infer_to(PYINT), "math.floor(x)."),
    _unary("py_ceil", math.ceil, _infer_to(PYINT), "math.ceil(x)."),
    _unary("py_int", int, _infer_to(PYINT), "int(x): cut towards zero; NaN, infinity raise."),
    _unary(
        "py_float",
        float,
        _infer_to(PYFLOAT),
        "float(x).",
        lambda o, g, out, x: g,
        effect=Effect.PURE,
        lowering=Elementwise("{0}"),
    ),
    _unary(
        "py_bool",
        bool,
        _infer_to(PYBOOL),
        "bool(x).",
        effect=Effect.PURE,
        lowering=Elementwise("{0} != 0"),
    ),
)
