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


@program(case(t(3)), case(t(0)), case(t(1)))
def swapped_tensors(n):
    a, b = [ag.ones(2)], [ag.zeros(2)]
    for i in range(n):
        a, b = b, a
        a.append(b[0] * i)
    return a, b, len(a)


@program(case(t(3)), case(t(0)), case(t(1)))
def swapped_grad(n):
    x = t([1.0, 2.0])
    with ag.GradientTape() as tape:
        tape.watch(x)
        a, b = [x * 1], [x * 3]
        for i in range(n):
            a, b = b, [a[-1] * b[-1]]
        y = ag.sum(a[-1]) + ag.sum(b[0])
    return tape.gradient(y, x)


@program(case(t(3)), case(t(0)), case(t(1)))
def shared_row(n):
    x = ag.zeros(2)
    a = [x]
    b = [x] if n > 1 else [ag.ones(2)]
    for i in range(n):
        a, b = b, a
    x[0] = 7.0
    return a[0], b[0], x


@program(case(t([[1.0, 2.0], [3.0, 4.0]]), t(1)), case(t([[1.0, 2.0], [3.0, 4.0]]), t(-1)))
def index_choice(x, k):
    i = 0 if k > 0 else slice(None)
    y = x.T * 1
    y[i, 0] = -1.0
    y[..., 1 if k > 0 else -2] += 2
    return y, x[i], x[None, i]


@program(case(t(2.0)), case(t(-2.0)))
def broadcast_assign(x):
    y = ag.copy(ag.broadcast_to(ag.exp(ag.ones((3, 1)) * x), (3, 4)))
    y[0, 1] = 5.0
    sums = ag.cumulative_sum(ag.ones((3, 1)) * x, axis=0)  # in memory, which dies here
    z = ag.scatter_add(ag.broadcast_to(sums, (3, 4)), ag.asarray([0, 2, 0]), 1.5, axis=1)
    return y, z
