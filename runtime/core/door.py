"""The one door: every op, eager or staged, taped or not, passes `apply`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.complex_use import require_real
from autograph.runtime.core.dtypes import SHORT_NAMES
from autograph.runtime.core.record import Op
from autograph.runtime.core.spec import Spec
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
    values = [x._value if isinstance(x, Tensor) else operand(x) for x in inputs]
    if dtypes.complex_in_use:
        _require_real(op, values, attributes)
    result = op.reference(*values, **attributes) if attributes else op.reference(*values)
    if "axis" in attributes and values and getattr(values[0], "ndim", 1) == 0:
        _require_axis(op, values, attributes)
    outputs: Any
    if type(result) is tuple:
        outputs = tuple(Tensor._of(_own(one, values)) for one in result)
    else:
        outputs = _new(Tensor)
        outputs._value = _own(result, values)
        outputs._mark = None
    tapes = STATE.tapes
    if tapes:
        for tape in tapes:
            tape.record(op, inputs, attributes, outputs)
    return outputs


def _require_axis(op: Op, values: Sequence[Any], attributes: Mapping[str, Any]) -> None:
    """AxisError for an axis of a 0-d tensor, which NumPy's reductions let pass."""
    if attributes["axis"] is not None and all(type(one) is _array for one in values):
        op.infer(*(Spec(one.dtype, one.shape) for one in values), **attributes)


def _require_real(
    op: Op, values: Sequence[Any], attributes: Mapping[str, Any] = NO_ATTRIBUTES
) -> None:
    require_real(op, [one.dtype for one in values if type(one) is _array], attributes)


_new = Tensor.__new__


def apply_two(op: Op) -> Callable[[Any, Any], Any]:
    """`apply` for an op of two operands, one of them a Tensor: the short way for operators.

    NotImplemented where an interpreter is active, or the operands need more care.
    """
    reference = op.reference

    def applied(x: Any, y: Any) -> Any:
        state = STATE
        if state.interpreter is not None:
            return NotImplemented
        left = x._value if isinstance(x, Tensor) else x if type(x) in _NUMBERS else None
        right = y._value if isinstance(y, Tensor) else y if type(y) in _NUMBERS else None
        if left is None or right is None:
            return NotImplemented
        if dtypes.complex_in_use:
            _require_real(op, (left, right))
        result = reference(left, right)
        output = _new(Tensor)
        output._value = result if type(result) is np.ndarray else np.asarray(result)
        output._mark = None
        if state.tapes:
            for tape in state.tapes:
                tape.record(op, (x, y), NO_ATTRIBUTES, output)
        return output

    return applied


def operator_method(
    op: Op, otherwise: Callable[[Tensor, Any], Any]
) -> Callable[[Tensor, Any], Any]:
    """The method of Tensor for an operator: eagerly, `apply` in one go; else `otherwise`."""
    reference = op.reference

    def method(self: Tensor, other: Any) -> Any:
        state = STATE
        if state.interpreter is not None:
            return otherwise(self, other)
        if isinstance(other, Tensor):
            right = other._value
        elif type(other) in _NUMBERS:
            right = other
        else:
            return otherwise(self, other)
        if dtypes.complex_in_use:
            _require_real(op, (self._value, right))
        result = reference(self._value, right)
        output = _new(Tensor)
        output._value = result if type(result) is _array else np.asarray(result)
        output._mark = None
        tapes = state.tapes
        if tapes:
            for tape in tapes:
                tape.record_two(op, self, other, output)
        return output

    return method


def function_of_one(
    op: Op, attributes: Mapping[str, Any] = NO_ATTRIBUTES
) -> Callable[[Tensor], Any]:
    """`apply` for an op of one tensor with one result, and always the same attributes."""
    reference = op.reference

    def function(x: Tensor) -> Any:
        state = STATE
        if state.interpreter is not None:
            return state.interpreter.apply(op, (x,), attributes)
        value = x._value
        if dtypes.complex_in_use:
            _require_real(op, (value,), attributes)
        result = reference(value, **attributes) if attributes else reference(value)
        output = _new(Tensor)
        if type(result) is not _array:
            result = np.asarray(result)
        output._value = result if result is not value else result.view()
        output._mark = None
        tapes = state.tapes
        if tapes:
            for tape in tapes:
                tape.record(op, (x,), attributes, output)
        return output

    return function


_NUMBERS = frozenset({bool, int, float})
_array = np.ndarray


def assign(cell: Tensor, value: Tensor) -> None:
    """Put the value of `value` into `cell`: item assignment, and the assignment of a Variable."""
    interpreter = STATE.interpreter
    if interpreter is None:
        for tape in STATE.tapes:
            tape.assigned(cell)
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
    if kind is np.ndarray and value.dtype in SHORT_NAMES and value.dtype.isnative:
        if value.dtype.kind == "c":
            dtypes.note_complex()
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
