"""Known Python ints beyond int64 beside staged numbers: what Python computes with them as floats.

A staged int holds 64 bits. A float takes any int that a float can hold, and compares with every
int exactly.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from autograph.runtime.core.record import Op

_COMPARED = {
    f"py_{one.__name__}": one
    for one in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
}
_COMPUTED = ("py_add", "py_sub", "py_mul", "py_truediv", "py_floordiv", "py_mod", "py_pow")


def is_large(value: Any) -> bool:
    """Whether a value is a Python int that no staged int can be."""
    return type(value) is int and not -(2**63) <= value < 2**63


def beside_large(op: Op, values: tuple[Any, ...]) -> tuple[Any, ...] | bool | None:
    """Operands of which each can be staged, or the result; None where nothing is to be changed."""
    if len(values) != 2 or not any(map(is_large, values)):
        return None
    left, right = values
    number, large = (right, left) if is_large(left) else (left, right)
    compare = _COMPARED.get(op.name)
    if number.kind is not float:  # each int64 lies on the same side of it
        if compare is None:
            return None
        return bool(compare(large, 0) if number is right else compare(0, large))
    if compare is None:
        if op.name not in _COMPUTED:
            return None
        plain = float(large)  # raises what Python raises
        return (number, plain) if number is left else (plain, number)
    if op.name in ("py_eq", "py_ne") and not _is_a_float(large):
        return op.name == "py_ne"
    # Between the two floats beside the int there is none: each sign has one that stands for it.
    stands = _next_above if (op.name in ("py_lt", "py_ge")) is (number is left) else _next_below
    plain = float(large) if _is_a_float(large) else stands(large)
    return (number, plain) if number is left else (plain, number)


def _is_a_float(large: int) -> bool:
    try:
        return int(float(large)) == large
    except OverflowError:
        return False


def _next_below(large: int) -> float:
    try:
        nearest = float(large)
    except OverflowError:
        nearest = math.inf if large > 0 else -math.inf
    if nearest == -math.inf or (nearest != math.inf and int(nearest) < large):
        return nearest
    return math.nextafter(nearest, -math.inf)


def _next_above(large: int) -> float:
    return -_next_below(-large)
