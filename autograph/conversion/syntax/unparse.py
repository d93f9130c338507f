"""Prints syntax trees, of ast or gast, as Python source.

Text is for reading only: what runs is compiled from the tree itself. Printed source parses to the
same tree.
"""

from __future__ import annotations

import ast

from autograph.conversion.syntax.recursion import with_room
from autograph.conversion.syntax.unparse_layout import WIDTH, Level, Node, kind
from autograph.conversion.syntax.unparse_patterns import Patterns
from autograph.conversion.syntax.unparse_strings import Strings, docstring


def to_text(tree: Node) -> tuple[str, dict[int, int]]:
    """The source of a tree, and for its lines (from 1) the lines that the tree's nodes carry.

    Lines without an origin, such as that of an `else`, are not in the map.
    """

    def print_it() -> tuple[str, dict[int, int]]:
        printer = Printer()
        printer.dispatch([tree] if isinstance(tree, ast.stmt) else tree)  # gast's are ast's too
        text = printer.text
        return text + "\n" if text else text, printer.line_map

    return with_room(tree, print_it)


class Printer(Strings, Patterns):
    """Writes statements; its bases write the rest."""

    def _Module(self, t: Node) -> None:
        self._body(t.body)

    def _Expression(self, t: Node) -> None:
        self.dispatch(t.body)

    def _Expr(self, t: Node) -> None:
        self.fill()
        self._value(t.value, Level.YIELD)

    def _value(self, value: Node, level: Level) -> None:
        """The value of a statement: a tuple needs no parentheses there unless it is long."""
        if kind(value) != "Tuple" or len(value.elts) < 2:
            self.dispatch(value, Level.TUPLE if kind(value) == "Tuple" else level)
            return
        before = self._mark()
        self.flat = True
        self.dispatch(value, Level.TUPLE)
        self.flat = False
        if self._column > WIDTH:
            self._back_to(before)
            self.bracketed("(", value.elts, ")")

    def _Assign(self, t: Node) -> None:
        self.fill()
        for target in t.targets:
            self.dispatch(target, Level.TUPLE)
            self.write(" = ")
        self._value(t.value, Level.YIELD)

    def _AugAssign(self, t: Node) -> None:
        self.fill()
        self.dispatch(t.target)
        self.write(f" {self.binop[kind(t.op)]}= ")
        self._value(t.value, Level.YIELD)

    def _AnnAssign(self, t: Node) -> None:
        self.fill()
        parenthesised = not t.simple and kind(t.target) == "Name"
        self.write("(" if parenthesised else "")
        self.dispatch(t.target)
        self.write("): " if parenthesised else ": ")
        self.dispatch(t.annotation)
        if t.value:
            self.write(" = ")
            self._value(t.value, Level.YIELD)

    def _TypeAlias(self, t: Node) -> None:
        self.fill("type ")
        self.dispatch(t.name)
        self._type_parameters(t)
        self.write(" = ")
        self.dispatch(t.value)

    def _Return(self, t: Node) -> None:
        self.fill("return")
        if t.value:
            self.write(" ")
            self._value(t.value, Level.TEST)

    def _If(self, t: Node) -> None:
        word = "if "
        while True:
            self.fill(word)
            self.dispatch(t.test)
            self.suite(t.body)
            if len(t.orelse) != 1 or kind(t.orelse[0]) != "If":
                break
            t = t.orelse[0]
            self._came_from = getattr(t, "lineno", None)
            word = "elif "
        self._else(t.orelse)

    def _While(self, t: Node) -> None:
        self.fill("while ")
        self.dispatch(t.test)
        self.suite(t.body)
        self._else(t.orelse)

    def _For(self, t: Node, word: str = "for ") -> None:
        self.fill(word)
        self.dispatch(t.target, Level.TUPLE)
        self.write(" in ")
        self.dispatch(t.iter)
        self.suite(t.body)
        self._else(t.orelse)

    def _AsyncFor(self, t: Node) -> None:
        self._For(t, "async for ")

    def _else(self, body: list[Node]) -> None:
        if body:
            self.clause("else")
            self.suite(body)

    def _Try(self, t: Node, word: str = "except") -> None:
        self.fill("try")
        self.suite(t.body)
        for handler in t.handlers:
            self._came_from = getattr(handler, "lineno", None)
            self._handler(handler, word)
        self._else(t.orelse)
        if t.finalbody:
            self.clause("finally")
            self.suite(t.finalbody)

    def _TryStar(self, t: Node) -> None:
        self._Try(t, "except*")

    def _handler(self, t: Node, word: str) -> None:
        self.fill(word)
        if t.type:
            self.write(" ")
            self.dispatch(t.type)
        if t.name:
            # ast has the name itself here, gast a node.
            self.write(" as " + (t.name if isinstance(t.name, str) else t.name.id))
        self.suite(t.body)

    def _With(self, t: Node, word: str = "with ") -> None:
        self.fill(word)
        only = t.items[0]
        if len(t.items) == 1 and not only.optional_vars and kind(only.context_expr) == "Tuple":
            # with (a, b): has two managers; with ((a, b)): has one.
            self.write("(")
            self.dispatch(only)
            self.write(")")
        else:
            self.separated(t.items)
        self.suite(t.body)

    def _AsyncWith(self, t: Node) -> None:
        self._With(t, "async with ")

    def _FunctionDef(self, t: Node, word: str = "def ") -> None:
        self._decorators(t)
        self.fill(word + t.name)
        self._type_parameters(t)
        self.bracketed("(", self._parameters(t.args), ")", self._parameter)
        if t.returns:
            self.write(" -> ")
            self.dispatch(t.returns)
        self.enter()
        self._body(t.body)
        self.leave()

    def _AsyncFunctionDef(self, t: Node) -> None:
        self._FunctionDef(t, "async def ")

    def _ClassDef(self, t: Node) -> None:
        self._decorators(t)
        self.fill("class " + t.name)
        self._type_parameters(t)
        if t.bases or t.keywords:
            self.bracketed("(", [*t.bases, *t.keywords], ")")
        self.enter()
        self._body(t.body)
        self.leave()

    def _decorators(self, t: Node) -> None:
        line = self._came_from
        for decorator in t.decorator_list:
            self._came_from = getattr(decorator, "lineno", None)
            self.fill("@")
            self.dispatch(decorator)
        self._came_from = line

    def _body(self, body: list[Node]) -> None:
        """Statements of which the first may be a docstring."""
        first: Node = body[0] if body else None
        if not _is_docstring(first):
            self.dispatch(body)
            return
        value = first.value
        self._came_from = getattr(first, "lineno", None)
        self.fill()
        start, lines = self._line, value.value.count("\n")
        self.write(docstring(value.value))
        if self._came_from is not None and getattr(value, "end_lineno", 0) == (
            self._came_from + lines
        ):
            self.line_map.update((start + i, self._came_from + i) for i in range(lines + 1))
        if len(body) > 1:
            self.write("" if self._indent else "\n")
            self.dispatch(body[1:])

    def _type_parameters(self, t: Node) -> None:
        parameters = getattr(t, "type_params", None)
        if parameters:
            self.write("[")
            self.separated(parameters)
            self.write("]")

    def _TypeVar(self, t: Node, star: str = "") -> None:
        self.write(star + t.name)
        if getattr(t, "bound", None):
            self.write(": ")
            self.dispatch(t.bound)
        if getattr(t, "default_value", None):
            self.write(" = ")
            self.dispatch(t.default_value)

    def _TypeVarTuple(self, t: Node) -> None:
        self._TypeVar(t, "*")

    def _ParamSpec(self, t: Node) -> None:
        self._TypeVar(t, "**")


def _is_docstring(node: Node) -> bool:
    if kind(node) != "Expr" or kind(node.value) != "Constant":
        return False
    return isinstance(node.value.value, str) and not node.value.kind
