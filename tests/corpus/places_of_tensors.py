"""Lists of numbers as tensors, changed at staged indices: which tensors they hold stays known."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
FIVE = (
    case([t(one) for one in (3, 1, 4, 1, 5)], t(2)),
    case([t(one) for one in (2, 7, 1, 8, 2)], t(4)),
    case([t(one) for one in (2, 7, 1, 8, 2)], t(7)),
)
REALS = (
    case([t(one) for one in (3.0, 1.0, 4.0, 1.0, 5.0)], t(2)),
    case([t(one) for one in (2.0, 7.0, 1.0, 8.0, 2.0)], t(4)),
)
SIXTEEN = case([t(one * 7 % 16) for one in range(16)])


@program(SIXTEEN, compiled=True)
def shell(a):
    gap = len(a) // 2
    while gap > 0:
        for i in range(gap, len(a)):
            held = a[i]
            j = i
            while j >= gap and a[j - gap] > held:
                a[j] = a[j - gap]
                j -= gap
            a[j] = held
        gap //= 2
    return a


@program(SIXTEEN, compiled=True)
def cycles(a):
    for start in range(len(a) - 1):
        item = a[start]
        place = start
        for i in range(start + 1, len(a)):
            if a[i] < item:
                place += 1
        if place == start:
            continue
        while item == a[place]:
            place += 1
        a[place], item = item, a[place]
        while place != start:
            place = start
            for i in range(start + 1, len(a)):
                if a[i] < item:
                    place += 1
            while item == a[place]:
                place += 1
            a[place], item = item, a[place]
    return a


@program(*FIVE)
def moved_and_made(a, n):
    """Some items are the caller's, some are new, and one is an argument of its own."""
    i = 0
    while i < n:
        a[i] = a[i + 1] if i % 2 else a[i] * 2
        i += 1
    a[i - 1] = n
    return a, n


@program(*FIVE)
def kept_in_two_lists(a, n):
    b = list(a)
    for i in range(n):
        a[i], b[-1 - i] = b[i], a[i + 1]
    return a, b


@program(*FIVE)
def put_into_another(a, n):
    out = []
    for i in range(n):
        a[i] = a[i + 1]
        out.append(a[i])
    out.append(a[0])
    return out, a


@program(*FIVE)
def is_the_first(a, n):
    first, told = a[0], []
    for i in range(n):
        a[i], a[i + 1] = a[i + 1], a[i]
        told.append(a[i + 1] is first)
    return told, a


@program(*FIVE)
def counted_in_itself(a, n):
    i = 0
    while i < n:
        a[i] = a[n - 1]
        i += 1
    return a.count(a[0]), a.index(n) if n in a else -1, a


@program(*REALS, compiled=True)
def gradient_of_the_greatest(a, n):
    def loss(items):
        items = list(items)
        for i in range(n):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
        return items[n] * 2.0 + items[0] ** 2

    return ag.grad(loss)(a)


@program(*REALS)
def gradient_beside_a_tape(a, n):
    with ag.GradientTape() as tape:
        for one in a:
            tape.watch(one)
        items = list(a)
        i = 0
        while i < n:
            items[i] = items[i + 1] * items[i]
            i += 1
        loss = items[0] * items[i] + items[i - 1]
    return tape.gradient(loss, a, unconnected_gradients="zero"), items


@program(*REALS)
def other_dtype(a, n):
    i = 0
    while i < n:
        a[i] = a[i + 1] if i else n
        i += 1
    return a


class Scores:
    """A list on an object, which two functions change."""

    def __init__(self, items):
        self.items = items

    def exchange(self, i, j):
        self.items[i], self.items[j] = self.items[j], self.items[i]


@program(*FIVE)
def on_an_object(a, n):
    scores = Scores(a)
    for i in range(n):
        if scores.items[i] < scores.items[i + 1]:
            scores.exchange(i, i + 1)
        elif i == 2:
            break
    return scores.items, a


@program(*FIVE)
def chosen_list(a, n):
    other = [one + 1 for one in a]
    items = a if n > 2 else other
    i = 0
    while i < n:
        items[i] = items[i + 1]
        i += 1
    return items, a, other


@program(*FIVE)
def after_an_exception(a, n):
    try:
        i = 0
        while i < n + 2:
            a[i] = a[i + 1]
            i += 1
    except IndexError:
        a[0] = n
    return a


@program(*FIVE)
def grown_and_cut(a, n):
    for i in range(n):
        a[i] = a[i + 1]
        if i % 2:
            a.append(a[i])
    del a[n - 1]
    return a, len(a)


@program(*FIVE)
def by_recursion(a, n):
    def go(i):
        if i < n and i + 1 < len(a):
            a[i], a[i + 1] = a[i + 1], a[i]
            go(i + 1)

    go(0)
    return a


@program(case([ag.ones((2,)) * one for one in range(20)], t(3)))
def rows_of_twenty(a, n):
    first = a[0]
    i = 0
    while i < n:
        a[i], a[-1 - i] = a[i + 1], a[i]
        i += 1
    return a, a[-1] is first


def with_names(given, n):
    """Two lists, a number, a tensor; and all the tensors once more, which shows what is one."""
    first, second = [t(one) for one in given], [t(5.0), t(6.0), t(7.0), t(8.0)]
    other = t(9.0)
    return case(first, second, t(n), other, (*first, *second, other))


FOUR = tuple(
    with_names(given, n)
    for given in ((1.0, 2.0, 3.0, 4.0), (4.0, 3.0, 2.0, 1.0))
    for n in (2, 7, 12)
)


@program(*FOUR)
def changed_at_a_known_place_before_a_staged_one(a, b, n, y, names):
    if a[0] > a[3]:
        a[3] = a[0]
        a[n % 4] = a[0]
    return a


@program(*FOUR)
def another_one_is_put_in_on_one_path(a, b, n, y, names):
    if n > 9:
        a[n % 4] = a[0]
    else:
        a[1] = y
        a[2] = y + 1
    return a, a[1] is y


@program(*FOUR)
def one_of_three_paths(a, b, n, y, names):
    if a[0] > 3:
        a[3] = y
        a[n % 4] = b[0]
    elif a[1] > 1:
        a[2] = y
    else:
        a[n % 2] = a[3]
    return a, b


@program(*FOUR)
def put_in_by_turns(a, b, n, y, names):
    while n > 3:
        if n % 2 == 0:
            a[3] = y
            a[n % 4] = a[0]
        else:
            a[1] = b[2]
        n = n - 1
    return a


@program(*FOUR)
def a_slice_on_one_path(a, b, n, y, names):
    if n > 3:
        a[:] = [a[0], y, a[1], b[2]]
    else:
        a[n % 4] = a[1]
    return a


@program(*FOUR)
def an_item_is_put_into_another_list(a, b, n, y, names):
    if n > 3:
        a[n % 4] = y + 1
        b[3] = a[1]
    else:
        a[n % 4] = a[2]
    a[1] = y
    return a, b


@program(*FOUR)
def an_item_is_put_into_another_list_in_a_loop(a, b, n, y, names):
    if n > 3:
        for _ in range(n % 3):
            a[n % 4] = y
        b[3] = a[1]
    elif n > 1:
        a[(n + 1) % 4] = b[0]
        a[n % 4] = a[2]
    else:
        a[2] = y
    return a, b, a[2] is y
