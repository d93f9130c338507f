"""Iterators that leave a staged function are Python's own, as lazy and as shared as eagerly."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import GeneratorType
from typing import Any

import numpy as np
import pytest

import autograph as ag

PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []


def given(*arguments: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a program with the arguments of its call, from which each run makes its own."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS.append((function, arguments))
        return function

    return register


VECTOR = np.array([1.0, 2.0, 3.0])
MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]])


class Steps:
    """An object whose methods make generators."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __iter__(self) -> Any:
        yield self.x
        yield self.x * 2

    def multiples(self, count: int) -> Any:
        for number in range(count):
            yield self.x * number


class Holder:
    """An object that gets an attribute."""


def countdown(n: Any) -> Any:
    while n > 0:
        yield n
        n = n - 1


@given(VECTOR)
def pairs(x: Any) -> Any:
    return zip(x, x)


@given(MATRIX)
def transposed_lists(x: Any) -> Any:
    return map(list, zip(*x))


@given(VECTOR)
def numbered(x: Any) -> Any:
    return enumerate(x, 5), enumerate([x, x * 2])


@given(VECTOR)
def backwards(x: Any) -> Any:
    return reversed(x), reversed([x, x * 2]), reversed((1, x)), reversed("abc")


@given(VECTOR)
def plain_iterators(x: Any) -> Any:
    return iter(x), iter([x, x * 2]), iter((x, 1)), iter({"a": x}), iter({"a": x}.items())


@given(VECTOR)
def filtered(x: Any) -> Any:
    least = x[0] * 1.5
    return filter(lambda v: v > least, x), filter(None, [0, x[1], None])


@given(VECTOR)
def generators(x: Any) -> Any:
    return (v * 2 for v in x), (v for v in x if v > 1 for _ in range(2)), countdown(x[2])


@given(VECTOR)
def called_when_asked(x: Any) -> Any:
    def shown(v: Any) -> Any:
        print("asked", float(v))
        return v * 2

    return map(shown, x)


@given(VECTOR)
def variable_that_changes_later(x: Any) -> Any:
    scale = x
    found = (v * scale for v in (1.0, 2.0))
    scale = x * 3
    return found


@given(VECTOR)
def list_that_grows_later(x: Any) -> Any:
    items = [x]
    found = enumerate(items)
    items.append(x * 2)
    return found, items


@given(VECTOR)
def one_iterator_in_three_places(x: Any) -> Any:
    found = zip(x, x)
    return found, [found], {"a": found}


@given(VECTOR)
def iterators_over_iterators(x: Any) -> Any:
    inner = (v * 2 for v in x)
    return map(lambda two: two[0] + two[1], zip(x, inner)), zip(*[iter([x, x * 2])] * 2)


@given([], VECTOR)
def appended(log: Any, x: Any) -> Any:
    log.append(zip(x, x))
    log.append(reversed([x, x * 2]))
    return len(log)


@given(Holder(), VECTOR)
def on_an_attribute(holder: Any, x: Any) -> Any:
    holder.found = iter([x, x * 2])
    first = next(holder.found)
    return first


@given(VECTOR)
def that_have_begun(x: Any) -> Any:
    a, b, c, d = iter([x, x * 2]), iter(x), reversed([x, x * 2, x * 3]), zip([x, x], [1, 2])
    for one in (a, b, c, d):
        next(one)
    return a, b, c, d


@given(VECTOR)
def that_have_ended(x: Any) -> Any:
    items = [x]
    found = iter(items)
    for _ in found:
        pass
    items.append(x)
    return found


@given(np.asarray(1.0))
@given(np.asarray(-1.0))
def advanced_under_a_condition(x: Any) -> Any:
    found = iter([x, x * 2, x * 3])
    if x > 0:
        next(found)
    return found


@given(np.asarray(1.0))
@given(np.asarray(-1.0))
def chosen_by_a_condition(x: Any) -> Any:
    items = [x, x * 2]
    if x > 0:
        return zip(items, items)
    return iter(items)


@given(np.asarray(3))
def of_staged_length(n: Any) -> Any:
    items = []
    for i in range(n):
        items.append(i * 2.0)
    return iter(items), zip(items, items), enumerate(range(n)), iter(range(n))


@given(Steps(2.0), VECTOR)
def methods(steps: Any, x: Any) -> Any:
    return steps.multiples(3), iter(steps), Steps(x).multiples(count=2)


@given(VECTOR)
def of_itertools(x: Any) -> Any:
    return (
        itertools.chain(x, [1]),
        itertools.islice(x, 1, None),
        itertools.accumulate(x, initial=1.0),
        itertools.pairwise(x),
        itertools.product(x, [1, 2]),
        itertools.combinations([x, x * 2, x * 3], 2),
        itertools.repeat(x, 2),
        itertools.takewhile(lambda v: v < 3, x),
        itertools.zip_longest(x, [1]),
        itertools.count(2),
        itertools.cycle([x, 1]),
    )


def shown(value: Any, seen: dict[int, int]) -> Any:
    """What there is to see of a value, with the items of iterators, and which is which."""
    if isinstance(value, ag.Tensor):
        return ("tensor", str(value.dtype), value.numpy().tolist())
    if isinstance(value, list | tuple):
        return (type(value).__name__, [shown(one, seen) for one in value])
    if isinstance(value, dict):
        return [(key, shown(one, seen)) for key, one in value.items()]
    if isinstance(value, Steps | Holder):
        return shown(vars(value), seen)
    if not hasattr(type(value), "__next__"):
        return (type(value).__name__, value)
    if id(value) in seen:
        return ("again", seen[id(value)])
    seen[id(value)] = len(seen)
    items = [shown(one, seen) for one in itertools.islice(value, 12)]
    name = value.__name__ if isinstance(value, GeneratorType) else None
    return (type(value).__name__, name, items)


def made(argument: Any) -> Any:
    """An argument for one run."""
    if isinstance(argument, np.ndarray):
        return ag.asarray(argument)
    if isinstance(argument, list):
        return list(argument)
    if isinstance(argument, Steps):
        return Steps(ag.asarray(argument.x))
    return Holder()


@pytest.mark.parametrize("mode", ["evaluate", "text", "compile"])
@pytest.mark.parametrize(
    ("function", "arguments"),
    [pytest.param(*one, id=f"{one[0].__name__}-{n}") for n, one in enumerate(PROGRAMS)],
)
def test_what_leaves_is_pythons_own(
    function: Callable[..., Any], arguments: tuple[Any, ...], mode: Any, capsys: Any
) -> None:
    staged = ag.function(mode=mode)(function)
    for _ in range(2):
        runs = []
        for run in (function, staged):
            own = [made(one) for one in arguments]
            seen: dict[int, int] = {}
            result = shown(run(*own), seen)
            runs.append((result, [shown(one, seen) for one in own], capsys.readouterr().out))
        assert runs[0] == runs[1]
