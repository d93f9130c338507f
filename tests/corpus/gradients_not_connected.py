"""Gradients of what does not connect on the path that was taken, behind infinite factors."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

SIGNS = [case(t(2.0)), case(t(-2.0))]
PAIRS = [case(t([2.0, 1.0]), t(3)), case(t([0.5, 2.0]), t(0))]


@program(*SIGNS, compiled=True)
def beside_an_infinite_factor(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        z = ag.exp(x * 1000.0) if x > 5 else x
        y = ag.exp(x * x * 500.0)
        w = y * 0.5 if x < -100 else x * 3.0
        loss = w + z
    return tape.gradient(loss, x)


@program(case(t(2.0), t(3)), case(t(2.0), t(0)))
def overwritten_in_a_loop(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x * 500.0
        total = x
        for i in range(n):
            y = ag.exp(y)
            if y < 1.0:
                total = total + y
        loss = total
    return tape.gradient(loss, x)


@program(case(t(2.0), t(3)), case(t(2.0), t(0)))
def chosen_in_a_loop(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = 1.0 / (x - 2.0)
        best = x
        for i in range(n):
            y = y * x
            best = y if y < 10.0 else x * 2.0
        loss = best
    return tape.gradient(loss, x)


@program(case(t(2.0), t(3)), case(t(2.0), t(0)))
def through_recursion_not_taken(x, n):
    def f(k, v):
        return v if k <= 0 else f(k - 1, 1.0 / (v - v))

    with ag.GradientTape() as tape:
        tape.watch(x)
        a = f(n, x)
        loss = a if n < 0 else x * 1.0
    return tape.gradient(loss, x)


@program(case(t([2.0, 1.0]), t(3)), case(t([0.5, 2.0]), t(0)))
def added_under_a_condition(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        h = ag.zeros_like(x)
        out = x.sum()
        for i in range(n):
            h = ag.log(h * x)
            if ag.isfinite(h).all():
                out = out + h.sum()
    return tape.gradient(out, x), out


@program(case(t([2.0, 1.0]), t(3)), case(t([0.5, 2.0]), t(0)))
def an_invariant_never_used(x, n):
    w = ag.sqrt(x - x)
    with ag.GradientTape() as tape:
        tape.watch(x)
        s = ag.sqrt(x - x)
        out = x.sum() * 2
        for i in range(n):
            if i > 5:
                out = out + (s * x).sum()
    return tape.gradient(out, x), out


@program(*PAIRS)
def list_not_read(v, n):
    with ag.GradientTape() as tape:
        tape.watch(v)
        bad = 1.0 / (v.sum() - v.sum())
        ys = [e * bad for e in v]
        loss = ys[-1] if n > 10 else v.sum()
    return tape.gradient(loss, v)


@program(*PAIRS)
def grown_list_not_read(v, n):
    with ag.GradientTape() as tape:
        tape.watch(v)
        bad = 1.0 / (v.sum() - v.sum())
        ys = []
        for i in range(n):
            ys.append(v[0] * bad)
        loss = v.sum()
        for y in ys:
            if n > 10:
                loss = loss + y
    return tape.gradient(loss, v)


@program(*PAIRS)
def filtered_list_not_read(v, n):
    with ag.GradientTape() as tape:
        tape.watch(v)
        bad = 1.0 / (v.sum() - v.sum())
        kept = [e * bad for e in v if e > 0]
        loss = sum(kept) if n > 10 else v.sum()
    return tape.gradient(loss, v)


@program(*PAIRS)
def of_a_function_not_called(v, n):
    def bad(v):
        return [e * (1.0 / (v.sum() - v.sum())) for e in v][-1]

    with ag.GradientTape() as tape:
        tape.watch(v)
        loss = ag.minimum(bad(v), 0.0) if n > 10 else v.sum()
        x = v * 1
        x = x * x
        if n > 3:
            x[n % 2] += ag.minimum(bad(v), 1.0)
    return tape.gradient(loss, v)


@program(
    case(t(2.0), t(3.0), True),
    case(t(2.0), t(3.0), False),
    case(t(1.0), t(3.0), True),
    case(t(1.0), t(2.0), False),
)
def of_a_term_that_a_bool_leaves_out(a, b, both):
    with ag.GradientTape() as tape:
        tape.watch([a, b])
        loss = a * 2.0
        if both:
            loss = loss + b * b
    found = tape.gradient(loss, [a, b])
    return "skip" if found[1] is None else "update", found
