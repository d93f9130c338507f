"""Objects with an `__index__`, weak references, and what `object` itself has."""

from __future__ import annotations

import weakref
from collections import deque

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

X = (case(ag.asarray(2.0)), case(ag.asarray(0.5)))


def _first(world):
    world.state[0]()


class Place:
    def __init__(self, k):
        self.k = k

    def __index__(self):
        return self.k


@stateful(*X, between=_first)
def place_of_a_list():
    place = Place(1)

    def move():
        place.k = 2

    def f(x):
        items = [1.0, 2.0, x, 4.0]
        first = items.pop(place)
        items.insert(place, x * 3)
        items[place] = x
        last = items[:place]
        del items[place]
        return items, first, last, (1, 2, 3)[place], "abc"[place], b"abc"[place]

    return f, [move]


@stateful(*X, between=_first)
def place_of_a_deque():
    place = Place(1)

    def move():
        place.k = 2

    def f(x):
        items = deque([1.0, 2.0, x])
        items[place] = 7.0
        items.rotate(place)
        return list(items), items[place]

    return f, [move]


@stateful(*X, between=_first)
def place_of_a_tensor():
    place = Place(1)

    def move():
        place.k = 2

    def f(x):
        row = ag.asarray([1.0, 2.0, 3.0]) * x
        row[place] = 9.0
        return row, row[place:], row[None, place], row[place]

    return f, [move]


@stateful(*X, between=_first)
def number_of_times():
    place = Place(1)

    def move():
        place.k = 2

    def f(x):
        return ag.zeros(place) + x, ag.zeros((place, 2)), "ab" * place, place * (1, 2), int(place)

    return f, [move]


@stateful(*X, between=_first)
def arguments_of_an_exception():
    error = ValueError("v")

    def change():
        error.args = ("w",)

    def f(x):
        return x if error.args == ("v",) else x * 2

    return f, [change]


class Parent:
    rate = 2.0


@stateful(*X, between=_first)
def parent_held_weakly():
    parent = Parent()
    reference = weakref.ref(parent)

    def change():
        parent.rate = 5.0

    def f(x):
        held = reference()
        if held is None:
            return x
        held.seen = x
        return x * held.rate, held is parent

    return f, [change]


class Same:
    def __init__(self, k):
        self.k = k

    def __eq__(self, other):
        return object.__eq__(self, other)

    def __hash__(self):
        return object.__hash__(self)


class Other(Same):
    def __ne__(self, other):
        return super().__ne__(other)


@program(*X)
def equality_of_object(x):
    left, right, third = Same(1), Same(2), Other(1)
    chosen = left if x > 1 else right
    found = left == chosen, right == chosen, left != chosen, chosen in [left]
    return found, Other(1) != Other(1), third != third


class Shown:
    def __init__(self, k):
        self.k = k

    def __str__(self):
        return "S" + object.__repr__(self)[:3]


@program(*X)
def text_of_object(x):
    return str(Shown(x))


class Answering(type):
    def __getattr__(cls, name):
        return {"rate": 2.0}[name]


class Settings(metaclass=Answering):
    pass


@program(*X)
def class_that_answers(x):
    one = Settings()
    if x > 1:
        one.a = x
    else:
        one.a = x * 2
    while x * x < 10:
        x = x * 2
        one = Settings()
        one.a = x
    return one.a, isinstance(one, Settings), x * Settings.rate


@stateful(case(), case(), case())
def layers_from_both_ends():
    """The last item is read as `[-1]`, then all of them; then the list is another one."""

    class Net:
        def __init__(self):
            self.w = [np.ones((2, 2)), np.ones((3, 2)) * 2]

        def step(self):
            total = 0.0
            for _ in range(2):
                total += self.w[-1].sum() + self.w[1][0, 0] + self.w[0].sum()
                self.w = [w - 0.1 * w for w in self.w]
            return total

    net = Net()
    return lambda: net.step(), net
