"""Nests over the same rows run block by block, where rows need nothing of each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.lower import build

RANDOM = np.random.default_rng(0)


def softmax(x: Any) -> Any:
    return ag.softmax(x, axis=-1)


def log_softmax(x: Any) -> Any:
    return ag.log_softmax(x, axis=-1)


def layer_norm(x: Any) -> Any:
    mean = ag.mean(x, axis=-1, keepdims=True)
    variance = ag.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return (x - mean) / ag.sqrt(variance + 1e-5)


def cross_entropy(x: Any) -> Any:
    shifted = x - ag.max(x, axis=-1, keepdims=True)
    return ag.log(ag.sum(ag.exp(shifted), axis=-1)) - ag.mean(shifted, axis=-1)


def other_rows(x: Any) -> Any:
    """What the second nest reads comes from another row."""
    scaled = x / ag.sum(x, axis=-1, keepdims=True)
    return ag.sum(ag.flip(scaled, axis=0), axis=-1)


def columns(x: Any) -> Any:
    """Each element needs all rows."""
    return x / ag.sum(x, axis=0)


def run(function: Any, shape: tuple[int, ...], jit: bool) -> str:
    x = RANDOM.normal(size=shape).astype(np.float32)
    concrete = ag.function(function).concrete(ag.asarray(x))
    program = build(concrete.graph, jit=jit)
    for got, wanted in zip(program.run([x]), evaluate(concrete.graph, [x]), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=1e-6)
    return str(program.text)


@pytest.mark.parametrize("jit", [False, pytest.param(True, marks=pytest.mark.compiled)])
@pytest.mark.parametrize("function", [softmax, log_softmax, layer_norm, cross_entropy])
def test_kernels_of_rows_are_one_loop(function: Any, jit: bool) -> None:
    for shape in ((7, 5), (1, 3), (0, 4), (3, 5000) if jit else (3, 9000)):
        text = run(function, shape, jit)
        assert shape[0] < 2 or text.count("parallel_range(") == 1, text


def test_rows_that_need_others_are_not() -> None:
    assert "block0" not in run(columns, (6, 4), False)
    text = run(other_rows, (6, 4), False)
    assert text.count("parallel_range(") == 2, text
    after = text[text.rindex("parallel_range(") :]
    assert "block" not in after, text
