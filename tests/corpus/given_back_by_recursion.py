"""Recursive functions that give back what they are given: the very object, also when it changes."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
VALUES = np.arange(1.0, 6.0)
TURNS = tuple(case(VALUES, t(n)) for n in (0, 1, 3, 4))


class Link:
    """A link of a chain."""

    def __init__(self, value, following=None):
        self.value = value
        self.following = following


@program(*TURNS, compiled=True)
def one_of_two_arrays(a, n):
    def turns(n, one, other):
        if n == 0:
            return one
        return turns(n - 1, other, one)

    b = a * 2
    found = turns(n, a, b)
    found += 100
    return b, found, found is a, found is b


@program(*TURNS, compiled=True)
def an_array_that_is_changed_afterwards(a, n):
    def scaled(values, n):
        if n == 0:
            return values
        return scaled(values * 2 if n % 2 else values, n - 1)

    b = a + 1
    found = scaled(b, n)
    b += 100
    return b, found


@program(*TURNS, compiled=True)
def slices_of_slices(a, n):
    def rest(values, n):
        if n == 0:
            return values
        return rest(values[1:], n - 1)

    b = a * 2
    found = rest(b, n)
    b += 100
    return b, found


@program(*TURNS, refused="MergeError", naming=("items cannot be assigned",))
def slices_of_slices_that_are_changed(a, n):
    def rest(values, n):
        if n == 0:
            return values
        return rest(values[1:], n - 1)

    b = a * 2
    found = rest(b, n)
    found += 100
    return b


@program(*TURNS)
def a_view_of_one_of_two(a, n):
    def turns(n, one, other):
        if n == 0:
            return one[1:]
        return turns(n - 1, other, one)

    b = a * 2
    found = turns(n, a, b)
    found += 100
    a += 1000
    return b, found


@program(*TURNS, compiled=True)
def one_of_two_lists(a, n):
    def turns(n, one, other):
        if n == 0:
            return one, other
        return turns(n - 1, other, one)

    b, c = [a[0]], [a[1], a[2]]
    one, other = turns(n, b, c)
    one.append(a[3])
    other[0] = a[4]
    return b, c, one, other


@program(*TURNS)
def one_of_two_lists_that_grew(a, n):
    def turns(n, one, other):
        if n == 0:
            return one
        return turns(n - 1, other, one)

    b, c = [], []
    for i in range(n):
        b.append(a[i])
        if i % 2:
            c.append(a[i])
    turns(n, b, c).append(5.0)
    return b, c


@program(*TURNS)
def dicts_and_sets(a, n):
    def turns(n, one, other):
        if n == 0:
            return one
        return turns(n - 1, other, one)

    b, c = {"u": a[0]}, {"u": a[1]}
    turns(n, b, c)["u"] += 5.0
    r, s = {1, 2}, {3}
    turns(n, r, s).add(7)
    return b, c, r, s


@program(*TURNS, compiled=True)
def the_last_link(a, n):
    def last(link):
        if link.following is None:
            return link
        return last(link.following)

    head = Link(a[0])
    for i in range(n):
        head = Link(a[i], head)
    last(head).following = Link(99.0)
    last(head).value += 1
    return head


@program(*TURNS)
def a_link_or_a_new_one(a, n):
    def at(link, n):
        if link is None:
            return Link(a[3])
        if n == 0:
            return link
        return at(link.following, n - 1)

    head = Link(a[0], Link(a[1], Link(a[2])))
    found = at(head, n)
    found.value += 100
    return head, found


@program(*TURNS)
def what_an_object_holds(a, n):
    def turns(n, one, other):
        if n == 0:
            return one.value
        return turns(n - 1, other, one)

    b, c = Link([a[0]]), Link([a[1]])
    turns(n, b, c).append(5.0)
    return b, c


@program(*TURNS)
def in_objects_and_lists(a, n):
    def turns(n, one, other):
        if n == 0:
            return Link([one, one, other])
        return turns(n - 1, other, one)

    b, c = a * 2, a * 3
    found = turns(n, b, c)
    found.value[0] += 100
    found.value[2] += 1000
    return b, c, found, found.value[0] is found.value[1]


@program(*TURNS, compiled=True)
def kept_in_a_variable(a, n):
    best = None

    def turns(n, one, other):
        nonlocal best
        best = one
        if n <= 0:
            return 0.0
        return turns(n - 1, other, one) + 1

    b, c = np.zeros(2), np.ones(2)
    count = turns(n, b, c)
    best += 10
    return b, c, count


@program(*TURNS)
def appended_to_a_list(a, n):
    found = []

    def turns(n, one, other):
        if n == 0:
            return
        found.append(one)
        turns(n - 1, other, one)

    b, c = a * 2, a * 3
    turns(n, b, c)
    b += 1
    return found


@program(*TURNS)
def raised_with_it(a, n):
    def turns(n, one, other):
        if n == 0:
            raise ValueError(one)
        return turns(n - 1, other, one)

    b, c = Link(a[0]), Link(a[1])
    try:
        turns(n, b, c)
    except ValueError as error:
        error.args[0].value += 10
    return b, c


@program(*TURNS)
def by_two_functions(a, n):
    def even(n, one, other):
        return one if n == 0 else odd(n - 1, other, one)

    def odd(n, one, other):
        return other if n == 0 else even(n - 1, one, other)

    b, c = a * 2, a * 3
    found = even(n, b, c)
    found += 100
    return b, c


@program(*TURNS)
def starred_and_named(a, n):
    def turns(n, *given, **named):
        if n == 0:
            return given[0], named["last"]
        return turns(n - 1, *given[::-1], last=given[0])

    b, c = a * 2, a * 3
    found, last = turns(n, b, c, last=c)
    found += 100
    last += 1000
    return b, c


@program(*TURNS)
def one_of_several_given(a, n):
    def turns(n, one, other):
        chosen = one if n % 3 == 0 else other
        if n <= 0:
            return chosen
        return turns(n - 1, chosen, one)

    b, c = Link(a[0]), Link(a[1])
    found = turns(n, b, c)
    found.value += 10
    return b, c, found is b, found is c


@program(*(case(t([1.0, 2.0]), t(n)) for n in (0, 1, 2)), compiled=True)
def tensors_are_the_same(x, n):
    def turns(n, one, other):
        if n == 0:
            return one
        return turns(n - 1, other, one)

    y = x + 1
    found = turns(n, x, y)
    found[0] = 5.0
    return found, y, found is x, found is y


@program(*(case(t([1.0, 2.0]), t(n)) for n in (0, 1, 2)), compiled=True)
def gradients_through_what_is_given_back(x, n):
    def turns(n, one, other):
        if n == 0:
            return one
        return turns(n - 1, other * 2, one)

    def loss(x):
        y = x * x
        return ag.sum(turns(n, x, y) * y)

    return ag.grad(loss)(x)


@program(*TURNS)
def the_better_of_two_paths(a, n):
    def best(path, n):
        if n == 0:
            return path
        one, other = best(path + [a[0]], n - 1), best(path + [-a[1]], n - 1)
        return one if sum(one) > sum(other) else other

    start = [a[2]]
    found = best(start, n)
    found.append(a[3])
    return start, found


OF_SIZES = tuple(case(np.arange(float(n)) * 5 % 7) for n in (5, 6, 11, 40, 3))


@program(*OF_SIZES, compiled=True)
def halves_of_what_is_computed(a):
    def last(values):
        if len(values) < 2:
            return values
        return last(values[len(values) // 2 :])

    return last(a * 2)


@program(*OF_SIZES, compiled=True)
def halves_that_are_put_together(a):
    def turned(values):
        if len(values) < 2:
            return values
        middle = len(values) // 2
        left, right = turned(values[:middle]), turned(values[middle:])
        out = np.empty(len(values))
        out[: len(right)] = right
        out[len(right) :] = left
        return out

    return turned(a.copy())


@program(*OF_SIZES, compiled=True)
def an_array_or_none(a):
    def found(values, count):
        if count == 0:
            return values
        if values is None:
            return found(a * 3, count - 1)
        return found(None if values[0] < 3 else values[1:], count - 1)

    return [found(a + 1, count) for count in range(3)]
