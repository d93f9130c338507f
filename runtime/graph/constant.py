"""The constant: the one op that has no inputs and is known while tracing."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Movement, Op
from autograph.runtime.core.spec import NUMBER_SPECS, Spec


def _infer(*, value: Any) -> Spec:
    if isinstance(value, np.ndarray):
        return Spec(value.dtype, value.shape)
    return NUMBER_SPECS[type(value)]


def _reference(*, value: Any) -> Any:
    return value


CONSTANT = Op(
    name="constant",
    summary="A value known while tracing: an array, or a Python number.",
    infer=_infer,
    reference=_reference,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Movement("constant"),
)


def bits_of(value: Any) -> Any:
    """What tells constants apart, to the bit: NaN is itself, and -0.0 is not 0.0."""
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        return array.dtype.str, array.shape, array.tobytes()
    return type(value), repr(value)
