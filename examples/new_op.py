"""A new elementwise op is one record: what it means, how it compiles, how it differentiates.

Run it: `python examples/new_op.py`. From the record come the function, staging, native code and
gradients of any order. (An op of the project itself stands in a table of `runtime/ops`, and is
tested there with all the others.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

import autograph as ag
from autograph.runtime.ops.building import float_function
from autograph.runtime.ops.table import OPS

softplus = OPS.register(
    float_function(
        "softplus",
        "log(1 + exp(x)), without overflow.",
        lambda x: np.logaddexp(x, np.zeros_like(x)),
        "log1p(exp(-abs({0}))) + maximum({0}, 0.0)",
        lambda o, g, out, x: g * o.sigmoid(x),
    )
)


@ag.function
def steps_to_zero(x: Any, rate: float = 0.5) -> Any:
    """Gradient descent on softplus, until it is small."""
    steps = 0
    while softplus(x) > 0.1:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = softplus(x)
        x = x - rate * tape.gradient(y, x)
        steps += 1
    return x, steps


def main() -> None:
    x = ag.asarray(3.0)
    print("softplus(3) =", softplus(x).item())
    staged, eager = steps_to_zero(x), steps_to_zero.python_function(x)
    print("staged:", staged[0].item(), staged[1], "steps; eager:", eager[0].item(), eager[1])
    print(steps_to_zero.graph(x))


if __name__ == "__main__":
    main()
