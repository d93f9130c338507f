"""W2c: the same recurrence with an LSTM cell, forward and with gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograph as ag
from tests.bench import native
from tests.bench.measure import OURS, Workload
from tests.bench.recurrent import BATCH, SIZE, TIME, arguments


@ag.function
def forward(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    n = u.shape[0]
    h = ag.zeros((x.shape[1], n))
    c = ag.zeros((x.shape[1], n))
    outputs = []
    for t in range(ag.max(lengths)):
        gates = x[t] @ w + h @ u + b
        enter, keep = ag.sigmoid(gates[:, :n]), ag.sigmoid(gates[:, n : 2 * n])
        show, new = ag.sigmoid(gates[:, 2 * n : 3 * n]), ag.tanh(gates[:, 3 * n :])
        alive = ag.expand_dims(t < lengths, axis=1)
        c = ag.where(alive, keep * c + enter * new, c)
        h = ag.where(alive, show * ag.tanh(c), h)
        outputs.append(h)
    return ag.stack(outputs)


@ag.function
def gradients(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    with ag.GradientTape() as tape:
        tape.watch([w, u, b])
        outputs = forward(x, lengths, w, u, b)
        loss = ag.mean(outputs * outputs)
    return loss, *tape.gradient(loss, [w, u, b])


def sigmoid_numpy(x: Any) -> Any:
    return np.float32(1.0) / (np.float32(1.0) + np.exp(-x))


def run_numpy(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    n = u.shape[0]
    h = np.zeros((x.shape[1], n), np.float32)
    c = np.zeros((x.shape[1], n), np.float32)
    hs, cs, saved = [h], [c], []
    for t in range(lengths.max()):
        gates = x[t] @ w + h @ u + b
        gates[:, : 3 * n] = sigmoid_numpy(gates[:, : 3 * n])
        gates[:, 3 * n :] = np.tanh(gates[:, 3 * n :])
        alive = (t < lengths)[:, None]
        c = np.where(alive, gates[:, n : 2 * n] * c + gates[:, :n] * gates[:, 3 * n :], c)
        h = np.where(alive, gates[:, 2 * n : 3 * n] * np.tanh(c), h)
        hs.append(h)
        cs.append(c)
        saved.append(gates)
    return hs, cs, saved


def gradients_numpy(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    hs, cs, saved = run_numpy(x, lengths, w, u, b)
    size = len(saved) * hs[0].size
    dw, du, db = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b)
    dh, dc = np.zeros_like(hs[0]), np.zeros_like(hs[0])
    for t in reversed(range(len(saved))):
        alive = (t < lengths)[:, None]
        enter, keep, show, new = np.split(saved[t], 4, axis=1)
        squashed = np.tanh(cs[t + 1])
        dh = dh + np.float32(2.0 / size) * hs[t + 1]
        gc = dc + dh * show * (1.0 - squashed * squashed)
        parts = [
            gc * new * enter * (1.0 - enter),
            gc * cs[t] * keep * (1.0 - keep),
            dh * squashed * show * (1.0 - show),
            gc * enter * (1.0 - new * new),
        ]
        da = np.where(alive, np.concatenate(parts, axis=1), np.float32(0.0))
        dw += x[t].T @ da
        du += hs[t].T @ da
        db += da.sum(axis=0)
        dc = np.where(alive, gc * keep, dc)
        dh = np.where(alive, da @ u.T, dh)
    states = np.stack(hs[1:])
    return np.mean(states * states), dw, du, db


def jax_contestants() -> tuple[Any, Any]:
    import jax
    from jax import numpy as jnp

    def run(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
        def step(state: Any, given: Any) -> Any:
            h, c = state
            t, now = given
            enter, keep, show, new = jnp.split(now @ w + h @ u + b, 4, axis=1)
            alive = (t < lengths)[:, None]
            kept = jax.nn.sigmoid(keep) * c + jax.nn.sigmoid(enter) * jnp.tanh(new)
            c = jnp.where(alive, kept, c)
            h = jnp.where(alive, jax.nn.sigmoid(show) * jnp.tanh(c), h)
            return (h, c), h

        start = jnp.zeros((x.shape[1], u.shape[0]))
        return jax.lax.scan(step, (start, start), (jnp.arange(x.shape[0]), x))[1]

    def loss(weights: Any, x: Any, lengths: Any) -> Any:
        return jnp.mean(run(x, lengths, *weights) ** 2)

    both = jax.jit(jax.value_and_grad(loss))

    def gradient(x: Any, lengths: Any, *weights: Any) -> Any:
        value, found = both(weights, x, lengths)
        return jax.block_until_ready((value, *found))

    whole = jax.jit(run)
    return lambda *given: whole(*given).block_until_ready(), gradient


def workloads(jax: bool) -> list[Workload]:
    given = arguments(gates=4)
    tensors = [ag.asarray(array) for array in given]
    one: dict[str, Any] = {
        "numpy": lambda: np.stack(run_numpy(*given)[0][1:]),
        OURS: lambda: forward(*tensors),
        "numba": lambda: native.lstm_forward(*given)[1:],
    }
    two: dict[str, Any] = {
        "numpy": lambda: gradients_numpy(*given),
        OURS: lambda: gradients(*tensors),
        "numba": lambda: native.lstm_gradients(*given),
    }
    if jax:
        run, gradient = jax_contestants()
        one["jax"] = lambda: run(*given)
        two["jax"] = lambda: gradient(*given)
    shape = f"{TIME} steps x {BATCH} rows, {SIZE} -> {SIZE}"
    return [
        Workload("W2c", f"LSTM, {shape}", one, 1e-4),
        Workload("W2cg", f"LSTM with gradients, {shape}", two, 1e-4),
    ]
