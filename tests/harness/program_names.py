"""Whether every name in the text of a program has a value wherever it is used.

CPython finds out only where the line is reached, and the compiler, where a name has a value on some
paths alone, not at all. So the tests look at the text of every program.
"""

from __future__ import annotations

import builtins
import re
from typing import Any

from autograph.kernels import compile as compiling

LARGEST = 20_000
"""How many characters a text has at most of which every path is gone through."""

Defined = frozenset[str] | None
"""The names that have a value at a place; None where no path comes."""


class UndefinedNameError(AssertionError):
    """A program that uses a name without a value: a fault of the lowering."""


_execute = compiling._execute


def install() -> None:
    """Look at the names of every program from now on."""
    compiling._execute = executed


def executed(text: str, namespace: dict[str, Any]) -> dict[str, Any]:
    """Run generated source, and look at the names of the program in it."""
    known = _execute(text, namespace)
    if "program" in known:
        check(text, known)
    return known


def check(text: str, namespace: dict[str, Any]) -> None:
    """UndefinedNameError where a name has no value; on any path, if the text is not too long."""
    filename = namespace["program"].__code__.co_filename
    for one in namespace.values():
        code = getattr(one, "__code__", None)
        if code is not None and code.co_filename == filename:
            unknown = [each for each in code.co_names if each not in namespace]
            unknown = [each for each in unknown if not hasattr(builtins, each)]
            if unknown:
                raise UndefinedNameError(f"nothing defines {', '.join(unknown)} in\n{text}")
    start = text.find("def program(")
    if start >= 0 and len(text) <= LARGEST:
        for function in re.split(r"^(?=def )", text, flags=re.MULTILINE):
            if re.match(r"def (program|f\d+)\(", function):
                Paths(function, namespace.keys()).go()


_word = re.compile(r"\b[a-z_]+\d+\b(?!\()")
_assigned = re.compile(r"([A-Za-z_]\w*) = (.*)")
_loop = re.compile(r"for (\w+) in (.*):")


class Paths:
    """Goes through the lines of a function with the names that have a value there.

    Every statement of a program is one line; the names that are made have a number.
    """

    def __init__(self, text: str, given: Any) -> None:
        self.text = text
        self.given = given
        self.lines = [
            (len(line) - len(line.lstrip()), line.strip())
            for line in text.splitlines()
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self.place = 0

    def go(self) -> None:
        """Look at the whole function."""
        (_, head), *_ = self.lines
        self.place = 1
        self.block(frozenset(re.findall(r"\w+", head)), [])

    def block(self, defined: Defined, ends: list[Defined]) -> Defined:
        """What is defined after a block. `ends`: at the `break` lines of the loop around."""
        depth = self.lines[self.place][0]
        while self.place < len(self.lines) and self.lines[self.place][0] == depth:
            line = self.lines[self.place][1]
            self.place += 1
            defined = self._statement(line, depth, defined, ends)
        return defined

    def _statement(self, line: str, depth: int, defined: Defined, ends: list[Defined]) -> Defined:
        if line.startswith("if "):
            return self._branches(line, depth, defined, ends)
        found = _loop.fullmatch(line)
        if found or line.startswith("while "):
            return self._loop(line, defined, found)
        self._uses(_assigned.sub(r"\2", line, count=1), defined)
        if line == "break":
            ends.append(defined)
        if line == "break" or line.startswith("return "):
            return None
        stored = _assigned.fullmatch(line)
        return defined | {stored[1]} if stored and defined is not None else defined

    def _branches(self, line: str, depth: int, defined: Defined, ends: list[Defined]) -> Defined:
        after: Defined = None
        while True:
            self._uses(line, defined)
            after = _joined(after, self.block(defined, ends))
            if line == "else:":
                return after
            following = self.lines[self.place] if self.place < len(self.lines) else (-1, "")
            if following[0] != depth or not following[1].startswith(("elif ", "else:")):
                return _joined(after, defined)
            line = following[1]
            self.place += 1

    def _loop(self, line: str, defined: Defined, counted: re.Match[str] | None) -> Defined:
        """A loop; those that a staged loop is made of have a first turn."""
        self._uses(counted[2] if counted else line, defined)
        inside = defined
        if counted and defined is not None:
            inside = defined | {counted[1]}
        ends: list[Defined] = []
        after = self.block(inside, ends)
        found = after if re.match(r"for _turning|while turning", line) else defined
        for each in ends:
            found = _joined(found, each)
        return found

    def _uses(self, line: str, defined: Defined) -> None:
        for name in _word.findall(line) if defined is not None else ():
            if name not in defined and name not in self.given:
                raise UndefinedNameError(f"{name} may have no value in `{line}` of\n{self.text}")


def _joined(one: Defined, other: Defined) -> Defined:
    return other if one is None else one if other is None else one & other
