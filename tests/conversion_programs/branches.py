"""`if`, `elif`, `else`, `and`, `or`, `not` and the conditional expression."""

# The programs are meant to be strange.
# ruff: noqa

from __future__ import annotations

from typing import Any

from tests.harness.conversion_harness import inputs

BOTH = [(0,), (1,)]
GRID = [(a, b) for a in (0, 1) for b in (0, 2)]
TRIPLES = [(a, b, c) for a in (0, 1) for b in (0, 2) for c in (0, 3)]


@inputs(*BOTH)
def if_alone(log: Any, a: Any) -> Any:
    x = 1
    if a:
        x = 2
    return x


@inputs(*BOTH)
def if_else(log: Any, a: Any) -> Any:
    if a:
        x = log("then")
    else:
        x = log("else")
    return x, a


@inputs(*TRIPLES)
def elif_chain(log: Any, a: Any, b: Any, c: Any) -> Any:
    if a:
        x = 1
    elif log(b):
        x = 2
    elif log(c):
        x = 3
    else:
        x = 4
    return x


@inputs(*TRIPLES)
def nested_ifs(log: Any, a: Any, b: Any, c: Any) -> Any:
    x = y = 0
    if a:
        if b:
            x = 1
        else:
            y = 1
            if c:
                x = y + 5
        y += 1
    elif c:
        x, y = y, x + 2
    return x, y


@inputs(*GRID)
def dead_after_branch(log: Any, a: Any, b: Any) -> Any:
    t = 1
    if a:
        t = log(2)
        u = t + 1
    else:
        u = 0
    t = 9
    if b:
        u = u * t
    return u


@inputs(*GRID)
def stored_parameter(log: Any, a: Any, b: Any) -> Any:
    if a:
        b = b + 1
        a = None
    return a, b


@inputs(*BOTH)
def only_pass(log: Any, a: Any) -> Any:
    if a:
        pass
    else:
        pass


@inputs(*BOTH)
def condition_with_effect(log: Any, a: Any) -> Any:
    if log(a) or log("other"):
        log("in")


@inputs(*TRIPLES)
def and_or_values(log: Any, a: Any, b: Any, c: Any) -> Any:
    return (
        log(a) and log(b),
        log(a) or log(b),
        log(a) and log(b) and log(c),
        log(a) or log(b) and log(c),
        (log(a) or log(b)) and log(c),
        not log(a),
        not (log(a) and log(b)) or log(c),
    )


@inputs(*TRIPLES)
def ternaries(log: Any, a: Any, b: Any, c: Any) -> Any:
    x = log("x") if log(a) else log("y")
    y = 1 if a else 2 if b else 3 if c else 4
    return x, y, (a if b else c) if log(c) else b


@inputs(*GRID)
def walrus_in_test(log: Any, a: Any, b: Any) -> Any:
    if (x := log(a)) and (y := log(b)):
        return x, y
    y = 3
    return x, y


@inputs(*GRID)
def walrus_in_operand(log: Any, a: Any, b: Any) -> Any:
    y = "unset"
    x = a and (y := b)
    return x, y


@inputs(*GRID)
def walrus_in_ternary(log: Any, a: Any, b: Any) -> Any:
    x = (y := 1) if a else (y := 2) + (z := b)
    return x, y


@inputs(*GRID)
def walrus_nested(log: Any, a: Any, b: Any) -> Any:
    p = q = r = 0
    s = a or (p := b) and ((q := p + 1) or (r := 4))
    return p, q, r, s


@inputs((1,), (5,), (9,), ("s",))
def walrus_in_chain(log: Any, n: Any) -> Any:
    m = -1
    ok = 2 < n < (m := 8)
    return ok, m


@inputs((0,), (3,), (5,), (12,))
def chains(log: Any, n: Any) -> Any:
    return (
        0 < n < 10,
        0 <= log(n) <= log(5) != log(7),
        1 < log(n) < log(2) < log(4),
        n == n is n,
        n in (3, 5) in [True],
        not 1 < n <= 4,
    )


def raising_in_branch(log: Any) -> Any:
    if log(True):
        log(1 / 0)
    else:
        log("not here")


@inputs(*BOTH)
def if_with_string(log: Any, a: Any) -> Any:
    "the function's docstring"
    if a:
        "a string as a statement"
        return raising_in_branch.__name__
    return if_with_string.__doc__


@inputs(*TRIPLES)
def swaps(log: Any, a: Any, b: Any, c: Any) -> Any:
    if a:
        b, c = c, b
        if b:
            a, b, c = b, c, a
    return a, b, c


@inputs(*GRID)
def same_name_everywhere(log: Any, a: Any, b: Any) -> Any:
    x = a
    if x:
        x = b
        if x:
            x = x + 1
        else:
            x = -1
    else:
        x = log(x)
        x = (x, x)
    return x


@inputs(*BOTH)
def del_in_branch(log: Any, a: Any) -> Any:
    x = 1
    if a:
        del x
        x = 2
    return x


@inputs(*BOTH)
def import_in_branch(log: Any, a: Any) -> Any:
    if a:
        import os.path as where
        from math import floor, tau as turn
    else:
        import math as where
        from math import ceil as floor, pi as turn
    return where.__name__, floor(2.5), turn


@inputs(*BOTH)
def global_rebound_as_local(log: Any, a: Any) -> Any:
    if a:
        BOTH = 3
    return BOTH


@inputs(*BOTH)
def deep(log: Any, a: Any) -> Any:
    x = 0
    if a:
        if a:
            if a:
                if a:
                    if a:
                        if a:
                            if a:
                                if a:
                                    if not a:
                                        x = 1
                                    else:
                                        x = 2
                                    x += 1
                                x += 1
                            x += 1
    return x
