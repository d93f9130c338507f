"""Functions of the module `math` of Python floats, silent: what is out of range is NaN or infinite.

Python's errors are raised by those who call them, from what comes out.
"""

from __future__ import annotations

import math
from typing import Any

from autograph.runtime.core import dtypes
from autograph.runtime.core.record import Decomposition, Op, Sample
from autograph.runtime.core.spec import PYFLOAT, Spec
from autograph.runtime.ops.elementwise.numbers import require_numbers

LN2, LN10 = math.log(2.0), math.log(10.0)

DERIVATIVES: dict[str, Any] = {
    "acos": lambda o, x, out: -1.0 / _of(o, "sqrt", (1.0 - x) * (1.0 + x)),
    "acosh": lambda o, x, out: 1.0 / _of(o, "sqrt", (x - 1.0) * (x + 1.0)),
    "asin": lambda o, x, out: 1.0 / _of(o, "sqrt", (1.0 - x) * (1.0 + x)),
    "asinh": lambda o, x, out: 1.0 / _of(o, "sqrt", x * x + 1.0),
    "atan": lambda o, x, out: 1.0 / (1.0 + x * x),
    "atanh": lambda o, x, out: 1.0 / ((1.0 - x) * (1.0 + x)),
    "cbrt": lambda o, x, out: 1.0 / (3.0 * out * out),
    "cos": lambda o, x, out: -_of(o, "sin", x),
    "cosh": lambda o, x, out: _of(o, "sinh", x),
    "exp": lambda o, x, out: out,
    "exp2": lambda o, x, out: out * LN2,
    "expm1": lambda o, x, out: out + 1.0,
    "log": lambda o, x, out: 1.0 / x,
    "log10": lambda o, x, out: 1.0 / (x * LN10),
    "log1p": lambda o, x, out: 1.0 / (1.0 + x),
    "log2": lambda o, x, out: 1.0 / (x * LN2),
    "sin": lambda o, x, out: _of(o, "cos", x),
    "sinh": lambda o, x, out: _of(o, "cosh", x),
    "sqrt": lambda o, x, out: 0.5 / out,
    "tan": lambda o, x, out: 1.0 + out * out,
    "tanh": lambda o, x, out: 1.0 - out * out,
}
"""By function, the derivative at x, where the result is known too."""

PARTIAL_DERIVATIVES: dict[str, tuple[Any, Any]] = {
    "atan2": (
        lambda o, y, x, out: x / (x * x + y * y),
        lambda o, y, x, out: -y / (x * x + y * y),
    ),
    "copysign": (
        lambda o, x, y, out: _of_two(o, "copysign", 1.0, x) * _of_two(o, "copysign", 1.0, y),
        lambda o, x, y, out: 0.0 * x,
    ),
    "hypot": (lambda o, x, y, out: x / out, lambda o, x, y, out: y / out),
    "nextafter": (lambda o, x, y, out: 1.0, lambda o, x, y, out: 0.0 * x),
    "pow": (
        lambda o, x, y, out: y * _of_two(o, "pow", x, y - 1.0),
        lambda o, x, y, out: out * _of(o, "log", x),
    ),
}
"""By function of two numbers, the derivatives by each of them."""


def _of_two(o: Any, function: str, x: Any, y: Any) -> Any:
    return o.apply("py_math_pair", (x, y), {"function": function})


def _of(o: Any, function: str, x: Any) -> Any:
    return o.apply("py_math", (x,), {"function": function})


def _infer(x: Spec, *, function: str) -> Spec:
    require_numbers("py_math", (x,))
    return PYFLOAT


def _reference(x: Any, *, function: str) -> float:
    try:
        result: float = getattr(math, function)(x)
    except OverflowError:
        return math.copysign(math.inf, x) if function == "sinh" else math.inf
    except ValueError:
        return math.nan
    return result


def _gradient(o: Any, g: Any, out: Any, x: Any, *, function: str) -> Any:
    return g * DERIVATIVES[function](o, x, out)


def _tensor(o: Any, x: Any) -> Any:
    return o.to_tensor(o.py_float(x), dtype=dtypes.float64)


def _rule(o: Any, x: Any, *, function: str) -> Any:
    tensor = _tensor(o, x)
    return o.to_number(WRITTEN.get(function, _by_op(function))(o, tensor), kind=float)


def _by_op(function: str) -> Any:
    return lambda o, x: o.apply(function, (x,), {})


def _cube_root(o: Any, x: Any) -> Any:
    """The power, and one step of Newton's towards the root; what is not finite stays."""
    root = o.copysign(o.power(o.abs(x), 1.0 / 3.0), x)
    nearer = root - (root * root * root - x) / (3.0 * root * root)
    return o.where(o.logical_and(o.isfinite(x), o.not_equal(x, 0.0)), nearer, x)


WRITTEN: dict[str, Any] = {
    "cbrt": _cube_root,
    "exp2": lambda o, x: o.power(o.full_like(x, 2.0), x),
}
"""Functions that are no ops by themselves."""


def _infer_pair(x: Spec, y: Spec, *, function: str) -> Spec:
    require_numbers("py_math_pair", (x, y))
    return PYFLOAT


def _reference_pair(x: Any, y: Any, *, function: str) -> float:
    try:
        result: float = getattr(math, function)(x, y)
    except OverflowError:
        odd = function == "pow" and x < 0 and y % 2 == 1
        return -math.inf if odd else math.inf
    except ValueError:
        return math.inf if x == 0 else math.nan
    return result


def _pair_gradient(place: int) -> Any:
    def gradient(o: Any, g: Any, out: Any, x: Any, y: Any, *, function: str) -> Any:
        return g * PARTIAL_DERIVATIVES[function][place](o, x, y, out)

    return gradient


def _pair_rule(o: Any, x: Any, y: Any, *, function: str) -> Any:
    op = "power" if function == "pow" else function
    return o.to_number(o.apply(op, (_tensor(o, x), _tensor(o, y)), {}), kind=float)


RECORDS = (
    Op(
        name="py_math",
        summary="A function of Python's `math` of one float; NaN or infinity where it would raise.",
        infer=_infer,
        reference=_reference,
        gradient=(_gradient,),
        lowering=Decomposition(_rule),
        samples=tuple(
            Sample((1.4 if name == "acosh" else 0.4,), {"function": name}) for name in DERIVATIVES
        ),
    ),
    Op(
        name="py_math_pair",
        summary="A function of `math` of two floats; NaN or infinity where it would raise.",
        infer=_infer_pair,
        reference=_reference_pair,
        gradient=(_pair_gradient(0), _pair_gradient(1)),
        lowering=Decomposition(_pair_rule),
        samples=tuple(
            Sample((0.4, 1.5), {"function": name}, gradient=name != "nextafter")
            for name in PARTIAL_DERIVATIVES
        ),
    ),
)
