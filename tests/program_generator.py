"""Random programs with nested control flow, as source text that ends by construction.

A program has variables of fixed kinds: float and int tensors (`x0`, `n0`), Python ints and floats
(`i0`, `f0`), a short vector `v`, a list `xs`, and one variable `m` that holds whatever a branch
left in it. Every loop is bounded; ints are kept small; arithmetic is exact in IEEE terms, so that
no condition is decided by how a function is rounded. What is put into the list is a new tensor: a
list that grows in a staged loop holds values, not the cells that others may know.
"""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograph as ag

KINDS = {"float tensor": "x", "int tensor": "n", "python int": "i", "python float": "f"}
INDENT = "    "
HEAD = """\
import autograph as ag


class Box:
    pass


def pick(a, b):
    if a > b:
        return a - b
    return b


def make():
    box = Box()
    box.n, box.t = 0, ag.asarray(0.5)
    box.log = []
    table = {"a": 1, "b": 0.5}
    w = ag.Variable(1.0)
    calls = 0

    def bump(k, x):
        nonlocal calls
        calls = (calls + k) % 61
        if x > 1:
            box.n = (box.n + calls) % 61
            return x * 2
        table["a"] = box.n
        return x + 1

    def look():
        return box, table, w, calls

    def program(x0, x1, n0, i0, v):
        nonlocal calls
"""
TAIL = """
    return program, look
"""
GRADIENT = """
    def with_gradient(x0, x1, n0, i0, v):
        with ag.GradientTape() as tape:
            tape.watch([x0, x1, v])
            connected = 0 * (x0 + x1 + ag.sum(v) + w)
            y = program(x0, x1, n0, i0, v) + connected
        return y, tape.gradient(y, [x0, x1, v, w])

    return with_gradient, look
"""
START = """\
x2 = x0 * 2
n1 = n0 - 3
i1, i2 = 1, 2
f0, f1 = 0.5, 1.25
xs = [x0 * 1]
m = None
"""


