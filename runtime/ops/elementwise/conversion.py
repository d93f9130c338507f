"""Between tensors and Python numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import Effect, Library, Op, Sample
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


def _kind_of_gradient(x: Any) -> type:
    kind = x.kind if isinstance(x, Number) else type(x)
    return complex if kind is complex else float


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
    gradient=(lambda o, g, out, x, *, dtype: o.to_number(g, kind=_kind_of_gradient(x)),),
    lowering=Library("to_tensor"),
    effect=Effect.MAY_RAISE,
    samples=(
        Sample((3,), {"dtype": dtypes.int8}, gradient=False),
        Sample((2.5,), {"dtype": dtypes.float32}, gradient=False),
        Sample((True,), {"dtype": dtypes.bool_}, gradient=False),
    ),
)

RECORDS = (TO_NUMBER, TO_TENSOR)
