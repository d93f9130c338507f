"""The first turn taken out of loops: only where it pays, and with the same results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.lower import build
from autograph.runtime.optimizer import optimize
from autograph.runtime.optimizer.rewriting import nodes_of

t = ag.asarray


def total(x: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        total = total + x[i] * i
    return total


def nested(x: Any, n: Any) -> Any:
    best = None
    for i in range(n):
        a = b = 0.0
        while a * a + b * b < 4.0 and a < i:
            a, b = a + x[0] * 0.125 + 0.5, b + x[1]
        best = a if best is None else ag.maximum(best, a + b)
    return best


def leaves_early(x: Any, n: Any) -> Any:
    y = 0.0
    for i in range(n):
        if y > 2.0:
            break
        y = y + x[0]
        if i > 5:
            return y, i
    else:
        return y, -1
    return y, -2


def grows_a_list(x: Any, n: Any) -> Any:
    state, seen = 0.0, []
    for i in range(n):
        state = ag.tanh(state + x)
        seen.append(state * i)
    return seen, state


def gradient(x: Any, n: Any) -> Any:
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = 0.0
        for i in range(n):
            y = y * 0.5 + ag.sum(x * x) * i if i > 1 else y + x[0]
        z = y * 2.0 if n > 0 else ag.sum(x)
    return z, tape.gradient(z, x)


def raises_in_the_first_turn(x: Any, n: Any) -> Any:
    y = 0.0
    for i in range(n):
        if ag.sum(x) * 0 + y > 1e9 or int(n) == 2:
            raise ValueError("stop", i)
        y = y + x[0]
    return y


def plain_state(x: Any, n: Any) -> Any:
    y = x * 0
    for i in range(n):
        y = y + x * i
    return y


PEELED = (total, nested, leaves_early, grows_a_list, gradient, raises_in_the_first_turn)


def case_of(function: Callable[..., Any], turns: int) -> tuple[Graph, list[Any]]:
    given = (t([0.5, -0.25, 1.5, 2.0, 0.75, 1.0, 0.25, 0.5]), t(turns))
    concrete = ag.function(function).concrete(*given)
    return concrete.graph, concrete.values(given)


def outcome(run: Callable[[], Any]) -> Any:
    try:
        found = run()
    except ValueError as error:
        return error.args
    return [np.asarray(list(one) if isinstance(one, ListValue) else one) for one in found]


@pytest.mark.parametrize("turns", (0, 1, 2, 8))
@pytest.mark.parametrize("function", (*PEELED, plain_state), ids=lambda one: str(one.__name__))
def test_the_results_are_the_same(function: Callable[..., Any], turns: int) -> None:
    graph, values = case_of(function, turns)
    expected = outcome(lambda: evaluate(graph, values))
    for found in (
        outcome(lambda: evaluate(optimize(graph), values)),
        outcome(lambda: build(graph, jit=False).run(values)),
    ):
        assert type(found) is type(expected) and len(found) == len(expected)
        for got, wanted in zip(found, expected, strict=True):
            if isinstance(wanted, np.ndarray):
                assert got.dtype == wanted.dtype and got.shape == wanted.shape
                np.testing.assert_allclose(got, wanted, rtol=1e-5)
            else:
                assert got == wanted


def tags_carried(graph: Graph) -> int:
    """Conds in the steps of loops that ask for a carried number."""
    count = 0
    for _, node in nodes_of(graph):
        if node.op.name == "while_loop":
            step: Graph = node.attributes["step"]
            carried = set(step.inputs[: node.attributes["carried"]])
            count += sum(one.op.name == "cond" and one.inputs[0] in carried for one in step.nodes)
    return count


@pytest.mark.parametrize("function", (total, grows_a_list), ids=lambda one: str(one.__name__))
def test_no_turn_asks_which_kind_its_state_is(function: Callable[..., Any]) -> None:
    graph, _ = case_of(function, 3)
    assert tags_carried(optimize(graph)) == 0


def test_a_loop_whose_turns_are_alike_stays_whole() -> None:
    graph, _ = case_of(plain_state, 3)
    loops = [node for _, node in nodes_of(optimize(graph)) if node.op.name == "while_loop"]
    assert len(loops) == 1
    assert any(node.op.name == "while_loop" for node in optimize(graph).nodes)
