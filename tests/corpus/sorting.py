"""sorted, list.sort, min, max, bisect and the like, by staged keys."""

from __future__ import annotations

import bisect
import functools
import heapq
import operator

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
THREE = (case(t([3.0, 1.0, 2.0])), case(t([1.0, 1.0, 0.5])), case(t([1.0, float("nan"), 0.5])))
COUNTS = (case(t(9)), case(t(4)), case(t(0)))


class Item:
    def __init__(self, name, value):
        self.name = name
        self.value = value

    def __lt__(self, other):
        return self.value < other.value


@program(*THREE)
def sorted_rows(x):
    return sorted(x), sorted(x, reverse=True), sorted([x[0], x[1]], key=lambda v: -v)


@program(*THREE)
def sorted_numbers(x):
    xs = [float(v) for v in x]
    xs.sort()
    return xs, sorted(xs, key=lambda v: -v), sorted(xs + [1.5])


MANY = np.concatenate([np.arange(40.0) % 7, [2.5, -0.0, 0.0], np.arange(30.0)[::-1] % 11])


@program(case(MANY), case(MANY[20:34]), case(np.array([*MANY[:5], np.nan, *MANY[40:46]])))
def sorted_numbers_of_arrays(a):
    some = [x for x in a if x > 0.5 or x != x]
    some.sort(reverse=True)
    five = [a[0], a[3], a[1], a[4], a[2]]
    five.sort()
    whole = sorted(int(x) if x == x else -1 for x in a)
    by_place = sorted(range(len(a)), key=lambda n: a[n], reverse=True)
    return some, five, whole[:4], by_place, sorted(five, key=lambda x: -x), type(five[0])


@program(case(np.array([3.0, 1.0, 2.0, 8.0])), case(np.array([1.0, 1.0, 0.25, 4.0])), compiled=True)
def gradient_of_sums_in_order(a):
    def loss(v):
        rest, total = [v[0], v[1], v[2], v[3]], 0.0
        while len(rest) > 1:
            rest.sort()
            total = total + rest.pop(0) * rest[0]
        return total

    return ag.grad(loss)(ag.asarray(a)), loss(a)


@program(*THREE)
def sorted_pairs_by_key(x):
    pairs = sorted([("a", x[0]), ("b", x[1]), ("c", x[2])], key=lambda pair: pair[1])
    return pairs, [name for name, _ in pairs]


@program(*THREE[:2])
def sorted_objects(x):
    items = [Item("a", x[0]), Item("b", x[1]), Item("c", x[2])]
    ordered = sorted(items)
    items.sort(key=operator.attrgetter("value"), reverse=True)
    return [item.name for item in ordered], [item.name for item in items]


@program(*COUNTS)
def sorted_lists_of_staged_length(n):
    xs = [(i * 7) % 5 for i in range(n)]
    ys, zs = sorted(xs), sorted(xs, key=lambda v: (v % 2, -v))
    xs.sort(reverse=True)
    return xs, ys, zs


@program(*COUNTS)
def stable_by_the_first_part(n):
    pairs = [((i * 7) % 3, i) for i in range(n)]
    return sorted(pairs, key=lambda pair: pair[0]), sorted(pairs, key=operator.itemgetter(0, 1))


@program(case(t(1)), case(t(0)))
def the_direction_is_staged(n):
    return sorted([3, 1, int(n)], reverse=bool(n > 0))


@program(*COUNTS)
def sorted_dicts(n):
    table = {i: (i * 7) % 5 for i in range(n)}
    return (
        sorted(table),
        sorted(table, key=table.get),
        sorted(table.items(), key=lambda p: (p[1], p[0])),
    )


@program(*COUNTS)
def least_and_greatest(n):
    xs = [(i * 7) % 11 for i in range(n)] + [3]
    return min(xs), max(xs), min(xs, key=lambda v: -v), max(xs, key=lambda v: v % 4), sum(xs, 10)


@program(*COUNTS)
def least_of_nothing(n):
    return max([i for i in range(n)], default=-1), min([i for i in range(n)])


@program(*COUNTS)
def whether_any_or_all(n):
    xs = [i for i in range(n)]
    return any(xs), all(xs), any([x > 5 for x in xs]), all([x < 5 for x in xs])


@program(case(t(4)), case(t(0)), case(t(7)))
def bisected(n):
    xs = [1, 3, 5, 7]
    return bisect.bisect(xs, n), bisect.bisect_left(xs, int(n)), bisect.bisect_left(xs, n, 1, 3)


@program(*COUNTS)
def inserted_in_order(n):
    xs = []
    for i in range(n):
        bisect.insort(xs, (i * 7) % 5)
    return xs, bisect.bisect_right(xs, 2)


@program(*COUNTS)
def the_smallest(n):
    xs = [(i * 7) % 11 for i in range(n)]
    return heapq.nsmallest(2, xs), heapq.nlargest(3, xs, key=lambda v: v % 5)


@program(*COUNTS)
def reduced(n):
    xs = [i + 1 for i in range(n)]
    return functools.reduce(lambda a, b: a * b % 97, xs, 1), functools.reduce(
        operator.add, [1, *[2]]
    )


@program(case(t([3.0, 1.0, 2.0])))
def gradient_of_the_middle(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        ordered = sorted([x[0] * x[1], x[1] * x[2], x[2]])
        y = ordered[0] * 1.0 + ordered[1] * 10.0 + ordered[2] * 100.0
    return y, tape.gradient(y, x)


@program(case(t([3.0, 1.0, 2.0]), t(5)))
def gradient_of_a_sorted_list(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        values = []
        for i in range(n):
            values.append(x[i % 3] * (i + 1))
        values.sort(key=lambda v: -v)
        total = x[0] * 0.0
        for place in range(len(values)):
            total = total + values[place] * place
    return total, tape.gradient(total, x)


@program(*THREE[:2])
def compared_tuples(x):
    a, b = (x[0], 1), (x[1], 2)
    return a < b, a <= b, max(a, b)[1], min([a, b, (x[2], 3)])[1], [x[0], x[1]] > [x[1]]


@program(case(np.array([3.0, 1.0, 4.0]), 2), case(np.array([0.5, 9.0, -1.0]), 0))
def items_that_are_one_of_several(row, least):
    numbers = [row[i] if row[i] > least else i for i in range(3)]
    names = ["over" if row[i] > least else "to" for i in range(3)]
    pairs = [[1, 2] if row[i] > least else [0, row[i]] for i in range(3)]
    ordered = sorted(pairs, key=lambda pair: pair[1])
    ordered[0].append(9)
    by_name = sorted(names), sorted(names, key=len)
    return sorted(numbers), sorted(numbers, reverse=True), by_name, ordered, pairs, sorted(pairs)


@program(
    case(np.array([0.5, -1.0]), np.int64(3)), case(np.array([2.0, 1.0]), np.int64(4)), slow=True
)
def four_pairs_sorted_in_each_turn(point, count):
    pairs = [[point * n, np.sum(point * n)] for n in (1, 2, -1, 0.5)]
    turn = 0
    while turn < count:
        pairs.sort(key=lambda pair: pair[1])
        if pairs[0][1] > turn:
            best, nearer = pairs[0][0], []
            for pair in pairs:
                moved = best + 0.5 * (pair[0] - best)
                nearer.append([moved, np.sum(moved)])
            pairs = nearer
        turn += 1
    return pairs[0], turn
