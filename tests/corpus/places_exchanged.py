"""Containers that take one another's place from turn to turn, with tensors in them."""

from __future__ import annotations

from collections import defaultdict

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


class Cell:
    def __init__(self, value):
        self.value = value
        self.uses = 0


@program(case(t([1.0, 0.5, 2.0])), slow=True)
def beams(xs):
    beams = [([], t(0.0))]
    for x in xs:
        grown = []
        for seq, score in beams:
            for token in range(2):
                grown.append((seq + [token], score + x * token - 0.3))
        grown.sort(key=lambda one: -one[1])
        beams = grown[:2]
    return beams[0][0], beams[0][1]


@program(case(t([1.0, -1.0])))
def default_dict(xs):
    groups = defaultdict(list)
    for x in xs:
        groups["pos" if x > 0 else "neg"].append(x)
    return dict(groups)


@program(case(t(3)), case(t(1)))
def swap_lists(n):
    now, later = [n], []
    count = 0
    while now:
        for x in now:
            count += 1
            if x > 0:
                later.append(x - 1)
        now, later = later, []
    return count


@program(case(t([1.0, 0.5, 2.0])), slow=True)
def beams_of_python(xs):
    beams = [([0], 0)]
    for x in xs:
        grown = []
        for seq, y in beams:
            grown.append((seq + [1], y))
            grown.append((seq + [2], y))
        grown.sort(key=lambda one: one[1])
        beams = grown
    return beams


@program(case(t([1.0, 0.5, 2.0])), slow=True)
def turned_around(xs):
    beams = [([], t(0.0))]
    for x in xs:
        grown = []
        for seq, score in beams:
            grown.append((seq + [1], score + x))
            grown.append((seq + [2], score - x))
        if x > 0.7:
            grown.reverse()
        beams = grown
    return beams[0][0], beams[0][1]


@program(case(t([1.0, 0.5, 2.0])))
def two_of_them(xs):
    beams = [([], 0)]
    for x in xs:
        grown = []
        for seq, score in beams:
            grown.append((seq + [1], score + 1))
            grown.append((seq + [2], score + int(x)))
        i = int(x)
        beams = [grown[i - 1], grown[i - 2]]
    return beams[0][0], beams[0][1]


@program(case(t([1.0, 2.0]), 3), case(t([-1.0, 2.0]), 2))
def written_after(x, k):
    y = x * 1
    n = Cell(y)
    items = []
    for i in range(k):
        if x[0] > 0:
            items.append(n)
        items.append(Cell(x * i))
    items[0].uses += 1
    y[0] = 5.0
    return items[0].value, y, n.value


@program(case(t([1.0, 2.0])), case(t([-1.0, 2.0])))
def cells(x):
    rows = [[x * 1], [x * 2]]
    if x[0] > 0:
        rows.append([x * 3])
    last = rows[-1]
    last.append(x)
    last[0][0] = 9.0
    return rows
