"""Short programs: stacks, properties, registries, decorators, counters, trees, aliases."""

from __future__ import annotations

import collections
import functools
from dataclasses import dataclass, field

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


class Stack:
    def __init__(s):
        s.items = []

    def push(s, v):
        s.items.append(v)
        return s

    def pop(s):
        return s.items.pop()

    @property
    def top(s):
        return s.items[-1] if s.items else None

    def __len__(s):
        return len(s.items)

    def __bool__(s):
        return len(s.items) > 0


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def stack_popped_in_a_branch(x):
    s = Stack().push(1).push(x)
    if x > 0:
        s.pop()
    return len(s), s.top, bool(s)


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def stack_grown_in_a_loop(x):
    s = Stack()
    while x > 0:
        s.push(x)
        x = x - 1
    return len(s), s.top is None


class Temp:
    def __init__(s, c):
        s._c = c

    @property
    def f(s):
        return s._c * 9 / 5 + 32 if s._c > -273 else None

    @f.setter
    def f(s, v):
        s._c = (v - 32) * 5 / 9

    def __getattr__(s, name):
        if name == "kelvin":
            return s._c + 273
        raise AttributeError(name)


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def property_and_getattr(x):
    k = Temp(x)
    k.f = k.f + 9 if x > 0 else k.f
    return k.f, k.kelvin, hasattr(k, "nope"), getattr(k, "nope", 1)


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def metaclass_registry(x):
    class Meta(type):
        registry = {}

        def __new__(m, name, bases, ns):
            c = super().__new__(m, name, bases, ns)
            m.registry[name] = c
            return c

    class A(metaclass=Meta):
        def go(s):
            return x if x > 0 else -x

    return sorted(Meta.registry), A().go()


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def decorator_with_an_argument(x):
    def deco(n):
        def w(f):
            @functools.wraps(f)
            def inner(*a, **k):
                r = x
                for _ in range(n):
                    r = f(r, *a[1:], **k)
                return r

            return inner

        return w

    @deco(3)
    def step(v, d=1):
        return v - d if v > 0 else v

    return step(x), step(x, d=2), step.__name__


@program(case(t(4)), case(t(0)))
def cached_recursion(n):
    @functools.cache
    def go(k):
        return k if k < 2 else go(k - 1) + go(k - 2)

    return go(int(n)), go(10)


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def partials_of_builtins(x):
    f = functools.partial(pow, x)
    g = functools.partial(f, 2)
    h = functools.partial(sorted, reverse=True)
    return g(), h([3, 1, 2])


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def counter_by_nonlocal(x):
    c = 0

    def tick():
        nonlocal c
        c += 1
        return c

    r = [tick() for _ in range(3)]
    y = tick() if x > 0 else 0
    z = (tick(), tick())[x > 0 and 0 or 1]
    return r, y, z, c


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def functions_in_a_dict(x):
    fs = {}
    for name in ("a", "b"):

        def f(v, name=name):
            return (name, v * len(fs)) if v > 0 else name

        fs[name] = f
    return [fs[k](x) for k in sorted(fs)]


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def tree_of_objects(x):
    class Node:
        def __init__(s, v, kids=()):
            s.v = v
            s.kids = list(kids)

        def total(s):
            return s.v + sum(k.total() for k in s.kids)

        def best(s):
            b = s.v
            for k in s.kids:
                q = k.best()
                if q > b:
                    b = q
            return b

        def map(s, f):
            return Node(f(s.v), [k.map(f) for k in s.kids])

    tr = Node(x, [Node(1.0), Node(x * 2, [Node(-x)])])
    return tr.total(), tr.best(), tr.map(lambda v: v * 2 if v > 0 else v).total()


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def generator_of_the_function(x):
    def gen():
        yield x
        yield x * 2

    return sum(gen()), [v for v in gen() if v > 2]


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def list_aliases(x):
    l = [1, 2, 3]
    m = l
    l += [x] if x > 0 else []
    l = l + [5]
    return l, m, l is m


@program(case(t(4)), case(t(0)))
def loop_while_an_int_is_true(n):
    i = int(n)
    s = 0
    while i:
        s += i
        i -= 1
    return s, -i // 2, i or "zero"


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def list_of_none(x):
    y = [None] * 3
    for i in range(3):
        if x > i:
            y[i] = x * i
    return y, [v for v in y if v is not None]


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def list_rebound_in_a_branch(x):
    a = b = [x]
    a.append(1)
    if x > 0:
        b = b + [2]
    b.append(3)
    return a, b, a is b


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def function_or_none(x):
    f = (lambda: x) if x > 0 else None
    return f() if f is not None else "no"


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def lambda_with_named_arguments(x):
    return (lambda *a, **k: (a, k))(*[x, 1], k=x if x > 0 else None)


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def ordered_dict_moved(x):
    d = collections.OrderedDict()
    d["z"] = x
    d["a"] = 1
    if x > 0:
        d.move_to_end("z")
    return list(d)


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def dataclass_with_an_operator(x):
    @dataclass
    class C:
        a: object = 1
        b: list = field(default_factory=list)
        n: object = field(init=False, default=0)

        def __add__(s, o):
            return C(s.a + o.a, s.b + o.b)

    c = C(x) + C(2, [1])
    if x > 0:
        c.n = c.n + 1
    return c.a, c.b, c.n


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def context_manager_that_logs(x):
    class Ctx:
        log = None

        def __init__(s):
            s.log = []

        def __enter__(s):
            s.log.append("in")
            return s

        def __exit__(s, *e):
            s.log.append("out")

    c = Ctx()
    with c:
        if x > 0:
            c.log.append("pos")
    return c.log


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def string_grown_by_branches(x):
    s = "a"
    for k in range(3):
        if x > k:
            s += str(k)
    return s, len(s)


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)), globals={"_G": 0})
def global_written_and_read(x):
    global _G
    _G = x

    def r():
        return _G * 2

    if x > 0:
        _G = x + 1
    return r()


_G = 0


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def tuple_that_holds_a_list(x):
    t2 = (x, [x])
    t2[1].append(2)
    a, (b, *c) = t2
    return a, b, c


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def imports_inside(x):
    import math as mm
    from operator import add

    return add(x, mm.pi) if x > 0 else mm.floor(2.5)


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def number_or_tensor(x):
    u = x if x > 0 else 3
    return isinstance(u, int), isinstance(u, ag.Tensor), type(u) is int, u + 1


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def for_else_over_zip(x):
    out = []
    for k, (a, b) in enumerate(zip([x, 1.0], [2.0, x])):
        if a > b:
            out.append((k, a))
            continue
        out.append(b)
    else:
        out.append("end")
    return out


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def comprehensions_of_choices(x):
    assert x > -100, "too small"
    r = {k: (v if x > 0 else -v) for k, v in zip("ab", (1, 2))}
    return r, {*r}, max(r.values())
