"""Objects that keep more than attributes: another one is another trace, never a stale answer."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import functools
import operator
import re
import types
from array import array
from collections import UserDict, UserString, defaultdict, deque

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


class Pair(tuple):
    __slots__ = ()

    def first(self):
        return self[0]


class Token(str):
    def __new__(cls, text, place=0):
        made = super().__new__(cls, text)
        made.place = place
        return made


class Metres(float):
    def __repr__(self):
        return "a length"


class Equal:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


def scaled(k, x):
    return x * k


def apply(p, x):
    return p(x)


@program(
    case(functools.partial(scaled, 0.1), t(2.0)),
    case(functools.partial(scaled, 0.5), t(2.0)),
    case(functools.partial(scaled, t(3.0)), t(2.0)),
    case(functools.partial(scaled, k=2), t(2.0)),
)
def partials(p, x):
    try:
        return p(x)
    except TypeError as error:
        return str(error)


@stateful(case(t(1.0)), case(t(2.0)))
def partial_in_a_model():
    class Model:
        def __init__(self, act):
            self.act = act

        def call(self, x):
            return self.act(x)

    models = [Model(functools.partial(scaled, 0.1)), Model(functools.partial(scaled, 0.5))]

    def f(x):
        models.reverse()
        return models[0].call(x)

    return f, [len(models)]


@stateful(case(t(1.0)), case(t(2.0)), case(t(3.0)))
def bound_methods():
    class Scale:
        def __init__(self, k):
            self.k = k

        def by(self, x):
            return x * self.k

    held = {"now": Scale(2.0).by, "next": Scale(5.0).by}

    def f(x):
        held["now"], held["next"] = held["next"], held["now"]
        return held["now"](x)

    return f, []


ROWS = [(1, 5.0), (3, 2.0), (2, 9.0)]


@program(case(operator.itemgetter(0), t(1.0)), case(operator.itemgetter(1), t(1.0)))
def getters(key, x):
    return sorted(ROWS, key=key), key(ROWS[0]) * x


@program(case(re.compile("a+")), case(re.compile("b+")))
def patterns(p):
    return [bool(p.match(one)) for one in ("aa", "b", "c")]


@program(
    case(datetime.date(2020, 1, 1), t(1)),
    case(datetime.date(2021, 5, 1), t(1)),
    case(datetime.timedelta(1, 5), t(2)),
    case(datetime.timedelta(2), t(2)),
)
def dates(d, n):
    return (d.days if isinstance(d, datetime.timedelta) else d.year) * n


@program(
    case(decimal.Decimal("1.0"), t(2.0)),
    case(decimal.Decimal("1.00"), t(2.0)),
    case(fractions.Fraction(1, 3), t(2.0)),
    case(fractions.Fraction(2, 3), t(2.0)),
)
def exact_numbers(d, x):
    return str(d), str(d * 2), x * float(d)


@program(
    case(bytearray(b"ab")), case(bytearray(b"b")), case(array("i", [1, 2])), case(array("i", [5]))
)
def buffers(b):
    return b[0], len(b)


@program(case({"a": 1}, t(1)), case({"b": 1}, t(1)), case({"a": 2}, t(1)))
def proxies(d, n):
    proxy = types.MappingProxyType(d)
    return "a" in proxy, "a" in d.keys(), len(proxy) * n


@program(case(UserString("ab"), UserDict(k=1)), case(UserString("b"), UserDict(k=2)))
def user_containers(s, d):
    return str(s + "c"), len(s), d["k"]


@program(case(ValueError("a"), t(1)), case(ValueError("b"), t(1)), case(KeyError("b"), t(-1)))
def exceptions(e, n):
    if n > 0:
        raise e
    return e.args


@program(case(Token("a", 1)), case(Token("a", 2)), case(Token("b", 2)))
def tokens(s):
    return s.place, s + "!", s == "a"


@program(case(Pair([1.0, 2])), case(Pair([3.0, 2])), case(Pair([3.0, 5])), case(Pair([True, 5])))
def subclasses_of_tuple(p):
    return p[0] * p[1], p.first(), len(p), type(p) is Pair


@program(case(t(2.0)), case(t(-1.5)))
def tuples_made_inside(x):
    p = Pair([x, 1])
    q = Pair([x * 2, 1]) if x > 0 else Pair([x, 2])
    return p, q, q.first(), isinstance(q, Pair)


@program(case(t(3)), case(t(0)))
def tuples_carried(n):
    p = Pair([0, 1])
    for _ in range(n):
        p = Pair([p[0] + 1, p[1] * 2])
    return p


@program(case((1).__add__), case((2).__add__))
def method_wrappers(m):
    return m(1)


@program(
    case(range(0, 4, 2)), case(range(0, 3, 2)), case(range(0)), case(range(5, 5)), case(range(1))
)
def ranges(r):
    return r.start, r.stop, r.step, list(r)


@program(case(slice(1, 2)), case(slice(1.0, 2)), case(slice(True, 2)))
def slices(s):
    return s.start, str(s)


@program(case(deque([1], 2)), case(deque([1], 3)), case(deque([1])))
def bounded(d):
    d.append(5)
    d.append(6)
    return d.maxlen, list(d)


@program(case(defaultdict(int)), case(defaultdict(list)))
def factories(d):
    return d["q"]


@program(case({1: 2}), case({True: 2}), case({1.0: 2}), case({"1": 2}))
def kinds_of_keys(d):
    return list(d)


@program(case({1}), case({1.0}), case(frozenset([1])), case(frozenset([True])))
def kinds_of_items(s):
    return list(s)


@program(case({Equal(1): 1}), case({Equal(2): 1}), case({Equal(2): 2}))
def equal_keys(d):
    return [key.v for key in d], list(d.values())


@program(case(0j), case(complex(0, -0.0)), case(0.0), case(-0.0))
def zeros(c):
    return str(c)


@program(case(t(2.0)), case(t(-1.5)))
def atoms_of_subclasses(x):
    length = Metres(3.0) if x > 0 else Metres(4.0)
    token = Token("id", 3) if x > 0 else Token("id", 9)
    return length + 1, token.place, token + "s"


@program(case(t(2.0)), case(t(-1.5)))
def chosen_getter(x):
    key = operator.itemgetter(0) if x > 0 else operator.itemgetter(1)
    return sorted([(1, 2), (2, 1)], key=key), str(slice(1, 2) if x > 0 else slice(0, 2))


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 9


class Colour(enum.Enum):
    RED = 1
    BLUE = 2

    @classmethod
    def _missing_(cls, value):
        return cls.BLUE if value > 50 else None


@program(case(t(1)), case(t(77)), case(t(7)))
def members(n):
    level = Level.HIGH if n > 5 else Level.LOW
    try:
        colour = Colour(int(n)).name
    except ValueError as error:
        colour = str(error)
    return str(Level.HIGH), str(level), f"{level}", repr(level), colour
