"""What is refused or fails: tensors: shapes, keys, what is stacked."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import fails, matrix, one, refused, t, two


@refused(two, lambda: t([1.0, 2.0, 3.0]))
def broadcast(x, y):
    return x + y


@refused(two)
def matmul_of_vector_and_matrix(x):
    return ag.ones((3, 3)) @ x


@refused(one)
def matmul_of_scalar(x):
    return x @ x


@fails(two)
def index_out_of_range(x):
    return x[5]


@fails(two)
def too_many_indices(x):
    return x[0, 0]


@refused(two)
def two_ellipses(x):
    return x[..., ...]


@fails(two)
def index_by_float(x):
    return x[1.5]


@fails(two)
def index_by_text(x):
    return x["a"]


@fails(two)
def index_by_float_tensor(x):
    return x[t([0.0])]


@fails(two)
def slice_by_text(x):
    return x["a":]


@refused(two)
def slice_step_zero(x):
    return x[::0]


@fails(two)
def mask_of_other_shape(x):
    return x[t([True, False, True])]


@fails(matrix)
def assignment_into_slice(x):
    row = x[0]
    row[0] = 9.0
    return x


@refused(two)
def assignment_of_other_shape(x):
    x[:] = [1.0, 2.0, 3.0]
    return x


@refused(two)
def reshape_misfit(x):
    return ag.reshape(x, (3,))


@refused(two)
def reshape_two_unknown(x):
    return ag.reshape(x, (-1, -1))


@refused(two)
def axis_out_of_range(x):
    return ag.sum(x, axis=3)


@refused(matrix)
def axis_repeated(x):
    return ag.sum(x, axis=(0, 0))


@refused(matrix)
def squeeze_of_wide(x):
    return ag.squeeze(x, axis=0)


@refused(matrix)
def permute_wrong(x):
    return ag.permute_dims(x, (0, 0))


@refused(matrix)
def concat_misfit(x):
    return ag.concat([x, ag.ones((3, 3))], axis=0)


@refused()
def concat_of_nothing():
    return ag.concat([])


@refused(one)
def concat_of_scalars(x):
    return ag.concat([x, x])


@refused()
def stack_of_nothing():
    return ag.stack([])


@refused(one, two)
def stack_misfit(x, y):
    return ag.stack([x, y])


@refused(matrix)
def broadcast_misfit(x):
    return ag.broadcast_to(x, (3, 3))


@refused(lambda: ag.zeros((0,)))
def max_of_empty(x):
    return ag.max(x)


@refused(lambda: ag.zeros((0,)))
def argmax_of_empty(x):
    return ag.argmax(x)


@fails(matrix)
def cumulative_without_axis(x):
    return ag.cumulative_sum(x)


@refused(lambda: t([1, 0, 2]))
def shape_of_staged_length(x):
    return ag.zeros(x[x > 0]) + 1.0


@fails(two)
def vecdot_of_other_sizes(x):
    return ag.vecdot(x, ag.zeros(3))


@fails(two)
def list_without_a_copy(x):
    return ag.asarray([1.0, 2.0], copy=False)
