"""Simulations that draw numbers by Python's `random`: whole loops with draws are programs."""

from __future__ import annotations

import math
import random

import autograph as ag
from tests.corpus.registry import case, program

R = random.Random
X = ag.asarray(2.0, dtype=ag.float64)


@program(case(60, 1), case(7, 2), compiled=True)
def area_of_a_circle(n, seed):
    random.seed(seed)
    inside = 0
    for _ in range(n):
        x, y = random.random(), random.random()
        if x * x + y * y <= 1:
            inside += 1
    return 4 * inside / n, random.random()


@program(case(R(1), 40), case(R(2), 5), compiled=True)
def walk(rng, n):
    place, path = 0, []
    for _ in range(n):
        place += rng.choice([-1, 1])
        path.append(place)
    return path, rng.random()


@program(case(R(1), 6, 40), case(R(2), 3, 9))
def annealing(rng, size, turns):
    order = list(range(size))
    temperature, cost = 3.0, 0
    for _ in range(turns):
        i, j = rng.randrange(size), rng.randint(0, size - 1)
        if rng.random() < 0.3:
            i, j = rng.sample(range(size), 2)
        gain = abs(order[i] - i) + abs(order[j] - j) - abs(order[i] - j) - abs(order[j] - i)
        if gain > 0 or rng.random() < math.exp(gain / temperature):
            order[i], order[j] = order[j], order[i]
            cost -= gain
        temperature *= 0.99
    return order, cost, temperature, rng.random()


def winner(board):
    for i in range(3):
        if board[3 * i] != 0 and board[3 * i] == board[3 * i + 1] == board[3 * i + 2]:
            return board[3 * i]
    return 0


@program(case(R(1), 6), case(R(2), 3))
def playouts(rng, n):
    won = [0, 0, 0]
    for _ in range(n):
        board, player = [0] * 9, 1
        found = 0
        while found == 0:
            free = [k for k in range(9) if board[k] == 0]
            if len(free) == 0:
                break
            board[rng.choice(free)] = player
            found = winner(board)
            player = 3 - player
        won[found] += 1
    return won, rng.random()


@program(case(R(1), X, 5), case(R(2), -X, 4), compiled=True)
def normal_numbers_in_pairs(rng, x, n):
    for _ in range(n):
        x = x + rng.gauss(0.0, 0.5)
    y = rng.gauss()
    if x > 0:
        rng.gauss(x, 1.0)
    return x, y, rng.gauss(1, 2), rng.random()


@program(case(R(1), 12), case(R(2), 3))
def other_distributions(rng, n):
    found = []
    for k in range(1, n + 1):
        found.append(rng.uniform(-k, k))
        found.append(rng.triangular(0, k, 0.25 * k))
        found.append(rng.expovariate(k) + rng.paretovariate(k) + rng.weibullvariate(1, k))
        found.append(rng.normalvariate(0, k) + rng.lognormvariate(0, 0.5))
        found.append(rng.gammavariate(k, 2.0) + rng.betavariate(1.5, k) + rng.vonmisesvariate(0, k))
    return found, rng.random()


@program(case(R(1), 5), case(R(2), 8))
def lists_in_another_order(rng, n):
    items = list(range(n))
    total = 0
    for _ in range(n):
        rng.shuffle(items)
        total += items[0] - rng.choices([1, 2, 3], weights=[1, 2, 3])[0]
        total += rng.choices(items)[0]
    return items, total, rng.choice("abc"), rng.choice((1.5, 2.5))


@program(case(R(1), 5), case(R(2), 8), compiled=True)
def bits(rng, n):
    found = []
    for _ in range(n):
        found.append(rng.getrandbits(1) + rng.getrandbits(31) + rng.getrandbits(32))
        found.append(rng.getrandbits(33) ^ rng.getrandbits(63) ^ rng.getrandbits(0))
        found.append(rng.randrange(2**62) + rng.randrange(1) + rng.randrange(2**32))
    return found


class Half(random.Random):
    """A generator of the user's: its numbers are smaller."""

    def random(self):
        return super().random() / 2


class Counting(random.Random):
    """A generator of the user's that draws as all do."""

    def two(self):
        return self.random(), self.randint(1, 6)


@program(case(1, 5), case(2, 3))
def classes_of_the_users(seed, n):
    HALF.seed(seed)
    COUNTING.seed(seed)
    total = 0.0
    for _ in range(n):
        total += HALF.random() + HALF.uniform(1, 2) + HALF.randrange(9)
        first, second = COUNTING.two()
        total += first * second + COUNTING.gauss(0, 1)
    return total, HALF.choice([1, 2, 3]), COUNTING.random()


HALF, COUNTING = Half(1), Counting(1)


@program(case(3, X, 5), case(4, -X, 6))
def made_in_turns(seed, x, n):
    rng = R(seed)
    total = x * rng.random()
    for k in range(n):
        fresh = R(k)
        total = total + fresh.random() * rng.gauss(0, 1) + fresh.randint(1, 6)
    if x > 0:
        rng = R(int(x) + 5)
    return total, rng.random(), rng.gauss(0, 1)


@program(case(R(1), 0.9, 8), case(R(2), 2.0, 5))
def what_raises_later(rng, limit, n):
    drawn = []
    try:
        for _ in range(n):
            drawn.append(rng.random())
            if drawn[-1] > limit:
                raise ValueError("too large")
    except ValueError:
        drawn.append(-1.0)
    return drawn, rng.random()
