"""`cond` and `while_loop` as functions: eagerly plain Python, in a trace one node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.control.building import build_cond, build_while, while_step
from autograph.runtime.control.joining import JoinError
from autograph.runtime.control.structure import flatten, same_structure
from autograph.runtime.core.number import Number
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import StagedList, Trace


def cond(
    predicate: Any,
    true_function: Callable[..., Any],
    false_function: Callable[..., Any],
    operands: tuple[Any, ...] = (),
) -> Any:
    """`true_function(*operands)` if `predicate` else `false_function(*operands)`.

    `predicate` is a 0-d tensor or a number. In a trace both functions run once, and must give the
    same nesting of lists, tuples and dicts, with equal dtypes and ranks at each leaf; TypeError
    where they do not. Sizes may differ.
    """
    _check_scalar(predicate, "the predicate of a cond")
    trace = STATE.interpreter
    if not (isinstance(trace, Trace) and is_staged(predicate)):
        return true_function(*operands) if predicate else false_function(*operands)
    results: list[Any] = []

    def branch(function: Callable[..., Any]) -> Callable[[], list[Any]]:
        def run() -> list[Any]:
            results.append(function(*operands))
            return [leaf for leaf in flatten(results[-1])[0] if leaf is not None]

        return run

    outputs = build_cond(trace, predicate, (branch(false_function), branch(true_function)))
    if not same_structure(*results):
        raise JoinError("the two functions of a cond give results that do not nest alike")
    return _refill(results[0], results[1], outputs)


def _refill(one: Any, other: Any, outputs: tuple[Any, ...]) -> Any:
    leaves, rebuild = flatten(one)
    for mine, its in zip(leaves, flatten(other)[0], strict=True):
        if (mine is None) is not (its is None):
            raise JoinError("one function of a cond gives None where the other gives a value")
    rest = iter(outputs)
    return rebuild([None if leaf is None else next(rest) for leaf in leaves])


def while_loop(
    test: Callable[..., Any],
    body: Callable[..., Any],
    loop_variables: tuple[Any, ...] | list[Any],
) -> Any:
    """`while test(*state): state = body(*state)`; gives the last state, nested as it began.

    `body` gives one value for each loop variable. In a trace each runs once, and a turn must keep
    nesting, dtypes and ranks; TypeError where it does not. Sizes may change. A Python number stays
    one.
    """
    state = tuple(loop_variables)
    trace = STATE.interpreter
    while True:
        go = test(*state)
        if isinstance(trace, Trace) and any(map(is_staged, (go, *flatten(state)[0]))):
            return type(loop_variables)(_staged_while(trace, test, body, state))
        if not go:
            return type(loop_variables)(state)
        state = _checked(body(*state), len(state))


def _staged_while(
    trace: Trace, test: Callable[..., Any], body: Callable[..., Any], state: tuple[Any, ...]
) -> Any:
    leaves, rebuild = flatten(state)

    def flat_body(*values: Any) -> list[Any]:
        after = _checked(body(*rebuild(values)), len(state))
        if not same_structure(after, state):
            raise JoinError("the body of a while_loop changes how its variables nest")
        return flatten(after)[0]

    def flat_test(*values: Any) -> Any:
        go = test(*rebuild(values))
        _check_scalar(go, "the test of a while_loop")
        return go

    return rebuild(build_while(trace, leaves, while_step(flat_test, flat_body)))


def _checked(after: Any, count: int) -> tuple[Any, ...]:
    result = tuple(after) if isinstance(after, tuple | list) else (after,)
    if len(result) != count:
        raise JoinError(f"the body of a while_loop gives {len(result)} values for {count}")
    return result


def _check_scalar(value: Any, what: str) -> None:
    if isinstance(value, Tensor | np.ndarray) and value.ndim:
        raise ValueError(f"{what} has shape {tuple(value.shape)}; it must be 0-d (use all or any)")


def is_staged(value: Any) -> bool:
    """Whether a value is known only when the graph runs."""
    if isinstance(value, Number | StagedList):
        return True
    return isinstance(value, Tensor) and not isinstance(value._value, np.ndarray)
