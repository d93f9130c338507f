"""Short programs that mix constructs: iterators, exceptions, classes, searches, machines."""

from __future__ import annotations

import collections
import contextlib
import enum
import functools
import heapq
import operator

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))
N3 = (case(t(3)), case(t(0)), case(t(6)))
V = (case(t([1.0, -2.0, 3.0])), case(t([-1.0, -2.0, -3.0])))


@program(*S3)
def generator_expression_chain(x):
    pairs = ((i, v) for i, v in enumerate([0.5, 1.5, 2.5]))
    big = (i * v for i, v in pairs if v > x)
    return list(big), list(pairs)


@program(*S3)
def any_over_enumerate(x):
    return (
        any(v > x for i, v in enumerate([0.5, 1.5])),
        all(a < b + x for a, b in zip([1.0, 2.0], [2.0, 3.0])),
        sum(v for k, v in {"a": 1.0, "b": 2.0}.items() if v > x),
        max((v for v in reversed([1.0, 3.0]) if v > x), default=-1),
    )


@program(*S3)
def set_dict_comp_over_iterators(x):
    return (
        {k: v for k, v in zip("abc", [1.0, x, 3.0]) if v > 0.5},
        {i for i, v in enumerate([x, 1.0]) if v > 0},
        [v for v in map(lambda q: q * x, [1, 2, 3]) if v > 1],
    )


@program(*S3)
def while_over_iterator_sentinel(x):
    it = iter([0.5, 1.0, 4.0, 9.0])
    seen = []
    while (v := next(it, None)) is not None and v < 3 + x:
        seen.append(v)
    return seen, v


@program(*S3)
def iter_callable_sentinel(x):
    box = [0]

    def step():
        box[0] += 1
        return box[0] if box[0] < 3 or x > 0 and box[0] < 5 else -1

    return list(iter(step, -1)), box


@program(*S3)
def heap_of_tuples(x):
    h = []
    for p, name in [(x, "x"), (1.0, "one"), (-x, "neg")]:
        heapq.heappush(h, (p, name))
    out = []
    while h:
        p, name = heapq.heappop(h)
        out.append(name)
        if p > 0.9:
            break
    return out, len(h)


@program(*S3)
def deque_rotate_window(x):
    d = collections.deque([1.0, 2.0, 3.0], maxlen=3)
    for k in range(3):
        if x > k:
            d.append(x + k)
        else:
            d.rotate(1)
    return list(d), d[0], d.maxlen


@program(*S3)
def try_in_loop_counts(x):
    table = {"a": 1.0}
    misses = 0
    tot = 0.0
    for key in ["a", "b", "a"]:
        try:
            tot = tot + table[key] * x
        except KeyError as e:
            misses += 1
            if x > 0:
                table[e.args[0]] = x
        else:
            if tot > 3:
                break
        finally:
            tot = tot + 0.5
    return tot, misses, sorted(table)


@program(*S3)
def nested_functions_default_late(x):
    fs = {}
    for name in ("a", "b"):

        def f(v, name=name, k=len(fs)):
            return (name, v * k if x > 0 else v)

        fs[name] = f
    return [fs[n](x) for n in sorted(fs, reverse=bool(x > 1))]


@program(*S3)
def class_counter_in_loop(x):
    class Acc:
        n = 0

        def __init__(self):
            type(self).n += 1
            self.v = []

        def __iadd__(self, o):
            if o > 0:
                self.v.append(o)
            return self

        def __len__(self):
            return len(self.v)

        def __bool__(self):
            return len(self.v) > 1

    a = Acc()
    b = a
    a += x
    a += 1.0
    a += x - 1
    return len(b), bool(a), a is b, Acc.n, not b


@program(*S3)
def getattr_dynamic_dispatch(x):
    class V:
        def visit_pos(self, v):
            return v * 2

        def visit_neg(self, v):
            return -v

        def generic(self, v):
            return 0.0

        def visit(self, kind, v):
            return getattr(self, "visit_" + kind, self.generic)(v)

    k = "pos" if x > 1 else "neg" if x < 0 else "zero"
    return V().visit(k, x)


@program(*S3)
def state_machine(x):
    state, log = "start", []
    while state != "end":
        log.append(state)
        match state:
            case "start":
                state = "up" if x > 0 else "down"
            case "up":
                x = x - 1.5
                if x < 0:
                    state = "end"
            case "down":
                x = x + 1
                state = "up" if x > 0 else "down"
    return x, len(log), log[-1]


@program(*V)
def bubble_sort(v):
    a = [e for e in v]
    n = 0
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                n += 1
    return a, n


@program(*V)
def tensor_inplace_sort(v):
    w = ag.copy(v)
    for i in range(len(w)):
        for j in range(len(w) - 1):
            if w[j] < w[j + 1]:
                tmp = w[j]
                hi = w[j + 1]
                w[j] = hi
                w[j + 1] = tmp
    return w, v


