"""Seeded and drawn random numbers: the same bits in every mode, new ones in every call."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


@program(case(t(7)), case(t(0)), case(7))
def seeded(seed):
    return (
        ag.random_uniform((2, 3), seed=seed),
        ag.random_normal((4,), seed=seed),
        ag.random_integers(0, 10, (5,), seed=seed),
        ag.random_uniform(seed=seed, low=-1.0, high=2.0),
    )


@program(case(t(3)), case(t(0)))
def seeded_in_a_loop(n):
    total = ag.zeros((2,))
    for i in range(n):
        total = total + ag.random_uniform((2,), seed=i)
    return total


@program(case(t(3), t(1.0)), case(t(3), t(-1.0)))
def seeded_in_a_branch(seed, x):
    if x > 0:
        y = ag.random_uniform((2,), seed=seed)
    else:
        y = ag.random_normal((2,), seed=seed + 1)
    return y * x


@program(case(t([1.0, 2.0, 3.0])), case(t([1.0])), case(t([1.0, 2.0])))
def shape_of_an_argument(x):
    return ag.random_uniform(x.shape, seed=5) * x


@program(case(t(4)))
def equal_seeds_are_equal_numbers(seed):
    a = ag.random_uniform((3,), seed=seed)
    b = ag.random_uniform((3,), seed=seed)
    c = ag.random_uniform((3,), seed=seed + 1)
    return ag.all(a == b), ag.all(a == c), ag.random_uniform((6,), seed=seed)[:3] - a


@stateful(case(1), case(2), case(3), case(1), case(t(2)))
def begun_anew_with_an_argument():
    def run(seed):
        ag.set_seed(seed)
        first = ag.random_uniform((2,))
        ag.set_seed(seed + 1)
        return first, ag.random_normal((2,))

    return run, None


@stateful(case(t(1.0)), case(t(-1.0)), between=(lambda world: ag.set_seed(11),))
def drawn_from_the_default_generator():
    ag.set_seed(7)

    def run(x):
        a = ag.random_uniform((2,))
        b = ag.random_uniform((2,))
        return a * x, b

    return run, None


@stateful(case(t(1.0)), case(t(-1.0)))
def drawn_in_a_branch():
    ag.set_seed(7)

    def run(x):
        y = x
        if x > 0:
            y = x + ag.random_uniform()
        return y, ag.random_normal((2,))

    return run, None


@stateful(case(t(3)), case(t(0)))
def drawn_in_a_loop():
    ag.set_seed(7)

    def run(n):
        total = t(0.0)
        for _ in range(n):
            total = total + ag.random_uniform()
        return total, ag.random_integers(100)

    return run, None


@program(case(t([1.0, 2.0]), t(3)))
def dropout(x, seed):
    keep = ag.random_uniform(x.shape, seed=seed) < 0.5
    return ag.where(keep, x * 2, 0.0)
