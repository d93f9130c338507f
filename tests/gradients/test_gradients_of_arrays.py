"""Derivatives by NumPy arrays: functions get arrays, with NumPy's meaning, and give arrays."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import autograph as ag
import autograph.numpy as anp
from autograph.errors import StagingError
from autograph.runtime.arrays.watched import watched
from tests.gradients.array_programs import PROGRAMS

Derived = Callable[..., Any]
WAYS: dict[str, Callable[[Derived], Derived]] = {
    "eager": lambda f: ag.value_and_grad(f),
    "staged": lambda f: ag.function(ag.value_and_grad(f), mode="evaluate"),
    "of a staged function": lambda f: ag.value_and_grad(ag.function(f, mode="evaluate")),
}
X = np.array([1.0, 2.0, 3.0])


def quotients(f: Derived, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The gradient by differences."""
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-6
        found[place] = (f(x + step) - f(x - step)) / 2e-6
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program(name: str, way: str) -> None:
    """Value and gradient are right, of NumPy's classes, and the argument is left alone."""
    one = PROGRAMS[name]
    x = np.random.default_rng(0).uniform(0.1, 1, one.shape)
    before = x.copy()
    if way == "eager" and not one.eagerly:
        with pytest.raises((TypeError, ValueError)) as caught:
            WAYS[way](one.function)(x)
        assert "ag.function(ag.grad(loss))" in f"{caught.value} {caught.value.__cause__}"
        return
    value, gradient = WAYS[way](one.function)(x)
    assert type(gradient) is np.ndarray
    assert isinstance(value, np.floating)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_allclose(value, one.function(x.copy()), rtol=1e-12)
    np.testing.assert_allclose(gradient, quotients(one.function, x), atol=1e-4)


def products(x: Any) -> Any:
    y = x * x
    v = y[1:]
    v *= x[0]
    return y


def total(x: Any) -> Any:
    return products(x).sum()


SQUARE = np.array([[1.0, 2.0], [3.0, 4.0]])


def squared(x: Any) -> Any:
    x *= x
    return x * 3


def _back(f: Derived, along: Any) -> Any:
    return ag.vjp(f, X)[1](along)[0]


def _rows(x: Any) -> Any:
    rows = [row for row in x]
    rows[0] *= 2
    return np.sum(x**2)


def _grouped(x: Any) -> Any:
    groups: dict[int, Any] = {}
    for k, row in enumerate(x):
        groups.setdefault(k % 2, []).append(row)
    groups[0][0] *= 2
    return np.sum(x**2)


def _replacing(p: Any) -> Any:
    p["w"] = p["w"] * 2
    del p["b"]
    return (p["w"] ** 2).sum()


def _adapted(p: Any) -> Any:
    for _ in range(1):
        slopes = ag.grad(lambda q: ((q["w"] - 1) ** 2).sum())(p)
        for name in p:
            p[name] = p[name] - 0.1 * slopes[name]
    return ((p["w"] - 1) ** 2).sum()


@ag.custom_gradient
def _clipped(x: Any) -> Any:
    def gradient(g: Any) -> Any:
        g = g * 1
        g[1:] = 1.0
        head = g[:1]
        head *= 2
        return g

    return x * 1, gradient


