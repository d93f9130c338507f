"""NumPy's functions at sizes and integers that only the run tells, as Python on other functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.library.numpy.argument_checks import check_square
from autograph.runtime.graph.trace import RunLimitError


# convolutions -------------------------------------------------------------------------------------
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """`np.convolve` of sequences of which only the run tells the lengths."""
    a, v = as_sequences(a, v)
    if len(a) == 0:
        raise ValueError("a cannot be empty")
    if len(v) == 0:
        raise ValueError("v cannot be empty")
    if len(v) > len(a):
        a, v = v, a
    return cut(convolved(a, v), len(a), len(v) - 1, (len(v) - 1) // 2, mode)


def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    """`np.correlate` of such sequences."""
    a, v = as_sequences(a, v)
    if len(a) == 0:
        raise ValueError("first array argument cannot be empty")
    if len(v) == 0:
        raise ValueError("second array argument cannot be empty")
    v = np.conj(v)[::-1]
    overlap = min(len(a), len(v)) - 1
    start = overlap - overlap // 2 if len(a) < len(v) else overlap // 2
    longest = max(len(a), len(v))
    if len(v) > len(a):
        a, v = v, a
    return cut(convolved(a, v), longest, overlap, start, mode)


def as_sequences(a: Any, v: Any) -> Any:
    """Two sequences as arrays of one dtype."""
    a, v = np.atleast_1d(a), np.atleast_1d(v)
    if a.ndim > 1 or v.ndim > 1:
        raise ValueError("object too deep for desired array")
    dtype = np.result_type(a, v)
    return a.astype(dtype), v.astype(dtype)


def convolved(a: Any, v: Any) -> Any:
    """All of the convolution of two sequences, the first of which is not shorter."""
    size, count = len(a), len(v)
    found = np.zeros(size + count - 1, a.dtype)
    for place in range(count - 1, -1, -1):
        found[place : place + size] += a * v[place]
    return found


def cut(whole: Any, longest: Any, overlap: Any, start: Any, mode: Any) -> Any:
    """The part of a convolution that a mode asks for."""
    if mode == "full":
        return whole
    if mode == "same":
        return whole[start : start + longest]
    if mode == "valid":
        return whole[overlap:longest]
    raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")


def polymul(a1: Any, a2: Any) -> Any:
    """`np.polymul`."""
    return np.convolve(without_zeros(a1), without_zeros(a2))


def without_zeros(coefficients: Any) -> Any:
    """The coefficients of a polynomial from the first that is not zero: one at least."""
    whole = np.atleast_1d(coefficients)
    if whole.ndim > 1:
        raise ValueError("Polynomial must be 1d only.")
    places = np.flatnonzero(whole)
    if len(places) == 0:
        return np.zeros(1, whole.dtype)
    return whole[places[0] :]


# segments -----------------------------------------------------------------------------------------
def reduceat(ufunc: Any, array: Any, indices: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """`ufunc.reduceat(array, indices)`: each segment from one index to the next."""
    rows = np.moveaxis(np.asarray(array), axis, -1)
    rows = rows if dtype is None else rows.astype(dtype)
    size = rows.shape[-1]
    places = np.asarray(indices)
    wrong = (places < 0) | (places >= size)
    if np.any(wrong):
        raise IndexError(
            f"index {places[np.argmax(wrong)]} out-of-bounds in {ufunc.__name__}.reduceat "
            f"[0, {size})"
        )
    ends = np.concatenate([places[1:], np.array([size])])
    ends = np.where(ends > places, ends, places + 1)
    kind = ufunc.reduce(rows[..., :1], axis=-1).dtype
    found = np.zeros((*rows.shape[:-1], len(places)), kind)
    for number in range(len(places)):
        start, end = places[number], ends[number]
        if end - start == 1:
            found[..., number] = rows[..., start]
        else:
            rest = ufunc.reduce(rows[..., start + 1 : end], axis=-1)
            found[..., number] = ufunc(rows[..., start].astype(kind), rest)
    return np.moveaxis(found, -1, axis)


# bits ---------------------------------------------------------------------------------------------
def packbits(a: Any, axis: Any = None, bitorder: Any = "big") -> Any:
    """`np.packbits`."""
    whole = np.asarray(a)
    if whole.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    if axis is None:
        whole, axis = np.ravel(whole), 0
    moved = np.moveaxis(whole, axis, -1)
    size = moved.shape[-1]
    count = (size + 7) // 8
    bits = np.zeros((*moved.shape[:-1], count * 8), np.uint8)
    bits[..., :size] = moved != 0
    groups = bits.reshape((*moved.shape[:-1], count, 8)) << bit_places(bitorder)
    packed: Any = np.sum(groups, axis=-1, dtype=np.uint8)
    return np.moveaxis(packed, -1, axis)


def unpackbits(a: Any, axis: Any = None, count: Any = None, bitorder: Any = "big") -> Any:
    """`np.unpackbits`."""
    whole = np.asarray(a)
    if whole.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    if axis is None:
        whole, axis = np.ravel(whole), 0
    moved = np.moveaxis(whole, axis, -1)
    outer = moved.shape[:-1]
    size = moved.shape[-1] * 8
    bits = ((moved[..., None] >> bit_places(bitorder)) & np.uint8(1)).reshape((*outer, size))
    if count is not None:
        wanted = count if count >= 0 else size + count
        if wanted < 0:
            raise ValueError(f"-count ({-count}) is larger than the number of elements ({size})")
        padded = np.zeros((*outer, max(wanted, size)), np.uint8)
        padded[..., :size] = bits
        bits = padded[..., :wanted]
    return np.moveaxis(bits, -1, axis)


def bit_places(bitorder: Any) -> Any:
    """How far each bit of a byte is shifted."""
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    places = np.arange(8).astype(np.uint8)
    return places[::-1] if bitorder == "big" else places


# orders that only the run tells -------------------------------------------------------------------
def diff(a: Any, n: Any = 1, axis: int = -1) -> Any:
    """`np.diff`, so many times over as only the run tells."""
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    made = np.asarray(a)
    for _ in range(n):
        made = np.diff(made, axis=axis)
    return made


def matrix_power(a: Any, n: Any) -> Any:
    """`np.linalg.matrix_power` of a power that only the run tells."""
    whole = np.asarray(a)
    if whole.dtype.kind not in "fc":
        raise NotImplementedError
    if n == 1:
        raise RunLimitError(
            "np.linalg.matrix_power(a, n) gives the array `a` itself for n == 1, and a new one for "
            "others: where only the run tells, write a.copy() if n == 1 else matrix_power(a, n)"
        )
    check_square(whole)
    factor = whole
    count = n
    if n < 0:
        factor, count = np.linalg.inv(whole), -n
    if count == 3:
        return np.matmul(np.matmul(factor, factor), factor)
    found = np.zeros_like(whole) + np.eye(whole.shape[-1], dtype=whole.dtype)
    begun = False
    while count > 0:
        if count % 2 == 1:
            found = np.matmul(found, factor) if begun else factor.copy()
            begun = True
        count = count // 2
        if count > 0:
            factor = np.matmul(factor, factor)
    return found


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """`np.linalg.norm` of an order that only the run tells."""
    whole = np.asarray(x)
    is_matrix = whole.ndim == 2 if axis is None else isinstance(axis, tuple)
    known = (1, -1, 2, -2, np.inf, -np.inf) if is_matrix else (0, 1, 2, np.inf, -np.inf)
    for one in known:
        if ord == one:
            return np.linalg.norm(whole, one, axis, keepdims)
    if is_matrix:
        raise ValueError("Invalid norm order for matrices.")
    powers = np.abs(whole if whole.dtype.kind in "fc" else whole.astype(float)) ** ord
    return np.sum(powers, axis=axis, keepdims=keepdims) ** (1 / ord)


def trace(a: Any, offset: Any = 0) -> Any:
    """`np.trace` of a diagonal that only the run tells."""
    return np.sum(diagonal(np.asarray(a), offset), axis=0)


def diag(v: Any, k: Any = 0) -> Any:
    """`np.diag`: a matrix with such a diagonal."""
    whole = np.asarray(v)
    if whole.ndim == 2:
        raise NotImplementedError  # which is a view
    if whole.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    size = len(whole) + abs(k)
    made = np.zeros((size, size), whole.dtype)
    places = np.arange(len(whole))
    made[places + max(-k, 0), places + max(k, 0)] = whole
    return made


def diagonal(a: Any, offset: Any) -> Any:
    """The elements of a diagonal of a matrix, with further axes behind."""
    row, column = max(-offset, 0), max(offset, 0)
    places = np.arange(max(min(a.shape[0] - row, a.shape[1] - column), 0))
    return a[places + row, places + column]


def rounded(a: Any, decimals: Any = 0) -> Any:
    """`np.round` to so many decimals as only the run tells."""
    whole = np.asarray(a)
    if whole.dtype.kind != "f":
        raise NotImplementedError
    factor = np.asarray(10.0 ** abs(decimals)).astype(whole.dtype)
    if decimals >= 0:
        return (np.rint(whole * factor) / factor)[()]
    return (np.rint(whole / factor) * factor)[()]
