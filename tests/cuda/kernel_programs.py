"""Small models as programs for a GPU: loops that end by their data, lists, rows, errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import autograph as ag

RANDOM = np.random.default_rng(5)


def floats(*shape: int) -> Any:
    """A tensor of float64."""
    return ag.asarray(RANDOM.normal(size=shape))


def newton(x: Any) -> Any:
    """Ends when no element moves."""
    error = ag.asarray(1.0)
    while error > 1e-9:
        new = x - (x * x - 2.0) / (2.0 * x)
        error = ag.max(ag.abs(new - x))
        x = new
    return x


def recurrent(x: Any, w: Any, u: Any, n: Any) -> Any:
    """A recurrent net of a length that is known when it runs."""
    h = ag.zeros((x.shape[1], w.shape[1]), dtype=x.dtype)
    t = 0
    while t < n:
        h = ag.tanh(x[t] @ w + h @ u)
        t += 1
    return h


def recurrent_gradient(x: Any, w: Any, u: Any, n: Any) -> Any:
    """Its gradients: lists that the loop fills and the loop backwards empties."""
    return ag.grad(lambda w, u: ag.sum(recurrent(x, w, u, n) ** 2), argnums=(0, 1))(w, u)


def rows(x: Any) -> Any:
    """Softmax, layer norm, sums along each axis."""
    centered = x - ag.mean(x, axis=1, keepdims=True)
    return ag.softmax(x, axis=-1), centered / ag.std(x, axis=1, keepdims=True), ag.sum(x, axis=0)


def long_rows(x: Any, limit: Any) -> Any:
    """What a team of lanes puts together: sums, products, extremes, tests; of planes, too."""
    y = ag.reshape(x, (2, 3, 40))
    centered = y - ag.mean(y, axis=(1, 2), keepdims=True)
    return (
        ag.log_softmax(x, axis=-1),
        ag.max(x, axis=1) - ag.min(x, axis=1),
        ag.prod(1 + x / 50, axis=1),
        ag.all(x > limit, axis=1),
        ag.any(x > limit, axis=1),
        ag.var(y, axis=(1, 2)),
        centered.astype(ag.float32) * ag.sum(y, axis=2)[:, :, None],
    )


def kept(x: Any, limit: Any) -> Any:
    """An array whose size only the run tells, and a list that grows."""
    large, sums = [], []
    for row in x:
        if ag.sum(row) > limit:
            large.append(row * 2)
        sums.append(ag.sum(row))
    return x[x > limit], large, sums


def moved(x: Any, indices: Any) -> Any:
    """Rows by index, places of extremes, running sums, transposes, scattered sums."""
    taken = ag.take(x, indices, axis=0)
    totals = ag.zeros_like(x)
    totals[indices] = taken + 1
    return taken, ag.argmax(x, axis=1), ag.cumulative_sum(x, axis=1), (x.T * 2).T, totals


def checked(x: Any, place: Any) -> Any:
    """Raises where the place is outside."""
    total = ag.sum(x)
    if total > 1e6:
        raise ValueError("too large")
    return x[place] + total


def collatz(n: Any) -> Any:
    """Numbers alone."""
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def attention(q: Any, k: Any, v: Any) -> Any:
    """Products of a batch, with and without transposed operands."""
    scores = ag.softmax(q @ k.mT / 2.0, axis=-1)
    return scores @ v, ag.grad(lambda k: ag.sum(ag.softmax(q @ k.mT, axis=-1) ** 2))(k)


class Model(NamedTuple):
    """A function, with arguments to call it with."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


_NET = (floats(6, 3, 4), floats(4, 5) * 0.5, floats(5, 5) * 0.5, ag.asarray(6))
MODELS = {
    "newton": Model(newton, (ag.asarray(RANDOM.uniform(1, 3, 7)),)),
    "recurrent": Model(recurrent, _NET),
    "recurrent_gradient": Model(recurrent_gradient, _NET),
    "attention": Model(attention, (floats(2, 3, 5, 4), floats(2, 3, 6, 4), floats(2, 3, 6, 2))),
    "rows": Model(rows, (floats(7, 5),)),
    "long_rows": Model(long_rows, (floats(6, 40), ag.asarray(0.5))),
    "kept": Model(kept, (floats(9, 3), ag.asarray(0.25))),
    "moved": Model(moved, (floats(6, 4), ag.asarray([5, 0, 3]))),
    "checked": Model(checked, (floats(6), ag.asarray(4))),
    "collatz": Model(collatz, (ag.asarray(27),)),
}
