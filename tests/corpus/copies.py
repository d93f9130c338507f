"""Copies: as classes say, of exceptions, and of what branches changed."""

from __future__ import annotations

import copy
from collections import deque
from dataclasses import asdict, dataclass

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(5.0)), case(t(-0.75)))


class G:
    def __init__(self, v):
        self.v, self.cache = v, [v]

    def __getstate__(self):
        return {"v": self.v, "cache": None}


class H:
    def __init__(self, v):
        self.v = v

    def __setstate__(self, s):
        self.v = s["v"]
        self.loaded = True


class I(G):
    def __setstate__(self, s):
        self.__dict__.update(s)
        self.loaded = True


class R:
    def __init__(self, v):
        self.v = v

    def __reduce__(self):
        return (R, (self.v * 2,))


@program(*X)
def state_without_a_cache(x):
    return copy.deepcopy(G(x)).cache, copy.copy(G(x)).cache, copy.copy(G(x)).v


@program(*X)
def state_that_is_set(x):
    h = copy.copy(H(x))
    return h.v, h.loaded


@program(*X)
def both(x):
    h = copy.deepcopy(I(x))
    return h.v, h.loaded, h.cache


@program(*X, refused="StateError")
def by_reduction(x):
    return copy.copy(R(x)).v


@program(*X)
def of_an_exception(x):
    z = copy.copy(ValueError("a", x))
    return z.args, str(z)


@program(*X)
def deep_of_an_exception(x):
    z = KeyError("a", [x])
    z.extra = [x]
    y = copy.deepcopy(z)
    y.extra.append(1)
    return z.extra, y.extra, y.args


@stateful(*X)
def of_an_outside_object():
    o = G(t(1.0))

    def f(x):
        n = copy.deepcopy(o)
        o.v = o.v + x
        return n.v, n.cache, o.cache

    return f, o


N = (case(t(2)), case(t(0)))


@program(*N)
def dict_that_a_branch_changed(n):
    held = {"a": [1]}
    if n > 0:
        held["b"] = 1
    other = copy.deepcopy(held)
    other["a"].append(2)
    return held, other


@program(*N)
def deque_that_a_branch_changed(n):
    held = deque([[1]])
    if n > 0:
        held.append(2)
    other = copy.deepcopy(held)
    other[0].append(3)
    return held, other


@dataclass
class Pair:
    x: object
    y: object


@program(*N)
def dataclass_as_a_dict(n):
    v, pair = t([1.0, 2.0]), Pair(1, [])
    if n > 0:
        pair.y.append(v)
    other = asdict(pair)
    if n > 0:
        other["y"][0][0] = 99.0
    return v, other


@stateful(*N)
def history_of_copies():
    history, current = [], {"w": t([0.0])}

    def f(n):
        if n > 0:
            current["g"] = n
        history.append(copy.deepcopy(current))
        current["w"][0] += n
        return n

    return f, (history, current)


class Record:
    pass


@program(*N)
def attribute_of_one_path(n):
    one = Record()
    one.k = [1]
    if n > 0:
        one.c = 5
    other, deep = copy.copy(one), copy.deepcopy(one)
    deep.k.append(2)
    return hasattr(other, "c"), hasattr(deep, "c"), one.k, deep.k


@program(*N)
def tuple_of_two_lengths(n):
    v = t([1.0, 2.0])
    return copy.deepcopy((v,) if n > 0 else (v, v))


@program(*N, refused="StateError")
def tensors_that_may_be_one(n):
    v = t([1.0, 2.0])
    return copy.deepcopy([v if n > 0 else v + 1, v])


@program(case(t(2.0), 1), case(t(2.0), t(1)), case(t(2.0), t(2)))
def deep_copy_of_one_list_that_grew_under_two_keys(x, n):
    table, row, k = {}, [x * 1], 0
    while k < n:
        k += 1
        table.setdefault("u", []).append(9)
        table = dict.fromkeys("uw", row)
    table = copy.deepcopy(table)
    table["u"].append(x * 3)
    return [float(one) for one in table["u"]], [float(one) for one in table["w"]]


@program(case("-2", t([1.0, 0.0, 2.0])), case("-2", t([0.0])), refused="MergeError")
def pairs_of_strings_of_many_lengths(start, v):
    word, other = start, "12"
    for x in (e for e in v if e):
        while x:
            break
        else:
            word = "abc" + word
        for _y, _z in zip(word, other):
            word, other = other, word
            return word
    return other
