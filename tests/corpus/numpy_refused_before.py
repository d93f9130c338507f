"""Functions that ordinary NumPy code uses, of computed arrays and of sizes that the run tells."""

from __future__ import annotations

import math
import time
import warnings
from math import erf, erfc

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

A = np.array([[1.0, 2.0, 3.0], [4.0, 5.5, 6.0], [7.0, 8.0, 9.5], [1.0, 0.5, 2.0]])
W = np.array([0.5, 1.5, 2.5, 1.5])
V = np.array([3.0, 1.0, 2.0, np.nan, 5.0])
I, J = np.array([0, 1, 1, 2]), np.array([1, 0, 0, 2])


@program(case(A, W), case(A[:3], W[:3] * 2), compiled=True, ulps=2**20, exact=False)
def least_squares(a, b):
    x, left, rank, values = np.linalg.lstsq(a * 1.0, b * b, rcond=None)
    short = np.linalg.lstsq(np.hstack([a, a]), np.stack([b, b * b], axis=1), rcond=1e-9)
    # (how LAPACK is asked decides the last bits)
    found = [np.round(one, 9) for one in (x, left, values, short[0])]
    return found, rank, short[1].shape, short[2]


@program(case(A), case(A[:3] / 2), compiled=True, ulps=64)
def norms_in_a_loop(w):
    turns = 0
    while np.linalg.norm(w, 1) > 1:
        w = w / 2
        turns += 1
    kinds = [np.linalg.norm(w, kind) for kind in (1, -1, np.inf, -np.inf, "fro")]
    rows = np.linalg.norm(w, 1, axis=1), np.linalg.norm(w[0], 3), np.linalg.norm(w[0], 0)
    return turns, kinds, rows, np.linalg.norm(w, 1, (0, 1), keepdims=True)


@program(case(A, I, J, W), case(A * 2, J, I, W), compiled=True)
def changed_at(c, i, j, v):
    np.add.at(c, (i, j), v)
    np.subtract.at(c, (i, j), v * 2)
    np.maximum.at(c, (i, 0), v)
    np.multiply.at(c, (slice(None), 0), 2.0)
    np.add.at(c, c > 2, 1)
    counts = np.zeros((4, 4), dtype=int)
    np.add.at(counts, (i, j), 1)
    return c, counts


@program(case(W, W[::-1].copy()), case(np.repeat(W, 2), np.tile(W, 2)), compiled=True, ulps=64)
def histograms_of_two(a, b):
    plain = np.histogram2d(a * 1.0, b, bins=3)
    dense = np.histogram2d(a * 1.0, b, bins=[3, 4], range=[[0, 3], [0, 3]], density=True)
    weighted = np.histogram2d(a * 1.0, b, bins=(np.array([0, 1, 3.0]), 2), weights=a)
    return plain, dense, weighted, np.histogramdd(np.stack([a, b, a + b], axis=1), bins=2)


@program(case(A), case(A[1:]))
def padded_by_the_edges(a):
    found = []
    for mode in ("symmetric", "linear_ramp", "mean", "maximum", "minimum", "median"):
        found.append(np.pad(a * 1.0, ((1, 2), (0, 1)), mode=mode))
        found.append(np.pad((a[0] * 2).astype(int), 2, mode=mode))
    some = (
        np.pad(a * 1.0, 2, "mean", stat_length=1),
        np.pad(a[0], 2, "linear_ramp", end_values=(1, 2)),
    )
    return found, some, np.pad(a[0] * 1.0, 5, mode="symmetric")


@program(case(A[[0, 1, 0, 2]]), case(A[[3, 3, 1]]), compiled=True)
def distinct_rows(a):
    rows = np.unique(a * 1.0, axis=0, return_index=True, return_inverse=True, return_counts=True)
    return rows, np.unique((a * 2).astype(int), axis=1)


