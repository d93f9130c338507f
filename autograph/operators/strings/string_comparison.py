"""Comparisons of strings of which one has staged parts."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograph.operators.strings.character_rows import code_row, only_letter
from autograph.runtime.core.number import Number
from autograph.runtime.ops.table import OPS
from autograph.strings.digits import Row, length_of, taken
from autograph.tracing.tracing import Tracing

NUMBERS = {
    operator.eq: "py_eq",
    operator.ne: "py_ne",
    operator.lt: "py_lt",
    operator.le: "py_le",
    operator.gt: "py_gt",
    operator.ge: "py_ge",
}
END = np.array([-1], np.int64)
"""What stands behind the last character: less than all of them."""


def compare_texts(tracing: Tracing, function: Any, left: Any, right: Any) -> Any:
    """`left == right`, `left < right` and the like: a bool, staged or not."""
    letters = only_letter(left), only_letter(right)
    if None not in letters:
        return getattr(OPS, NUMBERS[function])(*letters)
    one, other = code_row(tracing, left), code_row(tracing, right)
    if function in (operator.eq, operator.ne):
        same = _are_equal(one, other)
        return same if function is operator.eq else OPS.py_not(same)
    return _in_order(function, one, other)


def _are_equal(one: Row, other: Row) -> Any:
    lengths = length_of(one), length_of(other)
    if all(isinstance(length, int) for length in lengths):
        if lengths[0] != lengths[1]:
            return False
        return _all(OPS.equal(one, other)) if lengths[0] else True
    return _all(OPS.equal(*_aligned(one, other)))


def _aligned(one: Row, other: Row) -> tuple[Row, Row]:
    """As many characters of both as the shorter one has, and one more: an end, at least in one."""
    count = OPS.py_add(OPS.py_min2(length_of(one), length_of(other)), 1)
    places = OPS.arange(count)
    return taken(OPS.concat([one, END]), places), taken(OPS.concat([other, END]), places)


def _in_order(function: Any, one: Row, other: Row) -> Any:
    """By the first characters that differ; an end is less than any character."""
    first, second = _aligned(one, other)
    place = OPS.argmax(OPS.not_equal(first, second))
    codes = [
        OPS.to_number(taken(row, OPS.reshape(place, (1,))), kind=int) for row in (first, second)
    ]
    return getattr(OPS, NUMBERS[function])(*codes)


def _all(flags: Any) -> Number:
    found: Number = OPS.to_number(OPS.all(flags), kind=bool)
    return found
