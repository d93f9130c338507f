"""Arguments by position, ints where pairs are meant, dtypes under any of their names."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t([1.0, 2.0]), t([3.0, 4.0])), case(t([[1.0, 2.0]]), t([[3.0, 4.0]])), compiled=True)
def joined_along_an_axis(x, y):
    return ag.concat([x, y], 0), ag.stack([x, y], 1), ag.concat((x, y), -1)


@program(case(t([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), t([1, 0])), compiled=True)
def taken_along_an_axis(x, i):
    rows = ag.take(x, i, 0), ag.take(x, i, 1), ag.gather(x, i, 1)
    return rows, ag.take_along_axis(x, t([[2], [0]]), 1), ag.scatter_add(x, i, 1.0, 1)


@program(case(t(3)), case(t(0)), compiled=True)
def made_in_a_dtype(n):
    made = ag.zeros(n, "int32"), ag.ones((n, 2), np.int8), ag.full(n, 2, "float64")
    more = ag.empty(2, bool), ag.eye(3, 3, 1, "int64"), ag.arange(0, n, 2, "float32")
    like = ag.zeros_like(made[1], "float32"), ag.ones_like(made[0], float)
    return made, more, like, ag.full_like(made[0], 7, np.dtype("uint8"))


@program(case(t([1.5, -2.5])), case(t(1.5)))
def cast_by_any_name(x):
    return x.astype("int32"), ag.astype(x, np.float64), ag.asarray(5, ag.int32), t([1], "f4")


@program(case(ag.reshape(ag.arange(50.0), (1, 5, 5, 2))), compiled=True)
def windows_by_position(x):
    return ag.max_pool2d(x, 3, 2), ag.avg_pool2d(x, (2, 3), 1, "same"), ag.max_pool2d(x, 2, 2, 1)


@program(case(ag.reshape(ag.arange(50.0), (1, 5, 5, 2)), ag.ones((3, 3, 2, 2))), compiled=True)
def padding_by_numbers(x, kernel):
    same = ag.conv2d(x, kernel, 1, 1), ag.conv2d(x, kernel, padding=(1, 2))
    return same, ag.conv2d(x, kernel, (2, 1), ((1, 0), (0, 2))), ag.conv2d(x, kernel, 2, "SAME")


@program(case(ag.reshape(ag.arange(10.0), (1, 5, 2)), ag.ones((3, 2, 2))), compiled=True)
def sequences_by_numbers(x, kernel):
    return ag.conv1d(x, kernel, 2), ag.conv1d(x, kernel, 1, 1), ag.conv1d(x, kernel, 1, (2, 0))


@program(case(t([[3.0, 1.0, 2.0], [9.0, 7.0, 8.0]])), compiled=True)
def orders_by_position(x):
    ordered = ag.sort(x, 0), ag.argsort(x, 1, True), ag.diff(x, 1, 0), ag.diff(x[0], 2)
    return ordered, ag.median(x, 0), ag.quantile(x, 0.5, 1), ag.count_nonzero(x, 1)


@program(case(t([[3.0, 1.0], [9.0, 7.0]])), compiled=True)
def repeated_by_position(x):
    moved = ag.repeat(x, 2, 0), ag.roll(x, 1, 1), ag.trace(x, 1), ag.diagonal(x, 1)
    return moved, ag.tensordot(x, x, 1), ag.vecdot(x, x, 0), ag.gelu(x, True), ag.linspace(0.0, 1.0)


@program(case(t(3)), refused="TypeError", naming=("axis of concat()",))
def tensors_in_the_place_of_the_axis(n):
    return ag.concat(ag.zeros(n), ag.ones(n))


@program(case(t([[1.0, -1.0]])), compiled=True)
def layers_in_a_list(x):
    model = ag.nn.Sequential([_halved, ag.relu])
    return model(x), ag.nn.Sequential(_halved, ag.relu)(x)


def _halved(x):
    return x / 2
