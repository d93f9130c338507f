"""What `np.linalg` raises for arrays that are not square, or have too few axes."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

WIDE, TALL, SQUARE = np.ones((2, 3)), np.ones((4, 2)), np.array([[4.0, 1.0], [1.0, 3.0]])
SHAPES = (case(WIDE), case(TALL), case(SQUARE), case(np.ones((1, 2, 3))))


@program(*SHAPES)
def not_square(a):
    told = []
    for function in (
        *(np.linalg.inv, np.linalg.det, np.linalg.slogdet, np.linalg.cholesky),
        *(np.linalg.eigvalsh, lambda a: np.linalg.solve(a, np.ones(2))),
        *(lambda a: np.linalg.matrix_power(a, 2), lambda a: np.linalg.inv(a[0, 0])),
    ):
        try:
            function(a)
        except np.linalg.LinAlgError as error:
            told.append(str(error))
    return told


@program(case(SQUARE, 2), case(SQUARE, 3), case(SQUARE, 1))
def sides_that_do_not_fit(a, n):
    told = []
    for sides in (np.ones(n), np.ones((n, 2))):
        try:
            told.append(np.linalg.solve(a, sides))
        except ValueError as error:
            told.append(str(error))
    return told


@program(*(case(ag.asarray(one)) for one in (WIDE, TALL, SQUARE)))
def tensors_not_square(a):
    told = []
    for function in (ag.linalg.inv, ag.linalg.cholesky, ag.linalg.eigh):
        try:
            function(a)
        except np.linalg.LinAlgError as error:
            told.append(str(error))
    return told
