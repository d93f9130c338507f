"""Comparisons.

Before:
    x > 0
    key not in table
    low <= x < high()

After:
    ag__.gt(x, 0)
    ag__.not_in(key, table)
    ag__.compare_chain(low, '<=', x, '<', lambda: high())

In a chain all operands after the second are evaluated only if the comparisons before are true.
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

OPERATORS = {
    t.Lt: ("lt", "<"),
    t.LtE: ("le", "<="),
    t.Gt: ("gt", ">"),
    t.GtE: ("ge", ">="),
    t.Eq: ("eq", "=="),
    t.NotEq: ("ne", "!="),
    t.Is: ("is_", "is"),
    t.IsNot: ("is_not", "is not"),
    t.In: ("in_", "in"),
    t.NotIn: ("not_in", "not in"),
}


def compare(node: Node, rewriter: Rewriter) -> Node:
    """The rule for comparisons."""
    left = rewriter.expression(node.left)
    second, *others = node.comparators
    right = rewriter.expression(second)
    if not others:
        return emit.operator(OPERATORS[type(node.ops[0])][0], left, right, at=node)
    arguments = [left, _sign(node.ops[0], node), right]
    for sign, operand in zip(node.ops[1:], others, strict=True):
        arguments.extend([_sign(sign, operand), rewriter.thunk(operand)])
    return emit.operator("compare_chain", *arguments, at=node)


def _sign(operator: Node, at: Node) -> Node:
    return t.constant(OPERATORS[type(operator)][1], at)
