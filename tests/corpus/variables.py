"""Variables: read, assigned, in branches and loops, captured and passed."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


def _assign_outside(world):
    world.state.assign(world.state + 1)


@stateful(case(t(2.0)), between=_assign_outside)
def read():
    v = ag.Variable(3.0)
    return (lambda x: x * v), v


@stateful(case(t(2.0)), between=_assign_outside, compiled=True)
def counted_calls():
    v = ag.Variable(3.0)

    def run(x):
        v.assign_add(x)
        return v * 2

    return run, v


@stateful(case(t(2.0)), case(t(-2.0)), between=_assign_outside)
def assigned_in_one_branch():
    v = ag.Variable(3.0)

    def run(x):
        if x > 0:
            v.assign(v * 2)
        return v + x

    return run, v


@stateful(case(t(2.0)), case(t(-2.0)))
def rolled_back_between_branches():
    v = ag.Variable(3.0)

    def run(x):
        if x > 0:
            v.assign_add(10.0)
            y = v + 0
        else:
            y = v * 100
            v.assign_sub(1.0)
        return y, v + 0

    return run, v


@stateful(case(t(4)), case(t(0)), compiled=True)
def assigned_in_a_loop():
    v = ag.Variable(1.0)

    def run(n):
        for i in range(n):
            v.assign(v * 2 + i)
        return v + 0

    return run, v


@stateful(case(t(10)), case(t(0)))
def loop_tests_a_variable():
    v = ag.Variable(0)

    def run(n):
        turns = 0
        while v < n:
            v.assign_add(3)
            turns += 1
        return turns

    return run, v


@stateful(case(t(2.0)))
def a_read_value_is_not_the_variable():
    v = ag.Variable(3.0)

    def run(x):
        before = v + 0
        v.assign(x)
        after = v + 0
        v.assign_add(x)
        return before, after, v + 0

    return run, v


@stateful(case(t(2.0)))
def the_variable_itself_is_returned():
    v = ag.Variable(3.0)

    def run(x):
        v.assign_add(x)
        return v

    return run, v


@stateful(case(t([5.0, 6.0])), case(t([7.0, 8.0])))
def item_assignment():
    v = ag.Variable([1.0, 2.0])

    def run(x):
        v[0] = x[1]
        v[1] += 1
        return v.sum()

    return run, v


@stateful(case(t(2.0)), case(t(-2.0)))
def a_tensor_shared_with_a_variable():
    v = ag.Variable(3.0)

    def run(x):
        v.assign(x)
        if x > 0:
            x[...] = 100
        return v + 0, x

    return run, v


@stateful(case(t(1.0)), case(t(-1.0)))
def chosen_variable():
    v, w = ag.Variable(3.0), ag.Variable(4.0)

    def run(x):
        chosen = v if x > 0 else w
        chosen.assign_add(10.0)
        return chosen + 0

    return run, (v, w)


@stateful(case(t(1.0)), case(t(-1.0)))
def swapped_variables():
    v, w = ag.Variable(3.0), ag.Variable(4.0)

    def run(x):
        a, b = v + 0, w + 0
        if x > 0:
            v.assign(b)
            w.assign(a)
        return v - w

    return run, (v, w)


@stateful(case(t(3)), case(t(0)))
def list_of_variables():
    vs = [ag.Variable(1.0), ag.Variable(2.0)]

    def run(n):
        for _ in range(n):
            for v in vs:
                v.assign(v * 2)
        return sum(v + 0 for v in vs)

    return run, vs


@program(case(ag.Variable(3.0), t(2.0)), case(ag.Variable(3.0), t(-2.0)))
def variable_as_an_argument(v, x):
    if x > 0:
        v.assign_add(x)
    return v * x


_shared = ag.Variable(3.0)


@program(case(_shared, _shared), case(ag.Variable(1.0), ag.Variable(2.0)))
def one_variable_passed_twice(v, w):
    v.assign_add(1.0)
    w.assign(w * 2)
    return v - w, v is w


@stateful(case(t(3)), case(t(0)))
def wrong_shape_is_refused():
    v = ag.Variable(ag.zeros((2,)))

    def run(n):
        v.assign(ag.full((2,), 3.0))
        if n > 1:
            v.assign(ag.ones((3,)))
        return v + 0

    return run, v


@stateful(case(t(1.5)), case(t(-1.5)))
def integer_variable():
    v = ag.Variable(np.int32(3))

    def run(x):
        if x > 0:
            v.assign_add(1)
        return v // 2, v * x

    return run, v


@stateful(case(t(1.0)))
def written_back_after_every_call():
    v = ag.Variable(1.0)
    kept = []

    def run(x):
        kept.append(v + 0)
        v.assign(v + x)
        return len(kept)

    return run, (v, kept)


@stateful(case(t(2)), case(t(0)))
def assigned_by_a_helper():
    v = ag.Variable(1.0)

    def grow(k):
        if k > 1:
            v.assign_add(10.0)
        else:
            v.assign(v * 2)

    def run(n):
        for i in range(n + 1):
            grow(i)
        return v + 0

    return run, v


@stateful(case(t([1.0, 2.0, 3.0]), t(0.0)), case(t([1.0, 2.0, 3.0]), t(9.0)))
def assigned_what_may_be_a_number():
    v = ag.Variable(1.0)

    def run(items, least):
        v.assign_add(sum([one for one in items if one > least]))
        v.assign(sum([one for one in items if one > least]) * 2)
        v.assign_sub(0 if least > 1 else items[0])
        return v + 0

    return run, v
