"""The passes: what each one removes, and that no result changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from autograph.runtime.graph.clone import clone
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.verify import verify
from autograph.runtime.ops.table import OPS, RECORDS
from autograph.runtime.optimizer import PASSES, cse, dce, fold, hoist, loops, optimize, simplify
from autograph.runtime.optimizer.rewriting import all_graphs
from tests.harness.lowered_graphs import (
    FLOAT,
    PYINT,
    choose,
    collatz,
    now,
    recurrent,
    recurrent_inputs,
    repeat,
    spec,
    traced,
)

KIND = {"kind": int}


def names(graph: Graph) -> list[str]:
    """The ops of a graph and its sub-graphs."""
    return [node.op.name for one in all_graphs(graph) for node in one.nodes]


def applied(graph: Graph, *passes: Callable[[Graph], bool]) -> Graph:
    """A copy of the graph after these passes."""
    result = clone(graph)
    for one in passes:
        one(result)
    verify(result)
    return result


def test_fold_computes_what_is_known() -> None:
    graph = traced([spec(2)], lambda x: (x * OPS.exp(np.float32(0.0) + np.zeros(2, FLOAT)),))
    folded = applied(graph, fold.run, dce.run)
    assert names(folded) == ["constant", "multiply"]


def test_fold_chooses_known_branches() -> None:
    def body(x: Any) -> Sequence[Any]:
        test = OPS.equal(np.int64(3), np.int64(3))
        return choose(test, lambda: (x + 1,), lambda: (x - 1,))

    assert "cond" not in names(applied(traced([spec(2)], body), fold.run))


def test_fold_leaves_what_raises() -> None:
    graph = traced([PYINT], lambda n: (n + 1,))
    nothing = np.array(np.nan)
    failing = traced([PYINT], lambda n: (now().apply(RECORDS["to_number"], (nothing,), KIND) + n,))
    assert "to_number" in names(applied(failing, fold.run, dce.run))
    assert names(applied(graph, *PASSES))[-1] == "py_add"


def test_cse_computes_equal_things_once() -> None:
    graph = traced([spec(2)], lambda x: (OPS.exp(x) + OPS.exp(x), OPS.exp(x) * 0.0, x * -0.0))
    merged = applied(graph, cse.run)
    assert names(merged).count("exp") == 1
    assert names(merged).count("multiply") == 2


def test_dce_keeps_effects() -> None:
    def body(x: Any, n: Any) -> Sequence[Any]:
        OPS.exp(x)
        n // 0
        return (x,)

    kept = names(applied(traced([spec(2), PYINT], body), dce.run))
    assert "exp" not in kept and "py_floordiv" in kept


def test_dce_trims_loops_and_branches() -> None:
    def body(x: Any, n: Any) -> Sequence[Any]:
        def turn(used: Any, unused: Any, i: Any) -> Sequence[Any]:
            return used + 1, OPS.exp(unused), i - 1

        used, _, _ = repeat(lambda used, unused, i: i > 0, turn, (x, x, n))
        first, _ = choose(n > 0, lambda: (used, OPS.sin(x)), lambda: (x, x))
        return (first,)

    graph = traced([spec(2), PYINT], body)
    trimmed = applied(graph, dce.run, dce.run)
    (loop,) = [node for node in trimmed.nodes if node.op.name == "while_loop"]
    assert loop.attributes["carried"] == 2
    assert not {"exp", "sin"} & set(names(trimmed))


def test_loops_make_invariants_of_what_stays() -> None:
    def body(x: Any, n: Any) -> Sequence[Any]:
        a, b, _ = repeat(lambda a, b, i: i > 0, lambda a, b, i: (a + b, b, i - 1), (x, x * 2, n))
        return a, b

    graph = applied(traced([spec(2), PYINT], body), loops.run)
    (loop,) = [node for node in graph.nodes if node.op.name == "while_loop"]
    assert loop.attributes["carried"] == 2


def test_hoist_moves_invariants_out_of_loops() -> None:
    def body(x: Any, w: Any, n: Any) -> Sequence[Any]:
        turn = lambda a, i: (a @ OPS.exp(w), i - 1)  # noqa: E731
        return (repeat(lambda a, i: i > 0, turn, (x, n))[0],)

    graph = applied(traced([spec(2, 2), spec(2, 2), PYINT], body), hoist.run)
    assert "exp" in [node.op.name for node in graph.nodes]


def test_positions_that_an_op_found_are_not_checked() -> None:
    def body(x: Any, y: Any, z: Any) -> Sequence[Any]:
        return y[OPS.argsort(x)], y[x > 0], z[OPS.argsort(x)], y[OPS.argsort(x) + 1]

    graph = traced([spec(5), spec(5), spec(4)], body)
    assert names(graph).count("checked_indices") == 4
    assert names(applied(graph, simplify.run)).count("checked_indices") == 2


def test_dce_sees_what_branches_in_branches_need() -> None:
    def body(x: Any, y: Any) -> Sequence[Any]:
        inner = lambda: choose(x[0] > 1, lambda: (x + 1, OPS.exp(y)), lambda: (x, y))  # noqa: E731
        found = choose(x[0] > 0, inner, lambda: (x - 1, y))
        return (found[0],)

    left = applied(traced([spec(2), spec(2)], body), dce.run)
    assert "exp" not in names(left)
    assert [len(one.inputs) for one in all_graphs(left)][-1] == 2
    assert all(len(one.inputs) == 1 for one in all_graphs(left)[:-1])


def test_simplify_removes_what_changes_nothing() -> None:
    def body(x: Any) -> Sequence[Any]:
        return (OPS.astype(OPS.reshape(x * 1, (2, 3)), FLOAT),)

    assert set(names(applied(traced([spec(2, 3)], body), simplify.run, dce.run))) <= {"constant"}


GRAPHS = [
    (collatz(), [np.array(27)]),
    (recurrent(4, 2, 3), recurrent_inputs(4, 2, 3)),
]


@pytest.mark.parametrize(("graph", "inputs"), GRAPHS, ids=("collatz", "recurrent"))
def test_optimized_graphs_give_the_same_bits(graph: Graph, inputs: Sequence[Any]) -> None:
    before = len(names(graph))
    expected = evaluate(graph, inputs)
    better = optimize(graph)
    verify(better)
    for got, wanted in zip(evaluate(better, inputs), expected, strict=True):
        np.testing.assert_array_equal(got, wanted)
    assert len(names(graph)) == before  # the original is left alone
    assert len(names(better)) <= before
