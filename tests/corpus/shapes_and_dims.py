"""Sizes: seen with several values, computed with, compared, passed to ops."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


def _rows(*counts, columns=2):
    return [
        case(ag.reshape(ag.arange(n * columns, dtype=ag.float32), (n, columns))) for n in counts
    ]


@program(*_rows(2, 3, 4, 1, 5, 0), compiled=True)
def mean_of_rows(m):
    return ag.sum(m, axis=0) / m.shape[0], m.shape


@program(*_rows(2, 3, 4, 1, 5))
def branch_on_a_size(m):
    if m.shape[0] > 3:
        return m[:3]
    if m.shape[0] == 1:
        return m * 100
    return m


@program(*_rows(2, 3, 4, 1, 5, 0))
def loop_over_a_size(m):
    total = 0.0
    for i in range(m.shape[0]):
        total = total + m[i, 0] * i
    return total


@program(*_rows(2, 3, 4, 1, 5, 0))
def loop_over_rows(m):
    total = ag.zeros((2,))
    for row in m:
        if row[0] > 1:
            total = total + row
    return total


@program(*_rows(2, 4, 6, 1, 8))
def reshape_by_sizes(m):
    n = m.shape[0]
    flat = ag.reshape(m, (n * 2,))
    again = ag.reshape(flat, (-1, n))
    return flat, again, ag.permute_dims(again, (1, 0)).shape


@program(
    case(ag.ones((2, 3)), ag.ones((3,))),
    case(ag.ones((4, 3)), ag.ones((3,))),
    case(ag.ones((4, 5)), ag.ones((5,))),
    case(ag.ones((4, 5)), ag.ones((1,))),
    case(ag.ones((1, 5)), ag.ones((5,))),
)
def broadcast_of_symbols(m, v):
    return m + v, ag.sum(m * v, axis=1)


@program(
    case(ag.ones((2,)), ag.ones((2,))),
    case(ag.ones((3,)), ag.ones((3,))),
    case(ag.ones((4,)), ag.ones((5,))),
    case(ag.ones((6,)), ag.ones((6,))),
    case(ag.ones((6,)), ag.ones((1,))),
)
def shapes_that_fail_to_broadcast(x, y):
    return x + y


@program(*_rows(2, 3, 4))
def zeros_like_and_full(m):
    n = m.shape[0]
    return ag.zeros((n, 3)), ag.full((n,), n), ag.arange(n), ag.eye(n), ag.ones_like(m) * n


@program(*_rows(3, 4, 5, 1))
def slices_by_size(m):
    half = m.shape[0] // 2
    return m[:half], m[half:], m[-1], m[::-1][:2]


@program(*_rows(2, 3, 4, 1))
def concat_and_stack(m):
    both = ag.concat([m, m * 2])
    return both, ag.stack([m, m]).shape, both.shape[0] == 2 * m.shape[0], len(both)


@program(*_rows(2, 3, 5, 1))
def matrix_products(m):
    gram = m @ ag.matrix_transpose(m)
    return gram, ag.matmul(ag.matrix_transpose(m), m)


@program(case(t([1.0, 2.0, 3.0])), case(t([-1.0, -2.0])), case(t([1.0])))
def size_decided_by_the_data(x):
    kept = x[x > 1]
    if kept.shape[0] > 0:
        return kept, ag.sum(kept), len(kept)
    return x, ag.sum(x), 0


@program(case(t(3)), case(t(0)), case(t(5)))
def size_from_a_tensor(n):
    x = ag.arange(n)
    return x, x.shape[0], ag.zeros((n, 2)), len(x)


@program(*_rows(2, 3, 4, 1))
def sizes_as_data(m):
    n, k = m.shape
    return m * n + k, ag.asarray([n, k]), n / k, (n, k) == m.shape


@program(*_rows(2, 3, 4, 1, columns=3))
def unpacked_columns(m):
    a, b, c = m.T
    return a + b * c


@program(*_rows(2, 3, 4, 6))
def python_condition_on_a_size_in_a_loop(m):
    total = ag.zeros((2,))
    i = 0
    while i < m.shape[0]:
        total = total + m[i]
        if i + 1 == m.shape[0]:
            total = total * 10
        i += 2
    return total


@program(*_rows(2, 3, 4, 1, 0))
def softmax_over_rows(m):
    return ag.softmax(m, axis=1), ag.log_softmax(m, axis=0), ag.logsumexp(m, axis=1)


@program(case(t(3), t(2)), case(t(2), t(2)), case(t(0), t(4)))
def growing_batch_in_a_loop(n, k):
    x = ag.zeros((1, 2))
    for i in range(n):
        x = ag.concat([x, ag.ones((1, 2)) * i])
        if x.shape[0] > 2:
            x = x[1:]
    return x, x.shape[0] * k


@program(
    case(ag.ones((2, 3)), (3, 2)),
    case(ag.ones((4, 3)), (6, 2)),
    case(ag.ones((4, 3)), (2, -1)),
    case(ag.ones((4, 3)), (5, 2)),
)
def shape_as_an_argument(m, shape):
    return ag.reshape(m, shape) * 2
