"""`and`, `or` and `x if c else y`; a staged condition goes to `conditional_expression`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.control.branch import Unreachable
from autograph.operators.expressions.conditional_expression import Thunk, branch, watch_cells
from autograph.operators.expressions.truth import PLAIN, choose, condition
from autograph.tracing.tracing import current
from autograph.values.choice import Choice


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

            def keep(kept: Any = value) -> Any:
                return _kept(kept, False)  # by default argument: a cell of its own would be logged

            return branch(tracing, flag, _nested(and_, rest), keep)
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

            def keep(kept: Any = value) -> Any:
                return _kept(kept, True)  # by default argument: a cell of its own would be logged

            return branch(tracing, flag, keep, _nested(or_, rest))
        if flag:
            return value
        value = other()
    return value


def _kept(value: Any, truth: bool) -> Any:
    """An operand whose truth is this: of a choice, the options that may be."""
    tracing = current()
    if tracing is None or not isinstance(value, Choice):
        return value

    def option_or_nothing(option: Any) -> Any:
        if type(option) in PLAIN and bool(option) is not truth:
            raise Unreachable  # the paths that come here have another option
        return option

    if any(type(one) in PLAIN for one in value.options):
        return choose(tracing, value, option_or_nothing)
    return value


def _nested(operator: Callable[..., Any], rest: tuple[Thunk, ...]) -> Thunk:
    """The remaining operands as one thunk; its closure is theirs, for the log."""
    if len(rest) == 1:
        return rest[0]
    tracing = current()
    assert tracing is not None

    def run() -> Any:
        for thunk in rest:
            watch_cells(tracing, thunk)
        return operator(rest[0](), *rest[1:])

    return run
