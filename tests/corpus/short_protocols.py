"""Short programs of recursion, protocols of classes, patterns, and types that differ by branch."""

from __future__ import annotations

import itertools
import math

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))
N3 = (case(t(3)), case(t(0)), case(t(6)))
V = (case(t([1.0, -2.0, 3.0])), case(t([-1.0, -2.0, -3.0])))


@program(*N3)
def recursion_inner_loop_dtype(n):
    def f(k, acc):
        s = 0
        for i in range(k):
            s = s + (0.5 if i > 1 else 1)
        return s + acc if k <= 0 else f(k - 1, s)

    return f(n, 0)


@program(*N3)
def recursion_two_loops(n):
    def f(k):
        tot = 0
        for i in range(k):
            for j in range(i):
                tot += j if j % 2 else 1
        return tot + (f(k - 1) if k > 0 else 0)

    return f(n)


@program(*S3)
def recursion_on_python_list(x):
    def flat(l):
        return sum((flat(e) if isinstance(e, list) else [e] for e in l), [])

    def nest(l):
        return 0 if not isinstance(l, list) else 1 + max((nest(e) for e in l), default=0)

    l = [x, [1.0, [x * 2]], []]
    if x > 0:
        l[1].append([x])
    return flat(l), nest(l)


@program(*S3)
def closure_state_machine(x):
    def make():
        total, count = 0.0, 0

        def push(v):
            nonlocal total, count
            if v > 0:
                total += v
                count += 1
            return total / count if count else None

        return push

    p = make()
    q = make()
    a = p(x)
    b = q(1.0)
    c = p(x - 1)
    return a, b, c


@program(*S3)
def method_resolution(x):
    class A:
        def go(self, v):
            return [("A", v)]

    class B(A):
        def go(self, v):
            return [("B", v * 2)] + super().go(v)

    class C(A):
        def go(self, v):
            return ([("C", -v)] if v > 0 else []) + super().go(v)

    class D(B, C):
        pass

    return D().go(x), [k.__name__ for k in D.__mro__][:4]


@program(*S3)
def context_returns_and_swallows(x):
    class C:
        def __init__(self, sw):
            self.sw = sw
            self.log = []

        def __enter__(self):
            self.log.append("e")
            return self

        def __exit__(self, *a):
            self.log.append(a[0].__name__ if a[0] else None)
            return self.sw

    def f(c):
        with c:
            if x > 1:
                return "ret"
            if x < 0:
                raise ValueError("v")
        return "after"

    a, b = C(True), C(False)
    r = f(a)
    try:
        s = f(b)
    except ValueError as e:
        s = str(e)
    return r, s, a.log, b.log


@program(*S3)
def match_everything(x):
    def kind(v):
        match v:
            case {"t": "c", "r": r} if r > 0:
                return ("circle", r)
            case {"t": "c"}:
                return "bad"
            case [] | ():
                return "empty"
            case [a]:
                return ("one", a)
            case [a, *_, b] if a is b:
                return "same"
            case (int() | float()) as n if n != 5:
                return ("num", n)
            case str(s) if s.startswith("x"):
                return s[1:]
            case None:
                return None
            case bool():
                return "b"
            case _:
                return "other"

    vs = [{"t": "c", "r": x}, [], [x], [x, 1, x], 3, 5, "xyz", None, True, object]
    return [kind(v) for v in vs]


@program(*S3)
def while_complex_condition(x):
    i, j, hist = 0, 5, []
    while i < j and (x > i or j > 3) and not (i == 2 and x < 0):
        hist.append((i, j))
        i, j = i + 1, j - (1 if x > 1 else 0)
    else:
        hist.append("done")
    return hist, i, j


@program(*S3)
def list_methods_mix(x):
    l = [3.0, x, 1.0]
    l.sort()
    i = l.index(x)
    l.insert(i, 9.0)
    if x > 0:
        l.reverse()
    l.remove(9.0)
    m = l[::-1] + [x] * 2
    del m[1:3]
    l[1:2] = [7.0, 8.0]
    return l, m, i, l.count(x), l.pop(), l.pop(0), sum(l), x in l, l[-1], [] == m, l < m


