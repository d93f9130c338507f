"""What library code reads without being given it: settings, registered classes, users' methods."""

from __future__ import annotations

import abc
import collections
import decimal
import enum
import itertools
import json
import numbers
import string

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(-1.5)))


def _change(world):
    world.state[0]()


def _again(settings):
    """Settings that each run starts with, and what changes them."""
    decimal.getcontext().prec = 28

    def change():
        decimal.getcontext().prec -= 5
        settings.append(decimal.getcontext().prec)

    return change


@stateful(*X, between=(_change, _change), mutate=False)
def decimals():
    limit = decimal.Decimal("1.25")
    change = _again([])

    def f(x):
        third = decimal.Decimal(1) / 3
        return x, str(third), str(limit / 7), str(round(limit, 1))

    return f, [change]


@program(case(t(2.0)), refused="UnconvertedCallError")
def precision_of_decimals(x):
    return x, decimal.getcontext().prec


@stateful(*X, between=(_change,), mutate=False)
def registered_between_calls():
    class Shape(abc.ABC):
        pass

    class Square:
        pass

    square = Square()

    def change():
        Shape.register(Square)

    def f(x):
        return x, isinstance(square, Shape), issubclass(Square, (int, Shape))

    return f, [change]


@program(*X)
def of_abstract_classes(x):
    return (
        isinstance(2.0, numbers.Number),
        isinstance([x], collections.abc.Sequence),
        isinstance(float(x), numbers.Real),
        issubclass(dict, collections.abc.Mapping | collections.abc.Sequence),
    )


class Version:
    def __init__(self, number, limits):
        self.number = number
        self.limits = limits

    def __eq__(self, other):
        return self.number == other.number

    def __lt__(self, other):
        return min(self.number, self.limits["most"]) < min(other.number, self.limits["most"])


@stateful(*X, between=(_change,), mutate=False)
def items_compared_by_their_class():
    limits = {"most": 5}
    low, high = Version(3, limits), Version(4, limits)

    def change():
        limits["most"] = 2

    def f(x):
        return x, (1, low) < (1, high), [low] < [high], [low, 1] == [low, 1], {1: low} == {1: high}

    return f, [change, limits]


class Percent(string.Template):
    delimiter = "%"


class Offset(numbers.Real):
    """A number that lies at a distance from another one, which changes."""

    def __init__(self, start):
        self.start = start

    def __float__(self):
        return float(self.start["at"])

    def __add__(self, other):
        return self.start["at"] + other

    def _value(self, *_):
        return self.start["at"]

    __radd__ = __abs__ = __ceil__ = __floor__ = __floordiv__ = __rfloordiv__ = __mod__ = _value
    __rmod__ = __mul__ = __rmul__ = __neg__ = __pos__ = __pow__ = __rpow__ = __round__ = _value
    __truediv__ = __rtruediv__ = __trunc__ = __eq__ = __lt__ = __le__ = _value
    __hash__ = None


@stateful(*X, between=(_change,), mutate=False)
def methods_of_the_library_that_call_the_users():
    start = {"at": 1.5, "name": "a"}
    offset = Offset(start)

    def change():
        start["at"] += 1.0
        start["name"] = "b"

    def f(x):
        return x, offset - 1, divmod(offset, 2), Percent("%name").substitute(start)

    return f, [change, start]


class Encoder(json.JSONEncoder):
    def default(self, value):
        return value.number


@program(case(t(2.0)), refused="UnconvertedCallError", naming=("Encoder",))
def encoder_of_ones_own(x):
    return x, json.dumps([Version(1, {})], cls=Encoder)


class Field(string.Formatter):
    def get_value(self, key, args, kwargs):
        return kwargs.get(key, "none")


@program(case(t(2.0)), refused="UnconvertedCallError")
def formatter_of_ones_own(x):
    return x, Field().format("{q}")


class Ones:
    """Gives a number that changes, and 1."""

    def __init__(self, source):
        self.source = source

    def __iter__(self):
        return iter([self.source["at"], 1])


class Power:
    def __init__(self, source):
        self.source = source

    def __pow__(self, exponent, modulus=None):
        return self.source["at"]


Pair = collections.namedtuple("Pair", "first second")


@stateful(*X, between=(_change,), mutate=False)
def iterables_of_ones_own_given_to_the_library():
    source = {"at": 3}
    ones = Ones(source)

    def change():
        source["at"] += 1

    def f(x):
        items = [1, 2, 3]
        items[1:] = ones
        return (
            x,
            items,
            list(itertools.islice(ones, 1)),
            list(itertools.zip_longest(ones, [5])),
            list(itertools.accumulate(ones)),
            list(itertools.pairwise(ones)),
            [key for key, _ in itertools.groupby(ones)],
            list(itertools.tee(ones)[0]),
            Pair._make(ones),
            pow(Power(source), 2, 3),
        )

    return f, [change, source]


@stateful(*X, between=(_change,), mutate=False)
def member_that_is_looked_for():
    source = {"at": 3}

    class Level(enum.Enum):
        LOW = 1
        HIGH = 2

        @classmethod
        def _missing_(cls, value):
            return cls.LOW if source["at"] % 2 else cls.HIGH

    def change():
        source["at"] += 1

    def f(x):
        return x, Level(99).name, Level(2).name

    return f, [change]


@program(case(t(2.0)), refused="UnconvertedCallError", naming=("__iter__",))
def bytes_of_an_iterable_of_ones_own(x):
    return x, bytes(Ones({"at": 3}))
