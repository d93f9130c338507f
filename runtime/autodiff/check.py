"""check_gradients: gradients against differences of the function itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.runtime.autodiff.tape import GradientTape
from autograph.runtime.control.structure import flatten
from autograph.runtime.core.tensor import Array, Tensor, as_array
from autograph.runtime.ops.table import OPS


class GradientError(AssertionError):
    """A gradient that differs from the numerical one; names the argument and the element."""


def check_gradients(
    f: Callable[..., Any],
    *arguments: Any,
    order: int = 1,
    eps: float = 1e-5,
    rtol: float = 1e-4,
    atol: float = 1e-6,
) -> None:
    """Check the gradients of `f(*arguments)` up to `order` against central differences.

    Float arguments are converted to float64, integer ones are held fixed. The results of `f`, a
    tensor or several, nested, are combined with fixed random weights to one number. GradientError
    names the first element that differs by more than `atol + rtol * |difference quotient|`.
    """
    tensors = [_as_float64(one) for one in arguments]
    moving = [k for k, one in enumerate(tensors) if one.dtype.kind == "f"]
    function: Callable[..., Any] = f
    for level in range(1, order + 1):
        _check_once(function, tensors, moving, level, eps, rtol, atol)
        if level < order:
            function = _gradient_of(function, moving)


def _as_float64(value: Any) -> Tensor:
    array = value.numpy() if isinstance(value, Tensor) else as_array(value)
    return Tensor(array.astype(np.float64) if array.dtype.kind == "f" else array)


def _weighted(f: Callable[..., Any], tensors: Sequence[Tensor]) -> Any:
    """The results of `f`, combined to one number with weights that are the same each time."""
    random = np.random.default_rng(0)
    total: Any = OPS.asarray(0.0, dtype=np.float64)
    for leaf in flatten(f(*tensors))[0]:
        if isinstance(leaf, Tensor) and leaf.dtype.kind == "f":
            weights = random.uniform(0.5, 1.5, leaf.shape)
            total = total + OPS.sum(OPS.astype(leaf, np.float64) * weights)
    return total


def _gradients(f: Callable[..., Any], tensors: Sequence[Tensor], moving: Sequence[int]) -> Any:
    with GradientTape() as tape:
        chosen = [tensors[k] for k in moving]
        tape.watch(chosen)
        total = _weighted(f, tensors)
    found = tape.gradient(total, chosen)
    return [
        OPS.zeros_like(one) if gradient is None else gradient
        for one, gradient in zip(chosen, found, strict=True)
    ]


def _gradient_of(f: Callable[..., Any], moving: Sequence[int]) -> Callable[..., Any]:
    def gradient(*tensors: Any) -> Any:
        return _gradients(f, tensors, moving)

    return gradient


def _check_once(
    f: Callable[..., Any],
    tensors: list[Tensor],
    moving: Sequence[int],
    level: int,
    eps: float,
    rtol: float,
    atol: float,
) -> None:
    exact = [one.numpy() for one in _gradients(f, tensors, moving)]
    for k, gradient in zip(moving, exact, strict=True):
        base = tensors[k].numpy()
        for position in np.ndindex(*base.shape):
            step = eps * max(1.0, abs(float(base[position])))
            ends = []
            for sign in (1.0, -1.0):
                moved = _moved(base, position, sign * step)
                changed = [*tensors[:k], Tensor(moved), *tensors[k + 1 :]]
                ends.append(float(_weighted(f, changed)))
            quotient = (ends[0] - ends[1]) / (2 * step)
            found = float(gradient[position])
            if not abs(found - quotient) <= atol + rtol * abs(quotient):
                raise GradientError(
                    f"order {level}: the gradient for argument {k} at {position} is {found:.10g}, "
                    f"differences give {quotient:.10g}"
                )


def _moved(base: Array, position: tuple[int, ...], by: float) -> Array:
    result = base.copy()
    result[position] += by
    return result
