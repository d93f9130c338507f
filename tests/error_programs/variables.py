"""What is refused or fails: variables."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import fails, one, refused, t


@fails(lambda: ag.Variable([1.0, 2.0]))
def assign_of_other_shape(v):
    return v.assign([1.0, 2.0, 3.0])


@fails(lambda: ag.Variable([1.0, 2.0], name="weight"))
def assign_of_other_dtype(weight):
    return weight.assign(t([1, 2]))


@fails(lambda: ag.Variable([1, 2]))
def assign_of_floats(v):
    return v.assign([1.5, 2.5])


@fails(lambda: ag.Variable([1.0, 2.0]))
def assign_add_of_other_shape(v):
    return v.assign_add([1.0, 2.0, 3.0])


@fails(lambda: ag.Variable([1.0, 2.0]))
def assign_of_text(v):
    return v.assign("text")


@refused(one)
def variable_of_global(x):
    return WEIGHT.assign(x * ag.ones((3,)))


# -------------------------------------------------------------------------------------------------
WEIGHT = ag.Variable([1.0, 2.0], name="weight")


@fails(one)
def made_again_for_another_list(x):
    @ag.function(mode="evaluate")
    def scaled(value, options):
        return value * ag.Variable(1.0)

    scaled(x, [1])
    return scaled(x, [1])
