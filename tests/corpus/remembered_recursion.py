"""Recursion that remembers in a dict what it has found, over data as long as the run tells."""

from __future__ import annotations

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
