"""Targets and sources of gradients that are chosen when the tape has stopped."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N = (case(t(3), t(2.0)), case(t(0), t(2.0)), case(t(1), t(-1.5)))
X = (case(t(2.0), t(5.0)), case(t(4.0), t(0.5)), case(t(3.0), t(3.0)))


@program(*N)
def by_ternary(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        a, b = x * x, x * 3
    y = a if n > 1 else b
    return tape.gradient(y, x), y is a


@program(*X)
def by_statement(x, w):
    with ag.GradientTape() as tape:
        tape.watch((x, w))
        a, b = x * x, x * w
    loss = a
    if b > a:
        loss = b
    return tape.gradient(loss, [x, w], unconnected_gradients="zero")


@program(*X)
def by_extremes(x, w):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        parts = [x * x, x * w, x * 3]
    least, most = min(parts), max(parts)
    middle = sorted(parts)[1]
    return [tape.gradient(one, x) for one in (least, middle, most)]


@program(*X)
def by_key(x, w):
    with ag.GradientTape() as tape:
        tape.watch(x)
        parts = {"square": x * x, "product": x * w}
    found = min(parts.values(), key=lambda one: abs(one - 10))
    return tape.gradient(found, x)


@program(*X)
def by_loop(x, w):
    with ag.GradientTape() as tape:
        tape.watch(x)
        ys = [x * x, x * w, x * 3]
    for y in ys:
        if y > 8:
            break
    return tape.gradient(y, x)


@program(*N)
def by_index(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        ys = [x * x, x * 3, x + 1, x]
    return tape.gradient(ys[n], x)


@program(*N)
def by_name(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        ys = {"a": x * x, "b": x * 3}
    return tape.gradient(ys["a" if n > 1 else "b"], x)


@program(case(t(3), t(2.0)), case(t(1), t(-1.5)))
def from_a_grown_list(n, x):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        ys, y = [], x
        for _ in range(n):
            y = y * x
            ys.append(y)
    first, last = tape.gradient(ys[0], x), tape.gradient(ys[-1], x)
    return first, last, tape.gradient(ys.pop(), x), len(ys)


@program(case(t(3), t(2.0)), case(t(1), t(-1.5)))
def from_a_dict(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        powers = {}
        y = x
        for k in range(n):
            y = y * x
            powers[k] = y
    return tape.gradient(powers[0], x)


@program(case(t(3), t(2.0)), case(t(1), t(-1.5)))
def from_a_list_of_a_branch(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        ys = [x * x]
        if n > 1:
            ys.append(x * x * x)
    *_, last = ys
    return tape.gradient(last, x)


@program(*X)
def attribute(x, w):
    class Model:
        loss = None

    model = Model()
    with ag.GradientTape() as tape:
        tape.watch(x)
        model.loss = x * x
        other = x * w
    if other > model.loss:
        model.loss = other
    return tape.gradient(model.loss, x)


@program(*X)
def twice_chosen(x, w):
    with ag.GradientTape() as tape:
        tape.watch(x)
        a, b, c = x * x, x * w, x * 3
    y = a if w > 1 else b
    z = y if x > 2.5 else c
    z = z if w > 0 else a
    return tape.gradient(z, x)


@program(*X)
def several_and_seeds(x, w):
    with ag.GradientTape() as tape:
        tape.watch((x, w))
        a, b, c = x * x, x * w, w * 3
    y = a if w > 1 else b
    return tape.gradient({"y": y, "c": [c]}, (x, w), {"y": t(2.0), "c": [t(10.0)]})


@program(case(t(2), t([1.0, 2.0])), case(t(0), t([1.0, -3.0])))
def rows(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        a, b = x * x, x * 3
    y = a if n > 1 else b
    return tape.jacobian(y, x)


@program(case(t(2), t([1.0, 2.0])), case(t(0), t([1.0, -3.0])))
def of_other_sizes(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        a, b = x * x, (x * 3)[:1]
    y = a if n > 1 else b
    return tape.gradient(y, x)


@program(*N)
def computed_afterwards(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        a = x * x
    y = a * 2 if n > 1 else a * 3
    return tape.gradient(y, x)


@program(*N)
def sources(n, x):
    w = x + 1
    xs = [x, w]
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        y = x * w * w
    k = xs[0 if n > 1 else 1]
    return (
        tape.gradient(y, k),
        tape.gradient(y, x if n > 0 else w),
        tape.gradient(y, xs[int(n > 0)]),
    )


@program(*N)
def second_derivative(n, x):
    with ag.GradientTape() as outer:
        outer.watch(x)
        with ag.GradientTape() as inner:
            inner.watch(x)
            a, b = x * x * x, x * x
        y = a if n > 1 else b
        first = inner.gradient(y, x)
    return outer.gradient(first, x)


@program(case(t(3), t(2.0)), case(t(0), t(2.0)))
def in_a_branch(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        a, b = x * x, x * 3
    y = a
    if n > 1:
        if x > 1:
            y = b
        g = tape.gradient(y, x)
    else:
        g = tape.gradient(y, x) * 10
    return g


@program(case(t(3), t(2.0)), case(t(1), t(2.0)))
def chosen_by_a_loop(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        a, b = x * x, x * 3
    y, i = a, 0
    while i < n:
        y = b if i == 2 else a
        i += 1
    return tape.gradient(y, x)


@program(case(t(3), t(2.0)), case(t(1), t(2.0)))
def taken_in_a_loop(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        ys, y = [], x
        for _ in range(n):
            y = y * x
            ys.append(y)
    y, i = ys[0], 0
    while i < n:
        y = ys[i]
        i += 1
    return tape.gradient(y, x)


@program(case(t(3), t(2.0)), case(t(1), t(2.0)), refused="StateError")
def taken_and_computed_in_a_loop(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        ys, y = [], x
        for _ in range(n):
            y = y * x
            ys.append(y)
    y, i, total = ys[0], 0, 0.0
    while i < n:
        y = ys[i]
        total = total + y
        i += 1
    return tape.gradient(y, x), total
