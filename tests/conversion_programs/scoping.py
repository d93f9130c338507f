"""Closures, nonlocal, global, unset variables, shadowing, nested functions."""

# The programs are meant to be strange.
# ruff: noqa

from __future__ import annotations

from typing import Any

from tests.harness.conversion_harness import inputs

TOTAL = 0
BOTH = [(0,), (1,)]
GRID = [(a, b) for a in (0, 1) for b in (0, 2)]


@inputs(*BOTH)
def unset_after_branch(log: Any, a: Any) -> Any:
    if a:
        y = 1
    return y


@inputs(*GRID)
def unset_in_other_branch(log: Any, a: Any, b: Any) -> Any:
    if a:
        y = 1
    else:
        z = 2
    if b:
        return y
    return z


@inputs(*BOTH)
def unset_read_twice(log: Any, a: Any) -> Any:
    if a:
        y = 1
    return log(y), y


@inputs(*BOTH)
def unset_in_closure(log: Any, a: Any) -> Any:
    def f() -> Any:
        return y

    if a:
        y = 1
    return f()


@inputs(*BOTH)
def unset_in_lambda(log: Any, a: Any) -> Any:
    if a:
        y = 1
    return (lambda: y)()


@inputs(*BOTH)
def unset_in_generator(log: Any, a: Any) -> Any:
    if a:
        y = 1
    return list(y for _ in range(2))


@inputs(*BOTH)
def unset_in_comprehension(log: Any, a: Any) -> Any:
    if a:
        y = 1
    return [y for _ in range(2)]


@inputs(*BOTH)
def unset_iterable(log: Any, a: Any) -> Any:
    if a:
        y = [1]
    return [x for x in y]


@inputs(*BOTH)
def unset_deleted(log: Any, a: Any) -> Any:
    y = 1
    if a:
        del y
    return y


@inputs(*BOTH)
def unset_delete(log: Any, a: Any) -> Any:
    if a:
        y = 1
    del y
    return "deleted"


@inputs(*GRID)
def unset_in_operand(log: Any, a: Any, b: Any) -> Any:
    if a:
        y = 1
    return b and y, (y if b else 0)


@inputs(*BOTH)
def unset_owner(log: Any, a: Any) -> Any:
    if a:
        y = [1]
        z = 0
    y[z] += 1
    return y


@inputs(*BOTH)
def unset_with_later_global(log: Any, a: Any) -> Any:
    x = TOTAL
    if a:
        TOTAL = 1
    return x


@inputs(*BOTH)
def deleted_by_inner(log: Any, a: Any) -> Any:
    y = 1

    def drop() -> None:
        nonlocal y
        del y

    if a:
        drop()
    return y


@inputs(*BOTH)
def counter(log: Any, a: Any) -> Any:
    n = 0

    def step() -> Any:
        nonlocal n
        n += 1
        if n > 2:
            n = 10
        return n

    while n < 5:
        log(step())
        if a and n == 2:
            n = 20
    return n


@inputs(*GRID)
def changed_by_call_in_branch(log: Any, a: Any, b: Any) -> Any:
    n = 0

    def change() -> None:
        nonlocal n
        n += 5

    if a:
        change()
        log(n)
        if b:
            change()
    return n


@inputs(*GRID)
def nonlocal_in_branches(log: Any, a: Any, b: Any) -> Any:
    n = m = 0

    def f(x: Any) -> Any:
        nonlocal n, m
        if x:
            n = 1
            if b:
                m = n + 1
        else:
            n, m = 5, 6
        return n

    return f(a), n, m, f(b), n, m


@inputs(*BOTH)
def three_levels(log: Any, a: Any) -> Any:
    x = 1

    def outer() -> Any:
        y = 2

        def inner() -> Any:
            nonlocal x, y
            if a:
                x += y
            else:
                y += x
            return x, y

        first = inner()
        if y > 2:
            y = 0
        return first, inner(), y

    return outer(), x


def parameter_becomes_cell(log: Any, n: Any = 3) -> Any:
    def decrease() -> None:
        nonlocal n
        n -= 1

    while n:
        log(n)
        decrease()
    return n


def shadowing(log: Any) -> Any:
    x = 1

    def f(x: Any) -> Any:
        if x:
            x = x + 1
        return x

    def g() -> Any:
        x = 5
        return [x for x in range(x)], x

    return f(3), g(), (lambda x: x * 2)(7), [x for x in "ab"], x


def late_binding(log: Any) -> Any:
    functions = []
    for i in range(3):

        def f() -> Any:
            return i

        functions.append(f)
        if i == 1:
            log(f())
    return [g() for g in functions]


@inputs(*BOTH)
def function_in_branch(log: Any, a: Any) -> Any:
    if a:

        def f(x: Any) -> Any:
            return x + 1

    else:

        def f(x: Any) -> Any:
            return x - 1

    return f(10), f.__name__


@inputs(*BOTH)
def function_maybe_defined(log: Any, a: Any) -> Any:
    if a:

        def f() -> Any:
            return 1

    return f()


@inputs((0,), (1,), (5,), (8,))
def inner_recursion(log: Any, n: Any) -> Any:
    def fib(k: Any) -> Any:
        if k < 2:
            return k
        return fib(k - 1) + fib(k - 2)

    return fib(n)


