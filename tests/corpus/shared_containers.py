"""Containers and objects that two names share, or that were copied, where turns change them."""

from __future__ import annotations

import copy
import types
from dataclasses import dataclass
from typing import Any

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


class Bag:
    def __init__(self, items: list[Any]) -> None:
        self.items = items


@dataclass
class Record:
    items: list[Any]


@program(case(t(1.5), t(3)), case(t(0.5), t(1)), compiled=True)
def copied_where_it_may_be_missing(y: Any, n: Any) -> Any:
    y = float(y)
    for i in range(n):
        if n > i:
            bag = Bag([y])
        bag = copy.copy(bag)
        bag.items.append(y * i)
    return bag.items


@program(case(t(1.5), t(3)), case(t(0.5), t(1)))
def copied_after_an_inner_loop(y: Any, n: Any) -> Any:
    y = float(y)
    for _ in range(n):
        for i in range(n):
            bag = Bag([y + i])
        kept = bag
        bag = copy.copy(bag)
        bag.items.append(y)
        kept.items.append(y * 2)
    return bag, kept, bag is kept, bag.items is kept.items


@program(case(t(1.5), t(3)), case(t(0.5), t(1)))
def copies_are_equal(y: Any, n: Any) -> Any:
    y = float(y)
    bags: list[Any] = []
    equal = []
    for i in range(n):
        one = Record([y + i])
        bags.append(one)
        bags[0].items.append(y)
        bags.append(copy.copy(one))
        equal.append(one == bags[-1])
    return bags, equal


@program(case(t(3)), case(t(2)))
def namespaces_of_rows_are_compared(n: Any) -> Any:
    rows = []
    for i in range(n):
        rows.append(types.SimpleNamespace(v=i))
        rows[0].v = 7
    one, other = rows[0], rows[1]
    other.v = 7
    before = one == other
    one.v = 8
    return before, one == other, one != other, one in rows[1:], rows


@program(case(t(1.5), t(3)), case(t(1.5), t(2)), case(t(2.5), t(1)), compiled=True)
def namespaces_are_compared_by_what_they_hold(y: Any, n: Any) -> Any:
    one = types.SimpleNamespace(v=[y], w=1)
    other = types.SimpleNamespace(w=1, v=[y, y])
    if n > 1:
        one.v.append(y)
    if n > 2:
        other.z = 3
    return one == other, one != other, one in [other, 2], [one, 2].index(other) if n == 2 else -1


class Alike(types.SimpleNamespace):
    def __eq__(self, other: object) -> bool:
        return True


@program(case(t(1.5), t(3)), case(t(1.5), t(0)))
def namespaces_that_compare_themselves(y: Any, n: Any) -> Any:
    one = types.SimpleNamespace(v=y)
    other = Alike()
    if n > 1:
        one.v = y + 1
    return one == other, other == one, one == 3, other == 3, [other] == [one]


def _put(world: Any) -> None:
    world.state.v = 2.5


@stateful(case(t(1.5)), between=_put)
def namespace_from_outside() -> Any:
    kept = types.SimpleNamespace(v=1.5)

    def f(y: Any) -> Any:
        return kept == types.SimpleNamespace(v=y), kept == kept, kept != types.SimpleNamespace()

    return f, kept
