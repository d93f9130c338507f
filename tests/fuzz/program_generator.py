"""Random programs with nested control flow, as source text that ends by construction.

Each program has some of the features of the grammar, so that two features meet alone in some and
among many others in others. It is a factory `make(stage)`: the function that `stage` makes of the
program, and one that shows the state which outlives a call.
"""

from __future__ import annotations

import ast
import linecache
import random
import re
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograph as ag
from tests.corpus.registry import Program, case
from tests.fuzz import program_aliases as aliases
from tests.fuzz import program_exits as exits
from tests.fuzz import program_grammar as grammar
from tests.fuzz import program_graphs as graphs
from tests.fuzz import program_nesting as nesting
from tests.fuzz import program_objects as objects
from tests.fuzz import program_pairs as pairs
from tests.fuzz import program_sizes as sizes
from tests.fuzz import program_strings as strings
from tests.fuzz.program_aliases import FIRST_WITH_ALIASES
from tests.fuzz.program_exits import CONTEXTS, FIRST_WITH_EXITS, HANDLING, RAISES
from tests.fuzz.program_grammar import FEATURES, MATCHES, NAMES, WORDS, Forms
from tests.fuzz.program_graphs import FIRST_OF_GRAPHS
from tests.fuzz.program_nesting import FIRST_WITH_NESTING
from tests.fuzz.program_objects import FIRST_WITH_OBJECTS
from tests.fuzz.program_pairs import FIRST_OF_PAIRS
from tests.fuzz.program_sizes import FIRST_WITH_SIZES
from tests.fuzz.program_strings import FIRST_WITH_STRINGS
from tests.fuzz.program_surroundings import GRADIENT, HEAD, MAKE, OUTER_GRADIENT, TAIL

INDENT = "    "
HOLE = re.compile(r"\$([a-zA-Z?=])")
PARAMETERS = "x0, x1, n0, i0, v, given, named"
DEEPEST = 2  # levels of an expression below its statement
GRAMMAR: dict[str, Forms] = {
    symbol: {
        feature: forms
        for one in (grammar, exits, nesting, strings)
        for feature, forms in one.GRAMMAR.get(symbol, {}).items()
    }
    for symbol in (*grammar.GRAMMAR, "E", "R", "G")
}
STATEMENTS, LOOPS, STARTS, RESULTS = (
    {
        feature: forms
        for one in (grammar, exits, nesting, strings)
        for feature, forms in getattr(one, name).items()
    }
    for name in ("STATEMENTS", "LOOPS", "STARTS", "RESULTS")
)
ALL_WORDS = {**WORDS, "T": exits.KINDS}


