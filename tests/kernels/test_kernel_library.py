"""The kernels of the library: the same text in CPython and compiled, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.kernels.compile import entry_of
from autograph.runtime.core.python_versions import FALLS_OVER_EQUALS

SILENT = ("multiply_matrices",)

MODES = (False, pytest.param(True, marks=pytest.mark.compiled))
RANDOM = np.random.default_rng(0)


def run(jit: bool, name: str, *arguments: Any) -> int:
    """Call a kernel in a program; gives its status (0 where it gives none).

    Arrays are passed as flat buffers. Numbers are arguments of the program as well, so that one
    program serves all calls with the same dtypes.
    """
    lines, words = ["def program(arguments):"], []
    arrays = [argument for argument in arguments if isinstance(argument, np.ndarray)]
    numbers = [argument for argument in arguments if isinstance(argument, int)]
    place = number = 0
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            words.append(f"{argument.dtype.name}_at(array_data(arguments, {place}))")
            place += 1
        elif isinstance(argument, int):
            words.append(f"numbers[{number}]")
            number += 1
        else:
            words.append(argument)
    lines.append(f"    numbers = int64_at(array_data(arguments, {place}))")
    call = f"{name}({', '.join(words)})"
    lines.append(f"    {call}" if name in SILENT else f"    numbers[0] = {call}")
    values = np.array([*numbers, 0], np.int64)
    assert not entry_of("\n".join([*lines, "    return 0"]) + "\n", jit)(*arrays, values)
    return 0 if name in SILENT else int(values[0])


def filled(shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    if dtype == "bool":
        return RANDOM.random(shape) < 0.4
    if np.dtype(dtype).kind == "f":
        return RANDOM.normal(size=shape).astype(dtype)
    return RANDOM.integers(0, 120, shape).astype(dtype)


# products -----------------------------------------------------------------------------------------
PRODUCTS = [
    (3, 4, 5),
    (1, 4, 5),
    (3, 1, 5),
    (1, 1, 7),
    (3, 4, 1),
    (3, 4, 0),
    (0, 4, 5),
    (33, 17, 65),
    (41, 710, 93),  # those are cut: along the columns, along the rows
    (530, 35, 130),
]


@pytest.mark.parametrize("jit", MODES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_of_floats(dtype: str, jit: bool) -> None:
    for rows, columns, inner in PRODUCTS:
        for flags in range(8):
            turn_a, turn_b, add = flags & 1, flags >> 1 & 1, flags >> 2
            a = filled((inner, rows) if turn_a else (rows, inner), dtype)
            b = filled((columns, inner) if turn_b else (inner, columns), dtype)
            out = filled((rows, columns), dtype)
            expected = (a.T if turn_a else a) @ (b.T if turn_b else b)
            expected = out + expected if add else expected
            sizes = (rows, columns, inner, turn_a, turn_b, add)
            run(jit, "multiply_matrices", out, a, b, *sizes)
            assert np.allclose(out, expected, rtol=1e-5, atol=1e-5), sizes


@pytest.mark.parametrize("jit", MODES)
@pytest.mark.parametrize("dtype", ["int8", "uint64", "bool"])
def test_products_of_integers_and_bools(dtype: str, jit: bool) -> None:
    name = "multiply_bools" if dtype == "bool" else "multiply_integers"
    a, b = filled((3, 4), dtype), filled((4, 5), dtype)
    for turned in (False, True):
        out, right = np.ones((3, 5), dtype), np.ascontiguousarray(b.T) if turned else b
        steps = (1, 4) if turned else (5, 1)
        assert run(jit, name, out, a, right, 3, 5, 4, 4, 1, *steps) == 0
        assert (out == a @ b).all()


# along an axis ------------------------------------------------------------------------------------
@pytest.mark.parametrize("jit", MODES)
@pytest.mark.parametrize(
    ("dtype", "result"), [("float32", "float32"), ("int8", "int8"), ("bool", "int64")]
)
def test_scans(dtype: str, result: str, jit: bool) -> None:
    for shape in ((2, 5, 3), (1, 1, 4), (3, 0, 2), (1, 7, 1)):
        a = filled(shape, dtype)
        for name, exact in (("cumulative_sum", np.cumsum), ("cumulative_product", np.cumprod)):
            out = np.zeros(shape, result)
            assert run(jit, name, out, a, *shape) == 0
            assert np.allclose(out, exact(a, axis=1, dtype=result), rtol=1e-5)


@pytest.mark.parametrize("jit", MODES)
def test_places_of_extremes(jit: bool) -> None:
    with_nan = np.array([[1, np.nan, 3, np.nan], [np.nan, 5, 5, 1], [2, 7, 7, -1]], np.float32)
    arrays = [with_nan.reshape(3, 4, 1), with_nan.reshape(1, 3, 4), filled((2, 5, 3), "int8")]
    arrays += [filled((2, 5, 3), "bool"), np.full((1, 2, 1), -np.inf, np.float32)]
    for a in arrays:
        outer, _, inner = a.shape
        for name, exact in (("place_of_maximum", np.argmax), ("place_of_minimum", np.argmin)):
            out = np.full((outer, inner), -1)
            assert run(jit, name, out, a, *a.shape) == 0
            assert (out == exact(a, axis=1)).all(), a
            nothing = np.zeros((2, 0, 3), np.float32)
            assert run(jit, name, np.zeros(6, np.int64), nothing, 2, 0, 3) == 1
            assert run(jit, name, np.zeros(0, np.int64), nothing, 0, 0, 3) == 0


# moving rows --------------------------------------------------------------------------------------
@pytest.mark.parametrize("jit", MODES)
def test_rows_by_index(jit: bool) -> None:
    a = filled((2, 5, 3), "float32")
    indices = np.array([0, 4, -1, 2, 2, -5], np.int32)
    updates = filled((2, 6, 3), "float32")
    out = np.zeros((2, 6, 3), np.float32)
    assert run(jit, "take_rows", out, a, indices, 2, 5, 6, 3) == 0
    assert (out == a[:, indices]).all()
    out, expected = a.copy(), a.copy()
    assert run(jit, "scatter_add_rows", out, indices, updates, 2, 5, 6, 3) == 0
    np.add.at(expected, (slice(None), indices), updates)
    assert np.allclose(out, expected)
    out, expected = a.copy(), a.copy()
    assert run(jit, "put_rows", out, indices, updates, 2, 5, 6, 3) == 0
    expected[:, indices] = updates
    assert (out == expected).all()
    out = np.zeros((2, 3, 3), np.float32)
    assert run(jit, "take_rows", out, a, np.array([0, 5, 1], np.int32), 2, 5, 3, 3) == 2
    assert run(jit, "scatter_add_rows", out, np.array([-4], np.int32), updates, 2, 3, 1, 3) == 1
    assert run(jit, "put_rows", out, np.array([1, 2, 3], np.int32), updates, 2, 3, 3, 3) == 3
    assert (out == 0).all()


@pytest.mark.parametrize("jit", MODES)
def test_copies(jit: bool) -> None:
    hot = np.full((4, 3), 9, np.float32)
    assert run(jit, "one_hot", hot, np.array([2, 0, 7, -1]), 4, 3) == 0
    assert (hot == np.array([[0, 0, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0]])).all()
    a, b = filled((4, 3), "int16"), filled((4, 2), "int16")
    joined, repeated = np.zeros((4, 5), np.int16), np.zeros((4, 3, 3), np.int16)
    assert run(jit, "copy_rows", joined, a, 4, 3, 0, 5, 3) == 0
    assert run(jit, "copy_rows", joined, b, 4, 2, 3, 5, 2) == 0
    assert (joined == np.concatenate([a, b], axis=1)).all()
    assert run(jit, "repeat_rows", repeated, a, 4, 3, 3) == 0
    assert (repeated == a[:, None, :]).all()
    tall, turned = filled((2, 37, 21), "float64"), np.zeros((2, 21, 37))
    assert run(jit, "transpose_rows", turned, tall, 2, 37, 21) == 0
    assert (turned == tall.transpose(0, 2, 1)).all()
    mask, places = filled((50,), "bool"), np.full(50, -1)
    assert run(jit, "places_of_true", places, mask, 50) == mask.sum()
    assert (places[: mask.sum()] == np.flatnonzero(mask)).all()


# sorting ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("jit", MODES)
@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_sorting(dtype: str, jit: bool) -> None:
    for columns in (0, 1, 2, 15, 16, 17, 100, 257):
        a = np.round(filled((2, columns), dtype).astype(float) * 4).astype(dtype)
        if dtype == "float32":
            a[:, 5:columns:7] = np.nan
        out = np.zeros_like(a)
        assert run(jit, "sort_rows", out, np.zeros(columns, dtype), a, 2, columns) == 0
        assert np.array_equal(out, np.sort(a, axis=1), equal_nan=dtype == "float32")
        merged = a[:1].copy()
        assert run(jit, "merge_row", merged, np.zeros(columns, dtype), 0, columns) == 0
        assert np.array_equal(merged[0], out[0], equal_nan=dtype == "float32")
        places, scratch = np.full(a.shape, -1), np.zeros(columns, np.int64)
        assert run(jit, "argsort_rows_quickly", places, scratch, a, 2, columns) == 0
        assert (places == np.argsort(a, axis=1)).all()
        which = np.array([columns - 1, 0, columns // 2, columns // 3] if columns else [], np.int64)
        found, scratch = np.zeros((len(which), 2), dtype), np.zeros(columns, dtype)
        assert run(jit, "select_rows", found, scratch, a, which, 2, columns, len(which)) == 0
        assert np.array_equal(found, out.T[which], equal_nan=dtype == "float32")
        beyond = np.array([0, columns])
        assert run(jit, "select_rows", found, scratch, a, beyond, 2, columns, 2) == 1 + (
            columns > 0
        )
        for falling in (0, 1):
            places, scratch = np.full(a.shape, -1), np.zeros(columns, np.int64)
            assert run(jit, "argsort_rows", places, scratch, a, 2, columns, falling) == 0
            key = -a.astype(float) if falling else a
            assert (places == np.argsort(key, axis=1, kind="stable")).all()
            merged = np.tile(np.arange(columns), (2, 1))
            for row in range(2 if columns else 0):
                base = row * columns
                assert run(jit, "merge_order", merged, scratch, a, base, columns, falling) == 0
            assert (merged == places).all()
            row = np.ascontiguousarray(a[0] if columns < 64 else np.nan_to_num(a[0]))
            places, scratch = np.full(columns, -1), np.zeros(columns, np.int64)
            how = (columns, falling, int(FALLS_OVER_EQUALS))
            assert run(jit, "order_items", places, scratch, row, *how) == 0
            items = row.tolist()
            expected = sorted(range(columns), key=items.__getitem__, reverse=bool(falling))
            assert places.tolist() == expected
