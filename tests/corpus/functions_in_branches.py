"""Functions, methods, classes and recursion with staged conditions inside."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import linecache
import operator

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))
N3 = (case(t(3)), case(t(0)), case(t(6)))
V = (case(t([1.0, -2.0, 3.0])), case(t([-1.0, -2.0, -3.0])))
COUNT = 0
LOG = []


@program(*N3)
def self_recursion(n):
    def fact(k, acc=1):
        if k <= 1:
            return acc
        return fact(k - 1, acc * k)

    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fact(n), fib(n)


@program(*N3)
def mutual(n):
    def even(k):
        if k == 0:
            return True
        return odd(k - 1)

    def odd(k):
        if k == 0:
            return False
        return even(k - 1)

    return even(n), odd(n), "even" if even(n) else "odd"


def tree_sum(node, scale):
    if node is None:
        return 0.0
    left, v, right = node
    if v * scale > 1:
        return v * scale
    return tree_sum(left, scale * 0.9) + v + tree_sum(right, scale)


@program(*S3)
def tree(x):
    tree = ((None, 1.0, None), x, ((None, x * 2, None), 0.5, None))
    return tree_sum(tree, x)


@program(*S3)
def recursion_float_grad(x):
    def newton(y, k):
        if k == 0:
            return y
        nxt = 0.5 * (y + 2.0 / y)
        return newton(nxt, k - 1) if abs(nxt - y) > 1e-3 else nxt

    return newton(abs(x) + 1, 10)


@program(*N3, globals={"COUNT": 0})
def global_counter(n):
    global COUNT

    def tick():
        global COUNT
        COUNT += 1

    for i in range(n):
        if i % 2 == 0:
            tick()
    return COUNT


@program(*S3, globals={"LOG": []})
def global_list_by_callee(x):
    def note(v):
        if v > 0:
            LOG.append(v)

    note(x)
    note(x - 1)
    return len(LOG)


class Counter:
    made = 0

    def __init__(self, start):
        self.n = start
        self.__secret = start * 2
        Counter.made += 1

    def step(self, x):
        if x > 0:
            self.n = self.n + x
        else:
            self.__secret = self.__secret - x
        return self

    @property
    def secret(self):
        return self.__secret if self.n > 0 else -self.__secret

    @secret.setter
    def secret(self, v):
        if v > 0:
            self.__secret = v

    @staticmethod
    def double(v):
        return v * 2 if v > 0 else v

    @classmethod
    def make(cls, v):
        return cls(v) if v > 0 else cls(-v)

    def __getitem__(self, k):
        return self.n if k > 0 else self.__secret

    def __call__(self, *a):
        return sum(a) if self.n > 1 else None

    def __add__(self, o):
        return Counter(self.n + (o.n if isinstance(o, Counter) else o))

    def __radd__(self, o):
        return self + o

    def __eq__(self, o):
        return self.n == o.n if self.n > 0 else False

    def __lt__(self, o):
        return self.n < o.n

    def __bool__(self):
        return bool(self.n > 1)

    def __len__(self):
        return 3

    def __contains__(self, v):
        return v == self.n if self.n > 0 else False

    def __repr__(self):
        return "C"

    __hash__ = None


class Sub(Counter):
    def __init__(self, v):
        super().__init__(v)
        self.extra = v if v > 1 else None

    def step(self, x):
        if x > 1:
            return super().step(x * 2)
        return super(Sub, self).step(x)


@program(*S3)
def methods_change_self(x):
    c = Counter(x)
    c.step(x).step(-x)
    c.secret = x
    return c.n, c.secret, Counter.double(x), c[x], c(1, x), type(Counter.make(x)).__name__


@program(*S3)
def super_mangled(x):
    s = Sub(x)
    s.step(x)
    s.step(0.5)
    return s.n, s.extra, s._Counter__secret, isinstance(s, Counter), s.secret


@program(*S3)
def operators(x):
    a = Counter(x) + Counter(1.0)
    b = 2 + a
    r = "lt" if a < b else "ge"
    q = x if a else -x
    return (
        a.n,
        b.n,
        r,
        q,
        a == b,
        a != b,
        (x + 1.0) in a,
        sum([a, b], start=0).n,
        max(a, b).n,
        bool(a),
        not b,
    )


class Ctx:
    def __init__(self, log, x):
        self.log, self.x = log, x

    def __enter__(self):
        if self.x > 0:
            self.log.append("in")
        return self

    def __exit__(self, kind, e, tb):
        self.log.append("out" if e is None else kind.__name__)
        return bool(self.x > 1)


@program(*S3)
def enter_exit(x):
    log = []
    with Ctx(log, x) as c:
        if x > 1:
            raise ValueError("a")
        log.append(c.x)
        if x < 0:
            return log, "early"
    return log


@contextlib.contextmanager
def guard(x, log):
    log.append("open")
    try:
        yield x * 2 if x > 0 else None
    except ZeroDivisionError:
        if x > 1:
            log.append("handled")
        else:
            raise
    finally:
        log.append("close")


@program(*S3)
def contextmanager(x):
    log = []
    with guard(x, log) as g:
        if g is None:
            log.append("none")
        elif x > 1:
            1 // 0
        else:
            log.append(g)
    return log, x


@program(*S3)
def two_lambdas_line(x):
    f, g = (lambda v: v + 1 if v > 0 else v), (lambda v: v * 2 if v > 0 else -v)
    return f(x), g(x), (f if x > 1 else g)(x), [h(x) for h in (f, g)]


src = "def made(x):\n    if x > 0:\n        return x * 3\n    return -x\n"
linecache.cache["<made>"] = (len(src), None, src.splitlines(True), "<made>")
_ns: dict = {}
exec(compile(src, "<made>", "exec"), _ns)
made = _ns["made"]


@program(*S3)
def exec_made(x):
    return made(x) + made(x - 1)


@program(*S3)
def lru_wraps_partial(x):
    @functools.lru_cache(maxsize=None)
    def sq(k):
        return k * x if x > 0 else k

    def deco(f):
        @functools.wraps(f)
        def inner(*a, **k):
            r = f(*a, **k)
            return r if r > 0 else -r

        return inner

    @deco
    def h(v, w=1):
        "doc"
        return v * w

    p = functools.partial(h, w=x)
    return (
        sq(2) + sq(2),
        h(x),
        p(x),
        h.__name__,
        h.__doc__,
        p.keywords["w"],
        functools.reduce(lambda a, b: a if a > b else b, [x, 1.0, -x]),
    )


@program(*V)
def sorted_key(v):
    calls = []

    def key(e):
        calls.append(1)
        return -e if e > 0 else e * 10

    s = sorted(v, key=key)
    q = sorted([3, 1, 2], key=lambda k: v[k - 1], reverse=True)
    return s, q, len(calls), min(v, key=abs), max([0, 1, 2], key=lambda k: v[k])


@program(*V)
def min_key_count(v):
    n = [0]

    def key(e):
        n[0] += 1
        return abs(e)

    a = min(v, key=key)
    b = max(list(v), key=key)
    c = min([x for x in v if x > 0], key=key, default=None)
    d = max(v[0], v[1], key=key)
    return a, b, c, d, n


@program(*S3)
def nonlocal_in_loop(x):
    total, calls = 0.0, 0

    def add(v):
        nonlocal total, calls
        calls += 1
        if v > 1:
            return
        total = total + v

    for k in range(5):
        add(x * k)
        if total > 1:
            break
    while total < 0:
        add(0.75)
    return total, calls


@program(*S3)
def kwargs_defaults(x):
    def f(a, b=x, *args, c, d=2, **kw):
        if a > b:
            return c
        return sum(args) + d + sum(kw.values())

    return f(x, c=1), f(x - 1, x, 1, x, c=5, z=x), f(*[x, 0.5], **{"c": 3, "q": 1})


@program(*N3)
def recursion_inner_loop(n):
    def f(k):
        s = 0.0
        for i in range(k):
            s = s + i * 0.5
        if k <= 0:
            return s
        return s + f(k - 1)

    return f(n)


@program(*N3)
def recursion_dtype(n):
    def f(k, acc):
        for i in range(2):
            acc = acc + 0.5
        if k <= 0:
            return acc
        return f(k - 1, acc)

    return f(n, 0)


@program(*N3)
def ackermann(n):
    def a(m, k):
        if m == 0:
            return k + 1
        if k == 0:
            return a(m - 1, 1)
        return a(m - 1, a(m, k - 1))

    return a(1, n), a(n * 0 + 2, 2)


@program(*N3)
def hanoi_count(n):
    moves = 0

    def hanoi(k, a, b, c):
        nonlocal moves
        if k == 0:
            return
        hanoi(k - 1, a, c, b)
        moves += 1
        hanoi(k - 1, c, b, a)

    hanoi(n, "A", "B", "C")
    return moves


class Meta(type):
    def __init__(cls, name, bases, ns):
        super().__init__(name, bases, ns)
        LOG.append(name)


class Base:
    registry = []

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Base.registry.append(cls.__name__)


@program(*S3)
def init_subclass_in_branch(x):
    reg = []

    class B:
        def __init_subclass__(cls):
            reg.append(cls.__name__)

    if x > 0:

        class C(B):
            pass
    else:

        class D(B):
            pass

        class E(D):
            pass

    return reg


@program(*S3)
def operator_module(x):
    f = operator.add if x > 0 else operator.mul
    g = operator.itemgetter(1 if x > 1 else 0)
    h = operator.attrgetter("ndim")
    return f(x, 3), g([x, 5.0]), h(x), operator.methodcaller("upper")("a" if x > 0 else "b")


@program(*S3)
def property_chain(x):
    @dataclasses.dataclass(order=True)
    class P:
        a: object
        b: object = 0.0

        def __post_init__(self):
            if self.a > 0:
                self.b = self.a * 2

        @property
        def tot(self):
            return self.a + self.b

    p = P(x)
    q = dataclasses.replace(p, a=x + 1)
    return p.tot, q.tot, p < q, max(p, q).a, p == P(x), dataclasses.astuple(q)


@program(*S3)
def descriptor_slots(x):
    class D:
        def __set_name__(self, o, n):
            self.n = "_" + n

        def __get__(self, o, t=None):
            return getattr(o, self.n) if x > 0 else 0.0

        def __set__(self, o, v):
            setattr(o, self.n, v if v > 0 else -v)

    class A:
        __slots__ = ("_v", "w")
        v = D()

    a = A()
    a.v = x
    a.w = x * 2
    return a.v, a.w, a._v
