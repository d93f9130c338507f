"""Attributes and items, read.

Before:
    model.weights[i, 1:n]

After:
    ag__.item(ag__.attr(model, 'weights'), (i, ag__.slice(1, n, None)))
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def attribute(node: Node, rewriter: Rewriter) -> Node:
    """The rule for attributes; those of the operators themselves stay."""
    if isinstance(node.value, t.Name) and node.value.id == emit.OPERATORS:
        return node
    value = rewriter.expression(node.value)
    at = emit.position_of_member(node, node)
    return emit.operator("attr", value, t.constant(node.attr, at), at=at)


def item(node: Node, rewriter: Rewriter) -> Node:
    """The rule for items."""
    value = rewriter.expression(node.value)
    return emit.operator("item", value, index(node.slice, rewriter), at=node)


def index(node: Node, rewriter: Rewriter) -> Node:
    """What stands between the brackets of an item, as an expression."""
    if isinstance(node, t.Tuple):
        node.elts = [index(each, rewriter) for each in node.elts]
        return node
    if not isinstance(node, t.Slice):
        return rewriter.expression(node)
    bounds = [
        t.constant(None, node) if bound is None else rewriter.expression(bound)
        for bound in (node.lower, node.upper, node.step)
    ]
    return emit.operator("slice", *bounds, at=node)
