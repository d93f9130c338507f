"""NumPy's functions that have no op: staged from NumPy's own code, or from a loop written anew."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

X = np.array([0.5, 1.5, 2.5, 1.5])
M = np.array([[0.5, 1.5], [2.5, 3.5]])


@program(case(X), compiled=True)
def distinct(x):
    values, first, inverse, counts = np.unique(
        x * 2, return_index=True, return_inverse=True, return_counts=True
    )
    return values, first, inverse, counts, np.unique(x > 1), np.unique(x.astype(int) % 2)


@program(case(X, np.array([1.5, 7.0])), compiled=True)
def sets_of_numbers(x, other):
    x = x * 1.0
    found = np.setdiff1d(x, other), np.union1d(x, other), np.setxor1d(x, other)
    return found, np.intersect1d(x, other, return_indices=True)


@program(case(M))
def along_an_axis(m):
    def spread(row):
        return row.max() - row.min()

    return np.apply_along_axis(spread, 1, m * 2), np.apply_along_axis(lambda r: r * 2, 0, m)


@program(case(X), compiled=True)
def vectorized(x):
    @np.vectorize
    def limited(v, low, high):
        if v < low:
            return low
        return min(v, high)

    larger = np.vectorize(lambda a, b: a if a > b else b)(x, 1.0)
    return limited(x, 1.0, 2.0), larger, np.vectorize(lambda v: v > 1, otypes=[bool])(x)


@program(case(M), compiled=True)
def places_of_the_largest(m):
    m = m * 1.0
    row, column = np.unravel_index(np.argmax(m), m.shape)
    return row, column, m[row, column], np.ravel_multi_index((row, column), m.shape)


@program(case(M))
def enumerated(m):
    m = m * 1.0
    turned = np.zeros_like(m)
    total = 0.0
    for (i, j), v in np.ndenumerate(m):
        turned[j, i] = v * 2
    for v in np.nditer(m):
        total += v
    return turned, total


@program(case(X), compiled=True)
def written_where(x):
    out = np.full(4, -1.0)
    np.log(x, out=out, where=x > 1)
    ratio = np.zeros_like(x)
    np.divide(1.0, x - 1.5, out=ratio, where=x != 1.5)
    return out, ratio, np.mean(x, where=x > 1), np.sum(x, where=x < 2, initial=2.0)


@program(case(X), compiled=True)
def runs_of_extremes(x):
    x = x * 1.0
    reached = np.maximum.accumulate(x[::-1]), np.minimum.accumulate(x.reshape(2, 2), axis=1)
    return reached, np.fmax.reduce(x), np.bitwise_or.reduce(x.astype(int))


@program(case(X))
def pieces(x):
    x = x * 1.0
    several = np.piecewise(x, [x < 1, x >= 2], [lambda v: -v, lambda v: v**2, 7.0])
    return several, np.piecewise(x, x > 1, [1, 0]), np.extract(x > 1, x)


@program(case(M))
def blocks(m):
    return np.block([[m * 2, np.zeros((2, 2))], [np.ones((1, 4))]])


@program(case(X), compiled=True)
def put_and_placed(x):
    y = x * 1.0
    np.put(y, [0, -1], [8.0, 9.0])
    np.place(y, y < 3, [5.0, 6.0])
    np.putmask(y, y > 8, 0.0)
    return y


@program(case(X), compiled=True)
def sorted_by_several(x):
    order = np.lexsort((x[::-1], np.round(x * 1.0)))
    return order, np.partition(x * 1.0, 1)[0], np.trim_zeros(x * (x > 1))


@program(case(X))
def windows(x):
    moving = np.lib.stride_tricks.sliding_window_view(x * 1.0, 2)
    return moving.mean(axis=1), moving.shape, np.unwrap(x * 3)


@program(case(X, M))
def broadcast_together(x, m):
    a, b = np.broadcast_arrays(x[:2] * 1.0, m)
    return a + b, a.shape, np.isscalar(x[0]), np.isscalar(x)


@program(case(X))
def from_an_iterator(x):
    return np.fromiter((v * v for v in x), dtype=float), (x[1] * 2).is_integer()


@program(case(X), compiled=True)
def shown(x):
    mean = x.mean()
    lines = "%.3f" % mean, f"{x[1]:.2f} and {mean!r}", "%d of %s" % (x[2], x[0])
    return lines, repr(x[0]), str([x[0], x[1]])


SQUARE = np.ones((6, 6), dtype=int)


@program(case(SQUARE), case(SQUARE[:5, :5].copy()), case(np.ones((9, 9), dtype=int)), compiled=True)
def places_gone_over(m):
    total = 0
    for i, j in np.ndindex(m.shape):
        if m[i, j] > 0:
            total += i
            if m[i, j] > 1:
                total += j
    return total


@program(case(SQUARE), case(SQUARE[:5, :5].copy()), compiled=True)
def places_asked_for(m):
    places, count, total = np.ndindex(m.shape), 0, 0
    while count < m.size:
        i, j = next(places)
        if m[i, j] > 0:
            total += i * j
        count += 1
    places = np.ndindex(m.shape)
    for k in range(m.size):
        i, j = next(places)
        if m[i, j] > 0:
            total += i + k
    return total


@program(case(ag.asarray(4)), refused="StateError", naming=("generator",))
def places_asked_for_under_a_staged_test(n):
    places, total = np.ndindex((3, 3)), 0
    while n > 0:
        i, j = next(places)
        total += 3 * i + j
        n = n - 1
    return total


@program(
    case(np.arange(15.0).reshape(5, 3) + 1, np.array([0, 1, 2, 0, 1])),
    case(np.arange(18.0).reshape(6, 3) + 1, np.array([0, 1, 2, 0, 1, 2])),
    case(np.arange(21.0).reshape(7, 3) + 1, np.array([0, 1, 2, 0, 1, 2, 0])),
    compiled=True,
)
def ranges_as_indices(scores, y):
    n = scores.shape[0]
    scores /= scores.sum(axis=1, keepdims=True)
    chosen = scores[range(n), y]
    scores[range(n), y] -= 1
    scores[range(2)] += 1
    return chosen, scores / n


@program(case(ag.asarray(M)), case(ag.asarray(M + 1)), case(ag.asarray(M * 2)), compiled=True)
def of_the_elements_of_a_tensor(m):
    return (
        np.apply_along_axis(lambda row: (row * row).sum(), 0, m),
        np.unique(m),
        np.float32(m[0, 0]),
    )
