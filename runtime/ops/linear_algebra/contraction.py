"""Sums of products over chosen axes, and what is made of them: tensordot, diagonals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.spec import ShapeError, normalized_axis
from autograph.runtime.ops.inference import same_size
from autograph.runtime.ops.shaping.shapes import shape_of


def tensordot(o: Any, x: Any, y: Any, /, axes: Any = 2) -> Any:
    """The sums of products over pairs of axes.

    `axes` is a number n (the last n axes of x with the first n of y) or two sequences of axes. The
    result has the other axes of x, then those of y. ValueError where the numbers of axes differ.
    """
    x, y = o.operands((x, y))
    if isinstance(axes, int):
        left, right = list(range(x.ndim - axes, x.ndim)), list(range(axes))
    else:
        left = [normalized_axis(one, x.ndim) for one in _several(axes[0])]
        right = [normalized_axis(one, y.ndim) for one in _several(axes[1])]
    if len(left) != len(right):
        raise ValueError(f"{len(left)} axes of the first tensor beside {len(right)} of the second")
    for one, other in zip(left, right, strict=True):
        if not same_size(shape_of(x)[one], shape_of(y)[other]):
            sizes = f"{shape_of(x)[one]} and {shape_of(y)[other]}"
            raise ShapeError(f"tensordot: axes {one} and {other} have sizes {sizes}")
    outer = [one for one in range(x.ndim) if one not in left]
    inner = [one for one in range(y.ndim) if one not in right]
    rows = o.permute_dims(x, (*outer, *left)) if x.ndim else x
    columns = o.permute_dims(y, (*right, *inner)) if y.ndim else y
    shape = [o.dimension(x, one) for one in outer] + [o.dimension(y, one) for one in inner]
    size = product([o.dimension(x, one) for one in left])
    flat = o.matmul(
        o.reshape(rows, (product([o.dimension(x, one) for one in outer]), size)),
        o.reshape(columns, (size, product([o.dimension(y, one) for one in inner]))),
    )
    return o.reshape(flat, tuple(shape))


def _several(axes: Any) -> Sequence[int]:
    return [axes] if isinstance(axes, int) else list(axes)


def product(sizes: Sequence[Any]) -> Any:
    """The number of elements of these sizes."""
    total: Any = 1
    for size in sizes:
        total = total * size
    return total


def trace(o: Any, x: Any, /, offset: int = 0, *, dtype: Any = None) -> Any:
    """The sum along a diagonal of the last two axes, in `dtype` where one is given."""
    return o.sum(diagonal(o, x, offset=offset), axis=-1, dtype=dtype)


def diagonal(o: Any, x: Any, /, offset: int = 0) -> Any:
    """The elements of a diagonal of the last two axes, `offset` places above the main one."""
    x = o.asarray_or_same(x)
    if x.ndim < 2:
        raise ValueError(f"a diagonal is one of two axes, and the tensor has {x.ndim}")
    rows, columns = o.dimension(x, -2), o.dimension(x, -1)
    above, below = max(offset, 0), max(-offset, 0)
    if isinstance(rows, int) and isinstance(columns, int):
        size = max(min(rows - below, columns - above), 0)
    else:
        size = o.maximum(o.minimum(rows - below, columns - above), 0)
    places = o.arange(size)
    return x[..., places + below, places + above]


def dot(o: Any, x: Any, y: Any, /) -> Any:
    """NumPy's dot: over the last axis of x and the last but one (or the only one) of y."""
    x, y = o.operands((x, y))
    if not x.ndim or not y.ndim:
        return o.multiply(x, y)
    return tensordot(o, x, y, axes=((-1,), (-2 if y.ndim > 1 else -1,)))


def inner(o: Any, x: Any, y: Any, /) -> Any:
    """NumPy's inner: over the last axes of x and y."""
    x, y = o.operands((x, y))
    if not x.ndim or not y.ndim:
        return o.multiply(x, y)
    return tensordot(o, x, y, axes=((-1,), (-1,)))


def cross(o: Any, x: Any, y: Any, /, *, axis: int = -1) -> Any:
    """The vector at right angles to x and y, along an axis of size 3 of both. They broadcast."""
    x, y = o.operands((x, y))
    for one in (x, y):
        size = o.dimension(one, normalized_axis(axis, one.ndim))
        if not isinstance(size, int):
            raise StagingError(
                "cross takes axes of size 3, not one whose size is known only at run time",
                remedy="take the three parts by their numbers, and stack them: ag.stack([x[0], …])",
            )
        if size != 3:
            raise ValueError(f"cross takes axes of size 3, not {size}")
    turned = (o.roll(one, shift, axis=axis) for one in (x, y) for shift in (-1, -2))
    x1, x2, y1, y2 = turned
    return x1 * y2 - x2 * y1


FUNCTIONS = (tensordot, trace, diagonal, dot, inner, cross)
