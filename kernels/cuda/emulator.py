"""A kernel's text in CPython: each lane a generator that stops wherever it waits for the others.

Between two waits the lanes run one after the other, in a shuffled order, so that what depends on
their order shows; lanes that stop at different places are an error. Memory is NumPy's, so that an
index outside is one, too.
"""

from __future__ import annotations

import ast
import random
import threading
from collections.abc import Callable, Generator
from typing import Any, NamedTuple

import numpy as np

from autograph.kernels.codegen.kernel import nodes_of
from autograph.kernels.compile import CPYTHON, Engine, namespace_of
from autograph.kernels.cuda import products
from autograph.kernels.cuda.accesses import called
from autograph.kernels.cuda.spread import spread
from autograph.kernels.library.draws import draws_in
from autograph.kernels.memory import Pointer

LANES = 6
TEAM = 2
"""How many lanes a team has, where rows have as many elements."""
_STOPS = frozenset(("wait", "wait_in_team", "by_one", "gathered", "gathered_in_team"))
_COMBINE: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda a, b: a + b,
    "product": lambda a, b: a * b,
    "max": np.maximum,
    "min": np.minimum,
    "any": lambda a, b: a | b,
    "all": lambda a, b: a & b,
}
Lane = Generator[object, None, Any]


class Divergence(AssertionError):
    """Lanes that wait at different places, or leave with different statuses."""


class InTeam(NamedTuple):
    """Where lanes of a team wait for each other."""

    place: object
    width: int


class _Grid:
    """The lanes of one run: whose turn it is, and what they say to one another."""

    def __init__(self, lanes: int, seed: int) -> None:
        self.count = lanes
        self.current = 0
        self.random = random.Random(seed)
        self.said: Any = None
        self.parts: dict[int, Any] = {}

    def run(self, start: Callable[[], Lane]) -> Any:
        """Run all lanes to their end; gives what they all give."""
        rest = {lane: start() for lane in range(self.count)}
        results: dict[int, Any] = {}
        waiting: dict[int, object] = {}
        ready = list(rest)
        while rest:
            self.random.shuffle(ready)
            for lane in ready:
                self.current = lane
                try:
                    waiting[lane] = next(rest[lane])
                except StopIteration as end:
                    results[lane] = end.value
                    del rest[lane]
                    waiting.pop(lane, None)
            ready = self._teams(waiting)
            if not ready:
                if len(set(waiting.values())) > 1 or (results and rest):
                    raise Divergence(f"lanes wait at {waiting}, and {sorted(results)} have left")
                ready = list(rest)
        if len(set(results.values())) != 1:
            raise Divergence(f"lanes leave with {results}")
        return results[0]

    def _teams(self, waiting: dict[int, object]) -> list[int]:
        """The lanes of teams all of whose lanes wait at one place for each other."""
        found = []
        for lane, place in waiting.items():
            if isinstance(place, InTeam):
                start = lane - lane % place.width
                if all(waiting.get(start + k) == place for k in range(place.width)):
                    found.append(lane)
        return found

    # the vocabulary of kernels ------------------------------------------------------------------
    def lane(self) -> int:
        """The number of this lane."""
        return self.current

    def lanes(self) -> int:
        """How many lanes there are."""
        return self.count

    def first(self) -> bool:
        """Whether this is the lane that does what only one does."""
        return self.current == 0

    def by_one(self, place: object, make: Callable[[], Any]) -> Lane:
        """What the first lane finds, in all lanes."""
        if self.current == 0:
            self.said = make()
        yield place
        value = self.said
        yield place
        return value

    def gathered(self, place: object, value: Any, kind: str) -> Lane:
        """The values of all lanes put together, in the order of the lanes."""
        self.parts[self.current] = value
        yield place
        total = self.parts[0]
        for lane in range(1, self.count):
            total = _COMBINE[kind](total, self.parts[lane])
        yield place
        return type(value)(total) if isinstance(value, np.generic) else total

    def wait_in_team(self, place: object, width: int) -> Lane:
        """Until the other lanes of the team are here."""
        yield InTeam(place, width)

    def gathered_in_team(self, place: object, value: Any, kind: str, width: int) -> Lane:
        """The values of the lanes of a team put together."""
        self.parts[self.current] = value
        yield InTeam(place, width)
        start = self.current - self.current % width
        total = self.parts[start]
        for lane in range(start + 1, start + width):
            total = _COMBINE[kind](total, self.parts[lane])
        yield InTeam(place, width)
        return type(value)(total) if isinstance(value, np.generic) else total

    def copy_bytes_together(self, target: Pointer, source: Pointer, count: int) -> None:
        """Each lane copies its bytes."""
        part = slice(self.current, None, self.count)
        target.bytes(count)[part] = source.bytes(count)[part]

    def clear_bytes_together(self, target: Pointer, count: int) -> None:
        """Each lane clears its bytes."""
        target.bytes(count)[self.current :: self.count] = 0


