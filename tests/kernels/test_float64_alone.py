"""sin, cos, tan, powers and remainders without a C library: near the exact value everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.kernels.compile import entry_of

Array = np.ndarray[Any, Any]
FUNCTIONS: dict[str, tuple[Callable[..., Any], int, float]] = {
    "sine_alone": (np.sin, 1, 1.0),
    "cosine_alone": (np.cos, 1, 1.0),
    "tangent_alone": (np.tan, 1, 2.5),
    "power_in_loops_float64": (np.power, 2, 1.0),
    "remainder_alone": (np.fmod, 2, 0.0),
}
"""With NumPy's function, the number of arguments, and the bound in units in the last place."""
SPECIAL = np.array(
    [0.0, 1.0, np.inf, np.nan, 5e-324, 2.0**-1022, np.finfo(float).max, 2.0, 0.5, 3.0, 1e-300]
    + [2.0**53 + 2, 2.0**53 - 1, 0.1, np.pi / 2, np.pi, 800000.0, 799999.9, 1105601.8530219344]
)


def operands(count: int, amount: int) -> list[Array]:
    """Special values, all bits, common sizes, and near multiples of pi/2."""
    random = np.random.default_rng(count)

    def bits() -> Array:
        return random.integers(0, 2**64, amount, dtype=np.uint64).view(np.float64)

    signed = np.concatenate([SPECIAL, -SPECIAL])
    if count == 1:
        near = np.round(random.uniform(0, 2e6, amount)) * (np.pi / 2)
        wide = random.normal(size=amount) * 10 ** random.uniform(0, 9, amount)
        return [np.concatenate([signed, bits(), random.uniform(-10, 10, amount), wide, near])]
    one, other = map(np.ravel, np.meshgrid(signed, signed))
    x = [one, bits(), np.exp(random.uniform(-3, 3, amount)), random.uniform(0.9, 1.1, amount)]
    y = [other, bits(), random.normal(size=amount) * 10, random.normal(size=amount) * 5000]
    return [np.concatenate(x), np.concatenate(y)]


def computed(name: str, arrays: list[Array], jit: bool) -> Array:
    out = np.empty_like(arrays[0])
    buffers = [f"    a{k} = float64_at(array_data(arguments, {k + 1}))" for k in range(len(arrays))]
    values = ", ".join(f"a{k}[i]" for k in range(len(arrays)))
    lines = [
        "def program(arguments):",
        "    n = int64_at(array_data(arguments, 0))[0]",
        *buffers,
        f"    y = float64_at(array_data(arguments, {len(arrays) + 1}))",
        "    for i in range(n):",
        f"        y[i] = {name}({values})",
        "    return 0",
    ]
    assert not entry_of("\n".join(lines) + "\n", jit)(np.array([out.size]), *arrays, out)
    return out


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="no wider float to compare with")
@pytest.mark.parametrize(
    "jit", [pytest.param(True, marks=pytest.mark.compiled), False], ids=["compiled", "text"]
)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_near_the_exact_value(name: str, jit: bool) -> None:
    function, count, bound = FUNCTIONS[name]
    arrays = operands(count, 20_000 if jit else 300)
    got = computed(name, arrays, jit)
    with np.errstate(all="ignore"):
        exact = function(*[one.astype(np.longdouble) for one in arrays])
        wanted = exact.astype(np.float64)
        same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
        unit = np.spacing(np.maximum(np.abs(wanted), 5e-324))
        error = np.where(same, 0.0, np.abs((got - exact) / unit).astype(np.float64))
    worst = int(np.argmax(np.where(np.isnan(error), np.inf, error)))
    assert error[worst] <= bound, [one[worst] for one in arrays] + [got[worst], wanted[worst]]
    numbers = ~np.isnan(wanted)
    assert (np.signbit(got) == np.signbit(wanted))[numbers].all()
