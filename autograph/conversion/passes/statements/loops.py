"""`while` and `for`.

Before:
    while i < n:
        i += 1
    for x, y in pairs:
        s += x * y
    else:
        done()

After:
    def ag__test_1():
        return i < n
    def ag__body_1():
        nonlocal i
        i += 1
    ag__.while_stmt(ag__test_1, ag__body_1, None, ('i',))
    def ag__body_2(ag__item_2):
        nonlocal x, y, s
        x, y = ag__item_2
        s += x * y
    def ag__orelse_2():
        done()
    ag__.for_stmt(pairs, ag__body_2, ag__orelse_2, ('s',))

The last argument names the variables that the loop assigns and that are live before a next turn or
after the loop.
"""

from __future__ import annotations

from autograph.conversion.analysis.exits import RETURN, exits_of_statement
from autograph.conversion.passes import emit
from autograph.conversion.passes.statements.blocks import Compound, Flow, Tail
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def convert_while(loop: Node, flow: Flow, tail: Tail) -> Compound:
    """Convert a `while`."""
    test, body, orelse = flow.context.names.numbered("test", "body", "orelse")
    flow.context.bodies.add(test)
    names = _names(loop, [emit.expression(loop.test, loop), *loop.body, *loop.orelse], flow)
    definitions = [emit.define(test, (), [emit.give(loop.test, loop.test)], loop.test)]
    flow.loops.append(loop)
    definitions.append(flow.body(body, loop.body, loop))
    flow.loops.pop()
    otherwise = _orelse(orelse, loop, flow, definitions)
    functions = [t.name_load(test, loop), t.name_load(body, loop), otherwise]
    return Compound(definitions, emit.operator("while_stmt", *functions, names, at=loop))


def convert_for(loop: Node, flow: Flow, tail: Tail) -> Compound:
    """Convert a `for`."""
    body, item, orelse = flow.context.names.numbered("body", "item", "orelse")
    target = emit.assign_to(loop.target, t.name_load(item, loop.target), loop.target)
    names = _names(loop, [target, *loop.body, *loop.orelse], flow)
    flow.loops.append(loop)
    function = flow.body(body, loop.body, loop, item)
    flow.loops.pop()
    function.body.insert(0, target)
    definitions = [function]
    otherwise = _orelse(orelse, loop, flow, definitions)
    arguments = [loop.iter, t.name_load(body, loop), otherwise]
    return Compound(definitions, emit.operator("for_stmt", *arguments, names, at=loop))


def _names(loop: Node, statements: list[Node], flow: Flow) -> Node:
    live = set(flow.liveness.header[loop] | flow.liveness.after[loop])
    if isinstance(loop, t.While):
        live |= flow.liveness.done[loop]
    return flow.names_among(statements, live, RETURN in exits_of_statement(loop).escapes, loop)


def _orelse(name: str, loop: Node, flow: Flow, definitions: list[Node]) -> Node:
    """The function of the loop's `else`, whose codes are those of the statement around."""
    if not loop.orelse:
        return t.constant(None, loop)
    definitions.append(flow.body(name, loop.orelse, loop))
    return t.name_load(name, loop)
