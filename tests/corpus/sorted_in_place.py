"""Lists of tensors that are sorted, rotated and exchanged in place: each item stays its object."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
FOUR = case(t(3), t(1), t(4), t(2))
TIES = case(t(2.0), t(1.0), t(2.0), t(1.0))


@program(FOUR, TIES, compiled=True)
def selection(*xs):
    items = list(xs)
    for i in range(len(items) - 1):
        least = i
        for k in range(i + 1, len(items)):
            if items[k] < items[least]:
                least = k
        if least != i:
            items[i], items[least] = items[least], items[i]
    return items


@program(FOUR, TIES)
def bubble(*xs):
    items = list(xs)
    for end in reversed(range(len(items))):
        swapped = False
        for i in range(end):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        if not swapped:
            break
    return items


@program(FOUR, TIES, compiled=True)
def insertion(*xs):
    items = list(xs)
    for place in range(1, len(items)):
        value = items[place]
        while place > 0 and value < items[place - 1]:
            items[place] = items[place - 1]
            place -= 1
        items[place] = value
    return items


@program(FOUR, TIES)
def from_both_ends(*xs):
    items = list(xs)
    first, last = 0, len(items) - 1
    while first < last:
        swapped = False
        for i in range(first, last):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        last -= 1
        for i in range(last, first, -1):
            if items[i] < items[i - 1]:
                items[i], items[i - 1] = items[i - 1], items[i]
                swapped = True
        if not swapped:
            break
        first += 1
    return items


@program(FOUR, TIES)
def gnome(*xs):
    items, i = list(xs), 1
    while i < len(items):
        if items[i - 1] <= items[i]:
            i += 1
        else:
            items[i - 1], items[i] = items[i], items[i - 1]
            i = max(i - 1, 1)
    return items


@program(FOUR, case(t(1.0), t(2.0), t(2.0), t(0.0)))
def heap(*xs):
    def sift(items, root, count):
        largest = root
        for child in (2 * root + 1, 2 * root + 2):
            if child < count and items[child] > items[largest]:
                largest = child
        if largest != root:
            items[largest], items[root] = items[root], items[largest]
            sift(items, largest, count)

    items = list(xs)
    for root in reversed(range(len(items) // 2)):
        sift(items, root, len(items))
    for last in reversed(range(1, len(items))):
        items[0], items[last] = items[last], items[0]
        sift(items, 0, last)
    return items


@program(FOUR)
def by_digits(*xs):
    items, place = list(xs), 1
    while place <= 4:
        buckets = [[] for _ in range(3)]
        for x in items:
            buckets[int(x // place % 3)].append(x)
        at = 0
        for bucket in buckets:
            for x in bucket:
                items[at] = x
                at += 1
        place *= 3
    return items


@program(case(t([3.0, 1.0]), t([1.0, 5.0]), t([2.0, 2.0])), compiled=True)
def least_is_written(*xs):
    """What is assigned to an item after the exchanges is seen in the argument that it is."""
    items = list(xs)
    for i in range(len(items)):
        for k in range(i + 1, len(items)):
            if items[k][0] < items[i][0]:
                items[k], items[i] = items[i], items[k]
    items[0][1] = 7.0
    items[-1][...] = items[0] + 1.0
    return items, [x[1] for x in xs]


@program(case(t(3), t(1), t(2)))
def who_is_who(a, b, c):
    items = [a, b, c]
    if items[1] < items[0]:
        items[0], items[1] = items[1], items[0]
    if items[2] < items[1]:
        items[1], items[2] = items[2], items[1]
    return [[x is y for y in (a, b, c)] for x in items], items[0] is items[1]


@program(case(t(2), t(4), t(8), t(3)), case(t(2), t(4), t(8), t(0)))
def rotated_in_a_loop(a, b, c, n):
    items = [a, b, c]
    for _ in range(n):
        items[0], items[1], items[2] = items[1], items[2], items[0]
    return items, items[0] is a, items[1] is a


@program(case(t(2), t(4), t(8), t(3)), case(t(2), t(4), t(8), t(0)))
def made_in_a_loop_and_exchanged(a, b, c, n):
    items = [a, b, c]
    for k in range(n):
        items[0] = items[0] + 1
        if items[0] > items[1]:
            items[0], items[1] = items[1], items[0]
        if k > 1:
            items[1], items[2] = items[2], items[1]
    return items, [x is a for x in items], [x is b for x in items]


@program(case(t(1), t(2.0), t(3.0), t(4.0)), case(t(-2), t(2.0), t(3.0), t(4.0)), compiled=True)
def put_at_a_staged_place(i, a, b, c):
    items = [a, b, c]
    items[i] = a * 2.0
    items[i - 1] = items[i]
    items[i][...] = 9.0
    return items, items[0] is items[1], a


@program(case(t(5), t(1.0), t(2.0)))
def put_at_no_place(i, a, b):
    items = [a, b]
    try:
        items[i] = b
    except IndexError as error:
        return items, str(error)
    return items


@program(case(t(3.0), t(1.0), t(2.0)), compiled=True)
def gradients_of_the_sorted(*xs):
    with ag.GradientTape() as tape:
        for x in xs:
            tape.watch(x)
        items = list(xs)
        for i in range(len(items)):
            for k in range(i + 1, len(items)):
                if items[k] < items[i]:
                    items[k], items[i] = items[i], items[k]
        total = items[0] * 10.0 + items[1] * 100.0 + items[2] * 1000.0
    return tape.gradient(total, list(xs))


@program(case(t(3.0), t(1.0), t(2.0)))
def gradients_with_respect_to_the_sorted(*xs):
    items = list(xs)
    for i in range(len(items)):
        for k in range(i + 1, len(items)):
            if items[k] < items[i]:
                items[k], items[i] = items[i], items[k]
    with ag.GradientTape() as tape:
        for x in items:
            tape.watch(x)
        total = xs[0] * 10.0 + items[0] * 100.0 + items[2] ** 2
    return tape.gradient(total, [*items, xs[1]], unconnected_gradients="zero")


@stateful(case(0), case(1))
def two_of_the_items_are_one():
    """A trace for items that are as many objects is not one for items of which two are one."""
    a, b, c = t(3.0), t(1.0), t(2.0)

    def f(twice):
        items = [a, b, c, b] if twice else [a, b, c, t(4.0)]
        return among(items)

    def among(items):
        least = items[0] if items[0] < items[2] else items[1]
        return [least is one for one in items], least in items[2:]

    return f, (a, b, c)


class Valued:
    def __init__(self, v):
        self.v = v


def _append_in_branches(rows, a, x):
    """Lists of lists and of objects that branches append to: they are put into stores."""
    out = []
    if x > 0:
        out.append([1])
    if x > 0.75:
        rows.append(a)
        out.append([2])
    else:
        out.append(False)
    return [one.v + 0 for one in rows], out


OF_NUMBERS = (case(t(0.5), t(1)), case(t(2.0), t(0)), case(t(-1.0), t(2)))


@program(*OF_NUMBERS)
def sorted_before_branches_append(x, n):
    a, b, c = Valued(1.0), Valued(x), Valued(2.0)
    rows = [c, a, b]
    rows.sort(key=lambda one: one.v)
    return _append_in_branches(rows, a, x)


@program(*OF_NUMBERS)
def changed_at_a_place_before_branches_append(x, n):
    found = []
    for how in range(4):
        a, b, c = Valued(1.0), Valued(x), Valued(2.0)
        rows = [c, a, b]
        if how == 0:
            rows.insert(int(n), a)
        elif how == 1:
            del rows[int(n)]
        elif how == 2:
            rows[int(n)] = Valued(7.0)
        else:
            found.append(rows.pop(int(n)).v + 0)
        found.append(_append_in_branches(rows, a, x))
    return found


@program(*OF_NUMBERS)
def sorted_in_a_branch_and_appended_to(x, n):
    a, b, c = Valued(1.0), Valued(x), Valued(2.0)
    rows = [b, a, b]
    if x > 0:
        c = Valued(x + 1)
        rows[1:] = [c, a if x > 1 else b]
    else:
        rows.sort(key=lambda one: one.v)
        rows.append(b)
    return _append_in_branches(rows, c, x)
