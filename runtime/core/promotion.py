"""Questions about dtypes, as the array API standard asks them: answers in Python, at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor

KINDS: dict[str, str] = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


_NUMBERS = bool | int | float | Number


class FloatLimits(NamedTuple):
    """What `finfo` gives."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IntegerLimits(NamedTuple):
    """What `iinfo` gives."""

    bits: int
    max: int
    min: int
    dtype: DType


def _dtype_of(value: Any) -> DType:
    return value.dtype if isinstance(value, Tensor | np.ndarray) else dtypes.as_dtype(value)


def finfo(kind: Any, /) -> FloatLimits:
    """The limits of a float dtype, or of the dtype of a tensor. ValueError for other dtypes."""
    found = np.finfo(_dtype_of(kind))
    eps, top, bottom, normal = map(float, (found.eps, found.max, found.min, found.smallest_normal))
    return FloatLimits(int(found.bits), eps, top, bottom, normal, np.dtype(found.dtype))


def iinfo(kind: Any, /) -> IntegerLimits:
    """The limits of an integer dtype, or of the dtype of a tensor. ValueError for other dtypes."""
    dtype = _dtype_of(kind)
    found = np.iinfo(dtype)
    return IntegerLimits(int(found.bits), int(found.max), int(found.min), dtype)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is of a kind ("bool", "integral", "real floating", ...), is a dtype, or one
    of several of both."""
    own = dtypes.as_dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(own, one) for one in kind)
    if isinstance(kind, str) and kind in KINDS:
        return own.kind in KINDS[kind]
    if isinstance(kind, str) and kind not in np.sctypeDict:
        raise ValueError(f"{kind!r} is no kind of dtype; there are {', '.join(KINDS)}")
    return own == dtypes.as_dtype(kind)


def can_cast(source: Any, to: Any, /) -> bool:
    """Whether every value of a dtype (or of a tensor's) is in another, as promotion sees it."""
    return bool(np.can_cast(_dtype_of(source), dtypes.as_dtype(to)))


WEAK = (bool, int, float, complex, Number)
"""The kinds of numbers that have no dtype of their own."""


def result_type(*operands: Any) -> DType:
    """The dtype that tensors, dtypes and Python numbers have together; these alone are weak."""
    if not operands:
        raise ValueError("result_type needs at least one tensor or dtype")
    strong = [_dtype_of(one) for one in operands if not isinstance(one, WEAK)]
    weak = [_zero(one) for one in operands if isinstance(one, WEAK)]
    if not strong:
        kinds = [type(one) for one in weak]
        kind = max(kinds, key=[bool, int, float, complex].index)
        if kind is complex:
            return np.result_type(dtypes.default_dtype(float), 0j)
        return dtypes.default_dtype(kind)
    return np.result_type(*strong, *weak)


def _zero(number: Any) -> Any:
    return number.kind(0) if isinstance(number, Number) else type(number)(0)
