"""NumPy's functions that are given lists of floats beside arrays: NumPy makes float64 of them."""

from __future__ import annotations

import heapq

import numpy as np
import scipy.special as sp

from tests.corpus.registry import case, program

EDGES = [0.1, 0.2, 0.7]
MATRIX = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.7], [0.1, 0.9, 0.2]]
INTS = np.array([1, 2, 3])
NARROW = np.array([0.1, 0.2, 0.7], np.float32)
WIDE = np.array([0.1, 0.25, 0.7])
KINDS = (case(INTS), case(WIDE), case(NARROW), case(WIDE[::-1].copy()))


def rounded(*found):
    """What is left where sums are added up in another order."""
    return [(one.dtype, np.round(one, 5 if one.dtype == np.float32 else 9)) for one in found]


@program(*KINDS, compiled=True)
def places_among_edges(x):
    return (
        np.digitize(x, EDGES),
        np.digitize(x, EDGES[::-1], right=True),
        np.searchsorted(EDGES, x, side="right"),
        np.histogram(x, bins=EDGES),
        rounded(*np.histogram(x, bins=2, range=(0.1, 3.3))),
        rounded(*np.histogram(x, 2, (0.1, 3.3))),
        np.bincount(INTS, weights=EDGES),
    )


@program(*KINDS, compiled=True)
def products_with_lists(x):
    return rounded(
        *(x @ EDGES, EDGES @ x, x @ MATRIX, MATRIX @ x, np.dot(x, EDGES), np.outer(EDGES, x)),
        *(np.matmul(x, MATRIX), np.einsum("i,ij->j", x, MATRIX), np.linalg.multi_dot([MATRIX, x])),
        *(np.choose([0, 1, 0], [x, EDGES]), np.ediff1d(x, 0 * x[0], EDGES[:0] + [x[0]])),
    )


@program(*KINDS)
def differences_at_points(x):
    found = [np.gradient(x, EDGES), np.gradient(x, 0.1), np.trapezoid(x, EDGES)]
    return rounded(*found, np.interp(x, EDGES, x))


@program(case(INTS), case(WIDE))
def special_functions_of_two(x):
    return rounded(
        *(sp.xlogy(x, 2.1), sp.xlog1py(x, 2.1), sp.rel_entr(x, 2.1), sp.beta(x, 2.1)),
        *(sp.gammainc(x, 2.1), sp.gammaincc(2.1, x), sp.betainc(x, 2.1, 0.3), sp.xlogy(EDGES, x)),
    )


@program(case(NARROW), case(INTS))
def dtypes_of_special_functions(x):
    return sp.beta(x, 2.0).dtype, sp.jv(1, x).dtype, sp.xlogy(x, 2.0).dtype, sp.xlogy(x, x).dtype


@program(
    case(np.array([1.0, np.nan, -2.0, 4.0])),
    case(np.array([1.0, 2.0, -2.0])),
    case(np.array([np.inf, 2.0, 1.0, 0.5, 3.0])),
)
def what_is_not_in_the_middle(x):
    return np.gradient(x), np.gradient(x, 2.0), [one.is_integer() for one in x]


@program(
    case(np.array([1.0, np.nan])), case(np.array([1.0, np.inf])), case(np.array([1.0, 2.0, 5.0]))
)
def limits_that_are_found(x):
    return np.histogram(x, bins=2)


@program(case(np.array([3, 1])), case(np.array([1, 3])), case(np.array([2, 2, 5])))
def edges_that_fall(edges):
    return np.digitize([1.0, 2.5], edges), np.histogram([1.0, 2.5], bins=edges)[0]


@program(case(np.array([1, 3, 2])), case(np.array([3, 1, 2])), case(np.array([1, 2, 3])))
def edges_in_no_order(edges):
    return np.digitize([1.0, 2.5], edges)


@program(case(WIDE), case(WIDE * 0), case(np.array([1.0, -1.0])))
def averages_by_weights(weights):
    return np.average(weights + 1, weights=weights)


@program(case(np.array([[1, 2], [3, 1]])), case(np.array([[5, 2], [3, 7]])))
def reductions_from_a_start(x):
    return (
        *(np.sum(x, initial=0.6), np.prod(x, initial=2.5), np.max(x, initial=2.5)),
        *(np.lexsort((x, -x)), np.lexsort(x), np.trace(x, dtype=float), np.union1d(x, 5)),
        *(np.fmod((x - 128).astype(np.int8), 3), np.quantile(x, [[0.1, 0.3]])),
    )


@program(case(np.zeros((2, 2)), np.array(0)), case(np.ones((2, 2)), np.array(1)))
def places_that_are_arrays(m, k):
    row = m[k]
    row += 1
    column = m[:, k]
    column += 1
    m[k][0] += 5
    return row, column, m[k, k], m


@program(case(np.array([3.0, 1.0, 2.0])), case(np.array([[1.0, 2.0], [3.0, 4.0]])))
def methods_with_underscores(x):
    told = [hasattr(x, name) for name in ("__len__", "__iter__", "__radd__", "shape", "append")]
    x.__setitem__(0, 9.0)
    return told, x.__len__(), x.__getitem__(0), x.__add__(1), x.__neg__(), hasattr(x[0], "__len__")


@program(case(np.array([3.0, 1.0, 2.0])), case(np.array([3.0, 1.0])), case(np.array([])))
def sorted_ones_merged(x):
    falling = sorted(x, reverse=True)
    pairs = [(one, "a") for one in sorted(x)]
    return (
        list(heapq.merge(sorted(x), [0.5, 4.0], [1.0])),
        list(heapq.merge(falling, [4.0, 0.5], reverse=True)),
        list(heapq.merge(pairs, [(1.0, "b")], key=lambda pair: pair[0])),
    )
