"""Arrays indexed by lists of Python ints of which some were replaced by staged indices."""

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