@dataclass
class Writer:
    """Writes one program; `room` is how many statements are left to write."""

    rng: random.Random
    room: int = 28
    effects: float = 0.0
    """How many of the simple statements touch what outlives the call."""
    gradient: bool = False
    """Whether the result is one float tensor, to be differentiated."""
    lines: list[str] = field(default_factory=list)
    loops: int = 0
    maybe: list[str] = field(default_factory=list)
    """Names that some path has assigned and another may not have."""
    locked: set[str] = field(default_factory=set)
    """Counters of the loops around, which only their loops change."""

    def write(self, text: str, depth: int) -> None:
        self.lines.extend(INDENT * depth + line for line in text.splitlines())

    def chance(self, odds: float) -> bool:
        return self.rng.random() < odds

    # expressions ----------------------------------------------------------------------------------
    def name(self, kind: str) -> str:
        count = {"float tensor": 3, "int tensor": 2, "python int": 3, "python float": 2}[kind]
        return f"{KINDS[kind]}{self.rng.randrange(count)}"

    def integer(self, level: int = 0) -> str:
        """A Python int, perhaps staged."""
        choices = [lambda: self.name("python int"), lambda: str(self.rng.randint(-3, 5))]
        if level < 2:
            inner = [self.integer(level + 1), self.integer(level + 1)]
            operator = self.rng.choice(["+", "-", "*", "//", "%", "&", "|"])
            if operator in ("//", "%") and not self.chance(0.05):
                inner[1] = f"({inner[1]} % 5 + 1)"
            choices += [
                lambda: f"({inner[0]} {operator} {inner[1]})",
                lambda: f"{self.rng.choice(['min', 'max'])}({inner[0]}, {inner[1]})",
                lambda: f"({inner[0]} if {self.condition(2)} else {inner[1]})",
                lambda: f"abs({inner[0]})",
                lambda: "len(xs)",
            ]
        return self.rng.choice(choices)()

    def number(self, level: int = 0) -> str:
        """A Python float, perhaps staged."""
        choices = [
            lambda: self.name("python float"),
            lambda: self.rng.choice(["0.25", "-1.5", "3.0", "0.0"]),
        ]
        if level < 2:
            left, right = self.number(level + 1), self.number(level + 1)
            choices += [
                lambda: f"({left} {self.rng.choice(['+', '-', '*'])} {right})",
                lambda: f"({left} / {self.rng.choice(['2', '-4.0', '0.5'])})",
                lambda: f"({left} * {self.name('python int')})",
                lambda: f"{self.rng.choice(['min', 'max'])}({left}, {right})",
                lambda: f"({left} if {self.condition(2)} else {right})",
            ]
        return self.rng.choice(choices)()

    def tensor(self, level: int = 0) -> str:
        """A float tensor."""
        choices = [lambda: self.name("float tensor")] * 2
        if level < 2:
            left, right = self.tensor(level + 1), self.tensor(level + 1)
            choices += [
                lambda: f"({left} {self.rng.choice(['+', '-', '*'])} {right})",
                lambda: f"({left} + {self.number(1)})",
                lambda: f"({left} * {self.integer(1)})",
                lambda: f"({left} / 4)",
                lambda: f"{self.rng.choice(['min', 'max', 'pick'])}({left}, {right})",
                lambda: f"ag.{self.rng.choice(['minimum', 'maximum'])}({left}, {right})",
                lambda: f"({left} if {self.condition(2)} else {right})",
                lambda: f"v[{self.integer(2)} % 3]",
                lambda: f"v[{self.whole(2)} % 3]",
                lambda: "(xs[-1] + 0)",
                lambda: "abs(x0)",
            ]
        return self.rng.choice(choices)()

    def whole(self, level: int = 0) -> str:
        """An int tensor."""
        choices = [lambda: self.name("int tensor")]
        if level < 2:
            left, right = self.whole(level + 1), self.whole(level + 1)
            operator = self.rng.choice(["+", "-", "*", "&", "^"])
            choices += [
                lambda: f"({left} {operator} {right})",
                lambda: f"({left} + {self.integer(1)})",
                lambda: f"({left} // {self.rng.randint(2, 4)})",
                lambda: f"({left} % {self.rng.randint(2, 7)})",
                lambda: f"({left} if {self.condition(2)} else {right})",
            ]
        return self.rng.choice(choices)()

    def value(self, kind: str) -> str:
        if kind == "python int":
            return f"{self.integer()} % 61 - 20"
        if kind == "int tensor":
            return f"{self.whole()} % 61 - 20"
        return self.number() if kind == "python float" else self.tensor()

    def condition(self, level: int = 0) -> str:
        """A condition on tensors, on Python numbers, or on both."""
        compare = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        choices = [
            lambda: f"{self.tensor(2)} {compare} {self.tensor(2)}",
            lambda: f"{self.tensor(2)} {compare} {self.number(2)}",
            lambda: f"{self.whole(2)} {compare} {self.integer(2)}",
            lambda: f"{self.integer(2)} {compare} {self.integer(2)}",
            lambda: f"{self.number(2)} {compare} {self.number(2)}",
            lambda: self.rng.choice(["m is None", "m is not None", "len(xs) > 2", "n0", "i1"]),
        ]
        if level < 2:
            choices += [
                lambda: f"not ({self.condition(level + 1)})",
                lambda: f"({self.condition(level + 1)}) and ({self.condition(level + 1)})",
                lambda: f"({self.condition(level + 1)}) or ({self.condition(level + 1)})",
                lambda: f"-2 < {self.whole(2)} <= {self.integer(2)}",
            ]
        return self.rng.choice(choices)()

    # statements -----------------------------------------------------------------------------------
    def block(self, depth: int, in_loop: bool) -> None:
        start = len(self.lines)
        for _ in range(self.rng.randint(1, 4)):
            if self.room <= 0:
                break
            self.room -= 1
            if self.statement(depth, in_loop):
                break
        if len(self.lines) == start:
            self.write("pass", depth)

    def statement(self, depth: int, in_loop: bool) -> bool:
        """Write one; True if nothing after it in the block is reached."""
        roll = self.rng.random()
        nest = depth < 5
        if nest and roll < 0.24:
            self.branch(depth, in_loop)
        elif nest and depth < 4 and roll < 0.42:
            self.loop(depth)
        elif in_loop and depth > 2 and roll < 0.5:
            self.write(self.rng.choice(["break", "continue"]), depth)
            return True
        elif depth > 1 and roll < 0.54:
            self.write(f"return {self.result()}", depth)
            return True
        else:
            self.write(self.simple(), depth)
        return False

    def simple(self) -> str:
        kind = self.rng.choice(list(KINDS))
        name = self.name(kind)
        while name in self.locked:
            name = self.name(kind)
        maybe = f"late{self.rng.randrange(2)}"
        x = self.tensor(1)
        forms: list[Callable[[], str]] = [
            lambda: f"{name} = {self.value(kind)}",
            lambda: f"{name} = {self.value(kind)}",
            lambda: self.augmented(kind, name),
            lambda: f"x0, x1 = x1, {x}",
            lambda: f"f0, f1 = f1, {self.number(1)}",
            lambda: f"xs.append({x} * 1)",
            lambda: f"xs[{self.rng.choice(['0', '-1'])}] = {x} * 1",
            lambda: f"v[{self.integer(2)} % 3] {self.rng.choice(['=', '+='])} {x}",
            lambda: f"m = {self.rng.choice(['None', '7', '1.5', 'x1', repr('text'), '(i0, x0)'])}",
            lambda: f"pair = ({self.integer(1)}, {x})\ni1, x1 = pair[0] % 61, pair[1]",
            lambda: "if len(xs) > 1:\n    x2 = xs.pop()",
            lambda: self.assign_late(maybe),
        ]
        if self.chance(self.effects):
            forms = self.effect(x)
        if maybe in self.maybe and self.chance(0.5):
            return f"x1 = {maybe} + 1"
        return self.rng.choice(forms)()

    def effect(self, x: str) -> list[Callable[[], str]]:
        """Statements that change what outlives the call, or read it."""
        k = self.integer(1)
        return [
            lambda: f"box.n = {k} % 61 - 20",
            lambda: f"box.n += {k}\nbox.n %= 61",
            lambda: f"box.t = {x} * 1",
            lambda: f"x0 = box.t + {x}",
            lambda: f"i1 = box.n + {k} % 61",
            lambda: f"table['a'] = {k} % 61",
            lambda: f"table['b'] = {self.number(1)}",
            lambda: "i2, f0 = table['a'], table['b']",
            lambda: f"w.assign({x} * 1)",
            lambda: "x1 = w + 1",
            lambda: f"w.assign_add({x})",
            lambda: f"calls = (calls + {k}) % 61",
            lambda: f"x1 = bump({k} % 61, {x})",
            lambda: f"bump({k} % 61, {x})",
            lambda: f"i1 += calls\nbox.log.append({k} % 61)",
        ]

    def assign_late(self, name: str) -> str:
        self.maybe.append(name)
        return f"{name} = {self.tensor(1)}"

    def augmented(self, kind: str, name: str) -> str:
        if kind == "float tensor":
            return f"{name} {self.rng.choice(['+=', '-=', '*='])} {self.tensor(1)}"
        if kind == "python float":
            return f"{name} {self.rng.choice(['+=', '-=', '*='])} {self.number(1)}"
        if kind == "int tensor":
            return f"{name} {self.rng.choice(['+=', '-='])} {self.whole(1)}\n{name} %= 61"
        operator = self.rng.choice(["+=", "-=", "*="])
        return f"{name} {operator} {self.integer(1)}\n{name} %= 61"

    def branch(self, depth: int, in_loop: bool) -> None:
        self.write(f"if {self.condition()}:", depth)
        self.block(depth + 1, in_loop)
        while self.chance(0.3):
            self.write(f"elif {self.condition()}:", depth)
            self.block(depth + 1, in_loop)
        if self.chance(0.5):
            self.write("else:", depth)
            self.block(depth + 1, in_loop)

    def loop(self, depth: int) -> None:
        self.loops += 1
        form = self.rng.randrange(5)
        if form == 0:
            counter = f"w{self.loops}"
            self.write(f"{counter} = 0", depth)
            bound = self.rng.choice([f"{self.whole(2)} % 4", f"{self.integer(2)} % 4", "3"])
            self.write(f"while {counter} < {bound} and ({self.condition(1)}):", depth)
            self.write(f"{counter} += 1", depth + 1)
        elif form == 1:
            self.write(f"for {self.counter()} in range({self.whole(1)} % 4):", depth)
        elif form == 2:
            self.write(f"for {self.counter()} in range({self.rng.randint(0, 3)}):", depth)
        elif form == 3:
            self.write("for x1 in v:", depth)
        else:
            start = self.integer(2)
            self.write(f"for {self.counter()} in range({start} % 3, {self.whole(2)} % 5):", depth)
        self.block(depth + 1, True)
        if self.chance(0.2):
            self.write("else:", depth)
            self.block(depth + 1, False)

    def counter(self) -> str:
        return self.rng.choice(["i0", "i1", "i2", "k"])

    def result(self) -> str:
        if self.gradient:
            return self.tensor(1)
        names = self.rng.sample(["x0", "x1", "n0", "i0", "f0", "xs", "m", "v"], 3)
        return f"({', '.join(names)})" if self.chance(0.7) else self.rng.choice(names)


