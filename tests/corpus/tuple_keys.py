"""Tuples as keys, with parts that depend on staged conditions."""

from __future__ import annotations

import collections

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = (case(t(2.0)), case(t(5.0)), case(t(-0.75)))


@program(*X, refused="StateError")
def get(x):
    k = (1, "a") if x > 0 else (2, "b")
    return {(1, "a"): 5}.get(k, 0)


@program(*X, refused="StateError")
def contained(x):
    k = (1, "a") if x > 0 else (2, "b")
    return k in {(1, "a"): 5}, k in {(1, "a")}


@program(*X, refused="StateError")
def assigned(x):
    k = (1, "a") if x > 0 else (2, "b")
    d = {(1, "a"): 5}
    d[k] = 3
    return len(d)


@program(*X, refused="StateError")
def added(x):
    k = (1, "a") if x > 0 else (2, "b")
    s = {(1, "a")}
    s.add(k)
    return len(s)


@program(*X, refused="StateError")
def with_a_choice(x):
    return {("a", 2): 5}.get(("a" if x > 0 else "b", int(x)), 0)


@program(*X, refused="StateError")
def nested(x):
    return {(1, ("a", 2)): 5}.get((1, ("a" if x > 0 else "b", int(x))), 0)


@program(*X, refused="StateError")
def counted(x):
    k = (1, "a") if x > 0 else (2, "b")
    c = collections.Counter([(1, "a")])
    c[k] += 1
    return c[(1, "a")]
