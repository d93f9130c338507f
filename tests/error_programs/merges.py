"""What is refused or fails: values of which a staged condition leaves one of several."""

from __future__ import annotations

import collections
import struct

import autograph as ag
from tests.error_programs.registry import fails, one, refused, three


@refused(one)
def dict_of_several_grows(x):
    table = {"a": x, "b": x + 1} if x > 0 else {"a": x * 2, "b": x * 3}
    for key in table:
        table[key + "!"] = x
    return table


@refused(three)
def slice_of_bytes(n):
    return b"abcdef"[: int(n)]


@refused(three)
def grown_list_packed(n):
    items = []
    for i in range(n):
        items.append(i)
    return struct.pack("3i", *items)


@refused(three)
def text_of_a_counter(n):
    counts = collections.defaultdict(lambda: 0)
    counts["a"] = int(n)
    return f"{counts}"


@refused(one)
def changed_by_what_is_called_back(x):
    kept = []
    kept.append(1)
    ag.py_function(lambda: kept.append(2), [])
    return x, kept


WEIGHT = ag.Variable(0.0)


class Holder:
    def __init__(self, value):
        self.value = value


def changes_the_weight():
    globals()["WEIGHT"].assign(3.0)


@refused(one)
def variable_changed_by_what_is_called_back(x):
    ag.py_function(changes_the_weight, [])
    return WEIGHT + x


@refused(lambda: ag.ones((3, 4)))
def split_of_unknown_size(x):
    k = int(ag.sum(x))
    return ag.split(ag.ones((k,)), 3)


def doubled(x):
    @ag.custom_gradient
    def f(items):
        return ag.stack(items), lambda g: [g]

    return f


@refused(three)
def grown_list_with_a_gradient_of_its_own(n):
    items = []
    for i in range(n):
        items.append(ag.asarray(1.0) * i)
    return doubled(n)(items)


@refused(one)
def decorator_that_is_one_of_two(x):
    chosen = (lambda f: f) if x > 0 else (lambda f: lambda y: 2 * y)

    @chosen
    def same(y):
        return y

    return same(x)


@refused(one)
def list_of_two_that_is_gone_over_and_changed(x):
    a, b = [1, 2], [3, 4]
    chosen = a if x > 0 else b
    total = 0
    for place, value in enumerate(chosen):
        total += value
        if place == 0:
            b.pop()
    return total


@refused(three)
def strings_of_strings_in_a_dict(n):
    table = {}
    for i in range(n):
        table[i % 2] = table.get(i % 2, "") + f"{i / 2}."
    return table


@refused(three)
def last_function_in_a_list_too(n):
    last, kept = (lambda: 0), []
    for i in range(n):

        def step(i=i):
            return i + 1

        last = step
        kept.append(last)
    return [one() for one in kept], last()


@refused(three)
def functions_that_share_a_variable_by_turns(n):
    def both(value):
        def get():
            return value

        def put(other):
            nonlocal value
            value = other

        return get, put

    get, put = both(0)
    for i in range(n):
        get, put = both(i)
    put(get() + 1)
    return get()


@refused(three)
def tuples_that_grow_in_a_list(n):
    prefixes = [()]
    for i in range(n):
        prefixes.append((*prefixes[-1], i))
    return prefixes


@refused(three)
def word_of_a_long_list(n):
    words = [f"w{k}" for k in range(1200)]
    return words[n]


@fails(three)
def tensors_at_no_place(n):
    items = [n, n + 1]
    items[n] = n * 2
    return items


@refused(three)
def pairs_of_what_may_be_pairs(n):
    found = [0] * n
    numbers = list(range(n))
    found.append(numbers)
    found.append([(one, one) for one in numbers])
    return found
