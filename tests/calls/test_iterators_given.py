"""Iterators as arguments of staged functions are gone over, and left, as eagerly."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph as ag
from autograph.errors import ArgumentError, StateError

t = ag.asarray


def numbers() -> Iterator[int]:
    yield from (1, 2, 3)


def tensors() -> Iterator[Any]:
    for k in range(3):
        yield t([1.0, 2.0]) * k


def total(items: Any, x: Any) -> Any:
    for one in items:
        x = x + one * 2
    return x


def until_large(items: Any, x: Any) -> Any:
    for one in items:
        if one * x > 2:
            return one
    return x


def the_first_of_two(items: Any, x: Any) -> Any:
    return list(itertools.islice(items, 2)), next(items) * x


def beside_itself(items: Any, x: Any) -> Any:
    return [(a * x, b) for a, b in zip(items, items)]


def under_a_condition(items: Any, x: Any) -> Any:
    first = next(items) if x > 0 else 0
    return first * x


def all_of(items: Any, x: Any) -> Any:
    return sum(items) * x, list(items)


def rows(items: Any, x: Any) -> Any:
    return [float(a) * x + float(b) for a, b in items]


def not_gone_over(items: Any, x: Any) -> Any:
    return items, x * 2


def kinds(items: Any, x: Any) -> Any:
    first = next(items, None)
    return type(items).__name__, isinstance(items, list), items is iter(items), first


MAKE: dict[str, Callable[[], Any]] = {
    "list": lambda: iter([1, 2, 3, 4]),
    "tuple": lambda: iter((1.5, -2.5, 3.5)),
    "range": lambda: iter(range(5)),
    "dict": lambda: iter({1: 2, 3: 4}),
    "values": lambda: iter({1: 2, 3: 4, 5: 6}.values()),
    "reversed": lambda: reversed([1, 2, 3]),
    "tensors": lambda: iter([t(1.0), t(3.0), t(5.0)]),
    "none": lambda: iter([]),
}
WHOLE: dict[str, Callable[[], Any]] = {
    "generator": numbers,
    "tensors": tensors,
    "map": lambda: map(lambda v: v * 2, [1, 2]),
    "filter": lambda: filter(None, [1, 0, 2]),
    "islice": lambda: itertools.islice(itertools.count(), 3),
}
PAIRS: dict[str, Callable[[], Any]] = {
    "zip": lambda: zip([1, 2], [3, 4]),
    "enumerate": lambda: enumerate([5, 6]),
    "csv": lambda: csv.reader(io.StringIO("1,2\n3,4")),
}
ANY = (total, all_of, not_gone_over)
PROGRAMS = [
    *((f, n) for f in (*ANY, until_large, the_first_of_two, beside_itself) for n in MAKE),
    *((f, n) for f in (under_a_condition, kinds) for n in ("list", "tuple", "values")),
]


def shown(value: Any, iterator: Any) -> Any:
    if value is iterator:
        return "the iterator itself"
    if isinstance(value, ag.Tensor):
        return ("tensor", str(value.dtype), value.numpy().tolist())
    if isinstance(value, list | tuple):
        return [shown(one, iterator) for one in value]
    return (type(value).__name__, value)


def run(function: Any, make: Callable[[], Any], x: Any) -> Any:
    """What a call gives, and what it leaves in the iterator."""
    items = make()
    try:
        found = shown(function(items, x), items)
    except StopIteration:
        return "ended"
    return found, [shown(one, items) for one in items]


@pytest.mark.parametrize("mode", ["evaluate", "compile"])
@pytest.mark.parametrize(("function", "name"), PROGRAMS)
def test_what_is_left_is_as_eagerly(function: Any, name: str, mode: Any) -> None:
    staged = ag.function(mode=mode)(function)
    for x in (t(1.0), t(1.0), t(-1.0), t(2.0)):
        assert run(staged, MAKE[name], x) == run(function, MAKE[name], x)


@pytest.mark.parametrize("mode", ["evaluate", "text"])
@pytest.mark.parametrize("function", ANY)
@pytest.mark.parametrize("name", WHOLE)
def test_what_can_only_be_taken_whole(function: Any, name: str, mode: Any) -> None:
    staged, x = ag.function(mode=mode)(function), t([1.0, 2.0])
    if function is not_gone_over:
        items = WHOLE[name]()
        assert staged(items, x)[0] is items
        return
    for _ in range(3):
        assert run(staged, WHOLE[name], x) == run(function, WHOLE[name], x)


@pytest.mark.parametrize("name", PAIRS)
def test_rows(name: str) -> None:
    staged = ag.function(mode="evaluate")(rows)
    for _ in range(3):
        assert run(staged, PAIRS[name], t(2.0)) == run(rows, PAIRS[name], t(2.0))


def test_two_iterators_and_keywords() -> None:
    def products(a: Any, *, b: Any) -> Any:
        return [p * q for p, q in zip(a, b)]

    staged = ag.function(mode="evaluate")(products)
    for _ in range(2):
        left, right = numbers(), iter([t(1.0), t(2.0), t(3.0), t(4.0)])
        assert [float(one) for one in staged(left, b=right)] == [1.0, 4.0, 9.0]
        assert [float(one) for one in right] == [4.0] and list(left) == []


def test_what_cannot_be_left_as_eagerly_is_refused() -> None:
    staged = ag.function(mode="evaluate")(lambda items, x: next(items) * x)
    with pytest.raises(StateError, match="leaves 2 of its items"):
        staged(numbers(), t(1.0))
    staged = ag.function(mode="evaluate")(lambda items, x: (next(items) * x, items))
    with pytest.raises(StateError, match="goes over, leaves it"):
        staged(iter([1, 2]), t(1.0))
    staged = ag.function(mode="evaluate")(total)
    with pytest.raises(ArgumentError, match="no end"):
        staged(itertools.count(), t(1.0))
    staged = ag.function(mode="evaluate")(lambda items, x: sum(items[0]) * x)
    with pytest.raises(StateError, match="make a list of it before the call"):
        staged([iter([1])], t(1.0))


def test_check_mode_advances_the_iterator_once() -> None:
    staged = ag.function(mode="evaluate", check=True)(the_first_of_two)
    items = iter([1, 2, 3, 4])
    assert float(staged(items, t(2.0))[1]) == 6.0
    assert list(items) == [4]
