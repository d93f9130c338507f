"""`np.pad`, as Python on other functions of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

_UNITED = ("maximum", "minimum", "mean", "median")


def pad(array: Any, pad_width: Any, mode: Any = "constant", **how: Any) -> Any:
    """`np.pad` in the modes that are computed from the edges: axis after axis, as NumPy does."""
    made = np.asarray(array)
    widths = pairs_of(pad_width, made.ndim)
    for name in how:
        if name not in ("stat_length", "end_values"):
            raise NotImplementedError
    lengths = pairs_of(how.get("stat_length"), made.ndim)
    ends = pairs_of(how.get("end_values", 0), made.ndim)
    for axis in range(made.ndim):
        before, after = widths[axis]
        if before == 0 and after == 0:
            continue
        if mode == "symmetric":
            made = np.take(made, mirrored(made.shape[axis], before, after), axis=axis)
            continue
        if mode == "linear_ramp":
            left, right = ramps(made, axis, widths[axis], ends[axis])
        elif mode in _UNITED:
            left, right = edges_by(made, axis, mode, lengths[axis])
            left = np.repeat(left, before, axis=axis)
            right = np.repeat(right, after, axis=axis)
        else:
            raise NotImplementedError
        made = np.concatenate([left, made, right], axis=axis)
    return made


KEYWORDS = {
    **dict.fromkeys(("empty", "edge", "wrap"), ()),
    **dict.fromkeys(_UNITED, ("stat_length",)),
    **dict.fromkeys(("reflect", "symmetric"), ("reflect_type",)),
    "constant": ("constant_values",),
    "linear_ramp": ("end_values",),
}
"""What else `np.pad` takes, by mode."""


def check_pad(array: Any, pad_width: Any, mode: Any = "constant", **how: Any) -> None:
    """What `np.pad` raises."""
    sizes = np.shape(array)
    widths: list[Any] = []
    if isinstance(pad_width, (int, np.integer, tuple, list)):
        widths = pairs_of(pad_width, len(sizes))
    for before, after in widths:
        if before < 0 or after < 0:
            raise ValueError("index can't contain negative values")
    if not isinstance(mode, str):
        return
    if mode not in KEYWORDS:
        raise ValueError(f"mode '{mode}' is not supported")
    others = {name for name in how if name not in KEYWORDS[mode]}
    if others:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {others}")
    if mode not in ("constant", "empty"):
        for axis, (before, after) in enumerate(widths):
            if sizes[axis] == 0 and (before > 0 or after > 0):
                raise ValueError(
                    f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
                )


def pairs_of(value: Any, count: int) -> Any:
    """What `np.pad` takes for all axes or for each, before and after: a pair for each axis."""
    if value is None or isinstance(value, (int, float)):
        return [(value, value)] * count
    several = [tuple(one) if isinstance(one, (tuple, list)) else one for one in value]
    if isinstance(several[0], tuple):
        pairs = [one if len(one) == 2 else (one[0], one[0]) for one in several]
        return pairs * count if len(pairs) == 1 else pairs
    if len(several) == 1:
        return [(several[0], several[0])] * count
    return [(several[0], several[1])] * count


def mirrored(size: Any, before: Any, after: Any) -> Any:
    """The places of elements that are mirrored at both edges, which are shown twice."""
    places = np.arange(-before, size + after) % (2 * size)
    return np.where(places >= size, 2 * size - 1 - places, places)


def ramps(array: Any, axis: int, widths: Any, ends: Any) -> Any:
    """What leads from the end values to the edges, on both sides."""
    found: list[Any] = []
    for side in range(2):
        edge = np.take(array, [0 if side == 0 else -1], axis=axis)
        shape = [1] * array.ndim
        shape[axis] = widths[side]
        steps = np.arange(widths[side]).reshape(shape)
        ramp = steps * ((edge - ends[side]) / max(widths[side], 1)) + ends[side]
        if array.dtype.kind in "iu":
            ramp = np.floor(ramp)
        ramp = ramp.astype(array.dtype)
        found.append(ramp if side == 0 else np.flip(ramp, axis))
    return found


def edges_by(array: Any, axis: int, mode: str, lengths: Any) -> Any:
    """The maximum, mean, ... of so many elements at both edges, of all where it is not said."""
    size = array.shape[axis]
    found: list[Any] = []
    for side in range(2):
        length = size if lengths[side] is None else min(lengths[side], size)
        part = np.moveaxis(array, axis, 0)
        part = part[:length] if side == 0 else part[size - length :]
        if mode == "maximum":
            value = np.max(part, axis=0)
        elif mode == "minimum":
            value = np.min(part, axis=0)
        elif mode == "mean":
            value = np.mean(part, axis=0)
        else:
            value = np.median(part, axis=0)
        if array.dtype.kind in "iu":
            value = np.round(value)
        found.append(np.expand_dims(np.asarray(value), axis).astype(array.dtype))
    return found
