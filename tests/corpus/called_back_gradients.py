"""Gradients through functions that `py_function` calls."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = t([0.5, -1.5])
SPEC = ag.TensorSpec((2,), ag.float32)


def _cubed(x):
    print("called")
    return x * x * x


@program(case(X), case(t([2.0, 1.0])))
def through_a_call(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.py_function(_cubed, [x * 2], SPEC) * x
    return y, tape.gradient(y, x)


@program(case(X, t(3)), case(X, t(0)))
def through_calls_in_a_loop(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 1
        for i in range(n):
            if i != 1:
                y = ag.py_function(lambda a, b: a * b + b, [y, x], SPEC)
            else:
                y = y * x
    return y, tape.gradient(y, x)


@program(case(X))
def several_results(x):
    def both(a, b):
        return a * b, ag.sum(a) ** 2

    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        p, q = ag.py_function(both, [x, x * 3], [SPEC, ag.TensorSpec((), ag.float32)])
        z = ag.sum(p) * q
    return tape.gradient(z, x), tape.gradient(q, x), tape.gradient(p, x)


@program(case(X))
def python_decides(x):
    def f(a):
        return a * a if float(ag.sum(a)) > 0 else ag.exp(a)

    return ag.value_and_grad(lambda a: ag.sum(ag.py_function(f, [a], SPEC) * a))(x)


@program(case(X, t(2)), vary=False)
def in_recursion(x, n):
    def down(a, k):
        return a if k <= 0 else ag.py_function(lambda b: b * b * 0.5, [down(a, k - 1)], SPEC) * a

    return ag.grad(lambda a: ag.sum(down(a, n)))(x)


@program(case(X))
def second_gradient(x):
    def f(a):
        return ag.sum(ag.py_function(lambda b: b * b * b, [a * 1], SPEC) * a)

    return ag.grad(lambda a: ag.sum(ag.grad(f)(a) ** 2))(x), ag.hvp(f, (x,), (x,))


@stateful(case(X), refused="StagingError", naming=("(w)", "inputs"))
def variable_inside():
    w = ag.Variable(np.array([0.5, 2.0], dtype=np.float32), name="w")

    def step(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = ag.py_function(lambda a: a * w, [x], SPEC)
        return tape.gradient(y, x)

    return step, w


@stateful(case(X), case(t([2.0, 1.0])))
def variable_as_input():
    w = ag.Variable(np.array([0.5, 2.0], dtype=np.float32), name="w")

    def step(x):
        with ag.GradientTape() as tape:
            y = ag.sum(ag.py_function(lambda a, b: a * b * b, [x, w], SPEC))
        g = tape.gradient(y, w)
        w.assign_sub(g * 0.1)
        return y, g

    return step, w
