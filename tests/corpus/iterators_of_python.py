"""`enumerate`, `zip`, `map`, `reversed` and `iter` of containers: asked for items in every way."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))
N3 = (case(t(3)), case(t(0)), case(t(6)))


@program(*S3, refused="StateError", naming=("map",))
def map_of_choice_twice(x):
    f = abs if x > 0 else (lambda v: v * 2)
    m = map(f, [x, 1.0])
    a = next(m)
    return a, list(m), list(m)


@program(*S3)
def enumerate_in_loop(x):
    n = 0
    tot = x * 0
    while n < 3:
        for i, v in enumerate([1.0, 2.0, x]):
            if v > n:
                tot = tot + i
        it = iter({"a": 1, "b": 2})
        tot = tot + len(next(it)) + sum(1 for k in it)
        n += 1
    return tot


@program(*S3)
def reversed_broken_and_resumed(x):
    r = reversed([1.0, 2.0, 3.0])
    a = next(r)
    s = [v for v in r if v > 0]
    return a, s, list(r), next(r, None)


@program(*S3)
def zip_partly(x):
    z = zip([1, 2, 3], "abc")
    first = next(z)
    if x > 0:
        y = x
    else:
        y = -x
    rest = list(z)
    return first, rest, y, list(z)


@program(*S3)
def enumerate_grown_list(x):
    l = [1.0, 2.0]
    seen = []
    for i, v in enumerate(l):
        seen.append((i, v))
        if len(l) < 4:
            l.append(v * 2)
    m = map(lambda q: q + len(l), l)
    l.append(x)
    return seen, list(m)


@program(*S3)
def map_effects_order(x):
    log = []

    def f(v):
        log.append(v)
        return v * x

    m = map(f, [1, 2, 3])
    log.append("made")
    a = next(m)
    log.append("took")
    for b in m:
        log.append("body")
        if len(log) > 4:
            break
    return log, a, b, list(m), log


@program(*S3)
def dict_changed_while(x):
    d = {"a": 1, "b": 2}
    try:
        for i, k in enumerate(d):
            d[k + "x"] = i
    except RuntimeError as e:
        return str(e), len(d), x


@program(*S3)
def held_generator_over_zip(x):
    g = (a * b for a, b in zip([1.0, -2.0, 3.0], [x, x, x]) if a * b > 0)
    out = []
    for v in g:
        out.append(v)
    return out, list(g)


@program(*S3)
def star_args_over_map(x):
    def f(*a):
        return sum(a)

    return (
        f(*map(lambda v: v * x, [1, 2])),
        [*reversed([1, x])],
        dict(zip("ab", [x, 1])),
        (*enumerate("ab"),),
        max(*map(abs, [x, 1.0])),
    )


@program(*S3)
def nested_iterators(x):
    e = enumerate(zip(reversed([1, 2, 3]), map(lambda v: v + x, [1.0, 2.0, 3.0])))
    i, (a, b) = next(e)
    return i, a, b, [(i, a * b) for i, (a, b) in e if b > 2]


@program(*S3)
def isinstance_and_iter(x):
    e = enumerate([1, x])
    z = zip([1], [x])
    return (
        iter(e) is e,
        isinstance(e, enumerate),
        isinstance(z, zip),
        type(e).__name__,
        hasattr(e, "__next__"),
        callable(z),
        isinstance(map(abs, [x]), map),
        isinstance(reversed([1]), object),
    )


V = (case(t([1.0, -2.0, 3.0])), case(t([-1.0, -2.0, -3.0])))


@program(*V)
def kinds_over_tensors(v):
    e, z, m = enumerate(v), zip(v, [1, 2, 3]), map(abs, v)
    return [
        isinstance(e, enumerate),
        isinstance(z, zip),
        isinstance(m, map),
        type(e) is enumerate,
        isinstance(z, (list, tuple)),
        len(list(e)),
        type(m).__name__,
    ]


TWO_ROWS = (
    case([t(1.0), t(2.0), t(5.0)], [t(1.0), t(2.0), t(1.0)]),
    case([t(0.1), t(0.2), t(0.5)], [t(1.0), t(2.0), t(1.0)]),
    case([t(3.0), t(0.2)], [t(4.0), t(2.0), t(-1.0)]),
)


@program(*TWO_ROWS, compiled=True)
def a_zip_of_reversed_lists_that_is_left(xs, ys):
    total = t(0.0)
    for x, y in zip(reversed(xs), reversed(ys)):
        total = total + x * y
        if total > 3:
            break
    for place, (x, y) in enumerate(zip(reversed(xs), ys)):
        if x * y > 2:
            return total, place
    return total, [x - y for x, y in zip(reversed(xs), iter(ys))]


@program(*TWO_ROWS)
def a_map_of_reversed_lists_that_is_left(xs, ys):
    total = t(0.0)
    for product in map(lambda x, y: x * y, reversed(xs), reversed(ys)):
        total = total + product
        if total > 3:
            break
    return total


@program(*TWO_ROWS)
def pairs_of_one_iterator_that_are_left(xs, ys):
    items, total = iter(xs + ys), t(0.0)
    for x, y in zip(items, items):
        total = total + x * y
        if total > 2:
            break
    return total, [one * 2 for one in items]