@dataclass
class Writer:
    """Writes one function; `room` is how many statements are left to write."""

    rng: random.Random
    features: Sequence[str]
    room: int
    gradient: bool = False
    """Whether the result is one float tensor."""
    lines: list[str] = field(default_factory=list)
    loops: int = 0
    yields: bool = False
    """Whether it is a generator function."""

    def write(self, text: str, depth: int) -> None:
        self.lines.extend(INDENT * depth + line for line in text.splitlines())

    def chance(self, odds: float) -> bool:
        return self.rng.random() < odds

    # expressions ----------------------------------------------------------------------------------
    def fill(self, text: str, level: int = 0) -> str:
        """The text with its holes filled."""
        return HOLE.sub(lambda hole: self.part(hole[1], level), text)

    def part(self, symbol: str, level: int) -> str:
        if symbol in NAMES:
            return f"{symbol}{self.rng.randrange(NAMES[symbol])}"
        if symbol in ALL_WORDS:
            return self.fill(self.rng.choice(ALL_WORDS[symbol]), level)
        limit = "" if level < DEEPEST else "$C $B" if symbol == "C" else "$X $N $I $F $B $C $R $G"
        return self.fill(self.form(GRAMMAR[symbol], limit), level + 1)

    def form(self, forms: Forms, without: str = "") -> str:
        """A form of a feature that the program has; half of the time a plain one."""
        offered = [[*forms[""]]] * 2
        offered += [[*forms[one]] for one in self.features if one in forms]
        banned = without.split()
        allowed = [[one for one in some if not any(b in one for b in banned)] for some in offered]
        allowed = [some for some in allowed if some]
        return self.rng.choice(self.rng.choice([*allowed[:2], *allowed]))

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
        if depth < 6 and roll < 0.24:
            known = ("match", "with", "try", "try", "managers")
            compound = [one for one in known if one in self.features]
            write = self.rng.choice(
                [self.branch, self.branch, *(getattr(self, f"{one}_") for one in compound)]
            )
            write(depth, in_loop)
        elif self.yields and self.chance(0.25):
            self.write(
                self.fill(self.rng.choice(["yield $X * 1", "yield $x * 1", "$x = yield $X * 1"])),
                depth,
            )
        elif depth < 5 and roll < 0.42:
            self.loop(depth)
        elif in_loop and depth > 3 and roll < 0.5:
            self.write(self.rng.choice(["break", "continue"]), depth)
            return True
        elif depth > 2 and roll < 0.53:
            self.write(f"return {self.result()}", depth)
            return True
        else:
            self.write(self.fill(self.form(STATEMENTS)), depth)
        return False

    def branch(self, depth: int, in_loop: bool) -> None:
        self.write(self.fill("if $C:"), depth)
        self.block(depth + 1, in_loop)
        while self.chance(0.3):
            self.write(self.fill("elif $C:"), depth)
            self.block(depth + 1, in_loop)
        if self.chance(0.5):
            self.write("else:", depth)
            self.block(depth + 1, in_loop)

    def match_(self, depth: int, in_loop: bool) -> None:
        offered = [one for name in ("", *self.features) for one in MATCHES.get(name, ())]
        subject, patterns = self.rng.choice(offered)
        self.write(f"match {self.fill(subject, 1)}:", depth)
        for pattern in self.rng.sample(patterns, self.rng.randint(1, len(patterns))):
            self.write(f"case {self.fill(pattern, 1)}:", depth + 1)
            self.block(depth + 2, in_loop)
        if self.chance(0.5):
            self.write("case _:", depth + 1)
            self.block(depth + 2, in_loop)

    def with_(self, depth: int, in_loop: bool) -> None:
        self.write(
            self.rng.choice(["with level:", "with level as k:", "with Level(2) as k:"]), depth
        )
        self.block(depth + 1, in_loop)

    def managers_(self, depth: int, in_loop: bool) -> None:
        self.write(self.fill(self.rng.choice(CONTEXTS), 1), depth)
        if "try" in self.features and self.chance(0.4):
            self.raising(depth + 1)
        self.block(depth + 1, in_loop)
        self.leave(depth + 1, in_loop)

    def try_(self, depth: int, in_loop: bool) -> None:
        self.write("try:", depth)
        if self.chance(0.6):
            self.raising(depth + 1)
        self.block(depth + 1, in_loop)
        self.leave(depth + 1, in_loop)
        handlers = self.rng.choice([0, 1, 1, 2, 2, 3])
        for _ in range(handlers):
            self.handler(depth, in_loop)
        if handlers and not self.yields and self.chance(0.1):
            self.write("except:", depth)
            self.block(depth + 1, in_loop)
        if handlers and self.chance(0.3):
            self.write("else:", depth)
            self.block(depth + 1, in_loop)
            self.leave(depth + 1, in_loop)
        if not handlers or self.chance(0.3):
            self.write("finally:", depth)
            yields, self.yields = self.yields, False  # Python forbids to go on after GeneratorExit
            self.block(depth + 1, in_loop and not yields)
            self.yields = yields

    def handler(self, depth: int, in_loop: bool) -> None:
        named = self.chance(0.6)
        self.write(self.fill("except $T as error:" if named else "except $T:"), depth)
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            form = self.rng.choice(self.carrying(HANDLING, nesting.HANDLING))
            if named or "error" not in form:
                self.write(self.fill(form, 1), depth + 1)
        self.block(depth + 1, in_loop)

    def raising(self, depth: int) -> None:
        """A statement that may raise, mostly under a condition."""
        condition = self.fill("if $C:")
        statement = self.fill(self.rng.choice(self.carrying(RAISES, nesting.RAISES)), 1)
        if self.chance(0.8):
            self.write(condition, depth)
            depth += 1
        self.write(statement, depth)

    def carrying(self, forms: Sequence[str], more: Sequence[str]) -> Sequence[str]:
        """Forms of statements, half of them of exceptions that carry containers."""
        many = "carrying" in self.features and self.chance(0.5)
        return more if many else forms

    def leave(self, depth: int, in_loop: bool) -> None:
        """Sometimes leave the block under a condition."""
        if self.chance(0.25):
            ways = ["break", "continue"] if in_loop else []
            way = self.rng.choice([*ways, f"return {self.result()}"])
            self.write(f"{self.fill('if $C:')}\n    {way}", depth)

    def loop(self, depth: int) -> None:
        if self.chance(0.6):
            self.write(self.fill(self.form(LOOPS), 1), depth)
        else:
            self.loops += 1
            turns = f"w{self.loops}"
            self.write(f"{turns} = 0", depth)
            bound = self.fill(self.rng.choice(["$N % 4", "$I % 4", "3"]), 1)
            if self.chance(0.6):
                self.write(self.fill(f"while {turns} < {bound} and ($C):", 1), depth)
                self.write(f"{turns} += 1", depth + 1)
            else:
                self.write("while True:", depth)
                self.write(f"if {turns} >= {bound}:\n    break\n{turns} += 1", depth + 1)
        self.block(depth + 1, True)
        if self.chance(0.2):
            self.write("else:", depth)
            self.block(depth + 1, False)

    def result(self) -> str:
        if self.gradient:
            return self.fill("$X", 1)
        names = [name for one in ("", *self.features) for name in RESULTS.get(one, ())]
        some = self.rng.sample(names, 3)
        return f"({', '.join(some)})" if self.chance(0.7) else some[0]

    # functions ------------------------------------------------------------------------------------
    def start(self, depth: int) -> None:
        if any(one in nesting.FEATURES for one in self.features):
            self.write(nesting.ALWAYS, depth)
        for one in ("", *self.features):
            for line in STARTS.get(one, ()):
                self.write(line, depth)

    def statements(self, depth: int) -> None:
        while self.room > 0:
            self.room -= 1
            self.statement(depth, False)

    def program(self) -> None:
        """The function `program`, inside `make`."""
        self.write(f"def program({PARAMETERS}):", 1)
        if "effects" in self.features:
            self.write("nonlocal calls\nglobal total", 2)
        self.start(2)
        inner = {"inner": "closures", "dive": "recursion", "made": "yielding"}
        for name, feature in inner.items():
            if feature in self.features:
                self.inner_function(name)
        self.statements(2)
        names = [name for one in ("", *self.features) for name in RESULTS.get(one, ())]
        result = self.fill("$X") if self.gradient else ", ".join(dict.fromkeys(names))
        self.write(f"return {result}", 2)

    def inner_function(self, name: str) -> None:
        """What changes names around it: a closure `inner(i0, x0)`, a recursive `dive(depth, x0)`
        or a generator function `made(x0, i0)`."""
        results = [name for one in ("", *self.features) for name in RESULTS.get(one, ())]
        outside = re.findall(r"\w+", " ".join(results))
        without = {
            "inner": ("closures", "recursion", "late", "yielding"),
            "dive": ("recursion", "late", "yielding"),
            "made": ("recursion", "late", "yielding", "closures"),
        }[name]
        features = [one for one in self.features if one not in without]
        room = self.rng.randint(1, 5)
        body = Writer(self.rng, features, room, gradient=True, yields=name == "made")
        again = ""
        if name == "dive":
            body.write(body.fill("if depth <= 0:\n    return $X", 1), 3)
            again = self.rng.choice(["dive(depth - 1, $X) + ", "", "dive(depth - 1, x0) * "])
            if not again or self.chance(0.2):
                body.write(body.fill("y = dive(depth - 2, $X)"), 3)
        body.statements(3)
        body.write(body.fill("yield $X * 1" if body.yields else f"return {again}$X"), 3)
        text = "\n".join(body.lines)
        kept = {"x0"} if name == "dive" else {"i0", "x0"}
        stored = (assigned_in(text) & set(outside)) - kept
        parameters = {"inner": "i0, x0", "dive": "depth, x0", "made": "x0, i0"}[name]
        self.write(f"def {name}({parameters}):", 2)
        if stored:
            self.write(f"nonlocal {', '.join(sorted(stored))}", 3)
        if "effects" in self.features:
            self.write("nonlocal calls\nglobal total", 3)
        self.lines.extend(body.lines)

    def outer_function(self, name: str) -> None:
        """A function beside the program, which knows its arguments only."""
        self.write(f"\n\ndef {name}(x0, i0, f0):", 0)
        self.write("x1, n0, v = x0 + 1, ag.asarray(3) + i0, ag.stack([x0, x0 * 2, x0 - 1])", 1)
        given = self.rng.sample(["x0", "x1"], 2)
        self.write(f"given = [{', '.join(given)}]\nnamed = {{'a': x0, 'b': x1}}", 1)
        self.start(1)
        self.write("f0 = f1", 1)
        self.statements(1)
        self.write(self.fill("return $X"), 1)


