"""What is refused or fails: gradients."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import autograph as ag
from tests.error_programs.registry import fails, one, refused, t, three


@fails(lambda: t([1, 2]))
def watch_of_integers(n):
    with ag.GradientTape() as tape:
        tape.watch(n)
    return tape.gradient(n, n)


@fails(lambda: t([1.0, 2.0]))
def gradient_of_integers(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.astype(x, ag.int64)
    return tape.gradient(y, x)


@fails(3.0)
def watch_of_number(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
    return x


@refused(lambda: t([-1.0, 2.0]))
def watch_of_what_is_not_there(x):
    y = x if x[0] > 0 else None
    with ag.GradientTape() as tape:
        tape.watch(y)
        z = ag.sum(x)
    return tape.gradient(z, x)


@fails(one)
def gradient_of_number(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
    return tape.gradient(3.0, x)


@fails(one)
def gradient_twice(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    return tape.gradient(y, x)


@fails(one)
def tape_entered_twice(x):
    tape = ag.GradientTape()
    with tape, tape:
        return x


@refused(one)
def tape_stopped_in_a_branch(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        if x > 0:
            with tape.stop_recording():
                x = x * x
    return x


@refused(one)
def gradient_function_that_changes_state(x):
    calls = []

    @ag.custom_gradient
    def f(a):
        def gradient(g):
            calls.append(g)
            return g

        return a * 1, gradient

    return f(x), calls


@fails(one)
def too_many_gradients(x):
    @ag.custom_gradient
    def f(a):
        return a * 1, lambda g: (g, g)

    return ag.grad(f)(x)


@fails(one)
def tape_not_recording(x):
    tape = ag.GradientTape()
    with tape.stop_recording():
        return x


@fails(one)
def seeds_misfit(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient([y, y], x, output_gradients=[y])


@refused(one)
def seed_of_other_shape(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x, output_gradients=ag.ones((3,)))


FACTOR = ag.Variable(2.0, name="factor")


@refused(one)
def variable_read_by_py_function(x):
    w = FACTOR
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.py_function(lambda a: a * w, [x], ag.TensorSpec((), ag.float32))
    return tape.gradient(y, x)


@refused(lambda: t(3), one)
def lists_of_every_call_of_a_recursion(n, x):
    def go(k, x):
        if k <= 0:
            return x
        items = [ag.ones((j + 1,)) * x for j in range(k)]
        return ag.sum(ag.concat(items) ** 2) + go(k - 1, x)

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = go(n, x)
    return tape.gradient(y, x)


@refused(three)
def target_taken_in_a_loop(n):
    x = ag.asarray(2.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        powers, power = [], x
        for _ in range(n):
            power = power * x
            powers.append(power)
    total, i = 0.0, 0
    while i < n:
        power = powers[i]
        total += power
        i += 1
    return tape.gradient(power, x), total


@refused(three)
def gradient_of_turns_before(n):
    x = ag.asarray(2.0)
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, slope = x, x
        for _ in range(n):
            y = y * x
            slope = tape.gradient(y, x)
    return slope


@refused(three)
def gradient_of_a_grown_list(n):
    x = ag.asarray(2.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        losses = [x * i for i in range(n)]
    return tape.gradient(losses, x)


@refused(three)
def gradient_of_what_is_taken_from_a_list(n):
    items = []
    for i in range(n):
        items.append(ag.ones((2,)) * i)
    with ag.GradientTape() as tape:
        tape.watch(items[2])
        y = ag.sum(items[2] ** 2)
    return tape.gradient(y, items[2])


@refused(three)
def number_that_is_watched(n):
    with ag.GradientTape() as tape:
        tape.watch(int(n))


ASSIGNED = ag.Variable(1.0, name="assigned")


@refused(one)
def variable_first_read_in_a_branch(x):
    with ag.GradientTape() as tape:
        if x > 0:
            ASSIGNED.assign(x)
            y = ASSIGNED * 2
        else:
            y = x
    return tape.gradient(y, ASSIGNED)


@ag.function(mode="evaluate")
def into_an_array(x, out):
    out[0] = x[0]


@fails(lambda: t([1.0, 2.0]))
def array_that_a_staged_call_changes(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        into_an_array(x, np.zeros(2))


@fails(lambda: np.ones((2, 2)).view(np.matrix))
def gradient_by_a_matrix(x):
    return ag.grad(lambda a: (a * a).sum())(x)


@refused(np.float64(0.5), one)
def gradient_by_a_scalar_or_a_tensor(k, x):
    k = k if x > 0 else ag.asarray(2.0, dtype=ag.float64)
    return ag.grad(lambda k: k**3)(k)


@dataclass
class Weights:
    w: object


@fails(lambda: Weights(np.ones(2)))
def gradient_by_a_dataclass_of_arrays(weights):
    return ag.grad(lambda weights: weights.w.sum())(weights)


@ag.function(mode="evaluate")
def number_of(x):
    return math.exp(x[0])


@fails(lambda: t([1.0, 2.0]))
def number_that_a_staged_call_gives(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        return number_of(x) * x


@fails(lambda: np.array([1.0, 2.0]))
def function_of_math(x):
    return ag.grad(lambda x: x[0] * math.sin(x[1]))(x)


@ag.recompute
def array_again(x):
    out = np.zeros(2)
    out[0] = x[0]
    return out


@fails(lambda: t([1.0, 2.0]))
def array_of_a_recomputed_call(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        return array_again(x)
