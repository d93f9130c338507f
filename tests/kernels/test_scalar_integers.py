"""Integer functions, rounding and extremes: exactly NumPy, in CPython and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.kernels.compile import entry_of
from autograph.kernels.scalar import SCALAR_FUNCTIONS
from tests.harness.scalar_points import FLOATS, points, same_bits

IN_NUMPY: dict[str, Any] = {
    "minimum": np.minimum,
    "maximum": np.maximum,
    "floor_divide": np.floor_divide,
    "remainder": np.remainder,
    "left_shift": np.left_shift,
    "right_shift": np.right_shift,
    "power": np.power,
}
UNARY: dict[str, Any] = {
    "sqrt": np.sqrt,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": np.rint,
    "sign": np.sign,
}
INTEGERS = tuple(f"{sign}int{width}" for sign in ("", "u") for width in (8, 16, 32, 64))
CASES = [
    (name, dtype)
    for name in IN_NUMPY
    for dtype in SCALAR_FUNCTIONS[name].functions
    if not (name == "power" and dtype in FLOATS)
]


def interesting(dtype: str) -> np.ndarray[Any, Any]:
    if dtype in FLOATS:
        return points(dtype, 160)
    info = np.iinfo(dtype)
    wanted = [0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 100, info.max, info.max - 1]
    wanted += [-1, -2, -3, -7, -8, -64, info.min, info.min + 1] if info.min < 0 else []
    return np.array([value for value in wanted if info.min <= value <= info.max], dtype)


def all_pairs(name: str, dtype: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    values = interesting(dtype)
    a, b = np.repeat(values, values.size), np.tile(values, values.size)
    if name == "power":
        allowed = b >= 0
        a, b = a[allowed], b[allowed]
    return a, b


def text_of_loops(dtypes: list[str], name: str) -> str:
    """A program that applies a function to pairs of every dtype."""
    lines = [
        "def program(arguments):",
        f"    n = int64_at(array_data(arguments, {3 * len(dtypes)}))",
    ]
    for place, dtype in enumerate(dtypes):
        for offset, buffer in enumerate("abo"):
            at = f"{dtype}_at(array_data(arguments, {3 * place + offset}))"
            lines.append(f"    {buffer}{place} = {at}")
        call = f"{SCALAR_FUNCTIONS[name].functions[dtype]}(a{place}[i], b{place}[i])"
        lines.append(f"    for i in range(n[{place}]):")
        lines.append(f"        o{place}[i] = {dtype}({call})")
    return "\n".join([*lines, "    return 0"]) + "\n"


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_pairs_in_cpython(name: str, dtype: str) -> None:
    if dtype in FLOATS:
        values = interesting(dtype)[::9]
        a, b = np.repeat(values, values.size), np.tile(values, values.size)
    else:
        a, b = all_pairs(name, dtype)
    function = SCALAR_FUNCTIONS[name].function(dtype)
    with np.errstate(all="ignore"):
        expected = IN_NUMPY[name](a, b)
        found = np.array([function(x, y) for x, y in zip(a, b, strict=True)]).astype(dtype)
    right = same_bits(found, expected)
    if name in ("minimum", "maximum"):
        # which of 0.0 and -0.0 is the smaller is NumPy's own choice
        right |= (found == 0) & (expected == 0)
    assert right.all(), (a[~right], b[~right], found[~right], expected[~right])


@pytest.mark.compiled
@pytest.mark.parametrize("name", IN_NUMPY)
def test_pairs_compiled(name: str) -> None:
    dtypes = [dtype for dtype in SCALAR_FUNCTIONS[name].functions if (name, dtype) in CASES]
    arrays: list[np.ndarray[Any, Any]] = []
    for dtype in dtypes:
        if dtype in ("int8", "uint8") and name != "power":
            every = np.arange(256).astype(dtype)
            a, b = np.repeat(every, 256), np.tile(every, 256)
        else:
            a, b = all_pairs(name, dtype)
        arrays += [a, b, np.empty_like(a)]
    sizes = np.array([x.size for x in arrays[::3]], np.int64)
    assert not entry_of(text_of_loops(dtypes, name), jit=True)(*arrays, sizes)
    for place, dtype in enumerate(dtypes):
        a, b, found = arrays[3 * place : 3 * place + 3]
        with np.errstate(all="ignore"):
            expected = IN_NUMPY[name](a, b)
        right = same_bits(found, expected)
        if name in ("minimum", "maximum"):
            right |= (found == 0) & (expected == 0)
        assert right.all(), (dtype, a[~right][:5], b[~right][:5], found[~right][:5])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_rounding_in_cpython(name: str, dtype: str) -> None:
    x = points(dtype, 1600)
    function = SCALAR_FUNCTIONS[name].function(dtype)
    with np.errstate(all="ignore"):
        found = np.array([function(value) for value in x])
        assert found.dtype == dtype
        assert same_bits(found, UNARY[name](x)).all()


@pytest.mark.compiled
def test_rounding_compiled() -> None:
    size = points("float32", 8000).size
    lines = ["def program(arguments):"]
    arrays: list[np.ndarray[Any, Any]] = []
    expected: dict[int, np.ndarray[Any, Any]] = {}
    for dtype in FLOATS:
        x, source = points(dtype, 8000), len(arrays)
        lines.append(f"    b{source} = {dtype}_at(array_data(arguments, {source}))")
        arrays.append(x)
        for name, exact in UNARY.items():
            place = len(arrays)
            lines.append(f"    b{place} = {dtype}_at(array_data(arguments, {place}))")
            lines.append(f"    for i in range({size}):")
            call = f"{SCALAR_FUNCTIONS[name].functions[dtype]}(b{source}[i])"
            lines.append(f"        b{place}[i] = {call}")
            arrays.append(np.empty_like(x))
            with np.errstate(all="ignore"):
                expected[place] = exact(x)
    assert not entry_of("\n".join([*lines, "    return 0"]) + "\n", jit=True)(*arrays)
    for place, right in expected.items():
        assert same_bits(arrays[place], right).all(), place


@pytest.mark.parametrize("dtype", INTEGERS)
def test_sign_of_integers(dtype: str) -> None:
    function = SCALAR_FUNCTIONS["sign"].function(dtype)
    x = interesting(dtype)
    assert [int(function(value)) for value in x] == [int(value) for value in np.sign(x)]
