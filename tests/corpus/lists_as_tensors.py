"""Lists with tensors and numbers in them where an op or a Variable takes a tensor."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, decorating, program, stateful

t = ag.asarray


@program(case(t(3)), case(t(1)))
def of_one_item_lists(n):
    rows = []
    for i in range(n):
        rows.append([i * 2])
    return ag.asarray(rows)


@program(case(t(3)), case(t(1)))
def of_pairs(n):
    rows = []
    for i in range(n):
        rows.append([i * 2, i])
    return ag.asarray(rows), ag.stack(rows), ag.concat(rows)


@program(case(t(3)), case(t(1)))
def of_tuples_of_kinds(n):
    rows = []
    for i in range(n):
        rows.append((i * 2.0, n * 1.5, n))
    return ag.asarray(rows)


@program(case(t(3)), case(t(1)))
def of_nested_lists(n):
    rows = []
    for i in range(n):
        rows.append([[i * 2], [i]])
    return ag.asarray(rows)


@program(case(t(3)), case(t(1)))
def of_lists_of_vectors(n):
    rows = []
    x = t([1.0, 2.0])
    for i in range(n):
        rows.append([x * i])
    return ag.asarray(rows), ag.concat(rows), ag.stack(rows)


@program(case(t(3)), case(t(1)), refused="MergeError")
def of_nothing(n):
    rows = []
    for i in range(n):
        rows.append(None)
    return ag.stack(rows)


@program(case(t(3)), case(t(1)), refused="MergeError")
def of_strings(n):
    rows = []
    for i in range(n):
        rows.append("a")
    return ag.asarray(rows)


@program(case(t(3)), case(t(1)))
def of_constants(n):
    rows = []
    for i in range(n):
        rows.append(1)
    return ag.asarray(rows), ag.asarray([2.0 for i in range(n)])


@program(case(t([1.0, 2.0, 3.0])), vary=False)
def of_filtered_pairs(x):
    rows = [[v] for v in x if v > 1]
    return ag.asarray(rows), ag.asarray([[v, v * 2] for v in x])


@program(case(t([1.0, 2.0, 3.0])), vary=False)
def gradient_of_pairs(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(ag.asarray([[v, v * v] for v in x if v > 1]))
    return tape.gradient(y, x)


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0])))
def of_none(x):
    kept = [v for v in x if v > 0]
    return ag.asarray(kept), ag.sum(kept)


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0])))
def sum_of_none(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(ag.asarray([v * v for v in x if v > 0]))
    return y


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0])))
def of_no_floats(x):
    kept = [float(v) for v in x if v > 0]
    return ag.asarray(kept)


@stateful(case(t(3.0)), case(t(1.0)))
def assigned():
    v = ag.Variable([0.0, 1.0])

    def f(n):
        v.assign([v[1], v[0] + n])
        v.assign_add([n, 1.0])
        v.assign_sub((1, n))
        return v.copy()

    return f, v


@stateful(case(t(3)), case(t(1)))
def assigned_numbers():
    v = ag.Variable([0.0, 1.0])

    def f(n):
        v.assign([int(n), 2.0])
        for i in range(n):
            v.assign_add([i, 1.0])
        return v.copy()

    return f, v


@stateful(case(t(3.0)), case(t(1.0)))
def gradient_of_assigned():
    v = ag.Variable([0.0, 1.0])

    def f(n):
        with ag.GradientTape() as tape:
            v.assign([v[1] * 2, v[0] + n])
            y = ag.sum(ag.stack([v[0] * n, v[1]]))
        return tape.gradient(y, v)

    return f, v


@stateful(case(t(3)), case(t(1)))
def assigned_ints():
    v = ag.Variable([0, 1])

    def f(n):
        v.assign([v[1], n])

    return f, v


@program(case(t(3.0)), case(t(-1.0)))
def gradient_inside(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(ag.asarray([x, x * 2])) + ag.mean((x, x)) + ag.sum(ag.ones(2) * [x, 3.0])
    return tape.gradient(y, x)


@decorating(case(t([1.0, 2.0, 3.0])), case(t([0.5, -1.0])))
def second_derivatives_outside(decorate):
    def product(x):
        squares = [v * v for v in x]
        doubles = [v * 2 for v in x]
        return ag.sum(ag.stack(squares) * ag.stack(doubles))

    staged = decorate(product)

    def f(x):
        with ag.GradientTape() as outer:
            outer.watch(x)
            with ag.GradientTape() as inner:
                inner.watch(x)
                y = staged(x)
            slope = ag.sum(inner.gradient(y, x))
        return outer.gradient(slope, x)

    return f, []
