"""Converting a function's statements one after the other; what follows an escape.

Before:
    <a statement that may break, continue or return>
    y = x

After:
    ag__code_1 = <the statement's completion code>
    def ag__rest_1():
        nonlocal y
        y = x
    return ag__.then(ag__code_1, ag__rest_1, ('y',))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from autograph.conversion.analysis.exits import (
    BREAK,
    CONTINUE,
    RETURN,
    exits_of,
    exits_of_statement,
    returns_value,
    returns_within,
)
from autograph.conversion.analysis.liveness import Liveness, liveness_of
from autograph.conversion.analysis.scopes import Scope, stored_in
from autograph.conversion.passes import emit
from autograph.conversion.passes.context import Context
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

# More statements than this that may not complete, one after the other, do not nest but chain.
LONGEST_NEST = 8


@dataclass(frozen=True)
class Tail:
    """Where a block's completion code goes.

    "give": the block is a function's body, and returns it. "store": the block stays in place and
    assigns it to `variable`. "drop": the block is the function's own, after which nothing comes.
    "plain": so, and `return` stays `return`.
    """

    kind: Literal["give", "store", "drop", "plain"]
    variable: str = ""


@dataclass(frozen=True)
class Compound:
    """A converted statement: what comes first, and the expression of its completion code.

    Without the expression the statement is done with what comes first, and always completes.
    """

    statements: list[Node]
    code: Node | None


class Flow:
    """The conversion of one function's statements, by a table of constructs."""

    def __init__(self, function: Node, context: Context, constructs: Constructs) -> None:
        self.function = function
        self.context = context
        self.scope: Scope = context.scopes[function]
        self._constructs = constructs
        self._comprehensions = {
            inner.node.name: inner
            for inner in self.scope.inner
            if isinstance(inner.node, t.FunctionDef) and inner.node.name in context.comprehensions
        }
        self.liveness: Liveness = liveness_of(function, self.scope, self._comprehensions)
        self.result = ""  # the variable of the result, if returns are staged and give one
        self.loops: list[Node] = []

    def convert(self) -> None:
        """Convert the function in place."""
        body = self.function.body
        if not returns_within(body):
            self.function.body = self.block(body, Tail("plain"))
            return
        if not returns_value(body):
            self.function.body = self.block(body, Tail("drop"))
            return
        self.result = self.context.names.unnumbered("result")
        self.context.results[self.function] = self.result
        statements = self.block(body, Tail("drop"))
        last = statements[-1]
        value = emit.operator("returned", t.name_load(self.result, last), at=last)
        self.function.body = [*statements, emit.give(value, last)]

    def block(self, statements: list[Node], tail: Tail) -> list[Node]:
        """Convert statements that stand one after the other."""
        result: list[Node] = []
        for index, statement in enumerate(statements):
            if isinstance(statement, (t.Return, t.Break, t.Continue)):
                return [*result, *self._leave(statement, tail)]
            construct = self._constructs.get(type(statement))
            if construct is None:
                result.append(statement)
                continue
            escapes = exits_of_statement(statement).escapes
            compound = construct(statement, self, tail)
            result.extend(compound.statements)
            if tail.kind == "plain" or not escapes:
                if compound.code is not None:
                    result.append(emit.expression(compound.code, statement))
                continue
            code = compound.code or t.constant(None, statement)
            rest = statements[index + 1 :]
            if not rest:
                return [*result, *self._end(code, tail, statement)]
            return [*result, *self.continuation(code, rest, tail, statement)]
        return result

    def continuation(self, code: Node, rest: list[Node], tail: Tail, at: Node) -> list[Node]:
        """The statements after one that may not complete, given its code."""
        word, name = self.context.names.numbered("code", "rest")
        result: list[Node] = []
        if not isinstance(code, t.Name):
            result.append(emit.assign(word, code, at))
            code = t.name_load(word, at)
        escaping = [i for i, each in enumerate(rest) if exits_of_statement(each).escapes]
        chained = len(escaping) > LONGEST_NEST
        own = rest[: escaping[0] + 1] if chained else rest
        names = self.names(own, own, at)
        # On the line of `at`: where it escapes, the lines of the rest do not run.
        result.append(self.body(name, own, at))
        following = emit.operator("then", code, t.name_load(name, at), names, at=at)
        if chained and len(own) < len(rest):
            return [*result, *self.continuation(following, rest[len(own) :], tail, at)]
        return [*result, *self._end(following, tail, at)]

    def _end(self, code: Node, tail: Tail, at: Node) -> list[Node]:
        """The end of a block, whose code is given by an expression."""
        if tail.kind == "give":
            return [emit.give(code, at)]
        if tail.kind == "store":
            return [emit.assign(tail.variable, code, at)]
        return [] if isinstance(code, t.Name) else [emit.expression(code, at)]

    def _leave(self, statement: Node, tail: Tail) -> list[Node]:
        if tail.kind == "plain":
            return [statement]
        result: list[Node] = []
        if isinstance(statement, t.Return) and self.result:
            value = statement.value or t.constant(None, statement)
            result.append(emit.assign(self.result, value, statement))
        if tail.kind == "drop":
            return result
        code = emit.constant(type(statement).__name__.upper(), statement)
        return [*result, *self._end(code, tail, statement)]

    def body(self, name: str, statements: list[Node], at: Node, *parameters: str) -> Node:
        """A function that stands for statements, which returns their completion code."""
        self.context.bodies.add(name)
        return emit.define(name, parameters, self.block(statements, Tail("give")), at)

    def names(self, statements: list[Node], leaving: list[Node], at: Node) -> Node:
        """The names that statements assign and that are live where `leaving` may lead."""
        ways = exits_of(leaving)
        live = set(self.liveness.raised[leaving[-1]])
        if ways.completes:
            live |= self.liveness.after[leaving[-1]]
        if BREAK in ways.escapes:
            live |= self.liveness.after[self.loops[-1]]
        if CONTINUE in ways.escapes:
            live |= self.liveness.header[self.loops[-1]]
        return self.names_among(statements, live, RETURN in ways.escapes, at)

    def names_among(self, statements: list[Node], live: set[str], returns: bool, at: Node) -> Node:
        """The tuple of the names that statements assign and that are among the live ones.

        And of those mentioned that a function called meanwhile may assign, here or further out.
        """
        found = self._stored(statements) & self.scope.local_names & live
        if shared := self.context.shared[self.function]:
            found |= shared & {name for each in statements for name in _mentioned(each)}
        names = [*sorted(found), *([self.result] if returns and self.result else [])]
        return emit.names_tuple(names, at)

    def _stored(self, statements: list[Node]) -> set[str]:
        stored = stored_in(statements)
        for inner in self._comprehensions.values():
            if inner.nonlocal_names and any(
                inner.node.name in _mentioned(each) for each in statements
            ):
                stored |= inner.nonlocal_names
        return stored


Construct = Callable[[Node, Flow, Tail], Compound]
Constructs = Mapping[type, Construct]


def _mentioned(statement: Node) -> set[str]:
    return {node.id for node in t.walk(statement) if isinstance(node, t.Name)}
