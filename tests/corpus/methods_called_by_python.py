"""Methods of the user's that Python's own code calls: what they read may change between calls."""

from __future__ import annotations

import collections
import dataclasses
import math

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(-1.5)))


def _change(world):
    world.state[0]()


class Key:
    """Equal to all others, or to none, as the source says."""

    def __init__(self, source, number):
        self.source = source
        self.number = number

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return self.source["equal"] or self is other


def _keys():
    source = {"equal": False}
    keys = [Key(source, number) for number in range(3)]

    def change():
        source["equal"] = not source["equal"]

    return source, keys, change


@stateful(*X, between=(_change, _change), mutate=False)
def keys_of_displays_and_methods():
    source, (a, b, c), change = _keys()

    def f(x):
        table = {a: 1, b: 2}
        table.setdefault(c, 3)
        found = {a}
        found.add(b)
        found.discard(c)
        return x, len(table), table.get(c), len(found), len({a, b}), len({(a, 1), (b, 1)})

    return f, [change, source]


@stateful(*X, between=(_change, _change), mutate=False)
def keys_of_constructors_and_operators():
    source, (a, b, c), change = _keys()

    def f(x):
        counted = collections.Counter([a, b])
        return (
            x,
            len(set([a, b])),
            len(frozenset((a, b, c))),
            len(dict([(a, 1), (b, 2)])),
            len(dict.fromkeys([a, b])),
            len(counted),
            len({a} & {b}),
            len({a} | {b}),
            {a} <= {b},
            {a: 1} == {b: 1},
            a in {b},
            (a, 1) in {(b, 1): 0},
        )

    return f, [change, source]


@dataclasses.dataclass(unsafe_hash=True)
class Place:
    row: int


@stateful(*X, between=(_change,), mutate=False)
def fields_of_dataclasses_as_keys():
    place = Place(1)
    table = {Place(1): "one", Place(2): "two"}

    def change():
        place.row = 2

    def f(x):
        return x, place in {Place(1)}, table.get(place), len({place, Place(2)}), hash(place) == 0

    return f, [change, table]


class Word(str):
    source = {"equal": False}

    def __eq__(self, other):
        return self.source["equal"]

    def __add__(self, other):
        return "more" if self.source["equal"] else "less"

    __hash__ = str.__hash__


class Whole(int):
    source = {"at": 5}

    def __add__(self, other):
        return self.source["at"]

    def __eq__(self, other):
        return self.source["at"] > 5

    def __index__(self):
        return 0

    __hash__ = int.__hash__


class Real(float):
    source = {"at": 5}

    def __mul__(self, other):
        return self.source["at"]


@stateful(*X, between=(_change,), mutate=False)
def operators_of_subclasses_of_numbers_and_strings():
    Word.source = {"equal": False}
    Whole.source = Real.source = {"at": 5}
    word, whole, real = Word("a"), Whole(3), Real(2.0)

    def change():
        Word.source["equal"] = True
        Whole.source["at"] = 7

    def f(x):
        return (
            x,
            word == "a",
            word + "b",
            len({word: 1, "a": 2}),
            whole + 1,
            whole == 3,
            real * 2,
            [10, 20, 30, 40][whole],
            len(range(whole)),
            math.floor(2.5) + "abcd".index("d"),
        )

    return f, [change]


class Checking(type):
    allowed = [True]

    def __subclasscheck__(cls, other):
        return cls.allowed[0]


class Checked(metaclass=Checking):
    pass


@stateful(*X, between=(_change,), mutate=False)
def subclasses_as_a_metaclass_says():
    Checking.allowed = [True]

    def change():
        Checking.allowed[0] = False

    def f(x):
        return x, issubclass(int, Checked), issubclass(int, (str, Checked)), issubclass(bool, int)

    return f, [change]


class Measured:
    def __init__(self, source):
        self.source = source

    def __array__(self, dtype=None, copy=None):
        return self.source["array"]


@stateful(*X, between=(_change,), mutate=False)
def arrays_that_objects_give():
    source = {"array": np.array([1.0, 2.0])}
    measured = Measured(source)

    def change():
        source["array"] = np.array([3.0, 4.0])

    def f(x):
        return x + ag.asarray(measured)[1]

    return f, [change]


@program(case(t(2.0)), refused="StateError", naming=("__set_name__",))
def class_whose_member_is_told_its_name(x):
    class Local:
        part = Named()

    return x, Local.part.name


class Named:
    def __set_name__(self, owner, name):
        self.name = name
