"""Functions put together: the head that loads sizes, literals and memory, then the body."""

from __future__ import annotations

import re
from typing import Any

from autograph.kernels.emit_cpu import emit
from autograph.kernels.program import (
    Assign,
    Execute,
    Function,
    Program,
    Return,
    Statement,
    walk,
)
from autograph.runtime.core.dtypes import DType
from autograph.runtime.lower.builder import ERROR_WORDS, Builder, Shared
from autograph.runtime.lower.sizes.polynomials import text_of

FIRST_WORD = ERROR_WORDS + 1


class Assembly:
    """The functions of a program, and the words of its parameters."""

    def __init__(self, shared: Shared, first_constant: int) -> None:
        self.shared = shared
        self.functions: list[Function] = []
        self.word_count = FIRST_WORD
        self.sizes: dict[str, int] = {}
        """The words of the sizes that are used."""
        self.literals: dict[int, int] = {}
        self.arrays: dict[int, int] = {}
        self._first_constant = first_constant

    def word(self) -> int:
        """A new word of the parameters."""
        self.word_count += 1
        return self.word_count - 1

    @property
    def text(self) -> str:
        """The whole program, its names numbered as they come."""
        return "\n\n".join(_renumbered(emit(Program([function]))) for function in self.functions)

    def literal_values(self) -> list[tuple[int, Any, DType]]:
        """The words of the literals, with what they hold."""
        return [(word, *self.shared.literals[place]) for place, word in self.literals.items()]

    def constant_arrays(self) -> list[Any]:
        """The arrays known while tracing, in the order of their arguments."""
        return [self.shared.constants[place] for place in self.arrays]

    def add(
        self,
        builder: Builder,
        name: str,
        parameters: list[str],
        head: list[tuple[str, str]],
        body: list[Statement],
        first: Statement | None = None,
    ) -> None:
        """Add a function. `head`: names and what they are, kept where they are used.

        `first` comes before everything else.
        """
        framed = bool(builder.roots or builder.list_homes)
        if not framed:
            _without_frame(body)
        probe = emit(Program([Function(name, [], body, framed)]))
        frame = _frame(builder, probe) if framed else []
        order = _in_order(probe, [text for _, text in frame])
        used = set(order)
        lines: list[Statement] = [] if first is None else [first]
        if first is None and self.functions:
            lines.append(Execute("mark_stack(arguments)"))
        lines += [
            Assign("parameters", "int64_at(array_data(arguments, 0))"),
            Assign("numbers", "float64_at(array_data(arguments, 0))"),
        ]
        constants = dict(builder.constants.values())
        for one in order:
            if one in builder.table.sources:
                if one not in self.sizes:
                    self.sizes[one] = self.word()
                lines.append(Assign(one, f"parameters[{self.sizes[one]}]"))
            elif one in constants:
                lines.append(Assign(one, self._placed(constants[one])))
        lines += [Assign(one, text) for one, text in head if one in used]
        lines += [Assign(one, text) for one, text in frame]
        self.functions.append(Function(name, parameters, lines + body, framed))

    def _placed(self, text: str) -> str:
        """An expression with the places of its literal or array filled in."""
        for place in map(int, re.findall(r"\{literal_(\d+)\}", text)):
            if place not in self.literals:
                self.literals[place] = self.word()
            text = text.replace(f"{{literal_{place}}}", str(self.literals[place]))
        for place in map(int, re.findall(r"\{constant_(\d+)\}", text)):
            if place not in self.arrays:
                self.arrays[place] = self._first_constant + len(self.arrays)
            text = text.replace(f"{{constant_{place}}}", str(self.arrays[place]))
        return text


def _frame(builder: Builder, text: str) -> list[tuple[str, str]]:
    """The memory of a function, each buffer after the one before."""
    used = _names(text)
    roots = [root for root in builder.roots if root.name in used]
    early = [root for root in roots if root.block is None]
    sizes = [text_of(builder.table.resolve(root.bytes)) for root in early]
    total = " + ".join(f"rounded({size})" for size in sizes) or "0"
    lines = [("frame", f"open_frame({total}, {builder.blocks}, {len(builder.list_homes)})")]
    before = ""
    for root, size in zip(early, sizes, strict=True):
        lines.append((root.name, before or "arena_of(frame)"))
        before = f"{root.name} + rounded({size})"
    for root in roots:
        if root.block is not None:
            lines.append((root.name, f"grow(frame, {root.block}, 0)"))
    return lines


def _without_frame(body: list[Statement]) -> None:
    for statement in walk(body):
        if isinstance(statement, Return):
            found = re.fullmatch(r"fail\(frame, (\S+)\)", statement.value)
            if found:
                statement.value = found.group(1)


_numbered = re.compile(r"\b([a-z_]*[a-z_])(\d+)(?=\b|_)")
_products = re.compile(r"(?<![/%*] )\b[ins]\d+(?: \* [ins]\d+)+\b")
FIXED = re.compile(r"(a|y|f|int|uint|float|bool|log|log1p|expm)\d*|.*_(int|uint|float)\d*")


def _renumbered(text: str) -> str:
    """The text with generated names numbered in the order in which they come.

    So that the same program has the same text, in whatever order its names were made.
    """
    numbers: dict[str, dict[str, str]] = {}

    def rename(match: re.Match[str]) -> str:
        prefix, number = match.groups()
        if FIXED.fullmatch(prefix + number):
            return match.group()
        known = numbers.setdefault(prefix, {})
        return prefix + known.setdefault(number, str(len(known)))

    lines = [
        line if line.lstrip().startswith("#") else _numbered.sub(rename, line)
        for line in text.split("\n")
    ]
    return _products.sub(_sorted_product, "\n".join(lines))


def _sorted_product(match: re.Match[str]) -> str:
    factors = match.group().split(" * ")
    if not any(name.startswith("n") for name in factors):
        return match.group()  # no size takes part
    return " * ".join(sorted(factors, key=lambda name: (name[0], int(name[1:]))))


def _in_order(body: str, more: list[str]) -> list[str]:
    """The names of a function, in the order in which they first come."""
    found = re.findall(r"[A-Za-z_]\w*", "\n".join([body, *more]))
    return list(dict.fromkeys(found))


def _names(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))
