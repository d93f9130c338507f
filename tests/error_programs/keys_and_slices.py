"""What is refused or fails: keys and slices."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.error_programs.registry import refused, t, three


@refused(three)
def tensor_as_list_index(n):
    return [1, 2, 3][t([0, 1])]


@refused(three)
def range_index(n):
    return range(3)[n]


@refused(three)
def index_of_tuple(n):
    return (1.0, 2.0)[n]


@refused(three)
def key_of_dict(n):
    return {0: 1.0, 1: 2.0}[int(n)]


@refused(three)
def tensor_as_key(n):
    return {0: 1.0}[n]


@refused(three)
def missing_key(n):
    return {"a": n}["b"]


@refused(three)
def index_by_a_tuple_of_staged_length(n):
    return ag.ones((2, 2))[(0,) * int(n)]


@refused(three)
def array_as_key(n):
    return {np.zeros(int(n)): 1}


@refused(three)
def tuple_of_staged_length_as_index(n):
    return t([1.0, 2.0])[tuple(k for k in range(int(n)))]
