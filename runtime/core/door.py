"""The one door: every op, eager or staged, taped or not, passes `apply`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograph.runtime.core.record import Op
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor, as_array

NO_ATTRIBUTES: Mapping[str, Any] = {}


def apply(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any] = NO_ATTRIBUTES) -> Any:
    """Apply `op` on the current interpreter; the tapes of this thread see it.

    `inputs` are tensors, arrays or Python numbers. Gives a Tensor or a tuple of them.
    """
    interpreter = STATE.interpreter
    if interpreter is not None:
        return interpreter.apply(op, inputs, attributes)
    outputs = eager(op, inputs, attributes)
    tapes = STATE.tapes
    if tapes:
        for tape in tapes:
            tape.record(op, inputs, attributes, outputs)
    return outputs


def eager(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Any:
    """Run the reference of `op` now."""
    values = [x._value if isinstance(x, Tensor) else operand(x) for x in inputs]
    result = op.reference(*values, **attributes) if attributes else op.reference(*values)
    if type(result) is tuple:
        return tuple(Tensor._of(_own(one, values)) for one in result)
    return Tensor._of(_own(result, values))


def assign(cell: Tensor, value: Tensor) -> None:
    """Put the value of `value` into `cell`: item assignment, and the assignment of a Variable."""
    interpreter = STATE.interpreter
    if interpreter is None:
        cell._value = value._value
    else:
        interpreter.assign(cell, value)


def operand(value: Any) -> Any:
    """What a reference gets for an input that is no tensor: Python numbers stay, weak in promotion.

    Raises ArgumentTypeError for what cannot become a tensor.
    """
    kind = type(value)
    if kind is float or kind is int or kind is bool:
        return value
    return as_array(value)


def _own(result: Any, values: list[Any]) -> np.ndarray[Any, Any]:
    """`result` as an array object of its own: tapes key on the identity of values."""
    if type(result) is not np.ndarray:
        return np.asarray(result)
    array: np.ndarray[Any, Any] = result
    for value in values:
        if value is result:
            return array.view()
    return array
