"""Sorting by `cmp_to_key`, of lists of known and of staged length."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

N = (case(t(3)), case(t(2)), case(t(5)), case(t(0)))


@dataclass
class P:
    x: float
    y: int = 0


@program(*N)
def grown_in_descending_order(n):
    l = [i * 7 % 5 for i in range(n)]
    return sorted(l, key=functools.cmp_to_key(lambda a, b: b - a))


@program(*N)
def pairs_by_their_first(n):
    l = [(i * 7 % 3, i) for i in range(n)]

    def c(a, b):
        if a[0] < b[0]:
            return -1
        if a[0] > b[0]:
            return 1
        return 0

    l.sort(key=functools.cmp_to_key(c), reverse=True)
    return l


@program(*N)
def extremes_by_comparing(n):
    l = [i * 7 % 5 for i in range(int(n) + 1)]
    k = functools.cmp_to_key(lambda a, b: a - b)
    return (max(l, key=k), min(l, key=k))


@program(*N)
def strings_that_make_the_largest(n):
    l = ["ab", "b", str(int(n))]
    return sorted(l, key=functools.cmp_to_key(lambda a, b: (a + b > b + a) - (a + b < b + a)))


@program(*N)
def a_comparison_that_reads_variables(n):
    w = n * 2

    def c(a, b):
        return (a % 2 - b % 2) * 10 or int(w) * (a - b)

    return sorted([i * 7 % 5 for i in range(n)], key=functools.cmp_to_key(c))


@program(*N)
def objects_in_place(n):
    l = [P(i * 1.0, i * 7 % 5) for i in range(n)]
    l.sort(key=functools.cmp_to_key(lambda a, b: a.y - b.y), reverse=True)
    return [q.x for q in l]


@program(*N)
def digits_by_joining(n):
    return "".join(
        sorted(
            [str(i * 7 % 5) for i in range(n)],
            key=functools.cmp_to_key(lambda a, b: (a + b < b + a) - (a + b > b + a)),
        )
    )


@program(*N)
def keys_compared(n):
    k = functools.cmp_to_key(lambda a, b: a - b)
    return (k(int(n)) < k(2), k(3) == k(int(n)), k(1) >= k(int(n)), k(4).obj)


@program(*N)
def a_comparison_that_raises(n):
    try:
        return sorted(
            [3, 1, int(n)], key=functools.cmp_to_key(lambda a, b: 6 // (a - b) if n > 2 else a - b)
        )
    except ZeroDivisionError:
        return "zero"
