"""Tensors brought into one form, taken apart, and set into larger ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.runtime.core.spec import ShapeError, normalized_axis

MODES = ("constant", "edge", "reflect", "wrap")


def broadcast_arrays(o: Any, /, *arrays: Any) -> list[Any]:
    """The tensors, each broadcast to the shape that all of them have together."""
    tensors = [o.asarray_or_same(one) for one in arrays]
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
    tensors = [o.asarray_or_same(one) for one in arrays]
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
    size = x.shape[along]
    if isinstance(indices_or_sections, list | tuple):
        cuts = [0, *indices_or_sections, None]
    else:
        count = int(indices_or_sections)
        if not isinstance(size, int):
            raise ShapeError(
                f"split into {count} equal parts needs the size of axis {axis} while tracing; "
                "give the places to cut at"
            )
        if count < 1 or size % count:
            raise ValueError(f"{size} elements do not make {count} equal parts")
        cuts = [size // count * part for part in range(count)] + [None]
    before = (slice(None),) * along
    return [
        x[(*before, slice(start, stop))] for start, stop in zip(cuts[:-1], cuts[1:], strict=True)
    ]


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
    `mode`: "constant" (one value), "edge", "reflect" (without the edge again) or "wrap".
    """
    x = o.asarray_or_same(x)
    if mode not in MODES:
        raise ValueError(f"the mode of pad is one of {', '.join(MODES)}, not {mode!r}")
    widths = _widths(pad_width, x.ndim)
    for axis, (before, behind) in enumerate(widths):
        if any(isinstance(one, int) and one < 0 for one in (before, behind)):
            raise ValueError("pad takes no negative widths")
        if mode != "constant" and not _is_nothing((before, behind)):
            x = o.take(x, _sources(o, o.dimension(x, axis), before, behind, mode), axis=axis)
    if mode != "constant" or all(map(_is_nothing, widths)):
        return x
    sizes = [o.dimension(x, axis) for axis in range(x.ndim)]
    shape = [size + sum(pair) for size, pair in zip(sizes, widths, strict=True)]
    value = o.astype(o.asarray(constant_values), x.dtype)
    if value.ndim:
        raise ValueError("pad takes one constant for all sides")
    result = o.full(tuple(shape), value)
    result[tuple(slice(low, low + size) for size, (low, _) in zip(sizes, widths, strict=True))] = x
    return result


def _is_nothing(pair: tuple[Any, Any]) -> bool:
    return all(isinstance(one, int) and one == 0 for one in pair)


def _widths(given: Any, ndim: int) -> list[tuple[Any, Any]]:
    if not isinstance(given, list | tuple):
        return [(given, given)] * ndim
    if len(given) == 2 and not any(isinstance(one, list | tuple) for one in given):
        return [(given[0], given[1])] * ndim
    pairs: Sequence[Any] = given if len(given) != 1 else [given[0]] * ndim
    if len(pairs) != ndim or any(len(one) != 2 for one in pairs):
        raise ValueError(f"pad takes a pair of widths for each of the {ndim} axes, not {given}")
    return [(one[0], one[1]) for one in pairs]


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
    return o.minimum(turned, period - turned) if size != 1 else o.zeros_like(places)


FUNCTIONS = (broadcast_arrays, meshgrid, split, swapaxes, pad)
