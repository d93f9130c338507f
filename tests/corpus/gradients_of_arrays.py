"""Derivatives by NumPy arrays: of views, of changes in place, of arrays that are filled."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
VALUES = np.array([0.5, -1.25, 2.0, 0.75])
GRID = np.arange(12.0).reshape(3, 4) / 8 - 0.5
TURNS = tuple(case(VALUES, t(n)) for n in (0, 1, 3))


def smoothed(u, turns):
    for _ in range(turns):
        u[1:-1] += 0.25 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


@program(*TURNS, compiled=True)
def of_changes_in_place(a, n):
    def loss(u):
        u = smoothed(u * 1.0, n)
        tail = u[2:]
        tail *= u[0]
        return (u * u).sum()

    return ag.value_and_grad(loss)(a), a


@program(*TURNS, compiled=True)
def descent_of_arrays(a, n):
    w = np.zeros_like(a)
    for _ in range(n):
        w -= 0.1 * ag.grad(lambda v: ((v - a) ** 2).sum() + np.prod(v[:2]))(w)
    return w


@program(case(GRID, t(1.0)), case(GRID, t(-1.0)), compiled=True)
def through_rows_and_columns(m, x):
    def loss(m):
        for row in m:
            row -= row.mean()
        chosen = m.T if x > 0 else m[::-1]
        chosen[0] = np.tanh(chosen[1])
        np.multiply(m, m, out=m)
        return m[m > 0.01].sum()

    return ag.grad(loss)(m), m


@program(*TURNS, compiled=True)
def of_an_array_that_a_loop_fills(a, n):
    def loss(a):
        out = np.ones_like(a)
        for i in range(n):
            out[i] = np.exp(-a[i]) * out[i - 1]
        return out.sum()

    return ag.value_and_grad(loss)(a)


@program(case(VALUES), case(VALUES[::-1]))
def second_derivatives_of_arrays(a):
    def loss(a):
        b = a * a
        b[1:] *= b[:-1]
        return np.sum(b)

    return ag.hessian(loss)(a), ag.hvp(loss, (a,), (a,)), ag.jacobian(np.cumsum)(a)


@program(case(np.float64(0.5), GRID), case(np.float32(-0.25), GRID.astype(np.float32)))
def by_a_scalar_and_an_array(k, m):
    def loss(k, m):
        m[0] *= k
        return (m * k).sum() ** 2

    return ag.value_and_grad(loss, (0, 1))(k, m)


class Layer:
    """A layer of NumPy arrays."""

    def __init__(self, weights, bias):
        self.weights = weights
        self.bias = bias

    def __call__(self, x):
        y = x @ self.weights
        y += self.bias
        return np.maximum(y, 0, out=y)


@program(case(GRID, GRID.T * 2, np.ones(3)))
def of_parameters_in_a_dict(x, weights, bias):
    def loss(parameters):
        hidden = Layer(parameters["weights"], parameters["bias"])(x)
        return np.mean((hidden - 0.5) ** 2)

    parameters = {"weights": weights, "bias": bias}
    for _ in range(2):
        slopes = ag.grad(loss)(parameters)
        for name in parameters:
            parameters[name] = parameters[name] - 0.5 * slopes[name]
    return parameters


@program(case(VALUES), case(VALUES * 2))
def of_one_that_runs_again(a):
    def squares(a):
        b = a * a
        b[1:] += b[0]
        return b

    return ag.grad(lambda a: np.sum(ag.recompute(squares)(a) * a))(a)
