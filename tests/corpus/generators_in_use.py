"""Generators as people use them."""

from __future__ import annotations

import collections
import itertools

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
ROWS = (case(t([3, 1, 2, 1, 3])), case(t([1, 1, 1, 4, 1])), case(t([5, 2, 2, 7, 0])))


@program(*ROWS)
def ask_inside_for(v):
    g = (x for x in v if x > 1)
    out = []
    for x in g:
        out.append(x + 10 * next(g, 0))
    return out


@program(*ROWS)
def ask_inside_for_plain(v):
    g = (x * 2 for x in v)
    out = []
    for x in g:
        out.append(x + 10 * next(g, 0))
    return out


@program(*ROWS)
def left_by_error(v):
    g = (x for x in v if x > 0)
    try:
        for x in g:
            if x == 2:
                raise KeyError
    except KeyError:
        pass
    return list(g)


@program(*ROWS)
def left_by_known_error(v):
    g = (x for x in v if x > 1)
    try:
        for x in g:
            raise KeyError
    except KeyError:
        pass
    return list(g)


@program(*ROWS)
def failed_generator(v):
    def gen():
        for x in v:
            if x == 2:
                raise KeyError
            yield x

    g = gen()
    out = []
    try:
        for x in g:
            out.append(x)
    except KeyError:
        out.append(-1)
    out.extend(g)
    return out


@program(*ROWS)
def failed_generator_known(v):
    def gen():
        for x in v:
            if x > 1:
                yield x
        raise KeyError

    g = gen()
    out = []
    try:
        for x in g:
            out.append(x)
    except KeyError:
        out.append(-1)
    out.extend(g)
    return out


@program(*ROWS)
def partial_sum_then(v):
    g = (x for x in v if x > 1)
    if v[0] > 2:
        a = next(g, 0)
    else:
        a = 5
    return a, sum(g)


@program(*ROWS)
def pairwise_trick(v):
    it = iter(v)
    return [a * b for a, b in zip(it, it)]


@program(*ROWS)
def grouped(v):
    def chunks(it, n):
        it = iter(it)
        while True:
            part = tuple(itertools.islice(it, n))
            if not part:
                return
            yield part

    return [sum(c) for c in chunks(v, 2)]


@program(*ROWS)
def grouped_filtered(v):
    def pairs(items):
        last = None
        for x in items:
            if last is None:
                last = x
            else:
                yield last, x
                last = None

    return [a - b for a, b in pairs(x for x in v if x > 1)]


@program(*ROWS)
def window(v):
    def windows(items, n):
        w = collections.deque(maxlen=n)
        for x in items:
            w.append(x)
            if len(w) == n:
                yield tuple(w)

    return [sum(w) for w in windows(v, 3)], max(max(w) for w in windows(v, 2))


@program(*ROWS)
def in_then_rest(v):
    g = (x for x in v)
    a = 2 in g
    return a, list(g)


@program(*ROWS)
def gen_with_state_class(v):
    class Tok:
        def __init__(self, items):
            self.items = iter(items)
            self.peeked = []

        def peek(self):
            if not self.peeked:
                self.peeked.append(next(self.items, None))
            return self.peeked[-1]

        def pop(self):
            return self.peeked.pop() if self.peeked else next(self.items, None)

    tk = Tok(v)
    total = 0
    while tk.peek() is not None:
        x = tk.pop()
        if x > 2:
            y = tk.pop()
            if y is not None:
                total += x * y
        else:
            total += x
    return total


@program(*ROWS)
def merge_sorted(v):
    def merge(a, b):
        a, b = iter(a), iter(b)
        x, y = next(a, None), next(b, None)
        while x is not None or y is not None:
            if y is None or (x is not None and x <= y):
                yield x
                x = next(a, None)
            else:
                yield y
                y = next(b, None)

    return list(merge(sorted(v[:3]), sorted(v[3:])))


@program(*ROWS)
def fib_gen(v):
    def fib():
        a, b = 0, 1
        while True:
            yield a
            a, b = b, a + b

    total = 0
    for x in fib():
        if x > v[0] * 5:
            break
        if x % 2 == 0:
            total += x
    return total, list(itertools.islice(fib(), 5)), next(x for x in fib() if x > v[0])


@program(*ROWS)
def accumulate_until(v):
    def running():
        s = 0
        for x in v:
            s += x
            yield s

    return next((i for i, s in enumerate(running()) if s > 4), None)


@program(*ROWS)
def coroutine_avg(v):
    def avg():
        total, n, mean = 0.0, 0, None
        while True:
            x = yield mean
            if x > 1:
                total += x
                n += 1
            mean = total / max(n, 1)

    c = avg()
    next(c)
    return [c.send(float(x)) for x in v]


