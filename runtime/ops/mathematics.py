"""Functions of the module `math` of Python floats, silent: what is out of range is NaN or infinite.

Python's errors are raised by those who call them, from what comes out.
"""

from __future__ import annotations

import math
from typing import Any

from autograph.runtime.core import dtypes
from autograph.runtime.core.record import Decomposition, Op, Sample
from autograph.runtime.core.spec import PYFLOAT, Spec
from autograph.runtime.ops.numbers import require_numbers

LN2, LN10 = math.log(2.0), math.log(10.0)

DERIVATIVES: dict[str, Any] = {
    "cos": lambda o, x, out: -_of(o, "sin", x),
    "cosh": lambda o, x, out: _of(o, "sinh", x),
    "exp": lambda o, x, out: out,
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


def _rule(o: Any, x: Any, *, function: str) -> Any:
    tensor = o.to_tensor(o.py_float(x), dtype=dtypes.float64)
    return o.to_number(o.apply(function, (tensor,), {}), kind=float)


RECORDS = (
    Op(
        name="py_math",
        summary="A function of Python's `math` of one float; NaN or infinity where it would raise.",
        infer=_infer,
        reference=_reference,
        gradient=(_gradient,),
        lowering=Decomposition(_rule),
        samples=tuple(Sample((0.4,), {"function": name}) for name in DERIVATIVES),
    ),
)
