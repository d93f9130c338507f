"""Products in loops, computed ahead for several turns: the same numbers, whatever the turns do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.kernels import native
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.lower import build

t = ag.asarray
RANDOM = np.random.default_rng(3)


def tensor(*shape: int) -> Any:
    return t(RANDOM.normal(size=shape).astype(np.float32) * 0.5)


def upwards(x: Any, w: Any, u: Any, n: Any) -> Any:
    h = x[0] * 0
    for i in range(n):
        h = ag.tanh(x[i] @ w + h @ u)
    return h


def downwards(x: Any, w: Any, u: Any, n: Any) -> Any:
    h = x[0] * 0
    for i in range(n - 1, -1, -1):
        h = ag.tanh(x[i] @ w + h @ u)
    return h


def jumping(x: Any, w: Any, u: Any, n: Any) -> Any:
    h = x[0] * 0
    for i in range(n * 3):
        h = ag.tanh(x[(i * 5) % n] @ w + h @ u)
    return h


def turning_back(x: Any, w: Any, u: Any, n: Any) -> Any:
    h, at, way = x[0] * 0, 0, 1
    for _ in range(n * 4):
        h = ag.tanh(x[at] @ w + h @ u)
        if at + way < 0 or at + way >= n:
            way = -way
        at += way
    return h


def standing_still(x: Any, w: Any, u: Any, n: Any) -> Any:
    h, at = x[0] * 0, 0
    for i in range(n * 3):
        h = ag.tanh(x[at] @ w + h @ u)
        if i % 3 == 2:
            at += 1
    return h


def under_a_condition(x: Any, w: Any, u: Any, n: Any) -> Any:
    h = x[0] * 0
    for i in range(n):
        if i % 3 > 0:
            h = h + x[i] @ w
        else:
            h = h * 0.5 + x[i] @ u
    return h


def batch_first(x: Any, w: Any, u: Any, n: Any) -> Any:
    h = x[:, 0] * 0
    for i in range(ag.minimum(n, x.shape[1])):
        h = ag.tanh(x[:, i] @ w + h @ u.T)
    return h


def one_row_a_turn(x: Any, w: Any, u: Any, n: Any) -> Any:
    rows = x[:, 0]
    h = rows[0] * 0
    for i in range(n):
        h = ag.tanh(rows[i] @ w + h @ u)
    return h


def weights_first(x: Any, w: Any, u: Any, n: Any) -> Any:
    rows = x[:, 0]
    h = rows[0] * 0
    for i in range(n):
        h = ag.tanh(w @ rows[i] + u.T @ h + w.T @ rows[i])
    return h


def from_the_end(x: Any, w: Any, u: Any, n: Any) -> Any:
    h = x[0] * 0
    for i in range(n):
        h = ag.tanh(x[-1 - i] @ w.T + h @ u)
    return h


def the_loop_writes_where_it_got_a_part(x: Any, w: Any, u: Any, n: Any) -> Any:
    total = x[0] * 0
    for k in range(3):
        for i in range(n):
            part = x[i] @ w
            part = part + (total @ u) * k
            part[0] = 1.0
            total = total * 0.25 + part
        w = w * 0.5
    return total


PROGRAMS = (
    upwards,
    downwards,
    jumping,
    turning_back,
    standing_still,
    under_a_condition,
    batch_first,
    one_row_a_turn,
    weights_first,
    from_the_end,
    the_loop_writes_where_it_got_a_part,
)
JIT = [pytest.param(False, id="text"), pytest.param(True, id="native", marks=pytest.mark.compiled)]


def values_for(function: Callable[..., Any], turns: int) -> tuple[Any, list[Any]]:
    given = (tensor(23, 3, 5), tensor(5, 5), tensor(5, 5), t(turns))
    concrete = ag.function(function).concrete(*given)
    return concrete.graph, concrete.values(given)


@pytest.mark.parametrize("turns", (1, 4, 23))
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: str(one.__name__))
def test_text_gives_what_the_graph_gives(function: Callable[..., Any], turns: int) -> None:
    check(function, turns, False)


@pytest.mark.compiled
@pytest.mark.parametrize("function", (turning_back, weights_first, batch_first))
def test_native_code_gives_what_the_graph_gives(function: Callable[..., Any]) -> None:
    check(function, 23, True)


def check(function: Callable[..., Any], turns: int, jit: bool) -> None:
    graph, values = values_for(function, turns)
    program = build(graph, jit=jit)
    assert program.is_native
    assert "ahead" in program.text
    for got, wanted in zip(program.run(values), evaluate(graph, values), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


def test_a_block_of_rows_is_multiplied_at_once() -> None:
    """Over 60 turns few products of `x` and `w`, and no row that is not asked for soon."""
    given = (tensor(60, 2, 5), tensor(5, 5), tensor(5, 5), t(60))
    concrete = ag.function(upwards).concrete(*given)
    program = build(concrete.graph, jit=False)
    counts: list[int] = []
    text = program.text.replace("multiply_matrices(", "counted(")
    from autograph.kernels import compile as compiling
    from autograph.kernels.library.product import multiply_matrices

    def counted(out: Any, a: Any, b: Any, rows: int, *rest: int) -> None:
        counts.append(rows)
        multiply_matrices(out, a, b, rows, *rest)  # type: ignore[call-arg]

    compiling.LIBRARY["counted"] = counted
    try:
        program.entry = compiling.entry_of(text, jit=False)  # type: ignore[attr-defined]
        program.run(concrete.values(given))
    finally:
        del compiling.LIBRARY["counted"]
    ahead = [rows for rows in counts if rows != 2]
    assert ahead == [4, 8, 16, 32, 58] and len(counts) == 60 + 6


@pytest.mark.compiled
def test_large_blocks_are_kept_for_the_next_call() -> None:
    native.load_support()
    take, give = native.support_function("take_block"), native.support_function("give_block")
    small, large = take(100), take(1 << 20)
    assert small and large and small % 16 == large % 16 == 0
    give(large)
    again = take((1 << 20) - 5000)
    assert again == large, "the block of the last call"
    other = take(1 << 20)
    assert other != large
    for block in (small, again, other):
        give(block)
