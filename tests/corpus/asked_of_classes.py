"""What Python asks of classes and of iterators, and what tuples and views of dicts answer."""

from __future__ import annotations

import abc
import itertools
import operator
import types
from typing import Any, Protocol, SupportsFloat, runtime_checkable

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(-3.0)))
N = (case(t(2)), case(t(3)), case(t(0)))
V = (case(t([1.0, 2.0, 3.0])), case(t([1.0, 2.0])))


class Below(type):
    limit = 10

    def __instancecheck__(cls, value: Any) -> Any:
        return type(value) is int and value < cls.limit


@stateful(*N, between=(lambda w: setattr(w.state, "limit", 1),))
def isinstance_by_a_metaclass():
    class Small(metaclass=Below):
        pass

    Small.limit = 10

    def f(n):
        k = int(n)
        return isinstance(k, Small), isinstance(3, Small), isinstance(k, (str, Small))

    return f, Small


class Loud(abc.ABCMeta):
    def __instancecheck__(cls, value: Any) -> Any:
        return super().__instancecheck__(value) or value == 4


class LoudNumber(metaclass=Loud):
    pass


LoudNumber.register(float)


@program(*X, case(t(4.0)))
def isinstance_by_super(x):
    match int(x):
        case LoudNumber():
            found = "matched"
        case _:
            found = "not"
    return found, isinstance(int(x), LoudNumber), isinstance(float(x), LoudNumber)


@runtime_checkable
class HasBonus(Protocol):
    bonus: float


@runtime_checkable
class Runs(Protocol):
    def run(self) -> Any: ...


class Box:
    bonus: Any


class Runner:
    def run(self) -> int:
        return 1


class Stopped(Runner):
    run = None  # type: ignore[assignment]


@program(*X)
def isinstance_of_a_protocol(x):
    box, other = Box(), Box()
    if x > 0:
        box.bonus = 1.0
    other.bonus = x
    runner = Runner() if x > 0 else Box()
    return (
        isinstance(box, HasBonus),
        isinstance(other, HasBonus),
        isinstance(runner, Runs),
        isinstance(Stopped(), Runs),
        isinstance(int(x), SupportsFloat),
        isinstance(int(x), HasBonus),
        isinstance(box, int | HasBonus),
    )


@stateful(*X, between=(lambda w: setattr(w.state, "bonus", 1), lambda w: delattr(w.state, "bonus")))
def isinstance_of_a_protocol_later():
    box = Box()

    def f(x):
        return isinstance(box, HasBonus), x

    return f, box


class Gives:
    def __init__(self, made: Any) -> None:
        self.made = made

    def __iter__(self) -> Any:
        return self.made


@program(*N)
def what_iter_gives(n):
    found = []
    for made in ([1], (1,), {1: 2}.keys(), "ab", range(n), tuple(range(n)), n, None):
        try:
            found.append(list(Gives(made)))
        except TypeError as error:
            found.append(str(error))
    for made in (iter([1, 2]), zip([1], [2]), enumerate(range(n)), reversed([1, 2])):
        total = 0
        for _ in Gives(made):
            total += 1
        found.append(total)
    return found


class Passing:
    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)


class Made:
    def __new__(cls, *args: Any) -> Any:
        return super().__new__(cls, *args)

    def __init__(self, v: Any) -> None:
        self.v = v


class Coded(Exception):
    def __init__(self, message: str, **named: Any) -> None:
        super().__init__(message, **named)


class Settings(types.SimpleNamespace):
    def __init__(self, x: Any, **named: Any) -> None:
        super().__init__(x=x, **named)


@program(*X)
def arguments_of_object(x):
    found = []
    for make in (lambda: Passing(x), lambda: Made(x), lambda: Coded("m", code=int(x))):
        try:
            make()
        except TypeError as error:
            found.append(str(error))
    made = Settings(x, y=2)
    return found, made.x, made.y


@program(*N)
def searched_tuples(n):
    name = "hot" if n > 2 else "cold"
    known = (name, int(n), None, 5)
    grown = tuple(range(n))
    found = [known.count("hot"), known.index(5), grown.count(1), grown.count(9)]
    for search in (lambda: known.index("warm"), lambda: grown.index(1), lambda: known.index(5, 4)):
        try:
            found.append(search())
        except ValueError as error:
            found.append(str(error))
    return found


@program(*N)
def sets_beside_keys(n):
    table = {1: "a", 2: "b"}
    members = {int(n), 1}
    return (
        members == table.keys(),
        table.keys() == members,
        members != table.keys(),
        members == table.values(),
        members <= table.keys(),
        len(table.keys() | members),
        len(members - table.keys()),
    )


@program(*N)
def repeated_times(n):
    total = 0
    for _ in itertools.repeat(None, n):
        total += 1
    for _ in itertools.repeat(None, int(n) - 1):
        total += 1
    return total, operator.index(int(n)), operator.index(n)


@program(*X)
def repeated_and_cycled(x):
    items = [x]
    turns = itertools.cycle(items)
    items.append(x * 2)
    return (
        [a * b for a, b in zip((1, 2), itertools.repeat(object=x))],
        list(itertools.islice(itertools.cycle([x, 1.0]), 5)),
        list(itertools.repeat(x, times=2)),
        list(map(operator.mul, [1, 2], itertools.repeat(x))),
        [next(turns) for _ in range(4)],
        dict(zip("ab", itertools.repeat(0))),
        list(itertools.islice(itertools.cycle([]), 3)),
    )


@program(*V)
def cycled_beside_a_tensor(v):
    total = 0.0
    for a, sign in zip(v, itertools.cycle([1.0, -1.0])):
        total = total + a * sign
    for a, b in zip(v, itertools.repeat(v[0])):
        total = total + a * b
    return total


@program(*N)
def cycled_while(n):
    turns = itertools.cycle([int(n), 7])
    total = 0
    while total < 20:
        total += next(turns)
    return total
