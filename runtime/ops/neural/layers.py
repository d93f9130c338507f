"""What neural networks need: softmax and kin, relu, one-hot."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Decomposition, Op, Sample
from autograph.runtime.core.spec import Spec, normalized_axes, normalized_axis
from autograph.runtime.ops.building import typed
from autograph.runtime.ops.inference import checked_size, floating, reduced, size_of_attribute
from autograph.runtime.ops.quiet import quiet
from autograph.runtime.ops.reducing.reduction import (
    ADD,
    FLOAT_SAMPLES,
    MATRIX,
    MAXIMUM,
    Axis,
    restored,
)
from autograph.runtime.ops.shaping.creation import counted

SOFTMAX_SAMPLES = (
    Sample((MATRIX,)),
    Sample((MATRIX,), {"axis": 0}),
    Sample(([[1000.0, 1001.0], [-1000.0, 3.0]],), {"axis": -1}, gradient=False),
    Sample(([1, 2, 3],), gradient=False),
)


def _floats(x: Any) -> Any:
    return x if x.dtype.kind == "f" else x.astype(floating(x.dtype))


# logsumexp ----------------------------------------------------------------------------------------
def _infer_logsumexp(x: Spec, *, axis: Axis = None, keepdims: bool = False) -> Spec:
    return Spec(floating(x.dtype), reduced(x.shape, axis, keepdims))


@quiet
def _logsumexp(x: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    x = _floats(x)
    top = MAXIMUM(x, axis, None, None, True)
    top = np.where(np.isfinite(top), top, 0)
    total = np.log(ADD(np.exp(x - top), axis, None, None, True)) + top
    return total if keepdims else np.squeeze(total, axis=axis)


def _logsumexp_rule(o: Any, x: Any, *, axis: Axis, keepdims: bool) -> Any:
    x = o.astype(x, floating(x.dtype))
    top = o.max(x, axis=axis, keepdims=True)
    top = o.where(o.isfinite(top), top, 0)
    total = o.log(o.sum(o.exp(x - top), axis=axis, keepdims=True)) + top
    return total if keepdims else o.sum(total, axis=axis)


def _logsumexp_gradient(o: Any, g: Any, out: Any, x: Any, *, axis: Axis, keepdims: bool) -> Any:
    total = restored(o, out, x, axis, keepdims)
    # Of an infinite sum, those that are infinite are all.
    share = o.exp(o.where(x == total, 0, x - total))
    lost = o.where(total == float("-inf"), 0, share)
    return restored(o, g, x, axis, keepdims) * lost


# softmax, log_softmax -----------------------------------------------------------------------------
def _infer_softmax(x: Spec, *, axis: Axis = -1) -> Spec:
    normalized_axes(axis, x.ndim)
    return Spec(floating(x.dtype), x.shape)


@quiet
def _softmax(x: Any, *, axis: int = -1) -> Any:
    x = _floats(x)
    powers = np.exp(x - MAXIMUM(x, axis, None, None, True))
    return powers / ADD(powers, axis, None, None, True)


def _softmax_rule(o: Any, x: Any, *, axis: int) -> Any:
    x = o.astype(x, floating(x.dtype))
    powers = o.exp(x - o.max(x, axis=axis, keepdims=True))
    return powers / o.sum(powers, axis=axis, keepdims=True)


def _softmax_gradient(o: Any, g: Any, out: Any, x: Any, *, axis: int) -> Any:
    return out * (g - o.sum(g * out, axis=axis, keepdims=True))


@quiet
def _log_softmax(x: Any, *, axis: int = -1) -> Any:
    x = _floats(x)
    below = x - MAXIMUM(x, axis, None, None, True)
    return below - np.log(ADD(np.exp(below), axis, None, None, True))


def _log_softmax_rule(o: Any, x: Any, *, axis: int) -> Any:
    x = o.astype(x, floating(x.dtype))
    below = x - o.max(x, axis=axis, keepdims=True)
    return below - o.log(o.sum(o.exp(below), axis=axis, keepdims=True))


def _log_softmax_gradient(o: Any, g: Any, out: Any, x: Any, *, axis: int) -> Any:
    return g - o.exp(out) * o.sum(g, axis=axis, keepdims=True)


# relu, one_hot ------------------------------------------------------------------------------------
def _infer_relu(x: Spec) -> Spec:
    return Spec(x.dtype, x.shape)


def _relu(x: Any) -> Any:
    return np.maximum(x, np.zeros((), x.dtype))


def _require_integers(x: Any) -> None:
    if x.dtype.kind not in "iu":
        raise TypeError(f"one_hot takes integers, not {x.dtype}")


def _infer_one_hot(
    x: Spec, *, num_classes: int, axis: int = -1, dtype: DType = dtypes.float32
) -> Spec:
    _require_integers(x)
    place = normalized_axis(axis, x.ndim + 1)
    size = size_of_attribute(num_classes)
    return Spec(dtype, (*x.shape[:place], size, *x.shape[place:]))


def _one_hot(x: Any, *, num_classes: int, axis: int = -1, dtype: DType = dtypes.float32) -> Any:
    _require_integers(x)
    place = normalized_axis(axis, x.ndim + 1)
    classes = np.arange(checked_size(num_classes)).reshape((-1,) + (1,) * (x.ndim - place))
    return (np.expand_dims(x, place) == classes).astype(dtype)


def _one_hot_rule(o: Any, x: Any, *, num_classes: int, axis: int, dtype: DType) -> Any:
    place = normalized_axis(axis, x.ndim + 1)
    classes = counted(o, num_classes)
    for _ in range(x.ndim - place):
        classes = o.expand_dims(classes, -1)
    return o.astype(o.equal(o.expand_dims(o.astype(x, classes.dtype), place), classes), dtype)


RECORDS = (
    Op(
        name="logsumexp",
        summary="log(sum(exp(x))) along an axis, without overflow.",
        infer=_infer_logsumexp,
        reference=_logsumexp,
        gradient=(typed(_logsumexp_gradient, 0),),
        lowering=Decomposition(_logsumexp_rule),
        samples=(
            *FLOAT_SAMPLES,
            Sample(([-np.inf, -np.inf],), gradient=False),
            Sample(([1000.0, 1000.0],)),
        ),
    ),
    Op(
        name="softmax",
        summary="exp(x) along an axis, divided by its sum, without overflow.",
        infer=_infer_softmax,
        reference=_softmax,
        gradient=(typed(_softmax_gradient, 0),),
        lowering=Decomposition(_softmax_rule),
        samples=SOFTMAX_SAMPLES,
    ),
    Op(
        name="log_softmax",
        summary="log(softmax(x)) along an axis, exact where softmax is tiny.",
        infer=_infer_softmax,
        reference=_log_softmax,
        gradient=(typed(_log_softmax_gradient, 0),),
        lowering=Decomposition(_log_softmax_rule),
        samples=SOFTMAX_SAMPLES,
    ),
    Op(
        name="relu",
        summary="x where it is positive, else 0; NaN stays. The gradient at 0 is 0.",
        infer=_infer_relu,
        reference=_relu,
        gradient=(typed(lambda o, g, out, x: o.where(o.greater(x, 0), g, 0), 0),),
        lowering=Decomposition(lambda o, x: o.maximum(x, np.zeros((), x.dtype))),
        samples=(
            Sample(([0.5, -1.25, 2.0],)),
            Sample((-1.5,)),
            Sample(([0.0, np.nan],), gradient=False),
            Sample(([3, -4],), gradient=False),
        ),
    ),
    Op(
        name="one_hot",
        summary="1 in the class each integer names, else 0, along a new axis; all 0 out of range.",
        infer=_infer_one_hot,
        reference=_one_hot,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Decomposition(_one_hot_rule),
        samples=(
            Sample(([0, 2, 1, 7],), {"num_classes": 3}, gradient=False),
            Sample(([[0, 2], [1, 1]],), {"num_classes": 3, "axis": 0}, gradient=False),
            Sample((1,), {"num_classes": 2, "dtype": dtypes.int32}, gradient=False),
        ),
    ),
)
