"""Between tensors and Python numbers; numbers as others that have the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.door import apply
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Effect,
    Elementwise,
    Library,
    Op,
    Sample,
)
from autograph.runtime.core.spec import NUMBER_SPECS, Spec
from autograph.runtime.ops.elementwise.numbers import fitting, require_numbers


def _infer_to_number(x: Spec, *, kind: type) -> Spec:
    if x.size != 1 and isinstance(x.size, int):
        raise ValueError(f"only a tensor with one element becomes a Python number, not {x}")
    return NUMBER_SPECS[kind]


def _to_number(x: Any, *, kind: type) -> Any:
    return fitting(kind(np.asarray(x).item()))


def _infer_to_tensor(x: Spec, *, dtype: DType) -> Spec:
    require_numbers("to_tensor", (x,))
    return Spec(dtype)


def _to_tensor(x: Any, *, dtype: DType) -> Any:
    return np.asarray(x, dtype)


def _of_number(o: Any, g: Any) -> Any:
    """The gradient of a Python float: a tensor."""
    return o.astype(o.real(g) if g.dtype.kind == "c" else g, dtypes.float64)


TO_NUMBER = Op(
    name="to_number",
    summary="The only element of x as a number of Python; int of NaN or infinity raises.",
    infer=_infer_to_number,
    reference=_to_number,
    gradient=(lambda o, g, out, x, *, kind: o.like_number(g, x),),
    lowering=Library("to_number"),
    effect=Effect.MAY_RAISE,
    samples=(
        Sample((np.array([2.75]),), {"kind": int}, gradient=False),
        Sample((2.75,), {"kind": float}, gradient=False),
        Sample((3,), {"kind": bool}, gradient=False),
        Sample((1.5 - 2j,), {"kind": complex}, gradient=False),
    ),
)
TO_TENSOR = Op(
    name="to_tensor",
    summary="A Python number as a 0-d tensor; OverflowError where the dtype does not hold it.",
    infer=_infer_to_tensor,
    reference=_to_tensor,
    gradient=(lambda o, g, out, x, *, dtype: _of_number(o, g),),
    lowering=Library("to_tensor"),
    effect=Effect.MAY_RAISE,
    samples=(
        Sample((3,), {"dtype": dtypes.int8}, gradient=False),
        Sample((2.5,), {"dtype": dtypes.float32}, gradient=False),
        Sample((True,), {"dtype": dtypes.bool_}, gradient=False),
    ),
)


def _require_same_size(source: DType, dtype: DType) -> None:
    for one in (source, dtype):
        if one.kind not in "iuf" or one.itemsize != source.itemsize:
            raise TypeError(f"the bits of {source} are not those of another number of {dtype}")


def _infer_bitcast(x: Spec, *, dtype: DType) -> Spec:
    _require_same_size(x.dtype, dtype)
    return Spec(dtype, x.shape)


def _bits_expression(source: DType, attributes: Any) -> str:
    target = attributes["dtype"]
    if source.kind == target.kind == "f":
        return "{0}"
    bits = "bits({0})" if source.kind == "f" else "{0}"
    return f"float_of_bits({bits})" if target.kind == "f" else bits


def _public_bitcast(o: Any, x: Any, dtype: Any) -> Any:
    """The numbers of another dtype of the same size that have the bits of x; no gradient flows.

    TypeError for other sizes, bools and complex numbers.
    """
    (x,) = o.elementwise_operands(BITCAST, (x,))
    dtype = dtypes.as_dtype(dtype)
    _require_same_size(x.dtype, dtype)
    return x if x.dtype == dtype else apply(BITCAST, (x,), {"dtype": dtype})


BITCAST = Op(
    name="bitcast",
    summary="The numbers of another dtype of the same size that have the bits of x.",
    infer=_infer_bitcast,
    reference=lambda x, *, dtype: np.asarray(x).view(dtype),
    gradient=NOT_DIFFERENTIABLE,
    lowering=Elementwise(_bits_expression),
    samples=(
        Sample((np.array([0.5, -2.5]),), {"dtype": dtypes.int64}, gradient=False),
        Sample((np.array([0.5, -2.5, 0.0], np.float32),), {"dtype": dtypes.uint32}, gradient=False),
        Sample((np.array([-1, 3]),), {"dtype": dtypes.uint64}, gradient=False),
        Sample((np.array([2**62, 3]),), {"dtype": dtypes.float64}, gradient=False),
        Sample((np.array([2**30, 3], np.uint32),), {"dtype": dtypes.float32}, gradient=False),
        Sample((np.array([-3, 3], np.int8),), {"dtype": dtypes.uint8}, gradient=False),
    ),
    public=_public_bitcast,
)

RECORDS = (BITCAST, TO_NUMBER, TO_TENSOR)
