"""Special methods that give NotImplemented under a staged condition."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


class P:
    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        return self.v == o.v if o.v <= 3 else NotImplemented

    def __lt__(self, o):
        return self.v < o.v if o.v <= 3 else NotImplemented

    def __add__(self, o):
        return P(self.v + o) if o > 0 else NotImplemented

    def __sub__(self, o):
        return P(self.v - o)

    def __isub__(self, o):
        if o > 0:
            return P(self.v - 2 * o)
        return NotImplemented


class R:
    def __init__(self, v):
        self.v = v

    def __gt__(self, k):
        return self.v > k.v

    def __radd__(self, o):
        return "R.__radd__"


class Q:
    def __init__(self, v):
        self.v = v

    def __add__(self, o):
        return Q(self.v + o.v) if self.v > 0 else NotImplemented


N = (case(t(7)), case(t(2)), case(t(-2)))


@program(*N)
def equal(n):
    return P(t(1)) == P(n), P(n) == P(n), P(t(1)) != P(n)


@program(*N)
def test_of_equal(n):
    a, b = P(t(1)), P(n)
    if a == b:
        return 1
    return 2


@program(*N)
def less(n):
    return P(t(1)) < P(n)


@program(*N)
def less_gt(n):
    return P(t(1)) < R(n)


@program(*N)
def reflected(n):
    return Q(n) + R(n)


@program(*N)
def unsupported(n):
    return (P(t(1)) + n).v


@program(*N)
def augmented(n):
    p = P(t(1))
    p -= n
    return p.v
