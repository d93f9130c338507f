"""The ways out of a statement: does it complete, break, continue, return?

`with` always may complete: its context manager may swallow an exception of the body.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

BREAK, CONTINUE, RETURN = "break", "continue", "return"


@dataclass(frozen=True)
class Exits:
    """Whether control may reach the next statement, and the other places it may go to."""

    completes: bool
    escapes: frozenset[str] = frozenset()

    def __or__(self, other: Exits) -> Exits:
        return Exits(self.completes or other.completes, self.escapes | other.escapes)

    def then(self, other: Exits) -> Exits:
        """The exits of this followed by `other`."""
        if not self.completes:
            return self
        return Exits(other.completes, self.escapes | other.escapes)


COMPLETES = Exits(True)


def always_true(test: Node) -> bool:
    """Whether a condition is a literal that is true, as in `while True`."""
    return isinstance(test, t.Constant) and bool(test.value)


def exits_of(statements: list[Node]) -> Exits:
    """The ways out of a list of statements."""
    result = COMPLETES
    for statement in statements:
        result = result.then(exits_of_statement(statement))
    return result


def exits_of_statement(statement: Node) -> Exits:
    """The ways out of one statement."""
    if isinstance(statement, t.Return):
        return Exits(False, frozenset({RETURN}))
    if isinstance(statement, t.Break):
        return Exits(False, frozenset({BREAK}))
    if isinstance(statement, t.Continue):
        return Exits(False, frozenset({CONTINUE}))
    if isinstance(statement, t.Raise):
        return Exits(False)
    if isinstance(statement, t.If):
        return exits_of(statement.body) | exits_of(statement.orelse)
    if isinstance(statement, (t.While, t.For)):
        return _exits_of_loop(statement)
    if isinstance(statement, t.With):
        return Exits(True, exits_of(statement.body).escapes)
    if isinstance(statement, t.Try):
        return _exits_of_try(statement)
    return COMPLETES


def _exits_of_loop(loop: Node) -> Exits:
    body = exits_of(loop.body)
    endless = isinstance(loop, t.While) and always_true(loop.test)
    after = Exits(False) if endless else exits_of(loop.orelse)
    return Exits(
        after.completes or BREAK in body.escapes,
        after.escapes | (body.escapes & {RETURN}),
    )


def _exits_of_try(statement: Node) -> Exits:
    ways = exits_of(statement.body).then(exits_of(statement.orelse))
    for handler in statement.handlers:
        ways = ways | exits_of(handler.body)
    last = exits_of(statement.finalbody)
    return Exits(ways.completes and last.completes, ways.escapes | last.escapes)


def returns_within(statements: list[Node], *, staged: bool = False) -> bool:
    """Whether a `return` stands inside a compound statement, or anywhere if `staged`."""
    for statement in statements:
        if isinstance(statement, t.Return) and staged:
            return True
        inner = staged or isinstance(statement, (t.If, t.While, t.For, t.Try, t.With))
        if any(returns_within(block, staged=inner) for block in blocks_of(statement)):
            return True
    return False


def returns_value(statements: list[Node]) -> bool:
    """Whether some `return` gives a value."""
    return any(
        (isinstance(each, t.Return) and each.value is not None)
        or any(returns_value(block) for block in blocks_of(each))
        for each in statements
    )


def blocks_of(statement: Node) -> list[list[Node]]:
    """The lists of statements directly inside a statement of the same function."""
    if isinstance(statement, (t.FunctionDef, t.AsyncFunctionDef, t.ClassDef)):
        return []
    parts = [statement, *getattr(statement, "handlers", [])]
    return [
        getattr(part, field)
        for part in parts
        for field in ("body", "orelse", "finalbody")
        if getattr(part, field, None)
    ]
