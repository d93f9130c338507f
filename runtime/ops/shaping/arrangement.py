"""Tensors brought into one form, taken apart, and set into larger ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import normalized_axis
from autograph.runtime.core.tensor import Tensor

SEVERAL = (list, tuple)
MODES = ("constant", "edge", "reflect", "wrap")


def broadcast_arrays(o: Any, /, *arrays: Any) -> list[Any]:
    """The tensors, each broadcast to the shape that all of them have together."""
    tensors = list(o.operands(tuple(arrays)))
    if len(tensors) < 2:
        return tensors
    shape = o.zeros_like(tensors[0], dtype=bool)
    for one in tensors[1:]:
        shape = o.logical_or(shape, o.zeros_like(one, dtype=bool))
    return [o.broadcast_like(one, shape) for one in tensors]


def meshgrid(o: Any, /, *arrays: Any, indexing: str = "xy") -> list[Any]:
    """The coordinates of a grid: each tensor of one axis, repeated along those of the others.

    "xy" exchanges the first two axes, as a picture has them; "ij" keeps the order.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing is 'xy' or 'ij', not {indexing!r}")
    tensors = list(o.operands(tuple(arrays)))
    count = len(tensors)
    order = list(range(count))
    if indexing == "xy" and count > 1:
        order[:2] = [1, 0]
    laid = []
    for place, one in enumerate(tensors):
        if one.ndim > 1:
            raise ValueError(f"meshgrid takes tensors of one axis, not of {one.ndim}")
        flat = o.reshape(one, (-1,))
        laid.append(o.expand_dims(flat, tuple(i for i in range(count) if i != order[place])))
    return broadcast_arrays(o, *laid) if count > 1 else laid