DERIVED: dict[str, tuple[Callable[[], Any], Any]] = {
    "jacobian": (lambda: ag.jacobian(products)(X), [[2, 0, 0], [4, 4, 0], [9, 0, 6]]),
    "hessian": (lambda: ag.hessian(total)(X), [[2, 4, 6], [4, 2, 0], [6, 0, 2]]),
    "hvp": (lambda: ag.hvp(total, (X,), (np.ones(3),))[0], [12, 6, 8]),
    "jvp": (lambda: ag.jvp(products, (X,), (np.ones(3),))[1], [2, 8, 15]),
    "vjp": (lambda: ag.vjp(products, X)[1](np.ones(3))[0], [15, 4, 6]),
    "the value of vjp": (lambda: ag.vjp(products, X)[0], [1, 4, 9]),
    "elementwise": (lambda: ag.elementwise_grad(lambda x: x**3)(X), [3, 12, 27]),
    "twice": (lambda: ag.grad(lambda x: ag.grad(total)(x).sum())(X), [12, 6, 8]),
    "one of two": (lambda: ag.grad(lambda a, b: (a * b).sum())(X, X), [1, 2, 3]),
    "in containers": (lambda: ag.grad(lambda p: total(p["a"][0]))({"a": [X]})["a"][0], [15, 4, 6]),
    "beside the value": (
        lambda: ag.value_and_grad(lambda x: (total(x), {"y": x * 2}), has_aux=True)(X)[0][1]["y"],
        [2, 4, 6],
    ),
    "recomputed": (lambda: ag.grad(lambda x: ag.recompute(products)(x).sum())(X), [15, 4, 6]),
    "of known elements": (lambda: ag.grad(total)(np.array([1.0, 2.0, 3.0])), [15, 4, 6]),
    "made a list of": (
        lambda: ag.grad(lambda x: anp.array([x[0], 2 * x[1]]).sum() + anp.asarray(x).sum())(X),
        [2, 3, 1],
    ),
    "of what a recomputed function changes": (
        lambda: ag.grad(lambda x: (ag.recompute(squared)(x) * x).sum())(X),
        [12, 96, 324],
    ),
    "of a view": (lambda: ag.jacobian(lambda x: (x * x)[:2])(X), [[2, 0, 0], [0, 4, 0]]),
    "of a view, by vjp": (lambda: _back(lambda x: (x * x)[1:], np.ones(2)), [0, 4, 6]),
    "of views in a dict": (
        lambda: ag.jvp(lambda x: {"tail": x[1:], "all": x * 2}, (X,), (X,))[1]["tail"],
        [2, 3],
    ),
    "of rows in a list": (lambda: ag.grad(_rows)(SQUARE), [[8, 16], [6, 8]]),
    "of rows in a dict": (lambda: ag.grad(_grouped)(SQUARE), [[8, 16], [6, 8]]),
    "of a container that changes": (
        lambda: ag.grad(_replacing)({"w": X, "b": X})["w"],
        [8, 16, 24],
    ),
    "inside a gradient": (lambda: ag.grad(_adapted)({"w": X})["w"], [0, 1.28, 2.56]),
    "of custom gradients that change what they get": (
        lambda: ag.grad(lambda x: (_clipped(x) * x).sum())(X),
        [3, 3, 4],
    ),
    "of np.interp with infinities": (
        lambda: ag.grad(lambda x: np.interp(x, [0.0, 2.5, np.inf], [0.0, 5.0, 5.0]).sum())(X),
        [2, 2, 0],
    ),
    "of tensors inside": (lambda: ag.grad(lambda x: ag.sum(ag.asarray(X) * x))(X), [1, 2, 3]),
    "of float32": (lambda: ag.grad(total)(X.astype(np.float32)), np.float32([15, 4, 6])),
    "not connected": (
        lambda: ag.grad(lambda a, b: a.sum(), (0, 1))(X, X)[1],
        [0, 0, 0],
    ),
    "at a point of np.interp": (
        lambda: ag.grad(lambda x: np.interp(x, [0.0, 1.0, 2.0, 4.0], [0.0, 1.0, 4.0, 0.0]).sum())(
            X
        ),
        [3, -2, -2],
    ),
}


@pytest.mark.parametrize("stage", [lambda f: f, lambda f: ag.function(f, mode="evaluate")])
@pytest.mark.parametrize("name", DERIVED)
def test_other_derivatives(name: str, stage: Callable[[Any], Any]) -> None:
    run, wanted = DERIVED[name]
    found = stage(run)()
    assert type(found) is np.ndarray
    assert found.dtype == getattr(wanted, "dtype", np.float64)
    np.testing.assert_allclose(found, wanted)


def test_a_result_that_no_tape_follows_raises() -> None:
    for loss in (lambda x: float(x.sum()), lambda x: X.sum(), lambda x: 3.0):
        with pytest.raises(TypeError, match="no tape follows"):
            ag.grad(loss)(X)


