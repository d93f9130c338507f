"""NumPy code that gathers results in a list, and hands the list to NumPy."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

X = np.array([0.5, 1.5, 2.5, 3.5])
M = np.arange(12.0).reshape(4, 3)
N = ag.asarray(3)


@program(case(X, N), case(X, 3), compiled=True)
def simulated_until(x, n):
    times, states = [0.0], [x.copy()]
    t, y = 0.0, x
    while t < 1.0:
        y = y + 0.25 * np.sin(y)
        t = t + 0.25 * float(y[0] > -5)
        times.append(t)
        states.append(y)
    return np.array(times), np.array(states), len(times)


@program(case(X, N), case(X, 2), compiled=True, vary=False)
def filtered(x, n):
    kept, places = [], []
    for i, v in enumerate(x):
        if v > 0.4 * n:
            kept.append(v)
            places.append(i)
    return np.array(kept), np.array(places), x[places], np.array([v * 2 for v in x if v > 1])


@program(case(X, N), case(X, ag.asarray(1)), compiled=True)
def losses_of_descent(x, n):
    losses = []
    w = np.zeros(4)
    for _ in range(n):
        w -= 0.2 * (w - x)
        losses.append(np.sum((w - x) ** 2))
    losses = np.array(losses)
    return w, losses, losses[-1], np.argmin(losses), losses.tolist()


@program(case(X, N), compiled=True)
def statistics_of_a_list(x, n):
    out = []
    for i in range(n):
        out.append(x[i] * i)
    shares = np.mean(out), np.sum(out), np.max(out), np.std(out), np.median(out), np.argmax(out)
    return shares, np.cumsum(out), np.diff(out), np.sort(out), np.round(out, 1)


@program(case(X, N), compiled=True)
def joined_rows(x, n):
    out = []
    for i in range(n):
        out.append(x * i)
    flat = np.concatenate(out), np.hstack(out), np.concatenate(out, axis=None)
    return flat, np.stack(out), np.vstack(out), np.stack(out, axis=1), np.column_stack(out)


@program(case(X, N))
def joined_matrices(x, n):
    out = []
    for i in range(n):
        out.append(np.outer(x, x) * i)
    along = np.concatenate(out, axis=1), np.vstack(out), np.hstack(out), np.dstack(out)
    return along, np.stack(out, -1), np.mean(out, axis=0), np.array(out).sum(axis=0)


@program(case(X, N))
def joined_scalars(x, n):
    out = []
    for i in range(n):
        out.append(x[i])
    return np.vstack(out), np.column_stack(out), np.dstack(out), np.hstack(out), np.stack(out)


@program(case(X, N), compiled=True)
def joined_parts_of_other_lengths(x, n):
    out = []
    for i in range(n):
        out.append(x[: i + 1])
    return np.concatenate(out), np.hstack(out)


@program(case(M, N), compiled=True)
def rows_of_a_matrix(m, n):
    out = []
    for i in range(n):
        out.append(m[i])
    total = out[0]
    for row in out:
        total = total + row
    return np.array(out), np.array(out[::-1]), total, np.array(out).mean(axis=0)


@program(case(X, N), compiled=True)
def numbers_and_scalars(x, n):
    best = [0.0]
    for i in range(n):
        best.append(max(best[-1], x[i]))
    ones = []
    for v in x:
        if v > 1:
            ones.append(v)
        else:
            ones.append(0)
    return np.array(best), np.array(ones), np.argmax(ones)


@program(case(X, N), compiled=True)
def pairs(x, n):
    out, more = [], []
    for i in range(n):
        out.append((x[i], i))
        more.append([x[i], x[i] * 2])
    return np.array(out), np.array(more), np.array([p[0] for p in out])


@program(case(X, N))
def numbers_of_turns(x, n):
    out, k = [], 0
    while k < n:
        out.append(k)
        k += 1
    return np.array(out), np.array(out, dtype=float), np.array(out).sum(), x[out]


@program(case(X, N))
def beside_arrays(x, n):
    out = []
    for i in range(n):
        out.append(x[i])
    y = x[:n].copy()
    y += out
    y[1:] = out[1:]
    return x[:n] * out, out + x[:n], x[:n] - out, y, np.dot(out, x[:n])


@program(case(X, N))
def lists_as_indices(x, n):
    rows, columns, chosen = [], [], []
    for i in range(n):
        rows.append(i)
        columns.append(n - 1 - i)
        chosen.append(i > 1)
    m = np.outer(x, x)
    m[rows, columns] = -1.0
    return m[rows, columns], m[np.ix_(rows, [0, 2])], x[:n][np.array(chosen)], m


@program(case(X, N))
def curves(x, n):
    xs, ys = [], []
    for i in range(n):
        xs.append(x[i])
        ys.append(x[i] ** 2)
    return (
        np.trapezoid(ys, xs),
        np.array_equal(xs, ys),
        np.linalg.norm(xs),
        np.interp(1, xs, ys),
    )


@program(case(X, N))
def table_of_lists(x, n):
    history = {"value": [], "turn": []}
    for i in range(n):
        history["value"].append(x[i])
        history["turn"].append(i)
    return {name: np.array(values) for name, values in history.items()}


@program(case(X, ag.asarray(0)), case(X, N))
def empty_list_of_floats(x, n):
    out = []
    for i in range(n):
        out.append(x[i])
    return np.array(out), len(out)


Y = np.array([2.5, -1.0, 0.5, 7.25, -3.5, 0.5, 6.0, -2.0, 1.0, 4.0, 3.0, -7.0])


@program(case(Y, N), case(Y[:5], 2), compiled=True)
def sorted_arrays(y, n):
    by_value = sorted(range(len(y)), key=lambda i: y[i])
    pairs = sorted(zip(y, range(len(y))), reverse=True)
    return sorted(y), sorted(y, reverse=True)[:2], by_value, pairs[0], sorted(y * n)[-1]


@program(case(Y, N), case(np.array([-np.inf, -0.0, 4.0]), 2), compiled=True, vary=False)
def powers(y, n):
    return y**0.5, y**-1, np.round(y**3, 9), np.round(y**4, 9), y**0, np.power(y, 0.5), y**n


EMPTIED = (
    case(np.array([1.0, -2.0, 3.0])),
    case(np.array([-1.0, -2.0])),
    case(np.array([0.0, 5.0])),
    case(np.tile([1.0, -2.0, 3.0], 11)),
    case(-np.ones(30)),
)


@program(*EMPTIED, compiled=True)
def rows_that_may_be_missing(x):
    rows = []
    for value in x:
        if value > 0:
            rows.append([value, value * 2])
    made = np.array(rows)
    return made, made.shape, len(made), made.sum(), np.sum(rows)


@program(*EMPTIED, compiled=True)
def places_that_may_be_missing(x):
    places = [i for i in range(len(x)) if x[i] > 0]
    found = np.array(places)
    return found + 1, found * 2.5, found.dtype, found.sum(), np.asarray(places)


@program(*EMPTIED)
def means_of_what_there_is(x):
    kept = []
    for value in x:
        if value > 0:
            kept.append(np.array([value, 1.0]))
    made = np.array(kept)
    if len(made) == 0:
        return np.zeros(2)
    return made.mean(axis=0)


@program(*EMPTIED)
def columns_that_may_be_missing(x):
    pairs = [(i, value) for i, value in enumerate(x) if value > 0]
    made = np.array(pairs)
    return made[:, 0], made.sum()
