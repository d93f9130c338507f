"""What is refused or fails: cond and while_loop."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import fails, one, refused, two


@refused(two)
def cond_of_several(x):
    return ag.cond(x > 0, lambda: x, lambda: -x)


@refused(one)
def while_loop_of_several(x):
    return ag.while_loop(lambda x: ag.ones(2) > x, lambda x: x + 1, [x])


@refused(one)
def while_loop_that_changes(x):
    return ag.while_loop(lambda x: x < 5, lambda x: (x, x), [x])


@refused(one)
def while_loop_that_nests_otherwise(x):
    return ag.while_loop(lambda x: x < 5, lambda x: ([x],), [x])


@refused(one)
def switch_without_such_a_branch(x):
    return ag.switch(ag.astype(x + 6, ag.int64), [lambda: x, lambda: -x])


@refused(one)
def fori_loop_that_nests_otherwise(x):
    return ag.fori_loop(0, 3, lambda i, v: (v, v), x)


@refused(one)
def scan_without_a_length(x):
    return ag.scan(lambda c, x: (c, x), x)


@refused(one)
def scan_of_a_number(x):
    return ag.scan(lambda c, x: (c, x), x, x)


@refused(one)
def scan_of_lengths_that_differ(x):
    return ag.scan(lambda c, x: (c, c), x, (ag.ones(2), ag.ones(3)))


@refused(one)
def scan_that_nests_otherwise(x):
    return ag.scan(lambda c, x: ((c, c), x), x, ag.ones(3))


@refused(one)
def map_that_nests_otherwise(x):
    kept = []

    def row(v):
        kept.append(v)
        return (v, v * x) if len(kept) == 1 else (v, v, v)

    return ag.map_fn(row, ag.ones(3))


@refused(one)
def map_over_nothing(x):
    return ag.map_fn(lambda v: v * x, ag.zeros((0, 2)))


@refused(one)
def device_that_is_not_there(x):
    with ag.device("cuda:0"):
        return x * 2


@refused(one)
def device_that_is_no_name(x):
    with ag.device(0):
        return x * 2


described = ag.function(mode="evaluate", input_signature=[ag.TensorSpec([None, 2])])(lambda x: x)


@refused(one)
def argument_that_no_input_signature_fits(x):
    return described(x)


@fails(two)
def operands_that_are_a_tensor(x):
    return ag.cond(True, lambda row: row, lambda row: -row, x)
