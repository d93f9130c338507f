"""Iterators of the user's own that end under staged conditions."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
ROWS = (case(t([3, 1, 2, 1, 3])), case(t([1, 1, 1, 4, 1])), case(t([5, 2, 2, 7, 0])))


class Down:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n = self.n - 1
        return self.n * 2


@program(*ROWS)
def class_for(v):
    total = 0
    for x in Down(v[0]):
        total = total * 3 + x
    return total


@program(*ROWS)
def class_list(v):
    return list(Down(v[0]))


@program(*ROWS)
def class_sum(v):
    return sum(Down(v[0]))


@program(*ROWS)
def class_zip(v):
    return [a * 10 + b for a, b in zip(Down(v[0]), Down(v[2]))]


@program(*ROWS)
def class_next(v):
    d = Down(v[0])
    return next(d, -1), next(d, -1), next(d, -1)


@program(*ROWS)
def class_while(v):
    d = Down(v[0])
    out = []
    while True:
        try:
            out.append(next(d))
        except StopIteration:
            break
    return out


@program(*ROWS)
def class_enum(v):
    return [i * x for i, x in enumerate(Down(v[0]))]


@program(*ROWS)
def class_any(v):
    return any(x > 4 for x in Down(v[0])), max(Down(v[0] + 1))


@program(*ROWS)
def class_comp(v):
    return [x for x in Down(v[0]) if x > 1]


@program(*ROWS)
def class_unpack(v):
    a, *b = Down(v[0] + 1)
    return a, b


@program(*ROWS, slow=True)
def iter_next(v):
    it = iter(v)
    total = 0
    for x in it:
        if x > 2:
            total += next(it, 100)
        else:
            total += x
    return total


@program(*ROWS)
def taken_after_its_last_item(v):
    it = iter([0, 1, 2, 3])
    total = 0
    for i in zip(it):
        if i[0] == 3 and v[0] > 2:
            total += next(it, v[1])
    return total
