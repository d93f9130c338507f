"""`sum`, `min`, `max`, `any` and `all` of Python, over tensors and staged lists too."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType
from typing import Any

from autograph.effects.loop import staged_loop
from autograph.effects.places import CellPlace
from autograph.effects.sentinels import DONT_CARE
from autograph.effects.switch import switch
from autograph.effects.tracing import Tracing
from autograph.operators.arithmetic import BINARY, COMPARISONS
from autograph.operators.branching import branch
from autograph.operators.codes import EXIT
from autograph.operators.conditions import as_value, condition
from autograph.operators.dispatch import call
from autograph.operators.iterables import Indexed, as_indexed
from autograph.operators.iteration import iterate
from autograph.runtime.core.number import Number
from autograph.runtime.ops.table import OPS


def fold(
    tracing: Tracing, items: Indexed, start: Any, step: Callable[[Any, Any], Any], first: int = 0
) -> Any:
    """`step(step(start, item), item) …` as a staged loop."""
    state = CellPlace(CellType(start), "the accumulator")
    start_index = Number(tracing.region.trace.constant(first))
    counter = CellPlace(CellType(start_index), "the loop index")
    for place in (state, counter):
        tracing.cells_born.add(id(place.owner))
        tracing.born(place.owner)

    def turn() -> tuple[Any, Any]:
        for place in (state, counter):
            tracing.touch(place)
        index = counter.get()
        flag = condition(tracing, _less(index, items.length(tracing)))

        def run() -> tuple[Any, Any]:
            for place in (state, counter):
                tracing.touch(place)
            state.set(step(state.get(), items.get(tracing, index)))
            counter.set(OPS.py_add(index, 1))
            return True, DONT_CARE

        if isinstance(flag, bool):
            return run() if flag else (False, EXIT)
        outcome: tuple[Any, Any] = switch(
            tracing, as_value(tracing, flag), [lambda: (False, EXIT), run]
        )
        return outcome

    staged_loop(tracing, turn)
    return state.get()


def _less(index: Any, length: Any) -> Any:
    staged = isinstance(index, Number) or isinstance(length, Number)
    return OPS.py_lt(index, length) if staged else index < length


def staged_sum(tracing: Tracing, iterable: Any, start: Any = 0) -> Any:
    """`sum(iterable, start)`: additions from left to right, as Python does."""
    indexed = as_indexed(tracing, iterable)
    if indexed is not None:
        return fold(tracing, indexed, start, BINARY["add"])
    total = start
    for item in iterate(iterable):
        total = BINARY["add"](total, item)
    return total


def staged_extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    """The model of `min` or `max`."""
    better = COMPARISONS["lt" if function is min else "gt"]

    def extreme(tracing: Tracing, *args: Any, key: Any = None, default: Any = DONT_CARE) -> Any:
        indexed = as_indexed(tracing, args[0]) if len(args) == 1 else None

        def rank(item: Any) -> Any:
            return item if key is None else call(key, item)

        def choose_better(best: Any, item: Any) -> Any:
            test = better(rank(item), rank(best))
            return branch(tracing, test, lambda: item, lambda: best)

        if indexed is not None:
            length = indexed.length(tracing)

            def over_items() -> Any:
                return fold(tracing, indexed, indexed.get(tracing, 0), choose_better, 1)

            def of_nothing() -> Any:
                if default is not DONT_CARE:
                    return default
                raise ValueError(f"{function.__name__}() arg is an empty sequence")

            test = OPS.py_gt(length, 0) if isinstance(length, Number) else length > 0
            return branch(tracing, test, over_items, of_nothing)
        items = list(iterate(args[0]) if len(args) == 1 else args)
        if not items:
            if default is not DONT_CARE:
                return default
            return function(items)
        best = items[0]
        for item in items[1:]:
            best = choose_better(best, item)
        return best

    return extreme


def staged_any(tracing: Tracing, iterable: Any) -> Any:
    """`any(iterable)`."""
    indexed = as_indexed(tracing, iterable)
    if indexed is not None:
        return fold(
            tracing,
            indexed,
            False,
            lambda seen, item: branch(
                tracing, seen, lambda: True, lambda: condition(tracing, item)
            ),
        )
    return _any_of(tracing, iter(iterate(iterable)))


def _any_of(tracing: Tracing, items: Any) -> Any:
    for item in items:
        flag = condition(tracing, item)
        if not isinstance(flag, bool):
            return branch(tracing, flag, lambda: True, lambda: _any_of(tracing, items))
        if flag:
            return True
    return False


def staged_all(tracing: Tracing, iterable: Any) -> Any:
    """`all(iterable)`."""
    indexed = as_indexed(tracing, iterable)
    if indexed is not None:
        return fold(
            tracing,
            indexed,
            True,
            lambda seen, item: branch(
                tracing, seen, lambda: condition(tracing, item), lambda: False
            ),
        )
    return _all_of(tracing, iter(iterate(iterable)))


def _all_of(tracing: Tracing, items: Any) -> Any:
    for item in items:
        flag = condition(tracing, item)
        if not isinstance(flag, bool):
            return branch(tracing, flag, lambda: _all_of(tracing, items), lambda: False)
        if not flag:
            return False
    return True