def entry_of_kernel(
    text: str, lanes: int = LANES, seed: int = 0, team: int = TEAM
) -> Callable[..., int]:
    """The entry of a kernel's text: `entry(parameters, *arrays)` gives its status.

    `team`: how many lanes share a row that has as many elements, if that divides `lanes`.
    """
    grid = _Grid(lanes, seed)
    names = ("lane", "lanes", "first", "copy_bytes_together", "clear_bytes_together")
    namespace = {
        **namespace_of(_with_stops(text)),
        **{name: getattr(grid, name) for name in names},
        "rows_at_once": lambda width: 1,
        "elements_at_once": lambda: 1,
        "_by_one": grid.by_one,
        "_gathered": grid.gathered,
        "_wait_in_team": grid.wait_in_team,
        "_gathered_in_team": grid.gathered_in_team,
        "team_for": lambda length: team if length >= team and lanes % team == 0 else 1,
    }
    exec(compile(_with_stops(text), "<autograph kernel>", "exec"), namespace)
    exec("\n".join(products.TEXTS.values()), namespace)
    program = namespace["program"]
    turn = threading.RLock()  # the lanes of one grid; a call at a time

    def entry(*arguments: Any) -> int:
        with turn, np.errstate(all="ignore"):
            return int(grid.run(lambda: program(arguments)))

    return entry


def emulated(text: str) -> Callable[..., int]:
    """The entry of a program, run as a kernel; in CPython where it draws from a generator."""
    if draws_in(text):
        return CPYTHON.entry_of(text)
    return entry_of_kernel(spread(text))


EMULATOR = Engine("emulate", emulated, by_words=False)


def _with_stops(text: str) -> str:
    """The text with functions that stop as generators."""
    tree = ast.parse(text)
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    stopping = {"program", *(one.name for one in functions if _calls(one, _STOPS))}
    more = True
    while more:
        found = {one.name for one in functions if _calls(one, stopping)} - stopping
        stopping |= found
        more = bool(found)
    rewriter = _Stops(frozenset(stopping))
    for one in functions:
        rewriter.visit(one)
        if one.name == "program":
            one.body[:0] = ast.parse("if False: yield").body
    return ast.unparse(ast.fix_missing_locations(tree))


def _calls(function: ast.FunctionDef, names: set[str] | frozenset[str]) -> bool:
    return any(called(one) in names for one in nodes_of(function))


class _Stops(ast.NodeTransformer):
    """Puts `yield` where lanes wait."""

    def __init__(self, stopping: frozenset[str]) -> None:
        self.stopping = stopping
        self.places = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = called(node)
        if name in _STOPS:
            self.places += 1
            place = ast.Constant(self.places)
            if name == "wait":
                return ast.Yield(place)
            value = node.args[0]
            if name == "by_one":
                nothing = ast.parse("lambda: 0", mode="eval").body
                assert isinstance(nothing, ast.Lambda)
                nothing.body = value
                value = nothing
            call = ast.Call(
                ast.Name(f"_{name}", ast.Load()), [place, value, *node.args[1:]], node.keywords
            )
            return ast.YieldFrom(call)
        return ast.YieldFrom(node) if name in self.stopping else node
