"""GradientTape: what it watches, how often it answers, and what it refuses."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from autograph.call.taped import GraphFunction
from autograph.runtime.autodiff.check import GradientError, check_gradients
from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.control.functional import cond, while_loop
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS as o

X = np.array([0.3, -0.7, 1.1])


def test_a_gradient_has_the_structure_of_the_sources() -> None:
    x, y, z = Tensor(X), Tensor(X * 2), Tensor(X)
    with GradientTape() as tape:
        tape.watch({"x": x, "rest": [y, (z,)]})
        total = o.sum(x * y)
    found = tape.gradient(total, {"rest": [y, (z,)], "x": x})
    assert list(found) == ["rest", "x"]
    np.testing.assert_array_equal(found["x"].numpy(), X * 2)
    np.testing.assert_array_equal(found["rest"][0].numpy(), X)
    assert found["rest"][1] == (None,)


def test_what_is_not_watched_is_not_connected() -> None:
    x = Tensor(X)
    with GradientTape() as tape:
        y = o.sum(x * x)
    assert tape.gradient(y, x) is None


def test_trainable_variables_are_watched() -> None:
    v, frozen = Variable(X), Variable(X, trainable=False)
    counter = Variable(3)
    with GradientTape() as tape:
        y = o.sum(v * frozen * counter)
    assert tape.watched_variables() == (v,)
    dv, df = tape.gradient(y, [v, frozen])
    np.testing.assert_array_equal(dv.numpy(), X * 3)
    assert df is None
    with GradientTape(watch_accessed_variables=False) as tape:
        y = o.sum(v * v)
    assert tape.gradient(y, v) is None


def test_a_source_means_its_value_when_it_was_watched() -> None:
    v = Variable(X)
    with GradientTape() as tape:
        y = v * v
        v.assign(v * 3.0)
        z = o.sum(y + v * v)
    np.testing.assert_allclose(tape.gradient(z, v).numpy(), 2 * X + 18 * X)

    x = Tensor(X)
    with GradientTape() as tape:
        tape.watch(x)
        x[0] = 5.0
        y = o.sum(x * x)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), [0.0, -1.4, 2.2])


def test_variables_that_were_assigned_one_from_the_other_stay_apart() -> None:
    online, target = Variable(X), Variable(X * 0)
    target.assign(online)
    with GradientTape() as tape:
        y = o.sum(online * 2.0 + target * 3.0)
    first, second = tape.gradient(y, [online, target])
    np.testing.assert_array_equal(first.numpy(), [2.0] * 3)
    np.testing.assert_array_equal(second.numpy(), [3.0] * 3)


def test_item_assignment_is_differentiated() -> None:
    def f(x: Any, y: Any) -> Any:
        table = o.zeros((2, 3), dtype=np.float64)
        table[0] = x * x
        table[1, 1:] = y[1:] * x[0]
        return o.sin(table)

    check_gradients(f, X, X[::-1].copy(), order=2)


def test_a_second_gradient_needs_a_persistent_tape() -> None:
    x = Tensor(X)
    with GradientTape() as tape:
        tape.watch(x)
        y = o.sum(x * x)
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="persistent=True"):
        tape.gradient(y, x)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    np.testing.assert_allclose(tape.gradient(z, y).numpy(), 2 * X**2)
    np.testing.assert_allclose(tape.gradient(z, x).numpy(), 4 * X**3)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), 2 * X)


def test_tapes_nest() -> None:
    x = Tensor(X)
    with GradientTape() as outer:
        outer.watch(x)
        with GradientTape() as inner:
            inner.watch(x)
            y = o.sum(x * x * x)
        first = inner.gradient(y, x)
    np.testing.assert_allclose(outer.gradient(first, x).numpy(), 6 * X)


def test_a_persistent_tape_records_its_own_gradient() -> None:
    x = Tensor(X)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        first = tape.gradient(o.sum(x * x * x), x)
    np.testing.assert_allclose(tape.gradient(first, x).numpy(), 6 * X)


def test_several_targets_and_output_gradients() -> None:
    x = Tensor(X)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = x * x, x * 3.0
    np.testing.assert_allclose(tape.gradient([y, z], x).numpy(), 2 * X + 3)
    weights = np.array([1.0, 2.0, 3.0])
    found = tape.gradient([y, z], x, output_gradients=[weights, None])
    np.testing.assert_allclose(found.numpy(), 2 * X * weights)
    with pytest.raises(ValueError, match="1 output gradients for 2 targets"):
        tape.gradient([y, z], x, output_gradients=[weights])
    np.testing.assert_allclose(tape.gradient(x, x).numpy(), np.ones(3))


def test_stop_recording_and_reset() -> None:
    x = Tensor(X)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            z = y * y
        assert tape.gradient(z, x) is None
        np.testing.assert_allclose(tape.gradient(y, x).numpy(), 2 * X)
        tape.reset()
        assert tape.gradient(y, x) is None
    assert STATE.tapes == ()


def test_a_tape_stops_when_its_block_raises() -> None:
    with pytest.raises(ZeroDivisionError), GradientTape():
        raise ZeroDivisionError
    assert STATE.tapes == ()


@pytest.mark.parametrize("bad", [np.array([1, 2]), np.array(True)])
def test_integers_have_no_gradient(bad: Any) -> None:
    x, n = Tensor(X), Tensor(bad)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = o.sum(x)
    with pytest.raises(TypeError, match="the source of the gradient is .* have no gradient"):
        tape.gradient(y, n)
    with pytest.raises(TypeError, match="the target of the gradient is .* have no gradient"):
        tape.gradient(n, x)
    with pytest.raises(TypeError, match="watch"):
        tape.watch(n)
    with pytest.raises(TypeError, match="float"):
        tape.watch(1.5)


def test_broadcast_operands_and_dtypes() -> None:
    x, b = Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((1, 3)))
    c = Tensor(np.float32(2.0))
    with GradientTape() as tape:
        tape.watch([x, b, c])
        y = o.sum(x * b * c + b)
    dx, db, dc = tape.gradient(y, [x, b, c])
    assert (dx.dtype, dx.shape) == (np.float32, (2, 3))
    assert (db.dtype, db.shape) == (np.float64, (1, 3))
    assert (dc.dtype, dc.shape) == (np.float32, ())
    np.testing.assert_allclose(db.numpy(), [[6.0, 6.0, 6.0]])
    np.testing.assert_allclose(dc.numpy(), 6.0)


def test_jacobian() -> None:
    x = Tensor(X)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = o.stack([x * x, o.sin(x)])
    expected = np.stack([np.diag(2 * X), np.diag(np.cos(X))])
    np.testing.assert_allclose(tape.jacobian(y, x).numpy(), expected)


def test_a_staged_tape_equals_the_eager_one() -> None:
    def f(x: Any, y: Any) -> Any:
        with GradientTape() as outer:
            outer.watch([x, y])
            with GradientTape() as inner:
                inner.watch(x)
                z = o.sum(o.tanh(x * y[None, :]) * o.exp(x))
            first = inner.gradient(z, x)
        return outer.gradient(first, [x, y])

    arrays = [np.outer(X, X), X]
    eager = f(*map(Tensor, arrays))
    trace = Trace("g")
    with trace.active():
        inputs = [trace.add_input(Spec(one.dtype, one.shape)) for one in arrays]
        trace.graph.outputs = [trace.value_of(one) for one in f(*inputs)]
    for one, other in zip(eager, evaluate(trace.graph, arrays), strict=True):
        np.testing.assert_array_equal(one.numpy(), other)


def test_the_checker_finds_a_wrong_gradient() -> None:
    def wrong(x: Any) -> Any:
        return x * o.asarray(x.numpy())  # half of the dependence is hidden

    with pytest.raises(
        GradientError, match=r"argument 0 \(f64\[3\]\) at \(2,\) is 0.595.*\n  3 of 3 elements"
    ):
        check_gradients(wrong, X)
    check_gradients(lambda x: x * x, X, order=3, eps=1e-4)


def test_a_staged_call_is_one_op_to_an_eager_tape_at_any_order() -> None:
    def staged(x: Any, w: Any) -> Any:
        def body(i: Any, h: Any) -> Any:
            return i + 1, o.tanh(o.matmul(h, w) + x)

        return while_loop(lambda i, h: i < 4, body, (0, x))[1]

    arrays = [X, np.linspace(-0.5, 0.6, 9).reshape(3, 3)]
    trace = Trace("g")
    with trace.active():
        inputs = [trace.add_input(Spec(one.dtype, one.shape)) for one in arrays]
        trace.graph.outputs = [trace.value_of(staged(*inputs))]
    function = GraphFunction(trace.graph, lambda graph: functools.partial(evaluate, graph))

    def call(x: Any, w: Any) -> Any:
        return Tensor._of(function([x, w])[0])

    check_gradients(call, *arrays, order=3, eps=1e-4, rtol=1e-3, atol=1e-5)
    x, v = Tensor(X), Variable(arrays[1])
    with GradientTape() as tape:
        y = call(x, v)
        v.assign(v * 0.0)  # too late to matter
    with GradientTape() as eager:
        eager.watch(x)
        w = Variable(arrays[1])
        z = staged(x, w)
    np.testing.assert_allclose(tape.gradient(y, v).numpy(), eager.gradient(z, w).numpy())


def test_outputs_of_a_staged_call_that_are_its_inputs() -> None:
    trace = Trace("g")
    with trace.active():
        x = trace.add_input(Spec(X.dtype, X.shape))
        trace.graph.outputs = [trace.value_of(one) for one in (x, x, x * x)]
    function = GraphFunction(trace.graph, lambda graph: functools.partial(evaluate, graph))
    x = Tensor(X)
    with GradientTape() as tape:
        tape.watch(x)
        a, b, c = map(Tensor._of, function([x]))
        y = o.sum(a * 2.0 + c + x)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), 3.0 + 2 * X)


def test_each_branch_may_ask_a_staged_tape_once() -> None:
    def f(x: Any) -> Any:
        with GradientTape() as tape:
            tape.watch(x)
            y = o.sum(x * x)
        return cond(y > 1.0, lambda: tape.gradient(y, x), lambda: tape.gradient(y, x) * 2.0)

    trace = Trace("g")
    with trace.active():
        x = trace.add_input(Spec(X.dtype, X.shape))
        trace.graph.outputs = [trace.value_of(f(x))]
        with GradientTape() as tape:
            tape.watch(x)
            y = o.sum(x)
        tape.gradient(y, x)
        with pytest.raises(RuntimeError, match="persistent=True"):
            tape.gradient(y, x)
    np.testing.assert_allclose(evaluate(trace.graph, [X])[0], 2 * X)
    np.testing.assert_allclose(evaluate(trace.graph, [X * 0.1])[0], 0.4 * X)
