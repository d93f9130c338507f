"""Lists in lists, the inner ones made while others live on."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

N = (case(ag.asarray(3)), case(ag.asarray(0)), case(ag.asarray(5)))


@program(*N)
def rows_in_a_try(n):
    groups = []
    try:
        for v in range(n):
            if v > 10:
                raise ValueError
            run = [v]
            for k in range(v):
                run.append(k)
            groups.append(run)
    except ValueError:
        return [[1]]
    return groups


class Peekable:
    def __init__(self, n):
        self.at, self.n = 0, n

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= self.n:
            raise StopIteration
        self.at += 1
        return self.at - 1


@program(*N)
def rows_of_an_iterator(n):
    groups, items = [], Peekable(n)
    for v in items:
        run = [v]
        if items.at < n:
            run.append(next(items))
        groups.append(run)
    return groups


@program(*N)
def rows_of_tensors(n):
    groups = []
    try:
        for v in range(n):
            if v > 10:
                raise ValueError
            run = [ag.ones(2) * v]
            for k in range(v):
                run.append(ag.ones(2) * k + 0.5)
            groups.append(ag.stack(run))
    except ValueError:
        return []
    return groups
