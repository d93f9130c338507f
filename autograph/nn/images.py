"""Layers over images [rows, height, width, channels]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
from autograph.nn import arguments, initializers
from autograph.nn.module import Module

Size = int | tuple[int, int]


class Conv2D(Module):
    """`activation(conv2d(x, kernel) + bias)`: [..., inputs] -> [..., outputs]."""

    def __init__(
        self,
        inputs: int,
        outputs: int,
        size: Size = 3,
        strides: Size = 1,
        padding: Any = "SAME",
        dilations: Size = 1,
        activation: Callable[[Any], Any] | None = None,
        use_bias: bool = True,
    ) -> None:
        arguments.count_of(self, inputs=inputs, outputs=outputs)
        window = arguments.window_of(self, size)
        first = initializers.glorot_uniform((*window, inputs, outputs))
        self.kernel = ag.Variable(first, name="kernel")
        self.bias = ag.Variable(ag.zeros((outputs,)), name="bias") if use_bias else None
        self.strides, self.dilations = strides, dilations
        self.padding = arguments.padding_of(self, padding)
        self.activation = arguments.activation_of(self, activation)

    def __call__(self, x: Any) -> Any:
        y = ag.conv2d(
            x, self.kernel, strides=self.strides, padding=self.padding, dilations=self.dilations
        )
        if self.bias is not None:
            y = y + self.bias
        return y if self.activation is None else self.activation(y)


class DepthwiseConv2D(Module):
    """`depthwise_conv2d(x, kernel) + bias`: each channel by `multiplier` kernels of its own."""

    def __init__(
        self,
        inputs: int,
        multiplier: int = 1,
        size: Size = 3,
        strides: Size = 1,
        padding: Any = "SAME",
        use_bias: bool = True,
    ) -> None:
        arguments.count_of(self, inputs=inputs, multiplier=multiplier)
        window = arguments.window_of(self, size)
        first = initializers.glorot_uniform((*window, inputs, multiplier))
        self.kernel = ag.Variable(first, name="kernel")
        outputs = inputs * multiplier
        self.bias = ag.Variable(ag.zeros((outputs,)), name="bias") if use_bias else None
        self.strides, self.padding = strides, arguments.padding_of(self, padding)

    def __call__(self, x: Any) -> Any:
        y = ag.depthwise_conv2d(x, self.kernel, strides=self.strides, padding=self.padding)
        return y if self.bias is None else y + self.bias


class Conv2DTranspose(Module):
    """`conv2d_transpose(x, kernel) + bias`: [..., inputs] -> [..., outputs], larger by strides."""

    def __init__(
        self,
        inputs: int,
        outputs: int,
        size: Size = 3,
        strides: Size = 1,
        padding: str = "SAME",
        use_bias: bool = True,
    ) -> None:
        arguments.count_of(self, inputs=inputs, outputs=outputs)
        window = arguments.window_of(self, size)
        first = initializers.glorot_uniform((*window, outputs, inputs))
        self.kernel = ag.Variable(first, name="kernel")
        self.bias = ag.Variable(ag.zeros((outputs,)), name="bias") if use_bias else None
        self.strides, self.padding = strides, arguments.padding_of(self, padding)

    def __call__(self, x: Any) -> Any:
        y = ag.conv2d_transpose(x, self.kernel, strides=self.strides, padding=self.padding)
        return y if self.bias is None else y + self.bias


class MaxPool2D(Module):
    """The largest element of each window."""

    def __init__(self, size: Size = 2, strides: Size | None = None, padding: Any = "VALID") -> None:
        self.size, self.strides = arguments.window_of(self, size), strides
        self.padding = arguments.padding_of(self, padding)

    def __call__(self, x: Any) -> Any:
        return ag.max_pool2d(x, self.size, strides=self.strides, padding=self.padding)


class AveragePool2D(Module):
    """The mean of each window."""

    def __init__(self, size: Size = 2, strides: Size | None = None, padding: Any = "VALID") -> None:
        self.size, self.strides = arguments.window_of(self, size), strides
        self.padding = arguments.padding_of(self, padding)

    def __call__(self, x: Any) -> Any:
        return ag.avg_pool2d(x, self.size, strides=self.strides, padding=self.padding)


class GlobalAveragePool(Module):
    """The mean over height and width: [rows, height, width, channels] -> [rows, channels]."""

    def __call__(self, x: Any) -> Any:
        return ag.mean(x, axis=(1, 2))
