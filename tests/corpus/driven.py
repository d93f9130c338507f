"""Programs that call Python between stretches of native work: order, effects, errors, gradients."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t(3), t([1.0, 2.0])), case(t(0), t([0.5, 0.25])), compiled=True)
def report_of_an_inner_loop(n, x):
    total = 0.0
    for i in range(n):
        for j in range(7):
            x = ag.tanh(x + j * 0.125)
            total = total + ag.sum(x * x)
        if i % 2 == 0:
            print("turn", i, "of", n)
        total = total * 0.5 + i
    return x, total


@program(case(t(3), t([1.0, 2.0, 3.0])), case(t(1), t([1.0])))
def lists_grow_across_calls(n, x):
    rows, sizes = [], []
    for i in range(n):
        for j in range(i + 1):
            rows.append(x[j:] * i + j)
            sizes.append(len(rows))
        print("row", i, len(rows), sizes)
        if len(rows) > 2:
            rows.pop()
    print("in all", len(rows))
    return rows, sizes, ag.sum(ag.stack([ag.sum(one) for one in rows]))


@program(case(t(0.5), t(3)), case(t(-1.5), t(0)), compiled=True)
def gradient_through_a_loop_that_prints(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x
        for i in range(n):
            for _ in range(3):
                y = y * x + i if y < 4 else y * 0.5
            print("turn", i)
        z = y * y
    print("value", z > 1)
    return z, tape.gradient(z, x)


@program(case(t(4)), case(t(1)), case(t(7)))
def the_print_before_the_error(n):
    k = 0
    for i in range(4):
        print("turn", i)
        for j in range(3):
            k += j * i
        if i == n:
            raise ValueError(f"stopped at {i} with {k}")
        print(10 // (i - int(n) + 5))
    return k


@program(case(t(4), t(2.0)), case(t(0), t(1.0)))
def recursion_that_prints(n, x):
    def down(k, x):
        if k <= 0:
            return x
        for _ in range(k):
            x = x * 0.5 + 1
        print("at", k)
        return down(k - 1, x) + k

    return down(n, x)


@program(case(t([3.0, -1.0, 2.0])), case(t([0.5])))
def values_from_python_feed_native_work(x):
    spec = ag.TensorSpec((), ag.float32)
    for i in range(3):
        for j in range(5):
            x = x * 0.75 + i * j
        scale = ag.py_function(lambda v: t(float(v.numpy().max())), [x], spec)
        x = x / scale
        if scale > 3:
            print("large", i)
    return x, scale


@program(case(t([1.0, 2.0, 3.0]), t(0.5)), case(t([1.0, -2.0, 3.0]), t(0.5)))
def an_error_that_tells_a_tensor(x, scale):
    total = 0.0
    for i in range(4):
        for j in range(3):
            total = total + ag.sum(x) * scale + j
        if ag.any(x < i - 4):
            raise ValueError("too small in turn", i, x * 2)
        x = x - 0.25
    return total


@program(case(t([1.0, 2.0, 3.0])), case(t([1.0, 2.0])))
def an_error_with_a_tensor_in_its_text(x):
    for i in range(4):
        if ag.sum(x) > 8:
            raise RuntimeError(f"sum of {x} at {i}")
        x = x + 1.0
    return x


@program(case(t([1.0, 2.0, 3.0, 4.0, 5.0]), t(2)), case(t([1.0, 2.0, 3.0]), t(-1)))
def steps_known_only_at_run_time(x, step):
    total = 0.0
    for i in range(3):
        for j in range(4):
            total = total + ag.sum(x[::step]) * j
        x = x + i
    return total, x[1::step]


@program(case(t(2), t([1.0, 2.0])), case(t(0), t([1.0, 2.0])))
def effects_between_calls_of_python(n, x):
    seen = []
    count = ag.zeros((2,))
    for i in range(n):
        count[0] = count[0] + i
        for j in range(3):
            count[1] = count[1] + x[0] * j
        seen.append(i)
        print("so far", seen[-1], len(seen))
        x[1] = x[1] + count[1]
    return seen, count


@program(case(t(6)), case(t(0)))
def breaks_and_returns_around_prints(n):
    total = 0
    for i in range(n):
        for j in range(10):
            total += i * j
            if total > 100:
                break
        else:
            print("whole", i)
            continue
        print("cut", i, total)
        if i > 4:
            return "early", total
    return "late", total


@program(case(np.array([1.0, 2.0])), case(np.array([-1.0, 2.0, 3.0])))
def arrays_that_leave_are_apart(a):
    print("seen")
    zeros = [np.zeros(2) for _ in range(2)]
    if a[0] > 0:
        b = np.ones(2)
    else:
        b = np.full(2, 3.0)
    return zeros, b, a.copy(), a.copy(), np.arange(4.0).reshape(2, 2)
