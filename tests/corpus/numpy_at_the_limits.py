"""Functions of NumPy of what is empty, short, not finite or out of bounds, at sizes of the run."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

SHORT = np.float32
POSITIVE = np.array([1.0, 2.0, 3.0])
MIXED = np.array([5.0, -2.0, 3.0])
SINGLE = np.array([1.0, -2.0, -3.0])
FIVE = np.array([3.0, 1.0, 2.0, 4.0, 7.0])
SQUARES = np.arange(12.0).reshape(3, 4) ** 2
GROWN = (case(POSITIVE), case(MIXED), case(FIVE), case(SINGLE), case(-POSITIVE))


@program(
    case(np.arange(4, dtype=SHORT), np.array([1, 3, 2, 5], SHORT)),
    case(np.arange(4), np.array([1, 3, 2, 5], SHORT)),
    case(np.arange(4.0), np.array([[1, 3j], [2, 1], [5, 0], [1, 1]])),
)
def fitted_in_double(x, y):
    weights = np.array([1.0, 2.0, 1.0, 0.5])
    return np.round(np.polyfit(x, y, 1), 9), np.round(np.polyfit(x, y.real, 1, w=weights), 9)


@program(
    case(np.arange(6, dtype=SHORT).reshape(3, 2), np.ones(3) * 2.5),
    case(np.arange(6, dtype=SHORT).reshape(3, 2), np.array([1j, 2, 0])),
    case(np.arange(6, dtype=SHORT).reshape(3, 2), np.array([1, 2, 4], SHORT)),
    case(np.arange(6).reshape(3, 2), np.array([1, 2, 4], SHORT)),
)
def least_squares_of_two_dtypes(a, b):
    x, residuals, rank, s = np.linalg.lstsq(a, b)
    digits = 4 if x.dtype == SHORT else 9
    return np.round(x, digits), np.round(residuals, 4), rank, np.round(s, digits)


@program(
    case(SQUARES[:2], np.array([1.0, -1.0])),
    case(SQUARES[:2], np.array([1.0, 2.0])),
    case(SQUARES[:2], np.array([1.0, 2.0, 3.0])),
    case(SQUARES[:2], np.array([0, 0])),
)
def weights_of_an_axis(a, w):
    found = np.average(a, axis=0, weights=w)
    return found, np.average(a, axis=(0, 1), weights=w[:, None] + np.ones(4))


@program(case(np.array([1 + 2j, 3, np.nan, 2j])), case(np.array([1j, np.nan, 4 - 1j, 2])))
def complex_without_nan(a):
    rows = a.reshape(2, 2)
    return (
        *(np.nanvar(a), np.nanstd(a, ddof=1), np.nanvar(rows, axis=0)),
        *(np.nansum(a), np.nanmean(rows, axis=1), np.nanmax(a), np.nanmin(a)),
    )


@program(case(SQUARES, 2), case(SQUARES, 3), case(SQUARES, 0))
def covariances_of_chosen_rows(a, count):
    chosen = a[np.arange(3) < count]
    return np.cov(chosen), np.corrcoef(chosen), np.cov(chosen.T, rowvar=False)


@program(*GROWN)
def spread_of_few(a):
    return np.cov(a[a > 0]), np.cov(a, ddof=3), np.cov(a, ddof=7)


@program(*GROWN, compiled=True)
def slopes_of_few(a):
    m = a[a > 0]
    return np.gradient(m), np.gradient(m, edge_order=2)


@program(*GROWN, compiled=True)
def parted_out_of_bounds(a):
    m = a[a > 0]
    places = np.argpartition(m, 1)
    found = np.partition(m, [-1, 0])
    m.partition(2)
    return np.sort(m), m[2], found[0], found[-1], np.sort(places)


@program(case(FIVE, 5), case(FIVE, -6), case(FIVE, -1), case(FIVE[:0], 7))
def parted_at(a, place):
    a.partition(place)
    a.sort()


@program(case(FIVE[:0]), case(np.zeros((0, 2))), case(np.zeros((3, 0))))
def nothing_in_parts(a):
    return np.split(a, 3), np.array_split(a, 2)


NAMED = ("edge", "wrap", "reflect", "symmetric", "mean", "median", "minimum", "linear_ramp")


@program(*(case(FIVE[:0], one) for one in NAMED), case(FIVE, "edge"))
def padded_beyond_nothing(a, mode):
    along = ((0, 0),) * (a.ndim - 1)
    return np.pad(a, ((0, 0), *along), mode=mode), np.pad(a, ((1, 0), *along), mode=mode)


@program(*GROWN, compiled=True)
def padded_by_what_is_there(a):
    m = a[a > 0]
    shape = np.pad(m, 2, mode="empty").shape
    return shape, np.pad(m, (1, 2), mode="reflect"), np.pad(m, 2, mode="symmetric")


@program(*GROWN)
def padded_by_edges(a):
    m = a[a > 0]
    return np.pad(m, (2, 1), mode="edge"), np.pad(m, 4, mode="wrap"), np.pad(m, 1, mode="mean")


@program(case(POSITIVE, -1), case(POSITIVE, 1), case(POSITIVE, (0, -1)), case(POSITIVE, (2, 0)))
def padded_by_less_than_nothing(a, width):
    return np.pad(a, width), np.pad(a, width, mode="edge"), np.pad(a, width, mode="mean")


@program(*(case(POSITIVE, one) for one in ("nonsense", "edge", "constant")))
def padded_as_nobody_knows(a, mode):
    return np.pad(a, 1, mode=mode, constant_values=1)


ENDS = (1.0, np.inf, -1.0, -np.inf)


@program(*(case(np.array([one, other])) for one in ENDS for other in ENDS), compiled=True)
def spaced_without_end(ends):
    first, last = ends
    return np.linspace(first, last, 4), np.logspace(first, last, 4), np.geomspace(first, last, 4)


@program(
    case(np.array([0.1, 0.7]), np.array([5, 3])),
    case(np.array([3.0, -2.0]), np.array([1, 2])),
    case(np.array([0.0, 5e-324]), np.array([4, 0])),
    case(np.array([0.0, 1.0]), np.array([4, -1])),
)
def spaced_by_counts_of_an_array(ends, counts):
    open_end = np.linspace(ends[0], ends[1], counts[0], endpoint=False, dtype=np.float32)
    rows = np.linspace([ends[0], ends[1]], 1.0, 3)
    return open_end, rows, np.linspace(0, 10, counts[1]), np.logspace(0, 1, num=counts.max())


@program(case(np.array([2.0, 300.0]), 4), case(np.array([-0.5, -8.0]), 5), case(FIVE[:2], 1))
def spaced_by_factors_of_elements(ends, count):
    n = int(ends[0] * 0) + count
    whole = np.geomspace(ends[0], ends[1], n, dtype=int)
    return np.geomspace(ends[0], ends[1], n), np.geomspace(*ends, n, endpoint=False), whole


@program(*GROWN, compiled=True)
def number_of_what_is_left(a):
    m = a[a > 0]
    if m.size == 1:
        return m.item(), m.reshape(1, -1).item() + 1, bool(m > 2)
    return 0.0


@program(*GROWN)
def the_only_element(a):
    return a[a > 0].item()


@program(*GROWN)
def whether_the_only_one_is_large(a):
    if a[a > 0] > 2:
        return 1
    return 2


@program(*GROWN, compiled=True)
def counted_where_there_may_be_nothing(a):
    m = a[a > 0]
    whole = m.astype(int)
    counts, edges = np.histogram(m, bins=2)
    return counts, edges, np.bincount(whole, minlength=3), np.bincount(whole)


@program(*GROWN, ulps=64)
def shares_where_there_may_be_nothing(a):
    m = a[a > 0]
    shares, _ = np.histogram(m, bins=2, density=True)
    return np.nan_to_num(shares, nan=-1.0), np.digitize([1.0, 4.0], np.sort(m))


@program(*GROWN, ulps=64)
def sizes_of_vectors_of_nothing(a):
    m = a[a > 0]
    rows = m.reshape(-1, 1)
    vectors = np.linalg.norm(m, np.inf), np.linalg.norm(m), np.linalg.norm(m, 1)
    return vectors, [np.linalg.norm(rows, one) for one in (1, 2, np.inf, "nuc")]


@program(*GROWN, ulps=256)
def matrices_without_rows(a):
    m = a[a > 0]
    rows = np.outer(m, np.array([1.0, 2.0]))
    x, residuals, rank, s = np.linalg.lstsq(rows, m)
    whole = np.round(x, 9), np.round(residuals, 9), rank, np.round(s, 9)
    return whole, np.linalg.matrix_rank(rows), np.round(np.linalg.pinv(rows), 9)


@program(*GROWN)
def the_condition_of_nothing(a):
    return np.linalg.cond(np.outer(a[a > 0], np.ones(1)))


ASKED = np.array([1.0, np.nan, 5.0, -1.0])
ABSENT = np.array([1.0, 2.0, np.nan])


@program(
    *(case(ASKED, one) for one in (ABSENT, ABSENT[:2], ABSENT[1::-1], ABSENT[:0])),
    compiled=True,
    mutate=False,
    vary=False,
)
def bins_with_nan_behind(a, edges):
    return np.digitize(a, edges), np.digitize(a, edges, right=True)


@program(
    case(np.array([[0.0, 0.0], [np.nan, 1.0]])),
    case(np.array([[0.0, 0.0], [1.0, 1.0]])),
    compiled=True,
    mutate=False,
    vary=False,
)
def determinants_of_singular_ones(a):
    return np.linalg.det(a), np.linalg.slogdet(a)


@program(*(case(np.array(n)) for n in (2, 0, -1)))
def numbers_in_steps(step):
    return np.arange(1, 7, int(step)), np.arange(7, 1, int(step) - 1)


@program(case(np.array([2, 0, 2])), case(np.array([2, -1])), case(np.array([3])))
def counts_below_nothing(a):
    return np.bincount(a), np.repeat(a, a)


@program(*GROWN)
def extremes_of_nothing(a):
    m = a[a > 0]
    return np.nanmin(m), np.nanmax(m, axis=0), np.nanmax(np.outer(m, m), axis=1)


@program(*GROWN, compiled=True)
def shares_of_nothing(a):
    m = a[a > 0]
    return np.percentile(m, 50), np.quantile(m, [0.25, 0.5]), np.quantile(m[:, None], 0.5, axis=1)


@program(case(SQUARES, SQUARES), case(SQUARES, SQUARES.T), case(SQUARES, SQUARES[:, :3]))
def summed_over_axes_that_fit(a, b):
    return np.tensordot(a, b, 1), np.tensordot(a, b, axes=([1, 0], [0, 1]))


@program(*GROWN)
def methods_of_what_is_left(a):
    n = int(a[0])
    m = a[a > 0]
    return m.round(n % 3), m.take([0, -1]), m.take(n, mode="wrap"), np.outer(m, a).trace(n % 2)
