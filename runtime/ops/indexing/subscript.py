"""`x[key]`: NumPy's indexing, made of the records of `index_ops`.

A key is first laid out: one entry for each axis of x, and for each None. Slices and None apply
first. Integers beside arrays count as arrays; several arrays become one, of positions in their axes
merged; a mask becomes the positions where it holds.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.door import apply
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import normalized_axis
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.indexing.entries import WHOLE, Slice, out_of_bounds, plain_key
from autograph.runtime.ops.indexing.index_ops import INDEX, require_integers
from autograph.runtime.ops.public import attribute
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.shaping.views import derived

Entry = Any
"""int, Number or 0-d tensor (one place), Slice, None (new axis), or an Array."""


@dataclass(slots=True)
class Array:
    """An index array, or a mask over `axes` axes."""

    tensor: Any
    axes: int = 1


@dataclass(slots=True)
class Layout:
    """A key laid out over the axes of a tensor."""

    entries: list[Entry] = field(default_factory=list)

    @property
    def is_basic(self) -> bool:
        """Whether it has no arrays."""
        return not any(isinstance(one, Array) for one in self.entries)


# the layout of a key ------------------------------------------------------------------------------
def lay_out(o: Any, x: Any, key: Any) -> Layout:
    """The entries of a key without single bools, one for each axis of `x` and each None.

    IndexError for too many.
    """
    keys = key if isinstance(key, tuple) else (key,)
    entries = [_entry(o, one) for one in keys]
    used = sum(_axes_used(one) for one in entries)
    _check_count(x, used)
    places = [i for i, one in enumerate(entries) if one is Ellipsis]
    if len(places) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    place = places[0] if places else len(entries)
    filling: list[Entry] = [WHOLE] * (x.ndim - used)
    return Layout(entries[:place] + filling + entries[place + 1 :])


def _check_count(x: Any, used: int) -> None:
    if used > x.ndim:
        raise IndexError(
            f"too many indices for array: array is {x.ndim}-dimensional, but {used} were indexed"
        )


def _entry(o: Any, key: Any) -> Entry:
    if key is None or key is Ellipsis:
        return key
    if isinstance(key, slice):
        return Slice(_bound(key.start), _bound(key.stop), _bound(key.step))
    if isinstance(key, int | np.integer):
        return int(key)
    if isinstance(key, Number):
        if key.kind is not int:
            raise IndexError(_ONLY)
        return key
    if isinstance(key, Tensor | np.ndarray | list):
        return _array_entry(o, key)
    if hasattr(key, "__index__"):
        return key.__index__()
    raise IndexError(_ONLY)


_ONLY = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
    "arrays are valid indices"
)


def _array_entry(o: Any, key: Any) -> Entry:
    if isinstance(key, list) and not key:
        return Array(o.asarray(np.zeros((0,), np.int64)))
    tensor = o.asarray_or_same(key)
    if tensor.dtype.kind == "b":
        return Array(tensor, tensor.ndim)
    require_integers(tensor)
    if tensor.ndim:
        return Array(tensor)
    return attribute(tensor)


def _bound(value: Any) -> Any:
    if value is None or isinstance(value, Number):
        if isinstance(value, Number) and value.kind is not int:
            raise TypeError("slice indices must be integers or None or have an __index__ method")
        return value
    if isinstance(value, Tensor):
        return attribute(value)
    if hasattr(value, "__index__"):
        return value.__index__()
    raise TypeError("slice indices must be integers or None or have an __index__ method")


def _axes_used(entry: Entry) -> int:
    if entry is None or entry is Ellipsis:
        return 0
    return entry.axes if isinstance(entry, Array) else 1


def checked(o: Any, x: Any, entries: list[Entry]) -> tuple[Any, ...]:
    """Basic entries with every int in range and counted from 0. IndexError for one that is not.

    Eagerly NumPy checks them itself, but for those it cannot hold.
    """
    if STATE.interpreter is None and not any(map(_is_beyond_int64, entries)):
        return tuple(entries)
    shape = shape_of(x)
    found: list[Any] = []
    axis = 0
    for entry in entries:
        if entry is None:
            found.append(None)
            continue
        found.append(
            entry if isinstance(entry, Slice) else _checked(o, x, entry, axis, shape[axis])
        )
        axis += 1
    return tuple(found)


def _is_beyond_int64(entry: Entry) -> bool:
    return type(entry) is int and not -(2**63) <= entry < 2**63


def _checked(o: Any, x: Any, entry: Any, axis: int, size: Any) -> Any:
    if isinstance(entry, int) and isinstance(size, int):
        if not -size <= entry < size:
            raise IndexError(out_of_bounds(entry, axis, size))
        return entry % size
    return o.checked_index(entry, x, axis=axis)


# reading ------------------------------------------------------------------------------------------
def is_truth(key: Any) -> bool:
    """Whether a key is a single bool: a mask of no axes, which keeps all of a tensor or nothing."""
    if isinstance(key, Tensor | np.ndarray):
        return key.ndim == 0 and key.dtype.kind == "b"
    return isinstance(key, bool | np.bool_) or (isinstance(key, Number) and key.kind is bool)


def without_truths(o: Any, x: Any, key: Any) -> tuple[Any, tuple[Any, ...], list[int]] | None:
    """`x` with an axis of one element for each single bool in a key, which is a mask of that axis;
    the key with these masks; and the new axes. None where no single bool is in it."""
    if type(key) in (int, slice):  # soonest, as most are
        return None
    keys = key if isinstance(key, tuple) else (key,)
    if not any(map(is_truth, keys)):
        return None
    used = [0 if is_truth(one) else _axes_used(_entry(o, one)) for one in keys]
    _check_count(x, sum(used))
    left = x.ndim - sum(used)
    found, axes, axis = [], [], 0
    for one, count in zip(keys, used, strict=True):
        if is_truth(one):
            x = o.expand_dims(x, axis)
            axes.append(axis)
            found.append(o.reshape(o.asarray(one), (1,)))
            axis += 1
        else:
            found.append(one)
            axis += left if one is Ellipsis else count
    return x, tuple(found), axes


def getitem(o: Any, x: Any, key: Any) -> Any:
    """`x[key]`, with NumPy's rules. IndexError where an index is out of range."""
    masked = without_truths(o, x, key)
    if masked is not None:
        return getitem(o, *masked[:2])
    if STATE.interpreter is None:
        index = plain_key(key, x._value.shape)
        if index is not None:
            return derived(apply(INDEX, (x,), {"index": index}))
    layout = lay_out(o, x, key)
    if layout.is_basic:
        return derived(apply(INDEX, (x,), {"index": checked(o, x, layout.entries)}))
    x, entries = _without_basic(o, x, layout.entries)
    x, axis, positions = merged_axes(o, x, entries)
    return _take(o, x, positions, axis)


