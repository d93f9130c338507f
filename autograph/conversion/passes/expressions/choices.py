"""`and`, `or` and the conditional expression: operands that may not be evaluated.

Before:
    a and f(b)
    x if x > 0 else -x

After:
    ag__.and_(a, lambda: f(b))
    ag__.if_exp(x > 0, lambda: x, lambda: -x)

An operand that assigns (`:=`) becomes a definition, hoisted before the statement:
    def ag__thunk_1():
        nonlocal y
        return (y := f(b))
    ag__.and_(a, ag__thunk_1)
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def boolean(node: Node, rewriter: Rewriter) -> Node:
    """The rule for `and` and `or`."""
    first, *others = node.values
    name = "and_" if isinstance(node.op, t.And) else "or_"
    operands = [rewriter.expression(first), *(rewriter.thunk(each) for each in others)]
    return emit.operator(name, *operands, at=node)


def conditional(node: Node, rewriter: Rewriter) -> Node:
    """The rule for conditional expressions."""
    test = rewriter.expression(node.test)
    body, orelse = rewriter.thunk(node.body), rewriter.thunk(node.orelse)
    return emit.operator("if_exp", test, body, orelse, at=node)
