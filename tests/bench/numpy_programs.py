"""NumPy programs with the decorator alone, beside NumPy itself and numba.njit.

Each function is called with arrays and gives arrays. Where njit does not take one, it is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

import autograph as ag
from tests.bench.measure import OURS, Workload

RNG = np.random.default_rng(0)
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}


def program(*args: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Note a function, and the arguments it is timed with."""

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = (function, args)
        return function

    return noted


@program(RNG.random((100, 100)), 50)
def heat(grid, steps):
    u = grid.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += 0.1 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
    return u


@program((RNG.random((64, 64)) < 0.3).astype(np.int64), 10)
def game_of_life(cells, steps):
    for _ in range(steps):
        n = np.zeros_like(cells)
        n[1:-1, 1:-1] = (
            cells[:-2, :-2] + cells[:-2, 1:-1] + cells[:-2, 2:] + cells[1:-1, :-2]
            + cells[1:-1, 2:] + cells[2:, :-2] + cells[2:, 1:-1] + cells[2:, 2:]
        )  # fmt: skip
        cells = ((n == 3) | ((cells == 1) & (n == 2))).astype(np.int64)
    return cells


@program(RNG.random((40, 40)))
def shortest_paths(weights):
    d = weights.copy()
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


@program(RNG.integers(0, 4, 200), RNG.integers(0, 4, 180))
def edit_distance(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    d[:, 0] = np.arange(len(a) + 1)
    d[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[-1, -1]


@program(RNG.normal(size=(500, 4)), 3, 10)
def kmeans(points, k, rounds):
    centers = points[:k].copy()
    labels = np.zeros(points.shape[0], dtype=np.int64)
    for _ in range(rounds):
        for i in range(points.shape[0]):
            best = np.inf
            for j in range(k):
                distance = np.sum((points[i] - centers[j]) ** 2)
                if distance < best:
                    best = distance
                    labels[i] = j
        for j in range(k):
            total = np.zeros(points.shape[1])
            count = 0
            for i in range(points.shape[0]):
                if labels[i] == j:
                    total += points[i]
                    count += 1
            if count > 0:
                centers[j] = total / count
    return centers


@program(RNG.random(2000), 0.1)
def smoothed(signal, alpha):
    out = np.empty_like(signal)
    out[0] = signal[0]
    for i in range(1, len(signal)):
        out[i] = alpha * signal[i] + (1 - alpha) * out[i - 1]
    return out


@program(RNG.normal(size=(200, 8)), RNG.integers(0, 2, 200), 50)
def logistic_regression(x, y, rounds):
    w = np.zeros(x.shape[1])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-(x @ w)))
        w -= 0.1 * (x.T @ (p - y)) / len(y)
    return w


@program(RNG.normal(size=(12, 3)), RNG.random(12), 20)
def n_body(positions, masses, steps):
    x = positions.copy()
    v = np.zeros_like(x)
    for _ in range(steps):
        for i in range(x.shape[0]):
            for j in range(x.shape[0]):
                if i != j:
                    d = x[j] - x[i]
                    r = np.sqrt(np.sum(d * d) + 0.01)
                    v[i] += 0.01 * masses[j] * d / r**3
        x += 0.01 * v
    return x


@program(RNG.random((6, 6)), RNG.random((6, 4)), RNG.random(6), RNG.integers(0, 4, 60))
def viterbi(transition, emission, start, observed):
    n, t = transition.shape[0], len(observed)
    score = np.zeros((t, n))
    back = np.zeros((t, n), dtype=np.int64)
    score[0] = np.log(start) + np.log(emission[:, observed[0]])
    for step in range(1, t):
        for j in range(n):
            options = score[step - 1] + np.log(transition[:, j])
            back[step, j] = np.argmax(options)
            score[step, j] = np.max(options) + np.log(emission[j, observed[step]])
    path = np.zeros(t, dtype=np.int64)
    path[-1] = np.argmax(score[-1])
    for step in range(t - 2, -1, -1):
        path[step] = back[step + 1, path[step + 1]]
    return path


@program(RNG.random((30, 30)) + 30 * np.eye(30), RNG.random(30), 40)
def gauss_seidel(a, b, rounds):
    x = np.zeros_like(b)
    for _ in range(rounds):
        for i in range(len(b)):
            x[i] = (b[i] - np.dot(a[i, :i], x[:i]) - np.dot(a[i, i + 1 :], x[i + 1 :])) / a[i, i]
    return x


@program(RNG.random(400))
def bubble_sort(items):
    a = items.copy()
    for i in range(len(a)):
        swapped = False
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return a


@program(5000)
def primes_below(n):
    sieve = np.ones(n, dtype=np.bool_)
    sieve[:2] = False
    i = 2
    while i * i < n:
        if sieve[i]:
            sieve[i * i :: i] = False
        i += 1
    return np.nonzero(sieve)[0]


@program(RNG.random((60, 60)), RNG.random((5, 5)))
def filtered_image(image, kernel):
    h, w = kernel.shape
    out = np.zeros((image.shape[0] - h + 1, image.shape[1] - w + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.sum(image[i : i + h, j : j + w] * kernel)
    return out


@program(np.linspace(-2, 0.5, 60), np.linspace(-1.2, 1.2, 60), 50)
def mandelbrot(xs, ys, limit):
    counts = np.zeros((len(ys), len(xs)), dtype=np.int64)
    for i in range(len(ys)):
        for j in range(len(xs)):
            c = xs[j] + 1j * ys[i]
            z = 0j
            for k in range(limit):
                z = z * z + c
                if z.real * z.real + z.imag * z.imag > 4:
                    counts[i, j] = k
                    break
    return counts


@program(RNG.normal(size=(128, 64)), RNG.normal(size=(128, 64)), RNG.normal(size=(128, 64)))
def attention(q, k, v):
    scores = q @ k.T / np.sqrt(q.shape[1])
    scores = scores - scores.max(axis=1).reshape(-1, 1)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=1).reshape(-1, 1)
    return weights @ v


@program(RNG.normal(size=200_000))
def moments(x):
    centered = x - x.mean()
    deviation = np.sqrt((centered**2).mean())
    return (centered**3).mean() / deviation**3, (centered**4).mean() / deviation**4 - 3


@program(np.array([2.0, 1.0]), 0.01, 1000)
def lotka_volterra(start, dt, steps):
    out = np.zeros((steps, 2))
    y = start.copy()
    for i in range(steps):
        k1 = np.array([y[0] * (1.1 - 0.4 * y[1]), y[1] * (0.1 * y[0] - 0.4)])
        mid = y + 0.5 * dt * k1
        k2 = np.array([mid[0] * (1.1 - 0.4 * mid[1]), mid[1] * (0.1 * mid[0] - 0.4)])
        y = y + dt * k2
        out[i] = y
    return out


def njit(function: Callable[..., Any], args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The function by numba, if it takes it."""
    compiled = numba.njit(error_model="numpy")(function)
    try:
        compiled(*args)
    except (numba.core.errors.NumbaError, ValueError):
        return None
    return compiled


def workloads(jax: bool) -> list[Workload]:
    made = []
    for name, (function, args) in PROGRAMS.items():
        staged = ag.function(function)
        contestants = {
            "numpy": lambda function=function, args=args: function(*args),
            OURS: lambda staged=staged, args=args: staged(*args),
        }
        compiled = njit(function, args)
        if compiled is not None:
            contestants["njit"] = lambda compiled=compiled, args=args: compiled(*args)
        made.append(Workload("W22", name.replace("_", " "), contestants, 1e-9))
    return made
