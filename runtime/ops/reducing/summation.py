"""Python's `sum` of floats since 3.12, which keeps what its additions lose by rounding."""

from __future__ import annotations

import math

from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Elementwise, Op, Sample
from autograph.runtime.core.spec import PYFLOAT, Spec
from autograph.runtime.ops.elementwise.numbers import require_numbers


def _infer(x: Spec, y: Spec) -> Spec:
    require_numbers("a sum of floats", (x, y))
    return PYFLOAT


def lost(x: float, y: float) -> float:
    """What `x + y` loses by rounding, as Python tells it; not finite where a sum is not."""
    total = x + y
    return (x - total) + y if abs(x) >= abs(y) else (y - total) + x


def regained(x: float, y: float) -> float:
    """`x + y` where `y` is what a sum lost: the sign of a zero and what is not finite stay."""
    return x + y if y and math.isfinite(y) else x


_SAMPLES = (Sample((0.1, 0.7)), Sample((-1e16, 1.5)), Sample((math.inf, 1.0)), Sample((-0.0, -0.0)))

RECORDS = (
    Op(
        name="py_lost",
        summary="What x + y loses by rounding, of Python floats.",
        infer=_infer,
        reference=lambda x, y: lost(x, y),
        gradient=NOT_DIFFERENTIABLE,
        lowering=Elementwise(
            "select(abs({0}) >= abs({1}), ({0} - ({0} + {1})) + {1}, ({1} - ({0} + {1})) + {0})"
        ),
        samples=_SAMPLES,
    ),
    Op(
        name="py_regained",
        summary="x + y of Python floats, where y was lost by a sum: x where y is 0 or not finite.",
        infer=_infer,
        reference=lambda x, y: regained(x, y),
        gradient=(lambda o, g, out, x, y: g, None),
        lowering=Elementwise("select(({1} != 0.0) & ({1} - {1} == 0.0), {0} + {1}, {0})"),
        samples=(*_SAMPLES, Sample((1.0, math.nan))),
    ),
)