@program(*V)
def tensor_iter_mixed(v):
    best = i = None
    for i, e in enumerate(v):
        if e > 2:
            best = i
            break
        if e < -2:
            best = (i, e)
            continue
    tot = [a + b for a, b in itertools.pairwise(v)]
    run = list(itertools.accumulate(v, max))
    return (
        best,
        i,
        tot,
        run,
        [*map(lambda a, b: a * b, v, v[::-1])],
        dict(zip("abc", v)),
        v[v > 0].shape if False else None,
    )


@program(*S3)
def global_function_attr(x):
    def f(v):
        f.n += 1
        return v if v > 0 else f(v + 1)

    f.n = 0
    r = f(x)
    return r, f.n


@program(*S3)
def operator_overload_mix(x):
    class V2:
        def __init__(self, a, b):
            self.a, self.b = a, b

        def __add__(self, o):
            return V2(self.a + o.a, self.b + o.b) if isinstance(o, V2) else NotImplemented

        def __mul__(self, k):
            return V2(self.a * k, self.b * k)

        __rmul__ = __mul__

        def __neg__(self):
            return self * -1

        def __abs__(self):
            return abs(self.a) + abs(self.b)

        def __eq__(self, o):
            return isinstance(o, V2) and self.a == o.a and self.b == o.b

        def __getitem__(self, i):
            return (self.a, self.b)[i]

        def __iter__(self):
            yield self.a
            yield self.b

        def __matmul__(self, o):
            return self.a * o.a + self.b * o.b

        def __bool__(self):
            return bool(abs(self) > 1)

        def __lt__(self, o):
            return abs(self) < abs(o)

        def __repr__(self):
            return f"V2({self.b})"

    p, q = V2(x, 1.0), V2(1.0, x)
    try:
        p + 3
        r = "no"
    except TypeError:
        r = "te"
    a, b = p + 2 * q
    return (
        a,
        b,
        p == q,
        p @ q,
        r,
        -p == V2(-x, -1.0),
        max([p, q]).a,
        1 if p else 0,
        sorted([q, p])[0].a,
        p[0],
        [*q],
        sum([p, q], V2(0.0, 0.0)).b,
    )


@program(*S3)
def exception_groups_of_types(x):
    out = []
    for v in (x, 0, "a", None, [1][:0]):
        try:
            if v is None:
                raise LookupError
            r = 10 / v if not isinstance(v, list) else v[0]
            if r > 10:
                raise OverflowError("big")
            out.append(r)
        except ZeroDivisionError:
            out.append("z")
        except (TypeError, IndexError) as e:
            out.append(type(e).__name__)
        except LookupError:
            out.append("l")
        except ArithmeticError as e:
            out.append(e.args)
    return out


@program(*S3)
def nan_inf_compare(x):
    nan = float("nan") if x > 1 else x
    inf = float("inf") if x > 0 else -1.0
    return (
        nan == nan,
        nan != nan,
        inf > 1e308,
        max(1.0, inf),
        min(nan, 1.0) == 1.0,
        nan in [nan],
        [nan] == [nan],
        math.isnan(nan),
        inf == inf,
        sorted([2.0, inf, 1.0]),
    )


@program(*S3)
def int_float_types(x):
    a = 1 if x > 0 else 1.0
    b = True if x > 1 else 1
    return (
        type(a).__name__,
        a == 1,
        isinstance(a, int),
        a / 2,
        a // 2,
        type(b).__name__,
        b + 1,
        b is True,
        str(a),
        [0, 5][b],
        {1: "one"}[a],
        f"{a}",
        repr(b),
        a * 2,
    )


@program(*S3)
def default_args_shared(x):
    def f(v, seen=[]):
        if v > 0:
            seen.append(v)
        return len(seen)

    return f(x), f(1.0), f(x), len(f.__defaults__[0])
