"""Programs of testers: deletions, errors where iterators are made, zips of iterators."""

from __future__ import annotations

import itertools

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N = (case(t(3)), case(t(0)), case(t(5)), case(t(1)))
V = (
    case(t([2.0, 1.0, 3.0])),
    case(t([0.0, 5.0, 1.0])),
    case(t([-1.0, 0.0, 0.0])),
)


V = [case(t([2.0, 1.0, 3.0])), case(t([0.0, 5.0, 1.0])), case(t([-1.0, 0.0, 0.0]))]


class Default:
    v = 7


@program(*N)
def deleted_behind_class(n):
    o = Default()
    if n > 0:
        o.v = n
    try:
        del o.v
    except AttributeError as e:
        return str(e)
    return "deleted", o.v


@program(*N)
def deleted_then_read(n):
    o = Default()
    if n > 2:
        o.v = n
    del o.v
    return o.v


@program(*N)
def errors_where_made(n):
    out = []
    for make in (
        lambda: filter(None, 5),
        lambda: filter(None, n),
        lambda: itertools.islice(int(n), 3),
        lambda: itertools.takewhile(bool, int(n)),
        lambda: itertools.chain.from_iterable(int(n)),
    ):
        try:
            make()
        except TypeError as e:
            out.append(str(e))
    return out


@program(*V)
def mapped_beside_filtered(v):
    return [a + b for a, b in zip(map(abs, v), filter(None, v))], [
        a * b for a, b in zip((x for x in v), map(abs, v))
    ]


@program(*V)
def zips_beside(v):
    return [a + b + c for (a, b), c in zip(zip(v, v), (x for x in v))]


@program(*V)
def longest_of_one(v):
    it = iter(v)
    return list(itertools.zip_longest(it, it, fillvalue=0.5))


@program(*N)
def many_letters(n):
    words = [
        "alpha",
        "bravo",
        "charlie",
        "delta",
        "echo",
        "foxtrot",
        "golf",
        "hotel",
        "india",
        "juliet",
        "kilo",
        "lima",
        "mike",
        "november",
        "oscar",
        "papa",
        "quebec",
        "romeo",
    ]
    s = ""
    for i in range(n):
        s += words[(i * 5) % 18] + " "
    return s


@program(*N)
def error_text(n):
    s = ""
    for i in range(n):
        try:
            s += str(6 // (i - 1))
        except ZeroDivisionError as e:
            s += str(e)
        s += ";"
    return s
