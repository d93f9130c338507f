"""What fails: gradients written by the user, checked, recomputed, or asked for row by row."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import fails, one, refused, two

WEIGHT = ag.Variable(2.0, name="weight")


class Pair:
    def __init__(self, a):
        self.a = a


@refused(one)
def result_that_hides_a_tensor(x):
    @ag.custom_gradient
    def paired(value):
        return Pair(value), lambda g: g

    return paired(x)


@refused(one)
def gradient_function_that_is_none(x):
    @ag.custom_gradient
    def doubled(value):
        return value * 2, None

    return doubled(x)


@refused(one)
def gradient_function_without_variables(x):
    @ag.custom_gradient
    def weighted(value):
        return value * WEIGHT, lambda g: g

    return weighted(x)


def gradient_by(x, given):
    @ag.custom_gradient
    def weighted(value):
        def gradient(g, variables):
            return given(g)

        return value * WEIGHT, gradient

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = weighted(x)
    return tape.gradient(y, x)


@fails(one)
def one_gradient_in_the_place_of_two(x):
    return gradient_by(x, lambda g: g)


@fails(one)
def no_gradient_of_the_variable(x):
    return gradient_by(x, lambda g: (g, []))


@refused(two)
def gradient_of_another_shape(x):
    @ag.custom_gradient
    def total(values):
        return ag.sum(values), lambda g: ag.ones((3,)) * g

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = total(x)
    return tape.gradient(y, x)


@fails(one)
def gradient_that_is_checked_and_wrong(x):
    @ag.custom_gradient
    def squared(value):
        return value * value, lambda g: g

    return ag.check_gradients(squared, x)


@fails(one)
def other_results_when_recomputed(x):
    runs = []

    @ag.recompute
    def growing(value):
        runs.append(value)
        return [value * number for number in range(1, len(runs) + 1)]

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = growing(x)
    return tape.gradient(y, x)


@refused(lambda: ag.ones((2, 3)), lambda: ag.ones((4, 3)))
def batches_of_other_sizes(x, y):
    with ag.GradientTape() as tape:
        tape.watch(x)
        z = y * ag.sum(x)
    return tape.batch_jacobian(z, x)


@fails(one)
def unconnected_by_another_name(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x, unconnected_gradients="zeros")


class OfOnePath(ag.nn.Module):
    def __init__(self):
        self.parts = {1: ag.Variable(1.0), "1": ag.Variable(2.0)}


@fails(one)
def variables_of_one_path(x):
    return OfOnePath().named_variables()


@fails(one)
def optimizer_without_variables(x):
    return ag.nn.optimizers.Adam(0.01)


@fails(one)
def gradients_for_another_number_of_variables(x):
    return ag.nn.optimizers.SGD([ag.Variable(1.0)], 0.1).apply([x, x])


@fails()
def rates_that_do_not_fit():
    return ag.nn.schedules.piecewise([10, 20], [0.1, 0.01])
