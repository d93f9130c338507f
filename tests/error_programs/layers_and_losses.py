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
