"""Lists, dicts and sets that are written out, and stars.

Before:
    [a, *b]
    {'k': v, **d}

After:
    ag__.new([a, *ag__.iterate(b)])
    ag__.new({'k': v, **ag__.mapping(d)})

So a container is known to be made here. Tuples cannot change, and stay.
"""

from __future__ import annotations

from autograph.passes import emit
from autograph.passes.rewriting import Rewriter
from autograph.syntax import tree as t
from autograph.syntax.tree import Node


def display(node: Node, rewriter: Rewriter) -> Node:
    """The rule for lists and sets."""
    node.elts = [rewriter.expression(each) for each in node.elts]
    return emit.operator("new", node, at=node)


def dictionary(node: Node, rewriter: Rewriter) -> Node:
    """The rule for dicts."""
    for place, key in enumerate(node.keys):
        node.keys[place] = rewriter.optional(key)  # None for `**d`
        node.values[place] = rewriter.expression(node.values[place])
        if key is None:
            value = node.values[place]
            node.values[place] = emit.operator("mapping", value, at=value)
    return emit.operator("new", node, at=node)


def starred(node: Node, rewriter: Rewriter) -> Node:
    """The rule for `*b` in displays and calls."""
    if not isinstance(node.value, t.Tuple):
        node.value = emit.operator("iterate", rewriter.expression(node.value), at=node.value)
    else:
        node.value = rewriter.expression(node.value)
    return node
