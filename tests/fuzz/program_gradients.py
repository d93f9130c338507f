"""Random functions of tensors with axes whose gradients are compared: eagerly, evaluated, lowered.

They have staged loops, branches and recursion, names that begin as None, lists that grow and
shrink, dicts, closures and custom exits: what a program keeps for the way back, and where its
buffers are. The gradients are close, since they are added up in another order.

    python -m tests.fuzz.program_gradients FIRST LAST [--mode text]

prints the programs whose gradients differ.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from typing import Any

import numpy as np

import autograph as ag
from autograph.errors import StagingError

BINARY = (
    "{a} + {b}",
    "{a} - 0.5 * {b}",
    "{a} * {b}",
    "ag.hypot({a}, {b} + 1.5)",
    "ag.logaddexp({a}, {b})",
    "ag.where({a} > {b}, {a} * 2.0, {b})",
    "ag.maximum({a}, {b} - 0.3)",
    "{a} * ag.sum({b})",
    "{a}[1] * {b}",
    "ag.stack([{a}[1], {b}[0]])",
    "ag.concat([{a}[1:], {b}[:1]])",
)
UNARY = (
    "ag.tanh({a})",
    "ag.sqrt({a} * {a} + 1.0)",
    "{a}[::-1]",
    "ag.cumulative_sum({a})",
    "{a} @ m",
    "ag.exp(-{a} * {a})",
    "-{a}",
    "ag.sort({a})",
    "s * {a}",
)
TESTS = (
    "n > {k}",
    "ag.sum({a}) > 0.2",
    "{a}[0] > {b}[1]",
    "k % 2 == 0",
    "n % 2 == {k} % 2",
    "len(xs) > {k}",
)
NAMES = ("a", "b", "c", "r")


class Writer:
    """Writes the body of one function."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops = 0

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def name(self) -> str:
        return self.random.choice(NAMES)

    def value(self, depth: int = 2) -> str:
        """An expression of the shape of x, whose numbers stay small."""
        draw = self.random.random()
        if depth == 0 or draw < 0.2:
            return self.random.choice((*NAMES, "x", "y"))
        forms = UNARY if draw < 0.5 else BINARY
        form = self.random.choice(forms)
        parts = {"a": f"({self.value(depth - 1)})", "b": f"({self.value(depth - 1)})"}
        return form.format(**parts)

    def test(self) -> str:
        parts = {"a": self.name(), "b": self.name(), "k": str(self.random.randrange(4))}
        return self.random.choice(TESTS).format(**parts)

    def block(self, depth: int, count: int, recursion: bool) -> None:
        for _ in range(count):
            self.statement(depth, recursion)

    def statement(self, depth: int, recursion: bool) -> None:
        draw, deep = self.random.randrange(16), depth >= 4
        if draw == 0 and not deep:
            self.branch(depth, recursion)
        elif draw == 1 and not deep:
            self.branch(depth, recursion)
        elif draw in (2, 3) and not deep:
            self.loop(depth, recursion)
        elif draw == 4:
            self.line(depth, f"xs.append({self.value(1)})")
        elif draw == 5:
            self.line(depth, f"{self.name()} = xs.pop() if xs else {self.value(1)}")
        elif draw == 6:
            target = self.name()
            self.line(depth, f"for item in xs:\n{'    ' * (depth + 1)}{target} = item + {target}")
            self.line(depth, f"{target} = ag.tanh({target})")
        elif draw == 7:
            target = self.name()
            self.line(depth, f"kept = {target} if kept is None else ag.hypot(kept, {target})")
        elif draw == 8:
            self.line(depth, f"table['{self.name()}'] = ag.tanh({self.value(1)})")
        elif draw == 9:
            self.line(depth, f"{self.name()} = table['{self.name()}'] + {self.name()}")
        elif draw == 10 and recursion:
            self.line(depth, f"{self.name()} = ag.tanh(go(k - 1, {self.value(1)}))")
        elif draw == 11:
            one, other = self.name(), self.name()
            self.line(depth, f"{one}, {other} = {other}, {one}")
        elif draw == 12:
            self.line(depth, f"if xs:\n{'    ' * (depth + 1)}xs[0] = ag.tanh({self.value(1)})")
        elif draw == 13:
            self.line(depth, f"s = ag.tanh(s + ag.sum({self.name()}))")
        else:
            self.line(depth, f"{self.name()} = ag.tanh({self.value()})")

    def branch(self, depth: int, recursion: bool) -> None:
        self.line(depth, f"if {self.test()}:")
        self.block(depth + 1, self.random.randrange(1, 3), recursion)
        if self.random.random() < 0.6:
            self.line(depth, "else:")
            self.block(depth + 1, self.random.randrange(1, 3), recursion)

    def loop(self, depth: int, recursion: bool) -> None:
        self.loops += 1
        if self.random.random() < 0.5:
            self.line(depth, f"for i{self.loops} in range(n):")
        else:
            self.line(depth, f"j{self.loops} = 0")
            self.line(depth, f"while j{self.loops} < n:")
            self.line(depth + 1, f"j{self.loops} += 1")
        self.block(depth + 1, self.random.randrange(1, 4), recursion and depth < 3)
        if self.random.random() < 0.3:
            self.line(depth + 1, f"if {self.test()}:")
            self.line(depth + 2, self.random.choice(("break", "continue")))

    def start(self, depth: int) -> None:
        self.line(depth, "a, b, c, r, s = x, y, x * y, x + 1.0, ag.sum(y)")
        self.line(depth, "xs, kept = [x], None")
        self.line(depth, "table = {name: y for name in 'abcr'}")

    def end(self, depth: int) -> None:
        self.line(depth, "r = r + sum(xs, s) + sum(table.values())")
        self.line(depth, "return ag.tanh(a + b * c - r + (x if kept is None else kept))")


