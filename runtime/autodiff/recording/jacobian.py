"""Jacobians: a backward pass for each element of the target, in a loop where these are many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.runtime.control.functional import while_loop
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor, describe
from autograph.runtime.graph.trace import wrap
from autograph.runtime.ops.table import OPS

Pull = Callable[[Any], Sequence[Any]]
"""From a gradient of the target to those of the sources, None for what is not connected."""

WRITTEN_OUT = 16
"""Rows up to which a trace has a backward pass for each; beyond, they are turns of a loop."""


def jacobian_rows(target: Tensor, sources: Sequence[Tensor], pull: Pull) -> list[Any]:
    """For each source the derivatives of all elements of `target`: its axes, then the source's."""
    target, sources = _staged(target), [_staged(one) for one in sources]
    shape = _sizes(target)
    flat = OPS.reshape(target, (-1,))
    found = _rows(target, sources, pull, OPS.dimension(flat, 0), lambda row: row)
    return [
        None if rows is None else OPS.reshape(rows, (*shape, *_sizes(source)))
        for rows, source in zip(found, sources, strict=True)
    ]


def batch_rows(target: Tensor, sources: Sequence[Tensor], pull: Pull) -> list[Any]:
    """The same for each element along axis 0 by itself: that axis, then the others of both.

    ValueError where `target` and a source differ in the size of that axis.
    """
    target, sources = _staged(target), [_staged(one) for one in sources]
    for source in sources:
        sizes = [one.shape[0] if one.ndim else None for one in (target, source)]
        known = all(isinstance(one, int) for one in sizes)
        if None in sizes or (known and sizes[0] != sizes[1]):
            raise ValueError(
                f"batch_jacobian needs one size of axis 0 for both, and the target is "
                f"{describe(target)}, the source {describe(source)}"
            )
    batch, *shape = _sizes(target)
    table = OPS.reshape(target, (batch, -1))

    def spread(row: Any) -> Any:
        return OPS.broadcast_like(OPS.expand_dims(row, 0), table)

    found = _rows(target, sources, pull, OPS.dimension(table, 1), spread)
    return [
        None
        if rows is None
        else OPS.reshape(OPS.moveaxis(rows, 0, 1), (batch, *shape, *_sizes(source)[1:]))
        for rows, source in zip(found, sources, strict=True)
    ]


def _staged(tensor: Tensor) -> Any:
    """A tensor with the sizes that the graph knows; a cell of the user's has those of the trace."""
    trace = STATE.interpreter
    return wrap(trace.value_of(tensor)) if trace is not None else tensor


def _sizes(tensor: Tensor) -> tuple[Any, ...]:
    """The sizes, numbers of the graph where they are not known."""
    return tuple(
        dim if isinstance(dim, int) else OPS.dimension(tensor, axis)
        for axis, dim in enumerate(tensor.shape)
    )


def _rows(
    target: Tensor,
    sources: Sequence[Tensor],
    pull: Pull,
    count: Any,
    spread: Callable[[Any], Any],
) -> list[Any]:
    """The gradients from each of `count` unit rows, which `spread` brings to the target's size."""

    def row(number: Any) -> Sequence[Any]:
        unit = OPS.astype(OPS.equal(OPS.arange(count), number), target.dtype)
        return pull(OPS.reshape_like(spread(unit), target))

    if STATE.interpreter is not None and not (isinstance(count, int) and count <= WRITTEN_OUT):
        return _looped(sources, row, count)
    rows = [row(number) for number in range(count)]
    return [_stacked([one[place] for one in rows], source) for place, source in enumerate(sources)]


def _stacked(rows: list[Any], source: Tensor) -> Any:
    if not rows:
        return OPS.reshape(OPS.zeros((0,), dtype=source.dtype), (0, *_sizes(source)))
    return None if rows[0] is None else OPS.stack(rows)


def _looped(
    sources: Sequence[Tensor], row: Callable[[Any], Sequence[Any]], count: Any
) -> list[Any]:
    """One backward pass in the graph, for all rows."""
    connected = [True] * len(sources)

    def body(number: Any, *lists: Any) -> tuple[Any, ...]:
        found = row(number)
        connected[:] = [one is not None for one in found]
        pushed = [
            OPS.list_push(items, OPS.zeros_like(source) if one is None else one)
            for items, one, source in zip(lists, found, sources, strict=True)
        ]
        return (number + 1, *pushed)

    empty = [
        OPS.apply("list_create", (), {"element": Spec(np.dtype(one.dtype), one.shape)})
        for one in sources
    ]
    _, *lists = while_loop(lambda number, *_: number < count, body, (0, *empty))
    return [
        OPS.list_stack(items) if is_connected else None
        for items, is_connected in zip(lists, connected, strict=True)
    ]
