"""Layers: modules that map a tensor to a tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import autograph as ag
from autograph.nn import arguments, initializers
from autograph.nn.module import Module


class Dense(Module):
    """`activation(x @ kernel + bias)`: [..., inputs] -> [..., outputs]."""

    def __init__(
        self,
        inputs: int,
        outputs: int,
        activation: Callable[[Any], Any] | None = None,
        use_bias: bool = True,
    ) -> None:
        arguments.count_of(self, inputs=inputs, outputs=outputs)
        self.kernel = ag.Variable(initializers.glorot_uniform((inputs, outputs)), name="kernel")
        self.bias = ag.Variable(ag.zeros((outputs,)), name="bias") if use_bias else None
        self.activation = arguments.activation_of(self, activation)

    def __call__(self, x: Any) -> Any:
        y = x @ self.kernel
        if self.bias is not None:
            y = y + self.bias
        return y if self.activation is None else self.activation(y)


class Embedding(Module):
    """A row of `table` for each integer: [...] -> [..., width]."""

    def __init__(self, count: int, width: int) -> None:
        arguments.count_of(self, count=count, width=width)
        self.table = ag.Variable(initializers.normal((count, width), width**-0.5), name="table")

    def __call__(self, indices: Any) -> Any:
        return self.table[indices]


class LayerNorm(Module):
    """x less its mean, over its standard deviation, along the last axis (Ba et al., 2016)."""

    def __init__(self, width: int, epsilon: float = 1e-5) -> None:
        arguments.count_of(self, width=width)
        self.scale = ag.Variable(ag.ones((width,)), name="scale")
        self.offset = ag.Variable(ag.zeros((width,)), name="offset")
        self.epsilon = epsilon

    def __call__(self, x: Any) -> Any:
        centred = x - ag.mean(x, axis=-1, keepdims=True)
        variance = ag.mean(centred * centred, axis=-1, keepdims=True)
        return centred / ag.sqrt(variance + self.epsilon) * self.scale + self.offset


class BatchNorm(Module):
    """x less its mean, over its standard deviation, over all axes but the last.

    In training by the batch (Ioffe and Szegedy, 2015), whose figures are averaged with `momentum`;
    afterwards (`training = False`) by those averages.
    """

    def __init__(self, width: int, momentum: float = 0.9, epsilon: float = 1e-5) -> None:
        arguments.count_of(self, width=width)
        self.scale = ag.Variable(ag.ones((width,)), name="scale")
        self.offset = ag.Variable(ag.zeros((width,)), name="offset")
        self.mean = ag.Variable(ag.zeros((width,)), name="mean", trainable=False)
        self.variance = ag.Variable(ag.ones((width,)), name="variance", trainable=False)
        self.momentum = momentum
        self.epsilon = epsilon

    def __call__(self, x: Any) -> Any:
        if self.training:
            axes = tuple(range(x.ndim - 1))
            mean = ag.mean(x, axis=axes)
            variance = ag.mean((x - mean) * (x - mean), axis=axes)
            self.mean.assign(self.momentum * self.mean + (1.0 - self.momentum) * mean)
            self.variance.assign(self.momentum * self.variance + (1.0 - self.momentum) * variance)
        else:
            mean, variance = self.mean, self.variance
        return (x - mean) / ag.sqrt(variance + self.epsilon) * self.scale + self.offset


class Dropout(Module):
    """In training each element is zero with probability `rate`, else over `1 - rate`."""

    def __init__(self, rate: float) -> None:
        if not isinstance(rate, int | float | np.generic):
            raise TypeError(f"rate of Dropout() is a number, not {rate!r}; write Dropout(0.5)")
        if not 0.0 <= rate < 1.0:
            raise ValueError(f"the rate of dropout is in [0, 1), not {rate}")
        self.rate = rate

    def __call__(self, x: Any) -> Any:
        if not self.training or self.rate == 0.0:
            return x
        kept = ag.random_uniform(x.shape) >= self.rate
        return ag.where(kept, x / (1.0 - self.rate), 0.0)


class Sequential(Module):
    """Layers, or functions of a tensor, one after the other; also given as one list of them."""

    def __init__(self, *layers: Callable[[Any], Any] | Sequence[Callable[[Any], Any]]) -> None:
        given: Any = layers
        if len(layers) == 1 and isinstance(layers[0], list | tuple):
            given = layers[0]
        for one in given:
            if not callable(one):
                raise TypeError(
                    f"Sequential() takes layers, or functions of a tensor, not {one!r}; write "
                    "Sequential(nn.Dense(4, 8), ag.relu) or Sequential([nn.Dense(4, 8), ag.relu])"
                )
        self.layers = list(given)

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x


def flatten(x: Any) -> Any:
    """All axes but the first as one: [rows, ...] -> [rows, size]."""
    size = 1
    for one in x.shape[1:]:
        size = size * one
    return ag.reshape(x, (x.shape[0], size))
