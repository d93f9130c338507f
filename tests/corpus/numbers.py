"""Python numbers that become state: pyint, pyfloat and pybool, and how they meet tensors."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

# Each program first turns Python numbers into staged ones: `counted` gives an int that only the
# data decide.


def counted(n):
    k = 0
    for _ in range(n):
        k += 1
    return k


@program(*(case(t(a), b) for a in (0, 7) for b in (2, -2, 3)), compiled=True)
def floor_division_and_remainder(n, d):
    k = counted(n) - 5
    return k // d, k % d, divmod(k, d), -k // d, k // -d


@program(case(t(3)), case(t(0)))
def true_division_gives_a_float(n):
    k = counted(n)
    return k / 2, k / 1, (k + 1) / 3


@program(case(t(3)), case(t(0)))
def division_by_a_staged_zero(n):
    k = counted(n)
    return 10 / k


@program(case(t(3)), case(t(0)))
def floor_division_by_a_staged_zero(n):
    k = counted(n)
    return 10 // k


@program(case(t(3)), case(t(0)))
def remainder_by_a_staged_zero(n):
    k = counted(n)
    return 10 % k


@program(case(t(3)), case(t(0)))
def float_division_by_a_staged_zero(n):
    k = counted(n) * 1.0
    return 10.0 / k


@program(case(t(3), t(2.0)), case(t(0), t(2.0)))
def division_of_tensors_by_zero_does_not_raise(n, x):
    k = counted(n)
    with np.errstate(all="ignore"):
        return x / k


@program(case(t(7)), case(t(2)))
def float_floor_division_and_remainder(n):
    k = counted(n) * 1.5 - 4
    return k // 2, k % 2, k // -0.7, k % -0.7, divmod(k, 0.3)


@program(case(t(3)), case(t(0)))
def powers(n):
    k = counted(n)
    return k**2, 2**k, k**0.5, (k + 0.5) ** 2, (k + 1) ** 1


@program(case(t(2), t(-2)), case(t(0), t(-2)), refused="ValueError", naming=("negative power",))
def negative_power_of_an_int_is_a_float(n, m):
    k = counted(n) - 1
    return (k + 3) ** counted(m), (k + 3) ** -counted(n)


@program(case(t(3)), case(t(0)))
def shifts_and_bits(n):
    k = counted(n) + 5
    return k << 2, k >> 1, k & 3, k | 8, k ^ 5, ~k


@program(case(t(3)), case(t(0)))
def negative_shift(n):
    k = counted(n) - 1
    return 8 << k


@program(case(t(3)), case(t(0)))
def booleans_are_numbers(n):
    big = counted(n) > 1
    small = not big
    return big + big, big * 2.5, big & small, big | small, big ^ True, -big, ~big, big == 1


@program(case(t(3)), case(t(0)))
def comparisons(n):
    k = counted(n)
    return k < 2, k <= 3.0, k == 3, k != 3.0, k > -1, k >= 0.5, 1 < k < 4, k is None


@program(case(t(10)), case(t(0)))
def sum_of_tenths(n):
    s = 0.0
    for _ in range(n):
        s += 0.1
    return s, s == 1.0, s < 1.0


@program(case(t(3), t(0.1)), case(t(0), t(0.1)))
def weak_float_meets_float32(n, x):
    s = 0.1 * counted(n)
    return s * x, (s * x).dtype == ag.float32, x + s - s


@program(case(t(3), t(2)), case(t(0), t(2)))
def weak_float_meets_int64(n, x):
    s = 0.1 * counted(n)
    return s * x, (s * x).dtype == ag.float64


@program(case(t(3), t(250, dtype=ag.uint8)), case(t(0), t(250, dtype=ag.uint8)))
def weak_int_meets_uint8(n, x):
    k = counted(n)
    return x + k, (x + k).dtype == ag.uint8


@program(case(t(3), t([1, 2], dtype=ag.int16)), case(t(3), t([1.5], dtype=ag.float64)))
def weak_int_meets_others(n, x):
    k = counted(n)
    return x * k, x / (k + 1), x // (k + 1), k - x


@program(case(t(3), t(True)), case(t(0), t(False)))
def weak_int_meets_bool(n, b):
    k = counted(n)
    return b + k, b * 2.5, b & (k > 1)


@program(case(t(62)), case(t(3)), vary=False)
def large_but_fitting_ints(n):
    k = 1
    for _ in range(n):
        k = k * 2
    return k, k - 1, -k


@program(case(t(3.7)), case(t(-3.7)), case(t(5)), case(t(True)))
def conversions_of_a_tensor(x):
    return int(x), float(x), bool(x), int(x) // 2, float(x) / 2


@program(case(t(3)), case(t(0)))
def conversions_of_a_number(n):
    k = counted(n)
    f = k * 1.5 - 2
    return float(k), int(f), bool(k), int(k > 1), float(k > 1), bool(f)


@program(case(t(3)), case(t(0)))
def infinity_cannot_become_an_int(n):
    f = 1.0
    for _ in range(n):
        f = f * float("inf")
    return int(f)


@program(case(t(5)), case(t(0)))
def rounding(n):
    f = counted(n) * 0.75 - 1.25
    return round(f), abs(f), abs(-counted(n)), round(counted(n))


@program(case(t(5)), case(t(0)))
def rounding_to_digits(n):
    f, k = counted(n) * 0.75 - 1.25, counted(n) * 37
    return round(f, 1), round(f * 33.335, 2), round(f, 0), round(f * 1e3, -2), round(k, -1)


@program(case(t(5)), case(t(2)))
def rounding_to_staged_digits(n):
    return round(0.12345, counted(n))


@program(case(t(3)), case(t(0)))
def minimum_and_maximum(n):
    k = counted(n)
    return min(k, 2), max(k, 2), min(k, 1.5), max(2.5, k), min(k, k + 1, -k), max([k, 1])


@program(case(t(3)), case(t(0)))
def minimum_keeps_the_kind_of_the_smaller(n):
    k = counted(n)
    low = min(k, 0.5)
    high = max(k, 0.5)
    return low, high, low + high


@program(case(t(3)), case(t(0)))
def negative_zero_and_nan(n):
    f = counted(n) * -0.0
    g = f + float("nan")
    return f, -f, g == g, g != g, f == 0


@program(case(t(3)), case(t(0)))
def mixed_state_kinds(n):
    i, f, b = 0, 0.0, False
    for k in range(n):
        i, f, b = i + 2, f + i / 2, not b and k < 2
    return i, f, b


@program(case(t([[1.0, 2.0, 3.0]])), case(t([[1.0], [2.0]])))
def sizes_are_numbers(x):
    rows, columns = x.shape
    half = columns // 2
    return rows * columns, half, columns / 2, x.shape[0] == 2, x.size, x.ndim, len(x)


@program(case(t(3)), case(t(0)))
def is_instance(n):
    k = counted(n)
    f = k * 0.5
    b = k > 1
    return (
        isinstance(k, int),
        isinstance(f, float),
        isinstance(b, bool),
        isinstance(b, int),
        isinstance(k, float),
        isinstance(n, ag.Tensor),
        isinstance(k, (float, str, int)),
        type(k) is int,
    )


@program(case(t(3)), case(t(0)))
def int_or_float_after_a_branch(n):
    k = counted(n)
    if k > 1:
        y = 1
    else:
        y = 1.0
    return y, y / 2, isinstance(y, int)


@program(case(t(7)), case(t(2)))
def floor_division_tells_the_kinds_apart(n):
    k = counted(n)
    if k > 3:
        y = k
    else:
        y = k * 1.0
    return y // 2, y % 2


@program(case(t(3), np.float32(1.5)), case(t(0), np.int8(3)), case(t(0), np.float64(0.5)))
def numpy_scalars(n, x):
    k = counted(n)
    return x + t(1.0), t([1.0, 2.0]) * x, k + 0 * k


@program(case(t(5)), case(t(0)))
def python_int_as_tensor(n):
    k = counted(n)
    return ag.asarray(k), ag.asarray(k * 0.5), ag.asarray([k, k + 1]), ag.zeros((2,)) + k


@program(case(t(2)), case(t(0)))
def choice_of_numbers_times_a_list(n):
    k = 2 if n > 1 else 3
    return [0] * k


@program(case(t(2)), case(t(0)))
def number_times_a_list(n):
    k = counted(n)
    return [0] * k


@program(case(t(3)), case(t(0)))
def index_of_a_python_sequence(n):
    k = counted(n)
    names = ["zero", "one", "two", "three"]
    table = (10, 20, 30, 40)
    return names[k], table[k], table[-k - 1], "abcd"[k]


@program(case(t(3)), case(t(9)))
def index_of_a_python_sequence_out_of_range(n):
    k = counted(n)
    return (10, 20, 30, 40)[k]


@program(case(t(1)), case(t(3)))
def key_of_a_python_dictionary(n):
    k = counted(n)
    table = {0: "a", 1: "b"}
    return table[k]


@program(case(t(200.0)), case(t(2.0)))
def float_overflow(x):
    f = 1.0
    for _ in range(9):
        if x > 100:
            f = f * 1e200
    return f
