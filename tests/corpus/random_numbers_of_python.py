"""Python's `random`: the numbers of eager code, drawn when the graph runs, in the order of it."""

from __future__ import annotations

import random

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
BOTH = (case(t(2.0)), case(t(-1.0)))
COUNTS = (case(t(3)), case(t(0)), case(t(6)))


@program(*BOTH, compiled=True)
def one_after_the_other(x):
    random.seed(3)
    first = random.random(), random.randint(1, 6), random.uniform(1, 2), random.uniform(x, 3.0)
    second = (
        random.gauss(0, 1),
        random.gauss(x, 2.0),
        random.randrange(2, 10, 2),
        random.getrandbits(8),
    )
    return first, second, random.expovariate(2.0), random.triangular(0, 1, 0.5), random.random()


@program(*BOTH)
def of_rejection(x):
    random.seed(5)
    return random.normalvariate(0, 1) * x, random.betavariate(1, 2), random.random()


@program(*COUNTS, compiled=True)
def in_a_loop(n):
    random.seed(int(n))
    total, inside = 0, 0
    for _ in range(n):
        total += random.randint(1, 6)
        if random.random() ** 2 + random.random() ** 2 <= 1:
            inside += 1
    while random.random() < 0.7:
        total += 1
    return total, inside, random.random()


@program(*BOTH, compiled=True)
def on_one_path(x):
    random.seed(1)
    if x > 0:
        y = random.random()
    else:
        y = random.randint(1, 3) * 1.0
    print(y)
    return y, random.random()


@program(*BOTH)
def of_sequences(x):
    random.seed(2)
    items = [1, 2, 3, 4, 5]
    random.shuffle(items)
    chosen = random.choice(["a", "b", "c"]), random.choice((x, x * 2)), random.choice(range(10))
    return items, chosen, random.sample(items, 3), random.choices([1, 2, 3], k=4), random.random()


@program(*COUNTS)
def of_a_list_that_grows(n):
    random.seed(2)
    items = [i * 2 for i in range(n)]
    random.shuffle(items)
    return items, random.choice(items) if n > 0 else None, random.random()


@program(*BOTH)
def errors_are_caught(x):
    random.seed(4)
    found = []
    for ask in (
        lambda: random.randint(5, 1),
        lambda: random.choice([]),
        lambda: random.sample([1], 2),
    ):
        try:
            found.append(ask())
        except (ValueError, IndexError) as error:
            found.append(str(error))
    return found, random.random()


@program(*BOTH, compiled=True)
def generator_made_inside(x):
    return x * random.Random(4).random()


@program(*BOTH, refused="StateError", naming=("leaves it",))
def generator_that_leaves(x):
    return x, random.Random(4)
