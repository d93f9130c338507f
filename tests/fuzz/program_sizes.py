"""Random programs of tensors whose sizes change: they become symbols, and data decide some.

Names may be first bound in a loop, begin as None or as a number, and end as a tensor of a size that
only the run can tell. Vectors are kept short, and their elements are kept at small multiples of a
quarter, so that sums are exact in every order and no condition is decided by rounding.

`$v` `$m` `$s` are names of vectors, matrices and scalars, `$V` `$M` `$S` expressions of them,
`$I` a staged size, `$C` a condition. `$l` is a name that only loops and branches bind.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograph as ag

FIRST_WITH_SIZES = 3_000_000
SIZES = ((3, 2), (5, 3), (4, 0), (1, 1))
"""Of the vectors, and the staged number, in each call."""
DEEPEST = 2
HOLE = re.compile(r"\$([a-zA-Z])")
NAMES = {"v": "abc", "m": "pq", "s": "st", "l": "de"}

FORMS = {
    "V": (
        *("$v",) * 4,
        "$l",
        "($v * $S)",
        "-$v",
        "ag.abs($V)",
        "meet($V, $V)",
        "meet($v, $l)",
        "ag.concat([$V, $V])",
        "ag.concat([$v, ag.zeros((1,), dtype=ag.float64)])",
        "ag.concat([ag.ones(($I,), dtype=ag.float64), $V])",
        "$v[:n]",
        "$v[n:]",
        "$v[1:]",
        "$v[::2]",
        "$v[::-1]",
        "$v[-2:]",
        "above($v, $S)",
        "ag.zeros((n,), dtype=ag.float64)",
        "ag.ones(($I,), dtype=ag.float64)",
        "ag.full(($I,), 0.5, dtype=ag.float64)",
        "ag.astype(ag.arange($I), ag.float64)",
        "ag.where($V > $S, $S, $S)",
        "(lambda v: ag.where(v > $S, v, $S))($v)",
        "ag.tile($v, 2)",
        "ag.repeat($v, 2)",
        "ag.roll($v, 1)",
        "ag.sort($V)",
        "ag.cumulative_sum($v)",
        "ag.pad($v, ((1, 0),))",
        "ag.flip($V)",
        "ag.sum($M, axis=0)",
        "ag.sum($M, axis=1)",
        "ag.reshape($M, (-1,))",
        "ag.stack([$S, $S])",
        "($V if $C else $v)",
        "ag.squeeze(ag.expand_dims($v, 0), 0)",
        "ag.maximum($v, $S)",
        "ag.stack([e * 2 for e in $v] or [$S])",
    ),
    "M": (
        *("$m",) * 3,
        "($m * $S)",
        "$m.T",
        "(lambda v: ag.stack([v, v * 2]))($V)",
        "($v[:, None] * $v[None, :])",
        "($v[:, None] @ $v[None, :])",
        "(lambda v: ag.reshape(ag.concat([v, v]), (2, -1)))($v)",
        "ag.broadcast_to($v, (2, $v.shape[0]))",
        "ag.ones((n, 2), dtype=ag.float64)",
        "ag.zeros(($I, $I), dtype=ag.float64)",
        "$m[:n]",
        "$m[:, 1:]",
        "(lambda m: ag.concat([m, m]))($m)",
        "(lambda m: ag.concat([m, m * 2], axis=1))($m)",
        "ag.expand_dims($V, 0)",
        "($M if $C else $m)",
    ),
    "S": (*("$s",) * 3, "ag.sum($V)", "(ag.sum($v) * 0.25)", "ag.sum($m)", "0.5", "-1.25", "i"),
    "I": ("n", "n", "i", "$v.shape[0]", "len($v)", "$m.shape[0]", "(n + 1)", "2"),
    "C": (
        "ag.sum($V) > $S",
        "$s < $S",
        "n > $I",
        "i < 2",
        "$v.shape[0] > $I",
        "len($v) > 2",
        "$l is None",
        "k is None",
        "i == n",
    ),
    "statement": (
        *("$v = tidy($V)",) * 4,
        *("$l = tidy($V)",) * 4,
        *("$m = tidy($M)",) * 2,
        *("$s = limited($S)",) * 2,
        "$v = $l = tidy($V)",
        "$v, $l = tidy($V), $v",
        "$v = tidy($v + $S)",
        "$v *= 0.5",
        "$v[0:1] = $S",
        "$v[:n] = $S",
        "k = $v",
        "k = tidy($V) if k is None else meet(k, $v)",
        "k = tidy($M)",
        "total = limited(total + $S)",
        "total = tidy(total + $v) if i > 0 else total",
        "xs.append(tidy($V))",
        "if xs:\n    $v = xs[-1] * 1",
        "o.v = tidy($V)",
        "$v = o.v * 1",
        "found['a'] = tidy($V)",
        "try:\n    $v = $l * 1\nexcept UnboundLocalError:\n    $l = tidy($V)",
    ),
    "loop": (
        "for i in range(n):",
        "for i in range(n):",
        "for i in range($I):",
        "for i, e in enumerate($v):",
        "for e in $v:",
        "for e in $m:",
    ),
}
RESULTS = ("a", "b", "c", "p", "q", "s", "t", "i", "k", "total", "d", "e", "xs", "o.v", "found")

HEAD = """\
import autograph as ag


