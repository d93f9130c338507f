"""Hypothesis strategies for random structured programs of plain Python.

A program is the text of a function `program(log, tick, a, b)`. `log` records, `tick` counts down
and raises `Exhausted` at the end, so that every program ends. Variables may be unset, handlers and
managers swallow errors, inner functions rebind variables: whatever happens is compared.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

VARIABLES = ("a", "b", "x", "y", "z")
HEAD = """\
def program(log, tick, a, b):
    global g
    def bump(by):
        nonlocal x
        if by > 2:
            x = by
            return log("bump", by)
        x = a + by
"""
CONDITIONS = ("{0}", "{0} > {1}", "not {0}", "log({0}) and {1}", "{0} or {1} == 2", "0 < {0} < {1}")
VALUES = (
    "{0} + 1",
    "{0} - {1}",
    "log({0})",
    "3",
    "0",
    "({1} := {0} + 2)",
    "{0} if {1} else 4",
    "{0} and ({1} := 7)",
    "len([{1} for {1} in range({0} % 4)])",
    "sum(i + {1} for i in range({0} % 3))",
    "max([{1} := i for i in range({0} % 3)], default=1)",
    "(lambda k: k + {1})({0})",
    "bump({0})",
    "tick({0})",
    "10 // {0}",
)


class Block:
    """Draws the lines of a block. What may stand there depends on what is around."""

    def __init__(self, draw: Any, *, in_loop: bool = False, in_finally: bool = False) -> None:
        self.draw = draw
        self.in_loop = in_loop
        self.in_finally = in_finally

    def choose(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def name(self) -> str:
        return str(self.choose(*VARIABLES))

    def filled(self, templates: tuple[str, ...]) -> str:
        return str(self.choose(*templates)).format(self.name(), self.name())

    def value(self) -> str:
        return self.filled(VALUES)

    def lines(self, depth: int) -> list[str]:
        count = self.draw(st.integers(1, 3))
        return [line for _ in range(count) for line in self.statement(depth)]

    def inside(self, depth: int, **around: bool) -> list[str]:
        around = {"in_loop": self.in_loop, "in_finally": self.in_finally, **around}
        return ["    " + line for line in Block(self.draw, **around).lines(depth - 1)]

    def statement(self, depth: int) -> list[str]:
        kinds = ["assign"] * 3 + ["augmented", "log", "simple", "leave", "leave"]
        if depth > 0:
            kinds += ["if"] * 3 + ["while", "for", "for", "try", "with", "function"]
        kind = self.choose(*kinds)
        lines: list[str] = getattr(self, f"draw_{kind}")(depth)
        return lines

    def draw_assign(self, depth: int) -> list[str]:
        if self.choose(False, False, False, True):
            return [f"{self.name()}, {self.name()} = {self.value()}, {self.value()}"]
        return [f"{self.name()} = {self.value()}"]

    def draw_augmented(self, depth: int) -> list[str]:
        return [f"{self.name()} {self.choose('+=', '-=', '*=')} {self.value()}"]

    def draw_log(self, depth: int) -> list[str]:
        return [f"log({self.choose(*VARIABLES)!r}, {self.name()})"]

    def draw_simple(self, depth: int) -> list[str]:
        name = self.name()
        options = (f"del {name}", f"assert {name}, {name}", f"bump({name})", "g = 1", "log(g)")
        return [self.choose(*options), "pass"]

    def draw_leave(self, depth: int) -> list[str]:
        options = [f"raise ValueError({self.name()})"]
        if not self.in_finally:  # else it is refused
            options += [f"return {self.name()}", "return"]
        if self.in_loop:
            options += ["break", "continue"] * 2
        return [self.choose(*options)]

    def draw_if(self, depth: int) -> list[str]:
        lines = [f"if {self.filled(CONDITIONS)}:", *self.inside(depth)]
        if self.choose(False, True):
            lines += [f"elif {self.filled(CONDITIONS)}:", *self.inside(depth)]
        if self.choose(False, True):
            lines += ["else:", *self.inside(depth)]
        return lines

    def draw_while(self, depth: int) -> list[str]:
        test = self.choose("tick(1)", f"tick(1) and {self.filled(CONDITIONS)}", "True")
        first = ["    tick(0)"] if test == "True" else []
        return [f"while {test}:", *first, *self.loop(depth)]

    def draw_for(self, depth: int) -> list[str]:
        items = self.choose("(1, 2, 3)", "range(2)", "()", "[x for x in (2, 0)]", "range(a % 3)")
        return [f"for {self.name()} in {items}:", *self.loop(depth)]

    def loop(self, depth: int) -> list[str]:
        lines = self.inside(depth, in_loop=True)
        if self.choose(False, False, True):
            lines += ["else:", *self.inside(depth)]
        return lines

    def draw_try(self, depth: int) -> list[str]:
        lines = ["try:", *self.inside(depth)]
        shape = self.choose("except", "except else", "except finally", "finally", "all")
        if shape != "finally":
            kind = self.choose("ValueError", "(NameError, ZeroDivisionError)", "ValueError as z")
            lines += [f"except {kind}:", *self.inside(depth)]
        if shape in ("except else", "all"):
            lines += ["else:", *self.inside(depth)]
        if shape in ("except finally", "finally", "all"):
            lines += ["finally:", *self.inside(depth, in_finally=True, in_loop=False)]
        return lines

    def draw_with(self, depth: int) -> list[str]:
        kind = self.choose("ValueError", "NameError", "ZeroDivisionError")
        target = self.choose("", " as y")
        return [f"with swallow(log, {kind}){target}:", *self.inside(depth)]

    def draw_function(self, depth: int) -> list[str]:
        name = self.name()
        inner = Block(self.draw, in_loop=False)
        lines = ["    " + line for line in inner.lines(depth - 1)]
        declared = [f"    nonlocal {name}"] if name not in ("a", "b") else []
        return [f"def inner({'k' if declared else name}=1):", *declared, *lines, "inner()"]


@st.composite
def programs(draw: Any, depth: int = 3) -> str:
    """The text of a program."""
    block = Block(draw)
    first = block.choose([], ["x = y = z = 1"], ["x = 2"])
    lines = [*first, *block.lines(depth), *block.lines(depth)]
    return HEAD + "".join(f"    {line}\n" for line in lines)