@program(case(V), case(V[1:]), case(V * np.nan), compiled=True, ulps=64)
def quantiles_without_nan(a):
    rows = np.stack([a * 1.0, a[::-1]])
    whole = (
        np.nanmedian(a * 1.0),
        np.nanpercentile(a * 1.0, 30),
        np.nanquantile(a * 1.0, [0.2, 0.5]),
    )
    others = np.nanpercentile(a * 1.0, [25, 75], method="lower")
    kept = np.nanquantile(rows, [0.2, 0.7], axis=0, keepdims=True)
    return whole, others, kept, np.nanmedian(rows, axis=1), np.nanpercentile(rows, 30, axis=1)


@program(case(W, np.int64(4)), case(W, np.int64(7)), ulps=64)
def sizes_told_by_the_run(a, n):
    n = int(n)
    ranges = np.r_[0:n], np.r_[0:n, 5.0], np.r_[n:0:-1, a], np.c_[0:n], np.mgrid[0:n, 0:2]
    windows = np.blackman(n), np.hamming(n), np.hanning(n), np.bartlett(n), np.kaiser(n, 5.0)
    frequencies = np.fft.fftfreq(n), np.fft.rfftfreq(n, 0.1), np.indices((n, n + 1))
    return ranges, windows, frequencies, np.ogrid[0:n, 0:2], np.triu_indices(n), np.shape(a[:n])


@program(case(W), case(W * 2))
def membership_without_axes(a):
    found = np.isin(a[0], [0.5, 2.0]), np.isin(2.0, a * 1.0), np.isin(a * 1.0, [0.5])
    return found, type(found[0]) is np.ndarray


@program(case(W), case(-W), refused="StateError")
def warned(a):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        told(a)
    return [(str(one.message), one.category, one.lineno > 0) for one in caught]


@program(case(W), case(-W), vary=False)
def warnings_ignored(a):
    kept = []
    for value in a:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kept.append(np.log(value))
            warnings.warn("hidden")
            if value < 0:
                continue
    with warnings.catch_warnings(action="ignore"):
        warnings.filterwarnings("error", "never seen")
        warnings.warn(f"{a[0]} is hidden, too")
        try:
            if a[0] < 0:
                raise ValueError("negative")
        except ValueError as error:
            return str(error), kept
    return a, kept


@program(case(W, 1), case(-W, 0), case(W[:2], 0))
def taken_out(a, place):
    left, order = a, []
    while len(left) > 1:
        highest = np.argmax(left)
        order.append(left[highest])
        left = np.delete(left, highest)
    rows = np.outer(a, a)
    lowest = int(np.argmin(a))
    without = np.delete(rows, lowest, axis=1), np.delete(rows, -lowest - 1, 0)
    chosen = np.delete(a, np.where(a > 1)), np.delete(a, a > 1), np.delete(a, [0, highest])
    try:
        return order, without, chosen, np.delete(a, int(a[0] * 9))
    except IndexError as error:
        return order, without, chosen, str(error), np.delete(a, slice(place, None))


@program(case(W, 1), case(-W, 2), case(W * 2, 7))
def put_in_and_turned(a, turns):
    square = np.outer(a, a)
    lowest = int(np.argmin(a))
    added = np.insert(square, lowest, 7, axis=0), np.insert(square, lowest, a, axis=1)
    return added, np.rot90(square, turns), np.rot90(square, np.argmax(a))


@ag.function
def told(a):
    if a[0] > 0:
        warnings.warn("positive", stacklevel=1)
    warnings.warn(f"the first is {a[0]:.1f}", RuntimeWarning, stacklevel=2)


@program(
    case(np.array([80.0, 100.0, 125.0]), 95.0),
    case(np.array([50.0, 60.0]), 55.0),
    compiled=True,
    ulps=64,
    exact=False,
)
def option_prices(spot, strike):
    def below(x):
        return 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2)))

    d1 = (np.log(spot / strike) + 0.07) / 0.2
    first = erf(d1[0]), erfc(float(d1[1])), type(erf(d1[0])), erf(0.5)
    prices = spot * below(d1) - strike * np.exp(-0.05) * below(d1 - 0.2)
    return np.round(prices, 9), np.round(first[0], 9), round(first[1], 9), first[2], first[3]


