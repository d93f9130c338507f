"""Lists of Python floats in NumPy's functions: float64, also once the floats are staged."""

from __future__ import annotations

import math

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

PAIRS = (
    case([[1.5, 2.0], [2.0, -1.0]]),
    case([[2.25, 0.1], [0.1, 3.7]]),
    case([[0.3, 0.7], [0.9, 1.7]]),
)


@program(*PAIRS)
def matrices(rows):
    return (
        np.linalg.det(rows),
        np.linalg.inv(rows),
        np.linalg.matrix_power(rows, 2),
        np.linalg.solve(rows, [1, 0]),
        np.matmul(rows, rows),
        np.triu(rows),
        np.linalg.norm(rows),
    )


@program(*PAIRS, ulps=64, exact=False)
def samples(rows):
    x, y = rows
    return (
        np.fft.fft(x),
        np.gradient(x),
        np.vander(x),
        np.sinc(rows),
        np.convolve(x, y),
        np.correlate(x, y),
        np.cov(rows),
        np.ediff1d(x),
        np.meshgrid(x, y),
        np.interp(x[0], [0.0, 1.0, 2.0], [x[1], 1.0, 2.0]),
        np.polyfit([0.0, 1.0], x, 1),
    )


@program(*PAIRS)
def single_floats(rows):
    x, y = rows[0]
    parts = np.real(x), np.imag(x), np.isreal(x)
    return np.sinc(x), np.angle(x), np.exp(x), np.logaddexp(x, y), np.full(2, x), parts


@program(case(np.float64(0.3)), case(np.float64(-1.25)), compiled=True)
def made_of_staged_floats(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.linalg.inv([[c, -s], [s, c]]), np.linalg.det([[float(angle), 1], [1, 2]])


@program(case(np.float32(0.3), 1.5), case(np.float32(2.3), -0.5))
def beside_scalars_of_another_precision(a, b):
    return np.linalg.inv([[a, b], [b, 4.0]]), np.fft.fft([a, b]), np.diff([a, b, 1])


@program(case(ag.asarray(0.3), 1.5), case(ag.asarray(2.3), -0.5))
def arrays_joined_of_lists(x, b):
    return np.concatenate([[b, 1.0], [2.0, b]]), np.stack([[b], [1]]), np.vstack(([b, 2], [3, 4]))
