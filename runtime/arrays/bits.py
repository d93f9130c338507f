"""The bytes of arrays as elements of other dtypes: `a.view(dtype)` of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.ops.shaping.shapes import known_size
from autograph.runtime.ops.table import OPS

HALVES = {np.dtype(np.complex64): np.float32, np.dtype(np.complex128): np.float64}
DIVISOR = (
    "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the "
    "last axis of the array."
)


def with_bytes_as(x: Any, dtype: np.dtype[Any]) -> Any:
    """The elements of another dtype whose bytes, the lowest first, are those of the tensor x.

    Where the sizes differ, the last axis has more elements or fewer. ValueError where they do not
    divide it.
    """
    source = x.dtype
    if source == dtype:
        return x
    if source in HALVES:
        parts = OPS.stack([OPS.real(x), OPS.imag(x)], axis=-1)
        return with_bytes_as(_merged(parts), dtype)
    if dtype in HALVES:
        parts = _in_groups(with_bytes_as(x, np.dtype(HALVES[dtype])), 2)
        return OPS.complex(parts[..., 0], parts[..., 1])
    if source.kind == "b":
        return with_bytes_as(OPS.astype(x, np.dtype(np.uint8)), dtype)
    if dtype.kind == "b":
        return OPS.not_equal(with_bytes_as(x, np.dtype(np.uint8)), 0)
    if source.itemsize == dtype.itemsize:
        return OPS.bitcast(x, dtype)
    wide = _unsigned(max(source.itemsize, dtype.itemsize))
    narrow = _unsigned(min(source.itemsize, dtype.itemsize))
    shifts = np.arange(wide.itemsize // narrow.itemsize, dtype=wide) * wide.type(
        8 * narrow.itemsize
    )
    bits = OPS.bitcast(x, _unsigned(source.itemsize))
    if source.itemsize == wide.itemsize:
        parts = OPS.bitwise_right_shift(OPS.expand_dims(bits, axis=-1), shifts)
        return OPS.bitcast(_merged(OPS.astype(parts, narrow)), dtype)
    parts = OPS.astype(_in_groups(bits, len(shifts)), wide)
    return OPS.bitcast(OPS.sum(OPS.bitwise_left_shift(parts, shifts), axis=-1, dtype=wide), dtype)


def _unsigned(size: int) -> np.dtype[Any]:
    return np.dtype(f"u{size}")


def _merged(x: Any) -> Any:
    """The last two axes as one."""
    return OPS.reshape(x, (*x.shape[:-2], -1))


def _in_groups(x: Any, count: int) -> Any:
    """The last axis in groups of `count` elements, along one axis more."""
    if known_size(x, -1, "the last axis of an array that is viewed as larger elements") % count:
        raise ValueError(DIVISOR)
    return OPS.reshape(x, (*x.shape[:-1], -1, count))