@program(case(W))
def clocks(a):
    start = time.perf_counter()
    total = 0.0
    for _ in range(3):
        total += np.sum(a)
    took = time.perf_counter() - start
    time.sleep(0)
    late = time.time_ns() > 10**18, time.monotonic() >= 0, type(time.time())
    return total, took >= 0, late


M = np.arange(6.0).reshape(3, 2) * 1.5


@program(case(M), case(M.astype(np.float32)), case(M.astype(np.int64)), ulps=16)
def spaced_between_arrays(m):
    low, high = m.min(axis=0), m.max(axis=0)
    rows, step = np.linspace(low, high, 5, retstep=True)
    return (
        np.linspace(low + 1, high * 2, 4),
        np.linspace(low, 3.0, 3, axis=1),
        np.linspace(0.5, high - low, num=4, endpoint=False),
        np.linspace(low, high, 1),
        rows,
        step,
    )


C = np.arange(24.0).reshape(2, 3, 4) % 7


@program(case(C), case(C[:, :2] * 0.5), case(C[:1, :, :1]), case(C[..., ::-2].T))
def medians_along_several_axes(a):
    return (
        np.median(a, axis=(1, 2)),
        np.median(a, axis=(0, -1), keepdims=True),
        np.quantile(a, 0.3, axis=(0, 2)),
        np.percentile(a, [25, 75], axis=(2, 1), keepdims=True),
    )


@program(case(A), case(A[:3] - 4), case(-A))
def along_the_axis_of_some_rows(a):
    rows = a[a[:, 0] > 0]
    try:
        spread = np.apply_along_axis(lambda v: v.max() - v.min(), 1, rows)
        shares = np.apply_along_axis(lambda v: v / v.sum(), -1, rows)
        counts = np.apply_along_axis(lambda v: np.bincount(v).argmax(), 1, rows.astype(int))
        pairs = np.apply_along_axis(lambda v, k: np.outer(v, v) + k, 1, rows, 1.5)
    except ValueError:
        return "negative, or no rows", len(rows)
    return spread, np.round(shares, 12), counts, pairs


@program(case(W, A), case(W[:2], A[:, :2]), case(np.ones(1), np.ones((3, 2))))
def equivalent_arrays(a, b):
    some = a[a > 1]
    return np.array_equiv(a, b), np.array_equiv(b, b[0]), np.array_equiv(some, [1.5, 1.5])


@program(case(np.array([0, 1, 1])), case(np.array([2, 2])))
def leaves_or_dicts(y):
    def grown(values, depth):
        if depth == 0 or values.max() == values.min():
            return {"leaf": values[0]}
        return {"l": grown(values[:1], depth - 1), "r": grown(values[1:], depth - 1)}

    def leaf(node, side):
        while "leaf" not in node:
            node = node["l"] if side < 2 else node["r"]
        return node["leaf"]

    tree = grown(y, 2)
    return np.array([leaf(tree, 1)]), np.array([leaf(tree, side) for side in (1, 2, 3)])