def assigned_in(text: str) -> set[str]:
    """The names that a body assigns."""
    tree = ast.parse(f"if True:\n{text}")
    return {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }


def features_of(rng: random.Random, seed: int) -> list[str]:
    """Some of the features; a list that grows holds values, one that does not also objects."""
    if seed >= FIRST_WITH_STRINGS:
        some = [one for one in FEATURES if one != "lists" and rng.random() < 0.15]
        return [*some, *(one for one in strings.FEATURES if rng.random() < 0.8)]
    nested = seed >= FIRST_WITH_NESTING
    old = 0.15 if nested else 0.35 if seed < FIRST_WITH_EXITS else 0.2
    some = [one for one in FEATURES if rng.random() < old]
    if seed >= FIRST_WITH_EXITS:
        some += [one for one in exits.FEATURES if rng.random() < (0.15 if nested else 0.4)]
    if nested:
        some += [one for one in nesting.FEATURES if rng.random() < 0.35]
    if "growing" in some and "lists" in some:
        some.remove(rng.choice(["growing", "lists"]))
    return some


def source_of(seed: int) -> str:
    """The text of program number `seed`. One in three takes gradients, every other of a trace."""
    if seed >= FIRST_OF_GRAPHS:
        return graphs.source_of(seed)
    if seed >= FIRST_OF_PAIRS:
        return pairs.source_of(seed)
    if seed >= FIRST_WITH_ALIASES:
        return aliases.source_of(seed)
    if seed >= FIRST_WITH_OBJECTS:
        return objects.source_of(seed)
    if seed >= FIRST_WITH_SIZES:
        return sizes.source_of(seed)
    rng = random.Random(seed)
    features = features_of(rng, seed)
    gradient = seed % 3 == 2
    writers = []
    if "functions" in features:
        known = [one for one in features if one in ("values", "growing", "lists", "tuples")]
        for name in ("first", "second"):
            writer = Writer(rng, known, rng.randint(2, 6), gradient=True)
            writer.outer_function(name)
            writers.append(writer)
    room = rng.randint(6, 28) if seed < FIRST_WITH_EXITS else rng.randint(8, 36)
    writer = Writer(rng, features, room, gradient=gradient)
    writer.program()
    outside = "\n".join("\n".join(one.lines) for one in writers)
    tail = TAIL if not gradient else GRADIENT if seed % 2 else OUTER_GRADIENT
    head = HEAD + (exits.HEAD if seed >= FIRST_WITH_EXITS else "")
    head += nesting.HEAD if seed >= FIRST_WITH_NESTING else ""
    return "\n".join([head + outside + MAKE, *writer.lines, tail])


