"""What is refused or fails: state, functions as values, gradients of one's own, foreign arrays."""

from __future__ import annotations

import copy
import pickle

import autograph as ag
from tests.error_programs.registry import fails, one, refused, three


class Point:
    def __init__(self, x):
        self.x = x

    @ag.function
    def moved(self, by):
        return self.x + by


@refused(one)
def zip_advanced_in_a_branch(x):
    pairs = zip([x, x], [x, x + 1])
    if x > 0:
        x = next(pairs)[1]
    return x


@refused(three)
def deep_copy_of_rows_that_change(n):
    rows = [[i] for i in range(n)]
    rows[0].append(5)
    return copy.deepcopy(rows)


@refused(three)
def attributes_of_a_member(n):
    points = [Point(i) for i in range(n)]
    points[0].x += 1
    return vars(points[0])


@refused(one)
def text_chosen_for_a_gradient(x):
    @ag.custom_gradient
    def scaled(value, how):
        return value * 2, lambda gradient: (gradient, None)

    return scaled(x, "up" if x > 0 else "down")


@fails(one)
def bound_function_pickled(x):
    pickle.dumps(Point(x).moved)


@fails(one)
def variable_made_in_every_call(x):
    @ag.function
    def scaled(value):
        return value * ag.Variable(2.0, name="scale")

    scaled(x)
    return scaled(x)


@fails(one)
def concrete_before_the_first_call(x):
    held = {}

    @ag.function
    def scaled(value):
        if "scale" not in held:
            held["scale"] = ag.Variable(2.0, name="scale")
        return value * held["scale"]

    return scaled.get_concrete(x)


@fails(one)
def argument_that_fits_no_signature(x):
    @ag.function(input_signature=[ag.TensorSpec((None,), ag.int64)])
    def doubled(value):
        return value * 2

    return doubled([0.5, 1.5])


@fails(one)
def signature_that_is_no_list(x):
    return ag.function(lambda value: value, input_signature=ag.TensorSpec(()))(x)


@fails(one)
def signature_of_too_many(x):
    return ag.function(lambda value: value, input_signature=[ag.TensorSpec(())] * 2)(x)


@fails(one)
def signature_of_too_few(x):
    return ag.function(lambda value, rate: value * rate, input_signature=[ag.TensorSpec(())])(x, x)


@fails(one)
def signature_of_shapes(x):
    return ag.function(lambda value: value, input_signature=[(None, 3)])(x)


def power(value, count):
    if count < 1:
        return value
    return ag.recompute(lambda inner: power(inner, count - 1) * inner)(value)


@refused(one)
def recomputed_recursion(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = power(x, ag.astype(x * 3, ag.int64))
    return tape.gradient(y, x)
