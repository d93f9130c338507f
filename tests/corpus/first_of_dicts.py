"""Iterators over dicts and sets that a staged branch changed or chose."""

from __future__ import annotations

from collections import OrderedDict

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

N = (case(t(3)), case(t(2)), case(t(5)), case(t(0)))
NP = N[:3]


def dd(n):
    found = {"x": 1}
    if n > 2:
        found["y"] = 2
    return found


def ll(n):
    found = [1]
    if n > 2:
        found.append(int(n))
    return found


def ss(n):
    found = {5, 1}
    if n > 2:
        found.add(3)
    return found


def dl(n):
    found = {}
    if n > 2:
        found["k"] = int(n)
    if n > 4:
        found["m"] = 7
    return found


@program(*N)
def chosen_lists_in_turn(n):
    return (list(map(str, ll(n))), list(zip(ll(n), "abc")), list(enumerate(ll(n))))


@program(*N)
def chosen_dicts_in_turn(n):
    return (list(map(str, dd(n))), list(zip(dd(n), "abc")), list(enumerate(dd(n))))


@program(*N)
def chosen_views_in_turn(n):
    return (
        [(k, v) for k, v in dd(n).items()],
        list(dd(n).items()),
        list(enumerate(dd(n).values())),
        list(zip(dd(n).keys(), dd(n).values())),
    )


@program(*N)
def chosen_dicts_in_builtins(n):
    return (
        list(dd(n)),
        sorted(dd(n)),
        list(reversed(dd(n))),
        list(filter(None, dd(n).values())),
        sum(dd(n).values()),
        max(dd(n)),
        max(dd(n).values()),
    )


@program(*N)
def an_iterator_over_a_chosen_dict(n):
    it = iter(dd(n))
    a = next(it)
    b = next(it, None)
    return (a, b, list(it))


@program(*N)
def chosen_members_in_turn(n):
    return (
        next(iter(ss(n))),
        list(ss(n)),
        list(map(str, ss(n))),
        [v for v in ss(n)],
        list(enumerate(ss(n))),
    )


@program(*N)
def first_of_what_may_be_empty(n):
    return (
        next(iter(dl(n)), None),
        next(iter(dl(n).items()), None),
        next(iter(dl(n).values()), 0),
        next(reversed(dl(n)), None),
    )


@program(*N)
def first_of_an_empty_dict(n):
    return (next(iter(dl(n))), 1)


@program(*N)
def taken_until_empty(n):
    d = dl(n)
    out = []
    while d:
        k = next(iter(d))
        out.append((k, d.pop(k)))
    return out


@program(*N)
def the_first_key_is_deleted(n):
    d = dd(n)
    first = next(iter(d))
    del d[first]
    d["q"] = 1
    return (d, next(iter(d)), next(reversed(d.values())))


@program(*N)
def first_of_grown_views(n):
    d = {i: i * 2 for i in range(int(n) + 1)}
    del d[0]
    return (
        next(iter(d), None),
        next(iter(d.values()), None),
        next(reversed(d.items()), None),
        list(reversed(d)),
        list(reversed(d.keys())),
    )


@program(*N)
def least_recently_used(n):
    lru = OrderedDict()
    for i in range(n):
        lru[i % 3] = i
        if len(lru) > 2:
            lru.pop(next(iter(lru)))
    return list(lru.items())


@program(*N)
def the_oldest_goes(n):
    cache = {}
    for i in range(n):
        if len(cache) >= 2:
            del cache[next(iter(cache))]
        cache[i * 3 % 4] = i
    return cache


@program(*N)
def dicts_of_zipped_views(n):
    d = dd(n)
    e = {k: v for k, v in zip(d, d.values())}
    f = dict(zip(d.keys(), map(lambda v: v * 2, d.values())))
    return (e, f, {v: k for k, v in d.items()})


@program(*N)
def enumerated_items(n):
    out = []
    for i, (k, v) in enumerate(dd(n).items()):
        out.append((i, k, v))
    for k in sorted(dd(n), reverse=True):
        out.append(k)
    return out


@program(*N)
def chosen_dicts_unpacked(n):
    a, *b = dd(n)
    c = [*dd(n)]
    e = {**dd(n), "zz": 1}
    return (a, b, c, e)


@program(*N)
def extremes_of_chosen_dicts(n):
    return (
        max(dd(n), key=dd(n).get),
        min(dd(n).items(), key=lambda kv: -kv[1]),
        ",".join(dd(n)),
        any(dd(n).values()),
        tuple(dd(n)),
        set(dd(n)),
        len(dd(n).items()),
    )


@program(*N)
def first_of_values_that_are_lists(n):
    d = {"a": [1]}
    if n > 2:
        d["b"] = [2, int(n)]
    return (
        next(iter(d.values())),
        [len(v) for v in d.values()],
        dict(zip(d, map(len, d.values()))),
    )


@program(*N)
def first_of_one_of_two(n):
    s = {1}
    d = {"a": 1}
    if n > 2:
        s = {2, 4}
        d = {"b": 2, "c": int(n)}
    it = iter(d)
    return (
        next(iter(s)),
        next(it),
        next(it, None),
        next(iter(d.items())),
        next(reversed(d)),
        list(s),
    )


@program(*N)
def iterators_in_a_loop(n):
    d = {"a": 1, "b": 2}
    s = {3, 1}
    out = []
    for i in range(n):
        out.append(next(iter(d)))
        out.append(next(iter(d.values())) + next(iter(s)))
        for k in d:
            out.append(k)
    return out


@program(*N)
def iterators_in_branches(n):
    d = {"a": 1, "b": 2}
    if n > 2:
        it = iter(d.items())
        next(it)
        return next(it)
    it = iter(d)
    d["c"] = 1
    if n == 2:
        return next(it)
    return None


@program(*N)
def an_iterator_that_goes_on(n):
    d = {"a": 1, "b": 2}
    total = 0
    for i in range(n):
        it = iter(d.values())
        for v in it:
            total += v
            if v == i:
                break
        total += 10 * sum(it)
    return total
