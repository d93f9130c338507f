"""Subclasses of Python's own that define one comparison, and objects that are also indices."""

from __future__ import annotations

import heapq
from collections import Counter, namedtuple

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

N = (case(t(3)), case(t(1)), case(t(2)))


class ByLast(tuple):
    def __lt__(self, other):
        return self[1] < other[1]


class ByLength(str):
    def __lt__(self, other):
        return len(self) < len(other)


class Backwards(list):
    def __lt__(self, other):
        return self[1] < other[1]

    def __eq__(self, other):
        return self[0] == other[0]

    __hash__ = None


class Rated(namedtuple("Rated", "cost gain")):
    def __gt__(self, other):
        return self.gain > other.gain


class Place:
    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


class Money(Place):
    def __eq__(self, other):
        if self.number < 0:
            raise ValueError("a debt")
        return self.number == (other.number if isinstance(other, Money) else other)

    __hash__ = None


@program(*N, compiled=True)
def tuples_that_define_less(n):
    one, other = ByLast((int(n), 1)), ByLast((2, 5))
    return one > other, one < other, one >= other, one <= other, max(one, other), min(one, other)


@program(*N)
def tuples_that_define_less_in_others(n):
    one, other = ByLast((int(n), 1)), ByLast((2, 5))
    found = heapq.nlargest(1, [one, other]), heapq.nsmallest(1, [one, other])
    return found, (one, 1) > (other, 2), [one] > [other], sorted([other, one], reverse=True)


@program(*N)
def lists_that_define_less_and_equal(n):
    one, other = Backwards([int(n), 1]), Backwards([3, int(n)])
    return one > other, one < other, one == other, one != other, [one] == [other], max(one, other)


@program(*N)
def strings_that_define_less(n):
    names = [ByLength("abc"), ByLength("b"), ByLength("dd")]
    return names[0] > names[1], max(names), min(names), sorted(names), names[int(n) - 1] > "a"


@program(*N)
def named_tuples_that_define_greater(n):
    one, other = Rated(int(n), 1), Rated(2, 5)
    return one < other, one > other, min(one, other), max(one, other), one != other


@program(*N, case(t(-1)), compiled=True)
def objects_with_an_index_that_differ(n):
    try:
        return Money(int(n)) != Money(2), Money(1) != Money(2), Money(int(n)) != 3, 3 != Money(1)
    except ValueError as error:
        return str(error), Money(1) != Money(1)


@program(*N)
def objects_with_an_index_that_multiply(n):
    found = []
    for work in (
        lambda place: place * 2,
        lambda place: 2.0 * place,
        lambda place: place * place,
        lambda place: [1] * place,
        lambda place: place * (1, 2),
        lambda place: place * n,
    ):
        try:
            found.append(work(Place(int(n))))
        except TypeError:
            found.append("no product")
    return found


@program(*N, compiled=True)
def tables_without_entries(n):
    found = []
    for table in ({}, [{}, {1: 2}][int(n) % 2], {k: 1 for k in [1, 2] if k > int(n)}):
        try:
            found.append(table[int(n)])
        except IndexError:
            found.append("no place")
        except KeyError as error:
            found.append(error.args)
    return found, {}.get(int(n)), int(n) in {}


@program(case(t(3), {}), case(t(1), {2: 4}), case(t(2), {2: 4}))
def squares_remembered(n, memory):
    def square(k):
        try:
            return memory[k]
        except KeyError:
            memory[k] = k * k
            return memory[k]

    return square(int(n)), square(int(n)), dict(memory)


@program(*N, compiled=True)
def pops_of_nothing(n):
    found = []
    for items in ([], [5], [k for k in [1, 2] if k > int(n)]):
        for _ in range(2):
            try:
                found.append(items.pop(int(n) - 1))
            except IndexError as error:
                found.append(str(error))
    return found


class Pair(tuple):
    pass


@program(*N)
def texts_of_tuples_of_a_class(n):
    pair = Pair([int(n), 2])
    place = [Pair([1, 2])].index(pair) if n == 1 else None
    return f"{pair}", str([pair]), place, Counter([pair[0], 1])


class Text(str):
    def __repr__(self):
        return "a text"


class Whole(int):
    def __index__(self):
        return 2

    def __int__(self):
        return 9


class Length(float):
    def __float__(self):
        return 2.5


class Level(int):
    def __le__(self, other):
        return True

    def __radd__(self, other):
        return "added", other


@program(*N, compiled=True)
def numbers_of_a_class_beside_staged_ones(n):
    n, four, long, level = int(n), Whole(4), Length(4.5), Level(4)
    found = [four | n, n & four, four + n, n // four, four < n, n**four, max(four, n), four / n]
    found += [long + n, n * long, long**n, long < n, divmod(n, long), n + long * 2]
    return found, (n >= level, n + level, level + n, n > level), [0, 1, 2, 3, 4][four]


@program(*N)
def strings_of_a_class_as_text(n):
    text = Text("ab")
    shown = f"{text}", str(text), "%s" % text, "{}".format(text), f"{text:>4}{int(n)}"
    return shown, repr(text), f"{text!r}", f"{[text]}", "%r" % text


class Multiplied(list):
    def __mul__(self, other):
        return "a product"


class Reflected(tuple):
    def __radd__(self, other):
        return "joined"

    def __rsub__(self, other):
        return "left"


@program(*N)
def operators_of_one_class_only(n):
    found = []
    items = same = Multiplied([int(n)])
    items *= 2
    found.append((items, same))
    one = Reflected((int(n), 2))
    for work in (
        lambda: one - one,
        lambda: one + one,
        lambda: [int(n)] + one,
        lambda: (int(n),) + one,
        lambda: [int(n)] - one,
        lambda: {1: int(n)} + one,
        lambda: {1, 2} > one,
        lambda: {1: int(n)} in "ab",
        lambda: one in "ab",
        lambda: [int(n)] in {1, 2},
        lambda: one in int(n),
        lambda: "ab" % [int(n)],  # noqa: F507
        lambda: "ab" % int(n),  # noqa: F507
    ):
        try:
            found.append(work())
        except TypeError as error:
            found.append(str(error))
    return found


@program(*N)
def sets_in_sets(n):
    wanted = {1, int(n)}
    return wanted in {frozenset({1, 2}), 3}, wanted not in {frozenset({1, 3})}, wanted in [{1, 2}]
