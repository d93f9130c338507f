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
