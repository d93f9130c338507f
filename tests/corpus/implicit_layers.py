"""Loops inside functions with a gradient of their own: fixed points, roots, what is run again."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X, W = t([0.5, -1.5], dtype=ag.float64), t([[0.2, 0.1], [-0.3, 0.1]], dtype=ag.float64)


def settled(f, z, tolerance=1e-9, limit=60):
    """Where f stays: a loop whose counter is known, and which the data ends."""
    turns = 0
    while turns < limit:
        new = f(z)
        done = ag.max(ag.abs(new - z)) < tolerance
        z = new
        turns += 1
        if done:
            break
    return z, turns


@ag.custom_gradient
def fixed_point(w, x):
    z, turns = settled(lambda z: ag.tanh(z @ w + x), ag.zeros_like(x))

    def gradient(g):
        _, back = ag.vjp(lambda z: ag.tanh(z @ w + x), z)
        u, turns = settled(lambda u: g + back(u)[0], g)
        return ag.vjp(lambda w, x: ag.tanh(z @ w + x), w, x)[1](u)

    return z, gradient


@program(case(W, X), case(W * 2, X), ulps=1 << 14)
def equilibrium(w, x):
    return ag.value_and_grad(lambda w, x: ag.sum(fixed_point(w, x) ** 2), argnums=(0, 1))(w, x)


@ag.custom_gradient
def cube_root(a):
    x = ag.ones_like(a)
    for turn in range(60):
        step = (x - a / (x * x)) / 3
        x = x - step
        if ag.abs(step) < 1e-9:
            break
    else:
        raise ArithmeticError(f"no root after {turn}")
    return x, lambda g: g / ag.grad(lambda x: x**3 - a)(x)


@program(
    case(t([8.0, 27.0], dtype=ag.float64)),
    case(t([1.0, 0.0, 64.0], dtype=ag.float64)),
    ulps=1 << 14,
)
def roots_that_are_found(xs):
    found, failed = [], []
    for k, x in enumerate(xs):
        try:
            found.append(ag.value_and_grad(cube_root)(x))
        except ArithmeticError as error:
            failed.append((k, str(error)))
    return found, failed


@stateful(case(W, X), case(W, X * 2), ulps=1 << 14)
def equilibrium_of_a_variable():
    weight = ag.Variable(t([[0.2, 0.1], [-0.3, 0.1]], dtype=ag.float64))

    @ag.recompute
    def layer(x):
        return settled(lambda z: ag.tanh(z @ weight + x), ag.zeros_like(x))[0]

    def f(w, x):
        with ag.GradientTape() as tape:
            y = ag.sum(layer(x) ** 2)
        slope = tape.gradient(y, weight)
        weight.assign(weight - 0.1 * slope + 0 * w)
        return y, slope

    return f, weight
