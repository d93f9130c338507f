"""The limit: recurrent networks written by hand in numba, buffers allocated once, BLAS in place."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

fast = numba.njit(error_model="numpy", fastmath={"contract"})


@numba.njit(error_model="numpy", inline="always")
def tanh(x: Any) -> Any:
    """tanh as a branch-free rational function, so that loops vectorise (as in Eigen)."""
    one = np.float32
    x = min(max(x, one(-7.90531110763549805)), one(7.90531110763549805))
    y = x * x
    p = one(-2.76076847742355e-16) * y + one(2.00018790482477e-13)
    p = p * y + one(-8.60467152213735e-11)
    p = p * y + one(5.12229709037114e-08)
    p = p * y + one(1.48572235717979e-05)
    p = p * y + one(6.37261928875436e-04)
    p = p * y + one(4.89352455891786e-03)
    q = one(1.19825839466702e-06) * y + one(1.18534705686654e-04)
    q = q * y + one(2.26843463243900e-03)
    q = q * y + one(4.89352518554385e-03)
    return x * p / q


@numba.njit(error_model="numpy", inline="always")
def sigmoid(x: Any) -> Any:
    return np.float32(0.5) * tanh(np.float32(0.5) * x) + np.float32(0.5)


@fast
def rnn_forward(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    """The states (longest + 1, batch, hidden), the first of them zero."""
    batch, hidden = x.shape[1], u.shape[0]
    longest = lengths.max()
    h = np.zeros((longest + 1, batch, hidden), np.float32)
    a = np.dot(x[:longest].reshape(-1, x.shape[2]), w).reshape(longest, batch, hidden)
    product = np.empty((batch, hidden), np.float32)
    for t in range(longest):
        np.dot(h[t], u, product)
        for row in range(batch):
            if t < lengths[row]:
                for i in range(hidden):
                    h[t + 1, row, i] = tanh(a[t, row, i] + product[row, i] + b[i])
            else:
                for i in range(hidden):
                    h[t + 1, row, i] = h[t, row, i]
    return h


@fast
def rnn_gradients(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    """The loss (mean of the squared states) and its gradients for w, u, b."""
    h = rnn_forward(x, lengths, w, u, b)
    longest, batch, hidden = h.shape[0] - 1, h.shape[1], h.shape[2]
    scale = np.float32(2.0 / (longest * batch * hidden))
    transposed = np.ascontiguousarray(u.T)
    da = np.zeros((longest, batch, hidden), np.float32)
    dh = np.zeros((batch, hidden), np.float32)
    product = np.zeros((batch, hidden), np.float32)
    for t in range(longest - 1, -1, -1):
        for row in range(batch):
            if t < lengths[row]:
                for i in range(hidden):
                    y = h[t + 1, row, i]
                    g = dh[row, i] + scale * y
                    da[t, row, i] = g * (np.float32(1.0) - y * y)
            else:
                for i in range(hidden):
                    dh[row, i] += scale * h[t + 1, row, i]
        np.dot(da[t], transposed, product)
        for row in range(batch):
            if t < lengths[row]:
                for i in range(hidden):
                    dh[row, i] = product[row, i]
    flat = da.reshape(-1, hidden)
    dw = np.dot(x[:longest].reshape(-1, x.shape[2]).T, flat)
    du = np.dot(h[:longest].reshape(-1, hidden).T, flat)
    return np.mean(h[1:] * h[1:]), dw, du, flat.sum(axis=0)


@fast
def lstm_run(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    """States and cells (longest + 1, batch, hidden), gates (longest, batch, 4 * hidden)."""
    batch, hidden = x.shape[1], u.shape[0]
    longest = lengths.max()
    h = np.zeros((longest + 1, batch, hidden), np.float32)
    c = np.zeros((longest + 1, batch, hidden), np.float32)
    gates = np.dot(x[:longest].reshape(-1, x.shape[2]), w).reshape(longest, batch, 4 * hidden)
    product = np.empty((batch, 4 * hidden), np.float32)
    for t in range(longest):
        np.dot(h[t], u, product)
        for row in range(batch):
            if t < lengths[row]:
                g = gates[t, row]
                for i in range(3 * hidden):
                    g[i] = sigmoid(g[i] + product[row, i] + b[i])
                for i in range(3 * hidden, 4 * hidden):
                    g[i] = tanh(g[i] + product[row, i] + b[i])
                for i in range(hidden):
                    new = g[hidden + i] * c[t, row, i] + g[i] * g[3 * hidden + i]
                    c[t + 1, row, i] = new
                    h[t + 1, row, i] = g[2 * hidden + i] * tanh(new)
            else:
                for i in range(hidden):
                    c[t + 1, row, i] = c[t, row, i]
                    h[t + 1, row, i] = h[t, row, i]
    return h, c, gates


@fast
def lstm_forward(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    return lstm_run(x, lengths, w, u, b)[0]


@fast
def lstm_gradients(x: Any, lengths: Any, w: Any, u: Any, b: Any) -> Any:
    """The loss (mean of the squared states) and its gradients for w, u, b."""
    h, c, gates = lstm_run(x, lengths, w, u, b)
    longest, batch, hidden = h.shape[0] - 1, h.shape[1], h.shape[2]
    scale, one = np.float32(2.0 / (longest * batch * hidden)), np.float32(1.0)
    transposed = np.ascontiguousarray(u.T)
    dh = np.zeros((batch, hidden), np.float32)
    dc = np.zeros((batch, hidden), np.float32)
    product = np.zeros((batch, hidden), np.float32)
    for t in range(longest - 1, -1, -1):
        for row in range(batch):
            g = gates[t, row]
            if t < lengths[row]:
                for i in range(hidden):
                    enter, keep = g[i], g[hidden + i]
                    show, new = g[2 * hidden + i], g[3 * hidden + i]
                    squashed = tanh(c[t + 1, row, i])
                    gh = dh[row, i] + scale * h[t + 1, row, i]
                    gc = dc[row, i] + gh * show * (one - squashed * squashed)
                    g[i] = gc * new * enter * (one - enter)
                    g[hidden + i] = gc * c[t, row, i] * keep * (one - keep)
                    g[2 * hidden + i] = gh * squashed * show * (one - show)
                    g[3 * hidden + i] = gc * enter * (one - new * new)
                    dc[row, i] = gc * keep
            else:
                for i in range(4 * hidden):
                    g[i] = np.float32(0.0)
                for i in range(hidden):
                    dh[row, i] += scale * h[t + 1, row, i]
        np.dot(gates[t], transposed, product)
        for row in range(batch):
            if t < lengths[row]:
                for i in range(hidden):
                    dh[row, i] = product[row, i]
    flat = gates.reshape(-1, 4 * hidden)
    dw = np.dot(x[:longest].reshape(-1, x.shape[2]).T, flat)
    du = np.dot(h[:longest].reshape(-1, hidden).T, flat)
    return np.mean(h[1:] * h[1:]), dw, du, flat.sum(axis=0)
