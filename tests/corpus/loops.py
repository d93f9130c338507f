"""while and for over numbers: state, nesting, else, widening."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t(27)), case(t(1)), case(t(6)), case(27), compiled=True)
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
        if steps > 200:
            break
    return steps


@program(case(t(5)), case(t(0)), case(t(-2)), case(5))
def countdown(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total


@program(case(t(2.0)), case(t(10.0)), compiled=True)
def newton_square_root(x):
    guess = x
    for _ in range(20):
        better = 0.5 * (guess + x / guess)
        if abs(better - guess) < 1e-6:
            break
        guess = better
    return guess


@program(case(t(48), t(36)), case(t(7), t(0)), case(t(17), t(5)), compiled=True)
def greatest_common_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


@program(case(t(10)), case(t(0)), case(t(1)), compiled=True)
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program(case(t(3.0), t(10)), case(t(2.0), t(0)), case(t(2), t(13)))
def power_by_squaring(x, n):
    result = 1
    while n > 0:
        if n & 1:
            result = result * x
        x = x * x
        n >>= 1
    return result


@program(case(t(4), t(3)), case(t(0), t(3)), case(t(3), t(0)), compiled=True)
def nested_for(n, m):
    total = 0
    for i in range(n):
        for j in range(m):
            total += i * j + 1
    return total


@program(case(t(5)), case(t(0)), case(5))
def triangular_nest(n):
    rows = 0
    cells = 0
    for i in range(n):
        rows += 1
        j = 0
        while j < i:
            cells += 1
            j += 1
    return rows, cells


@program(case(t(10), t(3)), case(t(10), t(30)), case(t(0), t(3)))
def while_else(n, stop):
    i = 0
    while i < n:
        if i == stop:
            break
        i += 1
    else:
        return -1, i
    return i, n


@program(case(t(10), t(3)), case(t(10), t(30)), case(t(0), t(3)))
def for_else(n, stop):
    found = "unset"
    for i in range(n):
        if i == stop:
            found = "yes"
            break
    else:
        found = "no"
    return found


@program(case(t(5)), case(t(0)), case(t(1)))
def loop_variable_after_the_loop(n):
    i = -1
    for i in range(n):
        pass
    return i


@program(case(t(5)), case(t(0)))
def loop_variable_after_no_turn(n):
    for i in range(n):
        pass
    return i


@program(case(t(5)), case(t(0)))
def first_assigned_in_the_loop(n):
    for i in range(n):
        last = i * 2.0
    return last


@program(case(t(6)), case(t(0)))
def assigned_in_every_turn_before_use(n):
    total = 0
    for i in range(n):
        square = i * i
        square += 1
        total += square
    return total


@program(case(t(5)), case(t(0)))
def body_rebinds_its_loop_variable(n):
    seen = 0
    for i in range(n):
        i = i * 10
        seen += i
    return seen


@program(case(t(0.1), t(7)), case(t(0.1), t(0)), case(0.1, t(7)))
def python_float_state(step, n):
    s = 0.0
    for _ in range(n):
        s += 0.1
    return s, s + step


@program(case(t(2.0), t(4)), case(t(2.0), t(0)), case(t(2), t(4)))
def number_that_becomes_a_tensor(x, n):
    s = 0
    for _ in range(n):
        s = s + x
    return s


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(0)))
def number_that_becomes_a_vector(x, n):
    s = 0.0
    for _ in range(n):
        s = s + x
    return s


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(0)))
def none_that_becomes_a_tensor(x, n):
    best = None
    for i in range(n):
        candidate = x * i
        if best is None:
            best = candidate
        else:
            best = ag.maximum(best, candidate)
    return best


@program(case(t([1.0]), t(4)), case(t([1.0, 2.0]), t(0)))
def shape_that_grows(x, n):
    for i in range(n):
        x = ag.concat([x, x[:1] + i])
    return x, x.shape[0]


@program(case(t([8.0, 7.0, 6.0, 5.0])), case(t([1.0])))
def shape_that_shrinks(x):
    turns = 0
    while x.sum() > 9:
        x = x[1:]
        turns += 1
    return turns, x


@program(case(t(3)), case(t(100)), case(t(0)))
def endless_with_break(n):
    i = 0
    while True:
        if i * i >= n:
            break
        i += 1
    return i


@program(case(t(9.0)), case(t(0.5)))
def walrus_in_the_loop_test(x):
    turns = 0
    while (y := x / 2) > 1:
        x = y
        turns += 1
    return turns, x, y


@program(case(t(6)), case(t(0)), case(t(-3)))
def walrus_in_the_loop_test_read_in_the_else(n):
    i = 1
    w = 0
    while w < (i := n % 61) % 4 and n > 0:
        w += 1
    else:
        k = i + 1
    return k, w


@program(case(t(3), t(4)), case(t(30), t(4)))
def test_of_two_conditions(n, limit):
    i = 0
    while i < n and i < limit:
        i += 1
    return i


@program(case(t(0.25)), case(t(-0.75)), case(t(0.3)))
def escape_time(c):
    z = c * 0
    n = 0
    while abs(z) <= 2 and n < 30:
        z = z * z + c
        n += 1
    return n


@program(case(t(250, dtype=ag.uint8), t(10)), case(t(0, dtype=ag.uint8), t(3)))
def small_integers_wrap(x, n):
    for _ in range(n):
        x = x + 1
    return x


@program(case(t(5, dtype=ag.int32)), case(t(5, dtype=ag.int8)), case(t(5, dtype=ag.uint16)))
def bound_of_another_dtype(n):
    total = 0
    for i in range(n):
        total += i
    return total


@program(case(t([3.0, -1.0, 4.0])), case(t([1.0])))
def invariants_are_read_only(weights):
    scale = weights.sum()
    offset = 3
    x = weights * 0
    i = 0
    while i < scale:
        x = x + weights * offset
        i += 1
    return x, scale, offset


@program(case(t(3)), case(t(0)))
def swapped_state(n):
    a, b, c = 1, 2, 3
    for _ in range(n):
        a, b, c = b, c, a
    return a, b, c


@program(case(t(1.0), t(2.0), t(3)), case(t(1.0), t(2.0), t(0)), case(t(1.0), t(2.0), t(2)))
def swapped_tensors(a, b, n):
    for _ in range(n):
        a, b = b, a
    return a, b


@program(case(t(4)), case(t(0)))
def loop_in_a_branch_in_a_loop(n):
    evens = 0
    odds = 0
    for i in range(n):
        if i % 2 == 0:
            for j in range(i):
                evens += j + 1
        else:
            k = i
            while k > 0:
                odds += k
                k -= 2
    return evens, odds


@program(case(t(3), 4), case(t(0), 4), case(t(3), 0))
def python_loop_in_a_staged_loop(n, m):
    total = 0.5
    for i in range(n):
        for j in range(m):
            total += i * j
    return total


@program(case(4, t(1)), case(4, t(3)), case(4, t(9)), case(0, t(1)))
def python_range_with_tensor_break(n, stop):
    last = -1
    for i in range(n):
        if i == stop:
            break
        last = i
    return last


@program(case(t(7)), case(t(0)))
def two_loops_share_a_variable(n):
    s = 0
    for i in range(n):
        s += i
    for i in range(3):
        s = s * 2 + i
    while s > 50:
        s -= i + 7
    return s, i


@program(case(t(3)), case(t(0)))
def state_that_never_changes_kind(n):
    flag = False
    count = 0
    ratio = 1.0
    for _ in range(n):
        flag = not flag
        count = count + 1
        ratio = ratio / 2
    return flag, count, ratio


@program(case(t(5)), case(t(0)))
def int_state_that_becomes_float(n):
    x = 1
    for _ in range(n):
        x = x / 2
    return x


@program(case(t(40)), case(t(7)), case(t(2)))
def nested_loop_with_breaks(n):
    primes = 0
    for k in range(2, n):
        for d in range(2, k):
            if d * d > k:
                primes += 1
                break
            if k % d == 0:
                break
        else:
            primes += 1
    return primes


@program(case(t(5.0)), case(t(-5.0)))
def condition_depends_on_an_inner_loop(x):
    turns = 0
    going = x > 0
    while going:
        y = x
        while y > 1:
            y = y / 2
        x = x - y
        turns += 1
        going = x > 1
    return turns, x
