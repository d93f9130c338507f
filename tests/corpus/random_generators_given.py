"""Random generators that the caller makes for each call, and those that a call makes itself."""

from __future__ import annotations

import random

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

RNG = np.random.default_rng
X = ag.asarray(2.0, dtype=ag.float64)


@program(case(RNG(1), 4), case(RNG(2), 6), case(np.random.RandomState(3), 4), compiled=True)
def sum_of_draws(rng, n):
    total = 0.0
    for _ in range(n):
        total += rng.normal() * rng.uniform(0.5, 1.5)
    return total + rng.permutation(n).sum()


@program(case(random.Random(1), 4), case(random.Random(2), 6))
def draws_of_python(rng, n):
    items = list(range(n))
    rng.shuffle(items)
    return sum(rng.random() for _ in range(n)), items, rng.gauss(0.0, 1.0), rng.choice(items)


SAME = RNG(5)


@program(case(RNG(1), RNG(2)), case(SAME, SAME))
def two_generators(one, other):
    drawn = one.random(), other.random(), one.random()
    equal = one == other, one != other, one in [other], [other, one].index(one)
    return drawn, equal, one is other, one.random == other.random


@program(case(RNG(1), RNG(2), X), case(RNG(3), RNG(4), -X))
def one_of_two(one, other, x):
    rng = one if x > 0 else other
    drawn = rng.random()
    for _ in range(3):
        rng = one if drawn > 0.5 else other
        drawn = rng.random()
    return drawn, rng


class Walker:
    def __init__(self, seed):
        self.rng = RNG(seed)
        self.place = 0

    def step(self):
        self.place += int(self.rng.choice([-1, 1]))
        return self.place


@program(case(Walker(1), 5), case(Walker(2), 5))
def kept_on_an_object(walker, n):
    return [walker.step() for _ in range(n)], walker.rng


@program(case(RNG(1)), case(RNG(2)))
def shown(rng):
    return str(rng), f"{rng}".startswith("Generator"), repr(rng).startswith("Generator")


@program(case(3, X), case(4, X))
def made_in_turns(n, x):
    before = RNG(100)
    drawn = []
    for k in range(n):
        rng = RNG(k)
        drawn.append(rng.random() + before.random())
    while x < 5:
        rng = RNG(int(x))
        x = x + rng.random() + before.random()
    return drawn, x


@program(case(RNG(1), X), case(RNG(2), X))
def gradients_of_gradients(rng, x):
    with ag.GradientTape() as outer:
        outer.watch(x)
        with ag.GradientTape() as inner:
            inner.watch(x)
            y = x**3 * rng.random()
        slope = inner.gradient(y, x)
    return y, slope, outer.gradient(slope, x), rng.random()


class Scale:
    def __init__(self, factor):
        self.factor = factor


@program(case(Scale(2.0), X), case(Scale(3.0), X))
def called_back_with_an_object(scale, x):
    return ag.py_function(lambda v: v * scale.factor, [x], ag.TensorSpec((), ag.float64))


I = np.int64


@program(case(RNG(1), I(3), I(4)), case(RNG(2), I(30), I(40)), case(RNG(2), I(4), I(3)))
def between_two(rng, n, m):
    return rng.integers(n, m)


@program(case(RNG(1), np.arange(0, 50, 5)), case(RNG(2), np.arange(0, 70, 5)))
def between_neighbours(rng, a):
    return [rng.integers(a[i], a[i + 1]) for i in range(len(a) - 1)]


@program(case(RNG(1), np.arange(10)), case(RNG(2), np.arange(12)), case(RNG(3), np.arange(15)))
def fisher_yates(rng, a):
    n = len(a)
    a = a.copy()
    for i in range(n - 1):
        j = rng.integers(i, n)
        a[i], a[j] = a[j], a[i]
    return a


F = np.float64


@program(case(RNG(1), F(0.5)), case(RNG(2), F(0.7)), case(RNG(2), F(2.0)))
def of_scalars(rng, x):
    return (
        rng.triangular(x - 1, x, x + 1),
        rng.zipf(x + 1),
        rng.integers(50, x * 200 + 1),
        rng.choice(2, p=[x / 3, 1 - x / 3]),
        rng.choice(5, size=3, replace=False),
        rng.multinomial(10, [x / 4, 0.25, 0.75 - x / 4]),
    )


A = np.array


@program(
    case(RNG(1), A([0.5, 1.0, 2.0])),
    case(RNG(2), A([0.5, 1.0, 2.0, 3.0])),
    case(RNG(2), A([1.0, 2.0])),
    case(RNG(2), A([1.0, -2.0])),
)
def of_arrays(rng, x):
    m = x * 2
    return (
        rng.choice(x, p=x / x.sum()),
        rng.normal(m, np.abs(m)),
        rng.uniform(-x, x),
        rng.gamma(x, 2 * x),
        rng.multivariate_normal(x, np.diag(x)),
        rng.normal(x, 1.0, size=len(x)),
        rng.normal(x, 1.0, size=(2, len(x))),
    )


@program(case(RNG(1), np.ones(3), 3), case(RNG(2), np.ones(1), 3), case(RNG(2), np.ones(3), 3))
def of_a_known_size(rng, x, n):
    return rng.normal(x, np.array([1.0, 2.0, 3.0])), rng.normal([1.0, 2.0, 3.0], 1.0, size=n)


@program(case(RNG(1), I(3), I(9)), case(RNG(2), I(30), I(40)))
def attempted(rng, n, m):
    try:
        return rng.integers(n, m)
    except ValueError:
        return -1


@program(case(I(4), A([1, 2])), case(I(5), A([3, 4])))
def seeds_of_numpy(seed, several):
    drawn = np.random.default_rng(seed).random(), np.random.default_rng(several).random()
    return drawn, np.random.RandomState(seed).rand(), np.random.default_rng(seed=seed).random()


@program(case(RNG(1), np.zeros(4)), case(RNG(2), np.zeros(6)))
def drawn_into(rng, a):
    own = np.empty((2, 3))
    same = rng.random(out=own) is own
    before = own.copy()
    rng.standard_normal(out=a)
    rng.standard_exponential(None, np.float64, "zig", own)
    return same, before, own, rng.standard_gamma(2.0, out=a[:2]), rng.permuted(a, out=a)


@program(case(RNG(1), np.arange(12.0)), case(RNG(2), np.arange(18.0)))
def shuffled_along(rng, a):
    b = a.reshape(2, -1)
    rng.shuffle(b, 1)
    rng.shuffle(a)
    return b


@program(case(RNG(1), X), case(RNG(1), -X), case(RNG(2), 3 * X))
def raised_after_a_draw(rng, x):
    drawn = rng.random()
    if x > 0:
        raise ValueError(f"{rng.integers(10)} is drawn")
    return drawn * x


@stateful(case(X), case(-X), case(3 * X), case(-3 * X))
def raised_after_a_draw_from_outside():
    rng = random.Random(4)
    drawn = []

    def function(x):
        drawn.append(rng.random())
        if x > 0:
            drawn.append(rng.gauss(0.0, 1.0))
            raise ValueError("too large")
        return drawn[-1] * x

    return function, drawn
