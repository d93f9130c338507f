"""Losses: one number for predictions and targets, the mean over all elements or rows."""

from __future__ import annotations

from typing import Any

import autograph as ag


def mean_squared_error(predicted: Any, target: Any) -> Any:
    """The mean of the squares of the differences."""
    return ag.mean((predicted - target) ** 2)


def mean_absolute_error(predicted: Any, target: Any) -> Any:
    """The mean of the sizes of the differences."""
    return ag.mean(ag.abs(predicted - target))


def huber(predicted: Any, target: Any, delta: float = 1.0) -> Any:
    """Half the square of a difference up to `delta`, straight beyond (Huber, 1964); the mean."""
    size = ag.abs(predicted - target)
    inner = ag.minimum(size, delta)
    return ag.mean(0.5 * inner * inner + delta * (size - inner))


def softmax_cross_entropy(logits: Any, labels: Any) -> Any:
    """-log of the probability of the label, the mean over rows.

    logits: [..., classes]; labels: integers [...], or probabilities of the shape of the logits.
    """
    logarithms = ag.log_softmax(logits, axis=-1)
    if labels.ndim == logits.ndim:
        return -ag.mean(ag.sum(labels * logarithms, axis=-1))
    chosen = ag.one_hot(labels, logits.shape[-1])
    return -ag.mean(ag.sum(chosen * logarithms, axis=-1))


def sigmoid_cross_entropy(logits: Any, labels: Any) -> Any:
    """-log of the probability of labels 0 and 1, each by itself, without overflow; the mean."""
    positive = ag.maximum(logits, 0.0)
    return ag.mean(positive - logits * labels + ag.log1p(ag.exp(-ag.abs(logits))))


def hinge(predicted: Any, labels: Any) -> Any:
    """How far predictions of labels -1 and 1 are on the wrong side of a margin of 1; the mean."""
    return ag.mean(ag.relu(1.0 - labels * predicted))


def kl_divergence(logits: Any, target: Any) -> Any:
    """What coding by softmax(logits) costs where `target` are the probabilities; the row mean."""
    own = ag.where(target > 0.0, ag.log(ag.where(target > 0.0, target, 1.0)), 0.0)
    lost = own - ag.log_softmax(logits, axis=-1)
    return ag.mean(ag.sum(target * lost, axis=-1))


def cosine_distance(predicted: Any, target: Any, epsilon: float = 1e-12) -> Any:
    """1 less the cosine of the angle between rows; the mean."""
    product = ag.sum(predicted * target, axis=-1)
    lengths = ag.vector_norm(predicted, axis=-1) * ag.vector_norm(target, axis=-1)
    return 1.0 - ag.mean(product / ag.maximum(lengths, epsilon))
