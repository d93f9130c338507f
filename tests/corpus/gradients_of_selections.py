"""Gradients through selections, beside slopes that are infinite where nothing was taken."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
EDGES = (case(t([0.0, 1.0, 4.0])), case(t([0.0, 0.0, 0.0])), case(t([2.0, 0.25, 0.0])))


def gradient(f, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(f(x))
    return y, tape.gradient(y, x)


def second(f, x):
    with ag.GradientTape() as outer:
        outer.watch(x)
        _, first = gradient(f, x)
        total = ag.sum(first)
    return first, outer.gradient(total, x, unconnected_gradients="zero")


@program(*EDGES, compiled=True)
def root(x):
    return second(lambda x: ag.where(x > 0, ag.sqrt(x), 0.0), x)


@program(*EDGES)
def logarithm(x):
    return second(lambda x: ag.where(x > 0, ag.log(x) * 3.0, x), x)


@program(*EDGES)
def quotient(x):
    return second(lambda x: ag.where(x != 0, 1 / x, 0.0), x)


@program(*EDGES)
def power(x):
    return second(lambda x: ag.where(x > 0, x**0.5, 0.0), x)


@program(*EDGES)
def entropy(x):
    return second(lambda x: ag.where(x > 0, x * ag.log(x), 0.0), x)


@program(*EDGES, compiled=True)
def length(x):
    def f(x):
        square = ag.sum(x * x)
        return ag.where(square > 0, ag.sqrt(square), 0.0)

    return second(f, x)


@program(case(t([1.0, -1.0, 0.5])), case(t([2.0, 0.0, -0.5])))
def angle(x):
    return gradient(lambda x: ag.where(ag.abs(x) < 1, ag.acos(x), 0.0), x)


@program(*EDGES)
def nested(x):
    def f(x):
        return ag.where(x > 0, ag.where(x > 1, ag.sqrt(x - 1), ag.sqrt(x)), 0.0)

    return second(f, x)


@program(*EDGES)
def larger_of_two(x):
    return gradient(lambda x: ag.maximum(ag.sqrt(x), 0.75) + ag.minimum(ag.log(x + 0.0), 1.0), x)


@program(*EDGES)
def clipped(x):
    return gradient(lambda x: ag.clip(ag.log(x), -1.0, 1.0), x)


@program(*EDGES)
def rectified(x):
    return second(lambda x: ag.relu(ag.log(x)), x)


@program(*EDGES)
def taken_by_a_mask(x):
    return second(lambda x: ag.sqrt(x)[x > 0], x)


@program(*EDGES)
def items(x):
    def f(x):
        y = ag.sqrt(x)
        return y[1] + y[-2] * 2

    return second(f, x)


@program(*EDGES)
def replaced_by_a_mask(x):
    def f(x):
        y = ag.sqrt(x)
        y[x == 0] = 7.0
        return y * 2

    return second(f, x)


@program(*EDGES)
def replaced_item(x):
    def f(x):
        y = ag.sqrt(x) + 0
        y[0] = x[1]
        return y

    return gradient(f, x)


@program(*EDGES)
def largest(x):
    return gradient(lambda x: ag.max(ag.sqrt(x)), x)


@program(*EDGES)
def rows(x):
    def f(x):
        some = ag.sqrt(x)[:, None] * ag.asarray([1.0, 2.0])
        return ag.where(x > 0, ag.sum(some, axis=1), 0.0)

    return second(f, x)


@program(*EDGES)
def columns(x):
    def f(x):
        return ag.where(x[:, None] > 0, ag.log(x)[:, None] * ag.asarray([1.0, 2.0]), 0.0)

    return second(f, x)


@program(*EDGES)
def in_a_loop(x):
    def f(x):
        total = 0.0
        for one in x:
            total = total + ag.where(one > 0, ag.sqrt(one), 0.0)
        return total

    return gradient(f, x)


@program(*EDGES, compiled=True)
def in_a_staged_loop(x):
    def f(x):
        total, i = ag.sum(x) * 0, ag.asarray(0)
        while i < 3:
            total = total + ag.sum(ag.where(x > 0, ag.sqrt(x), 0.0)) * 0.5
            i = i + 1
        return total

    return gradient(f, x)


@program(*EDGES)
def both_taken(x):
    """A zero that arithmetic made is no selection's: at 0 nothing is known."""
    return gradient(lambda x: ag.sqrt(x) ** 2, x)


@program(case(t([float("inf"), 1.0, -2.0])))
def infinite_numbers(x):
    return gradient(lambda x: ag.where(ag.isfinite(x), x * x, 0.0), x)


@program(*EDGES)
def along_a_tangent(x):
    def f(x):
        return ag.sum(ag.where(x > 0, ag.sqrt(x), 0.0))

    return ag.jvp(f, (x,), (ag.ones_like(x),)), ag.hvp(f, (x,), (ag.ones_like(x),))


@program(*EDGES, compiled=True)
def root_before_a_branch(x):
    def f(x):
        y = ag.sqrt(x)
        return ag.sum(ag.where(x > 0, y, 0.0)) if ag.sum(x) > 1 else ag.sum(x)

    return second(f, x)


@program(*EDGES)
def changed_in_a_branch(x):
    def f(x):
        y = ag.sqrt(x)
        y = y * 2 if ag.sum(x) > 1 else y + 1
        return ag.where(x > 0, y, 0.0)

    return second(f, x)


@program(*EDGES, compiled=True)
def root_before_a_loop(x):
    def f(x):
        y, total, i = ag.sqrt(x), ag.sum(x) * 0, ag.asarray(0)
        while i < 3:
            total = total + ag.sum(ag.where(x > 0, y, 0.0))
            i = i + 1
        return total

    return second(f, x)


@program(*EDGES)
def selected_after_a_loop(x):
    def f(x):
        y, i = ag.sqrt(x), ag.asarray(0)
        while i < 3:
            y = y * 0.5 + ag.log(x + 1)
            i = i + 1
        return ag.where(x > 0, y, 0.0)

    return second(f, x)


@program(*EDGES)
def items_in_a_loop(x):
    def f(x):
        y, total = ag.sqrt(x), ag.sum(x) * 0
        for i in range(ag.asarray(3)):
            if x[i] > 0:
                total = total + y[i] * ag.log(x[i] + 1)
        return total

    return second(f, x)


@program(*EDGES)
def roots_of_roots(x):
    def f(x):
        y, i = x * 1, ag.asarray(0)
        while i < 3:
            y = ag.where(x > 0, ag.sqrt(y), 0.0)
            i = i + 1
        return y

    return gradient(f, x)
