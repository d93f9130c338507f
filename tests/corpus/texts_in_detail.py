"""Texts of objects, their formats, and the errors of these."""

from __future__ import annotations

import types
from collections import UserDict, deque
from dataclasses import dataclass, field
from typing import Any

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(-3.0)))


class Spot:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __repr__(self) -> str:
        return "Spot " + str(self.v)


class Both(Spot):
    def __str__(self) -> str:
        return "text " + str(self.v)


class TextOnly:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __str__(self) -> str:
        return f"text {self.v}"


class Amount:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __int__(self) -> int:
        return int(self.v)

    def __index__(self) -> int:
        return int(self.v)

    def __float__(self) -> float:
        return float(self.v) / 2


class Options(types.SimpleNamespace):
    pass


class Warm(float):
    def __str__(self) -> str:
        return "warm"

    def __repr__(self) -> str:
        return "Warm"


WARM = Warm(100.0)


@dataclass
class Tree:
    v: Any
    near: list[Any] = field(default_factory=list)


@program(*X)
def keys_and_members(x):
    return str({Spot(int(x)): 1}), f"{ {Spot(int(x))} }", str(frozenset([Spot(int(x))])), x


@program(*X)
def percent_by_names(x):
    return (
        "%(p)s / %(p)r" % {"p": Both(int(x))},
        "%(p)s" % {"p": TextOnly(int(x))},
        "%(a)d %(b)s" % UserDict(a=int(x), b="k"),
        "%(a)s%%" % {"a": (int(x), 1)},
        "%s" % {"a": int(x)},
        "%(a)s" % {"a": "p" if x > 0 else "n"},
    )


@program(*X)
def percent_of_numbers_that_objects_are(x):
    n = Amount(x)
    return "%d|%5.1f|%x|%c" % (n, n, Amount(255), Amount(65)), "%.2f" % n


@program(*X)
def namespaces(x):
    one = Options(a=int(x), b=[Spot(int(x))])
    other = types.SimpleNamespace(q=one)
    other.me = other
    return str(one), repr(other), f"{[one]}", "%s" % one, "{}".format(one)


@program(*X)
def rings(x):
    left, right = Tree(int(x)), Tree(2)
    left.near.append(right)
    right.near.append(left)
    table: dict[str, Any] = {"n": int(x)}
    table["me"] = table
    line: deque[Any] = deque([int(x)])
    line.append(line)
    items: list[Any] = [int(x)]
    pair = (items, 1)
    items.append(pair)
    plain: list[Any] = [1]
    plain.append(plain)
    return repr(left), str(table), str(line), str(items), repr(pair), f"{plain}"


@program(*X)
def printed_classes(x):
    print(WARM, [WARM], x, True, None)
    print("%s" % WARM, "{}".format(WARM), f"{WARM}", int(x))
    return x


def errors_of(makers):
    found = []
    for make in makers:
        try:
            found.append(make())
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            found.append(type(error).__name__ + ": " + str(error))
    return found


@program(*X)
def errors_of_percent(x):
    n, y = int(x), float(x)
    given = (
        ("%d %d", n),
        ("%d", (n, 2)),
        ("%d", f"{x}"),
        ("%x", y),
        ("%(a)s", n),
        ("%d", [n]),
        ("%z", n),
        ("%f", TextOnly(n)),
        ("%x", x),
        ("%*d", (y, 3)),
        ("abc", n),
        ("%(b)s", {"a": n}),
        ("%(a)s", (n,)),
    )
    return errors_of([lambda p=pattern, v=value: p % v for pattern, value in given])


@program(*X)
def errors_of_format(x):
    n = int(x)
    given = (
        ("{} {0}", n),
        ("{0} {}", n),
        ("{} {}", n),
        ("{0} {1}", n),
        ("{a} {}", n),
        ("{:{:{}}}", n),
        ("{0!x}", n),
        ("{", n),
        ("{0.}", n),
        ("{0[a}", n),
        ("{:s}", n),
        ("{:>5}", [n]),
        ("{0.w}", Spot(x)),
    )
    made = [lambda p=pattern, v=value: p.format(v) for pattern, value in given]
    named = [lambda p=pattern: p.format_map({"a": n}) for pattern in ("{}", "{b}")]
    return errors_of([*made, *named])


@program(*X)
def fields_of_format(x):
    n = int(x)
    return (
        "{0[a.b]}".format({"a.b": n}),
        "{0[1]} {0[0]}".format([n, 2]),
        "{.v} {.v}".format(Spot(n), Spot(3)),
        "{0!r:>9}|{0!s:<9}|{{{0}}}".format(n),
        "{:{}}".format(n, 5),
        "{a}".format_map({"a": n}),
    )


@program(*X)
def errors_of_f_strings(x):
    n, y = int(x), float(x)
    best = y if x > 0 else None
    return errors_of(
        (
            lambda: f"{n:.2q}",
            lambda: f"{y:d}",
            lambda: f"{best:.2f}",
            lambda: f"{n!r:d}",
            lambda: f"{[n]:5}",
            lambda: f"{n > 0:d}",
            lambda: format(y, "d"),
        )
    )


@program(*X)
def format_that_nobody_reads(x):
    text = f"{float(x):d}"
    return x


@stateful(*X, between=(lambda w: setattr(w.state, "v", 9),))
def attribute_in_a_format():
    held = types.SimpleNamespace(v=3)

    def f(x):
        return "{0.v}".format(held), x

    return f, held


@program(*X)
def strings_beside_numbers(x):
    s, n = f"{int(x)}", int(x)
    return errors_of(
        (
            lambda: s + 1,
            lambda: n + s,
            lambda: s - 1,
            lambda: s * 1.5,
            lambda: s < 3,
            lambda: s == 3,
            lambda: s != None,
            lambda: [1] + s,
            lambda: s + b"a",
            lambda: s * 2,
        )
    )


class Refused(ConnectionError):
    def __init__(self, host: str) -> None:
        super().__init__(5, "gone")
        self.host = host


class Named(Exception):
    def __str__(self) -> str:
        return "named: " + super().__str__()

    def __repr__(self) -> str:
        return "R" + super().__repr__()


class Keyed(KeyError):
    def __str__(self) -> str:
        return "key: " + KeyError.__str__(self)


@program(*X)
def texts_of_exceptions(x):
    n = int(x)
    errors = (
        Named("up"),
        Named(n),
        Named(),
        Named(1, x),
        Keyed(n),
        Refused("h"),
        FileNotFoundError(n, "no"),
        FileNotFoundError(2, f"no {n}", "file"),
        PermissionError("just", n, "a", None, f"b{n}"),
        OSError(f"just {n}"),
    )
    return [(str(error), repr(error), f"{error}") for error in errors]
