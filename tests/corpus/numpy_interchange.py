"""NumPy arrays and scalars as arguments, captures and operands."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


def _read_only(array):
    array.flags.writeable = False
    return array


def _misaligned():
    raw = np.zeros(25, dtype=np.uint8)
    array = raw[1:].view(np.float64)
    array[...] = [1.0, 2.0, 3.0]
    return array


ARRAYS = (
    np.array([1.0, 2.0, 3.0]),
    np.array([1.0, 2.0, 3.0], dtype=np.float32),
    np.array([[1, 2], [3, 4]], dtype=np.int32),
    np.array([True, False]),
    np.array(5.0),
    np.array([1, 2, 255], dtype=np.uint8),
    np.zeros((0, 3)),
    np.arange(12.0).reshape(3, 4)[::2, ::-1],
    np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    np.array([1.0, 2.0], dtype=">f8"),
    np.array([1, 2], dtype=">i4"),
    _read_only(np.array([1.0, 2.0])),
)


@program(*(case(a) for a in ARRAYS), mutate=False)
def array_arguments(a):
    return a + 1, ag.asarray(a) * 2


@program(case(_misaligned()), case(np.array([1.0, 2.0, 3.0])), mutate=False)
def misaligned_argument(a):
    return ag.sum(ag.asarray(a)), ag.asarray(a) * 2


@program(*(case(a, t(1)) for a in ARRAYS[:3]), case(ARRAYS[0], t(-1)))
def array_in_a_branch(a, c):
    if c > 0:
        y = ag.sum(a)
    else:
        y = ag.sum(a * 2)
    return y


@program(*(case(t(1.5), k) for k in (np.float32(2), np.float64(2), np.int64(2), np.bool_(True))))
def numpy_scalars_are_not_weak(x, k):
    return x * k, k * x, x + np.float64(1)


@program(case(t([1.0, 2.0]), np.array([3, 4])))
def operators_with_arrays(x, a):
    return x + a, a + x, a @ ag.astype(x, ag.float64), x < a, a - x, a**x


@stateful(
    case(t([1.0, 2.0])),
    between=(lambda w: w.state.__setitem__(0, 50.0),),
)
def captured_array():
    a = np.array([1.0, 2.0])

    def run(x):
        return x * a

    return run, a


@program(case(3), case(5))
def numpy_functions_of_python_values(n):
    table = np.arange(n) * 2
    return ag.asarray(table) + int(np.sum(table)), table.shape


@program(case(np.array([1.0, 2.0]), t(0)), case(np.array([1.0, 2.0]), t(1)))
def array_indexed_by_a_tensor(a, i):
    return ag.asarray(a)[i]


@program(case(np.array([1.0, 2.0]), np.array([1.0, 2.0])))
def two_arrays(a, b):
    return ag.maximum(a, b) + a * b


@program(case(np.array([5, 3, 1])), case(np.array([2])))
def loop_over_an_array(a):
    total = 0
    for x in a:
        if x > 2:
            total = total + x
    return total


@program(case(np.array(7)), case(np.int64(7)), case(np.array(1)))
def array_as_a_condition(n):
    steps = 0
    while n > 1:
        n = n // 2
        steps += 1
    return steps, n


@program(case(np.array([1.0, 2.0]), t(1)), case(np.array([1.0, 2.0]), t(-1)))
def array_or_none(a, c):
    y = None
    if c > 0:
        y = a
    return y


DOUBLES = np.array([1.0, 2.0])


@stateful(case(t(1.0)))
def global_array_assigned_to_a_variable():
    v = ag.Variable([0.0, 0.0])

    def f(x):
        v.assign(DOUBLES)
        v.assign_add(DOUBLES)
        return v * x

    return f, v


@stateful(
    case(np.array([1.0, 2.0]), t(1.0)),
    case(np.array([1.0, 2.0]), t(-1.0)),
    case(np.array([1.0, 2.0, 3.0]), t(-1.0)),
)
def array_assigned_to_a_variable_by_branches():
    v = ag.Variable([0.0, 0.0])

    def f(a, x):
        if x > 0:
            v.assign(a)
        else:
            v.assign_sub(a)
        return v + 1

    return f, v


@stateful(case(np.array([300, 2])))
def wide_array_assigned_to_a_narrow_variable():
    v = ag.Variable(np.zeros(2, np.int8))

    def f(a):
        v.assign(a)
        return v + 1

    return f, v


@stateful(case(np.array([1.5, 2.0]), t(1.0)))
def array_of_floats_assigned_to_ints():
    v = ag.Variable(np.array([1, 2]))

    def f(a, x):
        v.assign(a)
        return v + x

    return f, v


@stateful(case(np.float64(2.0), t(1.0)))
def scalar_added_to_a_variable():
    v = ag.Variable(1.0)

    def f(a, x):
        v.assign_add(a)
        return v + x

    return f, v
