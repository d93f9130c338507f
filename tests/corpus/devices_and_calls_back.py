"""Scopes of devices; gradients through Python that is called back."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
NUMBER = ag.TensorSpec(())


@program(case(t(2.0)), case(t(-2.0)))
def scopes_nest(x):
    with ag.device("cpu"):
        y = x * 2
        with ag.device("/device:CPU:0") as name:
            if y > 0:
                y = y + 1
        with ag.device(None):
            y = y * 3
    return y, y.device, x.device, name, ag.devices()[0]


@program(case(t(2.0)))
def a_device_that_is_not_there(x):
    with ag.device("cuda:7"):
        return x * 2


@program(case(t(2.0)))
def a_device_that_is_not_there_is_caught(x):
    try:
        with ag.device("tpu"):
            return x * 2
    except ValueError as error:
        return x, str(error)


@program(case(t(2.0)), case(t(0.5)))
def a_scope_that_is_left_by_an_exception(x):
    try:
        with ag.device("cpu:0"):
            assert x > 1, "small"
            y = x * 2
    except AssertionError:
        y = x
    return y


@program(case(t(3.0), t(2.0)))
def gradients_through_python(x, y):
    with ag.GradientTape() as tape:
        tape.watch([x, y])
        a, b = ag.py_function(lambda v, w: (v * w, v + 1), [x, y], [NUMBER, NUMBER])
        for _ in range(1):
            a = a * ag.py_function(lambda v: v * v, [x], NUMBER)
        z = a * x + b
    return tape.gradient(z, [x, y])


@program(case(t(2.0), t(2)))
def gradients_through_python_in_a_staged_loop(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(n):
            y = ag.py_function(lambda v, w: v * w + 1, [x, y], NUMBER)
    return y, tape.gradient(y, x)


@stateful(case(t(3.0)))
def what_python_prints_in_order():
    def run(x):
        print("first", x)
        y = ag.py_function(lambda v: print("second", float(v)) or v * 2, [x], NUMBER)
        if y > 0:
            ag.py_function(lambda v: print("third", float(v)), [y])
        return y

    return run, None


@program(case(t([3.0, 1.0, 2.0])))
def numpy_called_back(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.numpy_function(np.sort, [x], ag.TensorSpec((3,)))
        low, high = ag.numpy_function(
            lambda a, k: (a.min() + k, a.max()), [x, 1.0], [NUMBER, NUMBER]
        )
        z = ag.sum(x * y) + high
    return y, low, tape.gradient(z, x)
