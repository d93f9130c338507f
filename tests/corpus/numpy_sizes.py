"""NumPy code at one size after another: what a trace for all sizes must still see."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

EIGHT, NINE, FIVE = np.arange(8.0), np.arange(9.0), np.arange(5.0)


@program(case(EIGHT, EIGHT > 3), case(NINE, NINE > 3), case(NINE, EIGHT > 3), case(EIGHT, NINE > 3))
def masked(x, mask):
    return x[mask], x.sum()


@program(case(EIGHT, EIGHT > 3), case(NINE, NINE > 3), case(NINE, EIGHT > 3), compiled=True)
def masked_and_changed(x, mask):
    x[mask] = 0.0
    return x


@program(case(EIGHT), case(NINE), case(np.arange(10.0)), compiled=True)
def shapes_that_do_not_fit(x):
    found = 0
    try:
        x.reshape(5, -1)
    except ValueError:
        found += 1
    try:
        y = x.reshape(3, 3)
    except ValueError:
        found += 2
    else:
        found += int(y[0, 1])
    return found


@program(case(EIGHT), case(FIVE))
def an_index_that_nobody_uses(x):
    x[6]
    return len(x)


@program(case(np.ones((6, 6))), case(np.ones((7, 7))), case(np.ones((9, 9))), case(np.ones((2, 2))))
def filled_diagonal(d):
    np.fill_diagonal(d, 0.0)
    made = np.abs(d[0][:, None] - d[1])
    np.fill_diagonal(made, np.inf)
    return d, made


@program(case(np.array([3.0, 1, 2, 0])), case(np.array([3.0, 1, 2, 7, 0])), compiled=True)
def merge_sort(x):
    if len(x) <= 1:
        return x
    middle = len(x) // 2
    a, b = merge_sort(x[:middle]), merge_sort(x[middle:])
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return np.array(out + list(a[i:]) + list(b[j:]))


@program(case(FIVE[:4] * 1j), case(EIGHT * 1j), ulps=64)
def fourier_by_halves(x):
    n = len(x)
    if n <= 1:
        return x
    even, odd = fourier_by_halves(x[::2]), fourier_by_halves(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


@program(case(FIVE), case(EIGHT))
def lists_with_scalars(a):
    moved = np.transpose([[1, a[1]]]), np.flip([1, a[1]]), np.ravel([[1, a[1]]])
    shaped = np.reshape([1, a[1]], (2, 1)), np.atleast_2d([1, a[1]]), np.expand_dims([1, a[1]], 0)
    return np.diag([1, 1, a[1]]), moved, shaped, np.where([True, False], [1, a[1]], 0)


@program(case(np.array([0, 0, 1, 2, 4, 4, 5, 6, 8, 8, 9, 10])), vary=False)
def roots_of_a_forest(parents):
    def find(x):
        while parents[x] != x:
            x = parents[x]
        return x

    return np.array([find(i) for i in range(len(parents))])


@program(case(FIVE[:4], np.array([0, 1, 1, 4])), compiled=True, vary=False)
def changed_at(x, places):
    out = np.zeros(5)
    np.maximum.at(out, places, x)
    np.subtract.at(out, [0, 0, 1], 1.0)
    np.multiply.at(out, places, 2.0)
    table = np.ones((5, 5))
    np.subtract.at(table, (places, places), x)
    return out, table


@program(case(np.array([1.0, 2, 3]), 2.0), case(np.array([1.0, 2, 3, 4]), 0.5))
def polynomials(c, x):
    return np.polyval(c, x)


@program(case(ag.asarray(3)), case(ag.asarray(4)), compiled=True)
def arrays_of_counted_sizes(n):
    filled = np.zeros(n), np.ones((n, 2)), np.full(n, 7), np.eye(n), np.identity(n), np.tri(n)
    ranged = (
        np.arange(n),
        np.arange(1, n),
        np.round([np.linspace(0, 1, n), np.logspace(0, 1, n)], 9),
    )
    return filled, ranged, np.roll(np.arange(4.0), n), np.repeat(np.arange(2.0), n)


@program(case(ag.asarray(3)), case(ag.asarray(4)), compiled=True)
def arrays_of_numbers(n):
    k = int(n)
    made = (
        np.asarray(k, dtype=float),
        np.asarray(k),
        np.array(k * 1.5),
        np.asarray([k], dtype=float),
    )
    return made, np.tri(k), np.round(np.logspace(0, 1, k), 9), np.round(np.geomspace(1, 2, k), 9)


@program(case(EIGHT, 2), case(NINE, 3), case(EIGHT, ag.asarray(2)), compiled=True)
def padded(x, k):
    sides = np.pad(x, k), np.pad(x, (k, 1)), np.pad(x, k, "edge"), np.pad(x, k, mode="reflect")
    m = np.stack([x, 2 * x])
    constants = np.pad(m, 1, mode="constant", constant_values=(0, 0)), np.pad(m, ((1,), (2,)))
    return sides, constants, np.pad(m, ((1, k), (0, 2)), constant_values=((1, 2), (x[1], k)))


@program(case(np.float32(2), ag.asarray(3)), case(2, ag.asarray(3)), case(np.float64(2), 3))
def spaced(stop, n):
    return np.round(np.linspace(0, stop, n), 5), np.round(np.logspace(0, stop, n), 3)


TABLES = tuple(np.arange(4.0 * n).reshape(2, 2, n) for n in (4, 6, 8, 3))


@program(*(case(np.arange(float(n))) for n in (4, 6, 8, 3, 10, 1)), compiled=True)
def split_evenly_and_changed(a):
    first, second = np.split(a, 2)
    first[0] = 5.0
    second += 1.0
    return a, first, second


@program(*(case(np.arange(float(n))) for n in (4, 6, 8, 2, 0)), compiled=True)
def split_unevenly(a):
    parts = np.array_split(a, 3)
    parts[1] *= 2.0
    return a, parts, np.array_split(a, 3, axis=-1)[2].sum()


@program(*(case(one) for one in TABLES))
def split_along_each_axis(a):
    return np.dsplit(a, 2), np.hsplit(a[0], 2), np.vsplit(a[0].T, 2), np.split(a, 2, axis=2)


@program(case(ag.asarray(EIGHT)), case(ag.asarray(np.arange(6.0))), case(ag.asarray(NINE)))
def tensors_split(t):
    return np.array_split(t, 2), np.split(t, 2)


@program(*(case(np.arange(float(n))) for n in (4, 6, 1, 8)), compiled=True)
def squeezed_and_changed(a):
    one = np.squeeze(a[None])
    one += 1.0
    other = a.reshape(1, -1).squeeze()
    other[...] = other * 2.0
    np.squeeze(a.reshape(-1, 1), 1)[...] += 3.0
    return a, one, other


@program(*(case(np.arange(float(n))) for n in (7, 5, 4, 3, 2)))
def deleted_and_inserted(a):
    return np.insert(a, 3, 7.0), np.insert(a, -3, 7.0), np.delete(a, 3)


NAN = np.nan
HALF_NAN = np.array([[NAN, 1.0], [NAN, 2.0]])


@program(
    *(case(one) for one in (np.eye(2), HALF_NAN, HALF_NAN.T, np.eye(3) * NAN, np.eye(3)[:0])),
    case(ag.asarray(HALF_NAN)),
    case(ag.asarray(np.eye(2))),
)
def extremes_without_nan(a):
    found = []
    for axis in (None, 0, 1):
        try:
            found.append((np.nanargmax(a, axis=axis), np.nanargmin(a, axis)))
        except ValueError:
            found.append(axis)
    return found


@program(case(np.array([NAN, 1.0])), case(np.array([NAN, NAN])), case(np.ones(3, int)))
def the_largest_of_nothing(a):
    return np.nanargmax(a)


NOTHING = np.zeros((0, 2))


@program(*(case(np.ones((n, 2)) * 3.0) for n in (3, 0, 4)))
def middles_of_nothing(a):
    """NaN as such: its sign is that of NumPy's own 0 / 0."""
    found = [np.median(a), np.median(a, axis=0), np.median(a, 1, keepdims=True)]
    found += [np.nanmedian(a), np.nanmedian(a, axis=0), np.nanpercentile(a, 50)]
    return [(np.isnan(one), np.nan_to_num(one)) for one in found]


