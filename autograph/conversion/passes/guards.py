"""Fewer escapes: unreachable code goes, guard clauses become `else`, last `continue`s go.

And a function that returns a value somewhere in a branch returns None where it ends.

Before:
    for x in xs:
        if x < 0:
            continue
        if x > limit:
            break
        total += x
    return total
    print("never")

After:
    for x in xs:
        if x < 0:
            pass
        else:
            if x > limit:
                break
            else:
                total += x
    return total

A branch that never completes is followed by nothing, so what follows the `if` is the other branch's
alone. Each escape that goes, or becomes last in its branch, needs no completion code. Generators
stay: an unreachable `yield` makes them what they are.
"""

from __future__ import annotations

from autograph.conversion.analysis.exits import (
    exits_of,
    exits_of_statement,
    returns_value,
    returns_within,
)
from autograph.conversion.analysis.scopes import FUNCTIONS, converted_functions, is_generator
from autograph.conversion.passes import emit
from autograph.conversion.passes.context import Context
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

# Deeper, what follows stays where it is: nesting costs indentation, and stack when compiling.
DEEPEST = 12


def transform(tree: Node, context: Context) -> Node:
    """Rearrange the statements of every function of the tree."""
    for node in list(converted_functions(tree)):
        if isinstance(node, t.FunctionDef) and not is_generator(node):
            if not returns_value(node.body):
                node.body = _block(node.body, 0)
                node.body = _without_last(node.body, t.Return) or [_pass(node.body[0])]
            else:
                node.body = _block([*node.body, *_last_return(node.body)], 0)
    return tree


def _last_return(statements: list[Node]) -> list[Node]:
    """`return None`, if the end of a function with returns in branches can be reached."""
    if not returns_within(statements) or not exits_of(statements).completes:
        return []
    return [emit.give(t.constant(None, statements[-1]), statements[-1])]


def _pass(at: Node) -> Node:
    return t.copy_location(t.Pass(), at)


def _block(statements: list[Node], depth: int) -> list[Node]:
    result: list[Node] = []
    for index, statement in enumerate(statements):
        rest = statements[index + 1 :]
        result.append(statement)
        if isinstance(statement, t.If):
            if _if(statement, rest, depth):
                break
        else:
            _inside(statement, depth)
        if not exits_of_statement(statement).completes:
            break
    return result


def _if(statement: Node, rest: list[Node], depth: int) -> bool:
    """Rearrange an `if`; true if the statements after it became part of a branch."""
    ways = exits_of(statement.body), exits_of(statement.orelse)
    moves = bool(rest) and depth < DEEPEST and bool(ways[0].escapes | ways[1].escapes)
    into_else = moves and not ways[0].completes and ways[1].completes
    into_body = moves and not ways[1].completes and ways[0].completes
    if into_else:
        statement.orelse = [*statement.orelse, *rest]
    elif into_body:
        statement.body = [*statement.body, *rest]
    moved = into_else or into_body
    statement.body = _block(statement.body, depth + into_body)
    statement.orelse = _block(statement.orelse, depth + into_else)
    return moved


def _inside(statement: Node, depth: int) -> None:
    if isinstance(statement, FUNCTIONS) or isinstance(statement, t.ClassDef):
        return
    for part in (statement, *getattr(statement, "handlers", [])):
        for name in ("body", "orelse", "finalbody"):
            inside = getattr(part, name, None)
            if inside:
                setattr(part, name, _block(inside, depth))
    if isinstance(statement, (t.While, t.For)):
        first = statement.body[0]
        statement.body = _without_last(statement.body, t.Continue) or [_pass(first)]


def _without_last(statements: list[Node], kind: type) -> list[Node]:
    """The statements without escapes of a kind that lead where completing leads too.

    A `pass` stands for each, so that debuggers and coverage see its line.
    """
    if not statements:
        return []
    *before, last = statements
    if isinstance(last, kind):
        return [*before, _pass(last)]
    if isinstance(last, t.If):
        last.body = _without_last(last.body, kind) or [_pass(last)]
        last.orelse = _without_last(last.orelse, kind)
    elif isinstance(last, t.With):
        last.body = _without_last(last.body, kind) or [_pass(last)]
    elif isinstance(last, t.Try):
        if not last.orelse:
            last.body = _without_last(last.body, kind) or [_pass(last)]
        last.orelse = _without_last(last.orelse, kind)
        for handler in last.handlers:
            handler.body = _without_last(handler.body, kind) or [_pass(handler)]
    elif isinstance(last, (t.While, t.For)):
        last.orelse = _without_last(last.orelse, kind)
    return statements
