"""Functions that call themselves: plain ones, decorated ones, over tensors and over structures."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


def factorial(n):
    if n <= 1:
        return n * 0 + 1
    return n * factorial(n - 1)


program(case(t(5)), case(t(1)), case(t(0)), compiled=True)(factorial)


@program(case(t(9)), case(t(0)), compiled=True)
def fibonacci_by_recursion(n):
    def fib(k):
        if k < 2:
            return k
        return fib(k - 1) + fib(k - 2)

    return fib(n)


@program(case(t(10)), case(t(7)), case(t(0)))
def mutual_recursion(n):
    def even(k):
        if k == 0:
            return True
        return odd(k - 1)

    def odd(k):
        if k == 0:
            return False
        return even(k - 1)

    return even(n), odd(n)


@program(case(t(6), t(4)), case(t(0), t(3)))
def greatest_common_divisor(a, b):
    def gcd(x, y):
        if y == 0:
            return x
        return gcd(y, x % y)

    return gcd(a, b)


@program(case(t(2), t(2)), case(t(0), t(2)), case(t(1), t(1)), vary=False)
def ackermann(m, n):
    def a(i, j):
        if i == 0:
            return j + 1
        if j == 0:
            return a(i - 1, j + 1)
        return a(i - 1, a(i, j - 1))

    return a(m, n)


@program(case(t(6)), case(t(0)))
def depth_is_a_python_number(n):
    def descend(k, depth=0):
        if k <= 0:
            return depth
        return descend(k - 2, depth + 1)

    return descend(n), descend(n, 10)


# A binary tree in index arrays: node i has the children left[i] and right[i], -1 for none.
_left = t([1, 3, -1, -1, -1])
_right = t([2, 4, -1, -1, -1])
_value = t([1.0, 2.0, 3.0, 4.0, 5.0])


@program(
    case(_left, _right, _value, t(0)),
    case(_left, _right, _value * 3, t(1)),
    vary=False,
    compiled=True,
)
def tree_sum(left, right, value, root):
    def total(i):
        if i < 0:
            return value[0] * 0
        return value[i] + total(left[i]) * 0.5 + total(right[i])

    return total(root)


@program(
    case(_left, _right, _value, t(0)),
    case(_left, _right, _value * 3, t(3)),
    vary=False,
    ulps=32,
)
def gradient_of_a_tree(left, right, value, root):
    def total(i):
        if left[i] < 0:
            return ag.tanh(value[i])
        return ag.tanh(value[i] * total(left[i]) + total(right[i]))

    with ag.GradientTape() as tape:
        tape.watch(value)
        y = total(root)
    return y, tape.gradient(y, value)


@program(case([1, [2, [3, 4]], 5], t(2.0)), case([], t(2.0)))
def recursion_over_python_structure(tree, x):
    def walk(node):
        if isinstance(node, list):
            total = 0
            for child in node:
                total = total + walk(child)
            return total
        return x * node

    return walk(tree)


@program(case(t(4)), case(t(0)))
def recursion_with_a_loop_inside(n):
    def f(k):
        if k == 0:
            return k + 1
        total = 0
        for i in range(k):
            total = total + i
        return total + f(k - 1)

    return f(n)


@program(case(t(4)), case(t(0)))
def loop_around_recursion(n):
    def f(k):
        if k <= 1:
            return 1
        return 2 * f(k - 1)

    total = 0
    for i in range(n):
        total += f(i)
    return total


@program(case(t(3)), case(t(0)))
def recursion_that_writes_state(n):
    calls = 0

    def f(k):
        nonlocal calls
        calls += 1
        if k > 0:
            f(k - 1)
            f(k - 1)

    f(n)
    return calls


@program(case(t(3)), case(t(0)))
def recursion_that_fills_a_list(n):
    out = []

    def hanoi(k, a, b, c):
        if k > 0:
            hanoi(k - 1, a, c, b)
            out.append(a * 10 + c)
            hanoi(k - 1, b, a, c)

    hanoi(n, 1, 2, 3)
    return out


@program(case(t(3)), case(t(-1)))
def recursion_that_raises(n):
    def f(k):
        if k < 0:
            raise ValueError("below zero")
        if k == 0:
            return k
        return f(k - 1)

    return f(n)


@program(case(t(3.0)), case(t(0.0)))
def recursion_returns_a_tuple(x):
    def f(v, depth):
        if v < 1:
            return v, depth
        a, b = f(v / 2, depth + 1)
        return a + 1, b

    return f(x, 0)


@program(case(t(3)), case(t(0)))
def recursion_in_a_lambda(n):
    f = lambda k: 1 if k <= 0 else f(k - 1) + k
    return f(n)


@program(case(t(4), t([1.0, 2.0, 3.0])), case(t(0), t([1.0, 2.0, 3.0])))
def arrays_that_go_in_and_come_out(n, x):
    def walk(k, total, last):
        if k <= 0:
            return last, total
        more = total + x * k
        a, b = walk(k - 1, more, x * k)
        c, d = walk(k - 2, b, more)
        return c + a, d + total * 0.5

    kept = x * 2
    a, b = walk(int(n), kept, kept)
    return a * 1, b * 1, kept


class TooDeep(Exception):
    """Raised by the innermost call."""


@program(case(t(5), t(1.0)), case(t(0), t(2.0)), case(t(-12), t(-30.0)))
def raises_through_its_own_handlers(n, x):
    def down(depth, y):
        if depth <= 0:
            if y > 0:
                raise TooDeep(depth)
            return y
        try:
            return down(depth - 1, y + 1) * 0.5
        except KeyError:
            return y
        finally:
            log.append(depth)

    log, gone = [], None
    if n > 0:
        gone = x * 2
    try:
        return down(2, x if gone is None else gone), log
    except TooDeep as error:
        return error.args, log


@program(case(t(5)), case(t(0)), case(t(-2)), case(t(12)))
def lists_put_right_by_finally(n):
    path, seen, busy = [], {}, []

    def go(k):
        path.append(k)
        try:
            if k > 9:
                raise TooDeep(k)
            return go(k - 1) + len(path) if k > 0 else 0
        finally:
            path.pop()

    def get(k):
        if k in busy:
            return -1
        busy.append(k)
        seen[k] = len(busy)
        try:
            return k if k > 3 else get((k * 2 + 1) % 5) + 1
        finally:
            busy.pop()
            del seen[k]

    try:
        total = go(n)
    except TooDeep as error:
        total = error.args[0]
    return total, path, get(int(n) % 4), seen, busy


@program(case(t(3), t(4)), case(t(0), t(2)), case(t(4), t(3)))
def recursion_that_changes_a_copy_of_a_list(n, m):
    def last(n, xs):
        if n <= 0:
            ys = list(xs)
            ys.pop()
            return len(ys) + sum(ys)
        return last(n - 1, xs) + last(n - 2, xs) + len(xs)

    def grown(n, xs):
        if n <= 0:
            ys = [*xs, 3]
            while len(ys) > 2:
                ys.pop()
            return sum(ys)
        ys = [*xs, 1]
        return grown(n - 1, xs) + grown(n - 2, ys) + grown(n - 1, ys[:1]) + len(xs)

    xs = []
    for i in range(m):
        xs.append(i)
    return last(n, xs), len(xs), grown(n, xs), xs


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(1)))
def recursion_whose_dtype_depends_on_its_depth(p, n):
    def loss(p, n):
        return ag.sum(ag.sin(p)) / n + loss(p * 0.5, n - 1) if n > 1 else ag.sum(p)

    return ag.grad(loss)(p, n)


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(0)))
def gradient_of_a_recursion_over_a_list(p, n):
    def go(h, n, acc):
        if n == 0:
            return acc
        acc.append(ag.sum(h) / n)
        return go(ag.sin(h), n - 1, acc)

    return ag.grad(lambda p: sum(go(p, n, [ag.sum(p)])))(p)


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def endless(n):
    return endless(n + 1)


@program(case(t(1.0)), case(t(-1.0)))
def three_hundred_known_calls(x):
    found = -1
    try:
        if x > 0:
            found = depth(300)
    except RecursionError:
        found = -2
    return found, depth(250) + x


@program(case(t(1.0)), case(t(-1.0)))
def more_calls_than_python_has_room_for(x):
    try:
        found = endless(0) if x > 0 else x
    except RecursionError as error:
        found = x - 1
        assert str(error).startswith("maximum recursion depth exceeded")
    return found


def sines(x, y, k):
    return y if k == 0 else sines(x, ag.sin(y) + x[0], k - 1)


@program(case(t([0.5, 0.25])))
def unrolled_two_hundred_times(x):
    return sines(x, x, 200)


class Descending:
    """An iterator that asks a recursive method for each item."""

    def __init__(self, x, count):
        self.x, self.count, self.given = x, count, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.given == self.count:
            raise StopIteration
        self.given += 1
        return self.down(self.given, self.x)

    def down(self, step, x):
        if x > 5:
            return x
        return self.down(step, x + step)


@program(case(t(1.0)), case(t(7.0)))
def items_that_a_recursion_makes(x):
    items = Descending(x, 3)
    return list(Descending(x, 3)), sum(Descending(x, 2)), next(items), next(items)
