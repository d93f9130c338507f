"""Calls: helpers, closures, lambdas, default values, partial, callables with state."""

from __future__ import annotations

import functools
import math
import operator

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


def clip(x, low=0.0, high=1.0):
    if x < low:
        return low
    if x > high:
        return high
    return x


@program(case(t(0.5)), case(t(-3.0)), case(t(3.0)))
def helper_with_defaults(x):
    return clip(x), clip(x, high=2.0), clip(x, -5.0)


def identity(x):
    return x


@program(case(t(2.0)), case(t(-2.0)))
def helper_returns_its_argument(x):
    y = identity(x)
    y[...] = y + 1
    return y, y is x


def scaled_in_place(x, k):
    x[...] = x * k


@program(case(t([2.0, 3.0]), t(1)), case(t([2.0, 3.0]), t(-1)))
def helper_writes_its_argument(x, k):
    if k > 0:
        scaled_in_place(x, 10)
    return x + 0


@program(case(t(2.0)), case(t(-2.0)))
def lambda_captures(x):
    k = 3
    f = lambda v: v * k if v > 0 else v - k
    k = 5
    return f(x)


@program(case(t(2.0)))
def lambdas_bind_late(x):
    fs = [lambda: x * i for i in range(3)]
    gs = [lambda i=i: x * i for i in range(3)]
    return [f() for f in fs], [g() for g in gs]


@program(case(t(2.0)), case(t(-2.0)))
def nonlocal_written_in_a_branch(x):
    count = 0

    def bump():
        nonlocal count
        count += 1
        return count

    if x > 0:
        bump()
        bump()
    last = bump()
    return count, last


@program(case(t(4)), case(t(0)))
def nonlocal_written_in_a_loop(n):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v

    for i in range(n):
        add(i)
        if i == 2:
            add(100)
    return total


@program(case(t(2.0)), case(t(-2.0)))
def closure_sees_later_assignment(x):
    def read():
        return y

    y = x
    a = read()
    if x > 0:
        y = x * 10
    return a, read()


@program(case(t(4)), case(t(0)))
def closure_reads_loop_state(n):
    s = 1

    def double():
        return s * 2

    for _ in range(n):
        s = double() + 1
    return s, double()


@program(case(t(2.0)))
def function_that_makes_functions(x):
    def adder(k):
        def add(v):
            return v + k

        return add

    one, ten = adder(1), adder(10)
    return one(ten(x)), ten(one(x)) * one(x)


@program(case(t(2.0)), case(t(-2.0)))
def chosen_function(x):
    if x > 0:
        f = ag.sqrt
    else:
        f = abs
    return f(x)


@program(case(t(2.0)), case(t(-2.0)))
def chosen_lambda(x):
    k = 10
    f = (lambda v: v * k) if x > 0 else (lambda v: v - k)
    k = 20
    return f(x) + f(x)


def gather(x, *rest, scale=1, **named):
    total = x * scale
    for r in rest:
        total = total + r
    for name in sorted(named):
        total = total * named[name]
    return total, len(rest), sorted(named)


@program(case(t(2.0), t(3.0)))
def star_arguments(x, y):
    args = [x, y]
    named = {"b": 2, "a": y}
    return gather(x), gather(*args, 1), gather(x, *args, scale=3, **named)


@program(case(t(2.0), k=t(5.0)), case(t(2.0), k=7, extra=t(1.0)), case(t(2.0), t(1.0)))
def keywords_of_the_program(x, *rest, k=1, **extra):
    total = x * k
    for one in rest:
        total = total + one
    for name, one in extra.items():
        total = total - one * len(name)
    return total


@program(case(t(2.0)), case(t(0.0)))
def partial(x):
    f = functools.partial(clip, low=1.0, high=1.5)
    g = functools.partial(f, high=10.0)
    return f(x), g(x)


@program(case(t(2.0)), case(t(-2.0)))
def reduce_and_operator(x):
    total = functools.reduce(operator.add, [x, 1, 2])
    return functools.reduce(lambda a, b: a * b if b > 0 else a, [total, x, 3]), operator.neg(x)


