"""NumPy programs as textbooks have them: bounds, shapes and keys that come of the data."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

VOTES = np.array([[0.0, 3.0, 1.0, 0.0], [2.0, 9.0, 4.0, 0.0], [1.0, 0.0, 0.0, 7.0]])


@program(case(VOTES, 2), case(VOTES.T * 2.0, 3), case(VOTES[:2, :2] * 1.0, 1), compiled=True)
def highest_peaks(votes, count):
    left = np.copy(votes)
    found = []
    for _ in range(count):
        row, column = np.unravel_index(np.argmax(left), left.shape)
        top, bottom = max(0, row - 1), min(votes.shape[0], row + 2)
        first, last = max(0, column - 1), min(votes.shape[1], column + 2)
        found.append((row, column, left[top:bottom, first:last].sum()))
        left[top:bottom, first:last] = 0
    left[:count] += 1
    return left, found


@program(case(VOTES, np.array([0])), case(VOTES * 1.0, np.array([2])), compiled=True)
def slices_to_a_chosen_end(table, place):
    end = None if place[0] > 1 else place[0] + 1
    items = [1, 2, 3, 4, 5]
    table[:end] += 1
    table[0, end:] = 7
    part = items[: max(1, place[0])]
    items[: max(1, place[0])] = [9]
    del items[max(1, place[0]) :]
    return table, table[end:].sum(), part, items


@program(case(VOTES, np.array([0])), case(VOTES * 1.0, np.array([2])))
def slices_to_no_number(table, place):
    end = "end" if place[0] > 1 else 2
    table[:end] = 0
    return table


LABELS = np.array([1, 2, 2, 0, 1, 2])

class NotReached(Exception):
    def __init__(self, where, rest):
        super().__init__(f"not reached from {where}")
        self.where, self.rest = where, rest


@program(case(LABELS, 0), case(LABELS, 1), case(LABELS, 2), case(LABELS, 3), compiled=True)
def raised_with_arrays(labels, kind):
    for place, label in enumerate(labels):
        if label == 0:
            if kind == 0:
                raise KeyError(label)
            if kind == 1:
                raise ValueError("no label", label, labels[place:])
            if kind == 2:
                raise NotReached(label, [labels[0], labels * 2])
            return {1: "one"}[label]
    return None


@program(case(2, 1.0), case(3, 2.0), case(4, 0.5), case(3, 1.5))
def register_of_qubits(count, amplitude):
    state = np.zeros((2,) * count, dtype=complex)
    state[(0,) * count] = amplitude
    for qubit in range(count):
        gate = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
        state = np.moveaxis(np.tensordot(gate, state, (1, qubit)), 0, qubit)
    state[(slice(None),) * (count - 1) + (0,)] *= 2
    return state, np.transpose(state, tuple(range(count))[::-1]), np.ones([2] * count)


@program(case(np.array([2.0, 1.0]), np.array([2])), case(np.array([3.0]), np.array([3])))
def tuples_of_staged_length(row, count):
    times = int(count[0])
    return np.array((1,) * times), np.zeros((times,) * 2), np.sum((2.0,) * times)
