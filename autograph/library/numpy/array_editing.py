"""NumPy functions that take elements out of arrays, put some in or turn them, at staged places."""

from __future__ import annotations

from typing import Any

import numpy as np


def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    """`np.delete`: one place, a list or an array of places, or truth values, that runs tell."""
    arr = np.asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    else:
        axis = checked_axis(axis, arr.ndim)
    size = arr.shape[axis]
    if isinstance(obj, slice):
        if obj.step is not None and not isinstance(obj.step, int):
            raise NotImplementedError
        kept = np.ones(size, bool)
        kept[obj] = False
        return np.compress(kept, arr, axis=axis)
    if isinstance(obj, list) and len(obj) == 0:
        return arr.copy()
    places = np.asarray(obj)
    if places.dtype.kind == "b":
        if places.ndim != 1 or places.shape[0] != size:
            raise ValueError(
                "boolean array argument obj to delete must be one dimensional and match the axis "
                f"length of {size}"
            )
        return np.compress(~places, arr, axis=axis)
    if places.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if places.ndim == 0:
        if places < -size or places >= size:
            raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {size}")
        place = places + size if places < 0 else places
        numbers = np.arange(size - 1)
        return np.take(arr, numbers + (numbers >= place), axis=axis)
    kept = np.ones(size, bool)
    kept[places] = False
    return np.compress(kept, arr, axis=axis)


def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    """`np.insert`."""
    arr = np.asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    else:
        axis = checked_axis(axis, arr.ndim)
    size = arr.shape[axis]
    if not isinstance(obj, (int, np.integer)):
        return insert_several(arr, places_of(obj, size), values, axis)
    if obj < -size or obj > size:
        raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {size}")
    place = obj + size if obj < 0 else obj
    added = np.array(values, dtype=arr.dtype, ndmin=arr.ndim)
    added = np.moveaxis(added, 0, axis)
    sizes = list(arr.shape)
    sizes[axis] = added.shape[axis]
    added = np.broadcast_to(added, tuple(sizes))
    turned = np.moveaxis(arr, axis, 0)
    parts = (turned[:place], np.moveaxis(added, axis, 0), turned[place:])
    return np.moveaxis(np.concatenate(parts), 0, axis)


def places_of(obj: Any, size: Any) -> Any:
    """The places that a slice, truth values, or a list or array of places name."""
    if isinstance(obj, slice):
        return np.arange(size)[obj]
    if isinstance(obj, (list, tuple)) and len(obj) == 0:
        return np.zeros(0, int)
    places = np.asarray(obj)
    if places.dtype.kind == "b":
        if places.ndim != 1:
            raise ValueError("boolean array argument obj to insert must be one dimensional")
        return np.flatnonzero(places)
    if places.ndim > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    if places.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return places


def insert_several(arr: Any, places: Any, values: Any, axis: Any) -> Any:
    """An array with values put in before several places."""
    size = arr.shape[axis]
    if places.ndim == 0 or places.shape[0] == 1:
        place = places if places.ndim == 0 else places[0]
        added = np.array(values, dtype=arr.dtype, ndmin=arr.ndim)
        if places.ndim == 1:  # the values stand as they are to be put in
            added = np.moveaxis(added, axis, 0)
        return insert(arr, int(place), added, axis)
    count = places.shape[0]
    numbers = np.where(places < 0, places + size, places)
    order = np.argsort(numbers, kind="stable")
    moved = np.zeros(count, int)
    moved[order] = numbers[order] + np.arange(count)
    kept = np.ones(size + count, bool)
    kept[moved] = False
    turned = np.moveaxis(arr, axis, 0)
    whole = np.zeros((size + count, *turned.shape[1:]), arr.dtype)
    whole[kept] = turned
    back = np.moveaxis(whole, 0, axis)
    back[(slice(None),) * axis + (moved,)] = values
    return back


def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """`np.rot90` by a number of turns that only the run tells."""
    first, second = axes
    turns = k % 4
    if turns == 0:
        return m[:]
    if turns == 2:
        return np.flip(m, (first, second))
    if turns == 1:
        return np.swapaxes(np.flip(m, second), first, second)
    return np.flip(np.swapaxes(m, first, second), second)


def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    """`np.meshgrid(copy=False)`: views of what it is given."""
    places = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        places[:2] = [1, 0]
    grids: list[Any] = []
    for one, place in zip(xi, places, strict=True):
        grids.append(np.asarray(one).reshape([-1 if n == place else 1 for n in range(len(xi))]))
    return tuple(grids) if sparse else np.broadcast_arrays(*grids)


def block(arrays: Any) -> Any:
    """`np.block`."""
    depth = depth_of(arrays)
    return block_of(arrays, depth, max(depth, *[np.ndim(one) for one in leaves_of(arrays)]))


def depth_of(arrays: Any) -> int:
    """How many lists stand in one another."""
    depth = 0
    while isinstance(arrays, list):
        arrays = arrays[0]
        depth += 1
    return depth


def leaves_of(arrays: Any) -> Any:
    """What stands in nested lists."""
    found = [arrays]
    while any([isinstance(one, list) for one in found]):
        found = [part for one in found for part in (one if isinstance(one, list) else [one])]
    return found


def block_of(arrays: Any, depth: int, rank: int) -> Any:
    """What stands in lists, joined: the innermost ones along the last axis."""
    if depth == 0:
        if isinstance(arrays, list):
            raise NotImplementedError
        return np.array(arrays, ndmin=rank)
    if not isinstance(arrays, list):
        raise NotImplementedError
    return np.concatenate([block_of(one, depth - 1, rank) for one in arrays], axis=-depth)


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    """`np.put_along_axis`."""
    indices = np.asarray(indices)
    if axis is None:
        arr.flat[indices] = values
        return
    axis = checked_axis(axis, arr.ndim)
    if arr.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    places: tuple[Any, ...] = ()
    for other in range(arr.ndim):
        sizes = [1] * arr.ndim
        sizes[other] = -1
        numbers = np.arange(arr.shape[other]).reshape(sizes)
        places = (*places, indices if other == axis else numbers)
    arr[places] = values


def checked_axis(axis: int, count: int) -> int:
    """An axis counted from the first; AxisError where there is none."""
    if axis < -count or axis >= count:
        raise np.exceptions.AxisError(axis, count)
    return axis + count if axis < 0 else axis
