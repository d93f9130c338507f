"""Views of one of several dicts, Counters, what is shown as a whole, indices with a choice."""

from __future__ import annotations

import functools
import types
from collections import Counter

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(5.0)), case(t(1.0)), case(t(-1.0)))


@program(*X)
def keys_and(x):
    d = {"a": 1}
    e = {"b": 2}
    c = d if x > 0 else e
    return (
        sorted(c.keys() & {"a"}),
        sorted(c.keys() | {"z"}),
        c.keys() == {"a"},
        sorted({"a", "b"} - c.keys()),
    )


@program(*X)
def in_keys(x):
    d = {"a": 1}
    e = {"b": 2}
    c = d if x > 0 else e
    return "a" in c.keys(), 1 in c.values(), ("b", 2) in c.items()


@stateful(*X)
def cached():
    class B:
        def __init__(self):
            self.k = 1.0

        @functools.cached_property
        def c(self):
            return self.k * 3

    o = B()

    def f(x):
        y = o.c
        if x > 3:
            del o.c
        return x * y * o.c

    return f, o


@stateful(*X)
def namespace_shown():
    ns = types.SimpleNamespace(step=0)

    def f(x):
        ns.step += 1
        print(ns)
        return x, str(ns)

    return f, ns


@program(*X)
def counter_elements(x):
    return x, list(Counter(a=2, b=1).elements()), sorted(Counter("abca").elements())


@program(*X)
def counter_staged(x):
    c = Counter("ab")
    if x > 0:
        c["a"] += 2
    c.subtract("a")
    return sorted(c.elements()), c["a"]


@program(*X)
def counter_ops(x):
    c = Counter("aab")
    if x > 0:
        c.subtract("a")
    return (
        dict(+c),
        dict(c - Counter("b")),
        dict(c + Counter("b")),
        dict(c & Counter("ab")),
        dict(c | Counter("abb")),
    )


@program(case(t([[1.0, 2.0], [3.0, 4.0]]), t(1)), case(t([[1.0, 2.0], [3.0, 4.0]]), t(-1)))
def ctc(logp, k):
    e = k if k > 0 else 0
    return logp[0, e]


@program(case(t([[1.0, 2.0], [3.0, 4.0]]), t(1)), case(t([[1.0, 2.0], [3.0, 4.0]]), t(-1)))
def slices(logp, k):
    e = slice(0, 1) if k > 0 else 0
    return logp[0, e]


@program(case(t([[1.0, 2.0], [3.0, 4.0]]), t(1)), case(t([[1.0, 2.0], [3.0, 4.0]]), t(-1)))
def assigned(logp, k):
    e = k if k > 0 else 0
    y = logp * 1
    y[e, 0] = 9.0
    y[(1, e)] += 1
    return y


@program(case(t([[1.0, 2.0], [3.0, 4.0]]), t([1])), case(t([[1.0, 2.0], [3.0, 4.0]]), t([1, 0])))
def labels(logp, target):
    ext = [0]
    for c in target:
        ext += [c, 0]
    return logp[0, ext[1]], [logp[1, e] for e in ext]


@program(case(t([1.0, 2.0])), case(t([0.5, 3.0])))
def beam(x):
    cand = []
    for h, done in [([0], x[0] > 1), ([1], x[1] > 1)]:
        if done:
            cand.append(h)
        else:
            cand.append(h + [1])
            cand.append(h + [2])
    return cand[:2]


@program(case(t([1.0, 2.0])), case(t([0.5, 3.0])))
def done_live(x):
    live, done = [([0], 0.0)], []
    for s in range(3):
        new = []
        for h, v in live:
            for k in range(2):
                c = (h + [k], v + x[k])
                if c[1] > 2.5:
                    done.append(c)
                else:
                    new.append(c)
        live = new[:2]
    return done, live


@program(case(t([1.0, 2.0])), case(t([0.5, 3.0])))
def dict_beam(x):
    beams = [{"tokens": [0], "score": x[0] * 0, "done": False}]
    for _ in range(3):
        new = []
        for b in beams:
            if b["done"]:
                new.append(b)
                continue
            for k in range(2):
                s = b["score"] + x[k]
                new.append({"tokens": b["tokens"] + [k], "score": s, "done": bool(s > 2)})
        new.sort(key=lambda b: -b["score"])
        beams = new[:2]
    return beams[0]["tokens"], beams[0]["score"]


@program(*X)
def deleted_from_a_counter(x):
    c = Counter({0: 1, 5: 2})
    del c[abs(int(x))]
    del c["none"]
    return dict(c)