def split(o: Any, x: Any, indices_or_sections: Any, /, axis: int = 0) -> list[Any]:
    """The parts of x along an axis: so many equal ones, or cut before the given places."""
    x = o.asarray_or_same(x)
    along = normalized_axis(axis, x.ndim)
    size = o.dimension(x, along)
    if isinstance(indices_or_sections, list | tuple):
        cuts = [0, *indices_or_sections, None]
    else:
        count = int(indices_or_sections)
        if not isinstance(size, int):
            raise StagingError(
                f"split into {count} equal parts along an axis whose size only the run tells",
                remedy="give the places to cut at, or make an axis of the parts with reshape",
            )
        if count < 1 or size % count:
            raise ValueError(f"{size} elements do not make {count} equal parts")
        cuts = [size // count * part for part in range(count)] + [None]
    before = (slice(None),) * along
    return [
        x[(*before, slice(start, stop))] for start, stop in zip(cuts[:-1], cuts[1:], strict=True)
    ]


def moveaxis(o: Any, x: Any, source: Any, destination: Any, /) -> Any:
    """x with one axis, or several, moved to other places; the others keep their order."""
    x = o.asarray_or_same(x)
    moved, places = (
        [normalized_axis(one, x.ndim) for one in (axes if isinstance(axes, SEVERAL) else [axes])]
        for axes in (source, destination)
    )
    if len(set(moved)) != len(moved) or len(set(places)) != len(moved) or len(places) != len(moved):
        raise ValueError(f"moveaxis takes as many sources {source} as destinations {destination}")
    order = [i for i in range(x.ndim) if i not in moved]
    for place, axis in sorted(zip(places, moved, strict=True)):
        order.insert(place, axis)
    return x if order == list(range(x.ndim)) else o.permute_dims(x, tuple(order))


def roll(o: Any, x: Any, /, shift: Any, axis: Any = None) -> Any:
    """x moved by `shift` along an axis, or by several along several; what leaves at one end enters
    at the other. Without an axis as if it were flat."""
    x = o.asarray_or_same(x)
    if axis is None:
        shift = sum(shift) if isinstance(shift, list | tuple) else shift
        flat = o.apply("roll", (o.reshape(x, (-1,)),), {"shift": o.attribute(shift), "axis": 0})
        return o.reshape_like(flat, x)
    axes = axis if isinstance(axis, list | tuple) else (axis,)
    shifts = shift if isinstance(shift, list | tuple) else (shift,) * len(axes)
    if len(shifts) != len(axes):
        raise ValueError(f"roll by {len(shifts)} shifts along {len(axes)} axes")
    for one, along in zip(shifts, axes, strict=True):
        x = o.apply("roll", (x,), {"shift": o.attribute(one), "axis": along})
    return x


def tile(o: Any, x: Any, /, repetitions: Any) -> Any:
    """x laid side by side as often as `repetitions`, a number or one for each axis, says."""
    counts = repetitions if isinstance(repetitions, list | tuple) else (repetitions,)
    x = o.asarray_or_same(x)
    return o.apply("tile", (x,), {"repetitions": o.attribute(tuple(counts))})


def repeat(o: Any, x: Any, /, repeats: Any, axis: int | None = None) -> Any:
    """Each element of x, or each part along an axis, `repeats` times in a row.

    `repeats` is a number, or a tensor of one for each part.
    """
    x = o.asarray_or_same(x)
    if not (isinstance(repeats, list | tuple) or getattr(repeats, "ndim", 0) == 1):
        return o.apply("repeat", (x,), {"repeats": o.attribute(repeats), "axis": axis})
    if axis is None:
        x, axis = o.reshape(x, (-1,)), 0
    counts = o.broadcast_like(o.asarray_or_same(repeats), o.arange(o.dimension(x, axis)))
    counts = o.checked_counts(counts)
    ends = o.cumulative_sum(counts, axis=0)
    total = o.number_of(o.sum(counts), int)
    return o.take(x, o.searchsorted(ends, o.arange(total), side="right"), axis=axis)


def swapaxes(o: Any, x: Any, axis1: int, axis2: int, /) -> Any:
    """x with two axes exchanged."""
    x = o.asarray_or_same(x)
    one, other = normalized_axis(axis1, x.ndim), normalized_axis(axis2, x.ndim)
    order = list(range(x.ndim))
    order[one], order[other] = order[other], order[one]
    return o.permute_dims(x, tuple(order))


# pad ----------------------------------------------------------------------------------------------
def pad(o: Any, x: Any, pad_width: Any, /, mode: str = "constant", constant_values: Any = 0) -> Any:
    """x with elements before and behind each axis, as NumPy's pad.

    `pad_width`: one number for all, (before, behind) for all axes, or such a pair for each axis.
    `mode`: "constant" (`constant_values` are given as the widths are), "edge", "reflect" (without
    the edge again) or "wrap".
    """
    x = o.asarray_or_same(x)
    if mode not in MODES:
        raise ValueError(f"the mode of pad is one of {', '.join(MODES)}, not {mode!r}")
    widths = _pairs(pad_width, x.ndim, "widths")
    for axis, (before, behind) in enumerate(widths):
        if any(isinstance(one, int) and one < 0 for one in (before, behind)):
            raise ValueError("pad takes no negative widths")
        if mode != "constant" and not _is_nothing((before, behind)):
            x = o.take(x, _sources(o, o.dimension(x, axis), before, behind, mode), axis=axis)
    if mode != "constant" or all(map(_is_nothing, widths)):
        return x
    constants = _pairs(constant_values, x.ndim, "constants")
    (first, _), *_ = constants
    if not isinstance(constant_values, list | tuple) or all(
        type(one) in (bool, int, float, complex) and one == first
        for pair in constants
        for one in pair
    ):
        return _padded(o, x, widths, first)
    for axis, (pair, (before, behind)) in enumerate(zip(widths, constants, strict=True)):
        others = [(0, 0)] * x.ndim
        for width, value in (((pair[0], 0), before), ((0, pair[1]), behind)):
            x = _padded(o, x, [*others[:axis], width, *others[axis + 1 :]], value)
    return x


def _padded(o: Any, x: Any, widths: list[tuple[Any, Any]], value: Any) -> Any:
    """x within a tensor of one value."""
    sizes = [o.dimension(x, axis) for axis in range(x.ndim)]
    shape = [size + sum(pair) for size, pair in zip(sizes, widths, strict=True)]
    number = isinstance(value, bool | int | float | complex | Number)
    value = o.astype(o.asarray(value, dtype=x.dtype if number else None), x.dtype)
    if value.ndim:
        raise ValueError("each constant of pad is one number")
    result = o.full(tuple(shape), value)
    result[tuple(slice(low, low + size) for size, (low, _) in zip(sizes, widths, strict=True))] = x
    return result


def _is_nothing(pair: tuple[Any, Any]) -> bool:
    return all(isinstance(one, int) and one == 0 for one in pair)


def _pairs(given: Any, ndim: int, what: str) -> list[tuple[Any, Any]]:
    """One for all sides, (before, behind) for all axes, or one or two for each axis, as pairs."""
    if isinstance(given, np.ndarray | Tensor) and given.ndim:
        given = _items(given)
    if not isinstance(given, list | tuple):
        return [(given, given)] * ndim
    nested = any(isinstance(one, list | tuple) for one in given)
    parts = list(given) if nested else [given]
    parts = parts * ndim if len(parts) == 1 else parts
    fits = all(isinstance(one, list | tuple) and len(one) in (1, 2) for one in parts)
    if len(parts) != ndim or not fits:
        raise ValueError(f"pad takes a pair of {what} for each of the {ndim} axes, not {given}")
    return [(one[0], one[-1]) for one in parts]


def _items(array: Any) -> Any:
    """The elements of an array or a tensor of known sizes, as nested lists."""
    return [_items(array[n]) for n in range(array.shape[0])] if array.ndim else array


def _sources(o: Any, size: Any, before: Any, behind: Any, mode: str) -> Any:
    """Where each element along a padded axis comes from."""
    if isinstance(size, int) and size == 0:
        raise ValueError(f"an axis without elements cannot be padded by its {mode}")
    places = o.arange(-before, size + behind)
    if mode == "edge":
        return o.clip(places, 0, size - 1)
    if mode == "wrap":
        return o.remainder(places, size)
    period = o.maximum(2 * size - 2, 1)
    turned = o.remainder(places, period)
    return o.minimum(turned, period - turned)


FUNCTIONS = (broadcast_arrays, meshgrid, split, moveaxis, swapaxes, pad)
