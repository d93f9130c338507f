"""W8: a chain of elementwise functions over vectors of three lengths."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

import autograph as ag
from tests.bench.measure import OURS, Workload
from tests.bench.native import sigmoid, tanh

LENGTHS = (1_000, 100_000, 10_000_000)


@ag.function
def chain(x: Any, y: Any) -> Any:
    a = ag.tanh(x) * ag.sigmoid(y)
    b = ag.exp(-a * a) + ag.sqrt(ag.abs(x))
    return ag.log1p(b) * a + y


def chain_numpy(x: Any, y: Any) -> Any:
    a = np.tanh(x) * (np.float32(1.0) / (np.float32(1.0) + np.exp(-y)))
    b = np.exp(-a * a) + np.sqrt(np.abs(x))
    return np.log1p(b) * a + y


@numba.njit(error_model="numpy", fastmath=True)
def chain_numba(x: Any, y: Any) -> Any:
    out = np.empty_like(x)
    for i in range(x.size):
        a = tanh(x[i]) * sigmoid(y[i])
        b = np.exp(-a * a) + np.sqrt(abs(x[i]))
        out[i] = np.log1p(b) * a + y[i]
    return out


def workloads(jax: bool) -> list[Workload]:
    random = np.random.default_rng(0)
    found = []
    for length in LENGTHS:
        x, y = (random.normal(size=length).astype(np.float32) for _ in range(2))
        found.append(_workload(length, x, y, jax))
    return found


def _workload(length: int, x: np.ndarray, y: np.ndarray, jax: bool) -> Workload:
    one, other = ag.asarray(x), ag.asarray(y)
    contestants: dict[str, Any] = {
        "numpy": lambda: chain_numpy(x, y),
        OURS: lambda: chain(one, other),
        "numba": lambda: chain_numba(x, y),
    }
    if jax:
        from jax import jit, nn
        from jax import numpy as jnp

        def peer(x: Any, y: Any) -> Any:
            a = jnp.tanh(x) * nn.sigmoid(y)
            b = jnp.exp(-a * a) + jnp.sqrt(jnp.abs(x))
            return jnp.log1p(b) * a + y

        run, px, py = jit(peer), jnp.asarray(x), jnp.asarray(y)
        contestants["jax"] = lambda: run(px, py).block_until_ready()
    return Workload("W8", f"tanh, sigmoid, exp, sqrt, log1p of {length:.0e}", contestants, 1e-5)
