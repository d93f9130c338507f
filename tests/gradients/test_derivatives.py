"""grad and its kin: against numbers, nested, and staged as eagerly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

X = np.array([0.3, -0.8, 1.1])
V = np.array([1.0, 0.5, -2.0])


def cubic(x: Any) -> Any:
    return ag.sum(x**3 * ag.asarray(V)) + ag.sum(x) ** 2


def branching(x: Any) -> Any:
    """A loop whose end, and a branch, depend on the data."""
    y = x
    n = 0
    while ag.sum(y * y) < 20.0:
        y = y * 1.5 + ag.sin(y) if y[0] > 0.5 else y * 2.0
        n += 1
    return ag.sum(y * y) * n


def row(x: Any) -> Any:
    return ag.stack([x[0] * x[1], ag.exp(x[2]), ag.sum(x * x)])


def loss(parameters: Any, x: Any) -> Any:
    return ag.mean(ag.tanh(x * parameters["w"] + parameters["b"][0]) ** 2)


def summed(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: ag.sum(f(x))


GIVEN = {"w": ag.asarray(0.7, dtype=ag.float64), "b": [ag.asarray(0.1, dtype=ag.float64)]}
CASES: dict[str, Callable[[Any], Any]] = {
    "grad": lambda x: ag.grad(cubic)(x),
    "grad of a loop": lambda x: ag.grad(branching)(x),
    "second": lambda x: ag.grad(lambda y: ag.sum(ag.grad(branching)(y) * ag.asarray(V)))(x),
    "third": lambda x: ag.grad(lambda a: ag.sum(ag.grad(lambda b: ag.sum(ag.grad(cubic)(b)))(a)))(
        x
    ),
    "value": lambda x: ag.value_and_grad(branching)(x),
    "aux": lambda x: ag.grad(lambda y: (cubic(y), y * 2), has_aux=True)(x),
    "two": lambda x: ag.grad(lambda a, b: ag.sum(a * b * b), argnums=(0, 1))(x, x + 1),
    "nested": lambda x: ag.value_and_grad(loss)(GIVEN, x),
    "unconnected": lambda x: ag.grad(lambda a, b: ag.sum(a), argnums=1)(x, x),
    "vjp": lambda x: ag.vjp(row, x)[1](ag.asarray(V)),
    "jvp": lambda x: ag.jvp(row, (x,), (ag.asarray(V),)),
    "jvp of a loop": lambda x: ag.jvp(branching, (x,), (ag.asarray(V),)),
    "hvp": lambda x: ag.hvp(branching, (x,), (ag.asarray(V),)),
    "jacobian": lambda x: ag.jacobian(row)(x),
    "hessian": lambda x: ag.hessian(cubic)(x),
    "elementwise": lambda x: ag.elementwise_grad(lambda y: y**3)(x),
    "elementwise, twice": lambda x: ag.elementwise_grad(ag.elementwise_grad(ag.tanh))(x),
}


def leaves(result: Any) -> list[Any]:
    if isinstance(result, dict):
        return [one for key in result for one in leaves(result[key])]
    if isinstance(result, list | tuple):
        return [one for each in result for one in leaves(each)]
    return [np.asarray(result)]


@pytest.mark.parametrize("mode", ["evaluate", "text"])
@pytest.mark.parametrize("name", CASES)
def test_staged_as_eagerly(name: str, mode: str) -> None:
    x = ag.asarray(X)
    wanted = leaves(CASES[name](x))
    found = leaves(ag.function(mode=mode)(CASES[name])(x))
    for one, other in zip(wanted, found, strict=True):
        np.testing.assert_allclose(one, other, rtol=0 if mode == "evaluate" else 1e-12, atol=1e-300)


def difference(f: Callable[[Any], Any], x: Any, v: Any, step: float = 1e-6) -> Any:
    return (f(x + step * v) - f(x - step * v)) / (2 * step)


def test_numbers() -> None:
    x, v = ag.asarray(X), ag.asarray(V)
    along = difference(lambda y: branching(y).numpy(), x, v)
    np.testing.assert_allclose(ag.sum(ag.grad(branching)(x) * v).numpy(), along, rtol=1e-6)
    np.testing.assert_allclose(ag.jvp(branching, (x,), (v,))[1].numpy(), along, rtol=1e-6)
    change = difference(lambda y: ag.grad(branching)(y).numpy(), x, v)
    np.testing.assert_allclose(ag.hvp(branching, (x,), (v,))[0].numpy(), change, rtol=1e-5)
    jacobian = ag.jacobian(row)(x).numpy()
    np.testing.assert_allclose(jacobian @ V, ag.jvp(row, (x,), (v,))[1].numpy(), rtol=1e-12)
    np.testing.assert_allclose(V @ jacobian, ag.vjp(row, x)[1](v)[0].numpy(), rtol=1e-12)
    hessian = ag.hessian(cubic)(x).numpy()
    np.testing.assert_allclose(hessian, np.diag(6 * X * V) + 2.0, rtol=1e-12)


def test_the_bounds_of_a_range() -> None:
    for make in (ag.arange, np.arange):
        staged = ag.function(lambda x, make=make: ag.sum(make(x[0], x[0] + 0.55, x[1]) ** 2))
        found = ag.function(lambda x, f=staged: ag.grad(f)(x))(ag.asarray([1.0, 0.1]))
        np.testing.assert_allclose(found.numpy(), [15.0, 2 * (15 + 5.5)], rtol=1e-6)


def test_of_a_staged_function() -> None:
    staged = ag.function(mode="text")(branching)
    x = ag.asarray(X)
    np.testing.assert_allclose(
        ag.grad(staged)(x).numpy(), ag.grad(branching)(x).numpy(), rtol=1e-12
    )
    np.testing.assert_allclose(
        ag.hvp(staged, (x,), (x,))[0].numpy(), ag.hvp(branching, (x,), (x,))[0].numpy(), rtol=1e-10
    )


def test_wrong_arguments() -> None:
    tape = ag.GradientTape()
    with pytest.raises(ValueError, match="'none' or 'zero', not 'zeros'"):
        tape.gradient(ag.asarray(1.0), [], unconnected_gradients="zeros")
    with pytest.raises(TypeError, match="tensor"):
        ag.grad(lambda x: 3.0)(ag.asarray(X))


@pytest.mark.parametrize(
    "stage", [lambda f: f, ag.function(mode="evaluate")], ids=["eager", "staged"]
)
def test_a_tensor_in_two_places_is_two_arguments(stage: Any) -> None:
    def product(a: Any, b: Any) -> Any:
        return ag.sum(a * b)

    x, one, none = (ag.asarray(v, dtype=ag.float64) for v in ([2.0, 3.0], [1.0, 1.0], [0.0, 0.0]))
    assert stage(lambda x: ag.grad(product)(x, x))(x).tolist() == [2.0, 3.0]
    assert [g.tolist() for g in stage(lambda x: ag.grad(product, (0, 1))(x, x))(x)] == [
        [2, 3],
        [2, 3],
    ]
    assert stage(lambda x: ag.jvp(product, (x, x), (one, none))[1])(x) == 5.0
    seed = ag.asarray(1.0, dtype=ag.float64)
    assert [g.tolist() for g in stage(lambda x: ag.vjp(product, x, x)[1](seed))(x)] == [
        [2, 3],
        [2, 3],
    ]
    assert [g.tolist() for g in stage(lambda x: ag.hvp(product, (x, x), (one, none)))(x)] == [
        [0, 0],
        [1, 1],
    ]