@program(*N3)
def sieve(n):
    comp = [False] * 8
    primes = []
    for i in range(2, 8):
        if i > n + 1:
            break
        if not comp[i]:
            primes.append(i)
            for j in range(i * i, 8, i):
                comp[j] = True
    return primes, comp


@program(*N3)
def gcd_collatz_digits(n):
    a, b = n + 12, 18
    while b:
        a, b = b, a % b
    k, steps = int(n) + 1, 0
    while k != 1:
        k, steps = (k // 2 if k % 2 == 0 else 3 * k + 1), steps + 1
    digits = []
    m = int(n) * 37 + 5
    while m:
        m, d = divmod(m, 10)
        digits.append(d)
    return a, steps, digits[::-1], sum(digits)


@program(*S3)
def binary_search(x):
    lo, hi, xs = 0, 7, [-3, -1, 0, 1, 2, 5, 8]
    while lo < hi:
        mid = (lo + hi) // 2
        if xs[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo, xs[lo] if lo < len(xs) else None


@program(*S3)
def newton_for_else(x):
    y = x + 3.0
    for k in range(20):
        nxt = y - (y * y - 2.0) / (2 * y)
        if abs(nxt - y) < 1e-4:
            break
        y = nxt
    else:
        k = -1
    return y, k > 0


@program(*N3)
def tree_dict_recursion(n):
    def build(k):
        return {"v": k, "kids": [build(k - 1), build(k - 2)] if k > 1 else []}

    def total(node):
        return node["v"] + sum(total(c) for c in node["kids"])

    tr = build(3)

    def depth(node, lim):
        return (
            0 if lim == 0 or not node["kids"] else 1 + max(depth(c, lim - 1) for c in node["kids"])
        )

    return total(tr) * n, depth(tr, 5)


@program(*S3)
def suppress(x):
    n = 0
    with contextlib.suppress(ZeroDivisionError, KeyError):
        n = 1
        1 // int(x > 1)
        n = 2
    return n


@program(*S3)
def functools_singledispatch(x):
    @functools.singledispatch
    def show(v):
        return "other"

    @show.register
    def _(v: int):
        return v + 1

    @show.register(float)
    def _(v):
        return v * 2

    y = int(x) if x > 0 else float(x)
    return show(y), show("s"), show([x])


@program(*S3)
def enum_iteration_match(x):
    class C(enum.Enum):
        A = 1
        B = 2
        D = 3

    best = None
    for c in C:
        if c.value > x:
            best = c
            break
    match best:
        case C.A:
            r = "a"
        case C.B:
            r = "b"
        case None:
            r = "none"
        case _:
            r = best.name
    return r, best in (C.A, C.B), list(C)[0] is C.A


@program(*S3)
def property_setter_validate(x):
    class T:
        def __init__(self):
            self._v = 0.0

        @property
        def v(self):
            return self._v

        @v.setter
        def v(self, n):
            if n < 0:
                raise ValueError("neg")
            self._v = n

    o = T()
    try:
        o.v = x
        msg = "ok"
    except ValueError as e:
        msg = str(e)
    return o.v, msg


@program(*S3)
def exceptions_chained(x):
    class MyErr(Exception):
        def __init__(self, code):
            super().__init__(f"code {code}")
            self.code = code

    def risky(v):
        if v > 1:
            raise MyErr(7)
        if v < 0:
            raise KeyError("neg")
        return v

    try:
        return risky(x)
    except MyErr as e:
        return e.code, str(e), e.args
    except (KeyError, IndexError) as e:
        return type(e).__name__, e.args[0]


@program(*S3)
def raise_from_and_reraise(x):
    log = []

    def f():
        try:
            if x > 1:
                raise KeyError("k")
            log.append("ok")
        except KeyError as e:
            log.append("h")
            raise RuntimeError("wrapped") from e
        finally:
            log.append("f")

    try:
        f()
    except RuntimeError as e:
        log.append(type(e.__cause__).__name__)
    return log


@program(*S3)
def global_like_counter_in_class(x):
    class R:
        cache = {}

        @classmethod
        def get(cls, k):
            if k not in cls.cache:
                cls.cache[k] = len(cls.cache)
            return cls.cache[k]

    a = R.get("x")
    b = R.get("pos" if x > 0 else "neg")
    c = R.get("pos")
    return a, b, c, sorted(R.cache)


@program(*S3, slow=True)
def sort_stability_multi_key(x):
    rows = [("b", 2, x), ("a", 1, 1.0), ("c", 1, -x)]
    s = sorted(rows, key=lambda r: (r[1], -r[2]))
    rows.sort(key=operator.itemgetter(2), reverse=True)
    return [r[0] for r in s], [r[0] for r in rows], min(rows, key=lambda r: r[2])[0]
