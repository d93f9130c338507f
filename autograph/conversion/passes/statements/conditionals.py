"""`if`.

Before:
    if x > 0:
        y = x + 1
    else:
        y = 0

After:
    def ag__then_1():
        nonlocal y
        y = x + 1
    def ag__else_1():
        nonlocal y
        y = 0
    ag__.if_stmt(x > 0, ag__then_1, ag__else_1, ('y',))

The last argument names the variables that either branch assigns and that are live afterwards.
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.statements.blocks import Compound, Flow, Tail
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def convert(statement: Node, flow: Flow, tail: Tail) -> Compound:
    """Convert an `if`, its `elif`s being `if`s in the `else`."""
    names = flow.names([*statement.body, *statement.orelse], [statement], statement)
    then, orelse = flow.context.names.numbered("then", "else")
    definitions = [flow.body(then, statement.body, statement)]
    otherwise = t.constant(None, statement)
    if statement.orelse:
        definitions.append(flow.body(orelse, statement.orelse, statement))
        otherwise = t.name_load(orelse, statement)
    branch = t.name_load(then, statement)
    code = emit.operator("if_stmt", statement.test, branch, otherwise, names, at=statement)
    return Compound(definitions, code)
