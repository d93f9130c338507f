"""What is refused or fails: iteration."""

from __future__ import annotations

import contextlib
import functools
import itertools

from tests.error_programs.registry import one, refused, three, two


@refused(two)
def too_many_to_unpack(x):
    (a,) = x
    return a


@refused(two)
def too_few_to_unpack(x):
    a, b, c = x
    return a


@refused(two)
def too_few_for_a_star(x):
    a, b, c, *d = x
    return a


@refused(one)
def iteration_of_scalar(x):
    return [i for i in x]


@refused(one)
def length_of_scalar(x):
    return len(x)


@refused(two)
def range_of_float(x):
    return [i for i in range(x[0])]


@refused(two)
def range_of_floats(x):
    return [i for i in range(float(x[0]))]


@refused(three)
def range_without_step(n):
    return [i for i in range(0, n, 0)]


@refused(three)
def double_star_of_staged_keys(n):
    options = {}
    for i in range(n):
        options[i] = i
    return dict(**options)


@refused(three)
def max_of_nothing(n):
    return max([i for i in range(n - n)])


@refused(three)
def reduce_of_nothing(n):
    return functools.reduce(lambda a, b: a + b, [i for i in range(n - n)])


def grown(x):
    items = [x]
    if x > 0:
        items.append(x + 1)
    return items


@refused(one)
def copies_of_what_a_branch_grew(x):
    items = [1, 3]
    if x > 0:
        items.append(2)
    return [list(one) for one in itertools.tee(items)]


@refused(one)
def groups_without_end(x):
    return [key for key, _ in itertools.groupby(itertools.count())]


@refused(one)
def strict_zip_of_a_staged_length(x):
    total = 0
    for k, item in zip(range(int(x)), [1, 2, 3], strict=True):
        total += k * item
    return total


@refused(one)
def stack_given_a_context_in_a_branch(x):
    with contextlib.ExitStack() as stack:
        if x > 3:
            stack.enter_context(contextlib.nullcontext())
        return x
