"""State of classes, closures that cross calls, recursion that changes what it is given."""

from __future__ import annotations

import types

import autograph as ag
from tests.corpus.registry import case, decorating, program, stateful

t = ag.asarray
GONE = 1


class Base:
    count = 0
    table = {}

    def __init__(self, v):
        self.v = v

    @classmethod
    def bump(cls, by=1):
        cls.count = cls.count + by
        return cls.count

    def shadow(self, x):
        self.count = self.count + 10 if x > 0 else self.count
        return self.count, type(self).count, self.__class__.count


class Derived(Base):
    pass


@stateful(
    case(t(2.0)),
    case(t(-2.0)),
    between=(
        lambda w: setattr(Base, "count", 100),
        lambda w: delattr(Derived, "count") if "count" in Derived.__dict__ else None,
    ),
)
def class_counters_and_inheritance():
    Base.count = 0
    if "count" in Derived.__dict__:
        del Derived.count
    d = Derived(1)

    def run(x):
        a = Base.bump()
        b = Derived.bump(5)
        return a, b, d.shadow(x), Base.count, Derived.count

    return run, lambda: (Base.count, Derived.__dict__.get("count"), d.__dict__)


@stateful(case(t(2.0)), case(t(-2.0)))
def class_table():
    Base.table = {}

    def run(x):
        Base.table["n"] = Base.table.get("n", 0) + 1
        if x > 0:
            Base.table["x"] = x
        return len(Base.table), Derived.table is Base.table

    return run, lambda: Base.table


@program(case(t(2.0)), case(t(-2.0)), globals={"GONE": 1})
def deleted_global(x):
    global GONE
    y = GONE
    del GONE
    try:
        z = GONE
    except NameError:
        z = "gone"
    GONE = x
    return y, z, GONE


@program(case(t(2.0)), case(t(-2.0)))
def eq_of_objects_in_lists(x):
    class P:
        def __init__(s, v):
            s.v = v

        def __eq__(s, o):
            return isinstance(o, P) and s.v == o.v

        __hash__ = None

    ps = [P(1), P(2), P(3)]
    return P(2) in ps, P(9) in ps, ps.index(P(3)), ps.count(P(1)), [p.v for p in ps if p != P(1)], x


@program(case(t(2.0)), case(t(-2.0)))
def staged_eq_in_lists(x):
    class P:
        def __init__(s, v):
            s.v = v

        def __eq__(s, o):
            return s.v == o.v

        __hash__ = None

    ps = [P(1.0), P(x)]
    return P(2.0) in ps, P(-2.0) in ps


@program(case(t(2.0)), case(t(-2.0)))
def is_true_and_none(x):
    p = x > 0
    q = bool(p)
    return q is True, q is False, p is True, (None if q else 1) is None, q is q, q == True


@stateful(case(t(2.0)), case(t(-2.0)))
def nested_closures_state():
    def make():
        n = 0
        items = []

        def add(x):
            nonlocal n
            n += 1
            if x > 0:
                items.append(x)
            return n, len(items)

        def reset():
            nonlocal n
            n = 0
            items.clear()

        return add, reset, lambda: (n, items)

    add, reset, look = make()

    def run(x):
        a = add(x)
        if a[0] > 3:
            reset()
        return a, add(-x)

    return run, look


