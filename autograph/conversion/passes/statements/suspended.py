"""Statements of a generator that hold a `yield` stay Python's own, around converted statements.

Before:
    while n > 0:
        if log:
            if n > limit:
                n = limit
            yield n
        for a, b in pairs:
            yield a + b

After:
    while ag__.known(n > 0):
        if ag__.known(log):
            def ag__then_1():
                nonlocal n
                n = limit
            ag__.if_stmt(n > limit, ag__then_1, None, ('n',))
            yield n
        for ag__item_1 in ag__.each(pairs):
            a, b = ag__item_1
            yield a + b

So do those that hold a `return` of the generator, or a `break` or `continue` of such a loop. Their
conditions must be known while tracing; a generator that is consumed by a `for` has another form,
where they need not be (`inlining`). Around a `yield` in a `try`, the staged code that may raise is
looked at piece by piece, without that of the consumer:
    try:
        with ag__.suspending() as ag__piece_1:
            ag__.resumed(ag__piece_1, (yield ag__.suspended(ag__piece_1, f(x))))
    except ag__.Staging:
        raise
    finally:
        done()
"""

from __future__ import annotations

from autograph.conversion.analysis.exits import exits_of_statement
from autograph.conversion.analysis.scopes import FUNCTIONS, holds_yield, is_generator
from autograph.conversion.passes import emit
from autograph.conversion.passes.context import Context
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.passes.statements import contexts
from autograph.conversion.passes.statements.blocks import (
    Compound,
    Construct,
    Constructs,
    Flow,
    Tail,
)
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

PLAIN = Tail("plain")


def convert(function: Node, context: Context, constructs: Constructs) -> None:
    """Convert the statements of a generator function in place."""
    own = {kind: _unless_plain(construct) for kind, construct in constructs.items()}
    function.body = Flow(function, context, own).block(function.body, PLAIN)
    if not is_generator(function):  # its `yield` was behind a `return`
        at = function.body[-1]
        function.body.append(emit.expression(t.copy_location(t.Yield(None), at), at))


def _unless_plain(construct: Construct) -> Construct:
    def convert_one(statement: Node, flow: Flow, tail: Tail) -> Compound:
        in_place = tail.kind == "plain"  # else it stands in a statement that is converted
        if in_place and (holds_yield(statement) or exits_of_statement(statement).escapes):
            return Compound(_plain(statement, flow), None)
        return construct(statement, flow, tail)

    return convert_one


def _plain(statement: Node, flow: Flow) -> list[Node]:
    if isinstance(statement, t.With):
        return [contexts.plain(statement, flow)]
    if isinstance(statement, t.Try):
        return [_try(statement, flow)]
    first: list[Node] = []
    if isinstance(statement, t.For):
        statement.iter = emit.operator("each", statement.iter, at=statement.iter)
        target = statement.target
        if not isinstance(target, t.Name):
            (item,) = flow.context.names.numbered("item")
            statement.target = t.name_store(item, target)
            first = [emit.assign_to(target, t.name_load(item, target), target)]
    else:
        statement.test = emit.operator("known", statement.test, at=statement.test)
    statement.body = [*first, *flow.block(statement.body, PLAIN)] or [_pass(statement)]
    statement.orelse = flow.block(statement.orelse, PLAIN)
    return [statement]


def _try(statement: Node, flow: Flow) -> Node:
    (piece,) = flow.context.names.numbered("piece")
    at = statement.body[0]
    body = [_pieces(each, piece) for each in flow.block(statement.body, PLAIN)]
    item = t.withitem(emit.operator("suspending", at=at), t.name_store(piece, at))
    statement.body = [t.copy_location(t.With([item], body or [_pass(at)], None), at)]
    for handler in statement.handlers:
        handler.body = flow.block(handler.body, PLAIN) or [_pass(handler)]
    statement.orelse = flow.block(statement.orelse, PLAIN)
    statement.finalbody = flow.block(statement.finalbody, PLAIN)
    if statement.handlers:
        statement.handlers.insert(0, _own_errors_pass(statement.handlers[0]))
    return statement


def _own_errors_pass(at: Node) -> Node:
    """The handler that lets our own errors pass by the user's."""
    reraise = t.copy_location(t.Raise(None, None), at)
    return t.copy_location(t.ExceptHandler(emit.constant("Staging", at), None, [reraise]), at)


def delegation(node: Node, rewriter: Rewriter) -> Node:
    """The rule for `yield from`."""
    node.value = emit.operator("each", rewriter.expression(node.value), at=node.value)
    return node


def _pieces(node: Node, piece: str) -> Node:
    """The tree with every `yield` marked as the end of a piece and the start of another."""
    if isinstance(node, FUNCTIONS) or isinstance(node, t.ClassDef):
        return node
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            # A dict that unpacks another has None for a key.
            setattr(node, name, [each and _pieces(each, piece) for each in value])
        elif isinstance(value, t.AST):
            setattr(node, name, _pieces(value, piece))
    if not isinstance(node, t.Yield):
        return node
    value = node.value or t.constant(None, node)
    node.value = emit.operator("suspended", t.name_load(piece, node), value, at=node)
    return emit.operator("resumed", t.name_load(piece, node), node, at=node)


def _pass(at: Node) -> Node:
    return t.copy_location(t.Pass(), at)
