"""W3: a TreeLSTM as plain recursion over index arrays, its loss over many trees, and gradients."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

import autograph as ag
from tests.bench.measure import OURS, Workload

TREES, LEAVES, HIDDEN, WORDS = 64, 30, 128, 1_000


@ag.function
def gradients(left: Any, right: Any, word: Any, roots: Any, e: Any, u: Any, b: Any) -> Any:
    size = e.shape[1]

    def state(i: Any) -> Any:
        if left[i] < 0:
            return ag.tanh(e[word[i]]), e[word[i]]
        h1, c1 = state(left[i])
        h2, c2 = state(right[i])
        gates = ag.concat([h1, h2]) @ u + b
        enter, show = ag.sigmoid(gates[:size]), ag.sigmoid(gates[size : 2 * size])
        keep1 = ag.sigmoid(gates[2 * size : 3 * size])
        keep2 = ag.sigmoid(gates[3 * size : 4 * size])
        c = enter * ag.tanh(gates[4 * size :]) + keep1 * c1 + keep2 * c2
        return show * ag.tanh(c), c

    with ag.GradientTape() as tape:
        tape.watch([e, u, b])
        loss = ag.zeros(())
        for root in roots:
            h, _ = state(root)
            loss = loss + ag.sum(h * h)
    return loss, *tape.gradient(loss, [e, u, b])


@numba.njit(error_model="numpy", fastmath={"contract"})
def gradients_numba(left: Any, right: Any, word: Any, roots: Any, e: Any, u: Any, b: Any) -> Any:
    """Children stand before their parents, so a loop up and a loop down do."""
    one, size, count = np.float32(1.0), e.shape[1], left.size
    h, c = np.zeros((count, size), np.float32), np.zeros((count, size), np.float32)
    a, pair = np.zeros((count, 5 * size), np.float32), np.zeros((count, 2 * size), np.float32)
    for i in range(count):
        if left[i] < 0:
            c[i] = e[word[i]]
            h[i] = np.tanh(c[i])
            continue
        pair[i, :size], pair[i, size:] = h[left[i]], h[right[i]]
        gates = np.dot(pair[i], u) + b
        for k in range(4 * size):
            gates[k] = one / (one + np.exp(-gates[k]))
        for k in range(4 * size, 5 * size):
            gates[k] = np.tanh(gates[k])
        a[i] = gates
        for k in range(size):
            kept = gates[2 * size + k] * c[left[i], k] + gates[3 * size + k] * c[right[i], k]
            c[i, k] = gates[k] * gates[4 * size + k] + kept
            h[i, k] = gates[size + k] * np.tanh(c[i, k])
    loss = np.float32(0.0)
    gh, gc = np.zeros_like(h), np.zeros_like(c)
    for root in roots:
        loss += np.sum(h[root] * h[root])
        gh[root] += np.float32(2.0) * h[root]
    de, da = np.zeros_like(e), np.zeros_like(a)
    turned = np.ascontiguousarray(u.T)
    for i in range(count - 1, -1, -1):
        if left[i] < 0:
            for k in range(size):
                de[word[i], k] += gh[i, k] * (one - h[i, k] * h[i, k]) + gc[i, k]
            continue
        for k in range(size):
            enter, show, new = a[i, k], a[i, size + k], a[i, 4 * size + k]
            keep1, keep2 = a[i, 2 * size + k], a[i, 3 * size + k]
            squashed = np.tanh(c[i, k])
            g = gc[i, k] + gh[i, k] * show * (one - squashed * squashed)
            da[i, k] = g * new * enter * (one - enter)
            da[i, size + k] = gh[i, k] * squashed * show * (one - show)
            da[i, 2 * size + k] = g * c[left[i], k] * keep1 * (one - keep1)
            da[i, 3 * size + k] = g * c[right[i], k] * keep2 * (one - keep2)
            da[i, 4 * size + k] = g * enter * (one - new * new)
            gc[left[i], k] += g * keep1
            gc[right[i], k] += g * keep2
        back = np.dot(da[i], turned)
        gh[left[i]] += back[:size]
        gh[right[i]] += back[size:]
    return loss, de, np.dot(pair.T, da), da.sum(axis=0)


def arguments() -> list[np.ndarray]:
    """Random binary trees one after the other, children before parents, and the weights."""
    random = np.random.default_rng(0)
    left: list[int] = []
    right: list[int] = []
    roots = []
    for _ in range(TREES):
        open_nodes = list(range(len(left), len(left) + LEAVES))
        left += [-1] * LEAVES
        right += [-1] * LEAVES
        while len(open_nodes) > 1:
            place = int(random.integers(len(open_nodes) - 1))
            one, other = open_nodes[place : place + 2]
            open_nodes[place : place + 2] = [len(left)]
            left.append(one)
            right.append(other)
        roots.append(open_nodes[0])
    word = random.integers(0, WORDS, len(left))

    def normal(*shape: int) -> np.ndarray:
        return (random.normal(size=shape) * 0.1).astype(np.float32)

    weights = [normal(WORDS, HIDDEN), normal(2 * HIDDEN, 5 * HIDDEN), normal(5 * HIDDEN)]
    return [np.array(left), np.array(right), word, np.array(roots), *weights]


def workloads(jax: bool) -> list[Workload]:
    given = arguments()
    tensors = [ag.asarray(array) for array in given]
    contestants: dict[str, Any] = {
        "numba": lambda: gradients_numba(*given),
        OURS: lambda: gradients(*tensors),
    }
    title = f"TreeLSTM, {TREES} trees of {LEAVES} leaves, hidden {HIDDEN}, gradients"
    return [Workload("W3", title, contestants, 1e-3)]
