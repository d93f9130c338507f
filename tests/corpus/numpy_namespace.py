"""Programs of `import autograph.numpy as np`: arrays stay arrays, tensors in lists are tensors."""

from __future__ import annotations

import autograph as ag
import autograph.numpy as np
import autograph.numpy.linalg as npla
from tests.corpus.registry import case, program

X = np.array([0.5, 1.5, 2.5])
T = ag.asarray([0.5, 1.5, 2.5], dtype=ag.float64)
N = ag.asarray(3)


@program(case(X), case(T), compiled=True)
def rotation(x):
    c, s = np.cos(x[0]), np.sin(x[0])
    return np.array([[c, -s], [s, c]]) @ x[1:]


@program(case(X, N), case(X, 2), compiled=True)
def gathered(x, n):
    out = []
    for i in range(n):
        out.append(np.tanh(x[i]) * i)
    return np.array(out), np.asarray([1, 2]), np.zeros(3), npla.norm(x), np.array([n, 2]).sum()


@program(case(X), case(T), compiled=True)
def slopes(x):
    def loss(y):
        return np.sum(np.array([y[0] * y[1], np.exp(y[2]), y[0]]) ** 2)

    return ag.grad(loss)(x), ag.elementwise_grad(np.tanh)(x)


@program(case(T, N), compiled=True)
def rows_of_tensors(x, n):
    rows = np.array([x, 2 * x, x**2])
    total = np.zeros(3)
    for i in range(n):
        total = total + np.asarray(rows)[i]
    return rows, total, np.array(3.0), np.array([1.0, 2.0], dtype=np.float32)
