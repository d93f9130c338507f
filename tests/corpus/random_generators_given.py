"""Random generators that the caller makes for each call, and those that a call makes itself."""

from __future__ import annotations

import random

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

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
