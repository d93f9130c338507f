"""Chained comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.expressions.arithmetic import COMPARISONS
from autograph.operators.expressions.conditional_expression import branch, watch_cells
from autograph.operators.expressions.identity import is_, is_not
from autograph.operators.expressions.membership import in_, not_in
from autograph.operators.expressions.truth import condition
from autograph.tracing.tracing import current

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
        watch_cells(tracing, thunk)
        return go_on()

    return branch(tracing, flag, go_on_watched, lambda: result)
