"""What the families share when they infer: result dtypes, broadcast shapes, reduced shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim, DimLike, Shape
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import Spec, broadcast, normalized_axes

Infer = Callable[..., Spec]
PARTS: dict[DType, DType] = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}
"""From a complex dtype to that of its parts."""
WHOLES: dict[DType, DType] = {part: whole for whole, part in PARTS.items()}


def floating(dtype: DType) -> DType:
    """The dtype of exp, sqrt, … of `dtype`: floats stay, 32 and 64 bit integers give float64.

    Smaller integers and bool give float32, where NumPy would give float16.
    """
    if dtype.kind == "c":
        raise TypeError("this is not computed of complex numbers: take ag.real(x) and ag.imag(x)")
    if dtype.kind == "f":
        return dtype
    return dtypes.float64 if dtype.kind in "iu" and dtype.itemsize >= 4 else dtypes.float32


def inexact(dtype: DType) -> DType:
    """The dtype of a function that knows complex numbers, too: they stay."""
    return dtype if dtype.kind == "c" else floating(dtype)


def averaging(dtype: DType) -> DType:
    """The dtype of a mean: floats and complex ones stay, all others give float64, as in NumPy."""
    return dtype if dtype.kind in "fc" else dtypes.float64


def spreading(dtype: DType) -> DType:
    """The dtype of var and std: that of a mean, but real."""
    return PARTS.get(dtype, averaging(dtype))


def is_complex(value: Any) -> bool:
    """Whether a tensor or a spec is of complex numbers; Python numbers are not."""
    dtype = getattr(value, "dtype", None)
    return dtype is not None and dtype.kind == "c"


def accumulating(dtype: DType) -> DType:
    """The dtype of sum and prod: small integers and bool widen to 64 bits, as in NumPy."""
    if dtype.kind in "bi":
        return dtypes.int64
    return dtypes.uint64 if dtype.kind == "u" else dtype


def resolved(ufunc: np.ufunc, specs: Sequence[Spec]) -> DType:
    """The dtype of the result that NumPy gives for `ufunc`; its TypeError where it has no loop."""
    kinds = [spec.python_type if spec.python else spec.dtype for spec in specs]
    if all(isinstance(kind, type) for kind in kinds):
        kinds = [spec.dtype for spec in specs]
    arguments = [np.dtype(bool) if kind is bool else kind for kind in kinds]
    found = ufunc.resolve_dtypes((*arguments, None))
    return found[-1]


def by_ufunc(ufunc: np.ufunc) -> Infer:
    """Inference of an elementwise op that is this NumPy ufunc."""

    def infer(*specs: Spec) -> Spec:
        dtype = resolved(ufunc, specs)
        return Spec(dtype, broadcast([spec.shape for spec in specs]))

    return infer


def by_dtype(rule: Callable[[DType], DType]) -> Infer:
    """Inference of a unary elementwise op: its dtype by `rule`, its shape that of the input."""

    def infer(x: Spec, **attributes: Any) -> Spec:
        return Spec(rule(x.dtype), x.shape)

    return infer


def reduced(shape: Shape, axis: Any, keepdims: bool) -> Shape:
    """`shape` without the reduced axes, or with 1 in their places."""
    axes = normalized_axes(axis, len(shape))
    if keepdims:
        return tuple(1 if i in axes else dim for i, dim in enumerate(shape))
    return tuple(dim for i, dim in enumerate(shape) if i not in axes)


def size_of_attribute(size: Any) -> DimLike:
    """The dim for a size given as an attribute: a staged one is a symbol of its own."""
    if isinstance(size, DynamicInt):
        return Dim.fresh("n")
    if size < 0:
        raise ValueError("negative dimensions are not allowed")
    return int(size)


def checked_size(size: int) -> int:
    """A size given as an attribute, when an op runs. ValueError for one below 0."""
    if size < 0:
        raise ValueError("negative dimensions are not allowed")
    return int(size)


def same_size(one: DimLike, other: DimLike) -> bool:
    """Whether two sizes may be equal: they are, or one of them is not known yet."""
    return one == other or isinstance(one, Dim) or isinstance(other, Dim)