@program(*(case(one) for one in (NOTHING, np.zeros((2, 0)), np.eye(2), np.ones((4, 2)))))
def rows_that_differ(a):
    return np.unique(a, axis=0)


@program(*(case(np.arange(float(n))) for n in (4, 0, 6)))
def counted_in_two_directions(x):
    return np.histogram2d(x, x, bins=2)


@program(*(case(np.arange(float(n))) for n in (4, 6, 1, 0, 9)))
def resized(a):
    return np.resize(a, 5), np.resize(a, (2, 3)), np.resize(a, 0)


@program(case([1.0, 2.0], 5.0), case([2.0, 3.0], 7.0), case(EIGHT, 9.5), case(1.0, FIVE), ulps=64)
def spaced_each_by_itself(start, stop):
    ranged = np.linspace(start, stop, 3), np.linspace(start, stop, 3, axis=-1, retstep=True)
    return ranged, np.logspace(start, stop, 3)


@program(case(1.0, 4.0), case(2.0, 5.0))
def spaced_by_factors(start, stop):
    return np.round(np.geomspace(start, stop, 3), 9)


@program(case(np.float64(3)), case(np.array(3.0)), case(2), case(0.5), case(FIVE))
def chosen_of_numbers(x):
    return np.select([x > 1], [x], 0), np.select([x > 1, x > 0], [x, 2 * x], -1)


@program(case([1.0, 2.0]), case([3.0, 4.0]), case(FIVE), case(np.ones((2, 3))))
def applied_along_an_axis(a):
    return np.apply_along_axis(np.sum, 0, a), np.apply_along_axis(np.cumsum, -1, a)


@program(case(np.arange(4.0)), case(np.arange(5.0)), case(np.arange(3.0)), case(-np.arange(6.0)))
def extremes_that_begin_somewhere(x):
    rest = x[3:]
    wide = np.outer(rest, x)
    return (
        *(np.max(x[:0], initial=3), np.max(rest, initial=3), np.min(rest, initial=3)),
        *(wide.max(axis=0, initial=-1), np.min(wide, axis=1, initial=2, keepdims=True)),
        *(np.max(wide, initial=5, keepdims=True), np.max(x, initial=1, where=x > 2)),
    )
