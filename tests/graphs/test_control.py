"""cond and while_loop as functions, and the specs where control flow meets."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.runtime.control.effects import graph_effect
from autograph.runtime.control.functional import cond, while_loop
from autograph.runtime.control.joining import JoinError, join, renamed
from autograph.runtime.control.records import RAISE
from autograph.runtime.control.structure import flatten, same_structure
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.record import Effect
from autograph.runtime.core.spec import PYFLOAT, PYINT, ListSpec, Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.trace import Trace
from autograph.runtime.graph.verify import verify
from autograph.runtime.ops.table import OPS as o

F64 = np.dtype(np.float64)
X = np.array([1.0, 2.0, 3.0])
Pair = namedtuple("Pair", "first second")


def stage(f: Callable[..., Any], *arrays: Any) -> Graph:
    trace = Trace("g")
    with trace.active():
        inputs = [trace.add_input(Spec(one.dtype, one.shape)) for one in arrays]
        trace.graph.outputs = [trace.value_of(one) for one in flatten(f(*inputs))[0]]
    verify(trace.graph)
    return trace.graph


def same_staged(f: Callable[..., Any], *arrays: Any) -> None:
    """`f` gives the same eagerly and staged, Python numbers as Python numbers."""
    eager = flatten(f(*map(Tensor, arrays)))[0]
    for one, other in zip(eager, evaluate(stage(f, *arrays), list(arrays)), strict=True):
        if isinstance(one, Tensor):
            np.testing.assert_array_equal(one.numpy(), other)
            assert one.dtype == other.dtype
        else:
            assert type(one) is type(other) and one == other


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_cond(sign: float) -> None:
    def f(x: Any) -> Any:
        return cond(
            o.sum(x) > 0,
            lambda a, b: {"t": Pair(a * 2.0, 1), "u": [b]},
            lambda a, b: {"t": Pair(b, 7), "u": [o.exp(a)]},
            (x, x + 1.0),
        )

    same_staged(f, X * sign)


def test_cond_of_a_known_predicate_runs_one_branch() -> None:
    def never() -> Any:
        raise AssertionError

    trace = Trace("g")
    with trace.active():
        assert cond(True, lambda: 5, never) == 5
    assert cond(Tensor(False), never, lambda: 5) == 5


def test_cond_refuses_what_does_not_fit() -> None:
    def staged(one: Any, other: Any) -> None:
        stage(lambda x: cond(o.sum(x) > 0, lambda: one(x), lambda: other(x)), X)

    with pytest.raises(JoinError, match="f64"):
        staged(lambda x: x, lambda x: o.sum(x))
    with pytest.raises(JoinError, match="i64"):
        staged(lambda x: x, lambda x: o.astype(x, np.int64))
    with pytest.raises(JoinError, match="pyint"):
        staged(lambda x: 1, lambda x: 1.0)
    with pytest.raises(JoinError):
        staged(lambda x: [x, x], lambda x: [x])
    with pytest.raises(JoinError, match="nest"):
        staged(lambda x: [x], lambda x: x)
    with pytest.raises(JoinError, match="None"):
        staged(lambda x: [x, None], lambda x: [None, x])
    with pytest.raises(ValueError, match="0-d"):
        cond(Tensor(X), lambda: 1, lambda: 2)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_while_loop(n: int) -> None:
    def f(x: Any, n: Any) -> Any:
        return while_loop(
            lambda i, state: i < n,
            lambda i, state: (i + 1, {"h": state["h"] * x, "k": state["k"] + 2}),
            [0, {"h": x, "k": 0}],
        )

    same_staged(f, X, np.array(n))


def test_while_loop_whose_sizes_change() -> None:
    def f(x: Any) -> Any:
        return while_loop(lambda h: o.sum(h) < 50.0, lambda h: (o.concat([h, h]),), (x,))

    same_staged(f, X)
    (loop,) = [node for node in stage(f, X).nodes if node.op.name == "while_loop"]
    assert isinstance(loop.outputs[0].spec.shape[0], Dim)


def test_while_loop_refuses_what_changes() -> None:
    with pytest.raises(JoinError, match="begins with pyint"):
        stage(lambda x: while_loop(lambda a, h: o.sum(h) < 9, lambda a, h: (h, h), (0, x)), X)
    with pytest.raises(JoinError, match="nest"):
        stage(lambda x: while_loop(lambda h: o.sum(h) < 9, lambda h: ([h],), (x,)), X)
    with pytest.raises(JoinError, match="gives 2 values for 1"):
        while_loop(lambda h: True, lambda h: (h, h), (1,))


def test_join() -> None:
    fixed, other = Spec(F64, (2, 3)), Spec(F64, (2, 4))
    joined = join([fixed, other])
    assert isinstance(joined, Spec) and joined.shape[0] == 2
    assert isinstance(joined.shape[1], Dim)
    assert join([fixed, fixed]) == fixed
    assert join([ListSpec(fixed), ListSpec(fixed)]) == ListSpec(fixed)
    for bad in (PYFLOAT, Spec(F64, (2,)), Spec(np.dtype(np.int64), (2, 3)), ListSpec(fixed)):
        with pytest.raises(JoinError):
            join([fixed, bad])


def test_sizes_of_a_function_are_renamed_for_its_caller() -> None:
    n = Dim.symbol("n")
    inside = [Spec(F64, (n, 3))]
    results = [Spec(F64, (n + n, 2)), Spec(F64, (Dim.symbol("k"),)), PYINT]
    first, second, third = renamed(results, inside, [Spec(F64, (5, 3))])
    assert first == Spec(F64, (10, 2))
    assert isinstance(second, Spec) and second.shape != (Dim.symbol("k"),)
    assert third == PYINT


def test_effects_of_graphs() -> None:
    assert graph_effect(stage(lambda x: x * 2.0, X)) is Effect.PURE

    def raising() -> Any:
        trace: Any = STATE.interpreter
        attributes = {"exception": KeyError, "arguments": ("k",), "results": (Spec(F64, (3,)),)}
        return trace.apply(RAISE, (), attributes)[0]

    graph = stage(lambda x: cond(o.sum(x) > 0, lambda: x, raising), X)
    assert graph_effect(graph) is Effect.MAY_RAISE
    np.testing.assert_array_equal(evaluate(graph, [X])[0], X)
    with pytest.raises(KeyError, match="k"):
        evaluate(graph, [-X])


def test_structures() -> None:
    nested = {"b": [1, (2, Pair(3, None))], "a": 4}
    leaves, rebuild = flatten(nested)
    assert leaves == [4, 1, 2, 3, None]
    again = rebuild([10, 20, 30, 40, 50])
    assert again == {"b": [20, (30, Pair(40, 50))], "a": 10}
    assert list(again) == ["b", "a"] and isinstance(again["b"][1][1], Pair)
    assert same_structure(nested, again) and not same_structure(nested, {"b": 1, "a": 2})
