"""Tensors whose sizes recursion and loops change, with gradients."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
CASES = (
    case(t([1.5, 0.75, 1.25], dtype=ag.float64), t(2)),
    case(t([1.5, 0.75, 1.25], dtype=ag.float64), t(0)),
    case(t([0.5, 0.75, 1.25, 2.0], dtype=ag.float64), t(3)),
)


def doubled(x, n):
    def go(y, k):
        return y if k == 0 else go(ag.concat([y, y * y]), k - 1)

    return go(x, n)


def with_a_number(x, n):
    def go(y, k):
        return (y * 2, k) if k == 0 else go(ag.repeat(y, 2), k - 1)

    return go(x, n)[0]


def by_a_shared_variable(x, n):
    y = x

    def go(k):
        nonlocal y
        if k > 0:
            y = ag.concat([y, y * x[0]])
            go(k - 1)

    go(n)
    return y


def shorter(x, n):
    def go(y, k):
        return y * y if k == 0 else go(y[1:] * x[0], k - 1)

    return go(x, n)


def on_both_sides(x, n):
    def go(y, k):
        return y if k == 0 else ag.concat([go(y[:1], k - 1), y, go(y, 0)])

    return go(x, n)


def times_the_argument(x, n):
    def go(y, k):
        if k == 0:
            return y
        z = go(ag.concat([y, y[:1]]), k - 1)
        return z[:1] * y

    return go(x, n)


def grown(x, n):
    y = x
    for _ in range(n):
        y = ag.concat([y, y * x[0]])
    return y


def masked(x, n):
    y = x
    for _ in range(n):
        y = y[y > 0.5] * x[0]
    return y


def repeated(x, n):
    y = x
    for _ in range(n):
        y = ag.repeat(y, 2) * ag.sum(y)
    return y


def two_that_change(x, n):
    p = [x, x * 2]
    for i in range(n):
        p[i % 2] = ag.concat([p[0], p[1]])
    return p[0]


def the_one_before(x, n):
    y = z = x
    for _ in range(n):
        z = y
        y = ag.concat([y, y])
        y = ag.concat([y[:1] * z, y])
    return ag.concat([y, z])


def of_one_or_more(x, n):
    y = z = x[:1]
    for i in range(n):
        w = z * y
        z = y
        y = ag.concat([y, w])[:2] if i < 1 else y * w
    return y + z


def loops_in_loops(x, n):
    y = x
    for i in range(n):
        for _ in range(i):
            y = ag.concat([y, x[:1] * y[0]])
        y = y * y
    return y


def stacked(x, n):
    ys = [x]
    for _ in range(n):
        ys.append(ag.concat([ys[-1], ys[0] * ys[-1][0]]))
    return ag.concat(ys)


SIZED = (
    *(doubled, with_a_number, by_a_shared_variable, shorter, on_both_sides, times_the_argument),
    *(grown, masked, repeated, two_that_change, the_one_before, of_one_or_more, loops_in_loops),
    stacked,
)
"""The programs, for tests with tapes outside."""


@program(*CASES)
def values_and_gradients(x, n):
    found = []
    for one in SIZED:
        with ag.GradientTape() as tape:
            tape.watch(x)
            total = ag.sum(one(x, n))
        found.append((one(x, n), tape.gradient(total, x)))
    return found


@program(*CASES, vary=False)
def second_derivatives(x, n):
    found = []
    for one in (shorter, grown, the_one_before):

        def slope(v, one=one):
            return ag.grad(lambda w: ag.sum(one(w, n) ** 2))(v)

        found.append(ag.grad(lambda v: ag.sum(slope(v) * v))(x))
    return found


@program(*CASES)
def counted_in_a_variable(x, n):
    count = [0.0]
    total = ag.zeros((2,))

    def go(k):
        if k > 0:
            total[0] = total[0] + 1.0
            count[0] += 1
            go(k - 1)

    go(n)
    return total, count[0]
