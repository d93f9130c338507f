"""for over ranges, tensors, Python containers, and what wraps them."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t(2), t(9)), case(t(9), t(2)), case(2, t(5)), case(t(2), 5))
def range_with_a_start(a, b):
    total = 0
    for i in range(a, b):
        total = total * 3 + i
    return total


@program(case(t(0), t(10), t(3)), case(t(10), t(0), t(-4)), case(t(0), t(10), t(-1)))
def range_with_a_step(a, b, step):
    total = 0
    for i in range(a, b, step):
        total = total * 7 + i
    return total


@program(case(t(5), t(0)), case(t(5), t(1)))
def range_with_a_zero_step(n, step):
    total = 0
    for i in range(0, n, step):
        total += i
    return total


@program(case(t(5)), case(t(0)))
def length_of_a_range(n):
    r = range(1, n)
    return len(r)


@program(case(t([1.0, 2.0, 4.0])), case(t([5.0])), case(t([[1.0, 2.0], [3.0, 4.0]])))
def over_a_tensor(xs):
    total = xs[0] * 0
    for x in xs:
        total = total * 2 + x
    return total


@program(case(ag.zeros((0,))), case(ag.zeros((0, 2))), case(t([3.0])))
def over_an_empty_tensor(xs):
    count = 0
    for _ in xs:
        count += 1
    return count


@program(case(t([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])), case(t([[1.0]])))
def over_rows_and_columns(m):
    total = 0.0
    weight = 1
    for row in m:
        for x in row:
            total = total + x * weight
            weight += 1
    return total, weight


@program(case(t([1.0, 2.0])))
def over_a_scalar_fails(xs):
    for x in xs[0]:
        return x
    return xs


@program(
    case(np.array([1.0, 2.0, 3.0])),
    case(np.array([[1, 2], [3, 4]], dtype=np.int32)),
)
def over_an_array_argument(xs):
    total = 0
    for x in xs:
        total = total + x
    return total


@program(case(t(2.0), [1, 2, 3]), case(t(-2.0), [1, 2, 3]), case(t(2.0), []))
def over_a_python_list(x, factors):
    for k in factors:
        if x > 0:
            x = x * k
        else:
            x = x - k
    return x


@program(case([t(1.0), t(2.0), t(-3.0)]), case([t(1.0)]), case([]))
def over_a_list_of_tensors(xs):
    total = 0.0
    for x in xs:
        if x > 0:
            total = total + x
    return total


@program(case(t(3)), case(t(0)))
def over_a_string(n):
    text = ""
    for letter in "abc":
        text = letter + text
    return text, n


@program(case({"b": t(1.0), "a": t(2.0)}), case({}))
def over_a_dictionary(d):
    names = ""
    total = t(0.0)
    for key, value in d.items():
        names += key
        if value > 1:
            total = total + value
    for key in d:
        names += key
    for value in d.values():
        total = total * value
    return names, total


@program(case(t([3.0, 1.0, 2.0])), case(t([1.0])))
def enumerated(xs):
    total = 0
    last = -1
    for i, x in enumerate(xs):
        total = total + i * x
        last = i
    return total, last


@program(case(t([3.0, 1.0, 2.0])), case(t([1.0])))
def enumerated_from_a_start(xs):
    total = 0
    for i, x in enumerate(xs, start=10):
        total = total + i * x
    return total


@program(
    case(t([1.0, 2.0, 3.0]), t([4.0, 5.0, 6.0])),
    case(t([1.0, 2.0, 3.0]), t([4.0])),
    case(t([1.0]), [10, 20, 30]),
)
def zipped(xs, ys):
    total = 0
    for x, y in zip(xs, ys):
        total = total + x * y
    return total


@program(case(t([1.0, 2.0]), t([4.0, 5.0])), case(t([1.0, 2.0]), t([4.0])))
def zipped_strictly(xs, ys):
    total = 0
    for x, y in zip(xs, ys, strict=True):
        total = total + x * y
    return total


@program(case(t([1.0, 2.0]), t([[1.0, 2.0], [3.0, 4.0]])), case(t([1.0]), t([[1.0, 1.0]])))
def enumerated_and_zipped(xs, ms):
    total = 0
    for i, (x, (a, b)) in enumerate(zip(xs, ms, strict=True)):
        total = total + i + x * a - b
    return total


@program(case(t([1, 2, 3])), case(t([1])))
def reversed_tensor(xs):
    total = 0
    for x in reversed(xs):
        total = total * 10 + x
    return total


@program(case(t(4)), case(t(0)))
def reversed_range(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 10 + i
    return total


@program(case([(t(1.0), 2), (t(-1.0), 3)]), case([]))
def unpacked_pairs(pairs):
    total = 0
    for x, k in pairs:
        if x > 0:
            total = total + x * k
        else:
            total = total - k
    return total


@program(case(t([[1, 2, 3], [4, 5, 6]])))
def star_target(m):
    firsts = 0
    rests = 0
    for first, *rest in m:
        firsts = firsts + first
        rests = rests + rest[-1] * len(rest)
    return firsts, rests


@program(case(t([1.0, 2.0, 3.0])))
def unpacked_tensor(x):
    a, b, c = x
    first, *rest = x
    return c - a * b, first, rest


@program(case(t([1.0, 2.0, 3.0])))
def unpacked_to_too_few(x):
    a, b = x
    return a + b


@program(case(t(3)), case(t(0)))
def target_is_an_item(n):
    slots = [100, 200]
    for slots[1] in range(n):
        slots[0] += 1
    return slots


@program(case(t([1.0, 2.0, 3.0])), case(t([1.0])))
def loop_over_computed_value_reads_it_once(x):
    total = 0.0
    for y in x * 2:
        x = x + 1
        total = total + y
    return total, x


@program(case([t(1.0), t(2.0)]))
def list_that_grows_while_iterated(xs):
    for x in xs:
        if len(xs) < 5:
            xs.append(x * 10)
    return xs


@program(case(t([2.0, 3.0])))
def tensor_written_while_iterated(xs):
    total = 0.0
    for x in xs:
        xs[1] = x + 10
        total = total + x
    return total


@program(case(t([1.0, 2.0, 3.0])))
def generator_consumed_by_a_loop(xs):
    def positive(values):
        for v in values:
            if v > 0:
                yield v

    total = 0.0
    for v in positive([xs[0], xs[2]]):
        total = total + v
    return total


@program(case(3, t(2.0)), case(0, t(2.0)))
def iterator_by_hand(n, x):
    it = iter(range(n))
    total = x
    for i in it:
        total = total + i
        for j in it:
            total = total * j
    return total


@program(case([1, 2], t(2.0)), case([], t(2.0)))
def map_and_filter(xs, x):
    total = x
    for y in map(lambda v: v * x, filter(lambda v: v > 1, xs)):
        total = total + y
    return total
