"""Random programs of things whose identity counts, and which change in place.

Tensors of a list that change their places under staged conditions and by staged indices; objects as
keys of dicts and members of sets, by identity and with an `__eq__` and `__hash__` of their own; and
iterators that are given as arguments and gone through in the function.

`$o` `$e` `$x` are names of objects, of objects that may be equal, and of tensors; `$X` is an
expression of a scalar, `$J` an index of a list of four, `$K` a small int, `$C` a condition.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import autograph as ag
from tests.fuzz.program_sizes import Writer

FIRST_WITH_OBJECTS = 3_500_000
TURNS = 3
"""Calls with other arguments."""
NAMES = {"o": "opq", "e": "efg", "x": "xyz"}
FORMS = {
    "X": (
        *("$x",) * 3,
        "xs[$J]",
        "xs[$J]",
        "ys[$J][0]",
        "ag.sum(ys[$J])",
        "$o.v",
        "($x * 0.5)",
        "($X + $X)",
        "ag.abs($X)",
        "ag.maximum($X, $x)",
        "(ag.asarray(1.0, dtype=ag.float64) * k)",
        "($X if $C else $x)",
        "max(xs, key=float)",
        "min(xs[0], xs[-1])",
        "table.get($o, $x)",
        "value(next(it, $x))",
    ),
    "J": ("0", "1", "-1", "i", "k % 4", "(k + 1) % 4", "-1 - k % 4", "(i + 1) % 4", "m % 4"),
    "K": ("0", "1", "2", "k % 3", "i", "int($x) % 3", "len(seen)", "len(table)", "m % 3"),
    "C": (
        "xs[$J] > xs[$J]",
        "$x > $X",
        "k > $K",
        "n > 2",
        "xs[$J] is xs[$J]",
        "$x is xs[$J]",
        "$o is $o",
        "$o in seen",
        "$o in table",
        "$e in seen",
        "$e in count",
        "$e == $e",
        "xs[$J] <= xs[$J] and k < 3",
        "i < 2",
        "o.next is not None",
    ),
    "statement": (
        *("if xs[$J] > xs[$J]:\n    xs[$J], xs[$J] = xs[$J], xs[$J]",) * 3,
        *("xs[$J], xs[$J] = xs[$J], xs[$J]",) * 3,
        "xs[$J] = xs[$J]",
        "xs[$J] = limited($X)",
        "xs.insert($J, xs.pop($J))",
        "xs.append(xs.pop(0))",
        "xs.reverse()",
        "xs[1:3] = [xs[2], xs[1]]",
        "xs[:2], xs[2:4] = xs[2:4], xs[:2]",
        "ys[$J], ys[$J] = ys[$J], ys[$J]",
        "ys[$J][0] = limited($X)",
        "ys[$J] = ys[$J] * 0.5",
        "$x = xs[$J]",
        "$x = limited($X)",
        "xs[$J] = $x",
        "$x, xs[$J] = xs[$J], $x",
        "k = (k + 1) % 7",
        "k = $K",
        "total = limited(total + $X)",
        "found.append(xs[$J] is $x)",
        "found.append($o is $o)",
        "$o = $o",
        "$o = Plain($X)",
        "$o.v = limited($X)",
        "$o.next = $o",
        "table[$o] = limited($X)",
        "table.setdefault($o, $x)",
        "table.pop($o, None)",
        "if $o in table:\n    del table[$o]",
        "total = limited(total + table.get($o, 0.0))",
        "seen.add($o)",
        "seen.discard($o)",
        "seen.add($e)",
        "found.append($e in seen)",
        "$e = Same($K)",
        "$e = $e",
        "e.tag = $K if all(e is not one for one in (*table, *seen, *count)) else e.tag",
        "count[$e] = count.get($e, 0) + 1",
        "k = (k + count.get($e, 2)) % 7",
        "got.append(value(next(it, $x)))",
        "$x = value(next(it, $x))",
        "total = limited(total + sum(value(y) for y in it))",
        "got += [value(y) for y in it]",
        "try:\n    got.append(value(next(it)))\nexcept StopIteration:\n    k += 1",
    ),
    "loop": (
        "for i in range(3):",
        "for i in range(4):",
        "for i in range(n):",
        "while k < n:\n    k += 1",
        "for i, x in enumerate(xs):",
        "for y in it:\n    y = value(y)",
        "for y in it:\n    got.append(value(y))",
        "for o in [o, p, q]:",
        "for o in list(table)[:3]:",
        "for i, (x, y) in enumerate(zip(xs, it)):\n    y = value(y)",
    ),
}
RESULTS = (
    *("xs", "ys", "x", "y", "z", "k", "total", "found", "got", "o", "p", "o.v", "len(table)"),
    *("list(table.values())", "len(seen)", "sorted(count.values())", "e.tag", "o in seen"),
)
GIVEN = (
    "iter(others)",
    "iter(others)",
    "iter(tuple(others))",
    "zip(range(4), others)",
    "enumerate(others)",
    "reversed(others)",
    "map(abs, others)",
    "(one * 2 for one in others)",
    "iter({0: others[0], 1: others[1]}.values())",
    "itertools.chain(others[:1], others[2:])",
    "iter(range(4))",
    "iter(xs)",
)
HEAD = """\
import itertools

import autograph as ag


class Plain:
    def __init__(self, v):
        self.v, self.next = v, None

    def __repr__(self):
        return "Plain"


class Same:
    def __init__(self, tag):
        self.tag = tag

    def __eq__(self, other):
        return isinstance(other, Same) and self.tag == other.tag

    def __hash__(self):
        return hash(self.tag)

    def __repr__(self):
        return "Same"


def limited(s):
    return ag.clip(ag.asarray(s, dtype=ag.float64), -8.0, 8.0)


def value(y):
    return limited(y[-1] if isinstance(y, tuple) else y)


def make(stage):
    kept = Plain(ag.asarray(0.5, dtype=ag.float64))

    def look():
        return kept

"""
START = """\
k, i, total = m, 0, 0.0
x, y, z = xs[0], xs[1], xs[-1]
ys = [ag.stack([one, one * 2]) for one in xs]
o, p, q = Plain(x), Plain(y), kept
e, f, g = Same(1), Same(k % 2), Same(2)
table, seen, count, found, got = {o: x}, {e, p}, {e: 1}, [], []"""
TAIL = """
    staged = stage(program)

    def call(xs, others, n, m):
        it = GIVEN
        result = staged(xs, it, n, m)
        return result, list(it)

    return call, look
"""


def source_of(seed: int) -> str:
    """The text of program number `seed`."""
    rng = random.Random(seed)
    writer = Writer(rng, rng.randint(3, 12), FORMS, NAMES)
    writer.write("def program(xs, it, n, m):", 1)
    writer.write(START, 2)
    while writer.room > 0:
        writer.room -= 1
        writer.statement(2, False)
    writer.write(f"return {', '.join(rng.sample(RESULTS, 5))}", 2)
    return "\n".join([HEAD, *writer.lines, TAIL.replace("GIVEN", rng.choice(GIVEN))])


def arguments(seed: int, turn: int) -> tuple[Any, ...]:
    """Arguments number `turn`: four tensors, four others, a staged number, and a known one."""
    rng = np.random.default_rng([seed, turn])
    numbers = [ag.asarray(np.float64(one)) for one in rng.integers(-12, 12, size=8) / 4]
    staged = ag.asarray(np.int64(rng.integers(0, 5)))
    return numbers[:4], numbers[4:], staged, int(np.random.default_rng(seed).integers(0, 4))
