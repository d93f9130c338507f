"""Functions made in staged loops, branches and recursion that are kept: their variables are shared.

What such a function uses may belong to the turn that made it or to a call from before, whose other
names go on to see and change it.
"""

from __future__ import annotations

import functools

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


class Acc:
    def __init__(self):
        self.n = 0
        self.total = ag.zeros(())

    def add(self, x):
        self.n += 1
        self.total = self.total + x
        return self.total


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def bound_methods_kept(xs):
    a, b = Acc(), Acc()
    f = a.add
    for x in xs:
        f(x)
        if x > 1.5:
            f = b.add
        else:
            f = a.add
    f(t(10.0))
    return a.n, a.total, b.n, b.total


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def bound_of_new(xs):
    f = None
    kept = None
    for x in xs:
        a = Acc()
        a.add(x)
        if x > 0:
            f = a.add
            kept = a
    f(t(10.0))
    return kept.n, kept.total


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def closure_and_list(xs):
    log = []

    def make(k):
        def g(y):
            log.append(y * k)
            return len(log)

        return g

    f = make(1.0)
    n = 0
    for x in xs:
        n = f(x)
        f = make(x)
    log.append(t(0.0))
    n2 = f(t(5.0))
    return n, n2, log


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def counter_closure(xs):
    def counter():
        n = 0

        def step(k=1):
            nonlocal n
            n += k
            return n

        return step

    c = counter()
    d = c
    for x in xs:
        if x > 0:
            d = counter()
        d()
        c(2)
    return c(0), d(0)


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def attribute_of_function(xs):
    def f(y):
        f.calls += 1
        return y * f.calls

    f.calls = 0
    r = t(0.0)
    for x in xs:
        if x > 0:
            r = r + f(x)
    return r, f.calls


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def mutable_default(xs):
    def push(y, log=[]):
        log.append(y)
        return len(log)

    n = 0
    for x in xs:
        if x > 0:
            n = push(x)
    return n, push(t(0.0))


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def mutable_default_kept(xs):
    f = None
    for x in xs:

        def push(y, log=[]):
            log.append(y)
            return len(log)

        push(x)
        if x > 0:
            f = push
    return f(t(0.0)), f(t(1.0))


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def generator_kept(xs):
    def count(start):
        while True:
            yield start
            start = start + 1

    g = count(t(0.0))
    next(g)
    r = t(0.0)
    for x in xs:
        if x > 0:
            r = r + next(g)
    return r, next(g)


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def partial_over_closure(xs):
    total = ag.zeros(())

    def add(k, y):
        nonlocal total
        total = total + k * y
        return total

    f = functools.partial(add, 1.0)
    for x in xs:
        if x > 1:
            f = functools.partial(add, x)
        f(x)
    total = total + 100
    f(t(1.0))
    return total


@program(case(t([1.0, 2.0, 3.0]), t(2)), case(t([-1.0, 2.0, -3.0]), t(0)))
def recursion_and_closure(xs, n):
    trail = []
    best = None

    def visit(k, acc):
        nonlocal best
        trail.append(acc)
        if k == 0:
            if best is None or acc > best:
                best = acc
            return
        for x in xs:
            visit(k - 1, acc + x)

    visit(n, t(0.0))
    return best, len(trail)


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def late_binding(xs):
    fs = []
    k = 0
    for x in xs:
        k += 1
        fs.append(lambda: k * 10)
    k = 7
    return [f() for f in fs], k


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))
def late_binding_called(xs):
    k = t(0.0)

    def now():
        return k * 10

    r = []
    for x in xs:
        k = x
        r.append(now())
        if x > 0:
            k = k + 1
            r.append(now())
    k = t(7.0)
    return r, now()


@program(case(t(3.0)), case(t(-3.0)))
def branch_closures_share(x):
    n = 0
    if x > 0:

        def f():
            nonlocal n
            n += 1
            return n
    else:

        def f():
            nonlocal n
            n -= 1
            return n

    f()
    n *= 10
    f()
    return n, f()


@program(case(t(3.0)), case(t(-3.0)))
def maker_in_branch(x):
    n = 5

    def make(k):
        m = k

        def f():
            nonlocal n, m
            n += 1
            m = m + n
            return m

        return f

    f = make(t(0.0))
    if x > 0:
        f = make(x)
        f()
    n = n * 2
    a = f()
    return a, n


