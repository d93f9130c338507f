"""Hypothesis strategies that several tests share: dtypes, shapes, arrays in every layout."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np

FLOATS = ("float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
DTYPES = ("bool", *INTEGERS, *FLOATS)
LAYOUTS = (
    "plain",
    "fortran",
    "reversed",
    "strided",
    "transposed",
    "misaligned",
    "big-endian",
    "read-only",
)


def dtypes(names: tuple[str, ...] = DTYPES) -> st.SearchStrategy[np.dtype[Any]]:
    """A supported dtype."""
    return st.sampled_from(names).map(np.dtype)


def shapes(max_ndim: int = 3, max_side: int = 4, min_side: int = 0) -> st.SearchStrategy[Any]:
    """A shape, 0-d and empty ones included."""
    side = st.integers(min_side, max_side)
    return st.lists(side, max_size=max_ndim).map(tuple)


def elements(dtype: np.dtype[Any]) -> st.SearchStrategy[Any]:
    """An element: small, so that arithmetic on a few of them neither overflows nor rounds."""
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind == "u":
        return st.integers(0, 9)
    if dtype.kind == "i":
        return st.integers(-9, 9)
    return st.integers(-64, 64).map(lambda n: n / 8)


@st.composite
def arrays(draw: Any, names: tuple[str, ...] = DTYPES, shape: Any = None) -> np.ndarray[Any, Any]:
    """An array of any of these dtypes and of any shape, in C order."""
    dtype = draw(dtypes(names))
    chosen = draw(shapes()) if shape is None else shape
    size = int(np.prod(chosen))
    items = draw(st.lists(elements(dtype), min_size=size, max_size=size))
    return np.array(items, dtype=dtype).reshape(chosen)


def laid_out(array: np.ndarray[Any, Any], layout: str) -> np.ndarray[Any, Any]:
    """The same elements in another layout of memory."""
    if layout == "fortran":
        return np.asfortranarray(array)
    if layout == "reversed":
        return np.ascontiguousarray(array[..., ::-1])[..., ::-1] if array.ndim else array
    if layout == "strided":
        wide = np.zeros((*array.shape, 2), dtype=array.dtype)
        wide[..., 0] = array
        return wide[..., 0]
    if layout == "transposed":
        return np.ascontiguousarray(array.T).T
    if layout == "misaligned":
        raw = np.zeros(array.nbytes + 1, dtype=np.uint8)
        moved = raw[1:].view(array.dtype).reshape(array.shape)
        moved[...] = array
        return moved
    if layout == "big-endian":
        return array.astype(array.dtype.newbyteorder(">"))
    if layout == "read-only":
        kept = array.copy()
        kept.flags.writeable = False
        return kept
    return array


def arrays_in_any_layout(
    names: tuple[str, ...] = DTYPES,
) -> st.SearchStrategy[np.ndarray[Any, Any]]:
    """An array whose memory may lie in any way that NumPy allows."""
    return st.builds(laid_out, arrays(names), st.sampled_from(LAYOUTS))
