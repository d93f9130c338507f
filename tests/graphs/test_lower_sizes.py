"""Sizes are parameters: one text for all batch sizes, and programs for sizes that were assumed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from autograph.kernels.compile import COUNTS
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.lower import build
from autograph.runtime.ops.table import OPS
from tests.harness.lowered_graphs import (
    FLOAT,
    PYINT,
    choose,
    recurrent,
    recurrent_inputs,
    spec,
    traced,
)


@pytest.mark.compiled
def test_twenty_batch_sizes_compile_once() -> None:
    texts = set()
    build(recurrent(3, 2, 5), jit=True)
    before = COUNTS["compiled"] + COUNTS["loaded"]
    for batch in range(1, 21):
        program = build(recurrent(3, batch, 5), jit=True)
        texts.add(program.text)
        inputs = recurrent_inputs(3, batch, 5)
        expected = evaluate(recurrent(3, batch, 5), inputs)
        np.testing.assert_allclose(program.run(inputs)[1], expected[1], rtol=1e-5, atol=1e-6)
    assert len(texts) == 1
    assert COUNTS["compiled"] + COUNTS["loaded"] == before


def test_known_and_symbolic_sizes_have_one_text() -> None:
    texts = {
        build(recurrent(*sizes), jit=False).text
        for sizes in ((5, 3, 4), (1, 1, 2), ("n0_0", 3, 4), ("n0_0", "n0_1", 4))
    }
    assert len({_without_comments(text) for text in texts}) == 1


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))


def average(x: Any, y: Any) -> Sequence[Any]:
    return OPS.mean((x + y) * 2.0), OPS.dimension(x, 0) * 3


def test_sizes_taken_to_be_equal_may_differ() -> None:
    graph = traced([spec("a", 2), spec("b", 2)], average)
    program = build(graph, jit=False)
    x = np.arange(6, dtype=FLOAT).reshape(3, 2)
    total, tripled = program.run([x, x])
    assert (float(total), tripled) == (10.0, 9)
    with pytest.raises(ValueError, match="could not be broadcast"):
        program.run([x, x[:2]])
    assert float(program.run([x, x])[0]) == 10.0


def test_sizes_that_only_one_branch_needs_to_be_equal() -> None:
    graph = traced(
        [spec("a"), spec("b"), PYINT],
        lambda x, y, n: choose(n > 0, lambda: (OPS.sum(x + y),), lambda: (OPS.sum(x),)),
    )
    program = build(graph, jit=False)
    x, y = np.ones(3, FLOAT), np.ones(4, FLOAT)
    assert float(program.run([x, x, 1])[0]) == 6.0
    assert float(program.run([x, y, 0])[0]) == 3.0
    with pytest.raises(ValueError, match="could not be broadcast"):
        program.run([x, y, 1])


def test_slices_of_symbolic_sizes() -> None:
    def parts(x: Any) -> Sequence[Any]:
        half = OPS.dimension(x, 0) // 2
        return x[:half], x[half:], x[::-2], x[1:-1], x[-3:]

    graph = traced([spec("n", 2)], parts)
    program = build(graph, jit=False)
    assert program.is_native
    for size in (3, 4, 7):
        x = np.arange(2.0 * size, dtype=FLOAT).reshape(size, 2)
        for got, wanted in zip(program.run([x]), evaluate(graph, [x]), strict=True):
            np.testing.assert_array_equal(got, wanted)
