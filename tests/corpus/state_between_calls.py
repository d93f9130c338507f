"""State that changes between calls, and is changed by them."""

from __future__ import annotations

import collections
import heapq

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))
N3 = (case(t(3)), case(t(0)), case(t(6)))
V = (case(t([1.0, -2.0, 3.0])), case(t([-1.0, -2.0, -3.0])))
SCALE = 2.0
MODE = "a"
CONFIG = {"k": 1.0, "deep": {"flags": [True, False]}}
HISTORY = []
CACHE = {}


def setg(name, value):
    def go(w):
        w.globals[name] = value

    return go


@program(
    *S3,
    globals={"SCALE": 2.0},
    between=(setg("SCALE", 3.0), setg("SCALE", 4), setg("SCALE", t(5.0)), setg("SCALE", None)),
)
def global_changes(x):
    if SCALE is None:
        return x
    return x * SCALE if x > 0 else x + SCALE


@program(
    *S3,
    globals={"CONFIG": {"k": 1.0, "deep": {"flags": [True, False]}}},
    between=(
        lambda w: w.globals["CONFIG"]["deep"]["flags"].append(True),
        lambda w: w.globals["CONFIG"].__setitem__("k", 9.0),
        lambda w: w.globals["CONFIG"]["deep"].pop("flags"),
    ),
)
def nested_config(x):
    flags = CONFIG["deep"].get("flags", [])
    y = x * CONFIG["k"]
    for f in flags:
        if f:
            y = y + 1
        elif y > 0:
            y = y * 2
    return y, len(flags)


@stateful(
    *S3,
    between=(
        lambda w: w.state.__setitem__("on", False),
        lambda w: w.state.update(w=t(7.0)),
        lambda w: w.state.clear(),
    ),
)
def closure_dict():
    st = {"on": True, "w": 3.0}

    def f(x):
        if st.get("on"):
            return x * st["w"] if x > 0 else x
        if "w" in st:
            return x - st["w"]
        return len(st)

    return f, st


class Model:
    def __init__(self):
        self.training = True
        self.n = 0
        self.layers = [1.0, 2.0]
        self.best = None

    def __call__(self, x):
        self.n += 1
        for w in self.layers:
            x = x * w
        if self.training and x > 0:
            x = x / 2
        if self.best is None or x > self.best:
            self.best = x
        return x


@stateful(
    *S3,
    between=(
        lambda w: setattr(w.state, "training", False),
        lambda w: w.state.layers.append(0.5),
        lambda w: setattr(w.state, "best", None),
        lambda w: setattr(w.state, "n", 1.5),
    ),
)
def attributes_change():
    m = Model()
    return (lambda x: m(x)), m


@stateful(*S3)
def appends_counters_caches():
    st = {"calls": 0, "log": [], "cache": {}}

    def f(x):
        st["calls"] += 1
        key = "pos" if x > 0 else "neg"
        if key not in st["cache"]:
            st["cache"][key] = st["calls"]
        st["log"].append((key, x))
        return st["cache"][key], len(st["log"])

    return f, st


_l = [t(1.0)]


@program(case(t([1.0, 2.0]), t([1.0, 2.0])), case(*([t([3.0])] * 2)), case([1.0], [1.0]))
def same_object_twice(a, b):
    same = a is b
    if same:
        return "same", a * 2 if isinstance(a, ag.Tensor) else a
    a[0] = 9.0
    return a, b


@program(*S3)
def same_list_twice(x):
    def f(p, q):
        if x > 0:
            p.append(x)
        return len(q), p is q

    l = [x]
    return f(l, l), f(l, [x]), l


@program(*S3)
def objects_in_branch(x):
    class Node:
        def __init__(self, v, nxt=None):
            self.v, self.next = v, nxt

    head = Node(x)
    if x > 0:
        head = Node(1.0, head)
    if x > 1:
        head = Node(2.0, head)
        head.next.v = 5.0
    tot, k = 0.0, 0
    node = head
    while node is not None:
        tot = tot + node.v
        k += 1
        node = node.next
    return tot, k, head.v


@stateful(*N3)
def memo_dict():
    memo = {}

    def fib(n):
        if n < 2:
            return n
        if n not in memo:
            memo[n] = fib(n - 1) + fib(n - 2)
        return memo[n]

    def f(n):
        return fib(5) * n if n > 0 else fib(7)

    return f, memo


@program(*N3)
def memo_staged_key(n):
    memo = {}

    def fib(k):
        if k < 2:
            return k
        if k in memo:
            return memo[k]
        memo[k] = fib(k - 1) + fib(k - 2)
        return memo[k]

    return fib(int(n))


