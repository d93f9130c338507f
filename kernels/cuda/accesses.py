"""What statements of a program read and write: blocks of memory, by the names that they go under.

Pointers of a program come from few places: arguments, pieces of the arena, blocks that grow, lists.
Two places are apart, unless a pointer may be of both.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from autograph.kernels import symbols
from autograph.kernels.codegen.kernel import nodes_of
from autograph.kernels.library import lapack, numpy_sorts
from autograph.kernels.memory import BUFFERS
from autograph.kernels.scalar import source

ANYWHERE = "?"
"""A place that may be any other one: what functions are given."""
BLOCKS = "blocks"
LISTS = "lists"
READERS = frozenset(
    (
        "arena_of",
        "list_length",
        "list_bytes",
        "list_data",
        "list_entry",
        "list_item",
        "list_is_uniform",
    )
)
"""Support functions that only look into the books."""
_GIVES = {"arena_of": "", "grow": BLOCKS, "take_scratch": "", "array_data": ""}


OF_ALL = frozenset(("copy_bytes", "clear_bytes", "interrupted", "grow"))
"""What all lanes take part in."""


class Access(NamedTuple):
    """A place in memory; `by_all`: all lanes may touch it, else the first one alone."""

    place: str
    by_all: bool


BOOKS = Access("books", False)
"""What frames and lists know of themselves."""


LEFT = frozenset((BOOKS, Access(ANYWHERE, False)))
"""What a function may have written when it comes back, by the first lane: all others' writes it has
waited for."""


def called(node: ast.AST | None) -> str | None:
    """The name of the function that an expression calls."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return None


def called_in(node: ast.AST) -> list[str]:
    """The names of all functions that are called in a statement or an expression."""
    return [name for one in nodes_of(node) if (name := called(one)) is not None]


def is_books(name: str, changes: bool = False) -> bool:
    """Whether a function looks into the books of memory; `changes`: whether it changes them."""
    return name in symbols.signatures() and not (changes and name in READERS)


@functools.cache
def is_library(name: str) -> bool:
    """Whether a function is a kernel of `kernels.library`."""
    part = source.definitions().get(name)
    return part is not None and part.is_function and not part.is_scalar


def conflict(
    reads: Iterable[Access],
    writes: Iterable[Access],
    new_reads: Iterable[Access],
    new_writes: Iterable[Access],
) -> bool:
    """Whether what comes touches what another lane may have written, or writes what it reads."""
    new_reads, new_writes, writes = list(new_reads), list(new_writes), list(writes)
    pairs = [(one, other) for one in writes for other in (*new_reads, *new_writes)]
    pairs += [(one, other) for one in reads for other in new_writes]
    return any(_meet(one, other) for one, other in pairs)


def _meet(one: Access, other: Access) -> bool:
    same = one.place == other.place or ANYWHERE in (one.place, other.place)
    return same and (one.by_all or other.by_all)


class Pointers:
    """Where the pointers and flat buffers of a function may point to."""

    def __init__(self, definition: ast.FunctionDef) -> None:
        self.places: dict[str, frozenset[str]] = {
            one.arg: frozenset((ANYWHERE,)) for one in definition.args.args
        }
        self.places.pop("arguments", None)
        assigned = [
            (one.targets[0].id, one.value)
            for one in nodes_of(definition)
            if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
        ]
        more = True
        while more:
            more = False
            for name, value in assigned:
                known = self.places.get(name, frozenset())
                found = known | self._value(name, value)
                if found != known:
                    self.places[name] = found
                    more = True

    def _value(self, name: str, value: ast.expr) -> frozenset[str]:
        """The places of what a variable is assigned."""
        if isinstance(value, ast.Subscript):
            return frozenset()
        function = called(value)
        if function in _GIVES:
            return frozenset((_GIVES[function] or name,))
        if function is not None and function.startswith("list_"):
            return frozenset((LISTS,))
        if isinstance(value, ast.BinOp) and called(value.right) == "rounded":
            return frozenset((name,))
        return self.of(value, name)

    def of(self, node: ast.AST, name: str = "") -> frozenset[str]:
        """The places to which an expression may point; `name`: what takes its value."""
        found: frozenset[str] = frozenset()
        for one in nodes_of(node):
            if isinstance(one, ast.Name):
                found |= self.places.get(one.id, frozenset())
            function = called(one)
            if function == "array_data":
                assert isinstance(one, ast.Call)
                found |= {f"argument {ast.unparse(one.args[1])}"}
            elif function in _GIVES:
                found |= {_GIVES[function] or name or ANYWHERE}
            elif function is not None and function.startswith("list_"):
                found |= {LISTS}
        return found