def _take(o: Any, x: Any, positions: Any, axis: int) -> Any:
    if STATE.interpreter is not None:
        positions = o.checked_indices(positions, x, axis=axis)
    return o.apply("take", (x, positions), {"axis": axis})


def _without_basic(o: Any, x: Any, entries: list[Entry]) -> tuple[Any, list[Entry]]:
    """`x` after its slices and new axes, and the entries as they are then: WHOLE for these."""
    first = tuple(
        entry if entry is None or isinstance(entry, Slice) else WHOLE
        for entry in entries
        for _ in range(max(_axes_used(entry), 1))
    )
    if any(entry is None or not entry.is_whole for entry in first):
        x = o.apply("index", (x,), {"index": first})
    return x, [WHOLE if entry is None or isinstance(entry, Slice) else entry for entry in entries]


def merged_axes(o: Any, x: Any, entries: list[Entry]) -> tuple[Any, int, Any]:
    """`x` with all indexed axes merged into one, that axis, and the positions in it."""
    x, entries = _masks_to_positions(o, x, entries)
    places = [i for i, entry in enumerate(entries) if entry is not WHOLE]
    adjacent = places[-1] - places[0] == len(places) - 1
    arrays = [_as_positions(o, entries[i]) for i in places]
    start = places[0] if adjacent else 0
    if not adjacent:
        rest = [i for i in range(x.ndim) if i not in places]
        x = o.permute_dims(x, (*places, *rest))
    if len(arrays) == 1:
        return x, start, arrays[0]
    _check_together(arrays)
    positions: Any = None
    for offset, array in enumerate(arrays):
        array = o.checked_indices(array, x, axis=start + offset)
        if positions is None:
            positions = array
        else:
            positions = positions * o.dimension(x, start + offset) + array
    sizes = [o.dimension(x, i) for i in range(x.ndim)]
    merged: Any = 1
    for size in sizes[start : start + len(arrays)]:
        merged = merged * size
    shape = (*sizes[:start], merged, *sizes[start + len(arrays) :])
    return o.reshape(x, shape), start, positions


