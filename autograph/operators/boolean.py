"""`and`, `or`, chained comparison and the conditional expression: they evaluate what is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.effects.places import CellPlace
from autograph.effects.switch import switch
from autograph.effects.tracing import Tracing, current
from autograph.operators.arithmetic import COMPARISONS, in_, is_, is_not, not_in
from autograph.operators.conditions import as_value, condition

Thunk = Callable[[], Any]

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": COMPARISONS["lt"],
    "<=": COMPARISONS["le"],
    ">": COMPARISONS["gt"],
    ">=": COMPARISONS["ge"],
    "==": COMPARISONS["eq"],
    "!=": COMPARISONS["ne"],
    "is": is_,
    "is not": is_not,
    "in": in_,
    "not in": not_in,
}


def branch(tracing: Tracing | None, test: Any, if_true: Thunk, if_false: Thunk) -> Any:
    """The value of one of two expressions."""
    if tracing is None:
        return if_true() if test else if_false()
    flag = condition(tracing, test)
    if isinstance(flag, bool):
        return if_true() if flag else if_false()
    # Thunks share the cells of their function: what a walrus in them assigns is logged.
    watched = [watching(tracing, if_false), watching(tracing, if_true)]
    return switch(tracing, as_value(tracing, flag), watched, "the value of an expression")


def watching(tracing: Tracing, thunk: Thunk) -> Thunk:
    """A thunk that logs the variables it shares with its function before it runs."""

    def run() -> Any:
        _watch_cells(tracing, thunk)
        return thunk()

    return run


def if_exp(test: Any, body: Thunk, orelse: Thunk) -> Any:
    """`body if test else orelse`."""
    return branch(current(), test, body, orelse)


def and_(first: Any, *others: Thunk) -> Any:
    """`first and …`: the first falsy operand, or the last one."""
    value = first
    for number, other in enumerate(others):
        tracing = current()
        if tracing is None:
            if not value:
                return value
            value = other()
            continue
        flag = condition(tracing, value)
        if not isinstance(flag, bool):
            rest = others[number:]
            kept = value
            return branch(tracing, flag, _nested(and_, rest), lambda kept=kept: kept)
        if not flag:
            return value
        value = other()
    return value


def or_(first: Any, *others: Thunk) -> Any:
    """`first or …`: the first truthy operand, or the last one."""
    value = first
    for number, other in enumerate(others):
        tracing = current()
        if tracing is None:
            if value:
                return value
            value = other()
            continue
        flag = condition(tracing, value)
        if not isinstance(flag, bool):
            rest = others[number:]
            kept = value
            return branch(tracing, flag, lambda kept=kept: kept, _nested(or_, rest))
        if flag:
            return value
        value = other()
    return value


def _nested(operator: Callable[..., Any], rest: tuple[Thunk, ...]) -> Thunk:
    """The remaining operands as one thunk; its closure is theirs, for the log."""
    if len(rest) == 1:
        return rest[0]
    tracing = current()
    assert tracing is not None

    def run() -> Any:
        for thunk in rest:
            _watch_cells(tracing, thunk)
        return operator(rest[0](), *rest[1:])

    return run


def _watch_cells(tracing: Tracing, thunk: Thunk) -> None:
    for name, cell in zip(thunk.__code__.co_freevars, thunk.__closure__ or (), strict=True):
        if name != "ag__":
            tracing.touch(CellPlace(cell, name))


def compare_chain(left: Any, first: str, middle: Any, *rest: Any) -> Any:
    """`left < middle < …`: operands after the second are evaluated only while all hold."""
    result = _COMPARE[first](left, middle)
    if not rest:
        return result
    symbol, thunk, *others = rest

    def go_on() -> Any:
        return compare_chain(middle, symbol, thunk(), *others)

    tracing = current()
    if tracing is None:
        return result and go_on()
    flag = condition(tracing, result)
    if isinstance(flag, bool):
        return go_on() if flag else result

    def go_on_watched() -> Any:
        _watch_cells(tracing, thunk)
        return go_on()

    return branch(tracing, flag, go_on_watched, lambda: result)
