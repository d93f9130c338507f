"""List, set and dict comprehensions, and generator expressions."""

# The programs are meant to be strange.
# ruff: noqa

from __future__ import annotations

from typing import Any

from tests.harness.conversion_harness import inputs

LISTS: list[tuple[Any, ...]] = [([],), ([1],), ([3, 0, 2],), ([1, 2, 5, 7, 9],)]


@inputs(*LISTS)
def plain(log: Any, xs: Any) -> Any:
    return [x + 1 for x in xs], {x % 3 for x in xs}, {x: x * x for x in xs}


@inputs(*LISTS)
def conditions(log: Any, xs: Any) -> Any:
    return [log(x) for x in xs if x if x % 2 or log("even") if x > 1]


@inputs(*LISTS)
def several_loops(log: Any, xs: Any) -> Any:
    return [(x, y, z) for x in xs if x for y in range(x) if y != 1 for z in "ab"[:y]]


@inputs(*LISTS)
def nested(log: Any, xs: Any) -> Any:
    return [[x * y for y in xs if y] for x in xs], {x: {y for y in range(x)} for x in xs}


@inputs(*LISTS)
def nested_in_iterable(log: Any, xs: Any) -> Any:
    return [x for x in [y + 1 for y in [z * 2 for z in xs]] if x]


def order(log: Any) -> Any:
    return (
        [log(x) for x in log([1, 2]) if log(x + 10)],
        {log(k): log(v) for k, v in log([(1, 2), (3, 4)])},
        [log(x + y) for x in log([1, 2]) for y in log([10, 20])],
    )


def targets(log: Any) -> Any:
    row = [0, 0]
    a = [x + y for x, y in [(1, 2), (3, 4)]]
    b = [(x, y) for x, *y in [(1, 2, 3), (4,)]]
    c = [list(row) for row[0] in range(2)]
    d = {k: v for k, (v, _) in {"a": (1, 2)}.items()}
    return a, b, c, d, row


def variables_stay_inside(log: Any) -> Any:
    x = "outer"
    y = [x for x in range(3)]
    z = {x: x for x in y}
    return x, y, z


def own_variable_unset(log: Any) -> Any:
    return [y for x in [1] for y in y]


def outer_variable_in_first_iterable(log: Any) -> Any:
    x = [1, 2]
    return [x for x in x]


@inputs(*LISTS)
def captures(log: Any, xs: Any) -> Any:
    n = 10
    fs = [lambda: (x, n) for x in xs]
    n = 20
    return [f() for f in fs]


@inputs(*LISTS)
def in_conditions(log: Any, xs: Any) -> Any:
    if [x for x in xs if x > 2]:
        n = 0
        while len([x for x in xs if x > n]) > 1:
            n += 1
        return n
    elif {x for x in xs}:
        return "elif"
    return [y for y in xs] or [z for z in "z"]


@inputs(*LISTS)
def in_operands(log: Any, xs: Any) -> Any:
    return (
        xs and [x for x in xs],
        [x for x in xs] if len(xs) > 1 else [log(y) for y in "no"],
        0 < len(xs) < len([x for x in xs if x]) + 1,
        f"{[x for x in xs]!r:>{len([0 for _ in xs]) + 20}}",
    )


@inputs(*LISTS)
def in_lambda(log: Any, xs: Any) -> Any:
    f = lambda n, m=[x for x in xs]: [x + n for x in xs if x in m]
    return f(1), f(2, [3]), sorted(xs, key=lambda x: [-y for y in [x]])


@inputs(*LISTS)
def in_default_and_call(log: Any, xs: Any) -> Any:
    def f(a: Any, b: Any = [x * 2 for x in xs]) -> Any:
        return [y for y in a], b

    return f([x for x in xs]), f(*[[x] for x in "a"], **{k: 1 for k in "b"})


@inputs(*LISTS)
def in_assignment_targets(log: Any, xs: Any) -> Any:
    table: dict[Any, Any] = {}
    table[tuple([x for x in xs])] = 1
    table[len([x for x in xs])] = table.get(tuple([x for x in xs]))
    table[len([x for x in xs])] += 1
    return table


@inputs(*LISTS)
def generators(log: Any, xs: Any) -> Any:
    g = (log(x) for x in log(xs) if log(x) > 1)
    log("made")
    return list(g), sum(x for x in xs), all(x for x in xs), any(x > 2 for x in xs)


@inputs(*LISTS)
def generator_is_lazy(log: Any, xs: Any) -> Any:
    n = 1
    g = (x + n for x in xs)
    n = 100
    xs = []
    return next(g, "none"), list(g), xs


@inputs(*LISTS)
def generator_with_several_loops(log: Any, xs: Any) -> Any:
    return list((x, y) for x in xs if x > 1 for y in range(x) if y % 2 and x)


@inputs(*LISTS)
def generator_with_comprehension(log: Any, xs: Any) -> Any:
    return list([y for y in range(x)] for x in xs if [z for z in xs if z > x])


@inputs(*LISTS)
def generator_with_walrus(log: Any, xs: Any) -> Any:
    seen = None
    big = any((seen := x) and (twice := 2 * x) > 5 for x in xs)
    return big, seen


@inputs(*LISTS)
def generator_with_choice(log: Any, xs: Any) -> Any:
    return tuple(x if x > 1 else (x or log("zero")) for x in xs)


@inputs(*LISTS)
def generator_left_early(log: Any, xs: Any) -> Any:
    g = (log(x) for x in xs)
    for x in g:
        if x == 2:
            break
    return list(g)


@inputs(*LISTS)
def generators_nested(log: Any, xs: Any) -> Any:
    return [sum(y for y in range(x)) for x in (z + 1 for z in xs)]


@inputs(*LISTS)
def in_loop(log: Any, xs: Any) -> Any:
    total = []
    for x in xs:
        row = [x * y for y in xs]
        if sum(row) > 10:
            total = [t + 1 for t in total] + row
            if len(total) > 6:
                break
    return total


@inputs(*LISTS)
def error_inside(log: Any, xs: Any) -> Any:
    return [10 // x for x in xs]


def not_iterable(log: Any) -> Any:
    return [x for x in 5]


def unbound_in_condition(log: Any) -> Any:
    xs = [i for i in range(5) if i > limit]
    limit = 2
    return xs, limit


@inputs(*LISTS)
def returned_from_branch(log: Any, xs: Any) -> Any:
    if xs:
        return {str(x): [x] for x in xs}
    return set(x for x in xs)


def generator_over_nothing_iterable(log: Any) -> Any:
    g = ([y for y in x] for x in log(5))
    log("never")
    return g


def documented_with_walrus(log: Any) -> Any:
    def f(xs: Any) -> Any:
        """Kept."""
        total = [last := x for x in xs]
        return total, last

    return f([1, 2]), f.__doc__
