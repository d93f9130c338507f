"""Forms of NumPy's functions that few programs use, each as NumPy has it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from tests.corpus.registry import case, program, stateful

X = np.array([1.0, 2.0, 3.0])
ROWS = (case(X), case(X[::-1] + 0.5), case(np.array([0.5, -1.0, 2.5, 7.0])))


@program(*ROWS, compiled=True)
def dtypes_of_choices(x):
    return (
        *(np.where(x > 1, np.float32(1), 0), np.where(x > 1, np.int8(1), 0)),
        *(np.where(x > 1, np.float32(1), np.int64(2)), np.where(x > 1, 1.5, 0)),
        *(np.choose([0, 5, -2], [x[:3], x[:3] * 2], mode="clip"),),
        *(np.choose([0, 5, -1], [x[:3], x[:3] * 2], mode="wrap"),),
    )


@program(*ROWS)
def elements_taken(x):
    return (
        *(np.take(x, x > 1), np.take(x, [True, False]), np.take(x, (0, 1)), x.take((0, 2))),
        *(np.take(x, range(2)), np.take(x, []), np.take(np.outer(x, x), (1, 2), axis=-1)),
    )


@program(*ROWS)
def elements_put_in(x):
    return (
        *(np.insert(x, [0, 1], 7.0), np.insert(x, slice(0, 2), 9), np.insert(x, [], [])),
        *(np.insert(x, np.array([1, 1]), [1, 2]), np.insert(x, [-1, 0], [1, 2])),
        *(np.insert(x, [2], [1, 2]), np.insert(x, np.flatnonzero(x > 1), 0)),
        *(np.insert(x, x > 1, 0), np.insert(np.outer(x, x), [0, 2], 5, axis=1)),
        *(np.insert(x, 1, [7, 8]), np.insert(np.outer(x, x), [1], x[:, None], axis=1)),
    )


@program(*ROWS)
def made_in_other_forms(x):
    y = x[:3].reshape(3, 1, copy=True)
    y[0] = 9
    np.putmask(x, x > 1, [7, 8])
    thin = np.meshgrid(x, x[:2], sparse=True)
    return (
        x,
        y,
        thin,
        np.mean(x, dtype=int),
        np.mean(x > 1, dtype=np.float32),
        np.max(x[:0], initial=3),
    )


@program(*ROWS)
def refused_by_numpy(x):
    found = []
    for one in (
        lambda: np.diag(np.ones((2, 2, 2)) * x[0]),
        lambda: np.transpose(x, (1, 0)),
        lambda: round(x[0] + 1j),
        lambda: np.nanmedian(x, axis=7),
        lambda: np.insert(x, [0, 9], 5),
        lambda: np.polyval(x[0], 2),
    ):
        try:
            found.append(one())
        except (ValueError, TypeError, IndexError) as error:
            found.append((type(error).__name__, str(error)))
    return found


class Node:
    def __init__(self, value, following):
        self.value, self.following = value, following


class Chain:
    def __init__(self):
        self.first = None
        self.values = defaultdict(lambda: np.zeros(2))


@stateful(case(np.array([2.0, 1.0]), np.array(1)), case(np.array([0.0, 1.0]), np.array(2)))
def nodes_that_hold_one_array():
    chain = Chain()

    def f(x, n):
        chain.first = Node(chain.values[int(n)], chain.first)
        if x[0] > 1:
            chain.first = Node(chain.values[int(n)], chain.first)
        return chain.first.value, chain.first.following

    return f, chain


SMALL = tuple(
    case(np.array([1, 2, 100], kind), n) for kind in (np.uint8, np.int8) for n in (5, 300, -1, 7)
)


@program(*SMALL)
def filled_with_what_may_not_fit(u, n):
    return np.full_like(u, n)


@program(*SMALL)
def put_what_may_not_fit(u, n):
    np.put(u, [0], n)
    np.put(u, [1, 2], np.array([300, 2]))
    return u


@program(*SMALL)
def placed_what_may_not_fit(u, n):
    np.place(u, u > 1, [n])
    return u


@program(*SMALL)
def inserted_what_may_not_fit(u, n):
    return np.insert(u, 0, np.array([300])), np.insert(u, 0, n)


@program(*SMALL)
def chosen_by_where_is_cast(u, n):
    return np.where(u > 1, u, n), np.where(u > 1, n, u)


@program(
    case(np.array([0, 1, 2]), np.array([1.0, 2.0, 3.0])),
    case(np.array([0, -1, 1]), np.array([1.0, 2.0, 3.0])),
    case(np.array([0, 3, 1]), np.array([1.0, 2.0, 3.0])),
)
def choice_outside(a, x):
    return np.choose(a, [x, x * 2, x * 3])
