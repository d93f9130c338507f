"""What objects, enum members and containers are shown as; strings of which there are several."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections import namedtuple

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))


class C(enum.Enum):
    RED = 1
    BLUE = 2

    def __str__(self):
        return self.name.lower()


class L(enum.IntEnum):
    A = 1
    B = 2


class S(str, enum.Enum):
    X = "ex"
    Y = "why"


class F(enum.Flag):
    P = 1
    Q = 2


class StrOnly:
    def __init__(self, v):
        self.v = v

    def __str__(self):
        return f"<{self.v}>"


class Both(StrOnly):
    def __repr__(self):
        return f"Both({self.v!r})"


class Fmt(Both):
    def __format__(self, spec):
        return f"[{spec}]" + str(self.v)


@dataclasses.dataclass
class D:
    a: object
    b: int = 1


NT = namedtuple("NT", "p q")


@program(*S3)
def enums(x):
    c = C.RED if x > 0 else C.BLUE
    l = L.A if x > 0 else L.B
    s = S.X if x > 1 else S.Y
    f = F.P if x > 0 else F.P | F.Q
    return (
        f"{c}",
        f"{c!r}",
        f"{c:>6}",
        str(c),
        f"{l}",
        f"{l:03d}",
        f"{l!r}",
        f"{s}",
        s.value,
        f"{f}",
        "%s %r" % (c, l),
        "{} {!r}".format(c, s),
        [str(c)],
        repr([c]),
    )


@program(*S3)
def objects(x):
    k = int(x * 4)
    a, b, c = StrOnly(k), Both(k), Fmt(k)
    print(a, b, c, [b, c])
    print(f"{a}|{b}|{c}|{c:q}|{b!r}|{b!s}|{a!s:>8}")
    return (
        f"{a}",
        f"{b}",
        f"{c}",
        f"{c:x}",
        f"{b!r:>12}",
        str([b]),
        f"{[b, c]}",
        "%s" % a,
        "{}".format(c),
        "{:z}".format(c),
        format(c, "w"),
        f"{D(k)}",
        str(D(k)),
        f"{NT(k, b)}",
    )


@program(*S3)
def choice_of_objects(x):
    o = StrOnly(1) if x > 1 else (Both(2) if x > 0 else Fmt(3))
    return f"{o}", str(o), f"{o!r}" if x < 1 else "", "%s" % o


@program(*S3)
def nested_spec(x):
    w = 8
    k = int(x * 4)
    name = "ab" if x > 0 else "abc"
    return (
        f"{k:{w}d}",
        f"{name:>{w}}",
        f"{name:{'<' if x > 1 else '^'}6}|",
        f"{k:{w if x > 0 else 3}}",
    )


@program(*S3)
def bad_format(x):
    try:
        return f"{StrOnly(1):d}"
    except TypeError as e:
        return str(e)


@program(*S3)
def str_methods_on_staged(x):
    s = "a" if x > 0 else "bb"
    u = s + s
    return (
        u.join(["1", "2"]),
        s.ljust(4, "."),
        s.replace("a", s),
        u in "aabbbb",
        {s: 1, "z": 2},
        [s, u].index(s),
        s < u,
        sorted([u, s]),
        max(s, u),
        len(u),
        u[0],
        u[-1:],
        u.encode(),
        s.isupper(),
        s.zfill(5),
        s.split("a"),
        *map(str.upper, [s, u]),
    )


@program(*S3)
def choice_strings_many(x):
    a = "p" if x > 0 else "n"
    b = "hi" if x > 1 else "lo"
    k = f"{a}-{b}"
    table = {"p-hi": 1.0, "p-lo": 2.0, "n-lo": 3.0}
    m = table[k] * x if k in table else x
    if k == "p-hi":
        r = "first"
    elif k.startswith("n"):
        r = "neg"
    else:
        r = k.upper()
    match k:
        case "p-lo":
            z = 1
        case "n-lo" | "n-hi":
            z = 2
        case _:
            z = 3
    return m, r, z, len(k), k.split("-"), table.get(k, 0.0), {k: x}[k], k + "!", k == f"{a}-{b}"


@program(*S3)
def print_options(x):
    n = int(x)
    print(n, "a", None, [n], (n, 1), {"k": n}, sep=", ", end="!\n")
    print(*[n, n + 1], sep="-" if x > 0 else "+")
    print("x" if x > 0 else "y", end="")
    print()
    if x > 0:
        print("pos", x > 1)
    return None


@stateful(
    *S3,
    between=(
        lambda w: w.state[0].append(7),
        lambda w: w.state[1].__setitem__("k", [9]),
        lambda w: setattr(w.state[2], "q", 4),
        lambda w: w.state[3].a.append(5),
    ),
)
def nested_containers_shown():
    st = (
        [1, [2]],
        {"k": [1]},
        types.SimpleNamespace(q=[1]),
        D([1]),
    )

    def f(x):
        return (
            str(st[0]),
            f"{st[1]}",
            f"{st[1]['k']}",
            repr(st[2]),
            f"{st[3]}",
            "%s" % st[0],
            "{0[k]} {1}".format(st[1], st[0]),
            x,
        )

    return f, st


@stateful(*S3, between=(lambda w: w.state.append(1), lambda w: w.state[1].append(1)))
def print_state():
    st = [[0], [1]]

    def f(x):
        print(st, f"{st[1]!r:>10}", *st)
        if x > 0:
            print(st[0], x)

    return f, st


VALUES = [case(np.array([1.5, 2.25, -3.0])), case(np.array([0.0, 1.0])), case(np.array([5.0]))]


@program(*VALUES, compiled=True)
def reports_of_floats(a):
    row, lines = "", []
    for i, v in enumerate(a):
        row += f"{v:.1f}, "
        lines.append(f"{i}: " + str(v).rjust(8) + "|")
    joined = ", ".join(f"{v:.2f}" for v in a).rstrip(", 0").upper()
    print(f"{a.sum():.2f}".center(12, "*"), row.strip().replace(".", ","))
    return "[" + row[:-2] + "]", "\n".join(lines), joined, f"{a[0]:8.3f}".strip().zfill(7)


@program(*VALUES)
def changed_in_turn(a):
    text = f"{a[0]}".strip()
    if a[0] > 1:
        text = text.ljust(9)[:7] + "|"
    for v in a:
        text = (text + f" {v}\t").expandtabs(4).removesuffix(" ").casefold()
    cut = len(a) - 4
    return (
        text,
        f"{a[0]:.4f}"[1:cut],
        str(a.mean())[:4],
        f"{str(a[0]):>8}",
        "a-b".replace("-", text),
    )


@program(*VALUES)
def raised_with_a_changed_text(a):
    if a[0] < 4:
        raise ValueError(f"{a[0]}".rjust(8))
    return f"{a[0]}".ljust(8)
