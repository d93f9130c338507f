"""Several functions of one code: what decorators and makers of functions give."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


def _twice(f):
    def wrapper(x):
        return f(f(x))

    return wrapper


def _plus(k):
    return lambda x: x + k


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def one_decorator_around_several_functions(x):
    g = _twice(_plus(1))
    h = _twice(lambda y: g(y) * 2 if y > 0 else y - 1)
    return h(x), _twice(_twice(h))(x)


@program(case(t(2.0)), case(t(-2.0)))
def functions_of_one_code_and_other_defaults(x):
    steps = [lambda y, k=k: y * k for k in (2, 3)]

    def apply(y, f=steps[0]):
        return f(y) if y > 0 else other(-y)

    def other(y, f=steps[1]):
        return f(y) if y > 3 else f(f(y))

    def makes(k, after):
        def step(y):
            return after(y * k) if y > 1 else y - k

        return step

    return apply(x), other(x), makes(2, makes(3, makes(5, lambda y: y)))(x)


@program(case(t(7)), case(t(0)))
def two_functions_of_one_code_that_call_each_other(n):
    table = {}

    def makes(k, name):
        def step(x):
            return x if x <= 0 else table[name](x - k) * 2 + k

        return step

    table["one"] = makes(1, "two")
    table["two"] = makes(2, "one")
    return table["one"](n), table["two"](n)