@program(case(t(3.0)), case(t(-3.0)))
def closure_state_in_while(x):
    state = {"n": 0}
    v = x

    def step():
        nonlocal v
        state["n"] += 1
        v = v - 1
        return v > 0

    while step():
        v = v * 0.9
    return v, state


C = (case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))


@program(*C)
def stored_on_object(xs):
    class Box:
        pass

    box = Box()
    box.f = None

    def visit(x):
        v = x * 2
        if x > 1:
            box.f = lambda y: y * v
        v = v + 1

    for x in xs:
        visit(x)
    return box.f(t(1.0))


@program(*C)
def dict_of_handlers(xs):
    table = {}

    def on(name, x):
        count = 0

        def handler(y):
            nonlocal count
            count += 1
            return y * x + count

        table[name] = handler

    on("a", xs[0])
    for x in xs:
        if x > 1:
            on("a", x)
        table["a"](x)
    return table["a"](t(1.0))


@program(*C)
def kept_one_param_changed(xs):
    f = None

    def visit(x):
        nonlocal f
        f = lambda y: y * x
        x = x + 100
        return f(1.0)

    r = [visit(q) for q in xs]
    for q in xs:
        visit(q)
    return f(t(1.0)), r


@program(*C)
def default_list(xs):
    fs = []
    for x in xs:

        def push(y, log=[]):
            log.append(y)
            return len(log)

        push(x)
        fs.append(push)
    return [f(t(1.0)) for f in fs], fs[0](t(1.0)), fs[0](t(2.0))


@program(*C)
def outer_total(xs):
    total = 0

    def make(x):
        return lambda y: y * x + total

    fs = []
    for x in xs:
        fs.append(make(x))
    total = 100
    return fs[0](1.0)


@program(*C)
def outer_total_written(xs):
    total = t(0.0)

    def make(x):
        def add(y):
            nonlocal total
            total = total + y * x
            return total

        return add

    fs = []
    for x in xs:
        fs.append(make(x))
    for f in fs:
        f(2.0)
        total = total + 1
    return total


@program(*C)
def appended_after_loop(xs):
    fs = []
    for x in xs:
        fs.append(lambda y, x=x: y * x)
    last = 3.0
    fs.append(lambda y: y + last)
    last = 4.0
    return [f(1.0) for f in fs]


@program(*C)
def python_list_by_staged_index(xs):
    ks = [t(1.0), t(2.0)]
    fs = [lambda y, k=k: y * k for k in ks]
    n = 0

    def bump(y):
        nonlocal n
        n += 1
        return y + n

    fs.append(bump)
    r = t(0.0)
    for x in xs:
        r = r + fs[int(abs(x)) - 1](x)
    n *= 10
    return r, n, bump(0.0)


@program(*C)
def observers(xs):
    seen = []

    class Bus:
        def __init__(self):
            self.subs = []

        def on(self, f):
            self.subs.append(f)

        def emit(self, v):
            for s in self.subs:
                s(v)

    bus = Bus()
    total = t(0.0)

    def add(v):
        nonlocal total
        total = total + v

    bus.on(add)
    bus.on(seen.append)
    for x in xs:
        bus.emit(x)
        if x > 1:
            bus.emit(x * 10)
    return total, seen


@program(*C)
def observers_added_in_loop(xs):
    total = t(0.0)
    subs = []
    for x in xs:

        def add(v, x=x):
            nonlocal total
            total = total + v * x

        subs.append(add)
        for s in subs:
            s(x)
    total = total * 2
    subs[0](t(1.0))
    return total


@program(*C)
def comprehension_late(xs):
    fs = [lambda y: y * x for x in xs]
    return [f(1.0) for f in fs]


@program(*C)
def comprehension_default(xs):
    fs = [lambda y, x=x: y * x for x in xs]
    return [f(1.0) for f in fs]


@program(*C)
def comprehension_filter_late(xs):
    fs = [lambda y: y * x for x in xs if x > 0]
    return [f(1.0) for f in fs]


@program(*C)
def dict_comprehension(xs):
    fs = {i: (lambda y: y * x) for i, x in enumerate(xs)}
    return fs[0](1.0), fs[2](1.0)


@program(*C)
def staged_keys(xs):
    table = {}
    for x in xs:
        k = int(x)
        v = x * 2
        table[k] = lambda y: y * v
        v = v + 1
    return table[int(xs[0])](1.0)


class Acc2:
    def __init__(self):
        self.n = t(0.0)

    def add(self, x):
        self.n = self.n + x
        return self.n


