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


@program(case(TOKENS), case(TOKENS - 40), compiled=True)
def generators_over_many(a):
    widest = max(len(str(v)) for v in a)
    steps = max(abs(x - y) for x, y in zip(a, a[1:]))
    place = min((int(v) % 7, -i) for i, v in enumerate(a))
    odd = sum(int(v) % 3 for v in a if v > 2), sum(v / 4 for v in a)
    return widest, steps, place, odd, any(v > 3 for v in a), all(len(str(v)) < 3 for v in a)


@program(case(TOKENS))
def generators_over_many_with_lists(a):
    names = ["a", "b", "c", "d", "e"]
    longest = max((names[int(v)] for v in a), key=len)
    seen = []
    total = sum(seen.append(int(v)) or len(seen) for v in a)
    nested = max(i * int(v) for i in range(3) for v in a)
    return longest, total, seen[-3:], nested, sum(a[i] for i in range(len(a)) if i % 3)


@program(case(TOKENS), case(TOKENS[:70] * 3), compiled=True)
def texts_of_many(a):
    pairs = [(int(v), f"{v}:{i:02d}") for i, v in enumerate(a)]
    named = {f"{i}": v for i, v in enumerate(a[:20])}
    words = ["odd" if v % 2 else "even" for v in a]
    return ",".join(str(v) for v in a), pairs, named, words, [v / 2 for v in a]
