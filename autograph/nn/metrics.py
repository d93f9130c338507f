"""Metrics: averages over batches, kept in variables."""

from __future__ import annotations

from typing import Any

import autograph as ag
from autograph.nn.module import Module


class Mean(Module):
    """The mean of all elements it was given since `reset`."""

    def __init__(self) -> None:
        self.total = ag.Variable(0.0, name="total", trainable=False, dtype=ag.float64)
        self.count = ag.Variable(0, name="count", trainable=False, dtype=ag.int64)

    def update(self, values: Any) -> None:
        """Take in a tensor, every element of it."""
        values = ag.astype(ag.asarray(values), ag.float64)
        self.total.assign_add(ag.sum(values))
        self.count.assign_add(ag.sum(ag.ones_like(values, dtype=ag.int64)))

    def result(self) -> Any:
        """The mean: float64; NaN before the first update."""
        return self.total / self.count

    def reset(self) -> None:
        """Begin anew."""
        self.total.assign(0.0)
        self.count.assign(0)


class Accuracy(Mean):
    """The share of rows whose largest logit is that of the label."""

    def update(self, logits: Any, labels: Any) -> None:  # type: ignore[override]
        """Take in logits [..., classes] and integer labels [...]."""
        super().update(ag.argmax(logits, axis=-1) == labels)
