"""What a recomputed function reads that is written afterwards."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


@program(case(t(1.5)))
def tensor_written_after(x):
    w = t([2.0, 3.0])

    @ag.recompute
    def scaled(a):
        return a * w[0]

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = scaled(x)
    w[0] = 10.0
    return y, tape.gradient(y, x)


@stateful(case(t(1.5)))
def number_of_a_variable_assigned_after():
    v = ag.Variable(2.0)

    @ag.recompute
    def scaled(a):
        return a * float(v)

    def f(x):
        v.assign(2.0)
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
            v.assign(10.0)
        return y, tape.gradient(y, x)

    return f, v


@stateful(case(t(1.5)), case(t(2.5)))
def decision_by_an_item_written_after():
    w = t([2.0, 3.0])

    @ag.recompute
    def scaled(a):
        return a * w.sum().item() if w[1].item() > 2 else a * a

    def f(x):
        w[1] = 3.0
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
        w[1] = 1.0
        return y, tape.gradient(y, x)

    return f, w


@stateful(case(t(1.5)))
def one_in_another():
    v, w = ag.Variable(2.0), t([2.0, 3.0])

    @ag.recompute
    def inner(a):
        factor = float(v)
        v.assign(7.0)
        return a * factor * w[1]

    @ag.recompute
    def outer(a):
        return inner(a) * w[0] + v.item()

    def f(x):
        v.assign(2.0)
        w[:] = [2.0, 3.0]
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = outer(x)
        v.assign(10.0)
        w[:] = [20.0, 30.0]
        return y, tape.gradient(y, x)

    return f, (v, w)


@stateful(case(t(1.5)))
def buffer_made_inside():
    w = t([2.0, 3.0])

    @ag.recompute
    def filled(a):
        buffer = ag.zeros((2,))
        buffer[0] = a * w[0]
        buffer[1] = buffer[0] * w[1]
        w[0] = 100.0
        return buffer

    def f(x):
        w[0] = 2.0
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = ag.sum(filled(x))
        w[1] = 1.0
        return y, tape.gradient(y, x)

    return f, w
