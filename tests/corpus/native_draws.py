"""Simulations that draw numbers one by one: whole loops with draws are programs."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

RNG = np.random.default_rng
X = ag.asarray(2.0, dtype=ag.float64)


@program(case(np.ones((4, 5)), 0.4, 30, 1), case(np.ones((3, 3)), 0.7, 20, 2), compiled=True)
def ising(spins, beta, steps, seed):
    np.random.seed(seed)
    rows, columns = spins.shape
    for _ in range(steps):
        i = np.random.randint(rows)
        j = np.random.randint(0, columns)
        around = spins[(i + 1) % rows, j] + spins[i - 1, j]
        around += spins[i, (j + 1) % columns] + spins[i, j - 1]
        cost = 2 * spins[i, j] * around
        if cost < 0 or np.random.rand() < np.exp(-beta * cost):
            spins[i, j] = -spins[i, j]
    return spins.sum(), np.random.random()


@program(case(RNG(1), np.array([0.1, 0.5, 0.3]), 30), case(RNG(2), np.zeros(2), 9), compiled=True)
def bandit(rng, means, steps):
    counts = np.zeros(len(means))
    values = np.zeros(len(means))
    for _ in range(steps):
        if rng.random() < 0.2:
            arm = rng.integers(len(means))
        else:
            arm = np.argmax(values)
        reward = rng.normal(means[arm], 0.5)
        counts[arm] += 1
        values[arm] += (reward - values[arm]) / counts[arm]
    return values, counts, rng.choice(len(means))


@program(case(RNG(1), 40, 0.9, 0.1, 5.0), case(RNG(2), 3, 0.2, 0.4, 2.0), compiled=True)
def births_and_deaths(rng, count, birth, death, end):
    time, events = 0.0, 0
    while count > 0:
        rate = count * (birth + death)
        time += rng.exponential(1.0 / rate)
        if time > end or events == 50:
            break
        events += 1
        count += 1 if rng.uniform(0.0, birth + death) < birth else -1
    return count, events, rng.poisson(3.0)


@program(case(np.random.RandomState(1), X, 20), case(np.random.RandomState(2), -X, 21))
def metropolis(rng, x, steps):
    kept = []
    for _ in range(steps):
        moved = x + rng.normal(0.0, 0.5)
        if rng.random_sample() < np.exp(0.5 * (x * x - moved * moved)):
            x = moved
        kept.append(x)
    return x, len(kept), rng.standard_normal()


def step(rng, width):
    return rng.uniform(-width, width, size=2)


@program(case(RNG(1), 1.5, 12), case(RNG(2), 0.5, 3), compiled=True)
def walk_by_a_function(rng, width, steps):
    place = np.zeros(2)
    path = [place]
    for k in range(steps):
        place = place + step(rng, width / (k + 1))
        path.append(place)
    return place, len(path), [rng.integers(0, k + 1) for k in range(3)]


@program(case(RNG(1), 3), case(RNG(1), 4), case(RNG(4), 3))
def draws_among_prints(rng, n):
    total = 0.0
    for k in range(n):
        drawn = rng.random()
        print(k, drawn > 0.5)
        if drawn > 0.5:
            total += rng.normal() * rng.random() - rng.exponential()
        rng.permutation(3)
    return total, rng.random(3)


@program(case(RNG(1), X), case(RNG(2), -X), case(RNG(3), X))
def draws_before_an_error(rng, x):
    drawn = rng.random()
    try:
        drawn = drawn + rng.random()
        if x < 0:
            raise ValueError("negative")
        drawn = drawn + rng.random()
    except ValueError:
        drawn = drawn - rng.random()
    return drawn, rng.random()


@program(case(RNG(1), X, 5), case(RNG(2), -X, 6))
def draws_that_are_not_used(rng, x, n):
    for _ in range(n):
        rng.random()
        if x > 0:
            rng.random(3)
    return x * 2, rng.random()


def depth_of(rng, chance, most):
    if most == 0 or rng.random() > chance:
        return 0
    return 1 + depth_of(rng, chance, most - 1)


@program(case(RNG(1), X, 9), case(RNG(2), X, 8), compiled=True)
def draws_of_a_recursive_function(rng, x, most):
    return depth_of(rng, x / 2.5, most) + depth_of(rng, 0.5, most), rng.random()


@program(case(RNG(1), np.zeros(4), 3), case(RNG(2), np.zeros(3), 2), compiled=True)
def arrays_of_draws(rng, x, n):
    for _ in range(n):
        x += rng.normal(size=x.shape)
        x[1:] *= rng.uniform(0.5, 1.5, size=len(x) - 1)
    return x, rng.standard_normal((2, n)), rng.integers(0, 6, size=n)


CHAIN = np.array([[0.5, 0.25, 0.25], [0.0, 0.125, 0.875], [0.75, 0.25, 0.0]])


@program(case(RNG(1), CHAIN, 20), case(RNG(2), CHAIN[::-1, ::-1].copy(), 21), compiled=True)
def chain_of_states(rng, chances, steps):
    state = 0
    visits = np.zeros(len(chances))
    for _ in range(steps):
        state = rng.choice(len(chances), p=chances[state])
        visits[state] += rng.choice([1, 2])
    return visits, state, rng.choice(visits, size=2)


@program(case(RNG(1), np.array([0.5, 0.5])), case(RNG(1), np.array([0.5, 0.25])))
def chances_that_are_none(rng, chances):
    try:
        drawn = rng.choice([10, 20], p=chances)
    except ValueError as error:
        drawn = len(str(error))
    return drawn, rng.random()
