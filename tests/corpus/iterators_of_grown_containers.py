"""Iterators over dicts and deques of staged length, asked one by one and beside others."""

from __future__ import annotations

import collections
import itertools

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = (case(t(3)), case(t(1)), case(t(0)))


def grown(n):
    d, w, q = {}, [], collections.deque()
    for i in range(n):
        d[i] = i * 2
        w.append(i)
        q.append(i * 3)
    return d, w, q


@program(*X)
def beside_a_reversed_list(n):
    d, w, q = grown(n)
    return (
        list(zip(reversed(w), d.values())),
        list(zip(reversed(w), q)),
        list(zip(w, reversed(w), d)),
        [a + b for a, b in zip(q, reversed(w))],
    )


@program(*X)
def the_first_of_each(n):
    d, w, q = grown(n)
    if n > 0:
        return next(iter(d)), next(iter(d.values())), next(iter(q)), next(iter(d.items()))
    return next(iter(d), None), next(iter(q), 7)


@program(*X)
def the_rest_after_a_break(n):
    d, w, q = grown(n)
    it = iter(d)
    out = []
    for k in it:
        out.append(k)
        if k == 1:
            break
    rest = list(it)
    return out, rest


@program(*X)
def until_there_is_none(n):
    d, w, q = grown(n)
    it = iter(q)
    total = 0
    while True:
        v = next(it, None)
        if v is None:
            break
        total = total + v
    return total


@program(*X)
def dict_that_grows_meanwhile(n):
    d, w, q = grown(n)
    it = iter(d)
    a = next(it, 0)
    d[100] = 5
    return a, next(it, 9)


@program(*X)
def deque_that_grows_meanwhile(n):
    d, w, q = grown(n)
    it = iter(q)
    a = next(it, 0)
    if n > 1:
        q.append(1)
    return a, next(it, 9)


@program(*X)
def beside_reversed_ones(n):
    d, w, q = grown(n)
    total = 0.0
    for s, y in zip(reversed(q), reversed(w)):
        total = total + s * y
    for (k, v), z, e in zip(d.items(), q, reversed(w)):
        total = total + k * v + z * e
    return total


@program(*X)
def first_items(n):
    d, w, q = grown(n)
    first = min(d, key=lambda k: -d[k]) if n > 0 else None
    k, v = next(iter(d.items()), (None, None))
    return first, k, v, [i for i in iter(d)], dict(zip(d, reversed(w)))


@program(*X)
def known_deque_beside_a_reversed_list(n):
    q = collections.deque([1.0, 2.0, 3.0], maxlen=3)
    w = []
    for i in range(n):
        w.append(i)
    out = []
    for a, b in zip(q, reversed(w)):
        out.append(a * b)
    return out


@program(*X)
def deque_changed_in_the_loop(n):
    d, w, q = grown(n)
    for a, b in zip(q, reversed(w)):
        q.append(a)
    return len(q)


@program(case(t(5)), case(t(2)))
def oldest_key_dropped(n):
    cache = collections.OrderedDict()
    hits = 0
    for i in range(n):
        k = (i * 3) % 4
        if k in cache:
            hits += 1
        else:
            if len(cache) >= 2:
                old = next(iter(cache))
                del cache[old]
            cache[k] = i
    return hits, list(cache)


@program(case(t(5)), case(t(2)))
def oldest_key_popped(n):
    cache = {}
    for i in range(n):
        k = (i * 3) % 4
        if len(cache) >= 2:
            cache.pop(next(iter(cache)))
        cache[k] = i
    return list(cache.items())


@program(case(t(2)), case(t(0)), compiled=True)
def combined_after_a_branch(x):
    items = [1, 3]
    if x > 0:
        items.append(2)
    return (
        list(itertools.pairwise(items)),
        list(itertools.islice(items, 1, None)),
        list(itertools.zip_longest(items, [7], fillvalue=0)),
        list(itertools.accumulate(items)),
        list(itertools.product(items, [1, 2])),
        list(itertools.compress(items, [1, 0, 1])),
        list(itertools.chain.from_iterable([[one, one] for one in items])),
        sum(a * b for a, b in itertools.pairwise(items)),
    )


@program(case(t(2)), case(t(0)))
def chosen_after_a_branch(x):
    items = [1, 3]
    if x > 0:
        items.append(2)
    pairs = [a - b for a, b in itertools.combinations(items, 2)]
    return pairs, list(itertools.permutations(items, 2)), next(itertools.combinations(items, 1))


@program(case(t([1.0, 2.0])), case(t([-1.0, -2.0])))
def arrays_in_pairs_are_the_lists_own(x):
    items = [x * 1.0, x * 2.0]
    if x.sum() > 0:
        items.append(x * 3.0)
    for first, second in itertools.pairwise(items):
        first += second
    later = list(itertools.islice(items, 1, None))
    later[0] += 5.0
    window = itertools.islice(items, 2)
    items[0] = x
    return items, later, list(window)


