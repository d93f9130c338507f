"""Sizes that only the run tells, side by side in one elementwise op.

Where the shapes of the operands name different sizes for an axis, and one of these may turn out to
be 1, whether it is repeated along that axis is decided when the graph runs: a node `stretch` says
so. After it, every size that the graph states is the real one.

Where both sizes may be 1, the first operand is stretched to the size of the two, which is a symbol
of its own (`mutual`), and then the second one to that of the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.runtime.core.dims import Dim, DimLike, Shape, may_be_one
from autograph.runtime.core.record import Effect, Movement, Op, Sample
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Value

FIRST, SECOND, ASSIGNED = "first", "second", "assigned"
"""What x is beside the other tensor: an operand before or after it, or what is assigned to it."""


def _infer(x: Spec, like: Spec, *, axes: tuple[int, ...], role: str, mutual: bool) -> Spec:
    shape: list[DimLike] = list(x.shape)
    for axis in axes:
        shape[axis] = Dim.fresh("b") if mutual else like.shape[axis]
    return Spec(x.dtype, tuple(shape))


def _reference(x: Any, like: Any, *, axes: tuple[int, ...], role: str, mutual: bool) -> Any:
    shape = list(x.shape)
    for axis in axes:
        if mutual and like.shape[axis] == 1:
            continue
        if shape[axis] not in (1, like.shape[axis]):
            raise ValueError(mismatch(x.shape, like.shape, role=role))
        shape[axis] = like.shape[axis]
    return np.broadcast_to(x, shape)


def mismatch(*shapes: Sequence[int], role: str = FIRST) -> str:
    """NumPy's words for shapes that do not broadcast together."""
    words = [str(tuple(each)).replace(" ", "") for each in shapes]
    if role == ASSIGNED:
        return f"could not broadcast input array from shape {words[0]} into shape {words[1]}"
    if role == SECOND:
        words.reverse()
    return f"operands could not be broadcast together with shapes {' '.join(words)} "


STRETCH: Op = Op(
    name="stretch",
    summary="x with axes (counted from the end) of size 1 repeated to the sizes of another tensor; "
    "other sizes must be equal. `role`: what x is, for the words of the error.",
    infer=_infer,
    reference=_reference,
    gradient=(lambda o, g, out, x, like, *, axes, role, mutual: o.sum_like(g, x), None),
    lowering=Movement("stretch"),
    effect=Effect.MAY_RAISE,
    samples=(
        Sample(
            ([[1.0], [2.0]], [[1.0, 2.0, 3.0]]), {"axes": (-1,), "role": FIRST, "mutual": False}
        ),
        Sample(([[1.0, 2.0]], [[3.0], [4.0]]), {"axes": (-2,), "role": SECOND, "mutual": True}),
        Sample(([1.0, 2.0], [3.0, 4.0]), {"axes": (-1,), "role": ASSIGNED, "mutual": False}),
    ),
)


class Stretch(NamedTuple):
    """That an operand is to be stretched like another one, along some axes."""

    number: int
    like: int
    axes: tuple[int, ...]
    mutual: bool
    """Whether the size of the other one may be 1, too."""


def needed(values: Sequence[Value]) -> list[Stretch]:
    """What is to be done to the operands of an elementwise op."""
    shapes = [one.spec.shape if isinstance(one.spec, Spec) else () for one in values]
    wanted: dict[tuple[int, int, bool], list[int]] = {}
    for axis in range(-max(map(len, shapes), default=0), 0):
        dims = {k: shape[axis] for k, shape in enumerate(shapes) if len(shape) >= -axis}
        if len(set(dims.values()) - {1}) < 2:
            continue
        like = _model(dims)
        for number, dim in dims.items():
            if dim != dims[like] and may_be_one(dim) and isinstance(dim, Dim):
                wanted.setdefault((number, like, may_be_one(dims[like])), []).append(axis)
    return [Stretch(one, like, tuple(axes), both) for (one, like, both), axes in wanted.items()]


def differing(shape: Shape, like: Shape) -> tuple[int, ...]:
    """The axes, from the end, along which a value of `shape` may not be as long as `like`."""
    return tuple(
        axis
        for axis in range(-min(len(shape), len(like)), 0)
        if shape[axis] != like[axis]
        and shape[axis] != 1
        and (isinstance(shape[axis], Dim) or isinstance(like[axis], Dim))
    )


def _model(dims: dict[int, DimLike]) -> int:
    """The operand whose size is that of the result: a known one, or one that is never 1."""
    known = [k for k, dim in dims.items() if isinstance(dim, int) and dim != 1]
    never_one = [k for k, dim in dims.items() if not may_be_one(dim)]
    others = [k for k, dim in dims.items() if dim != 1]
    return (known or never_one or others)[0]
