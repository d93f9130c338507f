"""NumPy code as people publish it: images, signals, dynamic programming over arrays, sorting."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

V = np.array([1.0, 3.0, 2.0, 5.0, 4.0])
IMAGE = np.arange(20.0).reshape(4, 5)


@program(case(V, 3), case(V, 2), compiled=True)
def moving_average(x, width):
    c = np.cumsum(np.insert(x, 0, 0))
    return (c[width:] - c[:-width]) / width


@program(case(IMAGE, np.array([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]])), compiled=True)
def convolved(image, kernel):
    kh, kw = kernel.shape
    h, w = image.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.sum(image[i : i + kh, j : j + kw] * kernel)
    return out


@program(case(IMAGE))
def sobel(image):
    gx = image[:, 2:] - image[:, :-2]
    gy = image[2:, :] - image[:-2, :]
    magnitude = np.sqrt(gx[1:-1] ** 2 + gy[:, 1:-1] ** 2)
    magnitude *= 255.0 / magnitude.max()
    return magnitude.astype(np.uint8), magnitude > magnitude.mean()


@program(case(np.array([1, 3, 4, 5]), np.array([1, 4, 5, 7]), 7), compiled=True)
def knapsack(weights, values, capacity):
    n = len(weights)
    table = np.zeros((n + 1, capacity + 1), dtype=int)
    for i in range(1, n + 1):
        for c in range(capacity + 1):
            table[i, c] = table[i - 1, c]
            if weights[i - 1] <= c:
                table[i, c] = max(table[i, c], table[i - 1, c - weights[i - 1]] + values[i - 1])
    return table[n, capacity]


@program(case(np.array([1, 2, 3, 2]), np.array([2, 3, 2])), compiled=True)
def edit_distance(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    d[:, 0] = np.arange(len(a) + 1)
    d[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[-1, -1]


@program(case(np.array([1.0, 2.0, 4.0]), np.array([1.5, 3.0, 3.5, 4.0])))
def dynamic_time_warping(x, y):
    D = np.full((len(x) + 1, len(y) + 1), np.inf)
    D[0, 0] = 0
    for i in range(len(x)):
        for j in range(len(y)):
            D[i + 1, j + 1] = abs(x[i] - y[j]) + min(D[i, j + 1], D[i + 1, j], D[i, j])
    return D[1:, 1:]


@program(case(np.array([[0.0, 3.0, np.inf], [np.inf, 0.0, 1.0], [2.0, np.inf, 0.0]])))
def floyd_warshall(dist):
    n = dist.shape[0]
    for k in range(n):
        dist = np.minimum(dist, dist[:, k, None] + dist[None, k, :])
    return dist


@program(case(np.array([5, 2, 9, 1, 7])), compiled=True)
def bubble_sort(a):
    n = len(a)
    for i in range(n):
        swapped = False
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return a


@program(case(np.array([1, 3, 5, 7, 9]), 7), case(np.array([1, 3, 5, 7, 9]), 4), compiled=True)
def binary_search(a, target):
    low, high = 0, len(a) - 1
    while low <= high:
        mid = (low + high) // 2
        if a[mid] == target:
            return mid
        if a[mid] < target:
            low = mid + 1
        else:
            high = mid - 1
    return -1


@program(*(case(V, s) for s in (1, 2, -1, -2, 9, 0)), compiled=True)
def stepped(x, s):
    y = x.copy()
    y[1::s] = -1.0
    return y, x[::s], x[s::s], x[:s:s], x[-2:0:s]


@program(case(30), case(2), compiled=True)
def sieve(n):
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if prime[i]:
            prime[i * i :: i] = False
    return np.nonzero(prime)[0]


@program(case(np.array([-2.0, 1.0, -3.0, 4.0, -1.0, 2.0])), compiled=True)
def largest_sum(a):
    best = current = a[0]
    for x in a[1:]:
        current = max(x, current + x)
        best = max(best, current)
    return best


@program(case(np.array([0.0, 1.0, 4.0, 9.0]), 0.5))
def derivatives(y, dx):
    d = np.zeros_like(y)
    d[1:-1] = (y[2:] - y[:-2]) / (2 * dx)
    d[0], d[-1] = (y[1] - y[0]) / dx, (y[-1] - y[-2]) / dx
    return d, np.diff(y) / dx, np.trapezoid(y, dx=dx)


@program(case(np.array([1.0, 0.0, -1.0, 0.0])), compiled=True)
def slow_fourier_transform(x):
    n = len(x)
    k = np.arange(n)
    angle = 2 * np.pi * np.outer(k, k) / n
    return np.round(np.cos(angle) @ x, 9) + 0.0, np.round(-np.sin(angle) @ x, 9) + 0.0


@program(case(np.array([3, 1, 2, 3, 1, 1])))
def counted(values):
    histogram = np.zeros(4, dtype=int)
    for v in values:
        histogram[v] += 1
    totals = np.zeros(4)
    np.add.at(totals, values, 0.5)
    return histogram, totals, np.argsort(histogram)[::-1], np.unique(values)


@program(case(np.array([[1, 2, 3], [4, 5, 6]])))
def spiral(matrix):
    out = []
    while matrix.size:
        out.extend(matrix[0])
        matrix = np.rot90(matrix[1:])
    return [int(one) for one in out]


@program(case(V, np.array([0.5, 0.5])))
def convolved_by_shifts(x, taps):
    y = np.zeros(len(x) + len(taps) - 1)
    for k, tap in enumerate(taps):
        y[k : k + len(x)] += tap * x
    return y


@program(case(V, 0.5), compiled=True)
def exponential_smoothing(x, alpha):
    result = [x[0]]
    for n in range(1, len(x)):
        result.append(alpha * x[n] + (1 - alpha) * result[n - 1])
    return np.array(result)


@program(case(np.array([2.0, -1.0, 0.5]), 1.5))
def horner(coefficients, x):
    value = 0.0
    for c in coefficients[::-1]:
        value = value * x + c
    return value, np.polyval(coefficients[::-1], x)


@program(case(np.array([[1.0, 2.0], [3.0, 4.0]])))
def rotated_and_stacked(a):
    b = np.hstack([a, np.fliplr(a)])
    c = np.vstack((b, b[::-1]))
    c[0, :] = -1
    return b, c, c.reshape(2, -1), np.concatenate([a.ravel(), a.T.flatten()]), a.swapaxes(0, 1)


@program(case(np.array([3, 1, 2, 3, 1, 1, 3, 2, 2, 1])), case(np.arange(70) % 4), compiled=True)
def orders_of_equal_elements(counts):
    most = np.argsort(counts)[::-1][:5]
    halves = counts / 2
    rows = counts.reshape(2, -1).astype(np.float32)
    along = np.argsort(rows, axis=0), rows.argsort(axis=1), rows.argsort(0, kind="stable")
    nearest = np.argsort(np.abs(halves - halves[0]))[: len(counts) // 2]
    return most, halves.argsort(), along, nearest, np.argsort(-counts, kind="mergesort")


@program(case(np.array([3.0, 1.5, 2.0, 3.0, 1.0])), case(np.array([1.0, np.nan, 2.0, 0.5])))
def order_statistics(x):
    rows = np.stack([x, 3 - x, x[::-1] * 2], axis=1)
    y = rows.copy()
    y.sort(axis=0)
    middle = np.median(rows, axis=1), np.median(x), np.quantile(x, 0.3)
    return middle, np.percentile(rows, [10, 50, 99], axis=0), np.sort(rows), y


SAMPLES = np.random.default_rng(11).normal(size=(10, 3))


@program(case(SAMPLES), case(SAMPLES[:9]))
def quantiles_to_the_last_bit(x):
    shares = np.percentile(x, [7, 33, 50, 61.5, 88, 100], axis=0)
    return np.median(x, axis=0), np.median(x), np.median(x[:, 0]), shares, np.quantile(x, 0.77)
