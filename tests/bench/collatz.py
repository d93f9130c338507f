"""W1: loops of integer scalars, where only the cost of a turn counts."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

import autograph as ag
from tests.bench.measure import OURS, Workload

LIMIT = 1_460  # 9.3e4 steps in all
TURNS = 2_000


@ag.function
def collatz_total(limit: Any) -> Any:
    total = 0
    start = 1
    while start <= limit:
        n = start
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            total += 1
        start += 1
    return total


@ag.function
def recurrence(n: Any) -> Any:
    i = 0
    s = 1
    while i < n and s >= 0:
        s = (s * 5 + i) & 65535
        i += 1
    return s


collatz_numba = numba.njit(error_model="numpy")(collatz_total.python_function)
recurrence_numba = numba.njit(error_model="numpy")(recurrence.python_function)
recurrence_python = recurrence.python_function


def collatz_numpy(limit: int) -> int:
    """All numbers at once, the finished ones dropped."""
    n = np.arange(2, limit + 1)
    total = 0
    while n.size:
        total += n.size
        n = np.where(n % 2 == 0, n // 2, 3 * n + 1)
        n = n[n != 1]
    return total


def jax_contestants() -> tuple[Any, Any]:
    import jax
    from jax import lax

    def total(limit: Any) -> Any:
        def step(state: Any) -> Any:
            n, count = state
            return lax.select(n % 2 == 0, n // 2, 3 * n + 1), count + 1

        def body(state: Any) -> Any:
            start, count = state
            return start + 1, lax.while_loop(lambda s: s[0] != 1, step, (start, count))[1]

        return lax.while_loop(lambda s: s[0] <= limit, body, (1, 0))[1]

    def chain(n: Any) -> Any:
        def body(state: Any) -> Any:
            i, s = state
            return i + 1, (s * 5 + i) & 65535

        return lax.while_loop(lambda s: (s[0] < n) & (s[1] >= 0), body, (0, 1))[1]

    return jax.jit(total), jax.jit(chain)


def workloads(jax: bool) -> list[Workload]:
    limit, turns = ag.asarray(LIMIT), ag.asarray(TURNS)
    first: dict[str, Any] = {
        "numpy": lambda: collatz_numpy(LIMIT),
        OURS: lambda: collatz_total(limit),
        "numba": lambda: collatz_numba(LIMIT),
    }
    second: dict[str, Any] = {
        "python": lambda: recurrence_python(TURNS),
        OURS: lambda: recurrence(turns),
        "numba": lambda: recurrence_numba(TURNS),
    }
    if jax:
        total, chain = jax_contestants()
        first["jax"] = lambda: total(LIMIT).block_until_ready()
        second["jax"] = lambda: chain(TURNS).block_until_ready()
    return [
        Workload("W1a", f"Collatz, all n <= {LIMIT}", first),
        Workload("W1b", f"while i < n and s >= 0, n = {TURNS}", second),
    ]
