"""Iterators are asked for one item when it is wanted, and for no more."""

from __future__ import annotations

import itertools
import operator

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N = (case(t(3)), case(t(0)), case(t(6)), case(t(1)), case(t(5)))
V = (
    case(t([1.0, -2.0, 3.0])),
    case(t([-1.0, -2.0, -3.0])),
    case(t([-1.0, 2.0, -4.0])),
)
INTEGERS = (case(t([3, 1])), case(t([3, 6])), case(t([6, 2])))


V = [case(t([1.0, -2.0, 3.0])), case(t([-1.0, -2.0, -3.0])), case(t([-1.0, 2.0, -4.0]))]


I = [case(t([3, 1])), case(t([3, 6])), case(t([6, 2]))]


@program(*N)
def predicate_reads_state(n):
    seen, out = set(), []
    for y in filter(lambda e: e % 3 not in seen, range(n)):
        out.append(y)
        seen.add(y % 3)
    return out


@program(*N)
def late_binding(n):
    lim = 1
    g = filter(lambda q: q > lim, range(n))
    lim = 3
    return list(g)


@program(*N)
def filter_raises(n):
    out = []
    try:
        for y in filter(lambda k: 6 // (k - 3) < 10, range(n)):
            out.append(y)
    except ZeroDivisionError as e:
        return out, str(e)
    return out, "none"


@program(*V)
def any_stops(v):
    log = []

    def chk(e):
        log.append(float(e))
        return e > 0

    return any(map(chk, v)), log


@program(*V)
def all_stops(v):
    log = []

    def chk(e):
        log.append(float(e))
        return e < 0

    return all(map(chk, v)), log


@program(*INTEGERS)
def any_before_error(v):
    return any(map(lambda e: 6 // (int(e) - 6) == -2, v))


@program(*N)
def accumulate_late(n):
    tot = 1
    for k in itertools.accumulate(range(n), lambda a, b: a + b + tot):
        tot += k
    return tot


@program(*N)
def islice_late(n):
    tot = 1
    for k in itertools.islice(map(lambda a: a * tot, range(9)), n):
        tot += k
    return tot


@program(*N)
def islice_logs(n):
    log = []
    for k in itertools.islice(map(log.append, range(5)), n):
        pass
    return log


@program(*N)
def zip_maps(n):
    log = []

    def g(e):
        log.append(e)
        return e

    for y, z in zip(map(g, range(n)), map(g, range(3))):
        pass
    return log


@program(*N)
def zip_prints(n):
    def g(e):
        print("f", e)
        return e

    for y, z in zip(map(g, range(n)), range(3)):
        print(y, z)


@program(*N)
def zip_iter_range(n):
    it = iter([10, 20, 30])
    for a, b in zip(it, range(n)):
        pass
    return next(it, "end")


@program(*N)
def zip_range_iter(n):
    it = iter([10, 20, 30])
    for a, b in zip(range(n), it):
        pass
    return next(it, "end")


@program(*N)
def dict_zip_iter(n):
    it = iter([10, 20, 30])
    d = dict(zip(it, range(n)))
    return sum(d.values()), next(it, "end")


@program(*N)
def list_islice_iter(n):
    it = iter([10, 20, 30])
    return list(itertools.islice(it, int(n))), next(it, "end")


@program(*N)
def reversed_changed(n):
    xs = [1, 2, 3]
    r = reversed(xs)
    if n > 0:
        xs.append(100)
    return list(r)


@program(*N)
def remove_reversed(n):
    xs = [3, 1, 4, 1, 5]
    for x in reversed(xs):
        if x < n:
            xs.remove(x)
    return xs


@program(*N)
def pop_reversed(n):
    xs = list(range(n))
    out = []
    for x in reversed(xs):
        out.append(x)
        xs.pop()
    return out


@program(*N)
def next_reversed(n):
    xs = [1, 2, 3]
    it = reversed(xs)
    out = []
    while (x := next(it, None)) is not None:
        out.append(x)
        if x < n:
            xs.append(9)
    return out


@program(*N)
def append_reversed(n):
    xs = [i for i in range(n)]
    for x in reversed(xs):
        xs.append(x)
    return xs


@program(*N)
def reversed_dict(n):
    d = {"a": 1, "b": 2}
    if n > 1:
        d["c"] = 3
    return list(reversed(list(d)))


@program(*N)
def reversed_dict_as_it_is(n):
    d = {"a": 1, "b": 2}
    if n > 1:
        d["c"] = 3
    return list(reversed(d)), [v for _, v in reversed(d.items())]


@program(*N)
def enumerate_start(n):
    return [i for i, c in enumerate("ab", start=n)]


@program(*N)
def fib_islice(n):
    def fib():
        a, b = 0, 1
        while True:
            yield a
            a, b = b, a + b

    return list(itertools.islice(fib(), n))


@program(*N)
def islice_fib_step(n):
    def fib():
        a, b = 0, 1
        while True:
            yield a
            a, b = b, a + b

    return list(itertools.islice(fib(), 1, n + 1, 2)), sum(itertools.islice(fib(), n, n + 4))


@program(*N)
def map_count(n):
    return list(map(operator.add, list(range(n)), itertools.count(10)))


@program(*N)
def worklist_for(n):
    xs = [1, 2]
    for x in xs:
        if x < n and len(xs) < 12:
            xs.append(x + 1)
    return xs


@program(*N)
def bfs_order(n):
    graph = {0: [1, 2], 1: [3], 2: [3], 3: [0]}
    order = [0]
    for node in order:
        for nb in graph[node]:
            if nb not in order and nb < n:
                order.append(nb)
    return order


@program(*N)
def range_methods(n):
    return range(n).count(2), (range(n + 3).index(2))


@program(*N)
def longest(n):
    return [(a, b) for a, b in itertools.zip_longest(range(n), "abcd", fillvalue=-1)]


@program(*N)
def enumerate_break(n):
    it = iter([5, 6, 7, 8])
    for i, a in enumerate(it):
        if i == n:
            break
    return next(it, "none")


@program(*V)
def pairwise_t(v):
    return [float(b - a) for a, b in itertools.pairwise(v)]


@program(*N)
def pairwise_gen(n):
    return [a * b for a, b in itertools.pairwise(x for x in range(n) if x != 2)]


@program(*N)
def compress_t(n):
    return list(itertools.compress("abcdefg", [i % 2 for i in range(n)]))


@program(*N)
def from_iterable(n):
    log = []

    def part(k):
        log.append(k)
        return range(k)

    out = []
    for x in itertools.chain.from_iterable(map(part, range(n))):
        if x == 2:
            break
        out.append(x)
    return out, log


@program(*V)
def accumulate_t(v):
    return (
        [float(x) for x in itertools.accumulate(v)],
        list(itertools.accumulate(v, max)),
        list(itertools.accumulate(v, initial=1.0)),
    )


@program(*N)
def accumulate_gen(n):
    return list(itertools.accumulate(x * x for x in range(n)))


@program(*N)
def filter_in_zip(n):
    seen = []
    for a, b in zip(filter(lambda e: e not in seen, range(n)), range(2)):
        seen.append(a + 1)
    return seen


@program(*N)
def filter_enum(n):
    return [(i, x) for i, x in enumerate(filter(lambda e: e % 2, range(n)))]


@program(*V)
def filter_none(v):
    return (
        list(filter(None, v)),
        sum(filter(lambda x: x > 0, v)),
        max(filter(lambda x: x < 3, v), default=0.0),
        sorted(filter(None, v)),
    )


@program(*V)
def filter_twice(v):
    f = filter(lambda x: x > 0, v)
    a = list(f)
    return len(a), list(f)


@program(*V)
def filter_next(v):
    f = filter(lambda x: x > 0, v)
    return next(f, None)


@program(*V)
def in_map(v):
    log = []

    def g(x):
        log.append(float(x))
        return x * 2

    return 6.0 in map(g, v), log


@program(*N, compiled=True)
def several_lists_backwards(n):
    """Advantages, as they are added up from the last step: lists as long as the run tells."""
    rewards, values = [k * 0.5 for k in range(n)], [0.25 * k * k for k in range(n)]
    found, last, total = [], 0.0, 0.0
    for reward, value in zip(reversed(rewards), reversed(values), strict=False):
        total = reward + 0.9 * last - value + 0.8 * total
        found.insert(0, total)
        last = value
    return found


@program(*N)
def several_iterators_of_unlike_lengths(n):
    """The first of them is asked for one item more than the second one has."""
    long, short = iter([k * 2 for k in range(n)]), reversed([k + 1 for k in range(n // 2)])
    numbers = reversed(list(range(n)))
    pairs = [a * b - c for a, b, c in zip(long, short, numbers, strict=False)]
    return pairs, list(long), list(short), list(numbers)


@program(*N)
def left_in_the_midst(n):
    one, other = reversed([k for k in range(n)]), iter([k % 3 for k in range(n)])
    total = 0
    for a, b in zip(one, other, [5, 4, 3, 2], strict=False):
        if a == b:
            break
        total = total + a - b
    return total, next(one, -1), next(other, -1)
