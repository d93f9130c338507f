"""What is refused or fails: losses, metrics and optimizers that are given something else."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import fails, matrix, one, t, three

losses = ag.nn.losses


@fails(matrix)
def predictions_of_other_axes(x):
    return losses.mean_squared_error(x, x[0])


@fails(matrix)
def labels_of_as_many_axes(x):
    return losses.softmax_cross_entropy(x, t([[0], [1]]))


@fails(matrix)
def labels_that_are_no_classes(x):
    return losses.softmax_cross_entropy(x, t([0, 9]))


@fails(matrix)
def probabilities_of_other_axes(x):
    return losses.softmax_cross_entropy(x, x[0])


@fails(matrix)
def accuracy_of_a_column(x):
    return ag.nn.metrics.Accuracy().update(x, t([[0], [1]]))


@fails(one)
def gradients_of_other_names(x):
    layer = ag.nn.Dense(1, 1)
    return ag.nn.optimizers.SGD(layer).apply({"kernel of another": x})


@fails(one)
def fewer_gradients_than_variables(x):
    return ag.nn.optimizers.SGD(ag.nn.Dense(1, 1)).apply([x])


@fails(matrix)
def output_and_state_given_as_the_state(x):
    cell = ag.nn.GRUCell(x.shape[1], 3)
    state = cell(x, cell.initial(2))
    return cell(x, state)


@fails(matrix)
def output_and_pair_given_as_the_pair(x):
    cell = ag.nn.LSTMCell(x.shape[1], 3)
    state = cell(x, cell.initial(2))
    return cell(x, state)


@fails(three)
def share_above_one(x):
    return ag.quantile(ag.ones(3), 1.5)


@fails(matrix)
def labels_of_other_rows(x):
    return losses.softmax_cross_entropy(x, ag.asarray([0]))


@fails(matrix)
def clipped_below_zero(x):
    return ag.nn.optimizers.clip_by_norm([x], -1.0)


@fails(matrix)
def tensordot_of_other_sizes(x):
    return ag.tensordot(x, ag.ones((3, 2)), axes=2)


@fails(one)
def less_than_no_classes(x):
    return ag.one_hot(ag.asarray([0]), -1) * x


@fails(matrix)
def outer_of_matrices(x):
    return ag.outer(x, x)


@fails()
def units_as_text():
    return ag.nn.Dense("3", 2)


@fails()
def units_below_zero():
    return ag.nn.Dense(3, -2)


@fails()
def activation_by_name():
    return ag.nn.Dense(3, 2, "relu")


@fails()
def bias_in_the_place_of_the_activation():
    return ag.nn.Dense(3, 2, False)


@fails()
def window_of_three_sizes():
    return ag.nn.Conv2D(2, 4, (3, 3, 3))


@fails()
def padding_of_another_library():
    return ag.nn.Conv2D(2, 4, padding="full")


@fails()
def layers_that_are_none():
    return ag.nn.Sequential(3, 4)


@fails()
def rate_as_text():
    return ag.nn.Dropout("half")


@fails()
def recurrence_of_a_number():
    return ag.nn.RNN(3)


@fails()
def learning_rate_as_text():
    return ag.nn.optimizers.SGD(ag.nn.Dense(1, 1), "fast")


@fails(matrix)
def gradients_in_one_tensor(x):
    return ag.nn.optimizers.clip_by_global_norm(x, 1.0)


@fails()
def warmup_to_a_number():
    return ag.nn.schedules.warmup(3, 0.1)


@fails(matrix)
def transposed_with_zeros(x):
    images = ag.ones((1, 3, 3, 2))
    return ag.conv2d_transpose(images, ag.ones((3, 3, 2, 2)), 2, 1)


@fails()
def stride_in_two_numbers():
    return ag.conv1d(ag.ones((1, 5, 2)), ag.ones((3, 2, 2)), (1, 2))


@fails()
def stride_of_nothing():
    return ag.conv1d(ag.ones((1, 5, 2)), ag.ones((3, 2, 2)), 0)


@fails()
def three_paddings():
    return ag.conv2d(ag.ones((1, 5, 5, 2)), ag.ones((3, 3, 2, 2)), 1, (1, 2, 3))


@fails()
def padding_of_text():
    return ag.max_pool2d(ag.ones((1, 5, 5, 2)), 2, 2, (("a", 1), (0, 0)))


@fails()
def three_paddings_of_a_sequence():
    return ag.conv1d(ag.ones((1, 5, 2)), ag.ones((3, 2, 2)), padding=(1, 2, 3))
