"""Gradients of staged control flow, of order 1 and 2, against central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.runtime.autodiff.backward.differentiate import differentiate
from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.autodiff.saving.cut import smallest_cut
from autograph.runtime.control.building import build_cond, build_while
from autograph.runtime.control.functional import cond, while_loop
from autograph.runtime.control.records import CALL, RAISE
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.spec import PYBOOL, PYINT, Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.trace import Trace
from autograph.runtime.graph.verify import verify
from autograph.runtime.ops.table import OPS as o

Array = Any
FLOAT = np.dtype(np.float64)


def trace_of() -> Trace:
    trace = STATE.interpreter
    assert isinstance(trace, Trace)
    return trace


def stage(f: Callable[..., Any], *arrays: Array, symbolic: bool = False) -> Graph:
    """The graph of `f`, whose results are a tensor or several."""
    trace = Trace("g")
    with trace.active():
        inputs = []
        for k, array in enumerate(arrays):
            shape = array.shape
            if symbolic:
                shape = tuple(Dim.symbol(f"s{k}_{i}") for i in range(array.ndim))
            inputs.append(trace.add_input(Spec(array.dtype, shape)))
        results = f(*inputs)
        results = results if isinstance(results, tuple | list) else (results,)
        trace.graph.outputs = [trace.value_of(one) for one in results]
    verify(trace.graph)
    return trace.graph


def run(f: Callable[..., Any], *arrays: Array, symbolic: bool = False) -> list[Array]:
    return evaluate(stage(f, *arrays, symbolic=symbolic), [np.asarray(one) for one in arrays])


def gradient_of(f: Callable[..., Any], positions: tuple[int, ...]) -> Callable[..., Any]:
    """The function of the gradients of the sum of `f`, None as zeros."""

    def gradient(*tensors: Any) -> list[Any]:
        chosen = [tensors[k] for k in positions]
        with GradientTape() as tape:
            tape.watch(chosen)
            total = o.sum(o.sin(f(*tensors) * 0.3))
        found = tape.gradient(total, chosen)
        return [o.zeros_like(one) if g is None else g for one, g in zip(chosen, found, strict=True)]

    return gradient


def combined(f: Callable[..., Any]) -> Callable[..., Any]:
    """The results of `f`, weighted and summed to one number."""

    def total(*tensors: Any) -> Any:
        results = f(*tensors)
        return sum((k + 1.0) * o.sum(o.sin(one * 0.5)) for k, one in enumerate(results))

    return total


def differences(graph: Graph, arrays: list[Array], k: int, eps: float = 1e-5) -> Array:
    """Central differences of the sum of sin of the result of `graph`, for argument `k`."""
    result = np.zeros(arrays[k].shape)
    for position in np.ndindex(*arrays[k].shape):
        ends = []
        for sign in (1, -1):
            moved = [one.copy() for one in arrays]
            moved[k][position] += sign * eps
            ends.append(np.sin(evaluate(graph, moved)[0] * 0.3).sum())
        result[position] = (ends[0] - ends[1]) / (2 * eps)
    return result


def check(f: Callable[..., Any], *arrays: Array, order: int = 2, symbolic: bool = True) -> None:
    """Check the gradients of `f` for its float arguments, with known and with unknown sizes."""
    given = [np.asarray(one) for one in arrays]
    positions = tuple(k for k, one in enumerate(given) if one.dtype.kind == "f")
    for unknown in (False, True) if symbolic else (False,):
        function = f
        for level in range(1, order + 1):
            plain = stage(function, *given)
            found = run(gradient_of(function, positions), *given, symbolic=unknown)
            for k, gradient in zip(positions, found, strict=True):
                expected = differences(plain, given, k)
                np.testing.assert_allclose(
                    gradient, expected, rtol=1e-5, atol=1e-6, err_msg=f"order {level}, input {k}"
                )
                assert gradient.dtype == given[k].dtype
            function = combined(gradient_of(function, positions))


X = np.array([0.3, -0.7, 1.1])
Y = np.array([[0.5, 1.5, -0.4], [0.2, -0.1, 0.9]])


# cond ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_cond(sign: float) -> None:
    def f(x: Any, y: Any) -> Any:
        return cond(o.sum(x) > 0, lambda: o.exp(x) * y, lambda: x * x + o.tanh(y))

    check(f, X * sign, Y)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_cond_that_uses_an_operand_in_one_branch(sign: float) -> None:
    def f(x: Any, y: Any) -> Any:
        a, b = cond(o.sum(x) > 0, lambda: (o.sin(x), x), lambda: (x * o.sum(y * y), o.ones_like(x)))
        return a * b + x

    check(f, X * sign, Y)


@pytest.mark.parametrize("signs", [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0)])
def test_nested_cond(signs: tuple[float, float]) -> None:
    def f(x: Any, y: Any) -> Any:
        def positive() -> Any:
            z = o.exp(x)
            inner = cond(o.sum(y) > 0, lambda: o.tanh(z) * z, lambda: z * o.sum(o.sin(y * z)))
            return inner * z

        return cond(o.sum(x) > 0, positive, lambda: x * y[0])

    check(f, X * signs[0], Y * signs[1])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_cond_of_shapes_that_differ(sign: float) -> None:
    def f(x: Any, y: Any) -> Any:
        part = cond(o.sum(x) > 0, lambda: o.exp(y[:, :2]) * 2.0, lambda: o.sin(y) * y)
        return o.sum(part * part) * x

    check(f, X * sign, Y)


def test_cond_whose_other_branch_raises() -> None:
    def f(x: Any) -> Any:
        trace = trace_of()

        def bad() -> list[Any]:
            spec = Spec(FLOAT, x.shape)
            attributes = {"exception": ValueError, "arguments": ("no",), "results": (spec,)}
            return list(trace_of().apply(RAISE, (), attributes))

        (result,) = build_cond(trace, o.sum(x) > 0, (bad, lambda: [o.exp(x) * x]))
        return result

    check(f, X)
    with pytest.raises(ValueError, match="no"):
        run(f, -X)


def test_switch_of_three() -> None:
    def f(x: Any, i: Any) -> Any:
        branches = (lambda: [x * x], lambda: [o.exp(x)], lambda: [x * o.sum(x)])
        return build_cond(trace_of(), i, branches)[0]

    for i in range(3):
        check(f, X, np.array(i))


# while_loop ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("turns", [0, 1, 5])
def test_while(turns: int) -> None:
    def f(x: Any, y: Any, n: Any) -> Any:
        def body(i: Any, h: Any) -> Any:
            return i + 1, o.tanh(h * y[0] + x)

        return while_loop(lambda i, h: i < n, body, (0, x * 2.0))[1]

    check(f, X, Y, np.array(turns))


def test_while_whose_trip_count_the_data_decide() -> None:
    def f(x: Any) -> Any:
        return while_loop(
            lambda h: o.sum(h * h) < 50.0, lambda h: (h * o.exp(h * 0.1) * 1.5,), (x,)
        )[0]

    check(f, X)


def test_while_with_an_invariant_matrix_and_rows_read_by_index() -> None:
    def f(w: Any, xs: Any, h: Any) -> Any:
        def body(t: Any, h: Any) -> Any:
            return t + 1, o.tanh(o.matmul(h, w) + xs[t])

        return while_loop(lambda t, h: t < xs.shape[0], body, (0, h))[1]

    w = np.linspace(-0.5, 0.6, 9).reshape(3, 3)
    check(f, w, Y, X, symbolic=False)


def test_while_with_a_state_that_is_overwritten() -> None:
    def f(x: Any, y: Any) -> Any:
        def body(i: Any, a: Any, b: Any) -> Any:
            return i + 1, b * x, o.sin(x) * y[0]

        _, a, b = while_loop(lambda i, a, b: i < 3, body, (o.asarray(0), x, x * x))
        return a + b

    check(f, X, Y)


def test_while_with_a_branch_inside() -> None:
    def f(x: Any, y: Any) -> Any:
        def body(i: Any, h: Any) -> Any:
            h = cond(i % 2 == 0, lambda: o.exp(h * 0.3) * x, lambda: o.sin(h) * o.sum(h * y))
            return i + 1, h

        return while_loop(lambda i, h: i < 5, body, (o.asarray(0), x))[1]

    check(f, X, Y)


@pytest.mark.parametrize("outer", [0, 3])
def test_nested_while(outer: int) -> None:
    def f(x: Any, y: Any, n: Any) -> Any:
        def body(i: Any, h: Any) -> Any:
            def inner(j: Any, k: Any) -> Any:
                return j + 1, o.tanh(k * x + h)

            k = while_loop(lambda j, k: j < i, inner, (o.asarray(0), h * y[0]))[1]
            return i + 1, k * h

        return while_loop(lambda i, h: i < n, body, (o.asarray(0), x))[1]

    check(f, X, Y, np.array(outer))


def test_three_nested_loops_with_branches() -> None:
    def f(x: Any) -> Any:
        def loop(n: int, body: Callable[[Any], Any], start: Any) -> Any:
            def turn(i: Any, h: Any) -> Any:
                return i + 1, body(h)

            return while_loop(lambda i, h: i < n, turn, (o.asarray(0), start))[1]

        def middle(h: Any) -> Any:
            return cond(
                o.sum(h) > 0,
                lambda: loop(2, lambda k: o.sin(k * x + h), h),
                lambda: loop(3, lambda k: o.tanh(k) * h - x, h),
            )

        return loop(2, lambda h: loop(2, middle, h) * x, x)

    check(f, X)


def test_while_whose_state_grows() -> None:
    def f(x: Any) -> Any:
        def body(i: Any, h: Any) -> Any:
            return i + 1, o.sin(o.concat([h, h[:1] * 2.0]))

        return while_loop(lambda i, h: i < 3, body, (o.asarray(0), x))[1]

    check(f, X)


def test_repeat_until_with_a_break() -> None:
    def f(x: Any) -> Any:
        def step(i: Any, h: Any) -> Any:
            h = h * 1.5 + o.sin(x)
            return o.logical_and(i < 10, o.sum(h * h) < 40.0), [i + 1, h]

        return build_while(trace_of(), [0, x], step)[1]

    check(f, X)


def test_index_update_in_a_loop() -> None:
    def f(x: Any, y: Any) -> Any:
        def body(i: Any, table: Any) -> Any:
            row = o.exp(x * 0.2) * o.sum(table)
            return i + 1, o.apply("index_set", (table, row), {"index": (i,)})

        return while_loop(lambda i, t: i < 2, body, (0, y * x))[1]

    check(f, X, Y)


# lists --------------------------------------------------------------------------------------------
def create(spec: Spec) -> Any:
    return o.apply("list_create", (), {"element": spec})


@pytest.mark.parametrize("turns", [1, 4])
def test_list_appended_then_stacked(turns: int) -> None:
    def f(x: Any, y: Any, n: Any) -> Any:
        def step(i: Any, h: Any, out: Any) -> Any:
            h = o.tanh(h * y[0] + x)
            return i + 1 < n, [i + 1, h, o.list_push(out, h * h)]

        items = create(Spec(FLOAT, x.shape))
        out = build_while(trace_of(), [0, x, items], step)[2]
        return o.sum(o.list_stack(out, axis=0) * x, axis=0)

    check(f, X, Y, np.array(turns))


def test_list_pushed_in_one_branch_and_read_in_the_loop() -> None:
    def f(x: Any) -> Any:
        def step(i: Any, out: Any) -> Any:
            last = o.list_get(out, -1)
            (out,) = build_cond(
                trace_of(),
                i % 2 == 0,
                (lambda: [out], lambda: [o.list_push(out, o.sin(last) * x)]),
            )
            return i < 4, [i + 1, out]

        items = o.list_push(create(Spec(FLOAT, x.shape)), x * x)
        out = build_while(trace_of(), [o.asarray(0), items], step)[1]
        return o.sum(o.list_stack(out, axis=0), axis=0)

    check(f, X)


def test_items_of_a_list_read_by_index() -> None:
    def f(x: Any, y: Any) -> Any:
        items = o.list_unstack(y * x, axis=0)

        def body(i: Any, h: Any) -> Any:
            return i + 1, o.sin(h * o.list_get(items, o.to_int(i)))

        h = while_loop(lambda i, h: i < 2, body, (o.asarray(0), x))[1]
        return h * o.list_get(items, 0)

    check(f, X, Y)


def test_list_popped_and_set() -> None:
    def f(x: Any, y: Any) -> Any:
        items = o.list_unstack(y, axis=0)
        items = o.list_set(items, 0, o.list_get(items, 1) * x)
        items, last = o.list_pop(items)
        return o.list_get(items, 0) * o.exp(last)

    check(f, X, Y)


# calls --------------------------------------------------------------------------------------------
def recursive(
    name: str, specs: list[Any], results: list[Any], body: Callable[..., Any]
) -> Callable[..., Any]:
    """A function of a graph; `body(call, *parameters)` gives its results."""
    trace = Trace(name)

    def call(*arguments: Any) -> Any:
        attributes: dict[str, Any] = {"function": trace.graph}
        if not trace.graph.outputs:
            attributes["results"] = tuple(results)
        found = trace_of().apply(CALL, arguments, attributes)
        return found[0] if len(found) == 1 else found

    with trace.active():
        parameters = [trace.add_input(spec) for spec in specs]
        trace.graph.outputs = [trace.value_of(one) for one in body(call, *parameters)]
    return call


VECTOR = Spec(FLOAT, (3,))


@pytest.mark.parametrize("depth", [0, 1, 4])
def test_recursion(depth: int) -> None:
    def body(call: Any, n: Any, x: Any, w: Any) -> Any:
        def again() -> Any:
            inner = call(n - 1, o.sin(x) * w, w)
            return inner * x + o.exp(inner * 0.1)

        return [cond(n <= 0, lambda: x * x * w, again)]

    call = recursive("power", [PYINT, VECTOR, VECTOR], [VECTOR], body)
    check(lambda x, w: call(depth, x, w), X, X[::-1].copy(), symbolic=False)


def test_tree_recursion_with_two_calls_and_weights_handed_on() -> None:
    matrix = Spec(FLOAT, (3, 3))

    def body(call: Any, n: Any, x: Any, w: Any) -> Any:
        def node() -> Any:
            left = call(n - 1, x * 0.5, w)
            right = call(n - 2, o.sin(left), w)
            return o.tanh(o.matmul(left * right, w)) + left

        return [cond(n <= 0, lambda: o.matmul(x, w), node)]

    call = recursive("tree", [PYINT, VECTOR, matrix], [VECTOR], body)
    w = np.linspace(-0.5, 0.6, 9).reshape(3, 3)
    check(lambda x, w: call(3, x, w) * call(1, x * 2.0, w), X, w, symbolic=False)


def test_mutual_recursion_in_a_loop() -> None:
    even_trace, odd_trace = Trace("even"), Trace("odd")

    def call(trace: Trace, *arguments: Any) -> Any:
        attributes = {"function": trace.graph, "results": (VECTOR,)}
        return trace_of().apply(CALL, arguments, attributes)[0]

    for trace, other, step in (
        (even_trace, odd_trace, lambda x, w: o.sin(x) * w),
        (odd_trace, even_trace, lambda x, w: x * x + o.exp(w)),
    ):
        with trace.active():
            n, x, w = (trace.add_input(spec) for spec in (PYINT, VECTOR, VECTOR))

            def deeper(x: Any = x, n: Any = n, w: Any = w, other: Any = other) -> Any:
                return call(other, n - 1, x * 0.7, w) * o.cos(x)

            result = cond(n <= 0, lambda x=x: x, deeper)
            trace.graph.outputs = [trace.value_of(step(result, w))]

    def f(x: Any, w: Any) -> Any:
        def body(i: Any, h: Any) -> Any:
            return i + 1, call(even_trace, i, h, w)

        return while_loop(lambda i, h: i < 3, body, (0, x))[1]

    check(f, X, X[::-1] * 0.5, symbolic=False)


def test_loop_inside_a_recursive_function() -> None:
    def body(call: Any, n: Any, x: Any, w: Any) -> Any:
        def again() -> Any:
            def turn(i: Any, h: Any) -> Any:
                return i + 1, o.tanh(call(n - 1, h, w) * w + x)

            return while_loop(lambda i, h: i < n, turn, (0, x))[1]

        return [cond(n <= 0, lambda: o.sin(x) * w, again)]

    call = recursive("nest", [PYINT, VECTOR, VECTOR], [VECTOR], body)
    check(lambda x, w: call(2, x, w), X, X[::-1].copy(), symbolic=False)


# what is saved, and how often -----------------------------------------------------------------
def loops(graph: Graph) -> list[Any]:
    return [node for node in graph.nodes if node.op.name == "while_loop"]


def pushes(graph: Graph) -> list[Any]:
    found = [node for node in graph.nodes if node.op.name == "list_push"]
    for node in graph.nodes:
        for inner in node.graphs:
            found += pushes(inner)
    return found


def lstm(w: Any, xs: Any, h: Any, c: Any, n: Any) -> Any:
    def body(t: Any, h: Any, c: Any) -> Any:
        gates = o.matmul(o.concat([xs[t], h], axis=-1), w)
        i, f, g, out = (gates[:, 3 * k : 3 * k + 3] for k in range(4))
        c = o.sigmoid(f) * c + o.sigmoid(i) * o.tanh(g)
        return t + 1, o.sigmoid(out) * o.tanh(c), c

    return while_loop(lambda t, h, c: t < n, body, (0, h, c))[1]


def test_an_lstm_saves_its_activations_only() -> None:
    arrays = [
        np.linspace(-0.5, 0.5, 72).reshape(6, 12),
        np.linspace(-1, 1, 24).reshape(4, 2, 3),
        np.full((2, 3), 0.1),
        np.full((2, 3), -0.2),
        np.array(4),
    ]
    check(lstm, *arrays, order=1, symbolic=False)
    graph = stage(gradient_of(lstm, (0, 1, 2, 3)), *arrays)
    saved = pushes(loops(graph)[0].attributes["step"])
    # Four gates, both states before, the tanh of one after, and a number. (The input of the product
    # is put together again of the row, which is there anyway, and a state.)
    sizes = sorted(node.inputs[1].spec.size for node in saved)
    assert sizes[:-7] == [1] * (len(sizes) - 7) and len(sizes) <= 9
    assert sizes[-7:] == [6] * 7


def test_a_cheap_chain_is_computed_again() -> None:
    def f(x: Any, w: Any) -> Any:
        def body(i: Any, h: Any) -> Any:
            gate = o.sigmoid(h * w)
            mixed = (1.0 - gate) * h + gate * x
            scaled = mixed * 0.9 + (mixed - x) ** 2
            return i + 1, o.where(scaled > 0.1, scaled * mixed, scaled * 0.5)

        return while_loop(lambda i, h: i < 3, body, (0, x))[1]

    check(f, X, X[::-1].copy(), symbolic=False)
    graph = stage(gradient_of(f, (0, 1)), X, X[::-1].copy())
    saved = [node.inputs[1].spec for node in pushes(loops(graph)[0].attributes["step"])]
    assert len([spec for spec in saved if spec.shape]) == 2  # the gate, and the state before


def test_the_smallest_cut() -> None:
    inputs = {"a": None, "b": ["a"], "c": ["b", "k"], "k": None, "d": ["c"], "e": ["c", "d"]}
    costs = {"a": 8, "b": 8, "c": 4, "k": 2, "d": 4, "e": 1}

    def cut(*needed: str) -> set[str]:
        return set(smallest_cut(needed, lambda one: inputs[one], lambda one: costs[one]))

    assert cut("b") == {"b"}
    assert cut("e") == {"e"}
    assert cut("d", "e") == {"d", "e"} or cut("d", "e") == {"c"}
    assert cut("b", "c", "d", "e") in ({"b", "k"}, {"a", "k"})
    assert cut("c", "d") == {"c"}


def test_the_saved_values_of_a_whole_graph_are_chosen_too() -> None:
    def f(x: Any, w: Any) -> Any:
        y = x * w
        z = (y + 1.0) * (y - w) * x
        return o.sum(z * z * y)

    found = differentiate(stage(f, X, X[::-1].copy()), (0, 1))
    assert found.saved == 0 and len(found.kept) == 2


def test_nothing_is_saved_for_its_shape_alone() -> None:
    def f(x: Any, w: Any) -> Any:
        def body(i: Any, h: Any) -> Any:
            return i + 1, h + o.sum(o.concat([h, h * 2.0]) * w, axis=0) + x

        return while_loop(lambda i, h: i < 3, body, (0, x * x))[1]

    w = np.array(0.1)
    check(f, X, w)
    graph = stage(gradient_of(f, (0,)), X, w, symbolic=True)
    saved = pushes(loops(graph)[0].attributes["step"])
    assert all(node.inputs[1].spec.shape == () for node in saved)


def test_a_second_gradient_saves_nothing_new() -> None:
    def f(x: Any) -> Any:
        with GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, o.sin(h * x)), (0, x))[1]
        return tape.gradient(y, x), tape.gradient(y, x)

    graph = stage(f, X)
    forward = loops(graph)[0]
    once = stage(lambda x: f(x)[0], X)
    assert len(pushes(forward.attributes["step"])) == len(pushes(loops(once)[0].attributes["step"]))
    first, second = evaluate(graph, [X])
    np.testing.assert_array_equal(first, second)


def test_the_users_of_a_loop_keep_its_results() -> None:
    def f(x: Any) -> Any:
        with GradientTape() as tape:
            tape.watch(x)
            i, y = while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, o.sin(h * x)), (0, x))
            z = y * o.asarray(i)
        return y, z, tape.gradient(z, x)

    plain = run(
        lambda x: while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, o.sin(h * x)), (0, x))[1], X
    )[0]
    y, z, _ = run(f, X)
    np.testing.assert_array_equal(y, plain)
    np.testing.assert_array_equal(z, plain * 3)


def test_what_is_not_wanted_is_not_computed() -> None:
    def f(x: Any, w: Any) -> Any:
        with GradientTape() as tape:
            tape.watch((x, w))
            y = while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, o.matmul(h, w)), (0, x))[1]
        return tape.gradient(y, x)

    w = np.eye(3)
    graph = stage(f, X, w)
    saved = pushes(loops(graph)[0].attributes["step"])
    assert [node.inputs[1].spec for node in saved] == [PYBOOL]  # which branch, the test or the body
