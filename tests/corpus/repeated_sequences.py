"""Lists, tuples and strings times a tensor: an integer without axes repeats, as an int does."""

from __future__ import annotations

from collections import deque

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
COUNTS = (case(t(3)), case(t(0)), case(t(-1)), case(t(1)), case(t(2, dtype="uint8")), case(4))


@program(*COUNTS, compiled=True)
def zeros_to_count_in(n):
    counts = [0] * n
    for i in range(n):
        counts[i] = counts[i] + i
    return counts


@program(*COUNTS, compiled=True)
def pairs_repeated(n):
    return [0, 1] * n, n * [2.0, 3.0], (1, 2) * n, n * (3,)


@program(*COUNTS)
def strings_repeated(n):
    line = "-"
    line *= n
    return line + "ab" * n, len(n * "xy")


@program(*COUNTS, compiled=True)
def in_place_for_all_names(n):
    items = [1, 2]
    same = items
    same *= n
    items.append(3)
    return items, same


@program(*COUNTS, compiled=True)
def a_table_filled(n):
    table = [0] * (n + 1)
    for i in range(n):
        table[i + 1] = table[i] + i
    return table[-1]


@program(*COUNTS)
def rows_of_a_grid(n):
    grid = [[0] * n for _ in range(n)]
    for i in range(n):
        grid[i][i] = 1
    return grid


@program(case(t(3)), case(t(1)), compiled=True)
def repeated_in_a_branch(n):
    items = [1.0]
    if n > 2:
        items = items * n
    return sum(items), len(items)


@program(case(t(3)), case(t(0)))
def a_queue_repeated(n):
    queue = deque([1, 2]) * n
    return len(queue), list(queue)


@program(case(t(3)), case(t(0)))
def tensors_repeated(n):
    return sum([n] * n), [None] * n, ["a"] * n


@program(case(t([1.0, 2.0])), case(t(2.0)), compiled=True)
def floats_and_rows_multiply(x):
    return [1.0, 2.0] * x, x * [1.0, 2.0], (3, 4) * (x * 2)


@program(case(t([1, 2])), compiled=True)
def integers_in_rows_multiply(x):
    return [1, 2] * x, x * (3, 4)


@program(case(t(True)), case(t(False)))
def no_truth_value_repeats(flag):
    return [1] * flag


@program(case(np.int64(3)), case(np.uint8(2)))
def numpy_scalars_repeat(n):
    return [0, 1] * n, n * (1,), "ab" * n


@program(case(t(3)))
def repeated_after_arithmetic(n):
    half = n // 2
    return [0] * half + [1] * (n - half)


@program(case(t(2)), case(t(0)))
def one_list_at_all_places(n):
    rows = [[]] * int(n)
    grid = [[0] * 2] * int(n)
    for row in rows:
        row.append(1)
    return rows, grid, [{}] * int(n)