@program(*N3)
def heaps(n):
    h = [5, 1]
    heapq.heappush(h, int(n))
    if n > 2:
        heapq.heappush(h, 0)
    a = heapq.heappop(h)
    return a, h, heapq.nsmallest(2, h), heapq.nlargest(1, h), heapq.heappushpop(h, 2)


@stateful(
    *S3,
    between=(
        lambda w: w.state.append(3.0),
        lambda w: w.state.insert(0, t(1.0)),
        lambda w: w.state.clear(),
    ),
)
def list_of_layers():
    ls = [1.0, 2.0]

    def f(x):
        for i, l in enumerate(ls):
            if x * l > 1:
                return i, x * l
        return x

    return f, ls


@stateful(*S3)
def history_indexed():
    hist = [0.0]

    def f(x):
        if x > hist[-1]:
            hist.append(x)
        else:
            hist[0] = x
        return hist[-1] - hist[0], len(hist)

    return f, hist


@stateful(
    *S3,
    between=(
        lambda w: w.state.__setitem__(0, lambda v: v - 1),
        lambda w: w.state.__setitem__(0, abs),
    ),
)
def function_in_list():
    fs = [lambda v: v + 1]

    def f(x):
        return fs[0](x) if x > 0 else fs[-1](x * 2)

    return f, fs


@stateful(*S3)
def default_mutable():
    def f(x, acc=[]):
        acc.append(x if x > 0 else None)
        return len(acc), acc[0]

    return f, f.__defaults__


@stateful(*S3)
def function_attribute():
    def f(x):
        f.calls = getattr(f, "calls", 0) + 1
        if x > 0:
            f.last = "pos"
        return f.calls, getattr(f, "last", None)

    return f, lambda: dict(vars(f))


class Reg:
    items = {}
    total = 0

    @classmethod
    def add(cls, k, v):
        cls.items[k] = v
        cls.total += 1
        return cls.total


@program(*S3)
def class_state(x):
    Reg.items.clear()
    Reg.total = 0
    a = Reg.add("a", x)
    if x > 0:
        Reg.add("b", x * 2)
    return a, Reg.total, sorted(Reg.items), Reg.items["a"]


@stateful(*S3)
def ema_variable():
    v = ag.Variable(1.0)
    hist = []

    def f(x):
        v.assign(v * 0.9 + x)
        if v > 1:
            hist.append(v.read_value() if hasattr(v, "read_value") else v + 0)
        while v > 2:
            v.assign_sub(0.5)
        return v * 1, len(hist)

    return f, (v, hist)


@stateful(*S3)
def deque_window():
    w = collections.deque(maxlen=2)

    def f(x):
        if x > 0:
            w.append(x)
        else:
            w.appendleft(-x)
        return sum(w), len(w), max(w)

    return f, w


@stateful(*S3)
def setdefault_cache_object():
    cache = {}

    class K:
        def __init__(self, s):
            self.s = s

    def f(x):
        k = cache.setdefault("o", K(3.0))
        if x > 0:
            k.s = k.s + 1
        return k.s * x

    return f, lambda: cache["o"].s if cache else None


@stateful(*S3)
def swap_attrs_in_loop():
    m = Model()

    def f(x):
        i = 0
        while i < 3:
            m.n, m.best = i, m.n
            if x > i:
                m.layers[0] = m.layers[0] + x
            i += 1
        return m.n, m.best, m.layers[0]

    return f, m


@stateful(*S3)
def exception_leaves_state():
    st = {"n": 0}

    def f(x):
        st["n"] += 1
        try:
            st["m"] = x
            if x > 1:
                raise KeyError("k")
            st["n"] += 10
        except KeyError:
            st["e"] = st["n"]
        finally:
            st["f"] = st.get("f", 0) + 1
        return dict(st)

    return f, st


@stateful(*S3, between=(lambda w: setattr(w.state, "__class__", w.state.other),))
def class_swapped():
    class A:
        def go(self, x):
            return x + 1 if x > 0 else x

    class B:
        def go(self, x):
            return x + 2 if x > 0 else x

    a = A()
    A.other = B
    return (lambda x: a.go(x)), a


@stateful(*S3, between=(lambda w: setattr(type(w.state), "go", lambda self, x: x * 100),))
def method_patched():
    class A:
        def go(self, x):
            return x + 1 if x > 0 else x

    a = A()
    return (lambda x: a.go(x)), a


@stateful(
    *S3,
    between=(
        lambda w: setattr(w.state, "bias", 1.0),
        lambda w: delattr(w.state, "bias"),
        lambda w: setattr(type(w.state), "bias", 3.0),
    ),
)
def hasattr_guard():
    class A:
        pass

    a = A()

    def f(x):
        if hasattr(a, "bias"):
            return x + a.bias
        return x * getattr(a, "gain", 2.0) if x > 0 else x

    return f, a
