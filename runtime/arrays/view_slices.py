"""A slice of a slice as one slice of the array: loops that halve an array keep one type of view."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS

WHOLE = slice(None)


def composed(base: Any, first: Any, second: Any, part: Any) -> Any:
    """The key that takes of `base` what `second` takes of `part`, which `first` takes of it.

    None where one of these is not made of slices whose steps are known and go forward.
    """
    outer, inner = _slices(first), _slices(second)
    if outer is None or inner is None or len(inner) > part.ndim:
        return None
    count = max(len(outer), len(inner))
    outer += (WHOLE,) * (count - len(outer))
    inner += (WHOLE,) * (count - len(inner))
    key = [
        _one_slice(one, other, OPS.dimension(base, axis), OPS.dimension(part, axis))
        for axis, (one, other) in enumerate(zip(outer, inner, strict=True))
    ]
    return key[0] if count == 1 else tuple(key)


def _slices(key: Any) -> tuple[slice, ...] | None:
    keys = key if isinstance(key, tuple) else (key,)
    return keys if keys and all(map(_is_simple, keys)) else None


def _is_simple(key: Any) -> bool:
    """Whether a key is a slice with a known step forward; one with wrong bounds is none."""
    if not isinstance(key, slice):
        return False
    forward = key.step is None or (type(key.step) is int and key.step > 0)
    return forward and _is_bound(key.start) and _is_bound(key.stop)


def _is_bound(bound: Any) -> bool:
    if isinstance(bound, Tensor):
        return not bound.ndim and bound.dtype.kind in "iu"
    if isinstance(bound, Number):
        return bound.kind is int
    return bound is None or type(bound) is int


def _one_slice(first: slice, second: slice, size: Any, length: Any) -> slice:
    """The slice of an axis of `size` that takes what `second` takes of the `length` of `first`."""
    if _is_whole(second):
        return first
    if _is_whole(first):
        return second
    step = first.step or 1
    start = 0 if first.start is None else _place(first.start, size)
    begin = 0 if second.start is None else _place(second.start, length)
    end = length if second.stop is None else _place(second.stop, length)
    steps = step * (second.step or 1)
    return slice(start + step * begin, start + step * end, None if steps == 1 else steps)


def _is_whole(key: slice) -> bool:
    return key.start is None and key.stop is None and key.step in (None, 1)


def _place(bound: Any, size: Any) -> Any:
    """A bound counted from the start, within the axis."""
    if isinstance(bound, Tensor):
        bound = OPS.to_number(bound, kind=int)
    negative: Any = bound < 0
    if isinstance(bound, Number):
        bound = bound + size * negative
    elif negative:
        bound = bound + size
    if not isinstance(bound, Number) and not isinstance(size, Number):
        return min(max(bound, 0), size)
    return OPS.py_min2(OPS.py_max2(bound, 0), size)
