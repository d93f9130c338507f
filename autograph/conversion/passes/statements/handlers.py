"""`try`.

Before:
    for x in xs:
        try:
            y = table[x]
        except KeyError as error:
            log(error)
            continue
        else:
            if y:
                break
        use(y)

After, in the loop's body:
    def ag__body_2():
        nonlocal y
        y = table[x]
    def ag__except_1(ag__error_1):
        nonlocal error
        error = ag__error_1
        log(error)
        return ag__.CONTINUE
    def ag__orelse_2():
        def ag__then_1():
            return ag__.BREAK
        return ag__.if_stmt(y, ag__then_1, None, ())
    ag__code_1 = ag__.try_stmt(ag__body_2, ((lambda: KeyError, ag__except_1, 'error'),),
                               ag__orelse_2, None, ('y', 'error'))
    def ag__rest_1():
        use(y)
    return ag__.then(ag__code_1, ag__rest_1, ())

The operator takes the variable of `as` away again. A code that `finally` gives replaces the one
that was on its way, and an exception, too. The last argument names the variables that the parts
assign and that are live in another part, or after the statement.
"""

from __future__ import annotations

from autograph.conversion.analysis.exits import BREAK, CONTINUE, RETURN, exits_of_statement
from autograph.conversion.analysis.scopes import walrus_names
from autograph.conversion.passes import emit
from autograph.conversion.passes.statements.blocks import Compound, Flow, Tail
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def convert(statement: Node, flow: Flow, tail: Tail) -> Compound:
    """Convert a `try`."""
    names = _names(statement, flow)
    body, orelse, last = flow.context.names.numbered("body", "orelse", "finally")
    definitions = [flow.body(body, statement.body, statement)]
    clauses = [_handler(handler, flow, definitions) for handler in statement.handlers]
    arguments = [
        t.name_load(body, statement),
        t.copy_location(t.Tuple(clauses, t.Load()), statement),
        _part(orelse, statement.orelse, statement, flow, definitions),
        _part(last, statement.finalbody, statement, flow, definitions),
        names,
    ]
    return Compound(definitions, emit.operator("try_stmt", *arguments, at=statement))


def _names(statement: Node, flow: Flow) -> Node:
    """The names that the parts assign and that are live between them, or afterwards."""
    liveness, escapes = flow.liveness, exits_of_statement(statement).escapes
    live = set(liveness.after[statement] | liveness.raised[statement])
    blocks = [statement.body, statement.orelse, *(one.body for one in statement.handlers)]
    for block in filter(None, blocks):
        live |= liveness.after[block[-1]] | liveness.raised[block[-1]]
    if BREAK in escapes:
        live |= liveness.after[flow.loops[-1]]
    if CONTINUE in escapes:
        live |= liveness.header[flow.loops[-1]]
    return flow.names_among([statement], live, RETURN in escapes, statement)


def _handler(handler: Node, flow: Flow, definitions: list[Node]) -> Node:
    """Its class, its body, and the name of its variable."""
    name, error = flow.context.names.numbered("except", "error")
    parameters = (error,) if handler.name is not None else ()
    function = flow.body(name, handler.body, handler, *parameters)
    if handler.name is not None:
        bound = emit.assign(handler.name.id, t.name_load(error, handler), handler)
        function.body.insert(0, bound)
    definitions.append(function)
    kind = t.constant(None, handler)
    if handler.type is not None:
        kind = _kind(handler.type, flow, definitions)
    variable = None if handler.name is None else handler.name.id
    parts = [kind, t.name_load(name, handler), t.constant(variable, handler)]
    return t.copy_location(t.Tuple(parts, t.Load()), handler)


def _kind(node: Node, flow: Flow, definitions: list[Node]) -> Node:
    """What gives the class: a lambda, or where that would bind a variable of its own, a body."""
    if next(walrus_names(node), None) is None:
        return emit.thunk(node, node)
    (name,) = flow.context.names.numbered("class")
    flow.context.bodies.add(name)
    definitions.append(emit.define(name, (), [emit.give(node, node)], node))
    return t.name_load(name, node)


def _part(name: str, statements: list[Node], at: Node, flow: Flow, definitions: list[Node]) -> Node:
    """The function of `else` or `finally`; None without it."""
    if not statements:
        return t.constant(None, at)
    definitions.append(flow.body(name, statements, statements[0]))
    return t.name_load(name, at)
