"""What is refused or fails: try."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import one, refused


@refused(one)
def py_function_that_raises_inside_try(x):
    spec = ag.TensorSpec((), ag.float32)
    try:
        return ag.py_function(lambda x: x / [][0], [x], spec)
    except IndexError:
        return x


@refused(one)
def tape_started_inside_try(x):
    try:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        assert y < 100
    except AssertionError:
        y = x * 3
    return tape.gradient(y, x)


@refused(one)
def raised(x):
    if x > 0:
        raise ValueError(f"{x} is positive")
    return x


@refused(one)
def asserted(x):
    assert x < 0, "must be negative"
    return x


class Bare:
    pass


@refused(one)
def object_of_an_attribute_error(x):
    held = Bare()
    if x > 3:
        held.extra = x
    try:
        return held.extra
    except AttributeError as error:
        return error.obj is held
