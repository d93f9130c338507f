"""Numbers that integer dtypes do not hold, sums in narrow dtypes, and powers of nothing."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
NARROW = (ag.int8, ag.uint8, ag.int32, ag.uint32, ag.int64, ag.uint64)


@program(case(t([[200, 50], [25, 25]], dtype=ag.uint8)))
def sums_in_uint8(x):
    total = ag.sum(x, dtype=ag.uint8)
    return ag.astype(total, ag.float64), ag.astype(ag.sum(x.T, dtype=ag.uint8), ag.int32)


@program(case(t(np.arange(20).reshape(4, 5), dtype=ag.int8)))
def products_in_int8(x):
    odd = x * 2 + 1
    found = ag.prod(odd.T[:, 1:], dtype=ag.int8)
    return ag.astype(found, ag.int64) + 1, ag.astype(ag.sum(odd.T, dtype=ag.int8), ag.int64)


@program(case(t([2.5, -1.5, 1.5])), case(t([-0.5, -0.5, 3.9])))
def running_ints_of_floats(x):
    return ag.cumulative_sum(x, dtype=ag.int64), ag.cumulative_prod(x, dtype=ag.int32)


@program(case(t([[0.1, 0.2], [0.3, 1e-9]], dtype=ag.float64)))
def running_singles_of_doubles(x):
    return (
        ag.cumulative_sum(x, axis=0, dtype=ag.float32),
        ag.cumulative_prod(x, axis=1, dtype=ag.float32, include_initial=True),
    )


@program(case(t([True, False, True, True])))
def running_count(mask):
    return ag.cumulative_sum(mask), ag.cumulative_sum(mask, dtype=ag.uint8, include_initial=True)


FLOATS = [2.7, -0.5, -5.0, 127.9, 300.0, 1e10, 1e19, -1e19, float("nan"), float("inf")]


@program(*[case(t(one, dtype=ag.float64)) for one in FLOATS], vary=False)
def float_as_each_dtype(x):
    found = []
    for dtype in NARROW if x < 1e18 else NARROW[:3]:
        try:
            found.append(ag.asarray(float(x), dtype=dtype))
        except (OverflowError, ValueError) as error:
            found.append(str(error))
    return found


@program(*[case(t(one, dtype=ag.float64)) for one in FLOATS], vary=False)
def float_as_int8(x):
    return ag.full((2,), float(x), dtype=ag.int8)


@program(*[case(t(one, dtype=ag.float64)) for one in FLOATS], vary=False)
def float_as_uint64(x):
    return ag.asarray([float(x), 1.0], dtype=ag.uint64)


@program(case(t(2)), case(t(-5)), case(t(300)), case(t(10**10)), vary=False)
def int_as_each_dtype(n):
    found = []
    for dtype in NARROW:
        try:
            found.append(ag.full_like(ag.zeros((2,)), int(n), dtype=dtype))
        except OverflowError as error:
            found.append(str(error))
    return found


@program(case(), vary=False)
def plain_ints_beyond():
    found = []
    for number in (300, -1, 3.5, -0.5, 1e3, float("nan")):
        try:
            found.append(ag.asarray([number, 1], dtype=ag.uint8))
        except (OverflowError, ValueError) as error:
            found.append(str(error))
    return found


@stateful(case(t(5)), case(t(300)), vary=False)
def int_assigned_to_a_small_variable():
    v = ag.Variable(np.array(1, np.int8))

    def f(n):
        v.assign(int(n))
        return v + 1

    return f, v


@stateful(case(t(5)), case(t(300)), vary=False)
def list_assigned_to_a_small_variable():
    v = ag.Variable(np.array([1, 2], np.int8))

    def f(n):
        v.assign([int(n), 1])
        return v + 1

    return f, v


@program(
    case(t(np.zeros((0,), np.int64)), t([-1])),
    case(t(np.zeros((0,), np.int64)), t([1])),
    case(t(np.zeros((0, 2), np.int32)), t([-1, 2])),
)
def power_of_nothing(x, y):
    return x**y, x**-1


@program(case(t([1, 2, 3]), t(-1)), case(t([-1, -2]), t(-1)), case(t([-1, 4]), t(2)), vary=False)
def power_of_few(x, n):
    chosen = x[x > 0]
    return chosen ** int(n), chosen**n


@program(case(t([1, 2, 3])), case(t([-1, -2])), vary=False)
def reciprocals_of_few(x):
    return x[x > 0] ** -1


@program(case(t([1, 2, 3]), t([-1])), case(t([-1, -2]), t([-1])), vary=False)
def caught_power_of_few(x, n):
    try:
        return x[x > 0] ** n
    except ValueError as error:
        return str(error)


@program(
    case(t([1.0, 2.0, 3.0]), t(np.array(1, np.uint64))),
    case(t([1.0, 2.0, 3.0]), t(np.array(2**64 - 1, np.uint64))),
    case(t([1.0, 2.0, 3.0]), t(np.array(5, np.uint64))),
    vary=False,
)
def unsigned_index(x, i):
    return x[i]


@program(case(t(2)), case(t(-1)))
def eye_of_a_size(n):
    return ag.eye(int(n))


@program(case(t(3)), case(t(-1)), case(t(0)))
def linspace_of_a_size(n):
    return ag.linspace(0.0, 1.0, int(n)), ag.linspace(0, 10, int(n), dtype=ag.int32)


@program(case(t([0, 2]), t(3)), case(t([0, 2]), t(-1)))
def one_hot_of_a_size(x, n):
    return ag.one_hot(x, num_classes=int(n))


@program(case(t([1, -2])), case(t([2, 3], dtype=ag.uint8)), case(t([0.5, 1e30])))
def compared_with_ints_beyond(x):
    return x < 2**70, x == -(2**70), 2**63 >= x, x != 2**64, x > -(2**64)


@program(case(t([0.5, -1e20])), case(t([0.5, -1e20], dtype=ag.float64)))
def floats_with_ints_beyond(x):
    return x + 2**70, x * -(2**64), ag.maximum(x, 2**63)


@program(case(t([1.0, 2.0]), t([2, 0])), case(t([1.0, 2.0]), t([2, -1])), vary=False)
def caught_repeat_by_counts(x, counts):
    try:
        return ag.repeat(x, counts)
    except ValueError as error:
        return str(error)


@program(case(t([[1.0, 2.0], [3.0, 4.0]]), t([True, False])), vary=False)
def repeat_by_flags(x, flags):
    return ag.repeat(x, flags, axis=1), ag.repeat(x, [2, 1], axis=0)


FLOATS = np.array([-1.5, -300.7, 3.2, 255.9, -0.5, 70000.0, -70000.0, 3e9, -3.0, 9e18] * 4)
SHORT = FLOATS[:3].astype(np.float32)


@program(case(FLOATS, 2.5), case(SHORT, -2.5), compiled=True)
def floats_as_unsigned_numbers(a, x):
    small = np.clip(a, -70000.0, 70000.0)
    whole = a.astype(np.uint64), np.clip(a, -2e9, 4e9).astype(np.uint32)
    return whole, small.astype(np.uint16), small.astype(np.uint8), np.full(3, x).astype(np.uint8)
