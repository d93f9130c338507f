"""NumPy's functions of tensors: some ask the tensors and give tensors, others make arrays."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

PAIR = np.array([1.0, 2.0])


@program(case(t(PAIR)), case(t(np.array([3.0, -1.0, 0.5]))))
def arrays_made_of_tensors(x):
    return (
        np.array(x),
        np.array(x, dtype=np.float32),
        np.array(x, ndmin=2),
        np.array([x[0], x[1]]),
        np.array([[1.0, x[1]], [x[0], 2.0]]),
        np.array((x, x)),
        np.asarray(x),
        np.ascontiguousarray(x),
        np.full(2, x[0]),
        np.full((2, 2), 3.0) * x[1],
        np.fromiter(x, float),
        np.r_[x, 1.0],
        np.c_[x, x],
    )


@program(case(t(PAIR)), case(t(np.array([4.0, 9.0]))))
def numbers_of_lists_of_tensors(x):
    return (
        np.sum([x[0], x[1]]),
        np.mean([x[0], 2.0]),
        np.max([x[0], x[1], 1.5]),
        np.argmin([x[0], x[1]]),
        np.sqrt([x[0], x[1]]),
        np.add([x[0], x[1]], 1.0),
        np.maximum([x[0], x[1]], [1.5, 1.5]),
        np.dot([x[0], x[1]], [1.0, 2.0]),
        np.cumsum([x[0], x[1]]),
        np.where([True, False], [x[0], x[1]], 0.0),
    )


@program(case(t(PAIR)), case(t(np.array([4.0, 9.0]))))
def tensors_that_are_asked_for(x):
    return (
        np.concatenate([x, np.ones(1)]),
        np.stack([x, x]),
        np.vstack((x, [1.0, 2.0])),
        np.hstack([x, x]),
        np.column_stack((x, x)),
        np.where([True, False], x, 0.0),
        np.sum(x),
        np.sqrt(x),
        np.ones(2) * x,
        np.copy(x),
        np.zeros_like(x),
        np.atleast_2d(x),
        np.outer(x, [1.0, 2.0]),
        np.interp(0.5, [0.0, 1.0], x),
    )


@program(case(t(np.array([1, 2, 3]))), case(t(np.array([7, 5]))))
def integers_divide_as_in_arrays(x):
    a = np.array([x[0], x[1]])
    b = np.array(x)
    return a / 2, b / 2, a.dtype == b.dtype, np.mean([x[0], x[1]]), a // 2, b**2


@program(case(t(PAIR)), case(t(np.array([5.0, 6.0]))))
def an_array_of_a_tensor_is_its_own(x):
    a = np.array(x)
    a[0] = 10.0
    a += 1.0
    b = np.asarray([x[0], x[1]])
    b[1] = a[0]
    return x, a, b


@program(case(t(PAIR)), case(t(np.array([2.0, 0.0]))))
def elements_with_their_indices(x):
    total = 0.0
    places = []
    for place, value in np.ndenumerate(x):
        total = total + value * 2.0
        places.append((place, value))
    return total, places


@program(case(t(3)), case(t(5)))
def ranges_up_to_tensors(n):
    return np.arange(n), np.arange(1, n), np.arange(n) * 0.5


@program(case(t(PAIR)), case(t(np.array([3.0, 1.0]))))
def made_in_a_branch(x):
    if x[0] > x[1]:
        y = np.array([x[0], 0.0])
    else:
        y = np.array([0.0, x[1]])
    return y, y.sum()


@program(case(t(4), t(PAIR)), case(t(0), t(PAIR)))
def made_in_a_loop(n, x):
    y = np.zeros(2)
    for _ in range(n):
        y = np.array([y[1] + x[0], y[0] * 0.5])
    return y


@program(case(ag.asarray([1.0, 2.0]), ag.asarray([3.0, 0.5])))
def methods_of_ufuncs_on_lists_of_tensors(x, y):
    found = np.maximum.reduce([x, y]), np.add.accumulate([x, y]), np.add.reduce(x)
    means = np.nanmean([x, y]), np.nanmax([x, y]), np.nanmean(np.array([x, y])), np.nanstd([x, y])
    return found, means, [type(one).__name__ for one in (*found, *means)]
