"""OrderedDict, defaultdict, Counter, SimpleNamespace of staged values, and the order of dicts."""

from __future__ import annotations

import types
from collections import Counter, OrderedDict, defaultdict

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(1.0), t(2)), case(t(-1.0), t(0)))


@program(*X)
def ordered_dict(x, n):
    d = OrderedDict(w=x, b=2)
    d["c"] = n
    e = OrderedDict([("w", x), ("n", n)])
    return d, e, list(d), d == e


@program(*X)
def default_dict(x, n):
    d = defaultdict(list, w=[x])
    d["v"].append(n)
    return d


@program(*X)
def namespace(x, n):
    s = types.SimpleNamespace(w=x, n=n)
    s.w = s.w + 1
    if x > 0:
        s.k = 3
    return s.w, s.n, getattr(s, "k", None), s


@program(*X)
def namespace_of_a_class(x, n):
    class NS(types.SimpleNamespace):
        pass

    s = NS(w=x)
    return s.w, vars(s)


@program(*X)
def counter_of_numbers(x, n):
    return Counter([int(n), 2, 2]), Counter(a=int(n), b=1)


@program(*X)
def counter_of_chosen_keys(x, n):
    c = Counter(["p" if x > 0 else "n", "p"])
    return c, c["p"], c.most_common(1)


@program(*X)
def of_mappings(x, n):
    return Counter({"a": int(n)}), OrderedDict({"k": x}, z=n), Counter("abca")


@program(*X)
def ordered_dict_of_a_number(x, n):
    try:
        OrderedDict(5)
    except TypeError as e:
        return str(e)


@program(*X)
def ordered_dict_of_numbers(x, n):
    try:
        OrderedDict([1])
    except TypeError as e:
        return str(e)


@program(*X)
def own_ordered_dict(x, n):
    class OD(OrderedDict):
        def __init__(self, *a, **k):
            super().__init__(*a, **k)
            self.extra = 1

    d = OD(w=x)
    d.move_to_end("w")
    return d, d.extra


@program(*X)
def chosen_key_moved(x, n):
    d = OrderedDict(a=x, b=n)
    d.move_to_end("a" if x > 0 else "b")
    return list(d), d


@program(*X)
def pairs_that_are_none(x, n):
    try:
        defaultdict(list, [(1,)])
    except ValueError as e:
        return str(e)


@program(*X)
def moved_in_a_loop(x, n):
    d = OrderedDict()
    for i in range(n):
        d[i] = x
        if i > 0:
            d.move_to_end(i - 1)
    return list(d)


@program(*X)
def counter_of_a_number(x, n):
    try:
        Counter(5)
    except TypeError as e:
        return str(e)


@program(*X)
def counter_of_two(x, n):
    try:
        Counter([1], [2])
    except TypeError as e:
        return str(e)


@program(*X)
def counters_of_iterators(x, n):
    return Counter(), Counter(None), Counter(int(v) for v in [n, n]), Counter(iter("abca"))


@program(*X)
def own_counter(x, n):
    class C(Counter):
        pass

    return C([int(n), 1]), C("aab")


@program(*X)
def moved_and_popped(x, n):
    d = OrderedDict()
    for i in range(n + 2):
        d[i] = x * i
    d.move_to_end(1, last=False)
    a = d.popitem(last=False)
    b = d.popitem()
    return a, b, list(d), d


@program(*X)
def popped_perhaps_empty(x, n):
    d = OrderedDict()
    for i in range(n):
        d[i] = x * i
    return d.popitem(last=False)


@program(*X)
def moved_perhaps_missing(x, n):
    d = OrderedDict()
    for i in range(n):
        d[i] = x * i
    d.move_to_end(1)
    return list(d)


@program(case(t(7)), case(t(2)))
def least_recently_used(n):
    d = OrderedDict()
    hits = 0
    for i in range(n):
        k = (i * i) % 5
        if k in d:
            d.move_to_end(k)
            hits += 1
        else:
            d[k] = i
            if len(d) > 2:
                d.popitem(last=False)
    return hits, list(d.items())


@stateful(case(t(1)), case(t(2)), case(t(1)), case(t(3)))
def cache_between_calls():
    class LRU:
        def __init__(self, size):
            self.size, self.d = size, OrderedDict()

        def get(self, k, make):
            if k in self.d:
                self.d.move_to_end(k)
                return self.d[k]
            v = self.d[k] = make(k)
            if len(self.d) > self.size:
                self.d.popitem(last=False)
            return v

    cache = LRU(2)

    def f(n):
        total = 0
        for i in range(n):
            total = total + cache.get(i % 3, lambda k: k * 10)
        return total

    return f, ()


@program(*X)
def namespace_that_leaves(x, n):
    s = types.SimpleNamespace(w=x)
    return s


@program(*X)
def namespace_with_one_more_perhaps(x, n):
    s = types.SimpleNamespace(w=1)
    if x > 0:
        s.k = 3
    return s.w, getattr(s, "k", None)


@program(*X)
def namespace_filled_later(x, n):
    s = types.SimpleNamespace()
    s.w = x
    return s
