"""Functions of the standard library, and iterators, given staged values."""

from __future__ import annotations

import math
import operator

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
FLOATS = (case(t(0.5)), case(t(-0.75)), case(t(float("inf"))), case(t(float("nan"))))
COUNTS = (case(t(5)), case(t(1)), case(t(0)))


@program(*FLOATS)
def trigonometry(x):
    v = float(x)
    return math.sin(v), math.cos(v), math.tan(v), math.sinh(v / 4), math.cosh(v / 4), math.tanh(v)


@program(*FLOATS)
def logarithms(x):
    v = float(x)
    return math.log(v), math.log(v, 2), math.log2(v), math.log10(v), math.log1p(v), math.sqrt(v)


@program(*FLOATS)
def exponentials(x):
    return math.exp(float(x)), math.expm1(x), math.exp(x * 1000)


@program(*FLOATS)
def roundings_and_questions(x):
    v = float(x)
    return (
        math.isnan(v),
        math.isinf(v),
        math.isfinite(x),
        math.fabs(v),
        math.degrees(v),
        math.radians(v),
        math.isclose(v, 0.5),
        math.floor(v) + math.ceil(v) + math.trunc(v),
    )


@program(case(t(5)), case(t(-3)), case(t(0)))
def whole_numbers(n):
    k = int(n)
    return (
        math.gcd(k, 12),
        math.lcm(k, 4),
        math.factorial(abs(k)),
        math.isqrt(abs(k)),
        math.comb(6, abs(k)),
        pow(3, abs(k), 7),
        math.prod([k, 2, 3]),
    )


@program(case(t(-1)))
def a_root_of_a_negative_number(n):
    return math.isqrt(int(n))


@program(case(t(2.0), t(4)), case(t(0.1), t(0)))
def newton_on_floats(x, n):
    v = float(x)
    for _ in range(n):
        v = v - (math.exp(v) - 3.0) / math.exp(v)
    return v, math.sqrt(v * v + 1.0) if v < 3 else math.log(v)


@program(case(t([1.0, -2.0, 3.0])), case(t([-1.0])))
def maps_and_filters_of_rows(x):
    doubled = list(map(lambda v: v * 2, x))
    positive = [v for v in filter(lambda v: v > 0, x)]
    return doubled, positive, sum(map(operator.neg, x)), len(list(filter(lambda v: v < 0, x)))


@program(*COUNTS)
def maps_and_filters_of_ranges(n):
    products = list(map(lambda a, b: a * b, range(n), range(1, n + 1)))
    return products, list(filter(None, range(n))), max(map(abs, range(-n, 1))), products[::-1]


@program(*COUNTS)
def iterators_made_into_containers(n):
    xs = [i * i for i in range(n)]
    return (
        list(reversed(xs)),
        list(enumerate(xs, 1)),
        dict(enumerate(xs)),
        list(zip(xs, range(n))),
        tuple(zip(xs, xs[1:])),
        [a - b for a, b in zip(xs[1:], xs)],
    )


@program(case(t([1.0, 2.0, 3.0])))
def gradient_of_maps(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        total = sum(map(lambda v: v * v, filter(lambda v: v > 1, x)))
    return total, tape.gradient(total, x)


class Particle:
    def __init__(self, place, speed):
        self.place = place
        self.speed = speed
        self.tags = ["new", place]

    def moved(self, time):
        return Particle(self.place + self.speed * time, self.speed)


@program(*COUNTS)
def objects_in_a_list(n):
    particles = [Particle(i * 0.5, 1.0) for i in range(n)]
    particles = [particle.moved(2.0) for particle in particles]
    places = [particle.place for particle in particles]
    return places, [particle.tags[0] for particle in particles], len(particles)


@program(*COUNTS)
def records_in_a_list(n):
    rows = []
    for i in range(n):
        rows.append({"name": "even" if i % 2 == 0 else "odd", "pair": [i, i * i]})
    rows.sort(key=lambda row: -row["pair"][1])
    return rows, [row["name"] for row in rows]


@program(*COUNTS)
def rows_are_replaced(n):
    rows = [[0, 0] for _ in range(n)]
    for i in range(n):
        rows[i] = [i, rows[i - 1][0] + 1]
    return rows, [a + b for a, b in rows]


@program(case(t(9)), case(t(0)))
def objects_on_a_stack(n):
    stack, total = [Particle(int(n), 0)], 0
    while stack:
        particle = stack.pop()
        total += particle.place * particle.speed
        if particle.place > 1:
            stack.append(Particle(particle.place // 2, particle.speed + 1))
            stack.append(Particle(particle.place - 2, particle.speed + 1))
    return total


@program(*COUNTS)
def an_object_in_a_list_changes(n):
    rows = [[i] for i in range(n)]
    rows[0].append(1)
    return rows


@program(case(t(2), 5, np.int64(3), np.array([1, 2])), vary=False)
def powers_with_a_modulus(n, k, scalar, array):
    found = [pow(int(n), k, 7), pow(k, int(n), int(n) + 1)]
    for base, exponent, modulus in (
        (n, k, 7),
        (k, n, 7),
        (k, int(n), n),
        (int(n), k, n),
        (scalar, k, n),
        (k, scalar, array),
        (array, int(n), k),
        (n, 2.0, k),
    ):
        try:
            found.append(pow(base, exponent, modulus))
        except TypeError as error:
            found.append(str(error))
    return found