@program(*ROWS)
def flatten(v):
    def flat(items):
        for x in items:
            if isinstance(x, list):
                yield from flat(x)
            elif x > 1:
                yield x

    return list(flat([v[0], [v[1], [v[2], v[3]]], v[4]]))


@program(*ROWS)
def tree_walk(v):
    class Node:
        def __init__(self, value, left=None, right=None):
            self.value, self.left, self.right = value, left, right

        def __iter__(self):
            if self.left:
                yield from self.left
            if self.value > 1:
                yield self.value
            if self.right:
                yield from self.right

    tree = Node(v[0], Node(v[1]), Node(v[2], Node(v[3]), Node(v[4])))
    return list(tree), sum(tree), next(iter(tree), 0)


@program(*ROWS)
def rev_range_gen(v):
    def g():
        for i in reversed(range(3)):
            if v[i] > 1:
                yield v[i]

    return list(g()), sum(g()), next(g(), 0)


@program(*ROWS)
def rev_range_gen_plain(v):
    def g():
        for i in reversed(range(3)):
            yield v[i] * 2

    return list(g()), sum(g()), next(g(), 0)


@program(*ROWS)
def rev_class(v):
    class S:
        def __len__(self):
            return len(v)

        def __getitem__(self, i):
            return v[i] if v[i] > 1 else -v[i]

        def __reversed__(self):
            for i in reversed(range(len(self))):
                yield self[i]

    return list(reversed(S())), [x for x in reversed(S())]


@program(*ROWS)
def rev_tuple_gen(v):
    def g():
        for x in reversed((v[0], v[1], v[2])):
            if x > 1:
                yield x
        for c in reversed("ab"):
            yield ord(c)

    return list(g()), sum(g()), next(g(), 0)


@program(*ROWS)
def rev_kinds(v):
    r = reversed(range(4))
    a = next(r)
    out = [v[i] for i in r]
    return (
        a,
        out,
        type(reversed((1, 2))).__name__,
        type(reversed(range(2))).__name__,
        list(zip(reversed("abc"), v[:3])),
    )


@program(*ROWS)
def rev_left(v):
    r = reversed(range(4))
    for i in r:
        if v[i] > 1:
            break
    return i


@program(*ROWS)
def filter_twice(v):
    f = filter(lambda x: x > 1, v)
    a = [x for x in f]
    return a, list(f)


@program(*ROWS)
def map_twice(v):
    f = map(lambda x: x * 2, v)
    a = sum(f)
    return a, list(f)


@program(*ROWS)
def zip_twice(v):
    f = zip(v, v * 2)
    total = 0
    for a, b in f:
        total += a * b
    return total, list(f)


@program(*ROWS)
def enum_twice(v):
    f = enumerate(v)
    total = 0
    for a, b in f:
        total += a * b
        if b > 2:
            break
    return total, list(f)


@program(*ROWS)
def enum_next(v):
    f = enumerate(v)
    a = next(f)
    return a, list(f)


@program(*ROWS)
def map_next(v):
    f = map(lambda x: x * 2, v)
    a = next(f)
    return a, next(f), list(f), list(f)


@program(*ROWS)
def zip_next(v):
    f = zip(v, range(3))
    a = next(f)
    return a, next(f), list(f), next(f, None)


@program(*ROWS)
def filter_next(v):
    f = filter(lambda x: x > 1, v)
    return next(f, None), next(f, None), list(f)


@program(*ROWS)
def filter_next_loop(v):
    f = filter(lambda x: x > 1, v)
    total = 0
    while True:
        x = next(f, None)
        if x is None:
            break
        total += x
    return total


@program(*ROWS)
def next_in_for(v):
    it = map(lambda x: x + 1, v)
    out = []
    for x in it:
        if x > 2:
            out.append(next(it, 0))
    return out


def multiples(x, n):
    for k in range(n):
        yield x * k


def few(x):
    yield x
    yield x * 2
    yield x * 3
    yield x * 4
    yield x * 5


@program(case(t(1.0)), case(t(0.25)), case(t(5.0)))
def rest_of_a_generator_that_was_begun(x):
    g = few(x)
    first = next(g)
    for v in g:
        if v > 2:
            break
    return first, v, list(g)


@program(case(t(1.0)), case(t(0.25)), refused="StateError")
def next_of_a_generator_that_was_begun(x):
    g = multiples(x, 6)
    next(g)
    for v in g:
        if v > 2:
            break
    return v, next(g, None), sum(g)


@program(case(t(1.0)), case(t(-2.0)))
def many_items_of_a_generator(x):
    return sum(multiples(x, 17)), max(multiples(x, 20)), min(multiples(x, 18), default=0)
