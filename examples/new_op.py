"""A new elementwise op is one record: what it means, how it compiles, how it differentiates.

Run it: `python examples/new_op.py`. From the record come the function, staging, native code and
gradients of any order. (An op of the project itself stands in a table of `runtime/ops`, and is
tested there with all the others.)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import autograph as ag
from autograph.runtime.ops.building import float_function
from autograph.runtime.ops.table import OPS

log_cosh = OPS.register(
    float_function(
        "log_cosh",
        "log(cosh(x)), without overflow.",
        lambda x: np.logaddexp(x, -x) - math.log(2),
        "abs({0}) + log1p(exp(-2.0 * abs({0}))) - log(2.0)",
        lambda o, g, out, x: g * o.tanh(x),
    )
)


@ag.function
def steps_to_zero(x: Any, rate: float = 0.5) -> Any:
    """Gradient descent on log_cosh, until it is small."""
    steps = 0
    while log_cosh(x) > 0.1:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = log_cosh(x)
        x = x - rate * tape.gradient(y, x)
        steps += 1
    return x, steps


def main() -> None:
    x = ag.asarray(3.0)
    print("log_cosh(3) =", log_cosh(x).item())
    staged, eager = steps_to_zero(x), steps_to_zero.python_function(x)
    print("staged:", staged[0].item(), staged[1], "steps; eager:", eager[0].item(), eager[1])
    print(steps_to_zero.graph(x))


if __name__ == "__main__":
    main()
