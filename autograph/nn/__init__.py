"""Layers, recurrences, losses, optimizers and metrics: plain Python on the public API.

They are converted as the user's own code is, and are meant to be read as examples of it.
"""

from __future__ import annotations

from typing import NoReturn

from autograph import foreign_names
from autograph.nn import initializers, losses, metrics, optimizers, schedules
from autograph.nn.images import (
    AveragePool2D,
    Conv2D,
    Conv2DTranspose,
    DepthwiseConv2D,
    GlobalAveragePool,
    MaxPool2D,
)
from autograph.nn.layers import BatchNorm, Dense, Dropout, Embedding, LayerNorm, Sequential, flatten
from autograph.nn.module import Module
from autograph.nn.recurrent import RNN, GRUCell, LSTMCell, SimpleCell

__all__ = [
    "RNN",
    "AveragePool2D",
    "BatchNorm",
    "Conv2D",
    "Conv2DTranspose",
    "Dense",
    "DepthwiseConv2D",
    "Dropout",
    "Embedding",
    "GRUCell",
    "GlobalAveragePool",
    "LSTMCell",
    "LayerNorm",
    "MaxPool2D",
    "Module",
    "Sequential",
    "SimpleCell",
    "flatten",
    "initializers",
    "losses",
    "metrics",
    "optimizers",
    "schedules",
]


def __getattr__(name: str) -> NoReturn:
    raise foreign_names.missing("autograph.nn", name)
