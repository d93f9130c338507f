"""Sizes that data decide, beside other sizes: whether an axis is repeated shows in the run."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

MATRIX = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


@program(case(t(MATRIX), t(1)), case(t(MATRIX), t(0)), case(t(MATRIX), t(7)))
def slice_of_one_row_broadcast_to(x, i):
    return ag.broadcast_to(x[i : i + 1], (4, 3))


@program(case(t(MATRIX), t(1)), case(t(MATRIX), t(0)))
def slice_of_one_row_assigned(x, i):
    y = ag.zeros((2, 3))
    y[...] = x[i : i + 1]
    return y


@program(case(t(MATRIX), t(1)), case(t(MATRIX), t(2)), case(t(MATRIX), t(0)))
def slice_times_the_whole(x, i):
    return x[:i] * x


@program(case(t(MATRIX), t(1)), case(t(MATRIX), t(0)), case(t(MATRIX), t(2)))
def rest_added_to_the_whole(x, i):
    return x + x[i:]


@program(case(t(MATRIX), t(1)), case(t(MATRIX), t(2)))
def columns_and_rows_in_a_maximum(x, i):
    return ag.maximum(x[:i], x[:, i - 1 : i])


@program(
    case(t([1.0, 2.0, 3.0])),
    case(t([1.0, 2.0, 3.0, 4.0])),
    case(t([1.0, 2.0])),
    case(t([5.0])),
)
def rest_beside_a_constant(x):
    return x[1:] + ag.asarray([1.0, 2.0])


@program(
    case(t([1.0, 2.0, 3.0]), t([1.0, 1.0])),
    case(t([1.0, 2.0, 3.0, 4.0]), t([1.0, 1.0, 1.0])),
    case(t([1.0, 2.0]), t([1.0, 2.0, 3.0])),
    case(t([1.0, 2.0]), t([1.0])),
    case(t([1.0, 2.0, 3.0, 4.0]), t([1.0, 1.0])),
)
def rest_beside_an_argument(x, y):
    return x[1:] * y


@program(case(t(MATRIX), t(1)), case(t(MATRIX), t(2)), ulps=16)
def gradient_of_repeated_parts(x, i):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(ag.sin(x[:, i - 1 : i] - x) * x[:i])
    return y, tape.gradient(y, x)


@program(case(t([1.0, 2.0, 3.0, 4.0])), case(t([3.0, 1.0, 3.0])), ulps=4)
def gradient_of_one_beside_many(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(x[x > 2] * (x[x < 2] * ag.ones_like(x[x > 2])))
    return tape.gradient(y, x)


@program(case(t([[0.1, 0.2], [0.3, 0.4]]), t(2)), case(t([[0.1, 0.2], [0.3, 0.4]]), t(1)), ulps=64)
def gradient_through_a_loop_over_rows(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        h = x * 0
        for i in range(n):
            h = ag.tanh(h * x[i : i + 1] + x[:, i : i + 1] * h + x)
        y = ag.sum(h)
    return y, tape.gradient(y, x)


@program(case(t(MATRIX), t(1)), case(t(MATRIX), t(2)))
def repeated_in_augmented_assignment(x, i):
    x[0:i] += x[:1] * 2
    x *= x[:i, :1]
    return x


@program(case(t(MATRIX), t(1)), case(t(MATRIX), t(2)), case(t(MATRIX), t(3)))
def rows_summed_in_a_loop(x, n):
    total = ag.zeros((3,))
    for j in range(n):
        total = total + x[j : j + 1]
    return total


@program(case(t(MATRIX), t(1)), case(t(MATRIX), t(2)), ulps=4, slow=True)
def products_joins_and_maxima_of_slices(x, i):
    return x[:i] @ ag.ones((3, 2)), ag.concat([x[:i], x[:1]]), ag.maximum(x[:i], x[i - 1 : i])


@program(case(t(MATRIX), t([0, 1]), t(1)), case(t(MATRIX), t([1, 0]), t(2)))
def rows_assigned_at_positions(x, places, i):
    y = ag.zeros((2, 3))
    y[places] = x[:i]
    y[:, places] = x[:i, :1]
    return ag.scatter_add(y, places, x[:i])


@program(case(t([0.5, -0.25, 1.5]), t(3)), case(t([0.5, -0.25, 1.5]), t(0)), compiled=True)
def parts_whose_sizes_come_one_after_the_other(x, n):
    rows = x[:1]
    for i in range(n):
        rows = ag.concat([rows * 2, x[i : i + 1] * rows[-1]])
    return rows


@program(case(t([0.5, -0.25, 1.5]), t(3)), case(t([0.5, -0.25, 1.5]), t(0)))
def worklist_popped_in_branches(x, n):
    work, kept = [x * 1, x * 2], x * 0
    for i in range(n):
        if len(work) > 1:
            y = work.pop()
        else:
            y = kept + i
        kept = y * 0.5
        if i == 1:
            work.append(kept * 1)
    return kept, work


@program(case(t([1.0, 2.0, 3.0]), t(2)), case(t([1.0, 2.0, 3.0]), t(-1)), vary=False, mutate=False)
def repeated_below_zero(x, n):
    return ag.repeat(x, int(n), axis=0)


@program(case(t([1.0, 2.0, 3.0]), t(2)), case(t([1.0, 2.0, 3.0]), t(-1)), vary=False, mutate=False)
def tiled_below_zero(x, n):
    return ag.tile(x, (int(n),))


UNFIT = (
    *(case(ag.ones(n), ag.ones(n), ag.asarray(3)) for n in (3, 4, 5)),
    case(ag.ones(5), ag.ones(6), ag.asarray(3)),
    case(ag.ones(5), ag.ones(6), ag.asarray(0)),
)
"""Sizes become symbols; then two that do not fit come together, where nobody uses the result."""


@program(*UNFIT)
def unused_sum_of_what_does_not_fit(x, y, n):
    x + y
    return 1


@program(*UNFIT)
def unused_sum_on_one_path(x, y, n):
    if n > 2:
        z = x + y
    return x * 2


@program(*UNFIT)
def unused_in_a_loop(x, y, n):
    for _ in range(n):
        z = x + y
        w = z * 2
    return x * 2


@program(*UNFIT, compiled=True)
def unused_choice_of_three(x, y, n):
    ag.where(x > 0, x, y) * 2
    return len(x)


@program(*UNFIT)
def gradient_of_what_does_not_fit(x, y, n):
    return ag.grad(lambda x: ag.sum(x + y))(x)
