"""Arithmetic.

Before:
    -x + y * 2 - 60 * 60

After:
    ag__.sub(ag__.add(ag__.neg(x), ag__.mul(y, 2)), 60 * 60)

What only literals take part in stays.
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

BINARY = {
    t.Add: "add",
    t.Sub: "sub",
    t.Mult: "mul",
    t.Div: "truediv",
    t.FloorDiv: "floordiv",
    t.Mod: "mod",
    t.Pow: "pow",
    t.MatMult: "matmul",
    t.LShift: "lshift",
    t.RShift: "rshift",
    t.BitAnd: "and_bits",
    t.BitOr: "or_bits",
    t.BitXor: "xor_bits",
}
UNARY = {t.USub: "neg", t.UAdd: "pos", t.Invert: "invert", t.Not: "not_"}


def binary(node: Node, rewriter: Rewriter) -> Node:
    """The rule for binary operators. Long chains lean to the left: they are walked in a loop."""
    chain = [node]
    while isinstance(chain[-1].left, t.BinOp):
        chain.append(chain[-1].left)
    left = chain[-1].left
    literal = _is_literal(left)
    left = rewriter.expression(left)
    for operation in reversed(chain):
        literal = literal and _is_literal(operation.right)
        right = rewriter.expression(operation.right)
        if literal:
            operation.left, operation.right = left, right
            left = operation
        else:
            left = emit.operator(BINARY[type(operation.op)], left, right, at=operation)
    return left


def unary(node: Node, rewriter: Rewriter) -> Node:
    """The rule for unary operators."""
    if isinstance(node.operand, t.Constant):
        return node
    return emit.operator(UNARY[type(node.op)], rewriter.expression(node.operand), at=node)


def _is_literal(node: Node) -> bool:
    if isinstance(node, t.UnaryOp):
        return isinstance(node.operand, t.Constant)
    return isinstance(node, t.Constant)
