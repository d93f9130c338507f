"""Short programs with state, arguments that are changed, and targets of all kinds."""

from __future__ import annotations

import collections
import copy
import functools

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))
N3 = (case(t(3)), case(t(0)), case(t(6)))
V = (case(t([1.0, -2.0, 3.0])), case(t([-1.0, -2.0, -3.0])))


@stateful(
    *S3,
    between=(
        lambda w: w.state["layers"].append({"w": 4.0}),
        lambda w: w.state["layers"][0].update(w=t(9.0)),
        lambda w: w.state.pop("layers"),
    ),
)
def nested_state():
    st = {"layers": [{"w": 1.0}, {"w": t(2.0)}]}

    def f(x):
        for l in st.get("layers", []):
            x = x * l["w"] if x > 0 else x + l.get("b", 1.0)
        return x

    return f, st


@stateful(*S3)
def lru_cache_outside():
    @functools.lru_cache(None)
    def slow(k):
        return k * 2

    def f(x):
        return slow(3) * x if x > 0 else slow(4)

    return f, None


@stateful(*S3)
def history_window():
    h = []

    def f(x):
        h.append(x)
        if len(h) > 2:
            h.pop(0)
        tot = 0.0
        for v in h:
            tot = tot + v
        return tot, len(h)

    return f, h


@stateful(*S3)
def best_so_far_state():
    class B:
        pass

    b = B()
    b.best = None
    b.when = 0
    b.t = 0

    def f(x):
        b.t += 1
        if b.best is None or x > b.best:
            b.best, b.when = x, b.t
        return b.best, b.when

    return f, b


@stateful(*S3)
def counter_dict_state():
    c = collections.Counter()

    def f(x):
        c["calls"] += 1
        c["pos" if x > 0 else "neg"] += 1
        return c["pos"], c["neg"], c["none"], len(c)

    return f, c


@stateful(*S3)
def defaultdict_list_state():
    d = collections.defaultdict(list)

    def f(x):
        d["a"].append(x)
        if x > 0:
            d["p"].append(1)
        return len(d["a"]), "p" in d, len(d)

    return f, d


@stateful(*N3)
def memo_by_value():
    memo = {}

    def f(n):
        k = int(n)
        if k in memo:
            return memo[k], "hit"
        memo[k] = k * 2
        return memo[k], "miss"

    return f, memo


@stateful(*S3)
def two_objects_linked():
    class N:
        def __init__(self):
            self.next = None
            self.v = 1.0

    a, b = N(), N()
    a.next = b
    b.next = a

    def f(x):
        a.next.v = x
        if x > 0:
            b.next = b
        return b.v, a.next.next is a, b.next.v

    return f, (a, b)


@stateful(*S3)
def list_replaced():
    st = {"l": [1.0]}

    def f(x):
        old = st["l"]
        st["l"] = [x]
        if x > 0:
            old.append(2.0)
        return len(old), st["l"] is old

    return f, st


@stateful(*S3)
def bound_method_kept():
    class A:
        def __init__(self):
            self.n = 0

        def inc(self, x):
            if x > 0:
                self.n += 1
            return self.n

    a = A()
    g = a.inc

    def f(x):
        return g(x), a.n

    return f, a


@stateful(*S3)
def function_list_state():
    hooks = []

    def f(x):
        if not hooks:
            hooks.append(lambda v: v + 1)
        return hooks[0](x), len(hooks)

    return f, lambda: len(hooks)


@stateful(*S3)
def partial_state():
    cfg = {"k": 2.0}
    p = functools.partial(lambda c, v: c["k"] * v, cfg)

    def f(x):
        y = p(x)
        if y > 3:
            cfg["k"] = 1.0
        return y

    return f, cfg


@stateful(*S3)
def set_state():
    s = {"a"}

    def f(x):
        s.add("b")
        if x > 0:
            s.discard("a")
        else:
            s.add("a")
        return sorted(s), len(s), "a" in s

    return f, s


@stateful(*S3)
def attribute_dict_list_mix():
    class M:
        pass

    m = M()
    m.stats = {"loss": [], "n": 0}

    def f(x):
        m.stats["n"] += 1
        if m.stats["n"] % 2 == 0 and x > 0:
            m.stats["loss"].append(x)
        return len(m.stats["loss"]), m.stats["n"]

    return f, m


