"""Random numbers: known answers, the same bits in every use, the distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.kernels.compile import entry_of
from autograph.kernels.random_numbers import random_integers, random_normal, random_uniform
from autograph.kernels.scalar import SCALAR_FUNCTIONS
from autograph.kernels.scalar.threefry import random_bits

# Of the authors' own library Random123, file kat_vectors: threefry2x32, 20 rounds; the words of
# counter, key and result with the lower one first
KNOWN = (
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
)
FLOATS: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    ("random_uniform", "float32", random_uniform),
    ("random_uniform", "float64", random_uniform),
    ("random_normal", "float32", random_normal),
    ("random_normal", "float64", random_normal),
)
SEED = 2**63 + 12345


def word(low: int, high: int) -> np.uint64:
    return np.uint64(low | high << 32)


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN)
def test_known_answers(counter: Any, key: Any, result: Any) -> None:
    assert random_bits(word(*key), word(*counter)) == word(*result)
    arrays = random_bits(np.array([word(*key)]), np.array([word(*counter)]))
    assert arrays.dtype == np.uint64
    assert arrays[0] == word(*result)


@pytest.mark.parametrize(("name", "dtype", "arrays"), FLOATS)
def test_scalars_have_the_bits_of_arrays(name: str, dtype: str, arrays: Callable[..., Any]) -> None:
    function = SCALAR_FUNCTIONS[name].function(dtype)
    with np.errstate(all="ignore"):
        found = np.array([function(np.uint64(SEED), np.int64(i)) for i in range(200)])
    assert found.dtype == dtype
    assert (found.reshape(10, 20) == arrays(SEED, (10, 20), dtype)).all()


@pytest.mark.compiled
def test_programs_have_the_bits_of_arrays() -> None:
    lines = [
        "def program(arguments):",
        "    seed = uint64_at(array_data(arguments, 0))",
        "    numbers = int64_at(array_data(arguments, 5))",
        "    bounds = int64_at(array_data(arguments, 6))",
    ]
    count = 40_000
    outs = []
    for place, (name, dtype, _) in enumerate(FLOATS):
        call = f"{SCALAR_FUNCTIONS[name].functions[dtype]}(seed[0], i)"
        lines.append(f"    o{place} = {dtype}_at(array_data(arguments, {place + 1}))")
        lines.append(f"    for i in range({count}):\n        o{place}[i] = {call}")
        outs.append(np.empty(count, dtype))
    lines.append(f"    for i in range({count}):")
    lines.append("        numbers[i] = random_integer(seed[0], i, bounds[0], bounds[1])")
    numbers = np.empty(count, np.int64)
    low, high = -(2**63), 2**62 + 1
    entry = entry_of("\n".join([*lines, "    return 0"]) + "\n", jit=True)
    assert not entry(np.array([SEED], np.uint64), *outs, numbers, np.array([low, high]))
    for out, (_, dtype, arrays) in zip(outs, FLOATS, strict=True):
        assert (out == arrays(SEED, (count,), dtype)).all()
    assert (numbers == random_integers(SEED, (count,), low, high)).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform_numbers_are_even(dtype: str) -> None:
    x = random_uniform(3, (400, 500), dtype)
    assert x.dtype == dtype
    assert x.shape == (400, 500)
    assert 0 <= x.min() < 1e-4
    assert 1 - 1e-4 < x.max() < 1
    counts = np.bincount((x.ravel() * 64).astype(int), minlength=64)
    assert np.square(counts - x.size / 64).sum() / (x.size / 64) < 120  # chi square, 63 free


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normal_numbers_are_normal(dtype: str) -> None:
    from statistics import NormalDist

    x = np.sort(random_normal(5, (200_000,), dtype).astype(float))
    exact = np.array([NormalDist().cdf(value) for value in x[::50]])
    place = np.arange(0, x.size, 50) / x.size
    assert np.abs(exact - place).max() < 1.95 / np.sqrt(x.size)  # Kolmogorov: 1 in 1,000
    assert np.abs(np.corrcoef(random_normal(5, (2, 100_000), dtype))[0, 1]) < 0.015


def test_integers_are_even_and_inside() -> None:
    x = random_integers(9, (220_000,), -5, 17)
    counts = np.bincount(x + 5)
    assert counts.size == 22
    assert np.square(counts - 10_000).sum() / 10_000 < 57  # chi square, 21 free
    assert random_integers(1, (2, 3), 0, 256, np.uint8).dtype == np.uint8
    assert (random_integers(1, (50,), 7, 8) == 7).all()
    with pytest.raises(ValueError, match="low < high"):
        random_integers(1, (2,), 3, 3)


def test_seeds_are_streams_of_their_own() -> None:
    assert (random_uniform(1, (100,)) != random_uniform(2, (100,))).mean() > 0.95
    assert (random_uniform(-1, (100,)) == random_uniform(2**64 - 1, (100,))).all()
    assert (random_uniform(1, (20_000,))[:5] == random_uniform(1, (5,))).all()


def test_other_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match="float32, float64"):
        random_normal(1, (2,), np.int32)
