"""Gradients through functions of `math`: in staged functions they have them, eagerly they raise."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

X = np.array([0.5, 0.8, 0.7])
FEW, MANY = ag.asarray(4), ag.asarray(50)
Loss = Callable[[Any], Any]
OF_ONE = (
    "acos acosh asin asinh atan atanh cbrt cos cosh exp exp2 expm1 log log10 log1p log2 sin sinh"
    " sqrt tan tanh erf erfc fabs degrees radians"
).split()
OF_TWO = "atan2 copysign hypot pow fmod remainder".split()


def _of_one(name: str) -> Loss:
    function, start = getattr(math, name), 1.5 if name == "acosh" else 0.0
    return lambda x: function(x[0] + start) * x[1] + x[2]


def _of_two(name: str) -> Loss:
    function = getattr(math, name)
    return lambda x: function(x[0], x[1]) * x[2]


class Moving:
    """An object with a number that a function of math makes."""

    def __init__(self, w: Any) -> None:
        self.w = w
        self.e = math.exp(w[0])

    def up(self) -> Any:
        self.e = self.e * 0.5 + math.sin(self.w[1])
        return self.e


def turns(x: Any, n: Any = FEW) -> Any:
    e, best = 0.5, 1.0
    for i in range(n):
        e = math.sin(e) + x[0] * 0.1
        if math.exp(e) > 1.5:
            best = best * 0.9 + math.cos(e)
        else:
            best += math.exp(x[i])
    return best * e * x[1]


def left_early(x: Any, n: Any = MANY) -> Any:
    s = 0.0
    for i in range(n):
        s += math.sqrt(x[0]) / (i + 1.0)
        if s > 1.0:
            break
    return s * x[1]


def recursive(x: Any, n: Any = FEW) -> Any:
    def f(v: Any, k: Any) -> Any:
        if k == 0:
            return math.exp(v)
        return f(v * 0.5, k - 1) + math.sin(v)

    return f(math.sin(x[0]), n) * x[1]


def caught(x: Any) -> Any:
    try:
        v = math.log(x[0] - 10)
    except ValueError:
        v = math.sin(x[0])
    return v * x[1]


def grown(x: Any, n: Any = FEW) -> Any:
    found = [1.0]
    for _ in range(n):
        found.append(math.sin(found[-1]) + x[0])
    total = 0.0
    for v in found:
        total += v * v
    return total * x[1]


def grown_dict(x: Any, n: Any = FEW) -> Any:
    found = {}
    for i in range(n):
        found[i] = math.sin(x[0] * i)
    return sum(found.values()) * x[1]


def pairs(x: Any, n: Any = FEW) -> Any:
    found = [(1.0, 0)]
    for i in range(n):
        found.append((math.exp(-found[-1][0]) * x[0], i))
    return max(found)[0] * x[1] + found[2][0]


def exchanged(x: Any, n: Any = FEW) -> Any:
    a, b = 0.1, 0.2
    for _ in range(n):
        a, b = math.sin(b) + x[0], math.cos(a) * x[1]
    return a * b * x[2]


def filled(x: Any, n: Any = FEW) -> Any:
    out = np.zeros(3)
    for i in range(n - 1):
        out[i] = math.exp(-x[i]) / math.sqrt(x[0])
    return out.sum()


LOSSES: dict[str, Loss] = {
    **{name: _of_one(name) for name in OF_ONE},
    **{name: _of_two(name) for name in OF_TWO},
    "dist": lambda x: math.dist([x[0], x[1]], [x[2], 0.3]) * x[0],
    "log by a base": lambda x: math.log(x[0] + 1, 3) * x[1],
    "prod": lambda x: math.prod([math.sin(v) for v in x]) * x[0],
    "modf": lambda x: math.modf(x[1] * 3.3)[0] * x[0],
    "hypot of three": lambda x: math.hypot(x[0], x[1], x[2]) * x[0],
    "powers": lambda x: math.exp(x[0]) ** 2.5 * x[1] + 2 ** math.sin(x[2]),
    "remainders": lambda x: (math.exp(x[0]) // 0.37) * x[1] + (math.exp(x[0]) % 0.37),
    "abs": lambda x: abs(-math.exp(x[0])) * x[1],
    "max": lambda x: max(math.exp(x[0]), math.sin(x[1])) * min(math.exp(x[2]), 5.0) * x[0],
    "sorted": lambda x: sorted([math.exp(x[0]), math.sin(x[1])])[0] * x[0],
    "sum": lambda x: sum([math.exp(v) for v in x]) * x[0],
    "sum of a generator": lambda x: sum(math.exp(v) for v in x) * x[0],
    "dict": lambda x: (lambda d: d["a"] * d["b"] * x[2])(
        {"a": math.sin(x[0]), "b": math.exp(x[1])}
    ),
    "array": lambda x: np.array([math.sin(x[0]), math.exp(x[1])]).sum() * x[2],
    "in one another": lambda x: math.sin(math.exp(math.sin(x[0]))) * x[1],
    "where": lambda x: np.where(x > 0.6, math.sin(x[0]), x).sum(),
    "full": lambda x: np.full(3, math.sin(x[0])).sum() * x[1],
    "linspace": lambda x: np.linspace(math.sin(x[0]), x[1], 4).sum(),
    "object": lambda x: (lambda m: (m.up(), m.up())[1] * x[2])(Moving(x)),
    "turns": turns,
    "left early": left_early,
    "recursive": recursive,
    "caught": caught,
    "grown": grown,
    "grown dict": grown_dict,
    "pairs": pairs,
    "exchanged": exchanged,
    "filled": filled,
}
COMPILED = ("exp", "pow", "max", "turns", "left early", "recursive", "grown", "filled")


def quotients(f: Loss) -> Any:
    """The gradient by differences."""
    found = np.zeros(3)
    for i, step in enumerate(1e-6 * np.eye(3)):
        found[i] = (float(f(X + step)) - float(f(X - step))) / 2e-6
    return found


@pytest.mark.parametrize(
    "name, mode",
    [*((name, "evaluate") for name in LOSSES), *((name, "compile") for name in COMPILED)],
)
def test_staged(name: str, mode: Any) -> None:
    """The gradient, and one of the gradient."""
    loss = LOSSES[name]
    gradient = ag.function(ag.grad(loss), mode=mode)
    np.testing.assert_allclose(gradient(X), quotients(loss), atol=1e-4)
    weights = np.array([1.0, 2.0, 3.0])
    again = ag.function(ag.grad(lambda x: (ag.grad(loss)(x) * weights).sum()), mode=mode)
    slopes = quotients(lambda x: (gradient(x) * weights).sum())
    np.testing.assert_allclose(again(X), slopes, atol=1e-4)


def test_a_loss_may_be_a_number_of_python() -> None:
    for loss in (lambda x: math.sqrt((x**2).sum()), lambda x: sum(math.exp(v) for v in x)):
        value, gradient = ag.function(ag.value_and_grad(loss), mode="evaluate")(X)
        assert type(value) is float and value == pytest.approx(loss(X))
        np.testing.assert_allclose(gradient, quotients(loss), atol=1e-4)


def test_of_a_staged_function() -> None:
    loss = LOSSES["turns"]
    gradient = ag.grad(ag.function(loss, mode="evaluate"))
    np.testing.assert_allclose(gradient(X), quotients(loss), atol=1e-4)


@pytest.mark.parametrize("given", [X, ag.asarray(X)])
def test_eagerly_they_raise(given: Any) -> None:
    """Where no gradient is lost, they do not."""
    for name in ("sin", "pow", "sum of a generator", "array"):
        with pytest.raises(TypeError, match="takes the number out"):
            ag.grad(LOSSES[name])(given)

    def allowed(x: Any) -> Any:
        if math.isnan(x[0]) or math.floor(x[1]) > 3 or math.sqrt(2.0) < 1:
            return x.sum()
        return x[0] * math.sin(float(x[1])) * math.cos(ag.stop_gradient(x[2]))

    wanted = [math.sin(0.8) * math.cos(0.7), 0.0, 0.0]
    np.testing.assert_allclose(ag.grad(allowed)(given), wanted)
    np.testing.assert_allclose(ag.function(ag.grad(allowed), mode="evaluate")(given), wanted)


@pytest.mark.parametrize(
    "stopped", [float, lambda v: v.item(), lambda v: complex(v).real, lambda v: v.tolist()]
)
def test_numbers_that_are_asked_for_have_none(stopped: Callable[[Any], Any]) -> None:
    def loss(x: Any) -> Any:
        return x[0] * math.exp(stopped(x[0]))

    for gradient in (ag.grad(loss), ag.function(ag.grad(loss), mode="evaluate")):
        np.testing.assert_allclose(gradient(X), [math.exp(0.5), 0.0, 0.0])
