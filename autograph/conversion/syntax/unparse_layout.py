"""Lines, indentation and parentheses of printed source: the ground floor of `unparse`.

astunparse puts every operation into parentheses and starts each definition with an empty line.
Here parentheses are written where precedence asks for them, what stands between brackets is broken
into lines where one is too short for it, and the printed lines are counted, to know which of the
user's lines each came from.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any

from astunparse import Unparser

Node = Any
WIDTH = 100


class Level(IntEnum):
    """How tightly an expression binds; each needs parentheses where a higher level is asked for."""

    NAMED = 0
    TUPLE = 1
    YIELD = 2
    TEST = 3
    OR = 4
    AND = 5
    NOT = 6
    COMPARE = 7
    BIT_OR = 8
    BIT_XOR = 9
    BIT_AND = 10
    SHIFT = 11
    ARITHMETIC = 12
    TERM = 13
    FACTOR = 14
    POWER = 15
    AWAIT = 16
    ATOM = 17


OPERATORS: dict[str, tuple[str, Level]] = {
    "BitOr": ("|", Level.BIT_OR),
    "BitXor": ("^", Level.BIT_XOR),
    "BitAnd": ("&", Level.BIT_AND),
    "LShift": ("<<", Level.SHIFT),
    "RShift": (">>", Level.SHIFT),
    "Add": ("+", Level.ARITHMETIC),
    "Sub": ("-", Level.ARITHMETIC),
    "Mult": ("*", Level.TERM),
    "MatMult": ("@", Level.TERM),
    "Div": ("/", Level.TERM),
    "Mod": ("%", Level.TERM),
    "FloorDiv": ("//", Level.TERM),
    "Pow": ("**", Level.POWER),
}

_LEVELS: dict[str, Level] = {
    "NamedExpr": Level.NAMED,
    "Yield": Level.YIELD,
    "YieldFrom": Level.YIELD,
    "IfExp": Level.TEST,
    "Lambda": Level.TEST,
    "Compare": Level.COMPARE,
    "Await": Level.AWAIT,
}


def kind(node: Node) -> str:
    """The name of a node's class, which ast and gast have in common."""
    return type(node).__name__


def level_of(node: Node) -> Level:
    """How tightly a node binds."""
    name = kind(node)
    if name == "BinOp":
        return OPERATORS[kind(node.op)][1]
    if name == "BoolOp":
        return Level.AND if kind(node.op) == "And" else Level.OR
    if name == "UnaryOp":
        return Level.NOT if kind(node.op) == "Not" else Level.FACTOR
    if name == "Tuple":
        return Level.TUPLE if node.elts else Level.ATOM
    if name == "Constant" and isinstance(node.value, int):
        return Level.FACTOR if node.value < 0 else Level.ATOM
    if name == "Constant" and isinstance(node.value, float | complex):
        return Level.FACTOR if repr(node.value).startswith("-") else Level.ATOM
    return _LEVELS.get(name, Level.ATOM)


class Layout(Unparser):  # type: ignore[misc]  # astunparse has no types
    """Writes text line by line and keeps, for each printed line, the line it came from.

    `forbidden` are pieces of text that must not appear in a string constant: the quotes of the
    f-strings around.
    """

    def __init__(self, forbidden: tuple[str, ...] = ()) -> None:
        # Not Unparser.__init__, which prints at once.
        self.f = io.StringIO()
        self.future_imports: list[str] = []
        self.forbidden = forbidden
        self.line_map: dict[int, int] = {}
        self._indent = 0
        self._line = 1
        self._column = 0
        self._started = False
        self._came_from: int | None = None
        self.flat = False
        """Whether brackets stay on one line."""

    @property
    def text(self) -> str:
        """What has been written so far."""
        return str(self.f.getvalue())

    def write(self, text: str) -> None:
        """Append to the current line."""
        self._started = True
        breaks = text.count("\n")
        self._line += breaks
        self._column = len(text) - text.rfind("\n") - 1 if breaks else self._column + len(text)
        self.f.write(text)

    def fill(self, text: str = "") -> None:
        """Start a line."""
        self.write("\n" + "    " * self._indent if self._started else "")
        if self._came_from is not None:
            self.line_map[self._line] = self._came_from
        self.write(text)

    def clause(self, text: str) -> None:
        """Start the line of an `else` or `finally`, whose own line no tree knows."""
        self._came_from = None
        self.fill(text)

    def suite(self, body: list[Node]) -> None:
        """The colon and the indented statements after it."""
        self.enter()
        self.dispatch(body)
        self.leave()

    def dispatch(self, tree: Node, level: Level = Level.TEST) -> None:
        """Write a node, in parentheses if it binds less tightly than `level`; or a list of them."""
        if isinstance(tree, list):
            self._statements(tree)
            return
        if kind(tree) != "Starred" and level_of(tree) < level:
            self.write("(")
            self._method(tree)(tree)
            self.write(")")
        else:
            self._method(tree)(tree)

    def separated(self, items: Iterable[Node], write: Callable[[Node], None] | None = None) -> None:
        """Items with commas between them."""
        for index, item in enumerate(items):
            if index:
                self.write(", ")
            (write or self.dispatch)(item)

    def bracketed(
        self,
        opening: str,
        items: Iterable[Node],
        closing: str,
        write: Callable[[Node], None] | None = None,
    ) -> None:
        """Items between brackets: on one line, on one of their own, or each on its own."""
        items = list(items)
        if self.flat or not items:
            self.write(opening)
            self.separated(items, write)
            self.write(closing)
            return
        before = self._mark()
        self.flat = True
        self.bracketed(opening, items, closing, write)
        self.flat = False
        if self._column <= WIDTH:
            return
        self._back_to(before)
        self.write(opening)
        self._indent += 1
        start = self._mark()
        self.flat = True
        self.fill()
        self.separated(items, write)
        self.flat = False
        if self._column > WIDTH:
            self._back_to(start)
            self._each_on_its_line(items, write)
        self._indent -= 1
        self.fill(closing)

    def _each_on_its_line(
        self, items: Iterable[Node], write: Callable[[Node], None] | None
    ) -> None:
        outer = self._came_from
        for item in items:
            self._came_from = getattr(item, "lineno", None) or outer
            self.fill()
            (write or self.dispatch)(item)
            self.write(",")
        self._came_from = outer

    def _mark(self) -> tuple[int, int, int]:
        """Where the text stands now, to come back to with `_back_to`."""
        return self.f.tell(), self._line, self._column

    def _back_to(self, mark: tuple[int, int, int]) -> None:
        position, self._line, self._column = mark
        self.f.seek(position)
        self.f.truncate()

    def _method(self, tree: Node) -> Callable[[Node], None]:
        method: Callable[[Node], None] = getattr(self, f"_{kind(tree)}")
        return method

    def _statements(self, body: list[Node]) -> None:
        for index, statement in enumerate(body):
            if index and (_set_apart(statement) or _set_apart(body[index - 1])):
                self.write("\n" if self._indent else "\n\n")
            self._came_from = getattr(statement, "lineno", None)
            self.dispatch(statement)


def _set_apart(node: Node) -> bool:
    """Whether empty lines go around a statement: definitions, but not those that are emitted."""
    definition = kind(node) in ("FunctionDef", "AsyncFunctionDef", "ClassDef")
    return definition and not node.name.startswith("ag__")
