"""Attributes of tensors and of staged Python numbers."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

from autograph.errors import StateError
from autograph.library import complex_numbers, sequences
from autograph.library.mathematics import (
    bit_count,
    bit_length,
    is_whole,
    ratio_of_float,
    ratio_of_int,
)
from autograph.operators.arrays.numpy_arrays import CELLS, array_attribute
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.truth import to_number
from autograph.operators.iterators.staged_iterables import dimension
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import PYTHON_TYPES
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing


def tensor_attribute(tracing: Tracing, tensor: Tensor, name: str) -> Any:
    """`tensor.name`."""
    if name == "shape":
        staged = tracing.region.trace.value_of(tensor, shown=False).spec
        return tuple(dimension(tensor, axis) for axis in range(len(staged.shape)))  # type: ignore[union-attr]
    if name == "size":
        total: Any = 1
        for size in tensor_attribute(tracing, tensor, "shape"):
            staged_size = isinstance(size, Number) or isinstance(total, Number)
            total = OPS.py_mul(total, size) if staged_size else total * size
        return total
    if name == "nbytes" and isinstance(tensor, CELLS):
        size, wide = tensor_attribute(tracing, tensor, "size"), tensor.dtype.itemsize
        return OPS.py_mul(size, wide) if isinstance(size, Number) else size * wide
    if isinstance(tensor, CELLS) and name != "tolist":
        return array_attribute(tensor, name)
    if name == "item":
        return functools.partial(item_of, tensor)
    if name == "tolist":
        return functools.partial(list_of, tracing, tensor)
    return getattr(tensor, name)


def item_of(tensor: Tensor) -> Number:
    """`tensor.item()`: the only element, as a staged Python number."""
    return to_number(tensor, PYTHON_TYPES.get(tensor.dtype.kind, int))


MOST_LISTED = 256
"""So many elements are a known list of numbers, where one of staged length was refused before."""


def list_of(tracing: Tracing, tensor: Tensor) -> Any:
    """`tensor.tolist()`: nested lists of staged Python numbers."""
    if not tensor.ndim:
        return to_number(tensor, PYTHON_TYPES.get(tensor.dtype.kind, int))
    sizes = [one for one in shape_of(tensor) if isinstance(one, int)]
    if len(sizes) == tensor.ndim and math.prod(sizes) <= MOST_LISTED:
        tracing.short_turns += 1
        if tracing.hints.writes_short:
            return _known_list(tracing, tensor, sizes)
    return call(sequences.nested_list, tensor)


def _known_list(tracing: Tracing, tensor: Any, sizes: Sequence[int], *places: int) -> Any:
    if len(places) == len(sizes):
        return to_number(OPS.getitem(tensor, places), PYTHON_TYPES.get(tensor.dtype.kind, int))
    parts = range(sizes[len(places)])
    return tracing.born([_known_list(tracing, tensor, sizes, *places, one) for one in parts])


_METHODS_OF_NUMBERS = {
    (False, "bit_count"): bit_count,
    (False, "bit_length"): bit_length,
    (True, "is_integer"): is_whole,
    (False, "as_integer_ratio"): ratio_of_int,
    (True, "as_integer_ratio"): ratio_of_float,
}


def number_attribute(number: Number, name: str) -> Any:
    """`number.name` of a staged Python number."""
    kind = number.kind
    if name == "__class__":
        return kind
    if kind is complex and name in ("real", "imag"):
        return OPS.py_real(number) if name == "real" else OPS.py_imag(number)
    if kind is complex and name == "conjugate":
        return functools.partial(call, complex_numbers.conjugate, number)
    if name in ("real", "numerator") and hasattr(kind, name):
        return OPS.py_int(number) if kind is bool else number
    if name == "imag" or (name == "denominator" and kind is not float):
        return 0.0 if kind is float else int(name == "denominator")
    if name == "conjugate":
        return lambda: number_attribute(number, "real")
    if (kind is float, name) in _METHODS_OF_NUMBERS:
        return functools.partial(call, _METHODS_OF_NUMBERS[kind is float, name], number)
    if hasattr(kind, name):
        raise StateError(
            f"attribute {name!r} of a staged {kind.__name__} is not staged",
            remedy="compute it with arithmetic",
        )
    raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
