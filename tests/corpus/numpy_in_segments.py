"""NumPy's functions of segments, bits, grids and orders that only the run tells."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from tests.corpus.registry import case, program

POSITIVE = np.array([1.0, 2.0, 3.0])
MIXED = np.array([5.0, -2.0, 3.0])
FIVE = np.array([3.0, 1.0, 2.0, 4.0, 7.0])
GROWN = (case(POSITIVE), case(MIXED), case(FIVE), case(-POSITIVE))
TABLE = np.arange(10.0).reshape(5, 2)
SQUARE = np.array([[1.0, 2.0, 0.5], [0.0, 1.0, -1.0], [3.0, 0.5, 2.0]])


@program(
    case(np.array([1, 0, 1, 2]), np.arange(4.0)),
    case(np.array([1, 0, 1, 1]), np.arange(4.0)),
    case(np.array([1, 1]), np.arange(2.0)),
    compiled=True,
)
def sums_of_groups(labels, values):
    order = np.argsort(labels, kind="stable")
    found, starts = np.unique(labels[order], return_index=True)
    return found, np.add.reduceat(values[order], starts)


@program(*(case(FIVE, np.array(one)) for one in ([0, 2], [3, 1], [0, 1, 4], [0, 7], [-1, 1])))
def segments_that_overlap(a, places):
    whole = a.astype(int)
    return (
        *(np.maximum.reduceat(a, places), np.multiply.reduceat(a, places)),
        *(np.add.reduceat(whole > 2, places), np.logical_or.reduceat(whole, places)),
    )


@program(case(TABLE, np.array([0, 2])), case(TABLE, np.array([1])), case(TABLE, np.array([0, 5])))
def segments_of_rows(a, places):
    return np.add.reduceat(a, places), np.minimum.reduceat(a.T, places, axis=1)


@program(case(POSITIVE, FIVE), case(MIXED, FIVE), case(FIVE, MIXED), case(-POSITIVE, FIVE))
def convolved_of_what_is_left(a, b):
    m, n = a[a > 0], b[b > 0]
    whole = np.convolve(m, n), np.convolve(m, n, "same"), np.convolve(m, n, "valid")
    return whole, np.correlate(m, n), np.correlate(n, m, "same"), np.correlate(m, n, "full")


@program(*GROWN, compiled=True)
def smoothed_what_is_left(a):
    return np.convolve(a[a > 0], [0.25, 0.5, 0.25], "same")


@program(case(np.array([0.0, 1.0, 2.0]), POSITIVE), case(MIXED * 0, FIVE), case(FIVE, MIXED))
def products_of_polynomials(a, b):
    return np.polymul(a, b)


@program(case(FIVE, np.array([0, 5, -1])), case(MIXED, np.array([-7, 2])), case(FIVE[:0], [0]))
def taken_beyond_the_end(a, places):
    m = a[a > 0]
    return np.take(m, places, mode="clip"), m.take(places, mode="wrap"), m.take(1, mode="clip")


@program(*GROWN)
def blocks_of_what_is_left(a):
    m = a[a > 0]
    table = np.block([[m[:, None], np.ones((len(m), 2))], [np.zeros((1, 3))]])
    return np.block([m, m]), table, np.block([m, 1.0])


@program(*GROWN, compiled=True)
def packed_bits(a):
    packed = np.packbits(a > 1)
    little = np.packbits((a > 0)[a > -1], bitorder="little")
    return packed, little, np.unpackbits(packed), np.unpackbits(packed, count=3)


@program(case(np.array([[3, 255], [0, 129]], np.uint8)), case(np.array([[7], [1]], np.uint8)))
def unpacked_bits(a):
    rows = np.unpackbits(a, axis=1, bitorder="little")
    return rows, np.packbits(rows, axis=0), np.unpackbits(a, count=-3), np.unpackbits(a, count=50)


@program(case(SQUARE, np.array(1)), case(SQUARE, np.array(-1)), case(SQUARE, np.array(5)))
def diagonals_of_the_run(a, which):
    k = int(which)
    parts = np.triu(a, k), np.tril(a > 0, k), np.triu(a[0], k)
    return parts, np.trace(a, k), np.diag(a[0], k=k)


@program(*(case(FIVE, np.array(n)) for n in (1, 2, 0, -1, 7)), compiled=True)
def differences_of_the_run(a, n):
    return np.diff(a, int(n)), np.diff(a > 2, n=int(n))


@program(
    *(case(SQUARE, np.array(n)) for n in (2, 3, 0, 7, -1, -2)), ulps=256, mutate=False, vary=False
)
def powers_of_the_run(a, n):
    return np.linalg.matrix_power(a, int(n))


@program(case(SQUARE), case(SQUARE + 1))
def first_powers(a):
    same = np.linalg.matrix_power(a, 1)
    same[0, 0] = 7.0
    return a, same, np.linalg.matrix_power(a, 2)


@program(*(case(FIVE, SQUARE, np.array(n)) for n in (1, 2)), ulps=64)
def norms_of_the_run(a, rows, order):
    return np.linalg.norm(a, int(order)), np.linalg.norm(rows, ord=int(order), keepdims=True)


@program(*(case(FIVE, np.array(n)) for n in (0, 3, -1)), ulps=64)
def norms_of_vectors_of_the_run(a, order):
    return np.linalg.norm(a, int(order))


@program(*(case(FIVE * 1.2345, np.array(n)) for n in (0, 2, 3, -1)), compiled=True)
def decimals_of_the_run(a, n):
    return np.round(a, int(n)), np.round(a[1], decimals=int(n))


@program(*(case(SQUARE, np.array(n)) for n in (0, 1, 2)), compiled=True, ulps=64)
def degrees_of_the_run(a, n):
    return np.var(a, ddof=int(n)), a.std(axis=0, ddof=int(n))


@program(case(SQUARE, SQUARE > 0.6), case(SQUARE, SQUARE > 9), case(SQUARE + 1j, SQUARE > 0.6))
def spread_of_those_that_count(a, mask):
    found = np.var(a, where=mask), a.std(axis=0, where=mask, ddof=1), a.var(where=mask[0])
    return [np.nan_to_num(one, nan=-1.0) for one in found]


@program(case(POSITIVE, FIVE), case(FIVE, MIXED))
def grids_that_are_views(a, b):
    wide, high = np.meshgrid(a, b, copy=False)
    row, column = np.meshgrid(a, b, copy=False, sparse=True, indexing="ij")
    column[0, 0] = 9.0
    return wide + high, row, column, b


@program(case(POSITIVE), case(FIVE), case(FIVE[:1]))
def several_results_of_each(a):
    def parted(x):
        return x // 2, x % 2 > 0.5

    whole, odd = np.vectorize(parted, otypes=[int, bool])(a)
    return whole, odd, np.vectorize(parted)(a)


@program(case(np.array(3)), case(np.array(1)))
def path_that_begins_with_integers(n):
    x = np.array([1, 2])
    path = [x]
    for _ in range(int(n)):
        x = x * 0.5
        path.append(x)
    return np.stack(path), np.array(path), np.concatenate(path), np.vstack(path)


@program(case(FIVE, 2), case(np.arange(6.0), 3), case(np.arange(4), 2), case(np.arange(7), 3))
def windows_by_strides(a, k):
    (step,) = a.strides
    sums = as_strided(a, shape=(len(a) - k + 1, k), strides=(step, step)).sum(axis=1)
    wide = np.pad(a, (k - 1, 0))
    spread = as_strided(wide, (len(a), k), (wide.strides[0],) * 2)
    return a.strides, sums, spread.mean(axis=1), as_strided(a, (2, 2), (2 * step, step)) * 2
