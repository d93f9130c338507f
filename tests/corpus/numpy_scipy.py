"""NumPy code with SciPy's special functions, and methods that arrays have and tensors took over."""

from __future__ import annotations

import numpy as np
from scipy import special
from scipy.special import expit, gammaln, logsumexp, softmax

import autograph as ag
from tests.corpus.registry import case, program

X = np.array([0.5, 1.5, 2.5])
M = np.array([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])
T = ag.asarray([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]], dtype=ag.float64)
N = ag.asarray(3)


@program(case(X, N), case(X, 2), compiled=True)
def mixture(x, n):
    weights = np.full(3, 1 / 3)
    total = 0.0
    for _ in range(n):
        scores = np.log(weights) - 0.5 * (x - weights.sum()) ** 2
        weights = softmax(scores)
        total += logsumexp(scores)
    return np.round(weights, 12), np.round(total, 12), gammaln(x), np.round(expit(-x), 12)


@program(case(X), compiled=True, vary=False)
def counted_likelihood(x):
    rates = special.xlogy(x, 2 * x) - x - special.gammaln(x + 1)
    peak = logsumexp(x.reshape(1, 3), axis=1)
    return np.round(rates.sum(), 12), special.erf(x), special.digamma(x), np.round(peak, 12)


@program(case(M, N), compiled=True)
def methods_of_arrays(m, n):
    rows = m.compress([True, False, True], axis=1)
    order = m.ravel().argsort()
    return rows, order, m.dot(np.arange(3.0)), m.cumsum(axis=0), m.take([0, 2], axis=1) * n


@program(case(T), case(T * 2), compiled=True)
def methods_of_tensors(t):
    ordered, filled = t.copy(), t.copy()
    ordered.sort()
    filled.fill(2.5)
    parts = t.dot(t[0]), t.cumsum(), t.cumprod(1), t.ravel(), t.repeat(2), t.trace()
    rest = t.diagonal(), t.swapaxes(0, 1), t.take([0, 2], 1), t.compress([True, False]), t.real
    return ordered, filled, parts, rest, ordered[0].searchsorted(2.5), t.argsort(0), t.conj()


@program(case(T), compiled=True)
def slopes_through_methods(t):
    return ag.grad(lambda x: x.dot(x[0]).cumsum()[-1] + expit(x.ravel()[1]))(t)
