"""`while` loops that known numbers end, so long that they are one staged loop."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

X = np.array([1.0, 2.0])
T = ag.asarray([1.0, 2.0], dtype=ag.float64)


@program(case(X, 0.5), case(X, 1.25), case(T, 0.5), compiled=True)
def growth(x, end):
    t = 0.0
    while t < end:
        x = x + 0.001 * np.sin(t) * x
        t += 0.001
    return x, t


@program(case(X), compiled=True)
def history(x):
    t, states, times = 0.0, [], []
    while t < 3:
        x = x + 0.01 * np.cos(x)
        t += 0.01
        states.append(x)
        times.append(t)
        if x[0] > 1.6:
            break
    else:
        times.append(-1.0)
    return np.array(states), times[-1], len(times), t


@program(case(X), case(T))
def keys_of_turns(x):
    turns, names = 0, {}
    while turns < 120:
        x = x + turns
        x = x * 0.5
        x = x - 1
        names[f"turn {turns}"] = turns
        turns += 1
    return x, names, turns


@program(case(np.linspace(0, 1, 30)), compiled=True)
def triangle(x):
    i = 0
    while i < 30:
        j = 0
        while j < i:
            x[i] += x[j] * 0.1
            j += 1
        i += 1
    return x, i, j


@program(case(X), compiled=True)
def counted_down(x):
    left, total = 400, 0
    while left:
        if left % 3 == 0:
            left -= 1
            continue
        x = x * 0.99 + left
        total += left
        left -= 1
    return x, total, left


@program(case(T), compiled=True)
def slope(x):
    def run(y):
        t = 0.0
        while t < 1.0:
            y = y - 0.005 * y * y
            t += 0.005
        return ag.sum(y)

    return ag.grad(run)(x)


def length(path, places):
    return sum(
        abs(places[a] - places[b]) + abs(places[a] * places[b]) / 10
        for a, b in zip(path, path[1:] + path[:1], strict=False)
    )


@program(case(np.array([0.5, 2.0, -1.0, 4.0]), 0.8), case(np.array([3.0, 0.5, 1.0]), 0.7))
def annealed(places, cooling):
    """Few turns of a known test, each of many operations, around a list of numbers."""
    path, heat, moves, told = list(range(len(places))), 1.0, 0, []
    current = length(path, places)
    while heat > 0.1:
        i = moves % 2
        other = [*path[:i], *path[i : i + 2][::-1], *path[i + 2 :]]
        found = length(other, places)
        if found < current + heat / 8:
            path, current = other, found
            moves += 1
        heat *= cooling
        if moves % 2 == 0:
            told.append((round(heat, 3), moves))
    return path, round(float(current), 9), told, heat


@program(case(T, 3), case(T, 9))
def many_operations_and_tensors(x, turns):
    """What a list of known length holds stay objects: the turns are written out."""
    found, left = [], turns
    while left:
        for k in range(60):
            x = ag.where(x > k % 7, x - k * 0.5, ag.abs(x) + 0.25 * k)
            x = x * 0.75 if k % 3 else x + left
        found.append(x)
        left -= 1
    return found[0] is x, found[-1] is x, ag.stack(found), len(found)