@program(*C)
def bound_methods_listed_outside(xs):
    fs = []
    for x in xs:
        a = Acc2()
        fs.append(a.add)
        a.add(x)
    return fs[0](1.0), fs[0](1.0)


@program(*C)
def sorted_by_closure(xs):
    w = xs[0]
    items = [x for x in xs]
    key = lambda v: v * w
    w = w * -1
    return sorted(items, key=key)


@program(*C)
def recursion_returns(xs):
    def walk(k):
        if k <= 0:
            return lambda y: y
        v = xs[0] * k
        g = lambda y: y + v
        v = v * 100
        walk(k - 1)
        return g

    return walk(ag.astype(xs[1], ag.int64))(1.0)


@program(*C)
def bound_methods_called_only(xs):
    fs = []
    for x in xs:
        a = Acc2()
        a.add(x)
        fs.append(a.add)
    return fs[0](1.0), fs[0](1.0), fs[1](2.0)


@program(*C)
def bound_methods_read_only(xs):
    class K:
        def __init__(self, x):
            self.x = x

        def get(self, y):
            return self.x * y

    fs = []
    for x in xs:
        fs.append(K(x).get)
    return [f(2.0) for f in fs]


@program(*C)
def partial_of_list(xs):
    def push(log, y):
        log.append(y)
        return len(log)

    fs = []
    for x in xs:
        log = []
        fs.append(functools.partial(push, log))
        log.append(x)
    return fs[0](1.0), fs[0](1.0)


@program(case(t(3)), case(t(0)))
def last_generator_function(n):
    f = None
    for i in range(n):

        def made(k):
            yield i
            yield k * i

        f = made
    if f is None:
        return 0
    return sum(f(2))


@program(case(t(3)), case(t(1)))
def generator_functions_in_a_list(n):
    fs = []
    for i in range(n):

        def made(k):
            yield i
            yield k * i

        fs.append(made)
    return [list(f(2)) for f in fs]


@program(case(t(3)), case(t(1)))
def generator_functions_with_loops(n):
    fs = []
    for i in range(n):

        def made(k):
            for j in range(k + i):
                if j > 1:
                    yield j
            yield i

        fs.append(made)
    return [sum(f(2)) for f in fs], [list(f(1)) for f in fs]


@program(case(t(3)), case(t(1)))
def generator_functions_of_calls(n):
    fs = []
    for i in range(n):

        def outer(i=i):
            def made(k):
                for j in range(k + i):
                    yield j * i

            return made

        fs.append(outer())
    return [sum(f(2)) for f in fs], fs[-1]


@program(case(t(3)), case(t(1)), case(t(-1)))
def one_of_two_generator_functions(n):
    if n > 0:

        def made(k):
            while k > 0:
                yield k * n
                k = k - 1
    else:

        def made(k):
            yield n

    return sum(made(3)), [x + 1 for x in made(n)]


@program(case(t(3)), case(t(1)), case(t(-1)))
def generator_function_as_a_default(n):
    def countdown(k):
        if k > 0:
            yield k
            yield from countdown(k - 1)

    f = countdown
    for i in range(n):

        def shifted(k, g=countdown, i=i):
            for v in g(k):
                yield v + i

        f = shifted
    return sum(f(2))


@program(case(t(3)), case(t(1)))
def function_and_one_over_it(n):
    pairs = []
    for i in range(n):

        def get(i=i):
            return i

        def twice(get=get):
            return 2 * get()

        pairs.append((get, twice))
    return [a() + b() for a, b in pairs]


@program(case(t(3)), case(t(1)))
def two_over_one_variable_in_a_list(n):
    def both(v):
        def get():
            return v

        def twice():
            return 2 * v

        return get, twice

    pairs = []
    for i in range(n):
        pairs.append(both(i))
    return [a() + b() for a, b in pairs]


@program(case(t(3)), case(t(1)))
def two_over_one_variable(n):
    def both(v):
        def get():
            return v

        def twice():
            return 2 * v

        return get, twice

    a, b = both(0)
    for i in range(n):
        a, b = both(i)
    return a() + b()


def both(v):
    def get():
        return v

    def put(w):
        nonlocal v
        v = w

    return get, put


@program(case(t(3)), case(t(1)))
def two_that_share_from_a_branch(n):
    get, put = both(0)
    if n > 1:
        get, put = both(n)
    put(get() + 1)
    return get()
