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