@stateful(*S3)
def swap_buffers():
    b = [t([1.0, 2.0]), t([3.0, 4.0])]

    def f(x):
        b[0], b[1] = b[1], b[0]
        if x > 0:
            b[0][0] = x
        return b[0] + b[1]

    return f, b


@stateful(*S3)
def tensor_state_aliased():
    w = t([1.0, 2.0])
    st = {"w": w, "v": w}

    def f(x):
        st["w"][0] = x
        if x > 0:
            st["v"] = st["w"] * 2
        return st["v"], st["w"] is w

    return f, st


@program(*V)
def argument_mutated_in_loop(v):
    for i in range(len(v)):
        if v[i] < 0:
            v[i] = -v[i]
        elif i > 0:
            v[i] = v[i - 1]
    return ag.sum(v)


@program(case([1.0, 2.0], t(1.0)), case([], t(-1.0)))
def list_argument(l, x):
    if x > 0:
        l.append(x)
    l2 = l + [3.0]
    l.extend(l2 if x > 0 else [0.0])
    return len(l), l[-1]


@program(case({"a": t(1.0)}, t(2.0)), case({"a": t(1.0)}, t(-2.0)))
def dict_argument(d, x):
    d["a"] = d["a"] * x
    if x > 0:
        d["b"] = d.pop("a")
    return sorted(d), sum(d.values())


@program(*S3)
def nested_try_loop_return(x):
    def f():
        for i in range(4):
            try:
                if i == 1 and x > 0:
                    return ("r", i)
                if x < 0:
                    continue
                if i == 3:
                    break
            finally:
                log.append(i)
        else:
            return "else"
        return "end"

    log = []
    return f(), log


@program(*S3)
def augmented_targets(x):
    class O:
        pass

    o = O()
    o.l = [x, 1]
    o.d = {"k": 2}
    o.l[0] += 1
    o.d["k"] *= x
    o.l += [3]
    a = b = o.l
    if x > 0:
        a += [4]
    else:
        a = a + [5]
    i = 0
    o.l[i], i = i, 1
    return o.l, o.d, a is b, i


@program(*S3)
def star_assign_nested_swap(x):
    (a, *b), c = [x, 1, 2], 3
    [d, [e, *f]] = x, (c, *b)
    a, d = (d, a) if x > 0 else (a + 1, d)
    for i, (p, *q) in enumerate([(x, 1), (2, 3, 4)]):
        if q[-1] > 3:
            break
    return a, b, c, d, e, f, i, p, q


@program(*S3)
def conditional_import_and_del(x):
    if x > 0:
        import math as m

        y = m.floor(float(x))
    else:
        from operator import neg as m

        y = m(x)
    z = [1, 2, 3]
    del z[0], z[-1]
    return y, z


@program(*S3)
def nonlocal_chain(x):
    a = 1

    def outer():
        nonlocal a
        b = 10

        def inner():
            nonlocal a, b
            if x > 0:
                a += 1
                b -= 1
            return b

        r = inner() + inner()
        return r, b

    return outer(), a


@program(*S3)
def lambda_default_walrus(x):
    f = lambda v=(k := x * 2), *, w=3: v + w if v > 0 else k
    return f(), f(1.0), f(-1.0, w=k), k


@program(*S3)
def copy_then_mutate(x):
    a = [[x], {"k": x}]
    b = copy.copy(a)
    c = copy.deepcopy(a)
    if x > 0:
        a[0].append(1)
        a[1]["k"] = 0
    return b, c, a[0] is b[0], a[0] is c[0]


@program(*S3)
def chained_attr_none(x):
    class N:
        def __init__(self, v, c=None):
            self.v, self.c = v, c

    n = N(1, N(2, N(x))) if x > 0 else N(1)
    depth = 0
    while n.c is not None and depth < 5:
        n = n.c
        depth += 1
    return n.v, depth


@program(*S3)
def string_ops_choice_loop(x):
    words = ["a", "bb", "ccc"]
    out = []
    for w in words:
        k = w.upper() if x > len(w) - 1.5 else w + "!"
        out.append(k)
    return " ".join(out), [len(o) for o in out], max(out, key=len), sorted(out)
