"""Attributes of classes and modules written on one path, enumerations, subclasses of built-ins."""

from __future__ import annotations

import enum
import types

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(-1.5)))
N = (case(t(1)), case(t(2)), case(t(3)))

SETTINGS = types.ModuleType("settings")
SETTINGS.__file__ = __file__


@program(*X)
def made_on_a_path(x):
    class A:
        pass

    if x < 0:
        A.k = 5
    return hasattr(A, "k"), getattr(A, "k", 0)


@stateful(*X)
def of_an_outer_class():
    class A:
        pass

    class B(A):
        pass

    def f(x):
        if x < 0:
            A.k = x * 2
        try:
            return B.k, "k" in A.__dict__, hasattr(B(), "k")
        except AttributeError as error:
            return str(error)

    return f, [A]


@stateful(*X)
def of_a_base():
    class A:
        k = 1

    class B(A):
        pass

    def f(x):
        if x < 0:
            B.k = 5
        found = B.k, A.k, B().k
        B.k = 7
        if x > 0:
            del B.k
        return found, B.k

    return f, [A, B]


@stateful(*X, case(t(2.0)), case(t(-3.0)), case(t(4.0)))
def counted_by_class():
    class A:
        count = 0

        @classmethod
        def bump(cls, x):
            if x > 0:
                cls.count += 1
            return cls.count

    class B(A):
        pass

    def f(x):
        return B.bump(x), A.bump(-x), B.count, A.count, "count" in vars(B)

    return f, [A, B]


@stateful(*X, case(t(2.0)), case(t(-3.0)), case(t(4.0)))
def counted_by_module():
    SETTINGS.count, SETTINGS.last = 0, 5

    def f(x):
        if x > 0:
            SETTINGS.count += 1
        if x < 0:
            SETTINGS.last = int(x)
        return SETTINGS.count, SETTINGS.last

    return f, []


class Day(enum.Enum):
    MON = 1
    TUE = 2
    WED = 3


class Mask(enum.Flag):
    A = 1
    B = 2
    C = 4


@program(*N)
def first_member(n):
    return (
        next(d for d in Day if n <= d.value),
        next(filter(lambda d: n <= d.value, Day)),
        next((a for a, b in zip(Day, [1, 2, 3]) if n <= b), None),
        next(d for d in reversed(Day) if d.value <= n),
    )


@program(*N)
def members_gone_over(n):
    for place, day in enumerate(Day):
        if day.value == n:
            break
    return (
        (place, day),
        [d for d in Day if d.value >= n],
        [d for d in (Mask.A | Mask.C) if d.value > n],
        any(d.value == n for d in Day),
        sum(d.value for d in Day if d.value > n),
        {d.name: d.value * n for d in Day},
        max(Day, key=lambda d: (d.value == n, d.value)),
    )


@program(*N)
def members_asked_in_turn(n):
    it = iter(Day)
    first = next(it)
    return first, [d for d in it if d.value >= n], list(Day), len(Day)


class Doubling(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value * 2)

    def update(self, other):
        for key in other:
            self[key] = other[key]


class Shifted(list):
    def __getitem__(self, place):
        return super().__getitem__(place) + 1

    def append(self, item):
        super().append(item * 10)


@program(*X)
def own_setting(x):
    d = Doubling()
    d["a"] = 1
    d["b"] = x
    d.update({"c": x})
    if x > 0:
        d["a"] = x
    return dict(d), d["a"]


@program(*X)
def own_getting(x):
    items = Shifted([x * 3])
    items.append(x)
    if x > 0:
        items.append(1.0)
    return [one for one in items], items[0], len(items), sum(items)


@program(*N)
def in_over_places(n):
    class Places:
        def __getitem__(self, place):
            if place >= n:
                raise IndexError(place)
            return place * 2

    return 4 in Places(), 0 in Places(), list(Places())


@program(*N)
def in_what_has_no_items(n):
    found = []
    for one in (3.0, None, len):
        try:
            found.append("a" in one)
        except TypeError as error:
            found.append(str(error))
    return found, n


@program(case(t(3)), case(t(-1)))
def raises_at_every_end(n):
    def walk(k):
        if k == 0:
            raise ValueError("bottom")
        if k < 0:
            raise ValueError(f"under {int(k)}")
        walk(k - 1)

    try:
        walk(n)
    except ValueError as error:
        return str(error)


@program(case(t(3), t(-1), t(7)), case(t(2), t(-3), t(4)), case(t(2), t(0), t(-5)))
def powers_modulo(a, b, m):
    try:
        return pow(int(a), int(b), int(m))
    except ValueError as error:
        return str(error)


@program(case(t(1.0), t(0.0)), case(t(-7.5), t(2.0)))
def quotient_and_rest(x, y):
    try:
        return divmod(float(x), float(y))
    except ZeroDivisionError as error:
        return str(error)


@program(*X)
def group_of_exceptions(x):
    group = ExceptionGroup("many", [ValueError(x), TypeError("t")])
    return str(group), f"{group}", len(group.exceptions)


@program(*X, refused="StateError")
def group_of_chosen_exceptions(x):
    error = ValueError("p") if x > 0 else KeyError("k")
    return str(ExceptionGroup("many", [error]))


@program(case(t([*range(20)])), refused="LoopTypeError")
def tuple_of_many_grown(v):
    found = ()
    for k in v:
        found += (k,)
    return found


@program(case(t([3, 1, 2, 5])), case(t([4, 4])))
def tuple_of_few_grown(v):
    found = ()
    for k in v:
        found += (k,)
    return found
