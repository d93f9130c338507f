"""Recursion that remembers what it has found: in a dict, or under `functools.lru_cache`."""

from __future__ import annotations

import functools

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


def chart_of(weight, words):
    """The sum over all trees over the words; each span is computed once."""
    cache = {}

    def chart(i, j):
        if (i, j) in cache:
            return cache[i, j]
        if j - i == 1:
            out = weight * words[i]
        else:
            out = None
            for k in range(i + 1, j):
                both = chart(i, k) * chart(k, j)
                out = both if out is None else out + both
        cache[i, j] = out
        return out

    return chart(0, len(words)), len(cache)


WORDS = [case(t(0.5), t([1.0, 2.0, 3.0, 0.5][:n])) for n in (3, 4, 2, 1)]


@program(*WORDS, compiled=True)
def sums_over_trees(weight, words):
    return chart_of(weight, words)


@program(*WORDS, ulps=64)
def slopes_of_sums_over_trees(weight, words):
    return ag.value_and_grad(chart_of, argnums=(0, 1), has_aux=True)(weight, words)


@program(
    case(t([1, 2, 3, 2]), t([2, 1, 3])), case(t([1, 1]), t([1, 1, 1])), case(t([4]), t([5, 6]))
)
def common_items(a, b):
    known, asked = {}, 0

    def longest(i, j):
        nonlocal asked
        asked += 1
        if i == len(a) or j == len(b):
            return 0
        if (i, j) not in known:
            if a[i] == b[j]:
                known[i, j] = 1 + longest(i + 1, j + 1)
            else:
                known[i, j] = max(longest(i + 1, j), longest(i, j + 1))
        return known[i, j]

    return longest(0, 0), asked, len(known)


@program(case(t(30)), case(t(1)), compiled=True)
def fibonacci_under_cache(n):
    asked = []

    @functools.cache
    def fib(k):
        asked.append(k)
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(int(n)), fib(int(n) + 1), asked


@functools.lru_cache
def ways_from_outside(a, b):
    if a == 0 or b == 0:
        return 1
    return ways_from_outside(a - 1, b) + ways_from_outside(a, b - 1)


@program(case(t(7), t(6)), case(t(0), t(3)), compiled=True)
def paths_through_a_grid(n, m):
    return ways_from_outside(int(n), int(m))


@program(case(t(9), t(4)), case(t(2), t(4)))
def pairs_names_and_defaults(n, m):
    @functools.cache
    def of_pair(pair):
        a, b = pair
        return 1 if a == 0 or b == 0 else of_pair((a - 1, b)) + of_pair((a, b - 1))

    @functools.lru_cache(maxsize=None)
    def named(k, step=2):
        return k if k < step else named(k - 1, step=step) + named(k - step, step=step)

    @functools.cache
    def of_halves(k):
        return 1 if k <= 1 else of_halves(k - 0.5) + of_halves(k - 1)

    return of_pair((int(m), int(n))), named(int(n), step=3), named(int(n)), of_halves(int(m))


@functools.cache
def even(k):
    return True if k == 0 else odd(k - 1)


@functools.cache
def odd(k):
    return False if k == 0 else even(k - 1)


def weight(k):
    return 1 if k < 2 else heavier(k - 1) + heavier(k - 2)


@functools.cache
def heavier(k):
    return weight(k) + 1


@program(case(t(21)), case(t(0)))
def functions_that_call_one_another(n):
    return even(int(n)), heavier(int(n)), weight(int(n))


class Board:
    def __init__(self, first):
        self.first = first

    @functools.cache
    def ways(self, k):
        return self.first if k < 2 else self.ways(k - 1) + self.ways(k - 2)


@program(case(t(25), t(3)), case(t(1), t(3)))
def methods_under_cache(n, first):
    one, other = Board(2), Board(int(first))
    return one.ways(int(n)), other.ways(int(n)), one.ways(int(n) - 1)


@program(case(t([1.0, 0.5]), t(9)), case(t([1.0, 0.5]), t(0)), ulps=64)
def tensors_that_a_cache_keeps(x, n):
    def of(x):
        @functools.cache
        def f(k):
            return x * 1.0 if k < 2 else f(k - 1) * 0.5 + f(k - 2) * x

        return ag.sum(f(int(n)))

    return of(x), ag.grad(of)(x)


@program(case(t(11)), case(t(2)))
def exceptions_are_not_kept(n):
    tried = []

    @functools.cache
    def f(k):
        tried.append(k)
        if k == 3:
            raise ValueError(f"three of {k}")
        return k if k < 3 else f(k - 2) + 1

    found = []
    for _ in range(2):
        try:
            found.append(f(int(n)))
        except ValueError as error:
            found.append(str(error))
    return found, tried


@program(case(t(12)), case(t(3)))
def what_was_kept_stays(n):
    scale = 1

    @functools.cache
    def f(k):
        return scale if k < 2 else f(k - 1) + f(k - 2)

    before = f(int(n))
    scale = 3
    return before, f(int(n)), f(int(n) + 1), f(int(n) - 1)


@program(case(t(20)), case(t(0)))
def in_branches_and_loops(n):
    @functools.cache
    def length(k):
        return 1 if k == 1 else 1 + length(k // 2 if k % 2 == 0 else 3 * k + 1)

    longest = length(int(n)) if n > 5 else 0
    for k in range(1, int(n)):
        longest = max(longest, length(k))
    return longest


@program(case(t(9)), case(t(1)))
def lists_that_a_cache_keeps(n):
    @functools.cache
    def parts(k):
        return [0] if k <= 0 else parts(k - 1) + parts(k - 2)

    found = parts(int(n))
    return len(found), found[:3]


@program(case(t(9)))
def told_apart_by_type(n):
    @functools.lru_cache(typed=True)
    def f(k):
        return k if k < 2 else f(k - 1) + f(k - 2)

    return f(int(n)), f(float(n))
