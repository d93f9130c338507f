"""Lists of many elements of an array: of staged length, however many there are."""

from __future__ import annotations

import heapq

import numpy as np

from tests.corpus.registry import case, program

MANY = np.random.default_rng(3).permutation(90) / 4
TOKENS = np.arange(100) * 7 % 5


@program(case(MANY), case(MANY[::-1].copy()), compiled=True)
def listed_and_sorted(a):
    xs = list(a)
    xs.sort()
    best = sorted(enumerate(a), key=lambda pair: -pair[1])[:3]
    places = sorted(range(len(a)), key=lambda i: a[i])
    return xs, best, places[:4], sorted(a)[-1], len(xs), type(xs[0]) is np.float64


@program(case(MANY), case(-MANY))
def extremes_by_key(a):
    nearest = min(range(len(a)), key=lambda i: abs(a[i] - 3))
    return nearest, max(list(a)), min(tuple(a)), max(enumerate(a), key=lambda p: p[1])


@program(case(MANY), case(MANY * 2))
def heap_of_many(a):
    heap = list(a)
    heapq.heapify(heap)
    return [heapq.heappop(heap) for _ in range(5)], heapq.nsmallest(3, a), len(heap)


@program(case(TOKENS), case(TOKENS[::-1].copy()))
def pairs_of_tokens(a):
    ids, counts = list(a), {}
    for pair in zip(ids, ids[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    best = max(counts, key=counts.get)
    return best, counts[best], len(set(ids)), ids.count(3), ids.index(4)


@program(case(MANY))
def many_that_are_known_otherwise(a):
    first, *rest = list(a)
    named = {str(number): value for number, value in enumerate(list(a)[:3])}
    return first, len(rest), named, [x for x in list(a) if x > 20]
