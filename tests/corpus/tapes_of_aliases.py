"""Tapes that watch tensors which may be one another."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray

SIGNS = [case(t(2.0)), case(t(-2.0))]
COUNTS = [case(t(5)), case(t(0)), case(t(12))]


@program(*SIGNS)
def watch_merged(x):
    a, b = t(3.0), t(4.0)
    w = a if x > 0 else b
    with ag.GradientTape() as tape:
        tape.watch(w)
        loss = a * a + 0.0 * b
    return tape.gradient(loss, w)


@program(*SIGNS)
def watch_first_of_chosen(x):
    a, b = [t(3.0)], [t(4.0)]
    ws = a if x > 0 else b
    with ag.GradientTape() as tape:
        tape.watch(ws[0])
        loss = ws[0] * ws[0]
    return tape.gradient(loss, ws[0])


@program(*SIGNS)
def watch_for_chosen(x):
    a, b = [t(3.0), t(1.0)], [t(4.0), t(5.0)]
    ws = a if x > 0 else b
    with ag.GradientTape() as tape:
        for w in ws:
            tape.watch(w)
        loss = sum(w * w for w in ws)
    return tape.gradient(loss, ws)


@program(*COUNTS)
def watch_in_loop(n):
    ws = [t(3.0), t(1.0)]
    for i in range(n):
        with ag.GradientTape() as tape:
            for w in ws:
                tape.watch(w)
            loss = sum(w * w for w in ws)
        ws = [w - 0.1 * g for w, g in zip(ws, tape.gradient(loss, ws))]
    return ws


@program(*COUNTS)
def watch_in_loop_dict(n):
    ws = dict(a=t(3.0), b=t(1.0))
    for i in range(n):
        with ag.GradientTape() as tape:
            for w in ws.values():
                tape.watch(w)
            loss = sum(w * w for w in ws.values())
        g = tape.gradient(loss, ws)
        ws = {k: ws[k] - 0.1 * g[k] for k in ws}
    return ws


@program(*COUNTS)
def watch_in_loop_pytree(n):
    ws = dict(a=[t(3.0), t([1.0])], b=t(1.0))
    for i in range(n):
        with ag.GradientTape() as tape:
            tape.watch(ws)
            loss = sum(w.sum() for w in ws["a"]) * ws["b"]
        g = tape.gradient(loss, ws)
        ws = dict(a=[w - 0.1 * v for w, v in zip(ws["a"], g["a"])], b=ws["b"] - 0.1 * g["b"])
    return ws


@program(*SIGNS)
def watch_follower(x):
    a, b = t(3.0), t(4.0)
    w = a if x > 0 else b
    with ag.GradientTape() as tape:
        tape.watch(a)
        loss = w * w + 0.0 * a
    return tape.gradient(loss, a)


@program(*SIGNS)
def watch_follower_both(x):
    a, b = t(3.0), t(4.0)
    w = a if x > 0 else b
    with ag.GradientTape(persistent=True) as tape:
        tape.watch([a, b])
        loss = w * w + 0.0 * a + 0.0 * b + w * a
    return tape.gradient(loss, [a, b]), tape.gradient(loss, w)


@stateful(*SIGNS)
def variable_merged():
    a, b = ag.Variable(3.0), ag.Variable(4.0)

    def f(x):
        w = a if x > 0 else b
        with ag.GradientTape() as tape:
            loss = w * w + 0.0 * a + 0.0 * b
        g = tape.gradient(loss, [a, b])
        w.assign_sub(0.1 * g[0])
        return g, isinstance(w, ag.Variable), w is a

    return f, (a, b)


@stateful(*SIGNS)
def variable_merged_apply():
    a, b = ag.Variable(3.0), ag.Variable(4.0)

    def f(x):
        ws = [a] if x > 0 else [b]
        with ag.GradientTape() as tape:
            loss = sum(w * w for w in ws)
        g = tape.gradient(loss, ws)
        for v, d in zip(ws, g):
            v.assign_sub(0.1 * d)
        return g

    return f, (a, b)


@program(*COUNTS)
def nested_tape_loop(n):
    w = t(2.0)
    for i in range(n):
        with ag.GradientTape() as outer:
            outer.watch(w)
            with ag.GradientTape() as inner:
                inner.watch(w)
                y = w**3
            g = inner.gradient(y, w)
        h = outer.gradient(g, w)
        w = w - g / (h + 1.0)
    return w


@program(*SIGNS)
def watch_then_rebind(x):
    a = t(3.0)
    with ag.GradientTape() as tape:
        tape.watch(a)
        b = a
        if x > 0:
            b = a * 2
        loss = b * b
    return tape.gradient(loss, a), b is a


@program(*SIGNS)
def watch_list_item_set(x):
    ws = [t(3.0), t(4.0)]
    if x > 0:
        ws[0] = ws[1]
    with ag.GradientTape() as tape:
        tape.watch(ws)
        loss = ws[0] * ws[0] + 3.0 * ws[1]
    return tape.gradient(loss, ws)


@program(*SIGNS)
def watch_swapped(x):
    a, b = t(3.0), t(4.0)
    if x > 0:
        a, b = b, a
    with ag.GradientTape() as tape:
        tape.watch(a)
        tape.watch(b)
        loss = a * a + 3.0 * b * a
    return tape.gradient(loss, [a, b])
