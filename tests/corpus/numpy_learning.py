"""NumPy code as people publish it: linear models, nets, clustering, filters and optimisers."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

X = np.array([[0.5, 1.0], [1.5, -0.5], [-1.0, 2.0], [0.3, 0.8], [2.0, 1.0]])
Y = np.array([1.0, 0.0, 1.0, 1.0, 0.0])


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


@program(case(X, Y, 0.1, 12), compiled=True)
def logistic_regression(X, y, rate, steps):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(steps):
        error = sigmoid(np.dot(X, w) + b) - y
        w -= rate * np.dot(X.T, error) / len(y)
        b -= rate * error.mean()
    return w, b


@program(case(X, Y, 8))
def two_layer_net(X, y, steps):
    rng = np.random.RandomState(1)
    W1 = rng.randn(2, 3) * 0.5
    W2 = rng.randn(3, 1) * 0.5
    losses = []
    for _ in range(steps):
        h = np.maximum(0, X.dot(W1))
        out = h.dot(W2)
        grad_out = 2.0 * (out - y.reshape(-1, 1))
        losses.append(np.square(out - y[:, np.newaxis]).sum())
        grad_h = grad_out.dot(W2.T)
        grad_h[h <= 0] = 0
        W2 -= 0.01 * h.T.dot(grad_out)
        W1 -= 0.01 * X.T.dot(grad_h)
    return losses, W1, W2


@program(case(X, 2, 6))
def k_means(X, k, rounds):
    centers = X[:k].copy()
    for _ in range(rounds):
        distances = np.sqrt(((X[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2))
        labels = np.argmin(distances, axis=1)
        for j in range(k):
            members = X[labels == j]
            if len(members) > 0:
                centers[j] = members.mean(axis=0)
    return centers, labels


@program(case(X, Y, 1e-10, 20), compiled=True)
def conjugate_gradient(X, y, tolerance, limit):
    A, b = X.T @ X + np.eye(2), X.T @ y
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for _ in range(limit):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        if np.sqrt(new) < tolerance:
            break
        p = r + (new / rs) * p
        rs = new
    return x


@program(case(np.array([[4.0, 2.0, 0.5], [2.0, 5.0, 1.0], [0.5, 1.0, 3.0]])), compiled=True)
def cholesky_by_hand(A):
    n = A.shape[0]
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i + 1):
            s = sum(L[i, k] * L[j, k] for k in range(j))
            if i == j:
                L[i, j] = np.sqrt(A[i, i] - s)
            else:
                L[i, j] = (A[i, j] - s) / L[j, j]
    return L


@program(case(np.array([[2.0, 1.0, 1.0], [4.0, 3.0, 3.0], [8.0, 7.0, 9.0]])))
def lu_in_place(A):
    n = len(A)
    for k in range(n - 1):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            A[i, k + 1 :] -= A[i, k] * A[k, k + 1 :]
    return np.tril(A, -1) + np.eye(n), np.triu(A)


@program(case(np.array([[2.0, 1.0], [1.0, 3.0]]), 30))
def power_iteration(A, steps):
    v = np.ones(A.shape[0])
    for _ in range(steps):
        v = A.dot(v)
        v /= np.linalg.norm(v)
    return v.dot(A).dot(v), v


@program(case(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])))
def gram_schmidt(A):
    Q = np.zeros(A.shape)
    for j in range(A.shape[1]):
        v = A[:, j]
        for i in range(j):
            v = v - np.dot(Q[:, i], A[:, j]) * Q[:, i]
        Q[:, j] = v / np.linalg.norm(v)
    return Q, Q.T @ A


@program(case(np.array([1.0, 1.2, 0.9, 1.1, 3.0]), 0.01, 0.1), compiled=True)
def kalman_filter(measurements, process, noise):
    estimates = np.zeros(len(measurements))
    x, p = 0.0, 1.0
    for k, z in enumerate(measurements):
        p = p + process
        gain = p / (p + noise)
        x = x + gain * (z - x)
        p = (1 - gain) * p
        estimates[k] = x
    return estimates


@program(
    case(
        np.array([0.6, 0.4]),
        np.array([[0.7, 0.3], [0.4, 0.6]]),
        np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]),
        np.array([0, 1, 2, 1]),
    ),
    compiled=True,
)
def viterbi(start, transition, emission, observed):
    n, states = len(observed), len(start)
    score = np.zeros((n, states))
    back = np.zeros((n, states), dtype=int)
    score[0] = np.log(start) + np.log(emission[:, observed[0]])
    for t in range(1, n):
        for s in range(states):
            options = score[t - 1] + np.log(transition[:, s])
            back[t, s] = np.argmax(options)
            score[t, s] = np.max(options) + np.log(emission[s, observed[t]])
    path = np.zeros(n, dtype=int)
    path[-1] = np.argmax(score[-1])
    for t in range(n - 2, -1, -1):
        path[t] = back[t + 1, path[t + 1]]
    return path, score.max()


@program(
    case(
        np.array([0.6, 0.4]),
        np.array([[0.7, 0.3], [0.4, 0.6]]),
        np.array([[0.5, 0.5], [0.1, 0.9]]),
        [0, 1, 0],
    )
)
def forward_algorithm(pi, A, B, observations):
    alpha = pi * B[:, observations[0]]
    scales = []
    for o in observations[1:]:
        alpha = (alpha @ A) * B[:, o]
        c = alpha.sum()
        alpha /= c
        scales.append(c)
    return alpha, np.log(scales).sum()


@program(case(np.array([1.0, -2.0, 0.5]), 15))
def adam(x, steps):
    m, v = np.zeros_like(x), np.zeros_like(x)
    for t in range(1, steps + 1):
        g = 2 * x + np.cos(x)
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g**2
        x = x - 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
    return x


@program(case(X, np.array([0, 1, 0, 0, 1]), 3))
def softmax_classifier(X, labels, steps):
    W = np.zeros((X.shape[1], 2))
    onehot = np.eye(2)[labels]
    for _ in range(steps):
        scores = X @ W
        scores -= scores.max(axis=1, keepdims=True)
        p = np.exp(scores)
        p /= p.sum(axis=1, keepdims=True)
        W -= 0.5 * X.T @ (p - onehot) / len(X)
    return W, -np.log(p[np.arange(len(labels)), labels]).mean()


@program(case(X, Y, 6))
def perceptron(X, y, rounds):
    w = np.zeros(X.shape[1] + 1)
    errors = []
    for _ in range(rounds):
        wrong = 0
        for xi, target in zip(X, y):
            update = 0.5 * (target - np.where(np.dot(xi, w[1:]) + w[0] >= 0.0, 1, 0))
            w[1:] += update * xi
            w[0] += update
            wrong += int(update != 0.0)
        errors.append(wrong)
    return w, errors


@program(case(X))
def standardized(X):
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    C = Z.T @ Z / (len(Z) - 1)
    return Z, C, np.diag(C), np.trace(C)


@program(case(X, Y))
def least_squares_line(X, y):
    x = X[:, 0]
    xbar, ybar = np.mean(x), np.mean(y)
    slope = np.sum((x - xbar) * (y - ybar)) / np.sum((x - xbar) ** 2)
    residual = y - (slope * x + (ybar - slope * xbar))
    return slope, 1 - np.var(residual) / np.var(y)


@program(case(np.array([0.1, 2.3, 2.2, 0.3, 2.1]), 6))
def gaussian_mixture(x, rounds):
    mu, sigma, weight = np.array([0.0, 2.0]), np.array([1.0, 1.0]), np.array([0.5, 0.5])
    for _ in range(rounds):
        density = weight * np.exp(-0.5 * ((x[:, None] - mu) / sigma) ** 2) / sigma
        r = density / density.sum(axis=1, keepdims=True)
        n = r.sum(axis=0)
        mu = (r * x[:, None]).sum(axis=0) / n
        sigma = np.sqrt((r * (x[:, None] - mu) ** 2).sum(axis=0) / n)
        weight = n / len(x)
    return mu, sigma, weight


TURNS = np.array([[0.0, -1.0, 0.5], [1.0, 0.0, 2.0], [0.3, 0.1, 1.0]])


@program(
    case(np.array([[2.0, 1.0], [1.0, 3.0]])),
    case(np.array([[0.0, -1.0], [1.0, 0.0]])),
    case(np.array([[2, 1, 0], [1, 3, 1], [0, 1, 4]])),
    case(TURNS),
    case(TURNS * 1j),
    case(TURNS[:2]),
    case(TURNS[0]),
    ulps=256,
)
def eigenvalues_real_or_complex(matrix):
    found = np.linalg.eig(matrix)
    values, vectors = found
    order = np.argsort(abs(values))[::-1]
    main = np.real(vectors[:, order[0]])
    restored = np.round(vectors @ np.diag(values) @ np.linalg.inv(vectors), 9)
    kinds = values.dtype, np.iscomplexobj(restored), type(found).__name__
    return np.round(values[order], 9), np.round(main / main.sum(), 9), kinds, values.real.sum()


@program(case(TURNS), case(TURNS.T * 2.0), case(np.eye(3)), ulps=256)
def spectral_radius_and_roots(matrix):
    radius = max(abs(np.linalg.eigvals(matrix)))
    chances = np.abs(matrix) / np.abs(matrix).sum(axis=1, keepdims=True)
    values, vectors = np.linalg.eig(chances.T)
    steady = np.real(vectors[:, np.argmin(np.abs(values - 1.0))])
    return np.round(radius, 9), np.round(steady / steady.sum(), 9), np.roots(matrix[1] + 1.0)