@program(case(A), case(A[:3]), case(A[:3] - 4))
def a_shape_that_does_not_fit(a):
    rows = a[a[:, 0] > 1]
    try:
        pairs = rows.reshape(len(rows) // 2, 6)
        pairs[0] += 1
    except (ValueError, IndexError) as error:
        return type(error).__name__, len(rows)
    return pairs, rows


@program(case(C[:0]), case(C[:, :0]), case(C[1:]))
def medians_of_nothing(a):
    some = a[a[:, 0, 0] > 2] if a.size else a
    try:
        last = np.nan_to_num(np.median(a, axis=(1, 2)), nan=-1.0)
    except ValueError as error:  # NumPy before 2.5
        last = str(error)
    found = np.median(a, axis=(0, 1)), np.median(some, axis=(0, 2)), np.median(a, axis=(1,))
    # (the sign of NaN is no one's promise)
    return [np.nan_to_num(one, nan=-1.0) for one in found], last


@program(case(C > 3), case(C[:, :2] > 1))
def truths_between(a):
    try:
        share = np.quantile(a, 0.3, axis=(0, 2))
    except TypeError:
        share = None
    return share, np.median(a, axis=(0, 1))


@program(case(np.array([4, 6, 9]), 4), case(np.array([12, 18, 7, -5]), 5), case(A[0], 2))
def divisors_of_numbers(a, n):
    try:
        found = np.gcd(a, 6), np.lcm(a, a[::-1]), np.lcm.reduce(a), np.gcd.reduce(a * n)
    except TypeError as error:
        return type(error).__name__
    return found, np.gcd(a[0], 30), np.poly(a), np.round(np.poly(np.outer(a, a) * 1.0)[1], 6)


@program(case(4, 1.5), case(7, 2.0), case(1, 3.0))
def grids_of_so_many_points(n, end):
    y, x = np.ogrid[-1.4 : 1.4 : n * 1j, -2 : end : (n + 2) * 1j]
    dense = np.mgrid[0 : end : n * 1j, 0:2:3j]
    return x + y * 1j, dense, np.mgrid[0:n, 0:2:3j], np.round(np.r_[0 : end : n * 1j, 3], 12)


@program(case(V[[0, 1, 2, 4]], 0.5), case(V[[0, 1, 2, 4]], 1.5), case(V[:3], -0.25))
def quantiles_out_of_range(a, q):
    try:
        found = np.quantile(a, q)
    except ValueError as error:
        found = str(error)
    try:
        return found, np.percentile(a, [q * 100, 5.0])
    except ValueError as error:
        return found, str(error)


def _halves(pi, n):
    return np.ones((5, n)) * pi[0]


@program(case(np.ones(2)), case(np.ones(3)))
def view_that_a_loop_carries_and_a_call_takes(pi):
    for _ in range(30):
        g = _halves(pi, len(pi))
        g /= 2
        pi = g[:, 0]
    return pi


@program(case(A, A[:, :2]), case(A[:2], A[:2, :2] / 3))
def nearest_rows_in_a_list(rows, others):
    found = []
    for other in others:
        best = None
        for row in rows:
            if best is None or abs(row[0] - other[1]) < abs(best[0] - other[1]):
                best = row
        found.append(best)
    return np.vstack(found)


SQUARES = (case(np.arange(6.0).reshape(2, 3)), case(-np.ones((4, 4))), case(np.arange(3.0)))


@program(*SQUARES, compiled=True, exact=False, ulps=1 << 20)
def numerical_gradient(x):
    slopes = np.zeros_like(x)
    places = np.nditer(x, flags=["multi_index"], op_flags=["readwrite"])
    while not places.finished:
        place = places.multi_index
        held = x[place]
        x[place] = held + 0.5
        above = np.sum(x**2)
        x[place] = held - 0.5
        slopes[place] = (above - np.sum(x**2)) / 1.0
        x[place] = held
        places.iternext()
    return slopes


@program(*SQUARES, case(np.zeros((0, 2))))
def elements_one_by_one(x):
    with np.nditer(x, op_flags=["readwrite"]) as elements:
        for one in elements:
            one[...] = 2 * one
    found, places = [], np.nditer(x, flags=["multi_index"])
    for one in places:
        found.append((places.multi_index, float(one)))
    cursor = np.nditer(x, ["c_index"], [["readwrite"]])
    while not cursor.finished:
        if cursor[0] > 1:
            cursor[0] = cursor.index
        cursor.iternext()
    return x, found, sum(float(one) for one in np.nditer(x))


@program(*SQUARES, vary=False)
def in_fortran_order(x):
    if x[0].sum() > 0:
        x.ravel("F")[0] = 5.0
        x.reshape(-1, order="F")[1] = 6.0
        x.T.ravel("F")[2] = 7.0
    flat = x.flatten("F"), np.ravel(x, "F"), x.ravel(order="F") * 2
    return x, flat, np.reshape(x, (1, -1), order="F"), x.reshape((-1, 1), order="F")


@program(*SQUARES[:2], vary=False, compiled=True)
def changed_along_an_axis(x):
    np.put_along_axis(x, np.argmax(x, axis=1)[:, None], -1.0, axis=1)
    kept = np.empty_like(x)
    np.copyto(kept, x[0], where=x > 1)
    np.copyto(kept, 7.0, where=x <= 1)
    holes = np.where(x > 2, np.nan, x)
    filled = np.nan_to_num(holes, copy=False, nan=0.5)
    windows = np.lib.stride_tricks.sliding_window_view(x, 2, axis=0)
    return x, kept, filled is holes, holes, windows.mean(-1), np.triu(x[0]), np.tril(x[0])


@program(*SQUARES[:2], vary=False)
def joined_by_staged_texts(x):
    count = int(x[0, 1])
    print(1, x[0], count, sep=f"<{count}>", end=f"|{count}\n")
    return np.r_[x[0].astype(np.float32), 1, 2.5], math.trunc(x[0, 1]), np.gradient(x)


@program(*SQUARES[:2], vary=False, mutate=False)
def elements_that_are_only_read(x):
    found = []
    for action in (
        lambda: np.nditer(x, flags=["multi_index"]).__setitem__(0, 3.0),
        lambda: np.nditer(x, flags=["multi_index"])[0].fill(2.0),
        lambda: [one.fill(2.0) for one in np.nditer(x)],
        lambda: np.nditer(x, flags=["c_index"]).multi_index,
        lambda: np.nditer(x, flags=["multi_index"]).index,
        lambda: np.nditer(x, flags=["multi_index"])[1],
        lambda: np.delete(x, x[0, 0]),
        lambda: np.copyto(np.zeros(x.shape, int), x, where=x > 1),
        lambda: np.copyto(np.zeros(x.shape, int), x),
    ):
        try:
            found.append(action())
        except (IndexError, RuntimeError, TypeError, ValueError) as error:
            found.append(type(error).__name__)
    return found, x


FLAGS = np.array([[True, False, True, True], [False, True, True, False], [True, True, False, True]])


@program(case(FLAGS), case(FLAGS[:, ::2]), case(FLAGS[:2]), case(FLAGS[:, :0]))
def labels_by_ndindex(m):
    out, seen, far = np.zeros(m.shape, int), {}, 0
    for i, j in np.ndindex(m.shape):
        if m[i, j]:
            number = out[i - 1, j] if i else out[i, j]
            if number not in seen:
                seen[number] = len(seen) + 1
            out[i, j] = seen[number]
    for i, j in np.ndindex(m[m.sum(axis=1) > 2].shape):
        far += i * j
    return out, far, list(np.ndindex(2, 2)), [k for k in np.ndindex(2)], list(np.ndindex(()))


@program(case(0.3), case(-0.5), case(2.0))
def functions_called_back(x):
    waves = np.fromfunction(lambda i, j: np.exp(i - j) * x, (2, 3))
    return np.piecewise(x, [x < 0, x >= 0], [0, lambda v: np.exp(v)]), waves


@program(case(np.array([0.0, 0.5, 1.0, 2.0])), case(np.array([3, 1, 0, 2])), ulps=4, exact=False)
def other_functions_along_axes(a):
    rows = a.reshape(2, -1)
    logs = np.logaddexp.reduce(a * 2), np.logaddexp.accumulate(a), np.logaddexp.reduce(rows, axis=1)
    return logs, np.hypot.reduce(a), np.subtract.reduce(a), np.divide.accumulate(a + 1)


@program(case(np.arange(3)), case(np.arange(4)), case(np.array([True, False])), mutate=False)
def added_number(a, k=2):
    try:
        a += k
    except TypeError as error:
        return str(error)
    return a
