"""Functions made in staged loops, branches and recursion that are kept: their variables are shared.

What such a function uses may belong to the turn that made it or to a call from before, whose other
names go on to see and change it.
"""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t([1.0, 2.0, 3.0])))
def last_closure(xs):
    f = None
    for x in xs:

        def g(y, x=x):
            return x * y

        f = g
    return f(2.0)


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, -2.0])))
def best(xs):
    f = lambda y: y
    for x in xs:
        if x > 1:
            f = lambda y, x=x: y + x
    return f(t(2.0))


@program(case(t([1.0, 2.0, 3.0])))
def cell_var(xs):
    f = None
    for x in xs:
        if f is None:
            f = lambda y: y + x
    return f(t(2.0))


@program(case(t([1.0, 2.0, 3.0])))
def listed(xs):
    fs = []
    for x in xs:
        fs.append(lambda y, x=x: y * x)
    return sum(f(t(2.0)) for f in fs)


@program(case(t([1.0, 2.0, 3.0])))
def listed_late(xs):
    fs = []
    for x in xs:
        fs.append(lambda y: y * x)
    return sum(f(t(2.0)) for f in fs)


@program(case(t([1.0, 2.0, 3.0]), t(2.0)))
def newton_step(xs, k):
    step = lambda y: y - 0.1
    while k > 0.5:
        rate = k * 0.5
        step = lambda y: y - rate * y
        k = step(k)
    return step(xs)


@program(case(t([1.0, 2.0, 3.0]), t(2.0)))
def partial_kept(xs, k):
    from functools import partial

    def axpy(a, b, y):
        return a * y + b

    f = partial(axpy, 1.0, 0.0)
    for x in xs:
        f = partial(axpy, x, k)
    return f(t(2.0))


@program(case(t([1.0, 2.0, 3.0])))
def shared_cell(xs):
    total = ag.zeros(())

    def make(x):
        def g(y):
            nonlocal total
            total = total + y * x
            return total

        return g

    f = make(t(1.0))
    for x in xs:
        f = make(x)
    f(t(2.0))
    return total


@program(case(t([1.0, 2.0, 3.0])))
def shared_cell_read(xs):
    total = ag.zeros(())

    def make(x):
        def g(y):
            return y * x + total

        return g

    f = make(t(1.0))
    for x in xs:
        f = make(x)
    total = total + 100.0
    return f(t(2.0))


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def is_kept(xs):
    def make(x):
        return lambda y: y * x

    f = make(t(1.0))
    f0 = f
    same = 0
    for x in xs:
        if x > 0:
            f = make(x)
        if f is f0:
            same += 1
    return f(t(2.0)), f is f0, same


@program(case(t([1.0, 2.0, 3.0])))
def shared_in_loop(xs):
    f = None
    out = []
    for k in range(2):
        total = k * 10.0
        if f is not None:
            out.append(f(t(1.0)))

        def make(x):
            return lambda y: y * x + total

        for x in xs:
            f = make(x)
        total += 1
        out.append(f(t(1.0)))
    total = 1000.0
    return f(t(2.0)), out


@program(case(t([1.0, 2.0, 3.0]), t(1.0)), case(t([1.0, 2.0, 3.0]), t(-1.0)))
def in_branches(xs, c):
    scale = 2.0
    if c > 0:
        f = lambda y: y * scale
    else:
        f = lambda y: y + scale
    scale = 3.0
    return f(c)


@program(case(t([1.0, 2.0, 3.0]), t(1.0)), case(t([1.0, 2.0, 3.0]), t(-1.0)))
def make_in_branches(xs, c):
    scale = 2.0

    def make(k):
        return lambda y: y * scale + k

    if c > 0:
        f = make(c * 2)
    else:
        f = make(c * 3)
    scale = 3.0
    return f(c), scale


@program(case(t(5)))
def recursion_made(n):
    total = 0.0

    def walk(n):
        nonlocal total
        if n <= 0:
            return lambda y: y + total
        total = total + 1.0
        f = walk(n - 1)
        return lambda y: y * 2 + total

    f = walk(n)
    total = total + 100.0
    return f(t(1.0)), total


@program(case(t([1.0, 2.0, 3.0])))
def handlers(xs):
    handlers = {"a": lambda v: v, "b": lambda v: v * 2}
    state = "a"
    h = handlers[state]
    for x in xs:
        x2 = h(x)
        if x2 > 1:
            h = handlers["b"]
        else:
            h = handlers["a"]
        last = x2
    return last, h(t(3.0))


@program(case(t([1.0, 2.0, 3.0])))
def returns_functions(xs):
    def plus(k):
        return lambda y: y + k

    fs = {}
    for x in xs:
        fs["last"] = plus(x)
    return fs["last"](1.0)


class Layer:
    def __init__(self, w):
        self.w = w
        self.act = None

    def build(self, k):
        self.act = lambda y: y * self.w + k


@program(case(t([1.0, 2.0, 3.0])))
def on_object(xs):
    l = Layer(t(2.0))
    for x in xs:
        l.build(x)
        l.w = l.w + 1
    return l.act(t(1.0)), l.w


@program(case(t([1.0, 2.0, 3.0])), case(t([3.0, 2.0, 1.0])))
def search_key(xs):
    best = None
    key = lambda v: v
    for i, x in enumerate(xs):

        def key2(v, i=i):
            return v * i

        if best is None or key2(x) > key(best):
            best = x
            key = key2
    return best, key(t(10.0))


@program(case(t([1.0, 2.0, 3.0])), case(t([3.0, 2.0, 1.0])))
def no_variables(xs):
    f = lambda v: v
    for x in xs:
        if x > 1.5:
            f = lambda v: v * 3
    return f(t(2.0))


@program(case(t([1.0, 2.0, 3.0])), case(t([3.0, 2.0, 1.0])))
def leaves(xs):
    f = lambda v: v
    for x in xs:
        if x > 1.5:
            f = lambda v, x=x: v * 3 + x
    return f


@program(case(t([1.0, 2.0, 3.0])))
def writes_after(xs):
    hits = 0
    total = ag.zeros(())

    def make(x):
        def g(y):
            nonlocal hits, total
            hits += 1
            total = total + x
            return y * x

        return g

    f = make(t(1.0))
    for x in xs:
        f = make(x)
        f(x)
        total = total + 1
    if total > 3:
        hits += 10
        f(xs)
        total = total * 2
    else:
        hits += 20
    f(xs)
    return hits, total


@program(case(t(4)))
def walk_and_write(n):
    total = 0.0
    log = []

    def walk(n):
        nonlocal total
        if n <= 0:

            def last(y):
                nonlocal total
                total = total + 0.5
                return y

            return last
        total = total + 1.0
        f = walk(n - 1)
        f(1.0)

        def more(y):
            nonlocal total
            total = total * 2.0
            log.append(y)
            return y + total

        return more

    f = walk(n)
    r = f(t(1.0))
    total = total + 100.0
    return f(t(1.0)), total, r, log


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])), case(t([-1.0, -2.0])))
def made_by_the_loop_before(xs):
    f = None
    first = None
    same = 0
    for k in range(3):
        for x in xs:
            if f is None or x > 2 + k:
                f = lambda y: y + 1
            if f is first:
                same += 1
        first = f
    return same, f is first, f(1.0)


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def made_by_the_first_turn(xs):
    f, first, same = None, None, 0
    for k in range(4):
        if f is None or xs[k % 2] > 10:
            f = lambda y: y * 3
        if first is None:
            first = f
        elif f is first:
            same += 1
    return same, f(2.0)