def source_of(seed: int) -> str:
    """The program of this number: `program(x, y, m, n)`, which gives a number."""
    writer = Writer(seed)
    recursion = seed % 3 == 0
    writer.line(0, "def program(x, y, m, n):")
    if recursion:
        writer.line(1, "def go(k, x):")
        writer.line(2, "if k <= 0:")
        writer.line(3, "return x")
        writer.start(2)
        writer.block(2, 4, True)
        writer.end(2)
        writer.line(1, "k = n")
    else:
        writer.line(1, "k = 1")
    writer.start(1)
    writer.block(1, 5 if recursion else 8, recursion)
    if recursion:
        writer.line(1, "r = r + go(n, a)")
    writer.end(1)
    text = "\n".join(writer.lines)
    last = text.rindex("return ")
    return text[:last] + "return ag.sum(" + text[last + 7 :] + ")\n"


def function_of(seed: int) -> Any:
    """The program, and what its lines are known by."""
    import linecache

    source, filename = source_of(seed), f"<random_gradients_{seed}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace = {"ag": ag}
    exec(compile(source, filename, "exec"), namespace)
    return namespace["program"]


def arguments(seed: int, n: int) -> tuple[Any, ...]:
    """x, y, m and n."""
    drawn = np.random.default_rng(seed)
    x, y = (ag.asarray(drawn.uniform(-1.0, 1.0, 2)) for _ in range(2))
    return x, y, ag.asarray(drawn.uniform(-0.7, 0.7, (2, 2))), ag.asarray(n)


def check(seed: int, mode: str) -> str:
    """ "same", "refused: ...", "raised", or how the gradients differ."""
    program = function_of(seed)
    found = ag.function(mode=mode)(ag.value_and_grad(program, argnums=(0, 1, 2)))
    plain = ag.value_and_grad(program, argnums=(0, 1, 2))
    for n in (2, 0, 3, 1):
        given = arguments(seed + n, n)
        try:
            expected = plain(*given)
        except (RecursionError, StagingError):
            raise
        except Exception:
            return "raised"
        try:
            actual = found(*given)
        except StagingError as error:
            return f"refused: {type(error).__name__}: {str(error).splitlines()[0][:90]}"
        pairs = zip((expected[0], *expected[1]), (actual[0], *actual[1]), strict=True)
        for one, other in pairs:
            if not np.allclose(one.numpy(), other.numpy(), rtol=1e-7, atol=1e-9, equal_nan=True):
                return f"different: n = {n}: {one.numpy()} is {other.numpy()}"
    return "same"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--mode", default="text")
    given = parser.parse_args()
    kinds: Counter[str] = Counter()
    start = time.perf_counter()
    for seed in range(given.first, given.last):
        try:
            verdict = check(seed, given.mode)
        except Exception as error:
            verdict = f"different: {type(error).__name__}: {error}"
        kinds[verdict.partition("different: ")[1] or verdict] += 1
        if verdict.startswith("different"):
            print(seed, verdict, flush=True)
    taken = time.perf_counter() - start
    print(dict(kinds), f"{taken / max(1, given.last - given.first):.2f} s each")


if __name__ == "__main__":
    main()
