"""if, elif, else, ternaries."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t(3.0)), case(t(-3.0)), case(t(0.0)), case(2.5), case(-1), compiled=True)
def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


@program(case(t(3.0)), case(t(-3.0)), compiled=True)
def if_without_else_rebinds_the_argument(x):
    if x > 0:
        x = x * 2
    return x


@program(*(case(t(v)) for v in (-5.0, -0.5, 0.0, 0.5, 5.0)))
def elif_chain(x):
    if x < -1:
        y = x + 10
    elif x < 0:
        y = x * x
    elif x == 0:
        y = x + 1
    elif x < 1:
        y = ag.exp(x)
    else:
        y = ag.sqrt(x)
    return y


@program(case(t(2), t(3)), case(t(2), t(-3)), case(t(-2), t(3)), case(t(-2), t(-3)))
def nested_if(x, y):
    r = 0
    if x > 0:
        r = x
        if y > 0:
            r = r + y
        else:
            r = r - y
    else:
        if y > 0:
            r = y * 10
    return r


@program(case(t(1.5), True), case(t(1.5), False), case(t(-1.5), True), case(1.5, True))
def python_condition_around_tensor_condition(x, flag):
    if flag:
        if x > 0:
            return x + 1
        return x - 1
    return x


@program(case(t(1.5), 3), case(t(-1.5), 3), case(t(1.5), 0), case(t(-1.5), 0))
def tensor_condition_around_python_condition(x, n):
    if x > 0:
        if n > 2:
            y = x * n
        else:
            y = x - n
    else:
        y = x
    return y


@program(case(t(1.0), t(2.0)), case(t(2.0), t(1.0)))
def swap_in_a_branch(a, b):
    if a > b:
        a, b = b, a
    return a, b


@program(case(t(1.0), t(2.0)), case(t(2.0), t(1.0)))
def swap_then_assign_into_one(a, b):
    if a > b:
        a, b = b, a
    a[...] = a + 100
    return a


@program(case(t(4.0)), case(t(-4.0)))
def ternary(x):
    return ag.sqrt(x) if x >= 0 else x * 0


@program(*(case(t(v)) for v in (-2, 0, 7)))
def nested_ternary(x):
    return "negative" if x < 0 else "zero" if x == 0 else "positive"


@program(case(t(0), 12), case(t(5), 12), case(t(0), 0))
def ternary_is_lazy(x, n):
    return n // int(x) if x != 0 else -1


@program(case(t([1, 2, 3]), t(1)), case(t([1, 2, 3]), t(7)))
def branch_that_would_fail_is_not_run(xs, i):
    y = xs[i] if i < 3 else xs[0] * 0
    return y


@program(case(t(1.0)), case(t(-1.0)))
def defined_only_in_the_branches(x):
    if x > 0:
        name = "up"
        y = x
        z = y + 1
    else:
        name = "down"
        z = x - 1
        y = z
    return name, y, z


@program(case(t(1.0)), case(t(-1.0)))
def defined_in_one_branch_and_read_only_there(x):
    if x > 0:
        bonus = x * 3
    total = x
    if x > 0:
        total = total + bonus
    return total


@program(case(t(1.0)), case(t(-1.0)))
def defined_in_one_branch_and_read_always(x):
    if x > 0:
        y = x * 3
    return y


@program(case(t(1.0)), case(t(-1.0)))
def deleted_in_one_branch(x):
    y = x * 2
    if x > 0:
        del y
        y = x
    return y


@program(case(t(1.0)), case(t(-1.0)))
def deleted_in_one_branch_and_read_after(x):
    y = x * 2
    if x < 0:
        del y
    return y


@program(*(case(t(v)) for v in (0, 3, -1)), case(0), case(4))
def truth_of_an_integer(n):
    if n:
        return "some"
    return "none"


@program(case(t(0.0)), case(t(0.5)), case(t(float("nan"))))
def truth_of_a_float(x):
    if not x:
        return 1
    return 2


@program(case(t(True), t(False)), case(t(False), t(False)), case(t(True), t(True)))
def truth_of_booleans(a, b):
    if a:
        if b:
            return 3
        return 2
    return 1


@program(case(t([0.5])), case(t([[-0.5]])), case(t([0.0])))
def truth_of_one_element(x):
    if x > 0:
        return x + 1
    return x - 1


@program(case(t(1.0)), case(t(4.0)))
def walrus_in_the_test(x):
    if (y := x * 2) > 3:
        z = y + 1
    else:
        z = y - 1
    return y, z


@program(case(t(1.0)), case(t(-1.0)))
def condition_computed_before(x):
    positive = x > 0
    x = -x
    if positive:
        x = x * 10
    return x, positive


@program(case(t([1.0, 2.0, 3.0]), t(True)), case(t([1.0, 2.0, 3.0]), t(False)))
def branches_of_different_shapes(x, long):
    if long:
        y = x[:2]
    else:
        y = ag.concat([x, x])
    return y.sum(), y, y * 2


@program(case(t([1.0, 2.0])), case(t([-1.0, 2.0])), case(t([1.0, -2.0, 3.0])))
def condition_from_a_reduction(x):
    if ag.all(x > 0):
        return ag.log(x)
    if ag.any(x > 0):
        return x
    return -x


@program(case(t(3)), case(t(-3)))
def both_branches_do_nothing(x):
    if x > 0:
        pass
    else:
        pass
    return x


@program(case(t(3)), case(t(-3)))
def only_a_side_effect(x):
    seen = []
    if x > 0:
        seen.append(x)
    seen.append(x + 1)
    return seen


@program(case(t(3.0)), case(t(30.0)))
def names_that_shadow_builtins(x):
    max = x * 2
    if x > 10:
        max = x
    list = [max]
    return list


@program(case(t(2.0), t(3.0)), case(t(5.0), t(3.0)), case(t(5.0), t(13.0)))
def sequence_of_ifs(x, y):
    r = x
    if x > 4:
        r = r + 1
    if y > 10:
        r = r * 2
    if r > 10:
        r = r - y
    return r, x, y


@program(case(t(1.0)), case(t(-1.0)))
def import_in_a_branch(x):
    if x > 0:
        import math as m
    else:
        import cmath as m
    return x * m.pi


@program(case(t(2, dtype=ag.int32)), case(t(-2, dtype=ag.int32)))
def constant_or_computed(x):
    if x > 0:
        y = x
    else:
        y = x + 0
    return y, y is x


@program(*(case(t(a), t(b), t(c)) for a in (0, 1) for b in (0, 1) for c in (0, 1)))
def three_levels(a, b, c):
    code = 0
    if a:
        code += 1
        if b:
            code += 2
            if c:
                code += 4
            else:
                code *= 10
        elif c:
            code = code - 5
    elif b:
        if c:
            code = 77
    return code
