"""Metrics: averages over batches, kept in variables."""

from __future__ import annotations

from typing import Any

import autograph as ag
from autograph.nn.losses import require_paired
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
        """Take in logits [..., classes] and integer labels [...]. ValueError for other axes."""
        if labels.ndim >= logits.ndim:
            raise ValueError(f"labels of {labels.ndim} axes for logits of {logits.ndim}")
        super().update(ag.argmax(logits, axis=-1) == labels)


class BinaryAccuracy(Mean):
    """The share of elements whose logit has the sign of the label, 0 or 1."""

    def update(self, logits: Any, labels: Any) -> None:  # type: ignore[override]
        """Take in logits and labels of one shape."""
        require_paired(logits, labels)
        super().update((logits > 0) == (labels > 0))


class TopAccuracy(Mean):
    """The share of rows in which fewer than `count` logits are above that of the label."""

    def __init__(self, count: int = 5) -> None:
        super().__init__()
        self.among = count

    def update(self, logits: Any, labels: Any) -> None:  # type: ignore[override]
        """Take in logits [..., classes] and integer labels [...]."""
        places = ag.expand_dims(labels, -1)
        above = ag.sum(logits > ag.take_along_axis(logits, places, axis=-1), axis=-1)
        super().update(above < self.among)


class MeanSquaredError(Mean):
    """The mean of the squares of the differences."""

    def update(self, predicted: Any, target: Any) -> None:  # type: ignore[override]
        """Take in predictions and targets of one shape. ValueError for other numbers of axes."""
        require_paired(predicted, target)
        super().update((predicted - target) ** 2)


class Precision(Module):
    """The share of what was taken to be positive (a logit above 0) that is."""

    def __init__(self) -> None:
        self.right = ag.Variable(0, name="right", trainable=False, dtype=ag.int64)
        self.counted = ag.Variable(0, name="counted", trainable=False, dtype=ag.int64)

    def update(self, logits: Any, labels: Any) -> None:
        """Take in logits and labels, 0 or 1, of one shape."""
        require_paired(logits, labels)
        found, true = logits > 0, labels > 0
        self.right.assign_add(ag.count_nonzero(found & true))
        self.counted.assign_add(ag.count_nonzero(self.among(found, true)))

    def among(self, found: Any, true: Any) -> Any:
        """Which elements count."""
        return found

    def result(self) -> Any:
        """The share: float64; NaN where nothing counted."""
        return self.right / self.counted

    def reset(self) -> None:
        """Begin anew."""
        self.right.assign(0)
        self.counted.assign(0)


class Recall(Precision):
    """The share of what is positive that was found to be (by a logit above 0)."""

    def among(self, found: Any, true: Any) -> Any:
        """Which elements count."""
        return true
