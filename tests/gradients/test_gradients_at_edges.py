"""Numbers that break naive gradient rules: values, first and second derivatives, in every mode.

What is wanted follows TensorFlow and JAX where these agree: stable functions far out, ties that
share, zeros of empty reductions. At a kink it is the mean of both sides, or 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

INF, NAN = math.inf, math.nan
FAR = [-100.0, -50.0, 0.0, 50.0, 100.0]
SIGMOIDS = [3.7200759760208356e-44, 1.928749847963918e-22, 0.5, 1.0, 1.0]
SLOPES = [3.7200759760208356e-44, 1.928749847963918e-22, 0.25, 0.0, 0.0]


def where_safe(x: Any) -> Any:
    """The way to keep a bad number away from the side that is not taken."""
    fine = x > 0
    return ag.where(fine, ag.log(ag.where(fine, x, 1.0)), 0.0)


Row = tuple[str, Callable[[Any], Any], Any, Any, Any, Any]
ROWS: list[Row] = [
    # name, function, x, value, first derivative, second derivative (None: not looked at)
    (
        "log1p(exp(x)), written as logaddexp",
        lambda x: ag.logaddexp(x, 0.0),
        FAR,
        None,
        SIGMOIDS,
        SLOPES,
    ),
    ("log1p(exp(x))", lambda x: ag.log1p(ag.exp(x)), FAR, None, SIGMOIDS, None),
    ("log(1 + exp(x))", lambda x: ag.log(1 + ag.exp(x)), FAR, None, SIGMOIDS, None),
    ("softplus", lambda x: ag.softplus(x), FAR, None, SIGMOIDS, SLOPES),
    (
        "log_sigmoid",
        lambda x: ag.log_sigmoid(x),
        FAR,
        None,
        SIGMOIDS[::-1],
        [-s for s in SLOPES[::-1]],
    ),
    ("sigmoid", lambda x: ag.sigmoid(x), FAR, SIGMOIDS, SLOPES, None),
    (
        "tanh",
        lambda x: ag.tanh(x),
        FAR,
        [-1.0, -1.0, 0.0, 1.0, 1.0],
        [0.0, 0.0, 1.0, 0.0, 0.0],
        None,
    ),
    (
        "logsumexp",
        lambda x: ag.logsumexp(x),
        [1000.0, 1000.0, -1000.0],
        1000.0 + math.log(2),
        [0.5, 0.5, 0.0],
        None,
    ),
    (
        "logsumexp of infinity",
        lambda x: ag.logsumexp(x),
        [INF, 1.0],
        INF,
        [1.0, 0.0],
        None,
    ),
    (
        "logsumexp of minus infinity",
        lambda x: ag.logsumexp(x),
        [-INF, 0.0],
        0.0,
        [0.0, 1.0],
        [0.0, 0.0],
    ),
    ("softmax", lambda x: ag.softmax(x)[0], [1e4, 0.0], 1.0, [0.0, 0.0], [0.0, 0.0]),
    ("log_softmax", lambda x: ag.log_softmax(x)[0], [-1e4, 0.0], -1e4, [1.0, -1.0], [0.0, 0.0]),
    (
        "logaddexp of equal infinities",
        lambda x: ag.logaddexp(x[0], x[1]),
        [-INF, 0.0],
        0.0,
        [0.0, 1.0],
        None,
    ),
    (
        "expm1",
        lambda x: ag.expm1(x),
        [1e-20, -100.0],
        [1e-20, -1.0],
        [1.0, 3.7200759760208356e-44],
        None,
    ),
    ("log1p", lambda x: ag.log1p(x), [1e-20, 0.0], [1e-20, 0.0], [1.0, 1.0], [-1.0, -1.0]),
    ("sqrt at 0", lambda x: ag.sqrt(x), [0.0, 4.0], [0.0, 2.0], [INF, 0.25], None),
    (
        "sqrt at 0 with nothing arriving",
        lambda x: ag.where(x > 0, ag.sqrt(ag.where(x > 0, x, 1.0)), 0.0),
        [0.0, 4.0],
        [0.0, 2.0],
        [0.0, 0.25],
        [0.0, -0.03125],
    ),
    (
        "inf on the side not taken",
        where_safe,
        [0.0, 2.0],
        [0.0, math.log(2)],
        [0.0, 0.5],
        [0.0, -0.25],
    ),
    (
        "inf itself on the side not taken",
        lambda x: ag.where(x > 0, x, x * 0 + INF),
        [2.0, 3.0],
        [2.0, 3.0],
        [1.0, 1.0],
        [0.0, 0.0],
    ),
    ("norm at 0", lambda x: ag.vector_norm(x), [0.0, 0.0], 0.0, [0.0, 0.0], None),
    ("norm", lambda x: ag.vector_norm(x), [3.0, 4.0], 5.0, [0.6, 0.8], None),
    ("hypot at 0", lambda x: ag.hypot(x[0], x[1]), [0.0, 0.0], 0.0, [0.0, 0.0], None),
    ("std of equal elements", lambda x: ag.std(x), [2.0, 2.0], 0.0, [0.0, 0.0], None),
    ("ties of max", lambda x: ag.max(x), [1.0, 3.0, 3.0], 3.0, [0.0, 0.5, 0.5], [0.0, 0.0, 0.0]),
    ("ties of min", lambda x: ag.min(x), [1.0, 1.0, 3.0], 1.0, [0.5, 0.5, 0.0], [0.0, 0.0, 0.0]),
    (
        "ties of maximum",
        lambda x: ag.maximum(x, 1.0),
        [1.0, 2.0, 0.0],
        [1.0, 2.0, 1.0],
        [0.5, 1.0, 0.0],
        None,
    ),
    (
        "ties of minimum",
        lambda x: ag.minimum(x, 1.0),
        [1.0, 2.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.5, 0.0, 1.0],
        None,
    ),
    ("abs at 0", lambda x: ag.abs(x), [0.0, -2.0], [0.0, 2.0], [0.0, -1.0], [0.0, 0.0]),
    (
        "relu at 0",
        lambda x: ag.relu(x),
        [0.0, -2.0, 2.0],
        [0.0, 0.0, 2.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, 0.0],
    ),
    ("sign", lambda x: ag.sign(x), [0.0, -2.0], [0.0, -1.0], [0.0, 0.0], None),
    ("square at 0", lambda x: x**2.0, [0.0, 3.0], [0.0, 9.0], [0.0, 6.0], [2.0, 2.0]),
    ("to the power 0", lambda x: x**0.0, [0.0, 3.0], [1.0, 1.0], [0.0, 0.0], [0.0, 0.0]),
    ("to the power 1", lambda x: x**1.0, [0.0, -3.0], [0.0, -3.0], [1.0, 1.0], [0.0, 0.0]),
    (
        "power of a negative base",
        lambda x: x**3,
        [-2.0, 0.0],
        [-8.0, 0.0],
        [12.0, 0.0],
        [-12.0, 0.0],
    ),
    ("0 to the power x", lambda x: 0.0**x, [2.0, 1.0], [0.0, 0.0], [0.0, 0.0], None),
    (
        "prod with one 0",
        lambda x: ag.prod(x),
        [2.0, 0.0, 3.0],
        0.0,
        [0.0, 6.0, 0.0],
        [3.0 + 0, 5.0, 2.0],
    ),
    ("prod with two 0", lambda x: ag.prod(x), [0.0, 0.0, 3.0], 0.0, [0.0, 0.0, 0.0], None),
    (
        "cumulative_prod with a 0",
        lambda x: ag.cumulative_prod(x),
        [2.0, 0.0, 3.0],
        [2.0, 0.0, 0.0],
        [1.0, 8.0, 0.0],
        None,
    ),
    (
        "sum of nothing",
        lambda x: ag.sum(x[:0]) + 0 * ag.sum(x),
        [1.0, 2.0],
        0.0,
        [0.0, 0.0],
        [0.0, 0.0],
    ),
    (
        "prod of nothing",
        lambda x: ag.prod(x[:0]) + 0 * ag.sum(x),
        [1.0, 2.0],
        1.0,
        [0.0, 0.0],
        [0.0, 0.0],
    ),
    (
        "norm of nothing",
        lambda x: ag.vector_norm(x[:0]) + 0 * ag.sum(x),
        [1.0, 2.0],
        0.0,
        [0.0, 0.0],
        None,
    ),
    (
        "atan2 far out",
        lambda x: ag.atan2(x, 1.0),
        [1e200, -1e200],
        [math.pi / 2, -math.pi / 2],
        [0.0, 0.0],
        None,
    ),
    (
        "division by a small number",
        lambda x: 1.0 / x,
        [1e-100, 2.0],
        [1e100, 0.5],
        [-1e200, -0.25],
        None,
    ),
    ("gelu far out", lambda x: ag.gelu(x), [-100.0, 100.0], [0.0, 100.0], [0.0, 1.0], [0.0, 0.0]),
    (
        "silu far out",
        lambda x: ag.silu(x),
        [-1000.0, 1000.0],
        [0.0, 1000.0],
        [0.0, 1.0],
        [0.0, 0.0],
    ),
    (
        "clip at its ends",
        lambda x: ag.clip(x, -1.0, 1.0),
        [-2.0, 0.5, 2.0],
        [-1.0, 0.5, 1.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0],
    ),
    (
        "sort with ties",
        lambda x: ag.sort(x) * ag.asarray([1.0, 2.0, 3.0]),
        [2.0, 1.0, 2.0],
        [1.0, 4.0, 6.0],
        [2.0, 1.0, 3.0],
        [0.0, 0.0, 0.0],
    ),
]


def values_of(f: Callable[[Any], Any], x: Any) -> tuple[Any, Any, Any]:
    """The value, its gradient, and the gradient of that."""
    with ag.GradientTape() as outer:
        outer.watch(x)
        with ag.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x, unconnected_gradients="zero")
    return y, first, outer.gradient(first, x, unconnected_gradients="zero")


def compare(found: Any, wanted: Any, what: str) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-300, err_msg=what)


@pytest.mark.parametrize("mode", ["eager", "evaluate", "text"])
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_row(row: Row, mode: Any) -> None:
    _, f, x, *wanted = row
    stage = (lambda f: f) if mode == "eager" else ag.function(mode=mode)
    given = ag.asarray(x, dtype=ag.float64)
    found = stage(lambda x: values_of(f, x))(given)
    for one, other, what in zip(found, wanted, ("value", "gradient", "second gradient")):
        if other is not None:
            compare(one.numpy(), other, what)


def test_all_rows_compiled() -> None:
    functions = [row[1] for row in ROWS]

    @ag.function
    def everything(given: Any) -> Any:
        return [values_of(f, x) for f, x in zip(functions, given, strict=True)]

    found = everything([ag.asarray(row[2], dtype=ag.float64) for row in ROWS])
    for row, values in zip(ROWS, found, strict=True):
        for one, other, what in zip(values, row[3:], ("value", "gradient", "second gradient")):
            if other is not None:
                compare(one.numpy(), other, f"{row[0]}: {what}")


@pytest.mark.parametrize("f", [ag.max, ag.min, ag.argmax, ag.logsumexp])
@pytest.mark.parametrize("mode", ["eager", "evaluate", "text"])
def test_reductions_of_nothing_that_have_no_value(f: Any, mode: Any) -> None:
    def of_nothing(x: Any) -> Any:
        return f(x[:0])

    stage = (lambda f: f) if mode == "eager" else ag.function(mode=mode)
    with pytest.raises(ValueError, match="empty|zero-size"):
        stage(of_nothing)(ag.asarray([1.0, 2.0]))


def test_a_naive_form_and_the_stable_one() -> None:
    """`log(1 + exp(x))` is what it says: its gradient is NaN where exp is infinite."""
    x = ag.asarray([1000.0, 0.0], dtype=ag.float64)
    naive = ag.grad(lambda x: ag.sum(ag.log(1 + ag.exp(x))))
    assert np.isnan(naive(x).numpy()[0])
    stable = ag.grad(lambda x: ag.sum(ag.logaddexp(x, 0.0)))
    np.testing.assert_allclose(stable(x).numpy(), [1.0, 0.5])
