"""Iterators advanced by hand: in plain code, under staged conditions, in staged loops."""

from __future__ import annotations

import itertools
from collections import deque

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray

BOTH = [case(t(2.0)), case(t(-2.0))]
COUNTS = [case(t(n)) for n in (0, 1, 3)]


@program(*BOTH, compiled=True)
def next_under_a_condition(x):
    it = iter([1.0, 2.0, 3.0])
    y = next(it)
    if x > 0:
        y = y + next(it)
    return y * 10 + next(it)


@program(*BOTH, compiled=True)
def next_in_one_branch_of_two(x):
    it = iter((x, x + 1, x * 2))
    if x > 0:
        a = next(it)
    else:
        a = next(it) + next(it)
    return a, next(it)


@program(*COUNTS, compiled=True)
def next_in_a_staged_loop(n):
    it = iter([1, 2, 3, 4])
    total = 0
    for _ in range(n):
        total += next(it)
    return total, next(it)


@program(*(case(t(n)) for n in (0, 2, 3, 5)))
def exhausted_in_a_staged_loop(n):
    it = iter(range(10, 13))
    total = 0
    for _ in range(n):
        total += next(it)
    return total


@program(*(case(t(n)) for n in (0, 2, 3, 5)), compiled=True)
def defaults_at_the_end(n):
    it = iter([1.0, 2.0, 3.0])
    total = 0.0
    while n > 0:
        n = n - 1
        total = total + next(it, 0.5)
    return total


@program(*COUNTS)
def the_rest_after_a_staged_loop(n):
    it = iter([1, 2, 3, 4])
    for _ in range(n):
        next(it)
    rest = 0
    for item in it:
        rest = rest * 10 + item
    return rest, next(it, "over")


@program(*(case(t(v)) for v in (0.5, 1.5, 9.0)), compiled=True)
def left_by_a_staged_break(x):
    it = iter([1.0, 2.0, 3.0])
    seen = 0.0
    for item in it:
        seen = seen + item
        if item > x:
            break
    after = 0.0
    for item in it:
        after = after + item * 10
    return seen, after


@program(case(t([1.0, 2.0, 3.0, 4.0, 5.0])), case([1, 2, 3, 4]), case("abcd"))
def pairwise(xs):
    it = iter(xs)
    first = next(it)
    pairs = [(a, b) for a, b in zip(it, it, strict=False)]
    return first, pairs, next(it, None)


@program(*BOTH)
def rows_of_a_tensor(x):
    rows = iter(ag.stack([x, x + 1, x * 2]))
    total = next(rows)
    for row in rows:
        if row > 1:
            total = total + row
    return total


@program(case(3), case(0), mutate=False)
def plain_values(n):
    it = iter(range(n))
    items = [1, 2]
    growing = iter(items)
    next(growing)
    items.append(3)
    first = list(growing)
    items.append(4)
    return (
        next(it, "none"),
        list(it),
        first,
        list(growing),
        next(iter({"a": 1}.items())),
        list(itertools.islice(iter("abcdef"), 1, 4)),
        list(iter(iter([1, 2]))),
        deque(iter([1, 2, 3]), maxlen=2),
        sum(iter([1, 2])),
        max(iter((3, 1))),
        dict(zip(iter("ab"), iter([1, 2]), strict=True)),
        ",".join(iter(["a", "b"])),
        sorted(iter([2, 1])),
        [a for a, *_ in [iter("xyz")]],
        2 in iter([1, 2]),
    )


@program(*BOTH)
def exhausted_ones_stay_exhausted(x):
    items = [x]
    it = iter(items)
    found = [one for one in it]
    items.append(x + 1)
    return len(found), next(it, None), [one for one in it]


class Countdown:
    """An iterator of the user's: its state is an attribute."""

    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


@program(*BOTH)
def of_the_user(x):
    it = Countdown(4)
    total = x * next(it)
    if x > 0:
        total = total + next(it)
    return total


@program(*BOTH)
def of_the_user_in_a_for(x):
    it = Countdown(5)
    for k in it:
        x = x + k
        if k == 3:
            break
    return x, it.left, list(it), sum(Countdown(3))


@stateful(*BOTH)
def kept_between_calls():
    class Stream:
        def __init__(self):
            self.position = 0

        def __next__(self):
            self.position += 1
            return self.position

    stream = Stream()

    def f(x):
        return x * next(stream)

    return f, stream


@program(*BOTH, refused="StateError", naming=("zip",))
def a_zip_advanced_in_a_branch(x):
    pairs = zip([1.0, 2.0], [3.0, 4.0], strict=True)
    if x > 0:
        a, b = next(pairs)
        x = x + a * b
    return x


@program(*COUNTS, refused="StateError", naming=("enumerate",))
def an_enumerate_advanced_in_a_staged_loop(n):
    numbered = enumerate("abcdef")
    total = 0
    for _ in range(n):
        k, _letter = next(numbered)
        total += k
    return total


@program(*BOTH, mutate=False)
def returned(x):
    return iter([x, x + 1])


@program(*BOTH, refused="StateError", naming=("iterator", "leaves"))
def returned_of_what_a_branch_made(x):
    if x > 0:
        return zip([x * 2], [1])
    return None


@program(*BOTH, refused="StateError", naming=("map", "leaves"))
def returned_after_it_called_back(x):
    found = map(abs, [x, x])
    total = 0.0
    for one in found:
        total = total + one
    return total, found


@program(*COUNTS)
def made_in_a_staged_loop(n):
    total = 0
    for k in range(n):
        it = iter([k, k + 1, k + 2])
        total += next(it)
        if k > 0:
            total += next(it)
        total += next(it) * 100
    return total


class Growing:
    """An iterator of the user's that ends under a condition."""

    def __init__(self, start):
        self.value = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.value > 9 or self.value < -9:
            raise StopIteration
        self.value = self.value * 2 + 1
        return self.value


@program(case(4.0), case(20.0))
def of_the_user_with_an_end(x):
    total = 0.0
    for value in Growing(x):
        total = total + value
    return total, next(Growing(x), "ended")


@program(case(t(4.0)), case(t(0.5)))
def of_the_user_with_a_staged_end(x):
    total = 0.0
    for value in Growing(x):
        total = total + value
    return total


@program(case(2.5), case(0.5))
def accumulated_by_a_function_with_a_branch(x):
    def joined(a, b):
        if a > 1:
            return a + b
        return a * b

    total = 0.0
    for value in itertools.accumulate([x, 1.0, x], joined):
        total += value
    for one, other in itertools.pairwise([x, x + 1, x * 2]):
        total += one * other
    rest = itertools.islice([x, 2.0, x + 5], 1, 3)
    return total, next(rest), list(rest)
