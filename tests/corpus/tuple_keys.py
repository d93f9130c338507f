"""Tuples as keys, with parts that depend on staged conditions, or are staged numbers."""

from __future__ import annotations

import collections

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = (case(t(2.0)), case(t(5.0)), case(t(-0.75)))


@program(*X)
def get(x):
    k = (1, "a") if x > 0 else (2, "b")
    return {(1, "a"): 5}.get(k, 0)


@program(*X)
def contained(x):
    k = (1, "a") if x > 0 else (2, "b")
    return k in {(1, "a"): 5}, k in {(1, "a")}


@program(*X)
def assigned(x):
    k = (1, "a") if x > 0 else (2, "b")
    d = {(1, "a"): 5}
    d[k] = 3
    return len(d)


@program(*X)
def added(x):
    k = (1, "a") if x > 0 else (2, "b")
    s = {(1, "a")}
    s.add(k)
    return len(s)


@program(*X)
def with_a_choice(x):
    return {("a", 2): 5}.get(("a" if x > 0 else "b", int(x)), 0)


@program(*X)
def nested(x):
    return {(1, ("a", 2)): 5}.get((1, ("a" if x > 0 else "b", int(x))), 0)


@program(*X)
def counted(x):
    k = (1, "a") if x > 0 else (2, "b")
    c = collections.Counter([(1, "a")])
    c[k] += 1
    return c[(1, "a")]


@program(case(t([1.0, -1.0, 2.0])), case(t([-1.0, 2.0])))
def state_machine(xs):
    table = {
        ("start", "up"): "run",
        ("start", "down"): "start",
        ("run", "up"): "run",
        ("run", "down"): "stop",
        ("stop", "up"): "stop",
        ("stop", "down"): "stop",
    }
    state, taken = "start", []
    for x in xs:
        state = table[state, "up" if x > 0 else "down"]
        taken.append(state)
    return state, taken


@program(case(t(2)), case(t(7)))
def with_a_number(n):
    d = {(2, 1): "two", (3, 1): "three", ("two", 1): "none"}
    found = d.get((int(n), 1), "nothing")
    try:
        return found, d[int(n), 1]
    except KeyError as error:
        return found, error.args


@program(*X)
def functions_by_two(x):
    def grow(y):
        return y + 1

    def shrink(y):
        return y / 2

    rules = {("pos", True): grow, ("pos", False): shrink, ("neg", False): grow}
    sign = "pos" if x > 0 else "neg"
    return rules[sign, bool(x > 3)](x)


@program(case(t([1.0, -1.0, 2.0, -3.0])))
def counts_of_pairs(xs):
    seen, last = {}, "none"
    for x in xs:
        now = "pos" if x > 0 else "neg"
        seen[last, now] = seen.get((last, now), 0) + 1
        last = now
    return seen


@program(*X)
def taken_away(x):
    d = {("a", 1): 5, ("b", 1): 6, ("a", 2): 7}
    k = "a" if x > 0 else "b"
    first = d.pop((k, 1))
    if (k, 2) in d:
        del d[k, 2]
    return first, d


@program(*X)
def whose_identity_counts(x):
    k = ("a" if x > 0 else "b", 1)
    d = {k: 1}
    return list(d)[0], d[k]


@program(case(t(3)), case(t(0)), case(t(2)))
def numbers_that_are_equal(n):
    d = {(1, True): "a", (1.0, 2): "b", ("x", 3): "c", 3: "d", None: "e"}
    k = 1 if n > 1 else "x"
    return d.get((k, int(n))), d.get((int(n), int(n) > 0)), d.get((k, None), 0)


N3 = (case(t(5)), case(t(0)), case(t(2)))


@program(*N3, compiled=True)
def the_last_items_of_a_growing_list(n):
    tokens, seen, counts, again = [0, 0], set(), {}, 0
    for i in range(n):
        tokens.append(i % 2)
        pair = tuple(tokens[-2:])
        if pair in seen:
            again += 1
        else:
            seen.add(pair)
        counts[pair] = counts.get(pair, 0) + 1
    return len(seen), again, counts


@program(*N3)
def fewer_items_than_a_slice_asks_for(n):
    tokens, seen = [], set()
    for i in range(n):
        seen.add((tuple(tokens[-2:]), i % 2))
        tokens.append(i % 2)
    return seen, (tuple(tokens[:1]), 0) in seen


@program(*N3)
def pairs_of_neighbours(n):
    tokens, counts = [], {}
    for i in range(n):
        tokens.append(i % 3)
    for i in range(len(tokens) - 1):
        pair = tuple(tokens[i : i + 2])
        counts[pair] = counts.get(pair, 0) + 1
    return counts, max(counts, key=counts.get) if counts else None


@program(*N3)
def lists_under_the_last_item(n):
    tokens, following = [1, 2], collections.defaultdict(list)
    for i in range(n):
        before = tuple(tokens[-1:])
        tokens.append(i % 3)
        following[before].append(i)
    return dict(following)
