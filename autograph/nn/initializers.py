"""Values to begin with, drawn from the default generator (`ag.set_seed`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import autograph as ag

Shape = int | Sequence[int]


def glorot_uniform(shape: Shape) -> Any:
    """Uniform in ±sqrt(6 / (inputs + outputs)) (Glorot and Bengio, 2010); the last two axes."""
    shape = _sizes(shape)
    inputs, outputs = _fans(shape)
    limit = math.sqrt(6.0 / (inputs + outputs))
    return ag.random_uniform(shape, -limit, limit)


def he_normal(shape: Shape) -> Any:
    """Normal with variance 2 / inputs (He et al., 2015): for rectified units."""
    shape = _sizes(shape)
    return ag.random_normal(shape, 0.0, math.sqrt(2.0 / _fans(shape)[0]))


def normal(shape: Shape, std: float = 0.02) -> Any:
    """Normal with mean 0."""
    return ag.random_normal(shape, 0.0, std)


def _sizes(shape: Shape) -> tuple[int, ...]:
    """A shape; an int is that of a vector."""
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """How many inputs and outputs a kernel connects; leading axes are a receptive field."""
    if len(shape) < 2:
        size = shape[0] if shape else 1
        return size, size
    field = math.prod(shape[:-2])
    return shape[-2] * field, shape[-1] * field
