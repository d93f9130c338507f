"""W4: a whole training loop staged: softmax regression and a small network, plain SGD."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

import autograph as ag
from tests.bench.measure import OURS, Workload

PIXELS, HIDDEN, CLASSES, BATCH, BATCHES = 784, 128, 10, 200, 5
STEPS = {"W4a": 1_000, "W4b": 1_000}
RATE = 0.05


@ag.function
def regression(images: Any, labels: Any, w: Any, b: Any, steps: Any) -> Any:
    loss = ag.zeros(())
    for step in range(steps):
        x, y = images[step % images.shape[0]], labels[step % labels.shape[0]]
        with ag.GradientTape() as tape:
            tape.watch([w, b])
            scores = ag.log_softmax(x @ w + b, axis=1)
            loss = -ag.mean(ag.sum(scores * y, axis=1))
        dw, db = tape.gradient(loss, [w, b])
        w = w - RATE * dw
        b = b - RATE * db
    return loss, w, b


@ag.function
def network(images: Any, labels: Any, w1: Any, b1: Any, w2: Any, b2: Any, steps: Any) -> Any:
    loss = ag.zeros(())
    for step in range(steps):
        x, y = images[step % images.shape[0]], labels[step % labels.shape[0]]
        with ag.GradientTape() as tape:
            tape.watch([w1, b1, w2, b2])
            hidden = ag.maximum(x @ w1 + b1, 0.0)
            scores = ag.log_softmax(hidden @ w2 + b2, axis=1)
            loss = -ag.mean(ag.sum(scores * y, axis=1))
        d1, e1, d2, e2 = tape.gradient(loss, [w1, b1, w2, b2])
        w1, b1 = w1 - RATE * d1, b1 - RATE * e1
        w2, b2 = w2 - RATE * d2, b2 - RATE * e2
    return loss, w1, b1, w2, b2


def _residual(x: Any, y: Any, w: Any, b: Any) -> Any:
    """The loss and the gradient of the scores."""
    scores = np.dot(x, w) + b
    loss = np.float32(0.0)
    for row in range(scores.shape[0]):
        line = scores[row]
        top = line.max()
        total = np.float32(0.0)
        for k in range(line.size):
            total += np.exp(line[k] - top)
        for k in range(line.size):
            rest = line[k] - top
            loss -= (rest - np.log(total)) * y[row, k]
            line[k] = (np.exp(rest) / total - y[row, k]) / np.float32(scores.shape[0])
    return loss / np.float32(scores.shape[0]), scores


def _column_sums(x: Any) -> Any:
    total = np.zeros(x.shape[1], x.dtype)
    for row in range(x.shape[0]):
        for k in range(x.shape[1]):
            total[k] += x[row, k]
    return total


def regression_by_hand(images: Any, labels: Any, w: Any, b: Any, steps: int) -> Any:
    w, b, loss = w.copy(), b.copy(), np.float32(0.0)
    rate = np.float32(RATE)
    for step in range(steps):
        x, y = images[step % images.shape[0]], labels[step % labels.shape[0]]
        loss, g = _residual(x, y, w, b)
        w -= rate * np.dot(x.T, g)
        b -= rate * _column_sums(g)
    return loss, w, b


def network_by_hand(
    images: Any, labels: Any, w1: Any, b1: Any, w2: Any, b2: Any, steps: int
) -> Any:
    w1, b1, w2, b2, loss = w1.copy(), b1.copy(), w2.copy(), b2.copy(), np.float32(0.0)
    rate = np.float32(RATE)
    for step in range(steps):
        x, y = images[step % images.shape[0]], labels[step % labels.shape[0]]
        hidden = np.maximum(np.dot(x, w1) + b1, np.float32(0.0))
        loss, g = _residual(hidden, y, w2, b2)
        h = np.where(hidden > 0, np.dot(g, np.ascontiguousarray(w2.T)), np.float32(0.0))
        w2 -= rate * np.dot(hidden.T, g)
        b2 -= rate * _column_sums(g)
        w1 -= rate * np.dot(x.T, h)
        b1 -= rate * _column_sums(h)
    return loss, w1, b1, w2, b2


def _jax(loss: Any) -> Any:
    import jax

    def train(images: Any, labels: Any, weights: Any, steps: Any) -> Any:
        def step(k: Any, state: Any) -> Any:
            weights, _ = state
            x, y = images[k % images.shape[0]], labels[k % labels.shape[0]]
            value, found = jax.value_and_grad(loss)(weights, x, y)
            return tuple(w - RATE * g for w, g in zip(weights, found)), value

        return jax.lax.fori_loop(0, steps, step, (weights, 0.0))

    run = jax.jit(train)

    def call(images: Any, labels: Any, *weights_and_steps: Any) -> Any:
        *weights, steps = weights_and_steps
        weights, value = jax.block_until_ready(run(images, labels, tuple(weights), steps))
        return value, *weights

    return call


def jax_contestants() -> tuple[Any, Any]:
    import jax
    from jax import numpy as jnp

    def one(weights: Any, x: Any, y: Any) -> Any:
        w, b = weights
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ w + b, axis=1) * y, axis=1))

    def two(weights: Any, x: Any, y: Any) -> Any:
        w1, b1, w2, b2 = weights
        hidden = jnp.maximum(x @ w1 + b1, 0.0)
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(hidden @ w2 + b2, axis=1) * y, axis=1))

    return _jax(one), _jax(two)


def arguments() -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
    """Images and one-hot labels in batches, and the weights of both models."""
    random = np.random.default_rng(0)
    images = random.random((BATCHES, BATCH, PIXELS), np.float32)
    labels = np.eye(CLASSES, dtype=np.float32)[random.integers(0, CLASSES, (BATCHES, BATCH))]

    def normal(*shape: int) -> np.ndarray:
        return (random.normal(size=shape) * 0.05).astype(np.float32)

    one = [normal(PIXELS, CLASSES), np.zeros(CLASSES, np.float32)]
    two = [normal(PIXELS, HIDDEN), np.zeros(HIDDEN, np.float32)]
    two += [normal(HIDDEN, CLASSES), np.zeros(CLASSES, np.float32)]
    return [images, labels], one, two


def workloads(jax: bool) -> list[Workload]:
    data, one, two = arguments()
    fast = numba.njit(error_model="numpy", fastmath={"contract"})
    module = globals()
    for name in ("_residual", "_column_sums"):
        module[name] = fast(getattr(module[name], "py_func", module[name]))
    peers = jax_contestants() if jax else (None, None)
    found = []
    for name, title, staged, hand, weights, peer in (
        ("W4a", "softmax regression 784 -> 10", regression, regression_by_hand, one, peers[0]),
        ("W4b", "MLP 784-128-10", network, network_by_hand, two, peers[1]),
    ):
        found.append(_workload(name, title, staged, fast(hand), [*data, *weights], peer))
    return found


def _workload(
    name: str, title: str, staged: Any, hand: Any, given: list[np.ndarray], peer: Any
) -> Workload:
    steps = STEPS[name]
    tensors = [ag.asarray(array) for array in given]
    count = ag.asarray(steps)
    contestants: dict[str, Any] = {
        "numba": lambda: hand(*given, steps),
        OURS: lambda: staged(*tensors, count),
    }
    if peer is not None:
        contestants["jax"] = lambda: peer(*given, steps)
    # (rounding decides which units are on, and 1,000 steps tell)
    return Workload(name, f"{title}, {steps} SGD steps", contestants, 0.1)
