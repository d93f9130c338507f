"""What is refused or fails: conditions."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import refused, two


@refused(two)
def if_of_several(x):
    if x > 0:
        return 1
    return 0


@refused(two)
def while_of_several(x):
    while x < 10:
        x = x * 2
    return x


@refused(two)
def and_of_several(x):
    return x > 0 and x < 3


@refused(two)
def not_of_several(x):
    return not x


@refused(two)
def assert_of_several(x):
    assert x > 0
    return x


@refused(two)
def ternary_of_several(x):
    return 1 if x > 0 else 2


@refused(two)
def bool_of_several(x):
    return bool(x)


@refused(lambda: ag.zeros((0,)))
def if_of_none(x):
    if x:
        return 1
    return 0
