"""What the passes share about the function they convert: fresh names, and side tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from autograph.conversion.analysis.scopes import Scope
from autograph.conversion.analysis.tables import NodeTable
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


class FreshNames:
    """Gives names that occur nowhere in the function, nor among the globals it uses."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}
        self.given: set[str] = set()

    def unnumbered(self, word: str) -> str:
        """`ag__word`, or with a number where that is taken."""
        name = f"ag__{word}"
        if name in self._taken:
            return self.numbered(word)[0]
        self._taken.add(name)
        self.given.add(name)
        return name

    def numbered(self, *words: str) -> list[str]:
        """`ag__word_N` for each word, all with the same number."""
        number = max(self._last.get(word, 0) for word in words) + 1
        while any(f"ag__{word}_{number}" in self._taken for word in words):
            number += 1
        names = [f"ag__{word}_{number}" for word in words]
        self._last.update(dict.fromkeys(words, number))
        self._taken.update(names)
        self.given.update(names)
        return names

    def variable(self, word: str) -> str:
        """`ag__word_N` for a variable that is state like the user's own: branches may assign it."""
        (name,) = self.numbered(word)
        self.given.discard(name)
        return name


@dataclass
class Context:
    """The state of one conversion. Functions made by a pass are known by their fresh names."""

    class_name: str | None
    names: FreshNames
    filename: str = "<unknown>"
    # Whether the second form of a generator function is wanted.
    inlined: bool = False
    # Whether generator functions get their third form, where they have one.
    resuming: bool = False
    # The scope of each function as the user wrote it, before statements became functions.
    scopes: NodeTable[Scope] = field(default_factory=NodeTable)
    # For each function, the variables in its sight that functions inside their own rebind.
    shared: NodeTable[set[str]] = field(default_factory=NodeTable)
    # Reads of perhaps unset variables.
    unassigned: NodeTable[bool] = field(default_factory=NodeTable)
    # Reads of perhaps unset variables from outside: whether they are global ones.
    unset_outside: NodeTable[bool] = field(default_factory=NodeTable)
    # For each function with staged returns, the variable that holds its result.
    results: NodeTable[str] = field(default_factory=NodeTable)
    # Functions that stand for a part of a user function, and assign its variables.
    bodies: set[str] = field(default_factory=set)
    # Functions that stand for a comprehension: called only in the statement after them.
    comprehensions: set[str] = field(default_factory=set)
    # Functions that make another one, which stands for a lambda.
    makers: set[str] = field(default_factory=set)

    def results_of(self, function: Node) -> set[str]:
        """The names of a function's variables that passes made and its bodies assign."""
        return {self.results[function]} if function in self.results else set()


def names_in(tree: Node) -> set[str]:
    """Every identifier of a tree."""
    found: set[str] = set()
    for node in t.walk(tree):
        if isinstance(node, t.Name):
            found.add(node.id)
        elif isinstance(node, (t.FunctionDef, t.AsyncFunctionDef, t.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (t.Global, t.Nonlocal)):
            found.update(node.names)
        elif isinstance(node, t.alias):
            found.add(node.asname or node.name.split(".")[0])
    return found
