"""Operators of Python's complex numbers where one is staged: plain Python on their parts."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from autograph.library import complex_numbers as library
from autograph.operators.calls.dispatch import call
from autograph.runtime.core.number import Number

OPERATORS: dict[Any, Callable[..., Any]] = {
    operator.add: library.add,
    operator.sub: library.subtract,
    operator.mul: library.multiply,
    operator.truediv: library.divide,
    operator.pow: library.power,
    operator.eq: library.equal,
    operator.ne: library.unequal,
    operator.neg: library.negative,
    operator.pos: library.positive,
    abs: library.length,
}
_REAL = (bool, int, float, complex)


def is_complex(value: Any) -> bool:
    """Whether a value is a complex number of Python's, staged or not."""
    return isinstance(value, complex) or (isinstance(value, Number) and value.kind is complex)


def of_complex(function: Any, *values: Any) -> Any:
    """An operator on numbers of which one is complex and one is staged; else NotImplemented."""
    if not any(map(is_complex, values)) or not any(isinstance(one, Number) for one in values):
        return NotImplemented
    if not all(isinstance(one, Number) or type(one) in _REAL for one in values):
        return NotImplemented
    if function in OPERATORS:
        return call(OPERATORS[function], *values)
    examples = (one.kind(1) if isinstance(one, Number) else one for one in values)
    return function(*examples)  # Python's own error
