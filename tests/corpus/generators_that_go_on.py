"""Generators that stop half-way under staged conditions, and go on later."""

from __future__ import annotations

import collections.abc
import itertools
import types

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
ROWS = (case(t([3, 1, 2, 1, 3])), case(t([1, 1, 1, 4, 1])), case(t([5, 2, 2, 7, 0])))


@program(*ROWS)
def gen_twice(v):
    def gen():
        for x in v:
            if x > 1:
                yield x

    g = gen()
    a = next(g)
    b = next(g)
    return a, b


@program(*ROWS)
def gen_while(v):
    def gen(k):
        while k > 0:
            yield k
            k = k - 1

    g = gen(v[0])
    total = next(g, 0)
    total = total * 10 + next(g, 0)
    total = total * 10 + next(g, 0)
    total = total * 10 + next(g, 0)
    return total


@program(*ROWS)
def gen_send(v):
    def average():
        total = 0.0
        count = 0
        mean = None
        while True:
            x = yield mean
            total += x
            count += 1
            mean = total / count

    g = average()
    next(g)
    out = []
    for x in v:
        out.append(g.send(float(x)))
    return out


@program(*ROWS)
def gen_send_staged(v):
    def running():
        total = 0
        while total < 6:
            x = yield total
            if x is not None:
                total += x

    g = running()
    next(g)
    out = []
    try:
        for x in v:
            out.append(g.send(x))
    except StopIteration:
        out.append(-1)
    return out


@program(*ROWS)
def next_in_loop(v):
    def positive():
        for x in v:
            if x > 1:
                yield x
        yield -1

    g = positive()
    total = 0
    x = next(g)
    while x != -1:
        total = total * 3 + x
        x = next(g)
    return total


@program(*ROWS)
def next_in_branch(v):
    def numbers():
        n = 0
        while True:
            yield n
            n += 1

    fresh = numbers()
    ids = [next(fresh) if x > 1 else -1 for x in v]
    return ids, next(fresh)


@program(*ROWS)
def break_then_rest(v):
    def gen():
        for i, x in enumerate(v):
            yield x + i

    g = gen()
    for x in g:
        if x > 3:
            break
    return list(g)


@program(*ROWS)
def coroutine_grep(v):
    seen = []

    def sink():
        while True:
            x = yield
            if x > 1:
                seen.append(x)

    s = sink()
    next(s)
    for x in v:
        s.send(x)
    s.close()
    return seen


@program(*ROWS)
def two_pointers(v):
    a = iter(sorted([x for x in v if x > 1]))
    b = (x * 2 for x in v if x < 3)
    out = []
    x = next(a, None)
    y = next(b, None)
    while x is not None and y is not None:
        if x < y:
            out.append(x)
            x = next(a, None)
        else:
            out.append(y)
            y = next(b, None)
    return out


@program(*ROWS)
def try_in_gen(v):
    def inverse():
        for x in v:
            try:
                if x > 2:
                    raise ValueError("big")
                yield 10 // x
            except ValueError:
                yield -1
            except ZeroDivisionError:
                yield 0

    g = inverse()
    return next(g), next(g), sum(g)


@program(*ROWS)
def gen_state_after(v):
    g = (x for x in v if x > 1)
    found = 2 in [int(x) for x in g]
    try:
        next(g)
        ended = False
    except StopIteration:
        ended = True
    return found, ended


@program(*ROWS)
def consume_in_while(v):
    def tokens():
        for x in v:
            if x > 1:
                yield "big"
            else:
                yield "small"
        yield "end"

    source = tokens()
    count = 0
    while next(source) != "end":
        count += 1
    return count


@program(*ROWS)
def islice_gen(v):
    def gen():
        k = v[0]
        while True:
            yield k
            k = k * 2 if k < 10 else k - 7

    g = gen()
    a = list(itertools.islice(g, 3))
    b = list(itertools.islice(g, 2))
    return a, b


@program(*ROWS)
def merge_gens(v):
    def a():
        for x in v:
            if x > 1:
                yield x

    def b():
        for x in v:
            yield x * 10

    out = []
    ga, gb = a(), b()
    for i in range(3):
        out.append(next(ga, 0))
        out.append(next(gb, 0))
    return out


@program(*ROWS)
def peekable(v):
    class Peek:
        def __init__(self, it):
            self.it = iter(it)
            self.head = next(self.it, None)

        def pop(self):
            value = self.head
            self.head = next(self.it, None)
            return value

    p = Peek(x for x in v if x > 1)
    total = 0
    while p.head is not None:
        total = total * 2 + p.pop()
    return total


@program(*ROWS)
def gen_aug(v):
    def accumulate():
        total = 0
        while True:
            total += yield total

    g = accumulate()
    next(g)
    return [g.send(int(x)) if x > 1 else 0 for x in v]


