"""Small programs that random ones were cut down to: each stands for a class of mistakes."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


class Item:
    def __init__(self, n: int) -> None:
        self.n = n


@program(case(t(1.0)), case(t(-1.0)))
def attribute_set_in_one_branch_of_a_result(x):
    item = Item(1)
    if x > 0:
        item.extra = x
    return item, hasattr(item, "extra"), getattr(item, "extra", None)


@program(case(t([1.0, 2.0, 3.0])))
def item_assignment_of_a_sum_that_may_be_an_int(v):
    v[1] = sum([e for e in v])
    v[0] += sum([e for e in v if e > 100])
    return v


def down(depth):
    return 1 if depth <= 0 else across(depth - 1) + 1


def across(depth):
    return down(depth) * 2


@program(case(t(3)), case(t(-2)))
def recursion_by_staged_and_by_python_numbers(n):
    return down(n), down(3), down(-1), down(int(n) % 3)


@program(case(t(3), t([1.0, 2.0, 3.0])), case(t(0), t([1.0, 2.0, 3.0])))
def alias_of_a_cell_made_in_a_turn_that_was_taken_back(n, v):
    u = v

    def renew():
        nonlocal v
        v = u * 1

    renew()
    while True:
        if n < 1:
            return u, v
        v[1] = n
        u = v
        n = n - 1


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, 0.5, 0.0])))
def grown_list_beside_a_choice_among_arguments(v):
    total = sum([e for e in v])
    return sum([e for e in v for _ in range(2)], total), max([e for e in v], default=total)
