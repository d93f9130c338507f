"""return, break and continue, anywhere."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t(3.0)), case(t(-3.0)), compiled=True)
def return_in_a_branch(x):
    if x > 0:
        return x * 2
    return x * 3


@program(*(case(t(v)) for v in (-7, -1, 0, 1, 7)))
def returns_in_a_chain(x):
    if x < -5:
        return x - 1
    elif x < 0:
        return x - 2
    if x == 0:
        return x
    x = x + 1
    if x > 5:
        return x * 100
    return x


@program(case(t(3.0)), case(t(-3.0)))
def return_in_else_only(x):
    if x > 0:
        x = x + 1
    else:
        return x
    x = x * 2
    return x


@program(case(t(3.0)), case(t(-3.0)))
def falls_off_the_end_in_one_branch(x):
    if x > 0:
        return x


@program(case(t(3.0)), case(t(-3.0)))
def bare_return(x):
    seen = [x]
    if x > 0:
        return
    seen.append(x)
    return seen


@program(case(t([5, 3, -1, 4])), case(t([1, 2])), case(t([-1])), compiled=True)
def return_in_a_loop(xs):
    for x in xs:
        if x < 0:
            return x
    return t(0)


@program(case(t([5, 3, -1, 4])), case(t([1, 2])), case(t([-1])))
def return_the_index_from_a_loop(xs):
    for i, x in enumerate(xs):
        if x < 0:
            return i
    return None


@program(case(t(10), t(21)), case(t(10), t(1000)), case(t(0), t(1)))
def return_from_two_loops(n, product):
    for i in range(1, n):
        for j in range(i, n):
            if i * j == product:
                return i, j
    return -1, -1


@program(case(t(20)), case(t(0)), case(t(5)))
def break_and_continue(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        if i > 13:
            break
        total += i
    return total


@program(case(t(20)), case(t(0)), case(t(5)))
def continue_in_a_while(n):
    i = 0
    odd = 0
    while i < n:
        i += 1
        if i % 2 == 0:
            continue
        odd += i
    return i, odd


@program(case(t(6)), case(t(0)))
def continue_in_the_inner_loop_break_in_the_outer(n):
    hits = 0
    for i in range(n):
        for j in range(n):
            if j < i:
                continue
            if j == 4:
                break
            hits += 1
        if hits > 8:
            break
    return hits, i


@program(case(t(4)), case(t(40)), case(t(0)))
def return_break_and_continue_in_one_loop(n):
    s = 0
    for i in range(n):
        if i == 2:
            continue
        if s > 100:
            return "big", s
        if i == 30:
            break
        s += i
    return "end", s


@program(case(t(4), t(2)), case(t(4), t(9)), case(t(0), t(0)))
def return_in_loop_else(n, stop):
    for i in range(n):
        if i == stop:
            break
    else:
        return "exhausted"
    return i


@program(case(t(4)), case(t(-4)))
def statements_after_an_exit(x):
    if x > 0:
        y = x + 1
        return y
        y = 100
    z = x - 1
    if z < -3:
        return z * 2
    w = z + x
    return w


@program(case(t(3.0), t(2.0)), case(t(-3.0), t(2.0)), case(t(-3.0), t(-2.0)))
def return_in_a_nested_branch(x, y):
    if x < 0:
        if y > 0:
            return x + y
        x = x * 10
    else:
        y = y + 1
    return x * y


@program(case(t(3), t(3)), case(t(3), t(1)), case(t(0), t(0)))
def return_different_numbers_of_values(n, k):
    if n == k:
        return n
    if n > k:
        return n, k
    return [n, k, 0]


@program(case(t([[1, 2], [3, -4], [5, 6]])), case(t([[1, 2], [3, 4]])))
def break_out_of_rows(m):
    rows = 0
    last = t(0)
    for row in m:
        stop = False
        for x in row:
            last = x
            if x < 0:
                stop = True
                break
        if stop:
            break
        rows += 1
    return rows, last


@program(case(t(5)), case(t(0)))
def unconditional_break(n):
    count = 0
    for i in range(n):
        count += 1
        break
    return count


@program(case(t(5)), case(t(0)))
def unconditional_return_in_a_loop(n):
    for i in range(n):
        return i + 10
    return -1


@program(case(t(5)), case(t(0)))
def unconditional_continue(n):
    count = 0
    for i in range(n):
        count += 1
        continue
    return count


@program(case(t(8.0)), case(t(0.5)), case(t(-1.0)))
def return_in_an_endless_loop(x):
    n = 0
    while True:
        if x <= 1:
            return n, x
        x = x / 2
        n += 1


@program(case(t(3)), case(t(-3)), case(t(0)))
def return_from_helpers(x):
    def sign(v):
        if v > 0:
            return 1
        if v < 0:
            return -1
        return 0

    return sign(x) * 10 + sign(-x)


@program(case(t(7)), case(t(0)))
def flag_loop(n):
    done = False
    i = 0
    while not done:
        if i >= n:
            done = True
        else:
            i += 2
    return i


@program(case(t(3.0)), case(t(-3.0)))
def return_inside_with(x):
    with Quiet():
        if x > 0:
            return x + 1
    return x


@program(case(t(4)), case(t(0)))
def break_inside_with(n):
    s = 0
    for i in range(n):
        with Quiet():
            if i == 2:
                break
            s += i
        s += 10
    return s


class Quiet:
    """A context that does nothing."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


@program(case(t(2)), case(t(9)), case(t(0)))
def state_before_the_break_survives(n):
    a = 0
    b = 100
    for i in range(10):
        a = i
        if i == n:
            b = a * 2
            break
        b = b - 1
    return a, b
