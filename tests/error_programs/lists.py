"""What is refused or fails: lists."""

from __future__ import annotations

import numpy as np

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
        found[f"{i / 2}"] = i
    return found


@refused(three)
def element_written(n):
    items = [ag.zeros((2,)) for _ in range(n)]
    x = items[0]
    x[0] = 1.0
    return items


@refused(three)
def list_times_a_truth_value(n):
    return [1, 2] * (n > 0)


@refused(lambda: np.float64(2.0))
def list_times_a_float_of_numpy(n):
    return [1, 2] * n