def accesses_of(node: ast.AST, pointers: Pointers, by_all: bool) -> tuple[set[Access], set[Access]]:
    """What a statement reads and writes."""
    reads: set[str] = set()
    writes: set[str] = set()
    books_read = books_written = False
    for one in nodes_of(node):
        if isinstance(one, ast.Subscript):
            stores = isinstance(one.ctx, ast.Store)
            (writes if stores else reads).update(pointers.of(one.value))
        elif isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Subscript):
            reads.update(pointers.of(one.target.value))
        elif isinstance(one, ast.Call):
            name = called(one)
            if name is None or name in BUFFERS:
                continue
            if name in ("copy_bytes", "clear_bytes"):
                writes.update(pointers.of(one.args[0]))
                reads.update(place for part in one.args[1:] for place in pointers.of(part))
            elif is_books(name, changes=True):
                books_written = True
                for part in one.args:
                    writes.update(pointers.of(part))
            elif is_books(name):
                books_read = True
            elif is_library(name):
                written = _written(name)
                for place, part in enumerate(one.args):
                    (writes if place in written else reads).update(pointers.of(part))
    found = {Access(place, by_all) for place in reads}, {Access(place, by_all) for place in writes}
    if books_written:
        found[1].update(Access(place, by_all) for place in (BOOKS.place, BLOCKS, LISTS))
    elif books_read:
        found[0].add(Access(BOOKS.place, by_all))
    return found


@functools.cache
def _written(name: str) -> frozenset[int]:
    """The parameters of a library function into which it writes, by position."""
    definition = ast.parse(source.definitions()[name].block).body[0]
    assert isinstance(definition, ast.FunctionDef)
    names = [one.arg for one in definition.args.args]
    found: set[str] = set()
    for one in nodes_of(definition):
        if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store):
            if isinstance(one.value, ast.Name):
                found.add(one.value.id)
        elif isinstance(one, ast.Call):
            inner = called(one)
            if inner is not None and (is_library(inner) or not _is_known(inner)):
                found.update(part.id for part in one.args if isinstance(part, ast.Name))
    return frozenset(names.index(one) for one in found if one in names)


def _is_known(name: str) -> bool:
    """Whether a function writes nothing: a cast, a scalar function."""
    part = source.definitions().get(name)
    from autograph.kernels.codegen.vocabulary import MEANINGS

    writes = name == "multiply_part" or name in lapack.CALLS or name in numpy_sorts.CALLS
    meaning = name in MEANINGS and not writes
    return meaning or name in ("range", "min", "max") or (part is not None and part.is_scalar)


@dataclass
class Pending:
    """What lanes have read and written since they last waited for one another."""

    reads: set[Access] = field(default_factory=set)
    writes: set[Access] = field(default_factory=set)

    def copy(self) -> Pending:
        """The same, apart."""
        return Pending(set(self.reads), set(self.writes))

    def join(self, other: Pending) -> bool:
        """Take in what another way has left; whether that was more."""
        before = len(self.reads) + len(self.writes)
        self.reads |= other.reads
        self.writes |= other.writes
        return len(self.reads) + len(self.writes) > before

    def clear(self) -> None:
        """All lanes have waited."""
        self.reads.clear()
        self.writes.clear()
