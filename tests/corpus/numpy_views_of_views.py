"""Slices of slices of arrays: halved, peeled and sorted in place by loops and recursion."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

VALUES = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.6, 5.0])
OTHERS = np.arange(10.0) ** 1.5 % 7


@program(case(np.sort(VALUES), 4.0), case(np.sort(OTHERS), 1.0), compiled=True)
def halved(row, wanted):
    first = 0
    while len(row) > 1:
        middle = len(row) // 2
        if row[middle] <= wanted:
            row = row[middle:]
            first += middle
        else:
            row = row[:middle]
    row += 100
    return first, row


@program(case(VALUES, 4.0), case(OTHERS, 3.0), case(VALUES * 0.0, 1.0), compiled=True)
def peeled(row, least):
    turns, total = 0, 0.0
    while len(row) > 1 and row[0] < least:
        total += row[:3].max()
        row = row[1:]
        turns += 1
    row[:] = -1
    return turns, total, row


@program(case(VALUES, 8.0), case(OTHERS, 3.0), case(VALUES * 0.0, 1.0), compiled=True)
def history_up_to_the_end(steps, most):
    history = np.zeros(len(steps))
    for i in range(len(steps)):
        history[i] = steps[: i + 1].sum()
        if history[i] > most:
            history = history[: i + 1]
            break
    return history


def quicksort(row):
    if len(row) <= 1:
        return
    border = 0
    for j in range(len(row) - 1):
        if row[j] < row[-1]:
            row[border], row[j] = row[j], row[border]
            border += 1
    row[border], row[-1] = row[-1], row[border]
    quicksort(row[:border])
    quicksort(row[border + 1 :])


@program(case(VALUES), case(OTHERS), compiled=True)
def sorted_by_recursion(row):
    quicksort(row)
    return row


def quartered(table, depth):
    if table.shape[0] < 2 or table.shape[1] < 2:
        return table.sum()
    rows, columns = table.shape[0] // 2, table.shape[1] // 2
    table[0, 0] += depth
    upper = quartered(table[:rows, columns:], depth + 1)
    return upper + quartered(table[rows:, :columns], depth + 1)


@program(case(np.outer(VALUES, VALUES)), case(np.outer(OTHERS, VALUES)), compiled=True)
def quarters(table):
    return quartered(table, 1), table


@program(case(VALUES, 2), case(OTHERS, 3), case(VALUES[:3].copy(), 0), compiled=True)
def bounds_of_every_kind(row, k):
    i, j = int(row.argmax()) - k, int(row.argmin()) + k
    taken = [row[i:][j:], row[:i][:j], row[i:j][k:], row[j:i][:k], row[-i:][:-j], row[::2][i:j]]
    taken += [row[i::2][j::3], row[i:-1][-j:], row[::3][1:], row[::-1][j:], row[1::2][::2][-2:]]
    for start in range(-9, 9, 4):
        taken += [row[start:][stop:] for stop in (-9, -2, 0, 3, 40)]
        taken += [row[:start][stop:start] for stop in (-9, -2, 0, 3, 40)]
    copies = [one.copy() for one in taken]
    part = row[i:][1:]
    part += 10
    part[0:2] -= 1
    row[::2][j:][:] *= 2
    return copies, row


@program(case(VALUES[:6].copy()), case(OTHERS), compiled=True)
def parts_of_tables(row):
    table = row.reshape(2, -1)
    first = int(row[0] * 0) + 1
    right = table[:, first:]
    right[:, :2][0:1] = -1
    right[first:][:, ::2] += 5
    last = table[..., first:][:, 1:]
    right[0][1:] += 100
    failed = ""
    try:
        row[1:][0:3, 0:1]
    except IndexError as error:
        failed = str(error)
    return table, right.T[1:][:1], last, right[:, None][..., :1].shape, failed


@program(case(VALUES), case(OTHERS), compiled=True)
def bounds_that_numpy_tells(row):
    first, last = np.argmax(row), np.argmin(row)
    taken = (
        row[first:][:last],
        row[:last][first:],
        row[np.int64(1) :][True:],
        row[:4][-np.int32(2) :],
    )
    small = row.astype(np.uint8).argmax().astype(np.uint8)
    failed = []
    for wrong in (1.0, "1"):
        try:
            row[1:][wrong:]
        except TypeError as error:
            failed.append(str(error))
    return [one.copy() for one in taken], row[small:][small:].copy(), failed


def aligned(scores, letters, made="", before=0):
    flipped = np.flip(np.flip(scores, 0), 1)
    row, column = np.unravel_index(flipped.argmax(), flipped.shape)
    i, j = np.subtract(scores.shape, (row + 1, column + 1))
    if scores[i, j] == 0:
        return made, j
    made = letters[j - 1] + "-" + made if before - i > 1 else letters[j - 1] + made
    return aligned(scores[0:i, 0:j], letters, made, i)


SCORES = np.array([[0, 0, 0, 0], [0, 3, 1, 0], [0, 1, 6, 4], [0, 0, 4, 9]])


@program(case(SCORES, "abc"), case(SCORES * 0, "xyz"), mutate=False, vary=False)
def local_alignment(scores, letters):
    made, place = aligned(scores, letters)
    return place, place + len(made), made
