"""and, or, not, chained comparisons: what they give and what they evaluate."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

FOUR = [case(t(a), t(b)) for a in (0.0, 2.0) for b in (0.0, -3.0)]


@program(*FOUR)
def and_gives_an_operand(a, b):
    r = a and b
    return r, r is a, r is b


@program(*FOUR)
def or_gives_an_operand(a, b):
    r = a or b
    return r, r is a, r is b


@program(*FOUR)
def not_gives_a_bool(a, b):
    return not a, not (a > b), not not a


@program(*FOUR)
def and_with_python_values(a, b):
    return a and 5, 0 and a, 1 and b, a or 7, None or b, "text" or a, a > 1 and "yes"


@program(*FOUR, compiled=True)
def and_or_in_conditions(a, b):
    if a > 1 and b < 0:
        return 1
    if a > 1 or b < 0:
        return 2
    if not (a > 1 or b < -10) and True:
        return 3
    return 4


@program(*FOUR)
def short_circuit_protects(a, b):
    if a != 0 and 10 // int(a) > 3:
        return "divided"
    return "not"


@program(*FOUR)
def short_circuit_skips_effects(a, b):
    seen = []

    def look(name, x):
        seen.append(name)
        return x

    r = look("a", a) and look("b", b) or look("c", a + 1)
    return r, seen


@program(*FOUR)
def long_chains(a, b):
    return (a and b and a + b) or (b or a or "none"), a > 0 and b < 0 and a + b < 10


@program(*(case(t(v)) for v in (-1, 0, 3, 5, 9)))
def chained_comparison(x):
    if 0 <= x < 5:
        return "in"
    return "out"


@program(case(t(1), t(2)), case(t(2), t(1)), case(t(5), t(5)))
def chain_of_three(a, b):
    return 0 < a < b < 4, a < b > 1, 1 == 1 == a


@program(case(t(1.0), t(2.0)), case(t(2.0), t(1.0)))
def chain_evaluates_once_and_lazily(a, b):
    seen = []

    def look(name, x):
        seen.append(name)
        return x

    r = look("a", a) < look("b", b) < look("c", 3)
    return r, seen


@program(case(t([1.0, 5.0]), t([2.0, 2.0])))
def elementwise_comparison_is_a_tensor(x, y):
    return x < y, x == y, ag.logical_and(x > 0, y > 1), (x < 3) & (y < 3), ~(x < 3), (x < 3) | True


@program(case(t(2)), case(t(20)), case(2), case(20))
def membership_in_a_tuple(x):
    return x in (1, 2, 3), x not in (1, 2, 3)


@program(case(t(2.0)), case(t(-2.0)))
def is_and_is_not(x):
    y = None
    if x > 0:
        y = x
    return y is None, y is not None, x is x, y is x


@program(case(t(2.0)), case(t(-2.0)))
def assignment_in_a_condition_chain(x):
    if x > 0 and (y := x * 2) > 1:
        return y
    return x


@program(case(t(2.0)), case(t(0.0)))
def loop_on_a_boolean_variable(x):
    going = x > 1
    n = 0
    while going and n < 5:
        n += 1
        going = x * n < 7 or n == 4
    return n, going


@program(case(t(2.0)), case(t(-2.0)))
def conditional_default(x):
    value = None
    if x > 0:
        value = x
    result = value if value is not None else x * 100
    other = value or 3
    return result, other
