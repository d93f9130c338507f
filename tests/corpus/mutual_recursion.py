"""Functions that call one another, and iterators in displays."""

from __future__ import annotations

import functools

import autograph as ag
from tests.corpus.registry import case, program

N = (case(ag.asarray(3)), case(ag.asarray(0)), case(ag.asarray(1)))


@program(*N)
def one_of_another(n):
    def a(k):
        return 0 if k <= 0 else b(k)

    def b(k):
        return 1 + a(k - 1)

    return a(n), b(n)


@program(*N)
def even_and_odd(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n), odd(n), even(2)


@program(*N)
def three_in_a_ring(n):
    def a(k, x):
        if k <= 0:
            return x
        return b(k - 1, x * 2.0)

    def b(k, x):
        if k <= 0:
            return x + 1.0
        return c(k - 1, x * 3.0)

    def c(k, x):
        return a(k - 1, x + 0.5)

    x = ag.asarray(1.5)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = a(n, x) + b(n, x) + c(n, x)
    return y, tape.gradient(y, x)


@program(*N)
def minimax(n):
    def best(depth, value, leaf):
        if depth <= 0:
            return leaf * value
        return max(worst(depth - 1, value + 1, leaf), worst(depth - 1, value - 1, leaf))

    def worst(depth, value, leaf):
        if depth <= 0:
            return leaf + value
        return min(best(depth - 1, value * 2, leaf), best(depth - 1, value - 3, leaf))

    return best(n, 1, 2), worst(n, 2, 3)


class Visitor:
    def visit(self, k, depth=0):
        if k <= 0:
            return depth
        return self.generic(k, depth + 1)

    def generic(self, k, depth):
        return self.visit(k - 1, depth) + self.visit(k - 2, depth)


@program(*N)
def visitor(n):
    v = Visitor()
    return v.visit(n), v.generic(n, 3)


@program(*N)
def backwards_in_a_display(n):
    a = ["a", "b"] if n > 1 else ["c"]
    return "".join(reversed(a)), [*reversed(a)], (*iter(a), 1)


def passing_on(f):
    def passed(*args, **kwargs):
        return f(*args, **kwargs)

    return passed


def counting(f):
    @functools.wraps(f)
    def counted(*args, **kwargs):
        counted.calls += 1
        return f(*args, **kwargs)

    counted.calls = 0
    return counted


@passing_on
def factorial(k):
    return 1 if k <= 1 else k * factorial(k - 1)


@passing_on
def by_steps(k, step=1):
    return 1 if k <= 1 else k * by_steps(k - step, step=step)


@program(*N, compiled=True)
def through_a_decorator(n):
    return factorial(n), factorial(int(n)), by_steps(int(n)), by_steps(int(n), step=int(n) + 1)


@program(*N)
def through_a_decorator_that_counts(n):
    @counting
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k=k - 2)

    @counting
    def named(k, *, step):
        return 1 if k <= 1 else k * named(k=k - step, step=step)

    return fib(int(n)), fib.calls, named(int(n), step=1), named.calls


def with_options(k, **options):
    options["seen"] = k
    if k <= 1:
        return options.get("base", 1), len(options)
    return with_options(k - 1, **{**options, "base": 3})


@program(*N)
def options_from_call_to_call(n):
    return with_options(int(n)), with_options(int(n), base=int(n), seen=1)


def with_others(k, *others):
    return sum(others) if k <= 0 else with_others(k - 1, k, *others[1:])


@program(*N)
def others_from_call_to_call(n):
    return with_others(int(n), 1, int(n)), with_others(int(n), 5)