class Record:
    pass


def tidy(v):
    if v.ndim == 2:
        v = v[:6, :6]
    else:
        v = v[:6]
    return TIDY


def limited(s):
    return ag.clip(ag.asarray(s, dtype=ag.float64), -8.0, 8.0)


def above(v, s):
    return v[v > s]


def meet(a, b):
    both = min(a.shape[0], b.shape[0])
    return a[:both] + b[:both]


def make(stage):
    def look():
        return None

"""
START = """\
b, c = a * 2, a[::-1] * 1
p, q = ag.stack([a, b]), a[:, None] * a[None, :]
s, t = ag.sum(a), ag.asarray(0.5, dtype=ag.float64)
i, k, total, xs, found = 0, None, 0.0, [], {}
o = Record()
o.v = a"""
LATE = ("", "$l = None", "$l = a * 2", *("for i in range(n):\n    $l = tidy($V)",) * 4)
"""How the names may begin that are bound in loops and branches."""
TAIL = "\n    return stage(program), look\n"
GRADIENT = """
    def with_gradient(a, n):
        with ag.GradientTape() as tape:
            tape.watch(a)
            y = program(a, n) + 0 * ag.sum(a)
        return y, tape.gradient(y, a)

    return stage(with_gradient), look
"""


@dataclass
class Writer:
    """Writes the function; `room` is how many statements are left to write."""

    rng: random.Random
    room: int
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: FORMS)
    names: Mapping[str, str] = field(default_factory=lambda: NAMES)
    lines: list[str] = field(default_factory=list)

    def write(self, text: str, depth: int) -> None:
        self.lines.extend("    " * depth + line for line in text.splitlines())

    def fill(self, text: str, level: int = 0) -> str:
        """The text with its holes filled."""
        return HOLE.sub(lambda hole: self.part(hole[1], level), text)

    def part(self, symbol: str, level: int) -> str:
        if symbol in self.names:
            return self.rng.choice(self.names[symbol])
        forms = self.forms[symbol]
        if level >= DEEPEST:
            forms = tuple(one for one in forms if not re.search(r"\$[A-Z]", one))
        return self.fill(self.rng.choice(forms), level + 1)

    def block(self, depth: int, in_loop: bool) -> None:
        for _ in range(self.rng.randint(1, 3)):
            self.room -= 1
            self.statement(depth, in_loop)

    def statement(self, depth: int, in_loop: bool) -> None:
        roll = self.rng.random()
        if depth < 5 and roll < 0.25 and self.room > 0:
            self.write(self.fill(self.rng.choice(self.forms["loop"])), depth)
            self.block(depth + 1, True)
            if self.rng.random() < 0.15:
                self.write("else:", depth)
                self.block(depth + 1, False)
        elif depth < 6 and roll < 0.4 and self.room > 0:
            self.write(self.fill("if $C:"), depth)
            self.block(depth + 1, in_loop)
            if self.rng.random() < 0.5:
                self.write("else:", depth)
                self.block(depth + 1, in_loop)
        elif in_loop and roll < 0.46:
            way = self.rng.choice(["break", "continue"])
            self.write(f"{self.fill('if $C:')}\n    {way}", depth)
        else:
            self.write(self.fill(self.rng.choice(self.forms["statement"])), depth)


def source_of(seed: int) -> str:
    """The text of program number `seed`; one in four takes a gradient."""
    rng = random.Random(seed)
    gradient = seed % 4 == 3
    writer = Writer(rng, rng.randint(4, 14))
    writer.write("def program(a, n):", 1)
    writer.write(START, 2)
    for name in NAMES["l"]:
        writer.write(writer.fill(rng.choice(LATE).replace("$l", name)), 2)
    while writer.room > 0:
        writer.room -= 1
        writer.statement(2, False)
    some = rng.sample(RESULTS, 4)
    total = " + ".join(f"ag.sum({name})" for name in rng.sample("abcpq", 2))
    writer.write(f"return {total if gradient else ', '.join(some)}", 2)
    limit = "ag.clip(v, -8.0, 8.0)" if gradient else "ag.round(ag.clip(v, -8.0, 8.0) * 4) / 4"
    return "\n".join([HEAD.replace("TIDY", limit), *writer.lines, GRADIENT if gradient else TAIL])


def arguments(seed: int, turn: int) -> tuple[Any, ...]:
    """Arguments number `turn` of program `seed`: a vector, and a staged number."""
    rng = np.random.default_rng([seed, turn])
    size, number = SIZES[turn]
    return ag.asarray(rng.integers(-12, 12, size=size) / 4), ag.asarray(np.int64(number))
