"""The dtypes, which are NumPy's, and the default ones for tensors made from Python numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

DType = np.dtype[Any]

bool_ = np.dtype(np.bool_)
int8 = np.dtype(np.int8)
int16 = np.dtype(np.int16)
int32 = np.dtype(np.int32)
int64 = np.dtype(np.int64)
uint8 = np.dtype(np.uint8)
uint16 = np.dtype(np.uint16)
uint32 = np.dtype(np.uint32)
uint64 = np.dtype(np.uint64)
float32 = np.dtype(np.float32)
float64 = np.dtype(np.float64)
complex64 = np.dtype(np.complex64)
complex128 = np.dtype(np.complex128)

SIGNED = (int8, int16, int32, int64)
UNSIGNED = (uint8, uint16, uint32, uint64)
INTEGERS = (*SIGNED, *UNSIGNED)
FLOATS = (float32, float64)
ALL = (bool_, *INTEGERS, *FLOATS)
COMPLEX = (complex64, complex128)
"""Which ops take them: see `runtime.core.complex_use`."""

SHORT_NAMES = {
    dtype: "bool" if dtype.kind == "b" else f"{dtype.kind}{8 * dtype.itemsize}"
    for dtype in (*ALL, *COMPLEX)
}

_default: dict[type, DType] = {bool: bool_, int: int64, float: float32}
on_default_change: list[Callable[[], None]] = []
"""Called after the default dtypes changed, which traces depend on."""


def default_dtype(kind: type) -> DType:
    """The dtype of a tensor made from Python numbers of the type `kind`."""
    if kind is complex:
        return np.result_type(_default[float], 0j)
    return _default[kind]


def set_default_dtype(dtype: Any) -> None:
    """Set the dtype of tensors made from Python floats (float32 or float64) or ints (int32, int64).

    Raises TypeError for any other dtype.
    """
    chosen = _native(dtype)
    if chosen in FLOATS:
        _default[float] = chosen
    elif chosen in (int32, int64):
        _default[int] = chosen
    else:
        raise TypeError(f"the default dtype can be float32, float64, int32 or int64, not {chosen}")
    for notify in on_default_change:
        notify()


class UnsupportedDtypeError(TypeError):
    """A dtype that tensors do not have, though NumPy's arrays may."""


def as_dtype(dtype: Any) -> DType:
    """`dtype` as one of the supported dtypes, in native byte order; an error for any other."""
    if isinstance(dtype, type) and dtype in _default:
        return _default[dtype]
    found = _native(dtype)
    if found not in SHORT_NAMES:
        raise UnsupportedDtypeError(
            f"dtype {found} is not supported; use one of "
            + ", ".join(str(known) for known in SHORT_NAMES)
        )
    if found.kind == "c":
        note_complex()
    return found


def _native(dtype: Any) -> DType:
    """NumPy's dtype for what names one; TypeError that says how to write it for anything else."""
    named = dtype
    if not isinstance(dtype, np.dtype | type | str):
        # What other libraries call dtypes names its own; NumPy would take None, and fields, too.
        named = getattr(dtype, "as_numpy_dtype", None)
    try:
        if named is not None:
            found: DType = np.dtype(named).newbyteorder("=")
            return found
    except TypeError:
        pass
    hint = ""
    if isinstance(dtype, bool):
        hint = f", and keepdims={dtype} by its name"
    elif isinstance(dtype, int):
        hint = ", and a shape as one argument, zeros((2, 3))"
    raise TypeError(
        f"{dtype!r} is not a dtype: write dtype='float32', dtype=np.float32 or "
        f"dtype=ag.float32{hint}"
    ) from None


complex_in_use = False
"""Whether this process ever had a complex tensor: only then ops look out for them."""


def note_complex() -> None:
    """Say that there are complex tensors."""
    global complex_in_use
    complex_in_use = True


def is_floating(dtype: DType) -> bool:
    """Whether `dtype` is float32 or float64: what a gradient can be asked of."""
    return dtype.kind == "f"
