"""`match`."""

# The programs are meant to be strange.
# ruff: noqa

from __future__ import annotations

from typing import Any

from tests.harness.conversion_harness import inputs

SUBJECTS: list[tuple[Any, ...]] = [
    (value,)
    for value in (
        0,
        1,
        "a",
        None,
        True,
        2.0,
        [],
        [1],
        (1, 2),
        [1, 2, 3],
        {"a": 1},
        {"a": [1, 2], "b": 2},
        b"ab",
        range(3),
        1j,
    )
]


@inputs(*SUBJECTS)
def command(log: Any, x: Any) -> Any:
    match log(x):
        case 0 | "a":
            return "leaf"
        case [first, *rest] if log(first) == 1 and rest:
            return first, rest
        case other:
            log(other)
    return other


@inputs(*SUBJECTS)
def every_pattern(log: Any, x: Any) -> Any:
    match x:
        case None | True:
            y = "singleton"
        case bool() | int(1 | 0) as n:
            y = n
        case []:
            y = "empty"
        case [_]:
            y = "one"
        case (a, b) | [a, _, b]:
            y = a, b
        case {"a": [_, z], **more}:
            y = z, more
        case {"a": z}:
            y = z
        case 1j:
            y = "complex"
        case str(text) | bytes(text):
            y = text
    return y


@inputs(*SUBJECTS)
def names_after(log: Any, x: Any) -> Any:
    a = b = "before"
    match x:
        case [a, b] if log(a) == 2:
            pass
        case [a, *b] if (b := log(b)) == [2, 3]:
            pass
        case [a, b, None] | [None, a, b]:
            pass
    return a, b


@inputs(*SUBJECTS)
def escapes(log: Any, x: Any) -> Any:
    for i in range(4):
        match i, x:
            case 0, _:
                continue
            case 1, [1, *_]:
                break
            case 2, str() as s:
                return s
            case _, value:
                log(value)
    else:
        return "all"
    return i


@inputs(*SUBJECTS)
def names_of_outer_functions(log: Any, x: Any) -> Any:
    n = 0

    def inner() -> Any:
        nonlocal n
        match x:
            case [n, _] if bump():
                return n
            case int(n):
                return n

    def bump() -> Any:
        nonlocal n
        n = log(7)
        return n

    return inner(), n


@inputs(*SUBJECTS)
def nested(log: Any, x: Any) -> Any:
    match x:
        case [a, *_]:
            match a:
                case 1:
                    return "inner"
        case {"a": a}:
            try:
                match a:
                    case [b, c]:
                        return b / (c - 2)
            except ZeroDivisionError as error:
                return str(error)
    del x
    return "outer"