@inputs((0,), (3,))
def mutual_recursion(log: Any, n: Any) -> Any:
    def even(k: Any) -> Any:
        if k == 0:
            return True
        return odd(k - 1)

    def odd(k: Any) -> Any:
        return False if k == 0 else even(k - 1)

    return even(n), odd(n)


def defaults_in_place(log: Any) -> Any:
    n = 1

    def f(a: Any, b: Any = log(n + 1), *, c: Any = log([n])) -> Any:
        c.append(a)
        return a, b, c

    n = 5
    return f(1), f(2), n


def decorators(log: Any) -> Any:
    def twice(f: Any) -> Any:
        log("decorating", f.__name__)

        def wrapper(*a: Any) -> Any:
            return f(*a), f(*a)

        return wrapper

    def named(name: str) -> Any:
        return lambda f: log(name) and twice(f)

    @twice
    @named("inner")
    def g(x: Any) -> Any:
        if x > 1:
            return x * 2
        return x

    return g(1), g(4)


def global_writes(log: Any) -> Any:
    global TOTAL
    TOTAL = 1
    for i in range(3):
        if i:
            TOTAL += i

    def inner() -> Any:
        global TOTAL
        if TOTAL:
            TOTAL = TOTAL * 10
        return TOTAL

    return inner(), TOTAL


@inputs(*BOTH)
def global_declared_in_branch(log: Any, a: Any) -> Any:
    if a:
        global TOTAL
        TOTAL = 3
    TOTAL = 4
    return (lambda: TOTAL)()


def global_deleted(log: Any) -> Any:
    global FRESH
    FRESH = 1
    if FRESH:
        del FRESH
    return FRESH


def global_hidden_by_local(log: Any) -> Any:
    TOTAL = "local"

    def inner() -> Any:
        global TOTAL
        TOTAL = "global"
        if TOTAL:
            TOTAL = TOTAL + "!"
        return [TOTAL for _ in range(1)], (lambda: TOTAL)()

    return inner(), TOTAL


def global_function_and_import(log: Any) -> Any:
    global made, maths
    for _ in range(1):

        def made() -> Any:
            return 3

        import math as maths
    return made(), maths.floor(2.5)


def closures_of_loop_state(log: Any) -> Any:
    made = []
    total = 0
    for i in range(3):
        total += i
        if i % 2 == 0:
            made.append(lambda k: total + i + k)
    total = 100
    return [f(1) for f in made]


@inputs(*BOTH)
def captured_but_dead(log: Any, a: Any) -> Any:
    x = 1
    show = lambda: log(x)
    if a:
        x = 2
    show()
    x = 3
    return show()


def inner_generator(log: Any) -> Any:
    limit = 3

    def numbers() -> Any:
        i = 0
        while i < limit:
            if i == 1:
                i += 1
                continue
            sent = yield i
            log(sent)
            i += 1
        return "end"

    return list(numbers()), [x * 2 for x in numbers()]


def names_like_ours(log: Any) -> Any:
    ag_then_1 = ag__then_1 = 2
    for ag__item_1 in range(2):
        if ag__item_1:
            ag__body_1 = ag__then_1 + ag_then_1
    ag__result = 7
    while True:
        if ag__result > 8:
            return ag__result, ag__body_1
        ag__result += 1


def star_parameters(log: Any) -> Any:
    def f(*a: Any, **k: Any) -> Any:
        if a:
            a = (*a, "more")
        else:
            k["less"] = 1
        return a, k

    return f(1, 2), f(x=3)


def positional_only(log: Any) -> Any:
    def f(a: Any, /, b: Any, *, c: Any = 3) -> Any:
        if a:
            b += a
            c = b
        return a, b, c

    return f(1, 2), f(0, b=5)


@inputs(*BOTH)
def class_in_function(log: Any, a: Any) -> Any:
    base = 10

    class Point:
        scale = base * 2
        if a:
            extra = 1
        for axis in "xy":
            pass

        def __init__(self, x: Any) -> None:
            self.x = x

        def scaled(self) -> Any:
            if self.x > 1:
                return self.x * self.scale + base
            return [base for _ in range(2)]

    base = 20
    return Point(3).scaled(), Point(0).scaled(), Point.axis, hasattr(Point, "extra")


@inputs(*BOTH)
def class_rebinds(log: Any, a: Any) -> Any:
    n = 0
    if a:

        class Setter:
            nonlocal n
            n = 5

    else:
        n = 1
    return n


@inputs(*BOTH)
def class_in_branch(log: Any, a: Any) -> Any:
    if a:

        class A:
            value = 1

    else:

        class A:
            value = 2

    return A().value, A.__name__


def walrus_in_comprehension(log: Any) -> Any:
    last = None
    xs = [last := x * 2 for x in range(3)]
    if any((hit := x) > 2 for x in xs):
        return xs, last, hit
    return last


def walrus_global_in_comprehension(log: Any) -> Any:
    global TOTAL
    TOTAL = 0
    xs = [TOTAL := TOTAL + x for x in range(4)]
    any((TOTAL := TOTAL + 100) for _ in range(1))
    return xs, TOTAL


@inputs(*BOTH)
def walrus_comprehension_in_branch(log: Any, a: Any) -> Any:
    last = "none"
    if a:
        log([last := x for x in "abc"])
    return last


def walrus_comprehension_in_loop(log: Any) -> Any:
    best = 0
    for row in ([1, 5], [7, 2], [3]):
        if [best := max(best, x) for x in row if x > best]:
            log(best)
    return best
