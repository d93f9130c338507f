"""What `np.einsum` gives of one array without a sum: a view, through which the array is changed."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

M, N = np.arange(9.0).reshape(3, 3), np.arange(16.0).reshape(4, 4)
C = np.arange(27.0).reshape(3, 3, 3)


@program(case(M), case(N), compiled=True)
def diagonal_set_by_letters(m):
    np.einsum("ii->i", m)[...] = 0
    return m


@program(case(M), case(N), compiled=True)
def transposed_by_letters(m):
    turned, same = np.einsum("ij->ji", m), np.einsum("ij", m)
    turned[0, 1] = 9.0
    same[2] += 1
    return turned, np.einsum("ba", m), m


@program(case(C, 2), compiled=True)
def several_axes_of_one_letter(c, n):
    across, all_equal = np.einsum("iij->ji", c), np.einsum("iii->i", c)
    for k in range(n):
        across[k] = c[k, 0] - 7
    all_equal *= 2
    return across, all_equal, c


@program(case(C), case(C[:2]))
def other_axes_in_dots(c):
    last = np.einsum("i...->...i", c)
    last[1] = 5.0
    return last, np.einsum("...ij->...ji", c)[0], np.einsum("abc->ac", c), np.einsum("abc->", c)


@program(case(M), case(-M), compiled=True)
def diagonal_or_column(m):
    part = np.einsum("ii->i", m)
    if m[0, 1] > 0:
        part[0] = 5.0
    else:
        part = np.einsum("ij->ji", m)[0]
    m[1, 1], part[1] = 77.0, 66.0
    return part, m


@program(case(M[:2]), case(M), case(M[:, :2]))
def letters_of_several_sizes(m):
    try:
        return np.einsum("ii->i", m)
    except ValueError as error:
        return str(error)


TURNED = tuple(case(np.zeros(shape)) for shape in ((1, 4), (1, 5), (3, 1), (3, 2), (1, 1), (2, 2)))


@program(*TURNED, compiled=True)
def written_through_reshapes_of_turned(a):
    b = a.T.reshape(-1)
    b[0] = 100
    np.ravel(a.swapaxes(0, 1))[-1] += 5
    return a


@program(*TURNED)
def written_through_reshapes_of_one_s_own(a):
    c = np.zeros((len(a), 1))
    c.T.reshape(-1)[0] = 5
    d = np.zeros((a.shape[1], a.shape[0]))
    d.T.ravel()[0] = 7
    return c, d


@program(*(case(np.zeros((3, 3)), n) for n in (2, 3, 1)), case(np.zeros((4, 4)), 4), vary=False)
def written_through_reshapes_of_columns(a, n):
    b = a[:, :n].reshape(-1)
    b[0] = 50
    return a, b