@pytest.mark.parametrize(
    "loss",
    [
        lambda x: np.fromiter((v * v for v in x), float).sum() * x[0],
        lambda x: np.float64(x[1]) * x[0],
        lambda x: _filled(x[1]).sum() * x[0],
        lambda x: (np.ones(3) * 2.0).dot(_filled(x[1])) * x[0],
    ],
)
def test_elements_that_numpy_takes_raise(loss: Callable[[Any], Any]) -> None:
    """Where the rest of the function is followed, too."""
    with pytest.raises((TypeError, ValueError)) as caught:
        ag.grad(loss)(X)
    assert "NumPy takes the element" in f"{caught.value} {caught.value.__cause__}"
    staged = ag.function(ag.grad(loss), mode="evaluate")
    np.testing.assert_allclose(staged(X), quotients(loss, X), rtol=1e-6)


def _filled(value: Any) -> Any:
    out = np.zeros(3)
    out.fill(value)
    return out


def test_arguments_in_containers_are_left_alone() -> None:
    given = {"w": X.copy(), "b": X.copy()}
    ag.grad(_replacing)(given)
    assert list(given) == ["w", "b"] and (given["w"] == X).all()


def test_what_is_given_beside_shares_elements() -> None:
    _, (whole, tail) = ag.grad(lambda x: (x.sum(), (x, x[1:])), has_aux=True)(X)
    tail[0] = 9.0
    assert whole.tolist() == [1.0, 9.0, 3.0] and X[1] == 2.0


def test_a_dataclass_of_arrays_is_refused() -> None:
    @dataclass
    class Parameters:
        w: Any

    for derived in (ag.grad, lambda f: ag.function(ag.grad(f), mode="evaluate")):
        with pytest.raises(TypeError, match="a dataclass with arrays"):
            derived(lambda p: p.w.sum())(Parameters(X))


def test_a_dataclass_may_get_other_attributes() -> None:
    @dataclass
    class Parameters:
        w: Any
        b: Any

    def loss(p: Any) -> Any:
        p.w = p.w * p.b
        return ag.sum(p.w)

    for derived in (ag.grad, lambda f: ag.function(ag.grad(f), mode="evaluate")):
        found = derived(loss)(Parameters(ag.asarray([1.0, 2.0]), ag.asarray([3.0, 4.0])))
        assert found.w.tolist() == [3.0, 4.0] and found.b.tolist() == [1.0, 2.0]


def test_gradients_of_what_is_changed_are_checked() -> None:
    def changed(x: Any) -> Any:
        x[0] = x[1] * x[0]
        tail = x[1:]
        tail *= x[0]
        return x.sum()

    ag.check_gradients(changed, X, order=2)
    with pytest.raises(TypeError, match="complex"):
        ag.grad(lambda x: x[0] + abs(complex(x[0], x[1])))(X)


def test_a_scalar_is_derived_by() -> None:
    value, slope = ag.value_and_grad(lambda k: (k * X).sum() * k)(np.float64(2.0))
    assert type(value) is type(slope) is np.float64
    assert (value, slope) == (24.0, 24.0)


def test_other_arguments_are_handed_on() -> None:
    seen = np.zeros(2)

    def loss(w: Any, log: Any, rate: Any) -> Any:
        log[0] += 1
        assert type(log) is np.ndarray and type(rate) is float
        return (w * w).sum() * rate

    np.testing.assert_allclose(ag.grad(loss)(X, seen, 0.5), X)
    assert seen.tolist() == [1.0, 0.0]


def test_a_descent_stays_with_arrays() -> None:
    """Steps of a descent give arrays, so the next one means the same as the first."""
    w = X.copy()
    for _ in range(3):
        w = w - 0.1 * ag.grad(total)(w)
    assert type(w) is np.ndarray
    staged = ag.function(lambda w, n: _descent(w, n), mode="evaluate")
    np.testing.assert_allclose(staged(X, ag.asarray(3)), w)


def _descent(w: Any, n: Any) -> Any:
    for _ in range(n):
        w = w - 0.1 * ag.grad(total)(w)
    return w


