"""What the user replaces between calls: staged functions, names, special methods, `super()`."""

from __future__ import annotations

import collections
import types

import autograph as ag
from tests.corpus.registry import case, decorating, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(-1.5)), case(t(3.0)), case(t(0.5)))


@decorating(*X)
def staged_functions(decorate):
    double, square = decorate(lambda x: x * 2), decorate(lambda x: x * x)
    held = [double, square]

    class Scale:
        def __init__(self, k):
            self.k = k

        def by(self, x):
            return x * self.k

    Scale.by = decorate(Scale.by)
    scales = [Scale(2.0), Scale(5.0)]
    apply = decorate(lambda f, x: f(x))
    every = decorate(lambda fs, x: [f(x) for f in fs])
    first = decorate(lambda x: held[0](x))

    def f(x):
        held.reverse()
        scales.reverse()
        return apply(held[0], x), every(held, x), first(x), apply(scales[0].by, x)

    return f, []


def _put(world):
    world.state[0](4.0)
    globals()["MISSING"] = 4.0


def _drop(world):
    world.state[0](None)
    globals().pop("MISSING", None)


@stateful(*X, between=(_drop, _put, _drop))
def names_that_go_and_come():
    globals().pop("MISSING", None)
    k = 1.0

    def put(value):
        nonlocal k
        if value is None:
            del k
        else:
            k = value

    def f(x):
        found = []
        try:
            found.append(x * k)
        except NameError:
            found.append("no k")
        try:
            found.append(x * MISSING)
        except NameError as error:
            found.append(str(error))
        return found

    return f, [put]


class Held:
    def __call__(self, x):
        return x * 2

    def __len__(self):
        return 1

    def __getitem__(self, i):
        return i

    def __init__(self):
        self.k = 1


def _replace(world):
    def init(self):
        self.k = 7

    Held.__call__ = lambda self, x: x * 3
    Held.__len__ = lambda self: 5
    Held.__getitem__ = lambda self, i: i * 2
    Held.__init__ = init


def _restore(world):
    Held.__call__, Held.__len__, Held.__getitem__, Held.__init__ = ORIGINALS


ORIGINALS = (Held.__call__, Held.__len__, Held.__getitem__, Held.__init__)


@program(*X, between=(_replace, _restore))
def special_methods(x):
    held = Held()
    return held(x), len(held), held[3], held.k


class Base:
    def m(self, x):
        return x


class Derived(Base):
    def m(self, x):
        return super().m(x) + 1


def _other(world):
    Base.m = lambda self, x: x * 3


def _same(world):
    Base.m = ORIGINAL


ORIGINAL = Base.m


@program(*X, between=(_other, _same))
def through_super(x):
    return Derived().m(x)


@program(case(t(2.0), t(2)))
def modulus_of_floats(x, n):
    try:
        return pow(float(x), int(n), 7)
    except TypeError as error:
        return str(error)


@program(case(t(3), t(2.0)), case(t(2), t(-1.0)))
def gradients_of_a_grown_list(n, x):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        ys = [x * i for i in range(n)]
    return [tape.gradient(y, x) for y in ys], list(map(lambda y: tape.gradient(y, x), ys))


@program(case(t(3), t(2.0)), refused="StagingError")
def gradients_of_turns_before(n, x):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, found = x, []
        for _ in range(n):
            y = y * x
            found.append(tape.gradient(y, x))
    return found


def _change(world):
    cell, table, objects = world.state
    cell.append(len(cell))
    table["a"] += 1
    objects.insert(0, object())  # the one before stays, so that nothing new has its address


@stateful(*X, between=(_change, _change))
def looked_at_by_c():
    cell, table, objects = [1], {"a": 1}, [object()]
    error, pair = ValueError(cell), collections.namedtuple("Pair", "a b")(cell, 2)
    space = types.SimpleNamespace(cell=cell)

    def f(x):
        inside = cell in [[1]], table in ([1], {"a": 1}), [1] in [cell], cell in {1: [1]}.values()
        texts = "%(a)s" % table, "%s" % (cell,), "%s %s" % (cell, 1), "%(k)s" % {"k": cell}
        shown = str(pair), f"{pair}", str(error), repr(error), str(space)
        return x, inside, texts, shown, space == types.SimpleNamespace(cell=[1])

    return f, (cell, table, objects)


@stateful(*X, between=(_change, _change))
def addresses():
    cell, table, objects = [1], {"a": 1}, [object()]
    seen = {}

    def f(x):
        key = id(objects[0]), hash(objects[0]), repr(objects[0])
        seen[key] = seen.get(key, 0) + 1
        return x, list(seen.values())

    return f, (cell, table, objects)
