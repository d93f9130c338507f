"""What fails in Python too: its own exceptions, raised by the code that is staged."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import math
import os

from tests.error_programs.registry import one, refused, t, three, two


class Plain:
    def __init__(self, x):
        self.x = x


class Sized:
    def __init__(self, x):
        self.x = x

    def __lt__(self, other):
        return NotImplemented

    def __add__(self, other):
        return NotImplemented


class Truthy:
    def __init__(self, x):
        self.x = x

    def __bool__(self):
        return self.x > 0


class Keys:
    a = "a"


def named(a, b=0, **more):
    return a


@refused(one)
def comparison_that_no_class_knows(x):
    return Sized(x) < Sized(x)


@refused(one)
def sum_that_no_class_knows(x):
    return Sized(x) + 1


@refused(one)
def augmented_assignment_to_an_object(x):
    a = Plain(x)
    a += 1
    return a.x


@refused(one)
def augmented_assignment_to_a_string(x):
    a = "a"
    a -= 1
    return a


@refused(one)
def truth_that_is_a_tensor(x):
    return 1 if Truthy(x) else 0


@refused(one)
def generator_that_raises_stop_iteration(x):
    def parts():
        yield x
        raise StopIteration

    return sum(parts())


@refused(one)
def generator_that_stops_in_a_loop(x):
    def parts():
        yield x
        raise StopIteration

    total = 0.0
    for p in parts():
        total += p
    return total


@refused(one)
def asdict_of_no_dataclass(x):
    return dataclasses.asdict({"x": x})


@refused(one)
def missing_environment_variable(x):
    return x if os.environ["NO_SUCH_NAME_AT_ALL"] else x


@refused(one)
def generator_over_a_scalar(x):
    return sum(v for v in x)


@refused(one)
def iterator_of_a_scalar(x):
    return next(iter(x))


@refused(one)
def too_few_of_a_generator(x):
    a, b = (x for _ in range(1))
    return a


@refused(one)
def too_many_of_a_generator(x):
    a, b = (x for _ in range(3))
    return a + b


@refused(one)
def too_few_in_one_of_two_lists(x):
    a, b = [x] if x > 0 else [x, x]
    return a


@refused(one)
def except_without_a_class(x):
    try:
        raise ValueError("a")
    except 3:
        return x


@refused(one)
def manager_that_yields_twice(x):
    @contextlib.contextmanager
    def twice():
        yield 1
        yield 2

    with twice():
        x = x + 1
    return x


@refused(one)
def manager_that_does_not_yield(x):
    @contextlib.contextmanager
    def none():
        if x < 0:
            yield 1

    with none():
        x = x + 1
    return x


@refused(one)
def divisor_of_floats(x):
    return math.gcd(float(x), 3)


@refused(one)
def combinations_of_a_float_tensor(x):
    return math.comb(x, 2)


@refused(lambda: t(0))
def zero_to_a_negative_power(n):
    return int(n) ** -1


@refused(three)
def power_beyond_64_bits(n):
    return int(n) ** 100


@refused(three)
def shift_beyond_64_bits(n):
    return int(n) << 70


@refused(one)
def name_given_twice_by_stars(x):
    return named(x, b=1, **{"b": 2})


@refused(one)
def name_given_twice_by_one_of_two_dicts(x):
    table = {"b": 1} if x > 0 else {"c": 2}
    return named(x, b=3, **table)


@refused(one)
def stars_before_a_list(x):
    return named(x, **[1])


@refused(one)
def reduction_of_nothing(x):
    return functools.reduce(lambda a, b: a + b, []) + x


@refused(three)
def dict_without_a_default(n):
    table = collections.defaultdict(None, {"a": n})
    return table["b"]


@refused(one)
def pattern_key_twice(x):
    match {"a": x, "b": x}:
        case {"a": y, Keys.a: z}:
            return y + z
    return x


@refused(one)
def stars_before_a_number_in_a_display(x):
    return {"a": x, **3}


@refused(one)
def stars_before_a_list_among_others(x):
    return named(x, b=1, **[1])


@refused(one)
def names_given_twice_by_two_stars(x):
    return named(x, **{"b": 1}, **{"b": 2})


@refused(one)
def sum_of_strings(x):
    return sum([x], "a")


@refused(one)
def inversion_of_a_float(x):
    return ~float(x)


@refused(two, lambda: t([1.0, 2.0, 3.0]))
def sizes_that_only_the_run_tells(x, y):
    return x[x > 0] + y


@refused(one)
def generator_that_raises_what_it_is_given(x):
    def parts(kind):
        yield x
        raise kind("inside")

    total = 0.0
    for part in parts(StopIteration):
        total += part
    return total


def positive_ones(x):
    if x > 0:
        yield x
    if x > 1:
        yield x * 2
    return 7


@refused(one)
def item_of_a_generator_that_ends(x):
    items = positive_ones(x)
    return next(items) + next(items) + next(items)


@refused(one)
def sent_before_the_generator_starts(x):
    items, others = positive_ones(x), positive_ones(x)
    first = next(items) + next(items, 0)
    return first, others.send(x)


def stopping(x):
    if x > 0:
        yield x
    raise StopIteration


@refused(one)
def stop_iteration_in_a_generator_that_goes_on(x):
    items = stopping(x)
    return next(items) + next(items)


@refused(one)
def number_unpacked_by_a_star(x):
    first, *rest = int(x)
    return first, rest


@refused(one)
def hexadecimal_of_a_float(x):
    return hex(x.item())
