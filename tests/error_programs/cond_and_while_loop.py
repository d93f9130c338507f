"""What is refused or fails: cond and while_loop."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import fails, one, refused, two


@fails(two)
def cond_of_several(x):
    return ag.cond(x > 0, lambda: x, lambda: -x)


@refused(one)
def cond_of_other_structure(x):
    return ag.cond(x > 0, lambda: (x, x), lambda: x)


@refused(one)
def cond_of_other_dtype(x):
    return ag.cond(x > 0, lambda: x, lambda: ag.astype(x, ag.int32))


@refused(one)
def cond_of_none(x):
    return ag.cond(x > 0, lambda: x, lambda: None)


@refused(one)
def while_loop_that_changes(x):
    return ag.while_loop(lambda x: x < 5, lambda x: (x, x), [x])


@refused(one)
def while_loop_of_other_dtype(x):
    return ag.while_loop(lambda x: x < 5, lambda x: ag.astype(x, ag.int32), [x])
