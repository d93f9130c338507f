"""What is refused or fails: lists."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import refused, three


@refused(three)
def structures_stacked(n):
    items = [(i, [i]) for i in range(n)]
    return ag.stack(items)


@refused(three)
def grown_given_to_a_method(n):
    items = [i for i in range(n)]
    return ",".join(items)


@refused(three)
def dict_that_grows(n):
    found = {}
    for i in range(n):
        found[f"{i}"] = i
    return found


@refused(three)
def element_written(n):
    items = [ag.zeros((2,)) for _ in range(n)]
    x = items[0]
    x[0] = 1.0
    return items
