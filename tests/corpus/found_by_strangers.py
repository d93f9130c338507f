"""Programs that people who did not know the code have found to differ."""

from __future__ import annotations

import itertools
from collections import namedtuple

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
N = (case(t(2)), case(t(0)), case(t(3)))
V = (case(t(2.0), t(2)), case(t(2.0), t(0)))
X = (case(t([2.0, 1.0])), case(t([-2.0, 1.0])))


# sources of gradients ----------------------------------------------------------------------------
@program(*V)
def source_by_ternary(v, n):
    with ag.GradientTape() as tape:
        tape.watch(v)
        a = v * 3
        b = v * 4
        y = a * b
    s = a if n > 0 else b
    return tape.gradient(y, s)


@program(*V)
def source_before_a_branch(v, n):
    with ag.GradientTape() as tape:
        tape.watch(v)
        a = v * 3
        b = a * a
        if n > 0:
            a = v * 2
        y = b * a
    return tape.gradient(y, a)


@program(*V)
def source_by_index(v, n):
    with ag.GradientTape() as tape:
        tape.watch(v)
        xs = [v * 1, v * 2, v * 3]
        y = xs[0] * xs[1] * xs[2]
    return tape.gradient(y, xs[int(n)])


@program(*V, refused="StateError", naming=("gradient",))
def source_of_a_branch(v, n):
    with ag.GradientTape() as tape:
        tape.watch(v)
        if n > 0:
            h = v * 5
            y = h * h
        else:
            h = v * 2
            y = h * h * h
    return tape.gradient(y, h)


@program(*V, refused="StateError", naming=("gradient",))
def source_of_a_loop(v, n):
    with ag.GradientTape() as tape:
        tape.watch(v)
        a = b = v
        for _ in range(n):
            a = b * 2
            b = a * 3
        y = a * b
    return tape.gradient(y, a)


@program(*V)
def target_beside_the_source(v, n):
    with ag.GradientTape() as tape:
        tape.watch(v)
        if n > 0:
            a, b = v * 2, v * 3
        else:
            a, b = v * 4, v * 5
        y = a * b
    return tape.gradient(y, a)


@program(*V)
def list_that_holds_the_source(v, n):
    with ag.GradientTape() as tape:
        tape.watch(v)
        history = [v]
        for _ in range(n):
            history.append(history[-1] * 2.0)
        y = history[-1]
    return tape.gradient(y, v)


# Variables ---------------------------------------------------------------------------------------
@stateful(*X, between=(lambda w: setattr(w.state, "trainable", False),))
def frozen_between_calls():
    v = ag.Variable(1.0)

    def f(x):
        with ag.GradientTape() as tape:
            y = ag.sum(v * x)
        return tape.gradient(y, v), v.trainable

    return f, v


@stateful(*X)
def frozen_in_a_branch():
    v = ag.Variable(1.0, name="a")

    def f(x):
        if x[0] < 0:
            v.trainable = False
            v.name = "b"
        return v.trainable, v.name

    return f, v


@program(*X, refused="StagingError", naming=("watched",))
def watched_in_a_branch(x):
    v, w = ag.Variable(1.0), ag.Variable(2.0)
    with ag.GradientTape() as tape:
        y = ag.sum(v * x) if x[0] > 0 else ag.sum(w * x)
    found = tape.watched_variables()
    return len(found), tape.gradient(y, found)


# identities --------------------------------------------------------------------------------------
@program(*N, refused="StateError", naming=("tuple",))
def tuple_by_ternary(n):
    a = (1, 2)
    b = a if n > 0 else (3, 4)
    return b is a


@program(*N, refused="StateError", naming=("tuple",))
def tuple_as_a_mark(n):
    missing = ("missing",)
    table = {}
    if n > 0:
        table["k"] = 1
    return table.get("k", missing) is missing


Point = namedtuple("Point", "x y")


@program(*N, refused="StateError", naming=("Point",))
def named_tuple_that_is_replaced(n):
    a = Point(n, 1)
    b = a
    if n > 0:
        b = a._replace(y=2)
    return b is not a


@program(*N)
def tuples_that_are_equal(n):
    a = (1, 2)
    b = a if n > 0 else (3, 4)
    return b == a, b in [a], [a].count(b), a is a


@program(*N, refused="StateError", naming=("ValueError",))
def errors_under_three_conditions(n):
    errors = []
    if n > 0:
        errors.append(ValueError("a"))
    if n > 1:
        errors.append(ValueError("b"))
    if n > 2:
        errors.append(ValueError("c"))
    return [str(one) for one in errors]


# members -----------------------------------------------------------------------------------------
class Plain:
    def who(self):
        return 1


class Other:
    def who(self):
        return 2


@program(*N, refused="StateError", naming=("__class__",))
def class_that_is_set(n):
    a = Plain()
    if n > 0:
        a.__class__ = Other
    return a.who()


@program(*N)
def member_that_hides_a_method(n):
    a = Plain()
    if n > 0:
        a.who = lambda: 5
    return a.who(), callable(a.who)


@program(*N)
def method_of_a_class_that_is_set(n):
    class Local:
        def m(self):
            return 1

    if n > 0:
        Local.m = lambda self: 2
        Local.p = property(lambda self: 7)
    else:
        Local.p = property(lambda self: 8)
    return Local().m(), Local().p


# bytes, iterators, texts -------------------------------------------------------------------------
@program(*N, refused="StateError", naming=("bytearray",))
def bytes_in_a_branch(n):
    held = bytearray(b"abc")
    if n > 0:
        held[0] = 65
    return bytes(held)


@program(*N)
def bytes_of_ones_own(n):
    held = bytearray(b"abc")
    held[0] = 65
    return bytes(held), n


@program(case(t([1.0, 2.0, 3.0])), refused="UnconvertedCallError", naming=("tee",))
def teed_list(x):
    items = [float(v) for v in x]
    first, second = itertools.tee(items)
    next(second)
    return [p + q for p, q in zip(first, second, strict=False)]


@program(*N)
def format_map_of_a_class(n):
    class Filled(dict):
        def __missing__(self, key):
            return f"<{key}:{int(n)}>"

    return "{a} {b}".format_map(Filled(a=1))


# effects -----------------------------------------------------------------------------------------
@stateful(*X, refused="StateError", naming=("recomputed",))
def recomputed_that_counts():
    log = []

    @ag.recompute
    def g(x):
        log.append(1)
        return x * x

    def f(x):
        return g(x)

    return f, log


@stateful(*X, refused="StagingError", naming=("with tape",))
def tape_of_outside():
    tape, v = ag.GradientTape(), ag.Variable(2.0)

    def f(x):
        with tape:
            y = ag.sum(v * x)
        return y

    return f, v
