"""Training loops that are staged as a whole: dicts and lists of parameters, made anew each step."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = t(np.linspace(-1.0, 1.0, 12).reshape(4, 3))
Y = t(np.array([[0.5], [-0.25], [1.0], [0.0]]))


def parameters():
    return {
        "w1": t(np.linspace(-0.5, 0.7, 12).reshape(3, 4)),
        "b1": t(np.zeros(4)),
        "w2": t(np.linspace(0.3, -0.4, 4).reshape(4, 1)),
    }


def loss(p, x, y):
    return ag.mean((ag.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] - y) ** 2)


STEPS = (case(X, Y, t(3)), case(X, Y, t(0)), case(X, Y, 2), case(X, Y, 40))
SOME = (case(X, Y, t(3)), case(X, Y, 2), case(X, Y, 40))


@program(*STEPS, ulps=4000)
def made_anew(x, y, steps):
    p = parameters()
    value = loss(p, x, y)
    for _ in range(steps):
        value, g = ag.value_and_grad(loss)(p, x, y)
        p = {k: p[k] - 0.1 * g[k] for k in p}
    return value, p


@program(*SOME, ulps=4000)
def from_arrays(x, y, steps):
    p = {"w1": np.full((3, 4), 0.1), "b1": np.zeros(4), "w2": np.ones((4, 1))}
    for _ in range(steps):
        value, g = ag.value_and_grad(loss)(p, x, y)
        p = {k: p[k] - 0.1 * g[k] for k in p}
    return value, p


@program(*STEPS, ulps=4000)
def best_is_kept(x, y, steps):
    p = parameters()
    best, kept = t(np.inf, dtype=ag.float64), dict(p)
    for _ in range(steps):
        value, g = ag.value_and_grad(loss)(p, x, y)
        if value < best:
            best, kept = value, dict(p)
        p = {k: p[k] - 0.1 * g[k] for k in p}
    return best, kept


@program(*STEPS, ulps=4000)
def best_of_arguments(x, y, steps):
    def inner(p, x, y):
        best = None
        kept = dict(p)
        for _ in range(steps):
            value, g = ag.value_and_grad(loss)(p, x, y)
            if best is None or value < best:
                best = value
                kept = dict(p)
            p = {k: p[k] - 2.0 * g[k] for k in p}
        return best, kept

    return inner(parameters(), x, y)


@program(*STEPS, ulps=4000)
def best_of_layers(x, y, steps):
    def error(layers, x, y):
        for w, b in layers:
            x = ag.tanh(x @ w + b)
        return ag.mean((x - y) ** 2)

    p = parameters()
    layers = [(p["w1"], p["b1"]), (p["w2"], t(np.zeros(1)))]
    best, kept = t(np.inf, dtype=ag.float64), list(layers)
    for _ in range(steps):
        value, g = ag.value_and_grad(error)(layers, x, y)
        if value < best:
            best, kept = value, list(layers)
        layers = [(w - v, b - c) for (w, b), (v, c) in zip(layers, g, strict=True)]
    return best, kept


@program(*SOME, ulps=4000)
def halved_until_better(x, y, steps):
    p, rate = parameters(), 8.0
    for _ in range(steps):
        value, g = ag.value_and_grad(loss)(p, x, y)
        new = {k: p[k] - rate * g[k] for k in p}
        while loss(new, x, y) > value and rate > 1e-6:
            rate = rate * 0.5
            new = {k: p[k] - rate * g[k] for k in p}
        p = new
    return p, rate


@program(case(t([1.0, 2.0])), case(t([3.0, -1.0, 0.5])))
def read_by_another_name(x):
    """Derivatives are by places: what the function takes from elsewhere is constant."""
    alone = ag.grad(lambda a: ag.sum(a * x))(x)
    twice = ag.grad(lambda a, b: ag.sum(a * b * b), (0, 1))(x, x)
    nested = ag.grad(lambda p: ag.sum(p["a"] * p["b"] * x))({"a": x, "b": x})
    return alone, twice, nested


@program(case(t([1.0, 2.0])), case(t([-3.0, 2.0])))
def read_of_a_chosen_one(x):
    y = x if x[0] > 0 else x * 2.0
    return ag.grad(lambda a: ag.sum(a * y))(y), ag.hvp(lambda a: ag.sum(a**3 * y), (y,), (x,))
