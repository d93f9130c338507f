"""What is refused or fails: operations, and what they are given."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import fails, matrix, one, refused, t, three, two


@refused(lambda: t([1, 2]))
def power_of_negative(x):
    return x**-1


@refused(one)
def bitwise_of_float(x):
    return x & 1


@refused(lambda: t(1, dtype=ag.int8))
def int_too_large_for_dtype(x):
    return x + 1000


@refused()
def negative_size():
    return ag.zeros((-1,))


@refused()
def size_of_text():
    return ag.zeros("a")


@fails()
def size_of_float():
    return ag.zeros((1.5,))


@refused(two)
def full_of_several(x):
    return ag.full((2,), x)


@refused(two)
def triangle_of_vector(x):
    return ag.tril(x)


@fails(one)
def nonzero_of_scalar(x):
    return ag.nonzero(x)


@fails(two)
def transposed_vector(x):
    return ag.matrix_transpose(x)


@fails(one)
def one_hot_of_float(x):
    return ag.one_hot(x, 3)


@fails()
def random_seed_of_float():
    return ag.random_uniform(seed=1.5)


@fails()
def random_dtype():
    return ag.random_uniform(dtype=ag.int32)


@fails()
def random_range():
    return ag.random_integers(5, 5)


@fails(matrix)
def take_without_axis(x):
    return ag.take(x, t([0]))


@fails(two)
def op_without_argument(x):
    return ag.add(x)


@fails(two)
def op_with_too_many(x):
    return ag.exp(x, x, x)


@fails(two)
def op_with_unknown_keyword(x):
    return ag.sum(x, axes=0)


@fails(two)
def op_with_argument_twice(x):
    return ag.add(x, x, x1=x)


@fails(two)
def stack_with_unknown_keyword(x):
    return ag.stack([x], axes=0)


@fails(two)
def concat_without_argument(x):
    return ag.concat()


@fails(two)
def op_of_text(x):
    return ag.exp("a")


@fails(one)
def eager_length_of_scalar(x):
    return len(x)


@fails(two)
def eager_truth_of_several(x):
    return bool(x)


@fails(two)
def eager_index(x):
    return [1, 2][x]


@refused(matrix)
def index_arrays_that_do_not_fit(x):
    return x[[0, 1], [0, 1, 0]]


@refused(two)
def list_of_texts_as_index(x):
    return x[["a"]]


@refused(matrix)
def take_along_other_rank(x):
    return ag.take_along_axis(x, t([0]), axis=0)


@refused(two)
def axis_of_flip(x):
    return ag.flip(x, axis=2)


@refused(lambda: t([1, 2]), lambda: t(-1))
def power_of_tensors(x, y):
    return x**y


@refused(two)
def indices_out_of_range(x):
    return x[t([0, 7])]


@refused(two)
def scalar_unstacked(x):
    return ag.unstack(x[0])


@refused(two)
def staged_length_unstacked(x):
    return ag.unstack(x[x > 0])


@refused(matrix)
def axes_of_other_number(x):
    return ag.permute_dims(x, (0,))


@refused(two)
def expand_same_axis(x):
    return ag.expand_dims(x, axis=5)


@refused(two)
def required_attribute(x):
    return ag.astype(x)


@refused(two)
def attribute_twice(x):
    return ag.sum(x, 0, axis=0)


@refused(two)
def seed_of_floats(x):
    return ag.random_uniform((2,), seed=x)


@refused(two)
def sizes_of_floats(x):
    return ag.zeros((x[0],))


@refused(three)
def empty_stacked(n):
    items = [i for i in range(n - 3)]
    return ag.stack(items)


@refused(three)
def empty_concatenated(n):
    items = [ag.ones((1,)) for _ in range(n - 3)]
    return ag.concat(items)


@refused(three)
def scalars_concatenated(n):
    items = [i for i in range(n)]
    return ag.concat(items)


@refused(three)
def index_of_grown(n):
    items = [i for i in range(n)]
    return items[7]


@refused(three)
def pop_of_empty(n):
    items = [i for i in range(n - 3)]
    return items.pop()


@refused(two)
def reshape_unknown_misfit(x):
    return ag.reshape(x, (3, -1))


@refused(lambda: t(2.5))
def root_of_negative(x):
    return (-float(x)) ** 0.5


@refused(lambda: t(0.0))
def power_of_zero(x):
    return float(x) ** -1.0


@refused(two)
def coefficients_of_unknown_number(x):
    return ag.polyval(x[x > 0], x)


@refused(two)
def convolution_of_unknown_length(x):
    return ag.convolve(x[x > 0], x)
