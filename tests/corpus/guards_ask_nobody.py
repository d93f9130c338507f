"""Guards of attributes and items that a class would compute: they ask no code of the user's."""

from __future__ import annotations

import functools

import autograph as ag
from tests.corpus.registry import case, decorating

t = ag.asarray
X = case(t(2.0))


class Data:
    def __init__(self, xs):
        self.xs = xs

    @functools.cached_property
    def total(self):
        return sum(self.xs)


class Lazy:
    def __init__(self, v):
        self.v = v

    def __getattr__(self, name):
        if name != "total":
            raise AttributeError(name)
        self.total = self.v * 2
        return self.total


class Computed:
    def __get__(self, owner, kind=None):
        if owner is None:
            return self
        owner.__dict__["double"] = owner.v * 2
        return owner.__dict__["double"]


class Doubling:
    double = Computed()

    def __init__(self, v):
        self.v = v


class Logging:
    log = []

    def __init__(self, **given):
        self.__dict__.update(given)

    def __getattr__(self, name):
        Logging.log.append(name)
        raise KeyError(name)


class Counting(dict):
    asked = 0

    def __getitem__(self, key):
        self.asked += 1
        return dict.__getitem__(self, key)


class Adding(dict):
    def __getitem__(self, key):
        return dict.get(self, key, 0) + 100


@decorating(X)
def cached_properties(stage):
    @stage
    def look(data, x):
        data.xs.append(float(x))
        return data.total * x

    def run(x):
        a, b, c = Data([1.0]), Data([5.0]), Data([7.0])
        assert c.total == 7.0
        return [look(one, x) for one in (a, a, b, c, b)], a.total, b.total, c.total

    return run, lambda: None


@decorating(X)
def attributes_made_when_asked(stage):
    @stage
    def look(one, x):
        one.v = one.v + float(x)
        return (one.total if isinstance(one, Lazy) else one.double) * x

    def run(x):
        objects = [kind(v) for kind in (Lazy, Doubling) for v in (1.0, 5.0)]
        return [look(one, x) for one in objects * 2], [vars(one) for one in objects]

    return run, lambda: None


@decorating(X)
def attributes_that_are_missing(stage):
    @stage
    def look(one, x):
        try:
            return x * one.k
        except KeyError as error:
            return str(error)

    def run(x):
        Logging.log.clear()
        found = [look(Logging(**given), x) for given in ({"k": 2}, {}, {"k": 3}, {"k": 2})]
        return found, list(Logging.log)

    return run, lambda: None


@decorating(X)
def items_of_dicts_that_count(stage):
    @stage
    def look(table, x):
        return x * table["a"] if "a" in table else -x

    def run(x):
        counting = Counting(a=1.0)
        found = [look(counting, x) for _ in range(3)]
        return found, counting.asked, [look(Adding(**{k: 1}), x) for k in ("a", "b", "a")]

    return run, lambda: None


@decorating(X)
def keywords_of_a_partial(stage):
    @stage
    def make(x):
        made = functools.partial(max, key=abs)
        return made.keywords, x

    def run(x):
        make(x)[0]["mine"] = 1
        return make(x)[0]

    return run, lambda: None
