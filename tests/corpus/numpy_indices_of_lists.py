"""Arrays indexed by lists whose items were replaced by staged indices, by tuples in tuples, and by
single bools beside others."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

I = np.int64
X, M = np.arange(6.0), np.arange(16.0).reshape(4, 4)
T = ag.asarray([1.0, 2.0, 3.0])


@program(case(X, 1, 3), case(X, I(1), I(2)), case(X, I(0), I(9)), compiled=True)
def basis_exchanged(x, i, j):
    basis = [0, 1, 2]
    basis[i] = j
    x[basis] = 5.0
    return x, basis


@program(case(np.array([1.0, 5.0]), M[:2]), case(np.array([3.0, 2.0]), M[1:3]), compiled=True)
def simplex_step(b, matrix):
    basis = [2, 3]
    basis[np.argmax(b)] = np.argmin(b)
    x = np.zeros(4)
    x[basis] = b
    x[basis] += matrix[:, basis].sum(axis=0)
    return x, matrix[0, basis] @ b, x[basis]


@program(case(M, I(1), I(2)), case(M, I(0), I(3)))
def several_lists(m, i, j):
    basis, rows = [0, 1, 2], [[0, 1], [1, 2]]
    basis[i], rows[i][0] = j, j
    m[rows[1]] = 7.0
    return m[basis, 1:], m[:, basis], m[basis, basis], m[rows]


@program(case(T, I(1), I(2)), case(T, I(0), I(0)))
def of_tensors(x, i, j):
    places = [0, 1]
    places[i] = j
    return x[places]


# tuples inside an index ---------------------------------------------------------------------------
P = np.array([[1.0, 2.0, 3.0], [-1.0, 5.0, 6.0], [7.0, 8.0, 9.0], [0.0, 1.0, 2.0]])
TABLE = np.arange(12).reshape(4, 3)


@program(case(P), case(-P), compiled=True)
def where_as_one_entry(a):
    chosen = np.where(a[:, 0] > 0)
    rows, column = a[chosen, :], a[chosen, 1]
    a[chosen, 1] = 9.0
    a[chosen, :] += 1.0
    return a, rows, column, a[[chosen]], TABLE[chosen, 1], TABLE[chosen]


@program(case(P, I(1)), case(P, I(-1)), case(P, I(4)), case(P, 1))
def tuples_as_entries(a, i):
    first = a[(1, 2),], a[(1, 2), 1], a[([1, 2],), :], a[(), 1], a[:, (0, 2)], a[..., (2,)]
    return *first, a[(i, 2), 1], a[(True, False, True, False), 0], a[(i,), (1,)], a[None, (0,), i]


@program(case(P), case(-P))
def arrays_in_a_tuple(a):
    chosen = np.where(a[:, 0] > 0)[0]
    return a[(chosen, chosen), 1], a[[chosen, chosen], 0], a[(a.argsort(axis=0)[:, 0],), 1]


@program(case(P, I(1)), case(P, I(-1)))
def one_of_two_tuples(a, i):
    rows = (1, 2) if i > 0 else (0, 3)
    last = 1 if i > 0 else 2
    a[rows, 1] = 4.0
    return a, a[rows, 1], a[(0, last), :], a[:, rows[:1]]


@program(case(P, I(2)), case(P, I(0)), case(P, I(5)))
def tuple_of_staged_length(a, n):
    rows = tuple(i for i in range(n))
    return a[rows, 1], a[:, 0][rows,]


@program(case(T), refused="IndexError", naming=("only integers",))
def tuples_of_tensors(x):
    return x[(0, 1),]


# places that began as None ------------------------------------------------------------------------
N = np.array([3, 1, 2, 5, 4])


@program(case(N), case(np.arange(5)), case(-N), compiled=True)
def first_and_last(a):
    low = high = None
    for i, x in enumerate(a):
        if x > 2:
            if low is None:
                low = i
            high = i
    return a[[low, high]], a[(low, high),], a.reshape(5, 1)[[high, 1], 0]


@program(case(N), case(-N), compiled=True)
def pair_of_defaults(a, low=0, high=None):
    if high is None:
        high = len(a) - 1
    if a[low] < a[high]:
        return a[[low, high]], np.array([low, high])
    return pair_of_defaults(a, low + 1, high - 1)


@program(case(N), case(-N))
def caught_where_none_is_left(a):
    low = None
    for i, x in enumerate(a):
        if x > 2:
            low = i
    try:
        a[[low, 0]] = 7
        a[[[low], [0]]] += 1
    except IndexError as error:
        return str(error), a
    return a


@program(case(N), case(N + 5), compiled=True)
def arrays_of_what_was_none(a):
    low = high = pair = None
    for i, x in enumerate(a):
        if x > 2:
            low, pair = i, [int(x), 1]
            high = i if high is None else high
    pairs = np.array([[low, 1], [2, high]]), np.asarray(low), np.array(pair)
    return *pairs, np.array([low, high], dtype=float), a + [low, high, 1, 2, 3]


@program(case(N * 0), refused="ValueError", naming=("None here",))
def an_array_of_none_at_last(a):
    low = None
    for i, x in enumerate(a):
        if x > 2:
            low = i
    return len(np.array([low, 1]))


LABELS = (case(M, [1, 2, 1]), case(M[::-1], 1), case(M[:, ::2], 1.0), case(M.T > 3, 2))


@program(*LABELS)
def a_list_compared_with_a_number(a, labels):
    try:
        return a[:, labels == 1], a[labels == 1, 0], a[..., None, labels == 1, 1:]
    except IndexError:
        return None


@program(*LABELS)
def single_bools_are_masks_of_no_axis(a, labels):
    known = labels == 1
    found = a[:2, known], a[known, 1:3, None], a[0, known], a[known, known], a[[0, 1], True]
    a[known, 0] = a[known, 0]
    a[..., known] = 3
    a[:, not known, 1] = 1
    return a, *found


@program(case(M, True), case(M, np.bool_(False)), case(M * 1.5, 0), compiled=True)
def bools_of_the_run(a, flag):
    large = a.sum() > 100 * flag
    a[1, large] = 7
    return a[:, large], a[large, ..., 0], a


@program(case(X, [0, 1], [0, 1, 2]), case(X, [0, 1], [1, 2]), case(X, np.arange(3), np.arange(2)))
def indices_that_do_not_fit(x, i, j):
    table = x.reshape(2, 3)
    try:
        table[i, j] = 9
    except IndexError as error:
        return str(error)
    return table[j[:1], i], x


@program(case(N * 0), refused="ArgumentError")
def masked_arrays(a):
    return np.ma.masked_less(a, 1).mean()


@program(case(X * 1j), case(X * (1 + 2j)))
def real_part_of_a_complex_mean(x):
    return "mean %.2f" % x.mean(), "%e and %s" % (x[0], x[1])
