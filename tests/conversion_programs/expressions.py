"""Operators, calls, attributes, items, displays, f-strings: results, order and count."""

# The programs are meant to be strange.
# ruff: noqa

from __future__ import annotations

import math
from typing import Any

from tests.harness.conversion_harness import inputs

PAIRS = [(7, 3), (-7, 2), (0, 5), (2, 0), (1.5, 2)]


class Recorder:
    """Logs every access to it."""

    def __init__(self, log: Any) -> None:
        self.__dict__["log"] = log
        self.__dict__["data"] = {}

    def __repr__(self) -> str:
        return "recorder"

    def __getattr__(self, name: str) -> Any:
        self.log("getattr", name)
        return self.data.get(name, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self.log("setattr", name, value)
        self.data[name] = value

    def __delattr__(self, name: str) -> None:
        self.log("delattr", name)
        del self.data[name]

    def __getitem__(self, place: Any) -> Any:
        self.log("getitem", place)
        return self.data.get(str(place), 0)

    def __setitem__(self, place: Any, value: Any) -> None:
        self.log("setitem", place, value)
        self.data[str(place)] = value

    def __delitem__(self, place: Any) -> None:
        self.log("delitem", place)
        del self.data[str(place)]


@inputs(*PAIRS)
def arithmetic(log: Any, a: Any, b: Any) -> Any:
    return a + b, a - b, a * b, a / b, a // b, a % b, a**2, -a, +a, 2 * 3 + a, 1 - -1


@inputs((7, 3), (-7, 2), (0, 5))
def bits(log: Any, a: Any, b: Any) -> Any:
    return a << b, a >> b, a & b, a | b, a ^ b, ~a, a & 1 | b ^ 3


@inputs(*PAIRS)
def comparisons(log: Any, a: Any, b: Any) -> Any:
    return a < b, a <= b, a > b, a >= b, a == b, a != b, a is b, a is not b, a in [b], a not in [b]


@inputs(*PAIRS)
def precedence(log: Any, a: Any, b: Any) -> Any:
    return a + b * 2 - -a, (a + b) * 2, a - (b - 1), not a == b, -(a**2), a**-1 if a else 0


@inputs(("x", 1), (1, "x"), ([], {}))
def type_errors(log: Any, a: Any, b: Any) -> Any:
    return a + b


def order_of_operands(log: Any) -> Any:
    return log(1) + log(2) * log(3) - log(4), log(5) < log(6), log(7) in [log(8), log(7)]


def order_of_arguments(log: Any) -> Any:
    def f(*positional: Any, **named: Any) -> Any:
        return positional, named

    return log(f)(log(1), *log([2, 3]), log(4), k=log(5), *log([6]), **log({"m": 7}), n=log(8))


def order_of_displays(log: Any) -> Any:
    a = [log(1), *log([2]), log(3)]
    b = {log(1): log(2), **log({3: 4}), log(5): log(6)}
    c = (log(1), *log((2, 3)))
    d = {log(1), *log([1, 2])}
    return a, b, c, sorted(d), [], {}, (), [()], {**{}}


def order_of_subscripts(log: Any) -> Any:
    row = list(range(9))
    return log(row)[log(1)], log(row)[log(1) : log(7) : log(2)], row[::-1], row[:], row[2:]


def many_dimensional(log: Any) -> Any:
    r = Recorder(log)
    return r[1, 2], r[1:2, ::3], r[..., None], r[(1, 2), 3], r[*[1, 2], 3], r[()]


def calls(log: Any) -> Any:
    def f(a: Any, b: Any = 2, *c: Any, d: Any = 4, **e: Any) -> Any:
        return a, b, c, d, e

    arguments, named = (1, 2, 3), {"d": 9, "z": 0}
    return f(1), f(1, d=3), f(*arguments), f(*arguments, **named), f(**{"a": 1}), f(b=1, a=2)


def method_calls(log: Any) -> Any:
    text = "a,b,,c"
    return text.split(","), ",".join(x for x in text.split(",") if x), [3, 1].sort(), "x".upper()


def wrong_call(log: Any) -> Any:
    def f(a: Any) -> Any:
        return a

    return f(1, 2)


def not_callable(log: Any) -> Any:
    x = 3
    return x(4)


def missing_attribute(log: Any) -> Any:
    return (3).nothing


def missing_key(log: Any) -> Any:
    return {"a": 1}["b"]


def undefined_global(log: Any) -> Any:
    return undefined_name


def modules(log: Any) -> Any:
    return math.floor(math.pi), math.hypot(3, 4)


def builtins_called(log: Any) -> Any:
    xs = [3, 1, 2]
    return (
        len(xs), sum(xs), min(xs), max(xs), sorted(xs), list(reversed(xs)), list(enumerate(xs)),
        list(zip(xs, "abc")), any(xs), all(xs), isinstance(xs, list), type(xs), abs(-1), int("3"),
        list(map(lambda x: x + 1, xs)), list(filter(None, xs)), callable(len), divmod(7, 2),
    )  # fmt: skip


@inputs((3,), ("text",), (None,), (2.5,))
def f_strings(log: Any, x: Any) -> Any:
    width = 8
    return (
        f"",
        f"{x}",
        f"a{x}b{x!r}c{x!s}d{x!a}",
        f"{x=}",
        f"{{}}{x}",
        f"{x!r:>{width}}|{x!s:<{width}.{2 + 1}}|",
        f"{[x, x]}" + f"{'nested' + f'{x}'}",
        f"implicit {x} concatenation",
    )


def f_string_order(log: Any) -> Any:
    class Shown:
        def __init__(self, name: str) -> None:
            self.name = name

        def __format__(self, spec: str) -> str:
            log("format", self.name, spec)
            return self.name

    return f"{Shown('a'):{log('x')}} {log('between')} {Shown('b')}"


@inputs((3,), ("x",))
def f_string_error(log: Any, x: Any) -> Any:
    return f"{x:d}"


def long_sum(log: Any) -> Any:
    a = 1
    return (
        a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
        + a - a - a - a - a - a - a - a - a - a * a * a * a * a * a * a * a * a * a * a * a * a * a
    )  # fmt: skip


def lambdas(log: Any) -> Any:
    f = lambda x, y=log(2), *z, k=log(3), **w: (x, y, z, k, w)
    g = lambda: log("called") or 4
    return f(1), f(1, 5, 6, k=7, m=8), g(), (lambda *a: a)(1, 2), f.__name__


def lambda_with_walrus(log: Any) -> Any:
    y = "outer"
    f = lambda x: (y := x + 1) + y
    g = lambda x: x and (y := x * 2) and y
    return f(1), y, g(3), g(0), y


def lambda_defaults_capture(log: Any) -> Any:
    functions = []
    for i in range(3):
        functions.append(lambda i=i: [i + j for j in range(2)])
        functions.append(lambda: i)
    return [f() for f in functions]


def lambdas_made_anew(log: Any) -> Any:
    made = []
    for _ in range(2):
        made.append(lambda: [1 for _ in ()])
    return made[0] is made[1], made[0]()


def conditional_call(log: Any) -> Any:
    return (log if log(0) else str)(log(5))


def star_in_index_and_return(log: Any) -> Any:
    a = 1, 2
    b = *a, 3
    return *b, *a


def walrus_orders(log: Any) -> Any:
    x = 1
    y = x + (x := 5) + x
    z = [x, (x := 2), x]
    d = {(k := "a"): k}
    return x, y, z, d, (w := 3, w)


@inputs(*PAIRS)
def not_chains(log: Any, a: Any, b: Any) -> Any:
    return not a, not not b, not (a and not b), -(-a), ~(~3)


def printing(log: Any) -> Any:
    print("a", 1, sep="-")
    for i in range(3):
        if i != 1:
            print(i, end=";")
    print()


def ellipsis_and_constants(log: Any) -> Any:
    return ..., None, True, b"bytes", 1j * 2, "ab", 0x10, 1_000, -0.0


def expression_statements(log: Any) -> Any:
    log(1), log(2)
    log(3) if log(0) else log(4)
    log(0) and log(5)
    [log(6)]
    1
    "text"


def is_and_identity(log: Any) -> Any:
    a: list[Any] = []
    b = a
    return a is b, a is not b, a == [], a is [], (a is None) is False
