"""Objects of classes made from strings, numbers and tuples, with attributes of their own."""

from __future__ import annotations

from collections import namedtuple

import autograph as ag
from tests.corpus.registry import case, program, stateful

X = (case(ag.asarray(2.0)), case(ag.asarray(-1.0)))


class Name(str):
    def shout(self):
        return self.upper() + "!"


class Num(float):
    pass


class Count(int):
    pass


class Row(tuple):
    pass


class Bits(bytes):
    pass


class Pair(namedtuple("Pair", "a b")):
    pass


@program(*X)
def made_and_returned(x):
    s = Name("a")
    s.k = 1
    s.l = [x]
    n = Num(2.0)
    n.k = [1]
    c = Count(3)
    c.k = x
    r = Row((1, x))
    r.k = x
    b = Bits(b"ab")
    b.k = None
    p = Pair(1, x)
    p.k = [x]
    return s, n, c, r, b, p, [s, r]


@program(*X)
def made_in_a_branch(x):
    if x > 0:
        s = Name("a")
        s.k = x
    else:
        s = Name("b")
        s.k = x * 2
    return s + "c", s.k, s.shout(), s


@program(*X)
def same_in_a_branch(x):
    if x > 0:
        s = Name("a")
        s.k = x
    else:
        s = Name("a")
        s.k = x * 2
    return s + "c", s.k, s.shout(), s


@program(*X)
def rows_in_a_branch(x):
    if x > 0:
        s = Row((1, x))
        s.k = x
    else:
        s = Row((1, x * 3))
        s.k = x * 2
    return s[1], s.k, len(s), s


@program(*X)
def in_a_loop(x):
    s = Name("a")
    s.k = x
    n = 0
    while n < x:
        s.k = s.k * 2
        t = Name("b")
        t.k = n
        n = n + 1
        s.t = t
    return s, s.k


@program(*X)
def list_of_them(x):
    out = []
    for i in range(ag.astype(x * x, ag.int32)):
        s = Name("a")
        s.k = x + i
        out.append(s)
    return [o.k for o in out], len(out)


@program(*X)
def list_of_many(x):
    out = []
    for i in range(3):
        s = Name("a" + str(i))
        s.k = x + i
        if x > 0:
            out.append(s)
    return [o.k for o in out], len(out), out


@program(*X)
def attribute_written_in_a_branch(x):
    s = Count(5)
    s.k = x
    if x > 0:
        s.k = x * 2
    else:
        s.m = 3
    return s, s + 1


@stateful(*X, between=lambda w: None)
def kept_outside():
    kept = []

    def f(x):
        s = Name("a")
        s.k = x
        kept.append(s)
        return x

    return f, kept
