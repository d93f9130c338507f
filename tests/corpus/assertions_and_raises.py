"""assert, raise, and Python errors that only some data reach."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


class Custom(Exception):
    """An error of the user's own."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


@program(case(t(2.0)), case(t(-2.0)), compiled=True)
def assertion(x):
    assert x > 0
    return ag.sqrt(x)


@program(case(t(2.0)), case(t(-2.0)))
def assertion_with_a_message(x):
    assert x > 0, "x must be positive"
    return ag.sqrt(x)


@program(case(t(2.0)), case(t(-2.0)))
def raise_in_a_branch(x):
    if x < 0:
        raise ValueError("negative")
    return ag.sqrt(x)


@program(case(t(2.0)), case(t(-2.0)))
def raise_in_both_branches(x):
    if x < 0:
        raise ValueError("negative")
    else:
        raise KeyError("positive")


@program(case(t(2.0)), case(t(-2.0)))
def raise_a_class(x):
    if x < 0:
        raise ZeroDivisionError
    return x


@program(case(t(2.0)), case(t(-2.0)))
def raise_the_users_own(x):
    if x < 0:
        raise Custom("too low", code=7)
    return x


@program(case(t(5), t(3)), case(t(5), t(9)), case(t(0), t(0)))
def raise_in_a_loop(n, bad):
    total = 0
    for i in range(n):
        if i == bad:
            raise RuntimeError("bad turn")
        total += i
    return total


@program(case(t(5), t(3)), case(t(5), t(9)))
def assertion_in_a_loop(n, bad):
    for i in range(n):
        assert i != bad, "bad turn"
    return n


@program(case(t(2.0)), case(t(-2.0)))
def missing_key_in_a_branch(x):
    table = {"here": 1}
    if x < 0:
        y = table["missing"]
    else:
        y = table["here"]
    return y


@program(case(t(2.0)), case(t(-2.0)))
def missing_attribute_in_a_branch(x):
    if x < 0:
        return x.no_such_attribute
    return x


@program(case(t(2.0)), case(t(-2.0)))
def missing_name_in_a_branch(x):
    if x < 0:
        return no_such_name  # noqa: F821
    return x


@program(case(t(2.0)), case(t(-2.0)))
def type_error_in_a_branch(x):
    if x < 0:
        y = "text" + 1
    else:
        y = 1
    return y


@program(case(t([1.0, 2.0, 3.0]), t(2)), case(t([1.0, 2.0, 3.0]), t(3)), case(t([1.0]), t(-1)))
def index_out_of_range(x, i):
    return x[i]


@program(case(t([1.0, 2.0, 3.0]), t(4)), case(t([1.0, 2.0, 3.0]), t(3)))
def index_out_of_range_in_a_loop(x, n):
    total = x[0]
    for i in range(n):
        total = total + x[i]
    return total


@program(case(t([1.0, 2.0]), t([1.0, 2.0, 3.0]), t(1)), case(t([1.0]), t([1.0, 2.0]), t(0)))
def shapes_that_do_not_broadcast_in_a_branch(x, y, c):
    if c > 0:
        return x + y
    return x


@stateful(case(t(2.0)), case(t(-2.0)))
def state_is_kept_when_a_branch_raises():
    box = {"calls": 0, "values": []}

    def run(x):
        box["calls"] += 1
        box["values"].append(x)
        if x < 0:
            raise ValueError("negative")
        return box["calls"]

    return run, box


@stateful(case(t(3)), case(t(5)), case(t(2)))
def variables_are_kept_when_a_loop_raises():
    v = ag.Variable(1.0)

    def run(n):
        for i in range(n):
            v.assign_add(1.0)
            if i == 3:
                raise ValueError("too many")
        return v + 0

    return run, v


@program(case(t([1.0, 2.0]), t(1)), case(t([1.0, 2.0]), t(-1)))
def argument_is_kept_when_the_call_raises(x, c):
    x[0] = 100
    if c < 0:
        raise ValueError("negative")
    return x + 0


@program(case(t(2.0)), case(t(-2.0)))
def error_in_a_helper(x):
    def check(v):
        if v < 0:
            raise ValueError("checked")
        return v

    return check(x) * 2


@program(case(t(2.0), 0), case(t(2.0), 1))
def python_error_at_once(x, k):
    return x * (10 // k)


@program(case(t(2.0)), case(t(-2.0)))
def caught_where_it_is_raised(x):
    try:
        y = int("not a number")
    except ValueError:
        y = 5
    finally:
        z = 1
    return x * y + z


@program(case(t(2.0)), case(t(-2.0)))
def try_around_what_cannot_raise(x):
    try:
        if x > 0:
            y = x * 2
        else:
            y = x
    except ValueError:
        y = x * 100
    else:
        y = y + 1
    return y


@program(case(t(2.0)), case(t(-2.0)))
def finally_around_a_branch(x):
    log = []
    try:
        if x > 0:
            log.append("up")
        else:
            log.append("down")
    finally:
        log.append("end")
    return log


@program(case(t(2.0)), case(t(-2.0)))
def assertion_message_is_lazy(x):
    calls = []

    def message():
        calls.append(1)
        return "computed"

    assert x > -1, message()
    return len(calls)


@program(case(t(2.0)), case(t(-2.0)))
def raise_from(x):
    if x < 0:
        raise ValueError("outer") from KeyError("inner")
    return x


@program(case(t(3)), case(t(0)))
def raise_after_zero_turns(n):
    for _ in range(n):
        return n
    raise LookupError("no turn")


@program(case(t(1)), case(t(0)))
def unset_name_is_named(n):
    if n > 0:
        value = n
    return value + 1


COMPARED = (
    case(np.array([1.0, 2.0]), np.array([1.0, 2.0])),
    case(np.array([1.0, 2.0]), np.array([1.0, 2.5])),
    case(np.array([1.0, 2.0, np.nan]), np.array([1.0, 2.0, np.nan])),
    case(np.array([]), np.array([])),
)


@program(*COMPARED, compiled=True)
def asserted_by_numpy(a, b):
    np.testing.assert_allclose(a * 2, b * 2, rtol=1e-3)
    np.testing.assert_almost_equal(a.sum(), b.sum(), err_msg="the sums")
    np.testing.assert_array_equal(np.sort(a), np.sort(b))
    return a + b


@program(*COMPARED)
def asserted_in_a_loop(a, b):
    total = a * 0
    for turn in range(len(a) + 1):
        np.testing.assert_array_almost_equal(total[:turn], (total * 2)[:turn])
        total = total + b * (turn % 2)
        if turn == 2:
            np.testing.assert_equal(float(a.sum()), float(b.sum()))
            np.testing.assert_array_less(a - 1, b)
    return total


DOUBLED = [0.0, 2.0, 4.0]


@program(case(np.arange(3.0)), case(np.arange(3.0) + 1), case(np.array([0.0, 1.0, np.nan])))
def asserted_beside_what_is_known(x):
    np.testing.assert_allclose(x * 2, np.array([0.0, 2.0, 4.0]), atol=3)
    np.testing.assert_allclose([0.0, 2.0, 4.0], x * 2, 1.0, 2.5)
    np.testing.assert_equal((x * 2).shape, (3,))
    np.testing.assert_array_equal(x[:2] * 2, DOUBLED[:2], err_msg="the first two")
    return x.sum()
