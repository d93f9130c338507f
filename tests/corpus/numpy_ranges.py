"""Ranges of floats as NumPy makes them: how many, in which dtype, and rounded as there."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

SMALL = (np.float32(0), np.float32(0.3), np.float32(0.1))


@program(
    *(case(0.0, 0.3, 0.1), case(0.1, 0.7, 0.3), case(5, 2.0, -0.7), case(2.0, 1.0, 0.1)),
    *(case(*SMALL), case(0, np.float32(1), 0.3), case(np.int32(0), np.int32(3), np.int32(2))),
    compiled=True,
)
def ranges_of_floats(start, stop, step):
    return np.arange(start, stop, step), np.arange(stop), np.arange(start, stop)


@program(case(0.0, 3.0, 0.5), case(0.5, 3.0, 1.25), case(*SMALL))
def ranges_of_other_dtypes(start, stop, step):
    whole = np.arange(start, stop, step, dtype=int)  # all from the first two, which are cast
    return whole, np.arange(start, stop, step, dtype=np.float32)


@program(case(np.array([1.0, 2.0, 0.1])), case(np.array([3.0, 2.5, -0.125])), compiled=True)
def bounds_out_of_an_array(bounds):
    total = 0.0
    for t in np.arange(bounds[0], bounds[1], bounds[2]):
        total += t * t
    return total


@program(case(ag.asarray([1.0, 2.5], dtype=ag.float64)), compiled=True)
def gradient_through_a_range(x):
    def squares(x):
        return ag.sum(ag.arange(x[0], x[0] + 0.55, 0.1) ** 2) + ag.sum(ag.arange(1.0, 9.0, x[1]))

    return ag.grad(squares)(x)
