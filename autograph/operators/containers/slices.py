"""Slices of sequences whose bounds or length are staged: the positions they mean."""

from __future__ import annotations

import types
from typing import Any

from autograph.library import sequences as library
from autograph.operators.calls.dispatch import call, call_method, special_method
from autograph.operators.containers.rows import numbers
from autograph.operators.expressions.truth import to_number
from autograph.runtime.core.dtypes import int64
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor, no_index
from autograph.runtime.graph.ir import Value
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import current
from autograph.values.choice import Choice


def make_slice(start: Any = None, stop: Any = None, step: Any = None) -> slice:
    """`start:stop:step` inside an item."""
    return slice(start, stop, step)


def lesser(left: Any, right: Any) -> Any:
    """`min` of two ints, of which one may be staged."""
    staged = isinstance(left, Number) or isinstance(right, Number)
    return OPS.py_min2(left, right) if staged else min(left, right)


def greater(left: Any, right: Any) -> Any:
    """`max` of two ints, of which one may be staged."""
    staged = isinstance(left, Number) or isinstance(right, Number)
    return OPS.py_max2(left, right) if staged else max(left, right)


def as_index(bound: Any) -> Any:
    """A bound of a slice as Python takes it: an int, None, or a staged int."""
    if isinstance(bound, Tensor):
        if bound.ndim or bound.dtype.kind not in "iu":
            raise no_index(bound)
        return to_number(bound, int)
    if isinstance(bound, Number):
        if bound.kind is float:
            raise TypeError("slice indices must be integers or None or have an __index__ method")
        return bound if bound.kind is int else OPS.py_int(bound)
    if has_index(bound):
        return as_index(call_method(bound, "__index__"))
    return bound


def has_index(bound: Any) -> bool:
    """Whether a value has an `__index__` that is written in Python."""
    if isinstance(bound, Tensor | Number | Choice | int):  # Python asks no int, nor a subclass's
        return False
    return isinstance(special_method(type(bound), "__index__"), types.FunctionType)


def by_index(key: Any) -> Any:
    """A key of a sequence or tensor with ints for what has an `__index__` of the user's."""
    if isinstance(key, slice):
        bounds = (key.start, key.stop, key.step)
        return slice(*map(as_index, bounds)) if any(map(has_index, bounds)) else key
    if type(key) is tuple:
        return tuple(map(by_index, key))
    return as_index(key) if has_index(key) else key


def is_staged_slice(key: slice) -> bool:
    """Whether a bound is known only at run time."""
    return any(isinstance(part, Number | Tensor) for part in (key.start, key.stop, key.step))


def positions_of(key: slice, length: Any) -> Positions:
    """What a slice means for a sequence of this length."""
    start, stop, step = (as_index(part) for part in (key.start, key.stop, key.step))
    if step is None:
        step = 1
    if not isinstance(step, Number):
        slice(None, None, step).indices(0)  # zero, or no int: Python's own error
    else:
        call(library.check_step, step)
    backwards: Any = step < 0
    if not isinstance(backwards, bool):
        lower, upper = 0 - backwards, length - backwards
        first, last = lower + backwards * (upper - lower), upper + backwards * (lower - upper)
    else:
        lower, upper = (-1, length - 1) if backwards else (0, length)
        first, last = (upper, lower) if backwards else (lower, upper)
    begin = first if start is None else _clamped(start, length, lower, upper)
    end = last if stop is None else _clamped(stop, length, lower, upper)
    return Positions(begin, end, step)


def most_items(key: slice) -> int | None:
    """How many items a slice of a sequence has at most, whatever its length: None if unknown."""
    start, stop, step = key.start, key.stop, key.step
    if not (step is None or (isinstance(step, int) and step == 1)):
        return None
    if isinstance(start, int) and stop is None:
        return -start if start < 0 else None
    if isinstance(stop, int) and isinstance(start, int | None):
        first = start or 0
        return max(0, stop - first) if (first < 0) == (stop < 0) else None
    return _distance(start, stop)


def _distance(start: Any, stop: Any) -> int | None:
    """`stop - start`, where the one was made of the other and a known number: `i`, `i + 2`."""
    if not isinstance(start, Number) or not isinstance(stop, Number):
        return None
    tracing = current()
    assert tracing is not None
    trace = tracing.region.trace
    (first, before), (second, after) = [_offset(trace.lift(one._value)) for one in (start, stop)]
    return max(0, after - before) if first is second else None


def _offset(value: Any) -> tuple[Any, int]:
    """A value and a known int of which it is the sum; itself and 0 for any other."""
    node = value.node if isinstance(value, Value) else None
    if node is None or node.op.name not in ("py_add", "py_sub"):
        return value, 0
    one, other = node.inputs
    held = other.node.attributes.get("value") if other.node is not None else None
    if type(held) is not int:
        return value, 0
    first, more = _offset(one)
    return first, more + (held if node.op.name == "py_add" else -held)


def indices(key: slice, length: Any) -> tuple[Any, Any, Any]:
    """`key.indices(length)`."""
    found = positions_of(key, as_index(length))
    return found.start, found.stop, found.step


def _clamped(bound: Any, length: Any, lower: Any, upper: Any) -> Any:
    from_start = bound + length * (bound < 0)
    return greater(lesser(from_start, upper), lower)


class Positions:
    """`start`, `stop` and `step` of a slice, brought into range."""

    __slots__ = ("start", "step", "stop")

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    def count(self) -> Any:
        """How many there are."""
        if isinstance(self.step, int) and self.step == 1:
            return greater(self.stop - self.start, 0)
        return greater(0 - (self.start - self.stop) // self.step, 0)

    def tensor(self) -> Any:
        """All of them, in order."""
        return numbers(self.count()) * self.step + self.start

    def others(self, length: Any) -> Any:
        """The positions that the slice leaves out."""
        number = numbers(length)
        count = self.count()
        step = self.step
        if isinstance(step, int) and step == 1:
            rest = numbers(length - count)
            return rest + OPS.astype(rest >= self.start, int64) * count
        away = (number - self.start) * ((step > 0) * 2 - 1)
        stride = greater(step, 0 - step)
        inside = (away >= 0) & (away % stride == 0) & (away // stride < count)
        return OPS.nonzero(OPS.logical_not(inside))[0]
