"""Every function of floats: within its bound of the exact value, the same text in each of its uses.

In CPython on NumPy scalars against mpmath; compiled, on many more points, against a wider dtype and
bit by bit against the same text on arrays.
"""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

from autograph.kernels.compile import entry_of
from autograph.kernels.scalar import SCALAR_FUNCTIONS
from autograph.kernels.scalar.arrays import array_function
from tests.harness.scalar_points import (
    EXACT,
    FLOATS,
    IN_NUMPY,
    pairs,
    points,
    same_bits,
    special,
    ulps,
    ulps_of_arrays,
)

NAMES = tuple(EXACT)
TWO = ("power", "power_in_loops", "angle", "hypot")
BY_C_LIBRARY = {("sin", "float64"), ("cos", "float64"), ("tan", "float64"), ("power", "float64")}
WIDER = {"float32": np.float64, "float64": np.longdouble}
LARGE = {"float32": 120_000, "float64": 60_000}


def operands(name: str, dtype: str, count: int) -> tuple[np.ndarray[Any, Any], ...]:
    return pairs(dtype, count) if name in TWO else (points(dtype, count),)


def text_of_loop(name: str, dtype: str) -> str:
    """A program that applies a function to arrays of a given length."""
    function = SCALAR_FUNCTIONS[name]
    inputs = [f"x{i}" for i in range(function.arguments)]
    lines = ["def program(arguments):"]
    for place, buffer in enumerate([*inputs, "out"]):
        lines.append(f"    {buffer} = {dtype}_at(array_data(arguments, {place}))")
    lines.append(f"    sizes = int64_at(array_data(arguments, {len(inputs) + 1}))")
    lines.append("    for i in range(sizes[0]):")
    call = f"{function.functions[dtype]}({', '.join(f'{x}[i]' for x in inputs)})"
    lines.append(f"        out[i] = {call}")
    return "\n".join([*lines, "    return 0"]) + "\n"


def compiled(name: str, dtype: str, arrays: tuple[np.ndarray[Any, Any], ...]) -> Any:
    out = np.empty_like(arrays[0])
    entry = entry_of(text_of_loop(name, dtype), jit=True)
    assert not entry(*arrays, out, np.array([out.size], np.int64))
    return out


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", NAMES)
def test_scalars_in_cpython_are_near_the_exact_value(name: str, dtype: str) -> None:
    scalar = SCALAR_FUNCTIONS[name]
    function = scalar.function(dtype)
    bound = scalar.max_ulp
    tried = 0
    with np.errstate(all="ignore"), mpmath.workdps(60):
        for values in zip(*operands(name, dtype, 800), strict=True):
            found = function(*values)
            assert found.dtype == dtype
            if not all(np.isfinite(value) for value in values):
                continue
            try:
                exact = EXACT[name](*(mpmath.mpf(float(value)) for value in values))
            except (ZeroDivisionError, ValueError):
                continue
            if isinstance(exact, mpmath.mpc) or not mpmath.isfinite(exact):
                continue
            assert ulps(found, exact, dtype) <= bound, (values, found, exact)
            tried += 1
    assert tried > 300


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", NAMES)
def test_specials_are_those_of_numpy(name: str, dtype: str) -> None:
    function = SCALAR_FUNCTIONS[name].function(dtype)
    corner = special(dtype)
    if name in TWO:
        arrays: tuple[Any, ...] = (np.repeat(corner, corner.size), np.tile(corner, corner.size))
    else:
        arrays = (corner,)
    with np.errstate(all="ignore"):
        expected = IN_NUMPY[name](*arrays).astype(dtype)
        found = np.array([function(*values) for values in zip(*arrays, strict=True)])
    decided = ~np.isfinite(expected) | (expected == 0)
    wrong = decided & ~same_bits(found, expected)
    assert not wrong.any(), [(x[wrong], found[wrong], expected[wrong]) for x in arrays]


@pytest.mark.compiled
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", NAMES)
def test_compiled_loops_are_near_and_have_the_bits_of_cpython(name: str, dtype: str) -> None:
    arrays = operands(name, dtype, LARGE[dtype])
    found = compiled(name, dtype, arrays)
    with np.errstate(all="ignore"):
        if (name, dtype) in BY_C_LIBRARY:
            function = SCALAR_FUNCTIONS[name].function(dtype)
            few = [x[::97] for x in arrays]
            again = np.array([function(*values) for values in zip(*few, strict=True)])
            assert same_bits(found[::97], again).all()
            return
        again = array_function(SCALAR_FUNCTIONS[name].functions[dtype])(*arrays)
        wrong = ~same_bits(found, again)
        assert not wrong.any(), [x[wrong][:5] for x in arrays]
        wide = WIDER[dtype]
        if np.finfo(wide).nmant <= np.finfo(dtype).nmant:
            pytest.skip("this machine has no wider float to compare with")
        exact = IN_NUMPY[name](*(x.astype(wide) for x in arrays))
        error = ulps_of_arrays(found, exact, dtype)
    place = int(np.argmax(error))
    assert error[place] <= SCALAR_FUNCTIONS[name].max_ulp, [x[place] for x in arrays]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", NAMES)
def test_arrays_have_the_bits_of_scalars(name: str, dtype: str) -> None:
    if (name, dtype) in BY_C_LIBRARY:
        pytest.skip("a call of the C library, one by one")
    arrays = operands(name, dtype, 300)
    function = SCALAR_FUNCTIONS[name].function(dtype)
    with np.errstate(all="ignore"):
        found = array_function(SCALAR_FUNCTIONS[name].functions[dtype])(*arrays)
        again = np.array([function(*values) for values in zip(*arrays, strict=True)])
    assert same_bits(found, again).all()


@pytest.mark.sweep
@pytest.mark.parametrize("name", [name for name in NAMES if name != "power"])
def test_every_float32(name: str) -> None:
    """All 2**32 of them, compiled, against NumPy in float64."""
    worst = 0.0
    chunk = 1 << 22
    with np.errstate(all="ignore"):
        for start in range(0, 1 << 32, chunk):
            x = np.arange(start, start + chunk, dtype=np.int64).astype(np.uint32).view(np.float32)
            found = compiled(name, "float32", (x,))
            exact = IN_NUMPY[name](x.astype(np.float64))
            error = ulps_of_arrays(found, exact, "float32")
            worst = max(worst, float(error.max()))
            assert worst <= SCALAR_FUNCTIONS[name].max_ulp, (name, x[int(np.argmax(error))])
