"""What wraps mutable objects, in containers of staged length: methods, partials, views, errors.

The container holds them by value: what is changed inside of them afterwards is referred to.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
C = (case(t([1.0, 2.0, 3.0])), case(t([-1.0, 2.0, -3.0])))


class Bad(Exception):
    pass


@program(*C)
def iterators_listed(xs):
    its = []
    for x in xs:
        it = iter([x, x * 2, x * 3])
        its.append(it)
        next(it)
    return next(its[0]), next(its[0]), next(its[1])


@program(*C)
def views_listed(xs):
    views = []
    for x in xs:
        d = {"a": x}
        views.append(d.values())
        d["b"] = x * 2
    return [sum(v) for v in views]


@dataclass
class D:
    items: list = field(default_factory=list)
    best: object = None


@program(*C)
def dataclass_listed(xs):
    ds = []
    for x in xs:
        d = D()
        ds.append(d)
        d.items.append(x)
        d.best = x
    ds[0].items.append(t(9.0))
    return [len(d.items) for d in ds], ds[0].best


@program(*C)
def tuple_with_list(xs):
    pairs = []
    for x in xs:
        log = [x]
        pairs.append((x, log))
        log.append(x * 2)
    pairs[0][1].append(t(7.0))
    return [len(p[1]) for p in pairs], pairs[0][1]


@program(*C)
def set_in_list(xs):
    sets = []
    for x in xs:
        s = set()
        sets.append(s)
        s.add(int(x))
        s.add(0)
    return [len(s) for s in sets]


@program(*C)
def callable_objects(xs):
    class Scale:
        def __init__(self, k):
            self.k = k
            self.n = 0

        def __call__(self, y):
            self.n += 1
            return y * self.k * self.n

    f = Scale(1.0)
    for x in xs:
        if x > 1:
            f = Scale(x)
        f(x)
    return f(1.0), f.n


class Scale2:
    def __init__(self, k):
        self.k = k
        self.n = 0

    def __call__(self, y):
        self.n += 1
        return y * self.k * self.n


@program(*C)
def callable_objects_listed(xs):
    fs = []
    for x in xs:
        f = Scale2(x)
        fs.append(f)
        f(1.0)
    return fs[0](1.0), fs[0](1.0), [f.n for f in fs]


@program(*C)
def nested_function_of_object(xs):
    fs = []
    for x in xs:
        s = Scale2(x)
        fs.append(lambda y, s=s: s(y))
        s(1.0)
    return fs[0](1.0), fs[0](1.0)


@program(*C)
def closure_over_object(xs):
    fs = []

    def add(x):
        s = Scale2(x)
        fs.append(lambda y: s(y))
        s(1.0)

    for x in xs:
        add(x)
    return fs[0](1.0), fs[0](1.0)


@program(*C)
def closure_over_list(xs):
    fs = []

    def add(x):
        log = [x]
        fs.append(lambda: len(log))
        log.append(x)

    for x in xs:
        add(x)
    return [f() for f in fs]


@program(*C)
def closure_over_shared_object(xs):
    fs = []
    s = Scale2(2.0)

    def add(x):
        fs.append(lambda y: s(y) + x)

    for x in xs:
        add(x)
    return fs[0](1.0), fs[1](1.0), s.n


@program(*C)
def exceptions_only_kept(xs):
    errors = []
    for x in xs:
        try:
            if x > 1:
                raise Bad("big", float(x))
        except Bad as e:
            errors.append(e)
    return len(errors), [e.args for e in errors], [str(e) for e in errors]


@program(*C)
def exceptions_kept_and_raised(xs):
    errors = []
    for x in xs:
        if x > 1:
            errors.append(ValueError("big"))
    if len(errors) > 1:
        raise errors[-1]
    return xs


@program(*C)
def views_only_kept(xs):
    views = []
    for x in xs:
        d = {"a": x, "b": x * 2}
        views.append(d.items())
    return [[v for k, v in view] for view in views]


@program(*C)
def results_or_errors(xs):
    out = []
    for x in xs:
        try:
            if x < 2:
                raise KeyError("small")
            out.append(x)
        except KeyError as e:
            last = e
            out.append(t(0.0))
    return out, str(last)


@program(*C)
def append_and_raise_from(xs):
    errors = []
    for x in xs:
        try:
            if x > 1:
                raise ValueError("big")
        except ValueError as e:
            errors.append(e)
            if x > 2:
                raise KeyError("many") from e
    return len(errors)


@program(*C)
def append_and_raise_same(xs):
    errors = []
    for x in xs:
        try:
            if x > 1:
                raise ValueError("big")
        except ValueError as e:
            errors.append(e)
            if x > 2:
                raise
    return len(errors)


@program(*C)
def with_notes(xs):
    errors = []
    for x in xs:
        try:
            if x > 1:
                raise ValueError("big")
        except ValueError as e:
            e.add_note("seen")
            errors.append((x, e))
    return [(x, str(e)) for x, e in errors]


@program(*C)
def tensors_in_args(xs):
    errors = []
    for x in xs:
        try:
            if x > 1:
                raise ValueError("big", x)
        except ValueError as e:
            errors.append(e)
    return [e.args[1] * 2 for e in errors]


class Held:
    def __init__(self, v):
        self.v = v
        self.n = 0
        self.peer = None

    def m(self, a=1.0):
        return self.v * a

    def other(self, a=2.0):
        return self.v + a


class Other(Held):
    pass


@program(case(t(1.0), t(3)), case(t(-1.0), t(0)))
def a_change_in_try_before_a_branch(x, n):
    o = Held(1.0)
    p = Other(2.0)
    try:
        o.extra = 1
        if x > 0:
            pass
        o.v = 5.0
    finally:
        pass
    for i in range(n):
        o = p
        p = Other(7.0)
    if x < 0:
        p.peer = o
    return o.v, p.peer is o


@program(case(t(1.0)), case(t(-1.0)))
def name_of_a_chosen_method(x):
    a = Held(1.0)
    m = a.m if x > 0 else a.other
    return getattr(m, "__name__", None), hasattr(m, "__name__"), m.__name__


@stateful(case(t(1.0)), case(t(-1.0)), case(t(2.0)))
def state_that_is_a_method():
    class M:
        def __init__(self):
            self.state = self.idle
            self.log = []

        def idle(self, x):
            if x > 0:
                self.state = self.run

        def run(self, x):
            if x < 0:
                self.state = self.idle

    m = M()

    def f(x):
        m.state(x)
        m.log.append(m.state.__name__)
        return m.state.__name__

    return f, (m.log,)


@program(case(t(3)), case(t(0)))
def changed_in_try_with_finally(n):
    o1 = Held(1.0)
    o2 = Held(2.0)
    a = 0.0
    for i in range(n):
        o1 = o2
        try:
            o1.n += 1
            o1.v = o1.v + 1.0
            o2 = Held(a)
        except ValueError:
            pass
        finally:
            a = a + 1.0
    o1.n += 1
    return o1.n, o2.n


def times(a, b=1):
    return a * b


def comb(a, b=1):
    return a + b


Y = (case(t(1.0)), case(t(-1.0)))


@program(*Y)
def partial_of_a_chosen_partial(x):
    f = functools.partial(times, 1.0)
    if x > 0:
        f = functools.partial(times, b=2.0)
    g = functools.partial(f, b=3)
    return g.func is times, len(g.keywords), isinstance(g.func, functools.partial)


@program(*Y)
def partial_of_a_partial_or_a_function(x):
    f = times
    if x > 0:
        f = functools.partial(times, 2.0)
    g = functools.partial(f, b=3)
    return g.func is times, g.args, g(5.0) if x < 0 else g()


@program(*Y)
def partial_of_one_arity(x):
    f = functools.partial(comb, 1.0)
    if x > 0:
        f = functools.partial(comb, 2.0)
    g = functools.partial(f, b=3)
    return f.func is comb, g.func is comb, g.args, g()


class Machine:
    def __init__(self):
        self.state = self.idle
        self.n = 0

    def idle(self, x):
        if x > 0:
            self.state = self.run

    def run(self, x):
        self.n += 1
        if x < 0:
            self.state = self.idle


@program(*Y)
def state_is_asked(x):
    m = Machine()
    m.state(x)
    was = m.state == m.idle
    m.state(-x)
    return (
        was,
        m.state == m.idle,
        m.state != m.run,
        m.state in [m.run],
        [m.idle, m.run].index(m.state),
        m.n,
    )


@program(case(t([1.0, -1.0, 2.0])), case(t([-1.0, -2.0])))
def state_in_a_loop(xs):
    m, other, idle = Machine(), Machine(), 0
    for x in xs:
        m.state(x)
        if m.state == m.idle:
            idle += 1
        if m.state == other.idle:
            idle += 100
    return idle, m.n


@program(case(t([1.0, -1.0, 2.0])), case(t([-1.0, -2.0])))
def methods_of_listed_objects(xs):
    ms = []
    for x in xs:
        m = Machine()
        m.state(x)
        ms.append(m)
    return [m.state == m.run for m in ms], ms[0].run == ms[1].run


@program(case(t(1.0)), case(t(-1.0)))
def equality_of_a_chosen_method(x):
    a = Held(1.0)
    m = a.m if x > 0 else a.other
    return m == a.m, m in [a.other], m != a.m
