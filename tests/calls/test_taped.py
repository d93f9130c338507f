"""Eager tapes around staged functions: gradients of any order, and what is kept for how long."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph import nn

X = np.array([0.3, -0.8, 1.1])
pytestmark = pytest.mark.usefixtures("small_heap")
MODES = ("evaluate", "text")


def f64(value: Any) -> Any:
    return ag.asarray(value, dtype=ag.float64)


def loop(x: Any, n: Any) -> Any:
    for i in range(n):
        x = ag.sin(x) * 1.5 if ag.sum(x) > 0 else x * x + i
    return x


def weighted(x: Any, w: Any) -> Any:
    return ag.tanh(x * w), {"total": ag.sum(x * x), "rows": [x, w * 2]}


def recursive(x: Any, n: Any) -> Any:
    return x * 1.1 if n <= 0 else ag.sin(recursive(x, n - 1)) + x * recursive(x * 0.5, n - 2)


def several(x: Any, first: Any, second: Any) -> Any:
    """Three staged calls with eager code between them."""
    y, more = second(first(x, f64(3.0) > 0), x)
    z = y * more["total"] + more["rows"][1] ** 2
    return first(z, ag.asarray(2))


PROGRAMS: dict[str, Callable[[Callable[..., Any]], Callable[[Any], Any]]] = {
    "loop": lambda stage: lambda x: stage(loop)(x, ag.asarray(3)),
    "two results": lambda stage: lambda x: ag.sum(stage(weighted)(x, x * 2)[0]),
    "recursion": lambda stage: lambda x: stage(recursive)(x, ag.asarray(3)),
    "several": lambda stage: (
        lambda x: several(x, stage(lambda a, n: loop(a, 2 + n * 1)), stage(weighted))
    ),
    "one in another": lambda stage: lambda x: stage(lambda a: stage(loop)(a, 2) * ag.exp(a))(x),
    "applied twice": lambda stage: lambda x: (lambda f: f(f(x, 2), 3) * f(x, 2))(stage(loop)),
}


def derivative(f: Callable[[Any], Any], order: int) -> Callable[[Any], Any]:
    def total(x: Any) -> Any:
        return ag.sum(ag.sin(f(x)))

    for _ in range(order):
        inner = total

        def total(x: Any, inner: Any = inner) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = inner(x)
            return ag.sum(ag.tanh(tape.gradient(y, x) * 0.01))

    return total


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_tapes_outside_are_the_eager_ones(name: str, mode: str, order: int) -> None:
    plain = derivative(PROGRAMS[name](lambda f: f), order)
    outside = derivative(PROGRAMS[name](ag.function(mode=mode)), order)
    wanted = plain(f64(X)).numpy()
    np.testing.assert_allclose(outside(f64(X)).numpy(), wanted, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_tape_outside_and_one_inside(name: str) -> None:
    f = PROGRAMS[name](lambda f: f)
    wanted = derivative(f, 2)(f64(X)).numpy()
    inside = ag.function(mode="text")(derivative(f, 1))
    with ag.GradientTape() as tape:
        x = f64(X)
        tape.watch(x)
        y = inside(x)
    found = ag.sum(ag.tanh(tape.gradient(y, x) * 0.01))
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-9)
    whole = ag.function(mode="text")(derivative(f, 2))
    np.testing.assert_allclose(whole(f64(X)).numpy(), wanted, rtol=1e-9)


def test_a_persistent_tape_across_staged_functions() -> None:
    first, second = ag.function(mode="text")(loop), ag.function(mode="text")(weighted)
    x, w = f64(X), ag.Variable(X * 2)
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a = first(x, 2)
        b, more = second(a, w)
    found = [
        tape.gradient(b, [x, w, a]),
        tape.gradient(more, [x, w]),
        tape.gradient(more["rows"][0], w),
        tape.gradient([b, more["total"]], a, output_gradients=[x, None]),
    ]
    y = f64(X)
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(y)
        a = loop(y, 2)
        b, more = weighted(a, w)
    wanted = [
        tape.gradient(b, [y, w, a]),
        tape.gradient(more, [y, w]),
        tape.gradient(more["rows"][0], w),
        tape.gradient([b, more["total"]], a, output_gradients=[y, None]),
    ]
    assert found[2] is None and wanted[2] is None
    for one, other in zip(found[0] + found[1] + [found[3]], wanted[0] + wanted[1] + [wanted[3]]):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-12)


@pytest.mark.parametrize("mode", ["evaluate", "text"])
def test_outputs_that_are_not_asked_for_make_no_nan(mode: str) -> None:
    def two(x: Any) -> Any:
        return x * 2, x / (x - x)

    def gradient(function: Any) -> Any:
        x = f64([1.0, 2.0])
        with ag.GradientTape() as tape:
            tape.watch(x)
            y, _ = function(x)
        return tape.gradient(y, x).numpy()

    np.testing.assert_array_equal(gradient(two), [2.0, 2.0])
    np.testing.assert_array_equal(gradient(ag.function(mode=mode)(two)), [2.0, 2.0])


def kept_by(tape: Any) -> list[Any]:
    """Weak references to the arrays that the calls on a tape keep."""
    calls = [record[0].__self__ for record in tape._records if hasattr(record[0], "__self__")]
    arrays = [one for call in calls for one in [*call.saved, *call.values]]
    return [weakref.ref(one) for one in arrays if isinstance(one, np.ndarray)]


@pytest.mark.parametrize("mode", ["evaluate", "text", "compile"])
@pytest.mark.parametrize("ending", ["gradient", "deleted", "reset", "exception"])
def test_kept_values_are_released_with_the_tape(mode: str, ending: str) -> None:
    staged = ag.function(mode=mode)(loop)
    x = f64(np.linspace(0.1, 1.0, 1000))
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = staged(x * 1.0, ag.asarray(3))  # what the trace itself leaves behind goes first
    gc.collect()
    tape = ag.GradientTape(persistent=ending == "deleted")
    try:
        with tape:
            tape.watch(x)
            y = staged(x * 1.0, ag.asarray(3))
            kept = kept_by(tape)
            if ending == "exception":
                raise ZeroDivisionError
    except ZeroDivisionError:
        pass
    gc.disable()
    try:
        assert kept and all(one() is not None for one in kept)
        if ending == "gradient":
            tape.gradient(y, x)
        elif ending == "deleted":
            tape.gradient(y, x)
            assert any(one() is not None for one in kept)
        elif ending == "reset":
            tape.reset()
        if ending in ("deleted", "exception"):
            del tape
        del y
        assert [one for one in kept if one() is not None] == []
    finally:
        gc.enable()


def test_training_outside_keeps_nothing_from_step_to_step() -> None:
    model = nn.Sequential(nn.Dense(4, 8), nn.Dense(8, 1))
    forward = ag.function(mode="text")(model)
    x = ag.asarray(np.ones((3, 4), np.float32))
    found: list[Any] = []
    for _ in range(3):
        with ag.GradientTape() as tape:
            loss = ag.mean(forward(x) ** 2)
            found += kept_by(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        for variable, gradient in zip(model.trainable_variables, gradients, strict=True):
            variable.assign_sub(0.1 * gradient)
    held = [variable._value for variable in model.variables] + [x._value]
    del tape, loss, gradients, gradient
    gc.collect()  # other tests may leave what makes a cycle of a frame
    alive = [one() for one in found if one() is not None]
    assert all(any(one is other for other in held) for one in alive)


def test_both_halves_are_compiled(monkeypatch: Any) -> None:
    import autograph.call.execution as execution

    made: list[str] = []
    plain = execution.lower

    def lower(graph: Any, jit: bool | None = None, engine: Any = None) -> Any:
        made.append(graph.name)
        return plain(graph, jit=False)

    monkeypatch.setattr(execution, "lower", lower)
    staged = ag.function(mode="compile")(loop)
    for _ in range(2):
        with ag.GradientTape() as tape:
            x = f64(X)
            tape.watch(x)
            y = staged(x, ag.asarray(3))
        tape.gradient(y, x)
    assert made == ["loop", "loop_backward"]


def called_back(x: Any) -> Any:
    spec = ag.TensorSpec((3,), ag.float64)
    for _ in range(ag.asarray(2)):
        x = ag.py_function(lambda a: ag.sin(a) * a, [x], spec)
    return x


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", [1, 2])
def test_functions_called_back_under_tapes_outside(mode: Any, order: int) -> None:
    wanted = derivative(called_back, order)(f64(X)).numpy()
    found = derivative(ag.function(mode=mode)(called_back), order)(f64(X)).numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


def test_a_second_gradient_prints_nothing_again(capsys: Any) -> None:
    def printing(x: Any) -> Any:
        for _ in range(ag.asarray(2)):
            print("forward")
            x = x * x
        return x

    for f in (printing, ag.function(mode="text")(printing)):
        derivative(f, 2)(f64(X))
        assert capsys.readouterr().out == "forward\n" * 2


def test_what_a_function_called_back_left_is_released() -> None:
    from autograph.runtime.autodiff.recording import host

    staged = ag.function(mode="evaluate")(called_back)
    for _ in range(3):
        x = f64(X)
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = staged(x)
        assert len(host._entries) == 2
        tape.gradient(y, x)
        assert len(host._entries) == 0
