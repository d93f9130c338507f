"""What is refused or fails: what depends on which object something is, or on its hidden parts."""

from __future__ import annotations

import copy
import functools
import re

import numpy as np

import autograph as ag
from tests.error_programs.registry import fails, refused, t, three

OUTER = ag.GradientTape()
BYTES = bytearray(b"abc")


class Plain:
    def who(self):
        return 1


class Other:
    def who(self):
        return 2


class Reduced:
    def __reduce__(self):
        return (Reduced, ())


class StateInPairs:
    def __getstate__(self):
        return [1, 2]


@refused(np.arange(4.0), three)
def view_after_a_branch(values, n):
    a = values[1:]
    b = a if n > 0 else values[:2]
    return b is a


@refused(three)
def tuple_after_a_branch(n):
    a = (1, 2)
    b = a if n > 0 else (3, 4)
    return b is a


@refused(three)
def exceptions_under_three_conditions(n):
    errors = []
    if n > 0:
        errors.append(ValueError("a"))
    if n > 1:
        errors.append(ValueError("b"))
    if n > 2:
        errors.append(ValueError("c"))
    return [str(one) for one in errors]


@refused(three)
def cause_on_one_path(n):
    error = ValueError("a")
    if n > 0:
        error.__cause__ = KeyError("k")
    return error.__cause__


@refused(three)
def set_of_tensors_that_leaves(n):
    return {n * 2}


@refused(three)
def bytes_of_before(n):
    BYTES[0] = 65
    return n


@refused(three)
def bytes_that_leave(n):
    return bytearray([1])


@refused(three)
def class_of_an_object(n):
    one = Plain()
    if n > 0:
        one.__class__ = Other
    return one.who()


@refused(three)
def copy_by_reduction(n):
    return copy.copy(Reduced())


@refused(three)
def copy_by_state_in_pairs(n):
    return copy.copy(StateInPairs())


@refused(three)
def copy_of_two_that_may_be_one(n):
    x = ag.ones((2,))
    y = x if n > 0 else x + 1
    return copy.deepcopy([x, y])


@refused(three)
def copy_of_what_is_elsewhere_too(n):
    inner = [1]
    one = inner if n > 0 else (1, 2)
    return copy.deepcopy([one, inner])


@refused(three)
def copy_of_items_that_may_be_one(n):
    items = [[n * 1]]
    for _ in range(n):
        items.append([n])
    copies = copy.deepcopy([items[0], items[n]])
    copies[0].append(n)
    return copies


@refused(three)
def tape_of_outside(n):
    with OUTER:
        return n * 1.0


@refused(three)
def variables_watched_in_a_branch(n):
    v = ag.Variable(1.0)
    with ag.GradientTape() as tape:
        y = v * 2 if n > 0 else n * 1.0
    return y, tape.watched_variables()


@refused(three)
def source_that_a_branch_has_used(n):
    x = n * 1.0
    with ag.GradientTape() as tape:
        tape.watch(x)
        if n > 0:
            h = x * 5
            y = h * h
        else:
            h = x * 2
            y = h * h * h
    return tape.gradient(y, h)


@refused(three)
def callback_of_a_substitution(n):
    return re.sub("a", lambda found: "+" if n > 0 else "-", "banana")


class Counted:
    number = 0


@refused(three)
def recomputed_that_counts(n):
    @ag.recompute
    def double(x):
        Counted.number += 1
        return x * 2

    return double(n * 1.0)


@ag.custom_gradient
def doubled(x):
    def back(g):
        if x < 0:
            raise ValueError("below")
        return g * 2

    return x * 2, back


@refused(three)
def gradient_function_that_raises_in_a_try(n):
    try:
        return ag.grad(doubled)(n * 1.0)
    except ValueError:
        return n * 1.0


@refused(three)
def partials_under_three_conditions(n):
    made = []
    if n > 0:
        made.append(functools.partial(max, 0))
    if n > 1:
        made.append(functools.partial(max, 1))
    if n > 2:
        made.append(functools.partial(max, 2))
    return [one(1) for one in made]


def nested(n):
    return None if n <= 0 else (nested(n - 1), n, nested(n - 1))


@refused(three)
def tuples_that_nest(n):
    return nested(n)[1]


@refused(lambda: t(2))
def list_that_is_teed(n):
    import itertools

    items = [i for i in range(n)]
    first, second = itertools.tee(items)
    return list(first), list(second)


@refused(three)
def gradient_twice_by_a_loop(n):
    x = n * 1.0
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    g = x
    if n > 0:
        g = tape.gradient(y, x)
    return g + tape.gradient(y, x)


@refused(three)
def cause_of_several(n):
    last = None
    try:
        if n > 0:
            raise KeyError("k")
    except KeyError as error:
        last = error
    raise RuntimeError("gave up") from last


@refused(three)
def exception_of_several(n):
    found = ValueError("a") if n > 0 else TypeError("b")
    raise found


@ag.function
def two_results(x):
    h = x * 2
    return h, h * h


@fails(lambda: t(2.0))
def source_that_a_staged_call_has_used(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        h, s = two_results(x)
    return tape.gradient(s, h)


@refused(three)
def tape_that_leaves_a_branch(n):
    tape = ag.GradientTape()
    x = n * 1.0
    y = x
    if n > 0:
        with tape:
            tape.watch(x)
            y = x * x
    return tape.gradient(y, x)
