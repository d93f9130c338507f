"""Tensors and Variables as keys of dicts and members of sets: a tensor is none, as an array."""

from __future__ import annotations

import collections

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(5.0)), case(t(-0.75)))


@program(*X)
def set_of_an_argument(x):
    return {x}


@program(*X)
def set_of_what_is_computed(x):
    return {x * 2}


@stateful(*X)
def set_outside():
    seen = set()

    def f(x):
        seen.add(x)
        return len(seen)

    return f, seen


@stateful(*X)
def memo_outside():
    memo = {}

    def m(x):
        if x not in memo:
            memo.update([(x, x * 2)])
        return memo[x]

    return m, memo


@program(*X)
def tuple_key(x):
    return {(x, 1): 2}


@program(*X)
def dict_of_pairs(x):
    return dict([(x, 1)])


@program(*X)
def set_that_stays_inside(x):
    return len({x, x * 2}), x in {x, x * 2}, sorted({x, x * 2}, key=float)


@program(*X)
def frozen_set(x):
    return frozenset([x])


@program(*X)
def counter(x):
    return collections.Counter([x])


@program(*X)
def set_in_a_branch(x):
    s = set()
    if x > 0:
        s.add(x * 2)
    return len(s)


@program(*X)
def tuple_keys_that_stay_inside(x):
    d = {}
    for i in range(3):
        d[(x * i, i)] = i
    return sum(d.values()), len(d)


@stateful(*X)
def slots_of_a_variable():
    v = ag.Variable(1.0)
    slots = {}

    def f(x):
        if v not in slots:
            slots[v] = ag.zeros(())
        slots[v] = slots[v] + x
        return slots[v]

    return f, slots


@stateful(*X)
def set_of_variables():
    v = ag.Variable(1.0)
    s = set()

    def f(x):
        s.add(v)
        return {v}

    return f, s


@program(*X)
def set_on_two_paths(x):
    s = {x}
    if x > 0:
        s = {x, 1}
    return len(s)
