"""Nests of loops that become functions of their own: kernels.

LLVM's time grows faster than the length of a function, and programs have equal nests: those of
equal layers differ in the buffers and sizes that they are given alone. So the outermost `for` of a
long program is written as a function of what it reads, under a name for its text.

A loop over a `parallel_range` is one always: of a part of its range, too, so that the pool of
threads can run it in blocks.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograph.kernels import symbols
from autograph.kernels.codegen.types import Value

OF_DRIVERS = {*symbols.signatures(), "multiply_matrices"}
"""What loops that stay where they are call: memory, lists, products."""
_word = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_WITHOUT_PARTS = (ast.expr_context, ast.operator, ast.cmpop, ast.unaryop, ast.boolop)


@dataclass(frozen=True)
class Nest:
    """A loop that can be a function: what it reads and what is read of it afterwards."""

    loop: ast.For
    read: tuple[str, ...]
    """Names that it reads or gives, in the order in which they occur."""
    given: tuple[str, ...]
    """Those of its variables that are read outside of it, too."""
    own: tuple[str, ...]
    """Its variables."""
    parallel: bool = False
    """Whether its turns may run in any order, and at once."""

    def shape(
        self, lines: Sequence[str], arguments: Iterable[str], constants: Mapping[str, Value]
    ) -> str:
        """Its text with neutral names: equal nests of a program, whose `lines` are given, have
        equal ones. For most nests this spares writing them in LLVM's language to see that."""
        names = {name: f"own{number}" for number, name in enumerate(self.own)}
        names |= {name: f"{one.type.ir}{one.text}" for name, one in constants.items()}
        names |= {name: f"given{number}" for number, name in enumerate(arguments)}
        assert self.loop.end_lineno is not None
        first = self.loop.body[0].lineno if self.parallel else self.loop.lineno
        part = lines[first - 1 : self.loop.end_lineno]
        text = "\n".join(line[self.loop.col_offset :] for line in part)
        whole = f"{self.parallel}\n{text}\n{' '.join((*self.given, *self.own))}"
        return _word.sub(lambda found: names.get(found[0], found[0]), whole)


def nodes_of(node: ast.AST) -> list[ast.AST]:
    """A node and all below it. (`ast.walk` takes three times as long.)"""
    found = [node]
    for one in found:
        for name in one._fields:
            value = getattr(one, name)
            if isinstance(value, list):
                found += value
            elif isinstance(value, ast.AST) and not isinstance(value, _WITHOUT_PARTS):
                found.append(value)
    return found


def nests_of(function: ast.FunctionDef, every: bool) -> dict[int, Nest]:
    """The nests of a function, by the `id` of their loops; `every`: of all loops, else of the
    parallel ones alone."""
    loads: Counter[str] | None = None
    found: dict[int, Nest] = {}
    for loop in _outermost(function, every):
        if loads is None:
            loads = _loads(nodes_of(function))
        found[id(loop[0])] = _nest(loop, loads)
    return found


Loop = tuple[ast.For, list[ast.AST]]


def is_parallel(loop: ast.For) -> bool:
    """Whether it goes over a `parallel_range(count, work)`."""
    called = loop.iter.func if isinstance(loop.iter, ast.Call) else None
    return isinstance(called, ast.Name) and called.id == "parallel_range"


def _outermost(tree: ast.AST, every: bool) -> Iterator[Loop]:
    """The loops that can be kernels and are in no other one that can, with their nodes."""
    rest: list[ast.AST] = [tree]
    while rest:
        for one in ast.iter_child_nodes(rest.pop()):
            if isinstance(one, ast.For):
                if is_parallel(one):
                    yield one, [one.target, *(node for part in one.body for node in nodes_of(part))]
                    continue
                nodes = nodes_of(one) if every else []
                if every and _is_kernel(nodes):
                    yield one, nodes
                    continue
            if isinstance(one, ast.stmt):
                rest.append(one)


def _is_kernel(nodes: list[ast.AST]) -> bool:
    """Whether a loop neither leaves the function nor does what drivers do, threads included."""
    for one in nodes:
        if isinstance(one, ast.Return) or (isinstance(one, ast.For) and is_parallel(one)):
            return False
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
            if one.func.id in OF_DRIVERS:
                return False
    return True


def _loads(nodes: list[ast.AST]) -> Counter[str]:
    """How often each name is read."""
    return Counter(
        one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    )


def _nest(loop: Loop, loads: Counter[str]) -> Nest:
    names: dict[str, None] = {}
    assigned: dict[str, None] = {}
    for one in loop[1]:
        if isinstance(one, ast.Name):
            names[one.id] = None
            if isinstance(one.ctx, ast.Store):
                assigned[one.id] = None
    inside = _loads(loop[1])
    given = tuple(name for name in assigned if loads[name] > inside[name])
    return Nest(loop[0], tuple(names), given, tuple(assigned), is_parallel(loop[0]))