def _check_together(arrays: list[Any]) -> None:
    """IndexError for index arrays that do not broadcast, as far as their shapes are known."""
    shapes = [one.shape for one in arrays]
    for sizes in itertools.zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1):
        if len({size for size in sizes if isinstance(size, int) and size != 1}) > 1:
            told = " ".join(str(tuple(one)).replace(" ", "") for one in shapes)
            raise IndexError(
                "shape mismatch: indexing arrays could not be broadcast together with shapes "
                f"{told} "
            )


def _as_positions(o: Any, entry: Entry) -> Any:
    return entry.tensor if isinstance(entry, Array) else o.asarray(entry, dtype=dtypes.int64)


def _masks_to_positions(o: Any, x: Any, entries: list[Entry]) -> tuple[Any, list[Entry]]:
    """`x` with the axes under each mask merged, and positions in place of the masks."""
    axis = 0
    found: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Array) and entry.tensor.dtype.kind == "b":
            check_mask(x, entry.tensor, axis)
            if entry.axes > 1:
                sizes = [o.dimension(x, i) for i in range(x.ndim)]
                merged: Any = 1
                for size in sizes[axis : axis + entry.axes]:
                    merged = merged * size
                x = o.reshape(x, (*sizes[:axis], merged, *sizes[axis + entry.axes :]))
            entry = Array(o.nonzero_flat(entry.tensor))
        found.append(entry)
        axis += 1
    return x, found


def check_mask(x: Any, mask: Any, axis: int) -> None:
    for i, (size, given) in enumerate(
        zip(shape_of(x)[axis:], shape_of(mask), strict=False), start=axis
    ):
        # One of no elements chooses nothing, as in NumPy.
        if isinstance(size, int) and isinstance(given, int) and size != given and given:
            raise IndexError(
                f"boolean index did not match indexed array along axis {i}; size of axis is "
                f"{size} but size of corresponding boolean axis is {given}"
            )


# functions of indices -----------------------------------------------------------------------------
def take(o: Any, x: Any, indices: Any, axis: int | None = None) -> Any:
    """The parts of `x` at integer `indices` along `axis`. IndexError where one is out of range."""
    x, indices = o.operands((x, indices))
    if axis is None:
        if x.ndim != 1:
            raise ValueError("take needs an axis for a tensor of other than one axis")
        axis = 0
    require_integers(indices)
    return _take(o, x, indices, normalized_axis(axis, x.ndim))


def gather(o: Any, x: Any, indices: Any, axis: int = 0) -> Any:
    """The parts of `x` at integer `indices`, of any shape, along `axis`. See `take`."""
    return take(o, x, indices, axis=axis)


def take_along_axis(o: Any, x: Any, indices: Any, axis: int = -1) -> Any:
    """For each row along `axis` the elements at its own row of `indices`, of the same rank."""
    x, indices = o.operands((x, indices))
    require_integers(indices)
    if x.ndim != indices.ndim:
        raise ValueError("take_along_axis needs indices with as many axes as the tensor")
    along = normalized_axis(axis, x.ndim)
    key = tuple(indices if i == along else _own_places(o, x, i) for i in range(x.ndim))
    return getitem(o, x, key)


def _own_places(o: Any, x: Any, axis: int) -> Any:
    places = o.arange(o.dimension(x, axis))
    for _ in range(x.ndim - axis - 1):
        places = o.expand_dims(places, -1)
    return places


def nonzero(o: Any, x: Any) -> tuple[Any, ...]:
    """Where `x` is not zero: for each axis a tensor of indices. ValueError for a 0-d tensor."""
    x = o.asarray_or_same(x)
    if not x.ndim:
        raise ValueError("nonzero of a 0-d tensor; compare it with 0")
    flat = o.nonzero_flat(o.not_equal(x, 0) if x.dtype.kind != "b" else x)
    found: list[Any] = []
    for axis in reversed(range(x.ndim)):
        size = o.dimension(x, axis)
        found.append(flat % size if axis else flat)
        flat = flat // size if axis else flat
    return tuple(reversed(found))


FUNCTIONS = (getitem, take, gather, take_along_axis, nonzero)
