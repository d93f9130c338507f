"""W2a, W2b: a dynamic RNN over sequences of many lengths, forward and with gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograph as ag
from tests.bench import native
from tests.bench.measure import OURS, Workload

TIME, BATCH, SIZE = 64, 32, 256


@ag.function
def forward(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    h = ag.zeros((x.shape[1], u.shape[0]))
    outputs = []
    for t in range(ag.max(lengths)):
        new = ag.tanh(x[t] @ w + h @ u + b)
        h = ag.where(ag.expand_dims(t < lengths, axis=1), new, h)
        outputs.append(h)
    return ag.stack(outputs)


@ag.function
def gradients(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    with ag.GradientTape() as tape:
        tape.watch([w, u, b])
        outputs = forward(x, lengths, w, u, b)
        loss = ag.mean(outputs * outputs)
    return loss, *tape.gradient(loss, [w, u, b])


def forward_numpy(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    h = np.zeros((x.shape[1], u.shape[0]), np.float32)
    outputs = []
    for t in range(lengths.max()):
        new = np.tanh(x[t] @ w + h @ u + b)
        h = np.where((t < lengths)[:, None], new, h)
        outputs.append(h)
    return np.stack(outputs)


def gradients_numpy(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    outputs = forward_numpy(x, lengths, w, u, b)
    dw, du, db = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b)
    dh = np.zeros_like(outputs[0])
    for t in reversed(range(len(outputs))):
        alive = (t < lengths)[:, None]
        dh = dh + np.float32(2.0 / outputs.size) * outputs[t]
        da = np.where(alive, dh * (1.0 - outputs[t] * outputs[t]), np.float32(0.0))
        dw += x[t].T @ da
        if t > 0:
            du += outputs[t - 1].T @ da
        db += da.sum(axis=0)
        dh = np.where(alive, da @ u.T, dh)
    return np.mean(outputs * outputs), dw, du, db


def jax_contestants() -> tuple[Any, Any]:
    import jax
    from jax import numpy as jnp

    def run(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
        def step(h: Any, given: Any) -> Any:
            t, now = given
            h = jnp.where((t < lengths)[:, None], jnp.tanh(now @ w + h @ u + b), h)
            return h, h

        start = jnp.zeros((x.shape[1], u.shape[0]))
        return jax.lax.scan(step, start, (jnp.arange(x.shape[0]), x))[1]

    def loss(weights: Any, x: Any, lengths: Any) -> Any:
        return jnp.mean(run(x, lengths, *weights) ** 2)

    both = jax.jit(jax.value_and_grad(loss))

    def gradient(x: Any, lengths: Any, *weights: Any) -> Any:
        value, found = both(weights, x, lengths)
        return jax.block_until_ready((value, *found))

    whole = jax.jit(run)
    return lambda *given: whole(*given).block_until_ready(), gradient


def arguments(gates: int = 1) -> tuple[np.ndarray, ...]:
    """Inputs (time, batch, size), lengths (batch,) of which one is the longest, and weights."""
    random = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return (random.normal(size=shape) * 0.05).astype(np.float32)

    lengths = random.integers(TIME // 4, TIME + 1, BATCH)
    lengths[0] = TIME
    x = random.normal(size=(TIME, BATCH, SIZE)).astype(np.float32)
    return x, lengths, normal(SIZE, gates * SIZE), normal(SIZE, gates * SIZE), normal(gates * SIZE)


def workloads(jax: bool) -> list[Workload]:
    given = arguments()
    tensors = [ag.asarray(array) for array in given]
    one: dict[str, Any] = {
        "numpy": lambda: forward_numpy(*given),
        OURS: lambda: forward(*tensors),
        "numba": lambda: native.rnn_forward(*given)[1:],
    }
    two: dict[str, Any] = {
        "numpy": lambda: gradients_numpy(*given),
        OURS: lambda: gradients(*tensors),
        "numba": lambda: native.rnn_gradients(*given),
    }
    if jax:
        run, gradient = jax_contestants()
        one["jax"] = lambda: run(*given)
        two["jax"] = lambda: gradient(*given)
    shape = f"{TIME} steps x {BATCH} rows, {SIZE} -> {SIZE}"
    return [
        Workload("W2a", f"RNN, {shape}", one, 1e-4),
        Workload("W2b", f"RNN with gradients, {shape}", two, 1e-4),
    ]