HANDS = (
    case([t(3), t(-1), t(5), t(2), t(7)], t(1)),
    case([t(1), t(2)], t(0)),
    case([t(4), t(3), t(2), t(1)], t(2)),
)


@program(*HANDS, compiled=True)
def insertion_while_numbered(items, n):
    for place, item in enumerate(items):
        while place > 0 and items[place - 1] > item:
            items[place] = items[place - 1]
            place -= 1
        items[place] = item
    return items


@program(*HANDS)
def moved_while_paired(items, n):
    seen = []
    for left, right in zip(items, items[1:]):
        seen.append(left * 10 + right)
        while n > 0 and items[n - 1] > left:
            items[n] = items[n - 1]
            n -= 1
    return seen, items


@program(case([3, -1, 5, 2, 7], t(1)), case([1, 2], t(0)), case([4, 3, 2, 1], t(2)))
def grown_while_numbered(items, n):
    total = n * 0
    for number, item in enumerate(items, n):
        total = total * 2 + item + number
        if item == n + 1:
            items.append(item * 0)
        if item > 6:
            break
    else:
        total = -total
    return total, items


@program(*HANDS)
def moved_while_mapped(items, n):
    called = []

    def seen(one, number):
        called.append(one)
        return one * 2 + number

    found = 0
    for one in map(seen, items, range(9)):
        found = found * 3 + one
        while n > 0 and items[n - 1] > one:
            items[n] = items[n - 1]
            n -= 1
        if one > 9:
            return called, found
    return called, items


@program(*HANDS)
def sources_of_other_lengths(items, n):
    others = [n, n + 1, n + 2]
    found = []
    for one, other in zip(items, others):
        found.append(one * other)
        if one > 2:
            others.append(one)
            items.pop()
    return found, [int(one) for one in items], len(others)


@program(
    case([t(3), t(1), t(4), t(5)], t(2)),
    case([t(3), t(1), t(4), t(5)], t(0)),
    case([t(3)], t(5)),
    compiled=True,
)
def selected_of_a_grown_list(items, n):
    kept = []
    for item in items:
        if item > n:
            kept.append(item)
    best = n
    for a, b in itertools.combinations(kept, 2):
        best = max(best, a * b)
    doubled = itertools.combinations_with_replacement(kept, 2)
    return (
        best,
        [a + b * c for a, b, c in itertools.permutations(kept, 3)],
        sum(next(doubled, (0, 0))),
        [a - b for a, b in doubled],
        list(itertools.combinations(kept, 0)),
        any(a + b == 7 for a, b in itertools.combinations(kept, 2)),
    )


@program(case(np.array([3.0, 1.0, 7.0, 2.0])), case(np.array([3.0, 1.0])), case(np.array([3.0])))
def nearest_clusters_of_a_dict(x):
    live = {i: [i] for i in range(len(x))}
    while len(live) > 1:
        a, b = min(itertools.combinations(live, 2), key=lambda p: abs(x[p[0]] - x[p[1]]))
        live[a] = live[a] + live.pop(b)
    return live


@program(case([t(3), t(1)], t(2)), case([t(3), t(1)], t(0)))
def fewer_than_none_selected(items, n):
    kept = [item for item in items if item > n]
    try:
        return list(itertools.permutations(kept, -1))
    except ValueError as error:
        return str(error)


class Stack(list):
    pass


@program(*HANDS)
def a_subclass_that_grows(items, n):
    stack = Stack(int(one) for one in items)
    for _, item in enumerate(stack):
        if item > n and len(stack) < 7:
            stack.append(item - 1)
    numbered = list(enumerate(stack, n))
    return list(stack), list(iter(stack)), list(zip(stack, stack[1:])), numbered


@program(case([3, 1, 2], t(1)), case([1, 2, 5], t(0)), case([], t(0)), compiled=True)
def pairs_numbered_while_they_change(items, n):
    found = []
    for place, (left, right) in enumerate(zip(items, items[1:]), n):
        if left > n:
            items[int(place) - int(n)] = left - 2
            items.insert(0, left)
        found.append(left * 10 + right + place)
        if len(items) > 8:
            break
    else:
        return found, items
    return found, len(items)


@program(case(t(2)), case(t(0)))
def numbered_from_a_staged_start(n):
    called = []

    def double(one):
        called.append(one)
        return one * 2

    for number, item in enumerate(map(double, [1, 2, 3]), n):
        if item > 2:
            break
    table = {1: 2, 3: 4}
    rest = iter([1, 2, 3, 4])
    numbered = enumerate(rest, n)
    first, other = next(numbered), next(rest)
    return number, item, called, dict(enumerate(table.items(), n)), first, other, list(numbered)
