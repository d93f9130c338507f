"""`range` of staged bounds."""

from __future__ import annotations

from functools import partial
from typing import Any

from autograph.operators.containers.slices import as_index, has_index
from autograph.operators.expressions.arithmetic import COMPARISONS
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.truth import choose, to_number
from autograph.operators.iterators.staged_iterables import StagedRange
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor, no_index
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice


def make_range(tracing: Tracing, *bounds: Any) -> Any:
    for number, bound in enumerate(bounds):
        if isinstance(bound, Choice):
            return choose(
                tracing,
                bound,
                partial(_range_among, tracing, bounds[:number], bounds[number + 1 :]),
            )
    bounds = tuple(map(as_index, bounds)) if any(map(has_index, bounds)) else bounds
    if not any(isinstance(bound, Number | Tensor) for bound in bounds):
        return range(*bounds)
    numbers = [_range_bound(bound) for bound in bounds]
    if len(numbers) == 3:
        branch(tracing, COMPARISONS["eq"](numbers[2], 0), _zero_step, lambda: None)
    if len(numbers) == 1:
        return StagedRange(0, numbers[0], 1)
    start, stop, step = numbers if len(numbers) == 3 else (*numbers, 1)
    return StagedRange(start, stop, step)


def _zero_step() -> None:
    raise ValueError("range() arg 3 must not be zero")


def _range_among(
    tracing: Tracing, before: tuple[Any, ...], after: tuple[Any, ...], bound: Any
) -> Any:
    return make_range(tracing, *before, bound, *after)


def _range_bound(bound: Any) -> Any:
    if isinstance(bound, Number):
        if bound.kind is float:
            raise TypeError("'float' object cannot be interpreted as an integer")
        return bound if bound.kind is int else OPS.py_int(bound)
    if isinstance(bound, Tensor):
        if bound.ndim or bound.dtype.kind not in "iu":
            raise no_index(bound)
        return to_number(bound, int)
    return as_index(bound)
