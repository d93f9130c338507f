"""`x[key] = value`: puts a tensor with that part replaced into the cell of x.

What NumPy would make a view (a slice, a transpose, a reshape) is a value here: it is marked
`derived`, and assigning an item of it raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core.door import apply, assign
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import normalized_axis
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import describe
from autograph.runtime.graph.stretch import ASSIGNED, STRETCH, differing
from autograph.runtime.ops.indexing.entries import WHOLE, Slice
from autograph.runtime.ops.indexing.index_ops import require_integers
from autograph.runtime.ops.indexing.subscript import (
    Array,
    Entry,
    check_mask,
    checked,
    lay_out,
    merged_axes,
    without_truths,
)
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.shaping.views import DERIVED


class DerivedError(TypeError):
    """Item assignment to a slice, transpose or reshape.

    These are values, not views: assign into the tensor itself, or copy first.

        def f(x):
            row = x[0]
            row[0] = 9.0
            return x                        # f(t([[1.0, 2.0]])): DerivedError, eager DerivedError
        def f(x):
            x[0, 0] = 9.0
            return x                        # instead
    """


# writing ------------------------------------------------------------------------------------------
def setitem(o: Any, x: Any, key: Any, value: Any) -> None:
    """`x[key] = value`: puts into the cell x a tensor with that part replaced.

    `value` broadcasts, and is cast to the dtype of x as NumPy's assignment does.
    """
    if x._mark is DERIVED:
        raise DerivedError(
            f"item assignment to a part or another form of a tensor, {describe(x)}: slices, "
            "transposes and reshapes are values, not views; assign into the tensor itself, as "
            "x[0, 1] = v, or copy it first: y = ag.copy(x[0])"
        )
    assign(x, updated(o, x, key, value))


def updated(o: Any, x: Any, key: Any, value: Any) -> Any:
    """`x` after `x[key] = value`, as another tensor."""
    masked = without_truths(o, x, key)
    if masked is not None:
        wider, keys, axes = masked
        return o.squeeze(updated(o, wider, keys, value), tuple(axes))
    value = _cast(o, value, x.dtype)
    layout = lay_out(o, x, key)
    if layout.is_basic:
        index = checked(o, x, layout.entries)
        value = _fitted(o, value, _rank(x, index))
        value = _stretched(o, value, lambda: o.apply("index", (x,), {"index": index}))
        return o.apply("index_set", (x, value), {"index": index})
    entries = layout.entries
    arrays = [i for i, entry in enumerate(entries) if isinstance(entry, Array)]
    if not value.ndim and len(arrays) == 1 and entries[arrays[0]].tensor.dtype.kind == "b":
        if all(i in arrays or (entry is WHOLE) for i, entry in enumerate(entries)):
            return _where_mask(o, x, entries, arrays[0], value)
    if entries[0] is not WHOLE and all(
        entry is WHOLE or not (entry is None or isinstance(entry, Slice)) for entry in entries
    ):
        merged, axis, positions = merged_axes(o, x, list(entries))
        if axis == 0 and _leading(entries):
            return o.reshape_like(_scatter(o, merged, positions, value), x)
    # In general: the same index of a tensor that holds the place of each element.
    flat = o.reshape(x, (-1,))
    places = o.reshape_like(o.arange(o.dimension(flat, 0)), x)
    chosen = o.getitem(places, key)
    value = o.broadcast_like(_fitted(o, value, chosen.ndim), chosen)
    written = o.apply("scatter_set", (flat, chosen, value), {"axis": 0})
    return o.reshape_like(written, x)


def _leading(entries: list[Entry]) -> bool:
    """Whether the indexed axes are the first ones."""
    indexed = [entry is not WHOLE for entry in entries]
    return indexed == sorted(indexed, reverse=True)


def _scatter(o: Any, x: Any, positions: Any, value: Any) -> Any:
    if STATE.interpreter is not None:
        positions = o.checked_indices(positions, x, axis=0)
    value = _fitted(o, value, positions.ndim + x.ndim - 1)
    value = _stretched(o, value, lambda: o.apply("take", (x, positions), {"axis": 0}))
    return o.apply("scatter_set", (x, positions, value), {"axis": 0})


def _where_mask(o: Any, x: Any, entries: list[Entry], place: int, value: Any) -> Any:
    mask = entries[place].tensor
    check_mask(x, mask, place)
    if 0 in shape_of(mask):
        return o.copy(x)
    for _ in range(x.ndim - place - mask.ndim):
        mask = o.expand_dims(mask, -1)
    return o.broadcast_like(o.where(mask, value, x), x)


def _rank(x: Any, index: tuple[Any, ...]) -> int:
    return sum(entry is None or isinstance(entry, Slice) for entry in index)


def _fitted(o: Any, value: Any, rank: int) -> Any:
    """`value` without leading axes of size 1 beyond `rank`, which NumPy's assignment ignores."""
    while value.ndim > rank and value.shape[0] == 1:
        value = o.squeeze(value, 0)
    return value


def _stretched(o: Any, value: Any, target: Callable[[], Any]) -> Any:
    """`value` in the shape of what it is assigned to, where sizes are known only at run time."""
    if STATE.interpreter is None or not value.ndim:
        return value
    part = target()
    axes = differing(value.shape, part.shape)
    attributes = {"axes": axes, "role": ASSIGNED, "mutual": False}
    return apply(STRETCH, (value, part), attributes) if axes else value


def _cast(o: Any, value: Any, dtype: Any) -> Any:
    if type(value) in (bool, int, float, complex):
        # NumPy's own assignment raises what it raises: 300 into uint8, NaN into an int.
        filled = np.empty((), dtype)
        filled[()] = value
        return o.asarray(filled)
    if isinstance(value, Number):
        return o.to_tensor(value, dtype=dtype)
    if isinstance(value, list | tuple):
        return o.asarray(value, dtype=dtype)
    value = o.asarray_or_same(value)
    return value if value.dtype == dtype else o.astype(value, dtype)


# functions ----------------------------------------------------------------------------------------
def scatter_add(o: Any, x: Any, indices: Any, values: Any, axis: int = 0) -> Any:
    """`x` with `values` added at integer `indices` along `axis`: where one repeats, all of them.

    `values` broadcast to the shape of `take(x, indices, axis=axis)` and are cast to the dtype of x.
    IndexError where an index is out of range.
    """
    x, indices = o.operands((x, indices))
    require_integers(indices)
    along = normalized_axis(axis, x.ndim)
    positions = o.checked_indices(indices, x, axis=along)
    given = _cast(o, values, x.dtype)
    given = _stretched(o, given, lambda: o.apply("take", (x, positions), {"axis": along}))
    return o.apply("scatter_add", (x, positions, given), {"axis": along})


FUNCTIONS = (setitem, updated, scatter_add)
