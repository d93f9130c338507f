"""Objects that take one another's places in a staged loop."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
TURNS = tuple(case(t(n)) for n in (3, 1, 5, 2, 0))


class Holder:
    def __init__(self, value):
        self.value = value


@program(*TURNS)
def by_turns(n):
    last = Holder(0)
    items, seen = [], {}
    for i in range(n):
        new = Holder(i)
        if i > 1:
            last = new
        items.append(last)
        seen[i] = last
        last.value += 1
        items[0].value += 1
    return items


@program(*TURNS)
def by_turns_values(n):
    last = Holder(0)
    items, seen = [], {}
    for i in range(n):
        new = Holder(i)
        if i > 1:
            last = new
        items.append(last)
        seen[i] = last
        last.value += 1
        items[0].value += 1
    return [h.value for h in items], {k: h.value for k, h in seen.items()}, last.value


@program(*TURNS)
def by_turns_three(n):
    first = last = Holder(0)
    items, seen = [first], {}
    for i in range(n):
        new = Holder(i)
        if i % 2 == 1:
            last = new
        elif i == 2:
            last = first
        items.append(last)
        seen[i] = last
        last.value += 1
        first.value += 10
        items[0].value += 100
        items[-1].value += 1000
    return items, [seen[k].value for k in seen], last is first, last


@program(*TURNS)
def swapped_turns(n):
    a, b = Holder(1), Holder(2)
    kept = []
    for i in range(n):
        if i % 2 == 0:
            a, b = b, a
        kept.append(a)
        a.value += 1
        b.value *= 2
        c = Holder(i)
        if i == 3:
            b = c
    return kept, a, b