def source_of(seed: int) -> str:
    """The text of program number `seed`.

    Every other one has effects that outlive a call; one in three takes gradients.
    """
    gradient = seed % 3 == 2
    writer = Writer(random.Random(seed), effects=0.4 if seed % 2 else 0.0, gradient=gradient)
    writer.write(START, 1)
    while writer.room > 0:
        writer.room -= 1
        writer.statement(1, False)
    everything = "x0, x1, x2, n0, n1, i0, i1, i2, f0, f1, v, xs, m"
    writer.write(f"return {writer.result() if gradient else everything}", 1)
    body = "".join(f"{INDENT}{line}\n" for line in writer.lines)
    return HEAD + body + (GRADIENT if gradient else TAIL)


def build(source: str, name: str) -> tuple[Callable[..., Any], Callable[[], Any]]:
    """The function `program` of a text, and one that shows its state; its lines can be found."""
    filename = f"<random program {name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace: dict[str, Any] = {"__name__": f"random_program_{name}"}
    exec(compile(source, filename, "exec", dont_inherit=True), namespace)
    function, look = namespace["make"]()
    return function, look


def arguments(seed: int, turn: int) -> tuple[Any, ...]:
    """Arguments number `turn` of program `seed`: all have the same signature."""
    rng = np.random.default_rng([seed, turn])
    same = np.random.default_rng(seed)
    floats = (rng.integers(-12, 12, size=2) / 4).astype(np.float32)
    return (
        ag.asarray(floats[0]),
        ag.asarray(floats[1]),
        ag.asarray(np.int64(rng.integers(-5, 9))),
        int(same.integers(-2, 5)),
        ag.asarray((rng.integers(-8, 8, size=3) / 2).astype(np.float32)),
    )
