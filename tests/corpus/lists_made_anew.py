"""Lists that are made anew in each turn of a loop, from zips of them, and exit stacks."""

from __future__ import annotations

import contextlib
import dataclasses
import typing

import autograph as ag
from tests.corpus.registry import case, program

X = (case(ag.asarray(2.0)), case(ag.asarray(5.0)))
N = (case(ag.asarray(4)), case(ag.asarray(0)), case(ag.asarray(1)))


@contextlib.contextmanager
def noted(log, name):
    log.append("+" + name)
    try:
        yield name
    finally:
        log.append("-" + name)


@program(*X)
def stack_in_a_branch(x):
    log = []
    if x > 3:
        with contextlib.ExitStack() as st:
            st.enter_context(noted(log, "a"))
            st.callback(log.append, "c")
            log.append("in")
    return log


@program(*X)
def stack_in_a_loop(x):
    log = []
    for i in range(ag.astype(x, ag.int32)):
        with contextlib.ExitStack() as st:
            st.enter_context(noted(log, "a"))
            log.append("in")
    return log


@program(*X)
def stack_known(x):
    log = []
    with contextlib.ExitStack() as st:
        for k in range(3):
            st.enter_context(noted(log, str(k)))
        if x > 3:
            log.append("big")
    return log


@program(*N)
def rows_around(n):
    row = [1]
    for _ in range(n):
        row = [1] + [a for a in row[1:]] + [1]
    return row


@program(*N)
def sums_of_itself(n):
    row = [1]
    for _ in range(n):
        row = [1] + [a + b for a, b in zip(row, row)] + [1]
    return row


@program(*N)
def zip_kept_in_a_variable(n):
    row = [1]
    for _ in range(n):
        z = zip(row, row)
        row = [a + b for a, b in z] + [1]
    return row


@program(*N)
def appended_neighbours(n):
    row = [1]
    for _ in range(n):
        new = [1]
        for a, b in zip(row, row[1:]):
            new.append(a + b)
        new.append(1)
        row = new
    return row


@program(*N)
def enumerated(n):
    row = [1]
    for _ in range(n):
        row = [1] + [a + b for a, b in enumerate(row)] + [1]
    return row


@program(*N)
def row_of_pascal(n):
    row = [1]
    for _ in range(n):
        row = [1] + [a + b for a, b in zip(row, row[1:])] + [1]
    return row


@dataclasses.dataclass
class Rates:
    low: float
    high: float

    def total(self):
        return sum(getattr(self, field.name) for field in dataclasses.fields(self))


class Items:
    def __init__(self, count):
        self.count = count

    def __getitem__(self, place):
        if isinstance(place, slice):
            return [self[k] for k in range(*place.indices(self.count))]
        return place * 2


@program(*N)
def library_of_types(n):
    rates = Rates(n * 1.5, 2.0)
    found = typing.cast(float, rates.total())
    items = Items(int(n) + 3)
    return found, dataclasses.is_dataclass(rates), items[1:], items[::-1], items[-2:9]


@program(*N)
def sets_kept_in_place(n):
    members, others = {k for k in range(int(n) + 2)}, {1, 2, 9}
    members.symmetric_difference_update([0, 7])
    others.intersection_update(members)
    return sorted(members), sorted(others)


@program(*N)
def list_made_by_the_first_call(n):
    def collect(k, found=None):
        if found is None:
            found = []
        if k > 0:
            found.append(k * 2)
            return collect(k - 1, found)
        return found

    return collect(n), collect(n - 1)


@program(*N)
def lists_handed_down(n):
    def go(k, counts):
        own = {"sum": 0}
        rest = go(k - 1, own) if k > 0 else 0
        counts["sum"] += k
        return own["sum"] + rest

    return go(n, {"sum": 0})


@program(*N)
def methods_of_one_list(n):
    log, undo = [], []
    for i in range(n):
        log.append(i)
        undo.append(log.pop)
    last = [take() for take in reversed(undo)]
    return log, last


@program(*N)
def queens_by_lists(n):
    n, found = int(n), []

    def place(queens, differences, sums):
        row = len(queens)
        if row == n:
            found.append(list(queens))
            return
        for column in range(n):
            if (
                column not in queens
                and row - column not in differences
                and row + column not in sums
            ):
                place([*queens, column], [*differences, row - column], [*sums, row + column])

    place([], [], [])
    return found
