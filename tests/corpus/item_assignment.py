"""x[i] = v: the cell, its aliases, basic, integer and boolean indices."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


@program(case(t([1.0, 2.0, 3.0])), case(t([1.0])))
def argument_is_written(x):
    x[0] = 10
    return x.sum()


@program(case(t([1.0, 2.0, 3.0])))
def argument_is_written_and_returned(x):
    x[1:] = x[1:] * 2
    return x


@program(case(t([1.0, 2.0]), t(1.0)), case(t([1.0, 2.0]), t(-1.0)))
def written_in_a_branch(x, c):
    if c > 0:
        x[0] = c * 5
    return x + 0


@program(case(t([1.0, 2.0]), t(1.0)), case(t([1.0, 2.0]), t(-1.0)))
def alias_sees_the_write(x, c):
    y = x
    z = x + 0
    if c > 0:
        y[0] = 50
    else:
        y[1] = 60
    return x, y, z, x is y


@program(case(ag.zeros((5,)), t(5)), case(ag.zeros((5,)), t(0)), compiled=True)
def filled_in_a_loop(x, n):
    for i in range(n):
        x[i] = i * i
    return x.sum()


@program(case(t(6)), case(t(2)), compiled=True)
def made_and_filled(n):
    x = ag.zeros((8,))
    x[0] = 1
    for i in range(1, n):
        x[i] = x[i - 1] * 2
    return x


@program(case(t([3, 1, 2, 5, 4])), case(t([1])), case(t([2, 1])), compiled=True)
def bubble_sort(x):
    n = len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                a = x[j]
                x[j] = x[j + 1]
                x[j + 1] = a
    return x


@program(case(30))
def sieve(limit):
    prime = ag.ones((limit,), dtype=ag.bool_)
    prime[:2] = False
    k = t(2)
    while k * k < limit:
        if prime[k]:
            j = k * k
            while j < limit:
                prime[j] = False
                j += k
        k += 1
    return prime.astype(ag.int64).sum()


@program(case(t([1.0, 2.0, 3.0]), t(1)), case(t([1.0, 2.0, 3.0]), t(-1)), case(t([1.0]), t(5)))
def index_is_a_tensor(x, i):
    x[i] = 7
    x[i] += 1
    return x[i]


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, -2.0])))
def boolean_mask(x):
    x[x > 1.5] = 0
    return x


@program(case(t([1.0, 2.0, 3.0, 4.0]), t([0, 2])))
def integer_array(x, index):
    x[index] = t([10.0, 20.0])
    x[index] *= 2
    return x, x[index]


@program(case(t([[1.0, 2.0], [3.0, 4.0]])))
def rows_columns_and_ellipsis(m):
    m[0] = 5
    m[:, 1] = t([7.0, 8.0])
    m[..., 0] += 1
    m[1, 1] = -1
    m[::-1, :1] = m[:, :1] * 10
    return m


@program(case(t([1.0, 2.0, 3.0])))
def augmented_assignment_rebinds_a_name(x):
    y = x
    y += 1
    return x, y, x is y


@program(case(t([1.0, 2.0, 3.0])))
def augmented_item_writes_the_cell(x):
    y = x
    y[0] += 1
    y[1:] *= 3
    return x, x is y


@program(case(t([1, 2, 3])), case(t([1.5, 2.5, 3.5])))
def value_is_cast_to_the_dtype(x):
    x[0] = 2
    x[1] = t(7)
    return x


@program(case(t([1.0, 2.0])))
def value_is_taken_before_the_write(x):
    y = x + 0
    x[:] = x[::-1]
    return x, y


@program(case(t([1.0, 2.0]), t([5.0, 6.0])))
def two_arguments_are_written(x, y):
    x[0], y[0] = y[0], x[0]
    return x - y


def _pair(x):
    return case(x, x)


@program(_pair(t([1.0, 2.0])), case(t([1.0, 2.0]), t([1.0, 2.0])))
def one_object_passed_twice(x, y):
    x[0] = 100
    return y[0], x is y


@program(_pair(t([1.0, 2.0])), case(t([1.0, 2.0]), t([1.0, 2.0])))
def one_object_passed_twice_written_in_a_branch(x, y):
    if x[1] > 0:
        y[0] = 100
    return x[0] + y[1], x, y


@stateful(case(t([1.0, 2.0])))
def captured_tensor_is_written():
    memory = ag.zeros((2,))

    def run(x):
        memory[:] = memory * 0.5 + x
        return memory

    return run, memory


@stateful(case(t([1.0, 2.0]), t(1)), case(t([1.0, 2.0]), t(-1)))
def captured_tensor_is_written_in_a_branch():
    memory = ag.zeros((2,))
    alias = [memory]

    def run(x, c):
        if c > 0:
            memory[0] = memory[0] + x[1]
        return alias[0] * 1

    return run, (memory, alias)


@program(case(t([1.0, 2.0])))
def cells_inside_a_list(x):
    xs = [x, x, x + 1]
    xs[0][0] = 9
    xs[2][1] = 8
    return xs


@program(case(t([1.0, 2.0, 3.0]), t(3)), case(t([1.0, 2.0, 3.0]), t(0)))
def alias_in_a_loop(x, n):
    y = x
    for i in range(n):
        y[i] = y[i] + 10
        if i == 1:
            y = x * 1
    return x, y


@program(case(t([1.0, 2.0]), t([3.0, 4.0]), t(1)), case(t([1.0, 2.0]), t([3.0, 4.0]), t(-1)))
def chosen_cell_is_written(x, y, c):
    z = x if c > 0 else y
    z[0] = 100
    return x, y, z is x


@program(case(t([1.0, 2.0]), t([3.0, 4.0]), t(1)), case(t([1.0, 2.0]), t([3.0, 4.0]), t(-1)))
def chosen_cell_old_or_new(x, y, c):
    if c > 0:
        z = x
    else:
        z = y * 2
    z[0] = 100
    return x, y, z


@program(case(t(1.0)), case(t(-1.0)))
def scalars_are_cells_too(x):
    y = x
    if x > 0:
        y[...] = 5
    y[()] = y + 1
    return x


@program(case(np.array([1.0, 2.0])), case(np.array([1, 2])))
def copy_of_an_array_is_written(a):
    x = ag.asarray(a)
    x[0] = 100
    return x, ag.asarray(a)[0]


@program(case(t([1.0, 2.0, 3.0]), t(3)), case(t([1.0, 2.0, 3.0]), t(4)))
def write_out_of_range(x, n):
    for i in range(n):
        x[i] = 0
    return x


@program(case(t([[1.0, 2.0], [3.0, 4.0]]), t(2)), case(t([[1.0, 2.0], [3.0, 4.0]]), t(0)))
def rows_written_in_a_loop(m, n):
    for i in range(n):
        m[i] = m[i] * (i + 2)
        m[i, 0] = m[:, 1].sum()
    return m


@program(case(t([1.0, 2.0, 3.0])), case(t([4.0, 5.0])))
def slices_are_values(x):
    y = x[:2]
    z = ag.reshape(x, (-1,))
    x[0] = 100
    return x, y, z


@program(case(t([1.0, 2.0, 3.0, 4.0]), t(1), t(3)), case(t([1.0, 2.0, 3.0, 4.0]), t(3), t(1)))
def bounds_of_a_slice_are_tensors(x, a, b):
    x[a:b] = 0
    return x, x[a:], x[:b].sum()


@program(case(t([3.0, 1.0, 2.0])))
def write_changes_a_kept_comparison_not(x):
    big = x > 1.5
    x[big] = 0
    return big, x