class Scale:
    """A callable with state."""

    def __init__(self, k):
        self.k = k
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        if x > 0:
            self.k = self.k + 1
        return x * self.k


@stateful(case(t(2.0)), case(t(-2.0)))
def callable_with_state():
    scale = Scale(3)

    def run(x):
        return scale(x) + scale(-x)

    return run, scale


@stateful(case(t(2.0)), case(t(-2.0)))
def callable_object_is_the_program():
    scale = Scale(1)
    return scale, scale


def twice(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(f(*args))

    return wrapper


@twice
def halve_if_even(n):
    if n % 2 == 0:
        return n // 2
    return n


@program(case(t(8)), case(t(6)), case(t(3)))
def decorated_helper(n):
    return halve_if_even(n)


@program(case(t(3.0)))
def decorator_inside(x):
    @twice
    def step(v):
        if v > 5:
            return v - 1
        return v * 2

    return step(x), step.__name__


def collect(x, into=[]):
    into.append(x)
    return len(into)


@stateful(case(t(2.0)))
def mutable_default():
    def collect(x, into=[]):
        into.append(x)
        return len(into), into

    return collect, collect.__defaults__


@stateful(case(t(2.0)), case(t(-2.0)))
def closure_cell_is_written_back():
    total = t(0.0)
    calls = 0

    def run(x):
        nonlocal total, calls
        calls += 1
        if x > 0:
            total = total + x
        return total

    return run, lambda: (total, calls)


@program(case(t([3.0, -1.0, 2.0])), case(t([1.0])))
def list_comprehension(xs):
    return [x * 2 if x > 0 else x for x in xs]


@program(case(t(2.0), [1, 2, 3, 4]))
def comprehensions_of_python_values(x, ks):
    evens = [x * k for k in ks if k % 2 == 0]
    table = {k: x + k for k in ks}
    pairs = [(i, j) for i in range(3) for j in range(i)]
    nest = [[x + i + j for j in range(2)] for i in range(2)]
    kinds = {k % 2 for k in ks}
    return evens, table, pairs, nest, kinds


@program(case([t(1.0), t(-2.0), t(3.0)]))
def comprehension_with_tensor_condition(xs):
    return [x for x in xs if x > 0]


@program(case(t([1.0, 2.0, -3.0])))
def generator_expressions(xs):
    total = sum(x * 2 for x in xs)
    biggest = max(x for x in xs)
    any_negative = any(x < 0 for x in xs)
    all_small = all(x < 10 for x in xs)
    return total, biggest, any_negative, all_small


@program(case(t(2.0), 3.0))
def pure_python_modules(x, k):
    return x * math.sqrt(k) + math.floor(k / 2), math.pi, np.sqrt(k)


@program(case(t(2.0)), case(t(-2.0)))
def evaluation_order(x):
    trail = []

    def note(name, value):
        trail.append(name)
        return value

    y = note("a", x) + note("b", x) * note("c", x)
    z = gather(note("d", x), *[note("e", x)], scale=note("f", 2))
    w = note("g", x) > 0 and note("h", y) > 0
    note("list", [0, 0])[note("index", 1)] = note("value", x)
    return y, z, w, trail


@program(case(t(2.0)), case(t(-2.0)))
def helper_without_a_return(x):
    seen = []

    def see(v):
        if v > 0:
            seen.append(v)

    result = see(x)
    return result, seen


@program(case(t(3)), case(t(0)))
def nested_decorated_call(n):
    @ag.function(mode="evaluate")
    def inner(k):
        total = 0
        for i in range(k):
            total += i
        return total

    return inner(n) + inner(n + 1)


@ag.function(mode="evaluate")
def staged_helper(x):
    if x > 0:
        return x * 2
    return x


@program(case(t(3.0)), case(t(-3.0)))
def decorated_helper_result_identity(x):
    y = staged_helper(x)
    return y is x, y


@program(case(t(2.0), 1), case(t(2.0), 2))
def same_name_in_every_scope(x, k):
    def x_of(x):
        def x_again(k):
            return x * k

        return x_again(k + 1)

    return x_of(x + 1) + x
