"""Arrays made of lists of lists whose lengths only the run tells."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

POINTS = np.array([[1.0, 2.0], [-1.0, 0.5], [0.0, 3.0]])


def closeness(x, z, width=0.5):
    return np.exp(-width * np.sum((x - z) ** 2))


@program(case(POINTS), case(POINTS[:2] * 2.0), case(POINTS[:1, :1] * 1.0), compiled=True)
def matrix_of_a_kernel(points):
    table = np.array([[closeness(a, b) for b in points] for a in points])
    rows = []
    for a in points:
        row = []
        for b in points:
            row.append(a @ b)
        rows.append(row)
    return table, np.trace(np.array(rows)), np.mean(rows, axis=0), rows


@program(case(POINTS), case(POINTS[:2] - 3.0), case(POINTS[:1] * 0.0), compiled=True)
def rows_of_their_own_lengths(points):
    kept = [[float(v) for v in row if v > 0] for row in points]
    lengths = [len(one) for one in kept]
    return np.concatenate(kept), np.hstack(kept), lengths, kept


@program(case(POINTS), case(POINTS - 3.0), case(POINTS[:2]), case(np.abs(POINTS) + 1.0))
def ragged_rows(points):
    return np.array([[float(v) for v in row if v > 0] for row in points])


@program(case(POINTS), case(POINTS[:2] * 3.0), compiled=True)
def integers_in_lists_of_lists(points):
    rows = [[int(v) for v in row] for row in points]
    rows[0][1] += 5
    first = np.array(rows), np.array(rows, dtype=float), np.asarray(rows, np.float32)
    rows[0][1] = 7
    return first, np.max(rows, axis=1), np.sum(rows), points + rows, np.dot(points.T, rows), rows


@program(case(POINTS), case(POINTS[:2] * 3.0), compiled=True)
def stacks_of_lists_of_lists(points):
    rows = [[v * 2 for v in row] for row in points]
    return np.vstack([rows, rows]), np.vstack(rows), np.stack(rows, axis=1), np.column_stack(rows)


TABLES = (
    case(np.arange(6.0).reshape(3, 2), 3),
    case(np.arange(4.0).reshape(2, 2), 2),
    case(np.arange(8.0).reshape(4, 2), 1),
)


@program(*TABLES, compiled=True)
def rows_copied_and_shown(table, count):
    rows = [row.tolist() for row in table]
    shown = []
    for turn in range(count):
        for i in range(len(table)):
            shown.append(f"{rows[i]} {i} {turn}")
            print(rows[i], str((rows[i], i)), [rows[i]])
        rows = [row.copy() for row in rows]
    return shown, rows


@program(*TABLES)
def rows_of_two_origins(table, count):
    rows = [row.tolist() for row in table]
    if table[0, 1] > 0.5 * count:
        rows = [[value * 2 for value in row] for row in rows]
    for turn in range(count):
        if turn % 2:
            rows = [row + [1.0] for row in rows]
    return repr(rows), rows


@program(*TABLES)
def permuted_rows(table, count):
    np.random.seed(count)
    total = 0.0
    for row in np.random.permutation(table):
        total = total * 2 + row.sum()
    return total
