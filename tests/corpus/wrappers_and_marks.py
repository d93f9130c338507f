"""Wrappers of functions that are staged, pure or not converted: never taken for what they wrap."""

from __future__ import annotations

import functools
import math

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(1.0)), case(t(-1.0)))
N = (case(t(1.0), 2), case(t(1.0), 2), case(t(-1.0), 3))


@functools.wraps(ag.exp)
def exponential(x):
    if x > 0:
        return ag.exp(x)
    return x


@functools.wraps(math.sqrt)
def root(x):
    if x > 0:
        return ag.sqrt(x)
    return x


@program(*X)
def named_as_one_of_ours(x):
    return exponential(x) + root(x)


class Forwarding:
    def __init__(self, function, log):
        self.function, self.log = function, log

    def __getattr__(self, name):
        self.log.append(name)
        return getattr(self.function, name)

    def __call__(self, x):
        return self.function(x) + 100.0


@stateful(*X)
def forwards_to_a_staged_one():
    log = []
    held = Forwarding(ag.function(lambda x: x * 2), log)

    def f(x):
        return held(x)

    return f, log


@stateful(*X)
def forwards_to_a_pure_one():
    log = []
    held = Forwarding(ag.pure(lambda n: n * 2), log)

    def f(x):
        return x * held(3)

    return f, log


class Answering:
    def __getattr__(self, name):
        return None if name.startswith("__") else name

    def __call__(self, x):
        self.last = x
        return x + 1


@program(*X)
def answers_to_every_name(x):
    held = Answering()
    y = held(x) if x > 0 else held(x * 2)
    return y, held.last, held.colour


@stateful(*X)
def wraps_a_staged_one():
    inner = ag.function(lambda x: x * 2)

    @functools.wraps(inner)
    def outer(x):
        return inner(x) + 100.0 if x > 0 else x

    def f(x):
        return outer(x)

    return f, None


@stateful(*X)
def wraps_a_specialized_one():
    inner = ag.function(lambda x: x * 2).get_concrete(ag.TensorSpec((), ag.float32))

    @functools.wraps(inner)
    def outer(x):
        return inner(x) + 100.0 if x > 0 else x

    def f(x):
        return outer(x)

    return f, None


@stateful(*N)
def wraps_a_pure_one():
    calls = []
    table = ag.pure(lambda n: n * 2)

    @functools.wraps(table)
    def counted(n):
        calls.append(n)
        return table(n)

    def f(x, n):
        return x * counted(n)

    return f, calls


@stateful(*N)
def wraps_one_that_is_not_converted():
    calls = []

    @ag.do_not_convert
    def double(x):
        return x * 2

    @functools.wraps(double)
    def counted(x):
        calls.append(1)
        if x > 0:
            return double(x)
        return x

    def f(x, n):
        return counted(x)

    return f, calls


class Marked:
    @ag.do_not_convert
    @staticmethod
    def double(x):
        return x * 2

    @ag.pure
    @classmethod
    def table(cls, n):
        return n * 2

    @ag.do_not_convert
    def triple(self, x):
        return x * 3


@program(*X)
def marked_methods(x):
    held = Marked()
    return held.double(x) + Marked.double(x) + held.table(3) + held.triple(x)