@decorating(case(t(2.0)), case(t(-2.0)))
def closures_cross_staged_calls(stage):
    @stage
    def make(x):
        y = x * 2
        return lambda v: v + y if v > 0 else y

    @stage
    def use(f, x):
        return f(x), f(-x)

    @stage
    def both(x):
        f = make(x)
        return use(f, x), f

    def run(x):
        f = make(x)
        r, g = both(x)
        return use(f, x), r, g(1.0), use(g, 3.0)

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def returned_closure_keeps_state(stage):
    @stage
    def counter(x):
        n = x
        hist = []

        def step(by=1.0):
            nonlocal n
            n = n + by
            hist.append(n)
            return n

        step.hist = hist
        return step

    def run(x):
        s = counter(x)
        u = counter(x)
        return s(), s(2.0), u(), s.hist, u.hist, s.hist is u.hist

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def returned_closure_with_gradient(stage):
    @stage
    def make(w):
        k = w * 3
        return lambda v: v * k * k

    def run(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = make(x)(2.0)
        return y, tape.gradient(y, x)

    return run, None


@decorating(case(t(3)), case(t(0)))
def closures_from_a_loop(stage):
    @stage
    def make(n):
        fs = []
        for k in range(3):
            if k < n:

                def f(v, k=k):
                    return v * k + n
            else:

                def f(v):
                    return v - n

            fs.append(f)
        return fs

    def run(n):
        return [f(10) for f in make(n)]

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def method_closure_on_an_object(stage):
    class Widget:
        pass

    @stage
    def build(x):
        w = Widget()
        w.on = []

        def click():
            w.on.append(x)
            return len(w.on)

        w.click = click
        return w

    def run(x):
        w = build(x)
        w2 = build(x)
        return w.click(), w.click(), w2.click(), w.on

    return run, None


@program(case(t(2.0)), case(t(-2.0)))
def compose_and_curry(x):
    def compose(*fs):
        def run(v):
            for f in fs:
                v = f(v)
            return v

        return run

    def curry(f, *a):
        return lambda *b: f(*a, *b)

    pick = {True: compose(abs, lambda v: v + 1), False: curry(lambda a, b: a - b, 3)}
    big = x > 1
    f = pick[True] if big else pick[False]
    return f(x), compose()(x), curry(max, x)(1.0)


@program(case(t(2.0)), case(t(-2.0)))
def conditional_definitions(x):
    if x > 0:

        def norm(v):
            return v / x

        class K:
            tag = "pos"

            def go(self, v):
                return norm(v)
    else:

        def norm(v):
            return v * x

        class K:
            tag = "neg"

            def go(self, v):
                return norm(v) - 1

    k = K()
    return norm(6.0), k.go(6.0), K.tag


@program(case(t(3)), case(t(0)))
def class_defined_in_a_loop(n):
    total = 0
    for i in range(n):

        class Acc:
            def __init__(self, s):
                self.s = s

            def add(self, v):
                return self.s + v if v > 0 else self.s

        total = Acc(total).add(i)
    return total


@program(case(t(2.0)), case(t(-2.0)))
def kwargs_mutated(x):
    def f(*args, **kw):
        kw["more"] = len(args)
        kw.setdefault("k", x)
        args = [*args, x]
        return args, kw

    given = {"k": 1}
    a = f(1, 2, **given)
    b = f()
    return a, b, given


@program(case(t(2.0), 3), case(t(-2.0), 3))
def swap_through_functions(x, k):
    def swap(a, b):
        return b, a

    p, q = swap(x, k)
    if x > 0:
        p, q = swap(p, q)
    (p, q), r = swap(q, p), p
    return p, q, r


@stateful(case(t(2.0)), case(t(-2.0)))
def setattr_on_modules_and_functions():
    m = types.SimpleNamespace(k=0)

    def helper(v):
        return v

    def run(x):
        setattr(m, "k", getattr(m, "k") + 1)
        helper.last = x
        helper.calls = getattr(helper, "calls", 0) + 1
        if x > 0:
            m.pos = True
        return m.k, helper.calls, hasattr(m, "pos")

    return run, lambda: (m, helper.__dict__)


@program(case(t(2.0)), case(t(-2.0)))
def callable_class_instances(x):
    class Add:
        def __init__(self, k):
            self.k = k

        def __call__(self, v, *, twice=False):
            return v + self.k * (2 if twice else 1)

    class Mul(Add):
        def __call__(self, v):
            return super().__call__(v) * self.k

    f = Add(x) if x > 0 else Mul(3.0)
    return (
        f(1.0),
        [g(x) for g in (Add(1), Mul(2))],
        list(map(Add(5), [1, 2])),
        Add(2)(1, twice=True),
    )


@program(case(t(4)), case(t(1)))
def mutual_recursion_of_methods(n):
    class A:
        def __init__(self):
            self.n = 0

        def even(self, k):
            self.n += 1
            return True if k == 0 else self.odd(k - 1)

        def odd(self, k):
            return False if k == 0 else self.even(k - 1)

    a = A()
    return a.even(n), a.n


@program(case(t(4)), case(t(0)))
def recursion_with_mutable_accumulator(n):
    def collect(k, out):
        if k > 0:
            out["n"] += k
            collect(k - 1, out)
        return out

    r = collect(n, {"n": 0})
    return r


@program(case(t(4)))
def recursion_with_default_list(n):
    def go(k, acc=None):
        acc = {"s": 0} if acc is None else acc
        if k <= 0:
            return acc["s"]
        acc["s"] += k
        return go(k - 1, acc)

    return go(n)


@program(case(t([3.0, 1.0, 2.0])))
def quicksort_like(v):
    def smallest(i, best):
        if i >= 3:
            return best
        return smallest(i + 1, v[i] if v[i] < best else best)

    return smallest(0, v[0])


@program(case(t(20)), case(t(3)))
def binary_search_recursive(n):
    xs = list(range(0, 60, 3))

    def find(lo, hi):
        if lo >= hi:
            return -1
        mid = (lo + hi) // 2
        if xs[mid] == n:
            return mid
        return find(mid + 1, hi) if xs[mid] < n else find(lo, mid)

    return find(0, len(xs))


@stateful(case(t(1.0)), refused="StateError", naming=("py_function", "Variable"))
def called_back_function_assigns_what_is_used():
    v = ag.Variable(0.0)

    def run(x):
        ag.py_function(lambda: v.assign(5.0), [])
        return v + x

    return run, v


@stateful(case(t(1.0)), refused="StateError", naming=("py_function", "Variable"))
def called_back_function_reads_what_is_assigned():
    v = ag.Variable(0.0)

    def run(x):
        v.assign(x)
        ag.py_function(lambda: float(v), [])
        return x

    return run, v


@stateful(case(t(1.0)), refused="StateError", naming=("py_function", "list"))
def called_back_function_reads_what_is_appended_to():
    log: list = []

    def run(x):
        log.append(x)
        ag.py_function(lambda: len(log), [])
        return x

    return run, log


@program(case(t(1.0)), refused="StateError", naming=("py_function", "'y'"))
def called_back_function_uses_a_staged_variable(x):
    y = x * 2
    ag.py_function(lambda: float(y), [])
    return x


@stateful(case(t(1.0)), refused="StateError", naming=("py_function", "'n'"))
def called_back_method_reads_what_is_counted():
    class Model:
        def __init__(self):
            self.n = 0

        def note(self, v):
            return self.n

        def run(self, x):
            self.n += 1
            ag.py_function(self.note, [x])
            return x

    model = Model()
    return model.run, None


@stateful(case(t(1.0)), case(t(-1.0)))
def called_back_functions_with_state_of_their_own():
    seen: list = []
    calls = 0

    class Model:
        def __init__(self):
            self.n = 0
            self.w = ag.Variable(2.0)

        def note(self, v):
            nonlocal calls
            calls += 1
            seen.append((float(v), float(self.w)))

        def run(self, x):
            k = "first"
            self.n += 1
            ag.py_function(lambda v: seen.append((k, float(v))), [x])
            k = "second"
            if x > 0:
                ag.py_function(self.note, [x * 2])
            return x * self.w, k

    model = Model()
    return model.run, lambda: (seen, calls, model.n)
