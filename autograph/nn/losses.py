"""Losses: one number for predictions and targets, the mean over all elements or rows."""

from __future__ import annotations

from typing import Any, NoReturn

import autograph as ag
from autograph import foreign_names


def __getattr__(name: str) -> NoReturn:
    raise foreign_names.missing("autograph.nn.losses", name)


def require_paired(predicted: Any, target: Any) -> None:
    """ValueError where predictions and targets have other axes, and would be broadcast."""
    ranks = getattr(predicted, "ndim", 0), getattr(target, "ndim", 0)
    if ranks[0] != ranks[1] and min(ranks):
        raise ValueError(
            f"predictions have {ranks[0]} axes and targets {ranks[1]}: reshape one of them, since "
            "each prediction would be compared with each target"
        )


def mean_squared_error(predicted: Any, target: Any) -> Any:
    """The mean of the squares of the differences. ValueError for other numbers of axes."""
    require_paired(predicted, target)
    return ag.mean((predicted - target) ** 2)


def mean_absolute_error(predicted: Any, target: Any) -> Any:
    """The mean of the sizes of the differences. ValueError for other numbers of axes."""
    require_paired(predicted, target)
    return ag.mean(ag.abs(predicted - target))


def huber(predicted: Any, target: Any, delta: float = 1.0) -> Any:
    """Half the square of a difference up to `delta`, straight beyond (Huber, 1964); the mean.

    ValueError for other numbers of axes.
    """
    require_paired(predicted, target)
    difference = predicted - target
    inner = ag.clip(difference, -delta, delta)
    return ag.mean(0.5 * inner * inner + delta * (ag.abs(difference) - ag.abs(inner)))


def softmax_cross_entropy(logits: Any, labels: Any) -> Any:
    """-log of the probability of the label, the mean over rows.

    logits: [..., classes], -inf for classes that are ruled out; labels: integers [...], or
    probabilities of the shape of the logits. ValueError for labels that are no class.
    """
    logarithms = ag.log_softmax(logits, axis=-1)
    if labels.dtype.kind == "f":
        if labels.ndim != logits.ndim:
            raise ValueError("probabilities have the shape of the logits")
        _require_rows(labels, logits, logits.ndim)
        share = labels
    else:
        share = ag.one_hot(_classes(labels, logits), logits.shape[-1])
    told = ag.where(share == 0.0, 0.0, logarithms)
    return -ag.mean(ag.sum(share * told, axis=-1))


def _classes(labels: Any, logits: Any) -> Any:
    """Labels that are classes: ValueError for others."""
    if labels.ndim != logits.ndim - 1:
        raise ValueError(
            f"labels of {labels.ndim} axes for logits of {logits.ndim}: integers have one axis less"
        )
    _require_rows(labels, logits, labels.ndim)
    if ag.any((labels < 0) | (labels >= logits.shape[-1])):
        raise ValueError("a label is below 0, or not below the number of classes")
    return labels


def _require_rows(labels: Any, logits: Any, axes: int) -> None:
    """ValueError where labels and logits differ in one of the first axes."""
    for axis in range(axes):
        if labels.shape[axis] != logits.shape[axis]:
            raise ValueError(
                f"labels of size {labels.shape[axis]} along axis {axis}, and logits of size "
                f"{logits.shape[axis]}"
            )


def sigmoid_cross_entropy(logits: Any, labels: Any) -> Any:
    """-log of the probability of labels 0 and 1, each by itself, without overflow; the mean.

    ValueError for other numbers of axes.
    """
    require_paired(logits, labels)
    return ag.mean(ag.softplus(logits) - logits * labels)


def hinge(predicted: Any, labels: Any) -> Any:
    """How far predictions of labels -1 and 1 are on the wrong side of a margin of 1; the mean.

    ValueError for other numbers of axes.
    """
    require_paired(predicted, labels)
    return ag.mean(ag.relu(1.0 - labels * predicted))


def kl_divergence(logits: Any, target: Any) -> Any:
    """What coding by softmax(logits) costs where `target` are the probabilities; the row mean."""
    likely = target > 0.0
    own = ag.log(ag.where(likely, target, 1.0))
    lost = ag.where(likely, own - ag.log_softmax(logits, axis=-1), 0.0)
    return ag.mean(ag.sum(target * lost, axis=-1))


def cosine_distance(predicted: Any, target: Any, epsilon: float = 1e-12) -> Any:
    """1 less the cosine of the angle between rows; the mean."""
    product = ag.sum(predicted * target, axis=-1)
    lengths = ag.vector_norm(predicted, axis=-1) * ag.vector_norm(target, axis=-1)
    return 1.0 - ag.mean(product / ag.maximum(lengths, epsilon))
