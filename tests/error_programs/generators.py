"""What is refused or fails: generators and iterators."""

from __future__ import annotations

import contextlib
import csv
import itertools

import autograph as ag
from tests.error_programs.registry import one, refused, three

KEPT = iter([1.0, 2.0])
ITEMS = [1.0, 2.0]


class Doubling:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        return self

    def __next__(self):
        if self.x > 9:
            raise StopIteration
        self.x = self.x * 2
        return self.x


@refused(one)
def end_of_an_iterator_of_ones_own(x):
    return list(zip(Doubling(x), [1.0, 2.0], strict=True))


@refused(one)
def iterator_from_outside(x):
    return x + next(KEPT)


@refused(one)
def loop_over_an_iterator_from_outside(x):
    for v in KEPT:
        x = x + v
    return x


@refused(one)
def iterator_advanced_in_a_branch(x):
    pairs = zip([1.0, 2.0], [3.0, 4.0])
    return next(pairs)[0] if x > 0 else 3.0


@refused(one)
def generator_returned(x):
    found = (x * k for k in range(3))
    next(found)
    return found


@refused(one)
def iterator_returned(x):
    found = map(abs, [x])
    next(found)
    return found


@refused(one)
def iterator_of_a_branch_returned(x):
    if x > 0:
        return zip([x * 2], [1])
    return None


@refused(one)
def iterator_gone_over_returned(x):
    found = enumerate(x * ag.ones((2,)))
    for _, item in found:
        x = x + item
    return x, found


@refused(one)
def left_with_a_context_around(x):
    def parts():
        with contextlib.nullcontext():
            yield x
            yield x * 2

    for part in parts():
        if part > 0:
            return part


@refused(one)
def yield_where_it_may_not_be_reached(x):
    def parts():
        y = x if x > 0 else (yield x)
        yield y

    return sum(parts())


@refused(one)
def map_of_one_of_two_functions(x):
    values = map(abs if x > 0 else round, [x, 2.5])
    return next(values)


@refused(one)
def iterator_advanced_in_a_for_statement_of_a_branch(x):
    pairs = zip([1.0, 2.0], [3.0, 4.0], strict=True)
    if x > 0:
        for a, b in pairs:
            x = x + a * b
    return x


READER = csv.reader(["1,2", "3,4"])


@refused(one)
def reader_from_outside(x):
    for row in READER:
        x = x + len(row)
    return x


def closing(x, log):
    try:
        if x > 0:
            yield x
        yield -x
    finally:
        log.append(1)


@refused(one)
def next_twice_of_one_that_is_closed(x):
    items = closing(x, [])
    return next(items) + next(items)


@refused(one)
def zip_of_those_that_are_closed(x):
    return sum(a + b for a, b in zip(closing(x, []), closing(-x, [])))


@refused(one)
def gone_on_with_after_a_loop_that_was_left(x):
    squares = closing(x, [])
    for square in squares:
        if square > 2 * x:
            break
    return square, sum(squares)


@refused(one)
def stopped_in_a_generator_with_a_context(x):
    def giving():
        with contextlib.nullcontext():
            if x > 0:
                raise StopIteration
            yield x

    return next(giving())


@refused(one)
def generator_that_asks_itself(x):
    def giving():
        if x > 0:
            yield x
        yield next(items)

    items = giving()
    return next(items) + next(items)


def positive(x):
    while x > 0:
        if x > 2:
            yield x
        x = x - 1


@refused(one)
def number_thrown_into_a_generator(x):
    items = positive(x)
    return next(items, x) + items.throw(3)


@refused(one)
def exception_thrown_with_a_value(x):
    items = positive(x)
    return next(items, x) + items.throw(ValueError("a"), "b")


def compositions(n):
    if n == 0:
        yield []
    for first in range(1, n + 1):
        for rest in compositions(n - first):
            yield [first, *rest]


@refused(three)
def generator_that_goes_over_itself(n):
    return list(compositions(n))


def _numbers():
    return (k for k in range(3))


@refused(one, _numbers)
def generator_that_is_not_gone_through(x, items):
    return x * next(items)


@refused(one, lambda: iter(ITEMS))
def iterator_over_what_is_changed(x, items):
    ITEMS.reverse()
    return x * next(items)


@refused(one, itertools.count)
def iterator_without_end(x, items):
    for k in items:
        x = x + k
    return x


@refused(one, lambda: iter([1, 2]))
def iterator_that_is_given_back(x, items):
    return x * next(items), items