@pytest.mark.parametrize("mode", ["evaluate", "compile"])
def test_a_staged_function_changes_what_a_tape_follows(mode: Any) -> None:
    """In place, also through a view, and gives views of it."""

    @ag.function(mode=mode)
    def changed(a: Any) -> Any:
        a[0] += 1
        v = a[1:]
        v *= 2
        return a, v, a.sum()

    def loss(w: Any) -> Any:
        whole, part, sum_ = changed(w)
        assert whole is w
        part += w[0]
        _, rest, _ = changed(w[1:])
        return sum_ * w[2] + rest.prod()

    def plain(w: Any) -> Any:
        w[0] += 1
        w[1:] *= 2
        sum_ = w.sum()
        w[1:] += w[0]
        w[1] += 1
        w[2:] *= 2
        return sum_ * w[2] + w[2:].prod()

    for _ in range(3):
        value, gradient = ag.value_and_grad(loss)(X)
        assert value == plain(X.copy())
        np.testing.assert_allclose(gradient, quotients(plain, X), rtol=1e-6)


def test_views_that_overlap_are_refused_where_one_is_written() -> None:
    @ag.function(mode="evaluate")
    def grown(a: Any, b: Any) -> Any:
        a += 1
        return a.sum() * b.sum()

    with pytest.raises(StagingError, match="shares elements"):
        ag.grad(lambda w: grown(w, w[1:]))(X)
    for loss in (lambda w: grown(w[:1], w[1:]), lambda w: grown(w[:2], w * 2)):
        plain = quotients(lambda w, f=loss: f(w.copy()), X)
        np.testing.assert_allclose(ag.grad(loss)(X), plain, rtol=1e-6)


def test_a_staged_function_that_fills_an_array_gives_it_to_the_tape() -> None:
    @ag.function(mode="evaluate")
    def squares(x: Any) -> Any:
        out = np.zeros(3)
        for i in range(3):
            out[i] = x[i] * x[i]
        return out, out[1]

    x = ag.asarray(X)
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        out, one = squares(x)
        both = out.sum() + one
    np.testing.assert_allclose(tape.gradient(both, x).numpy(), [2, 8, 6])
    np.testing.assert_allclose(out, X * X)


def test_what_stands_for_an_array_behaves_as_one() -> None:
    cell = watched(X)
    assert repr(cell) == repr(X) and repr(cell[0]) == repr(X[0])
    for other in (copy.copy(cell), copy.deepcopy(cell)):
        other[0] = 7.0
        assert cell[0] == 1.0
    assert pickle.loads(pickle.dumps(cell)).tolist() == X.tolist()
    assert type(pickle.loads(pickle.dumps(cell[0]))) is np.float64
    assert hash(cell[1]) == hash(X[1]) and {cell[1]: 1}[2.0] == 1
    assert cell[::2].strides == X[::2].strides
    assert cell.flags.c_contiguous and not cell[::2].flags.c_contiguous
    with pytest.raises(ValueError, match="truth value"):
        bool(cell)
    assert round(cell[0] / 3, 2) == 0.33


@pytest.mark.parametrize("kind", [np.matrix, np.ma.array])
def test_arrays_with_rules_of_their_own_are_refused(kind: Any) -> None:
    with pytest.raises(TypeError, match="rules of its own"):
        ag.grad(lambda x: (x * x).sum())(kind(X))


def test_where_elements_lie_decides_what_is_a_view() -> None:
    def flat(a: Any) -> Any:
        b = a.reshape(-1)
        b[0] = 5.0
        return np.sum(a * a)

    square = X[:, None] * X
    given = [square, np.asfortranarray(square), (square + X).T, X[::-1], np.arange(8.0)[::2]]
    for one in given:
        wanted = flat(one.copy(order="K") if one.ndim > 1 else np.flip(np.flip(one.copy())))
        assert ag.value_and_grad(flat)(one)[0] == wanted

    def raveled(a: Any) -> Any:
        a[0] *= 2
        r = a.ravel()
        a *= 2
        return np.sum(r * r)

    for one in given:
        before = one.copy()
        wanted = raveled(one)
        one[...] = before
        for way in ("eager", "of a staged function"):
            assert WAYS[way](raveled)(one)[0] == wanted
