"""Shapes that may not fit each other when the graph runs, inside an attempt: what tests them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograph.operators.strings.formatting import formatted, joined
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.record import Op
from autograph.runtime.core.spec import normalized_axes, normalized_axis
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.inference import same_size
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS

Risk = tuple[Any, Callable[[], Exception]]


def shape_text(sizes: Sequence[Any]) -> Any:
    """A shape in NumPy's words, which has none for a -1 at its head."""
    headless = sizes[1:] if sizes and type(sizes[0]) is int and sizes[0] < 0 else sizes
    words = ["newaxis" if type(one) is int and one < 0 else formatted(one) for one in headless]
    inside = [part for word in words for part in (",", word)][1:]
    return joined("(", *inside, ",)" if len(sizes) == 1 else ")")


def elementwise(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    """Tensors that do not broadcast."""
    tensors = [one for one in inputs if isinstance(one, Tensor | np.ndarray)]
    shapes = [shape_of(one) for one in tensors]
    bad: Any = False
    for axis in range(1, max(map(len, shapes), default=0) + 1):
        # A size that is 1 fits any other; the first that may be none is what the others must be.
        along = {
            shape[-axis]: OPS.dimension(one, len(shape) - axis)
            for one, shape in zip(tensors, shapes, strict=True)
            if len(shape) >= axis and shape[-axis] != 1
        }
        if len(along) > 1 and any(isinstance(size, Dim) for size in along):
            sizes = list(along.values())
            for place, size in enumerate(sizes):
                for other in sizes[:place]:
                    bad = _either(bad, _unlike(size, other))
    if bad is not False:
        yield bad, lambda: ValueError(_not_broadcast(tensors))


def _unlike(size: Any, other: Any) -> Any:
    """Whether two sizes differ, and neither is 1."""
    differ: Any = OPS.py_ne(size, other)
    for one in (size, other):
        differ = OPS.py_and(differ, OPS.py_ne(one, 1)) if not isinstance(one, int) else differ
    return differ


def _either(left: Any, right: Any) -> Any:
    return right if left is False else OPS.py_or(left, right)


def _not_broadcast(tensors: Sequence[Any]) -> Any:
    words: list[Any] = ["operands could not be broadcast together with shapes "]
    for one in tensors:
        words += [shape_text([OPS.dimension(one, axis) for axis in range(one.ndim)]), " "]
    return joined(*words)


def extremum(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    """An axis without elements, of which none is the largest or the smallest."""
    (x,) = inputs
    shape = shape_of(x)
    bad: Any = False
    for axis in normalized_axes(attributes.get("axis"), len(shape)):
        if isinstance(shape[axis], Dim):
            bad = _either(bad, OPS.py_eq(OPS.dimension(x, axis), 0))
    if bad is not False:
        words = {
            "max": "zero-size array to reduction operation maximum which has no identity",
            "min": "zero-size array to reduction operation minimum which has no identity",
        }
        otherwise = f"attempt to get {op.name} of an empty sequence"
        yield bad, lambda: ValueError(words.get(op.name, otherwise))


def product(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    """The columns of one matrix and the rows of the other."""
    axes = len(shape_of(inputs[0])) - 1, max(len(shape_of(inputs[1])) - 2, 0)
    if axes[0] < 0 or not shape_of(inputs[1]):
        return  # which the op itself says
    known = [shape_of(one)[axis] for one, axis in zip(inputs, axes, strict=True)]
    if known[0] != known[1] and same_size(*known):
        columns, rows = (OPS.dimension(one, axis) for one, axis in zip(inputs, axes, strict=True))
        signature = "with gufunc signature (n?,k),(k,m?)->(n?,m?)"
        words = (
            f"matmul: Input operand 1 has a mismatch in its core dimension 0, {signature} (size "
        )
        yield (
            OPS.py_ne(columns, rows),
            lambda: ValueError(
                joined(words, formatted(rows), " is different from ", formatted(columns), ")")
            ),
        )


def concatenated(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    """Tensors of other shapes but for the axis along which they are put."""
    shapes = [shape_of(one) for one in inputs]
    if not shapes[0] or len(set(map(len, shapes))) > 1:
        return  # which the op itself says
    along = normalized_axis(attributes.get("axis", 0), len(shapes[0]))
    words = "all the input array dimensions except for the concatenation axis must match exactly"
    for number, shape in enumerate(shapes):
        for axis, (size, wanted) in enumerate(zip(shape, shapes[0], strict=True)):
            if axis != along and size != wanted and same_size(size, wanted):
                own, first = OPS.dimension(inputs[number], axis), OPS.dimension(inputs[0], axis)
                places = f"{words}, but along dimension {axis}", number
                yield OPS.py_ne(own, first), partial(_not_joined, *places, first, own)


def _not_joined(words: str, number: int, first: Any, own: Any) -> Exception:
    text = f"{words}, the array at index 0 has size ", formatted(first)
    return ValueError(joined(*text, f" and the array at index {number} has size ", formatted(own)))


def stacked(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    """Tensors of other shapes."""
    first, *rest = inputs
    bad: Any = False
    for other in rest:
        for axis, (size, wanted) in enumerate(zip(shape_of(other), shape_of(first), strict=False)):
            if size != wanted:
                sizes = OPS.dimension(other, axis), OPS.dimension(first, axis)
                bad = _either(bad, OPS.py_ne(*sizes))
    if bad is not False:
        yield bad, lambda: ValueError("all input arrays must have the same shape")