@program(*ROWS, slow=True)
def range_gen(v):
    def gen(n):
        for i in range(n):
            for j in range(i):
                yield i * 10 + j

    g = gen(v[0])
    return next(g, -1), next(g, -1), next(g, -1), list(g)


@program(*ROWS)
def kinds_of_generators(v):
    def big():
        for x in v:
            if x > 1:
                yield x

    g, plain = big(), (k for k in range(3))
    found = next(g), next(g, 0), next(plain)
    kinds = isinstance(g, types.GeneratorType), type(plain) is types.GeneratorType
    return found, kinds, isinstance(g, collections.abc.Iterator), iter(g) is g, callable(g)


@program(*ROWS)
def method_gen(v):
    class Source:
        def __init__(self, items):
            self.items = items
            self.given = 0

        def parts(self, least=1, *more, scale=2):
            for x in self.items:
                if x > least:
                    self.given += 1
                    yield x * scale

    s = Source(v)
    g = s.parts()
    h = s.parts(0, 5, scale=3)
    return next(g, 0), next(h), next(g, 0), s.given, next(h), s.given


@program(*ROWS)
def thrown(v):
    def gen():
        for x in v:
            try:
                if x > 1:
                    yield x
                else:
                    yield 0
            except ValueError as e:
                yield -len(e.args)

    g = gen()
    a = next(g)
    b = g.throw(ValueError("a", "b"))
    c = next(g)
    return a, b, c


@program(*ROWS)
def closed(v):
    def gen():
        for x in v:
            if x > 1:
                yield x

    g = gen()
    a = next(g)
    g.close()
    return a, next(g, -1), list(g)


@program(*ROWS)
def two_names(v):
    def gen():
        for x in v:
            if x > 1:
                yield x

    g = gen()
    h = g
    return next(g, 0), next(h, 0), next(g, 0)


@program(*ROWS)
def in_list(v):
    def gen(k):
        for x in v:
            if x > k:
                yield x * 10 + k

    gs = [gen(0), gen(1), gen(2)]
    out = []
    for r in range(2):
        for g in gs:
            out.append(next(g, -1))
    return out


@program(*ROWS)
def in_branch_chosen(v):
    def up():
        k = v[0]
        while k < 9:
            yield k
            k += 2

    def down():
        k = v[1]
        while k > 0:
            yield k
            k -= 1

    g = up() if v[2] > 1 else down()
    return next(g, 0), next(g, 0), next(g, 0)


@program(*ROWS)
def walrus_gen(v):
    def gen():
        n = 0
        while (n := n + 1) < v[0]:
            if (y := n * 2) > 2:
                yield y

    g = gen()
    return next(g, 0), next(g, 0), next(g, 0)


@program(*ROWS)
def nonlocal_count(v):
    made = 0

    def gen():
        nonlocal made
        for x in v:
            made += 1
            if x > 1:
                yield made

    g = gen()
    a = next(g, 0)
    b = made
    c = next(g, 0)
    return a, b, c, made


@program(*ROWS)
def for_else_gen(v):
    def gen():
        for x in v:
            if x > 4:
                break
            if x > 1:
                yield x
        else:
            yield 100
        yield 200

    g = gen()
    return next(g), next(g), next(g, -1), next(g, -2)


@program(*ROWS)
def returns_value(v):
    def gen():
        if v[0] > 2:
            yield 1
        return v[1] * 7

    g = gen()
    out = []
    while True:
        try:
            out.append(next(g))
        except StopIteration as stop:
            out.append(stop.value)
            break
    return out


@program(*ROWS)
def raises_inside(v):
    def gen():
        for x in v:
            if x > 2:
                raise KeyError("big")
            yield x

    g = gen()
    out = []
    try:
        for k in range(5):
            out.append(next(g, -1))
    except KeyError:
        out.append(-9)
    out.append(next(g, -1))
    return out


@program(*ROWS)
def unset_in_gen(v):
    def gen():
        for x in v:
            if x > 2:
                y = x
            yield y

    g = gen()
    return next(g), next(g)


@program(*ROWS, slow=True)
def mutated_while(v):
    items = [1, 2]

    def gen():
        for i in items:
            if v[0] > i:
                yield i

    g = gen()
    a = next(g, 0)
    items.append(0)
    return a, next(g, -1), next(g, -1), next(g, -1)


@program(*ROWS)
def grad_gen(v):
    x = v * 1.5
    with ag.GradientTape() as tape:
        tape.watch(x)

        def gen():
            for e in x:
                if e > 2:
                    yield e * e

        g = gen()
        y = next(g, 0.0 * x[0]) + 3 * next(g, 0.0 * x[1])
    return y, tape.gradient(y, x)


@program(*ROWS, slow=True)
def enumerate_twice(v):
    g = enumerate(x for x in v if x > 1)
    i, a = next(g, (9, 0))
    j, b = next(g, (9, 0))
    return i, a, j, b