def build(source: str, seed: int) -> Program:
    """The program of a text, as one of the corpus; its lines can be found."""
    name = f"random_program_{seed}"
    filename = f"<{name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, filename, "exec", dont_inherit=True), vars(module))
    turns = len(sizes.SIZES) if seed >= FIRST_WITH_SIZES else 2
    turns = objects.TURNS if seed >= FIRST_WITH_OBJECTS else turns
    turns = len(pairs.LENGTHS) if seed >= FIRST_OF_PAIRS else turns
    turns = graphs.TURNS if seed >= FIRST_OF_GRAPHS else turns
    shared = seed >= FIRST_WITH_ALIASES  # tensors are compared by value: none is changed in place
    cases = tuple(case(*arguments(seed, turn)) for turn in range(turns))
    make = vars(module)["make"]
    return Program(make, cases, factory=True, decorates=True, mutate=not shared, vary=not shared)


def forget(seed: int) -> None:
    """Drop what `build` has put into tables of the interpreter."""
    linecache.cache.pop(f"<random_program_{seed}>", None)
    sys.modules.pop(f"random_program_{seed}", None)


def arguments(seed: int, turn: int) -> tuple[Any, ...]:
    """Arguments number `turn` of program `seed`: all have the same signature."""
    if seed >= FIRST_OF_GRAPHS:
        return graphs.arguments(seed, turn)
    if seed >= FIRST_OF_PAIRS:
        return pairs.arguments(seed, turn)
    if seed >= FIRST_WITH_ALIASES:
        return aliases.arguments(seed, turn)
    if seed >= FIRST_WITH_OBJECTS:
        return objects.arguments(seed, turn)
    if seed >= FIRST_WITH_SIZES:
        return sizes.arguments(seed, turn)
    rng = np.random.default_rng([seed, turn])
    same = np.random.default_rng(seed)
    floats = (rng.integers(-12, 12, size=6) / 4).astype(np.float32)
    return (
        ag.asarray(floats[0]),
        ag.asarray(floats[1]),
        ag.asarray(np.int64(rng.integers(-5, 9))),
        int(same.integers(-2, 5)),
        ag.asarray((rng.integers(-8, 8, size=3) / 2).astype(np.float32)),
        [ag.asarray(floats[2]), ag.asarray(floats[3])],
        {"a": ag.asarray(floats[4]), "b": ag.asarray(floats[5])},
    )


Build = Callable[[str, int], Program]
