"""Lists, dicts and sets that are written out, and stars.

Before:
    [a, *b]
    (a, *b)
    {'k': v, **d}
    {k: v}, {k}
    {*b, k}

After:
    ag__.new([a, *ag__.iterate(b)])
    ag__.new_tuple([a, *ag__.iterate(b)])
    ag__.new({ag__.key('k'): v, **ag__.mapping(d)})
    ag__.new({ag__.key(k): v}), ag__.new({ag__.key(k)})
    ag__.new_set([*ag__.iterate(b), k])

So a container is known to be made here, and a key that is staged is not hashed. Tuples cannot
change, and stay where they have no stars.
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def display(node: Node, rewriter: Rewriter) -> Node:
    """The rule for lists and sets."""
    node.elts = [rewriter.expression(each) for each in node.elts]
    if isinstance(node, t.Set) and any(isinstance(each, t.Starred) for each in node.elts):
        items = t.copy_location(t.List(node.elts, t.Load()), node)
        return emit.operator("new_set", items, at=node)
    if isinstance(node, t.Set) and not all(isinstance(each, t.Constant) for each in node.elts):
        node.elts = [emit.operator("key", each, at=each) for each in node.elts]
    return emit.operator("new", node, at=node)


def dictionary(node: Node, rewriter: Rewriter) -> Node:
    """The rule for dicts."""
    plain = all(isinstance(key, t.Constant) for key in node.keys)
    for place, key in enumerate(node.keys):
        made = rewriter.optional(key)  # None for `**d`
        node.keys[place] = made
        if made is not None and not plain:
            node.keys[place] = emit.operator("key", made, at=made)
        node.values[place] = rewriter.expression(node.values[place])
        if key is None:
            value = node.values[place]
            node.values[place] = emit.operator("mapping", value, at=value)
    return emit.operator("new", node, at=node)


def tuple_(node: Node, rewriter: Rewriter) -> Node:
    """The rule for tuples: those with stars."""
    node.elts = [rewriter.expression(each) for each in node.elts]
    if not isinstance(node.ctx, t.Load) or not any(isinstance(one, t.Starred) for one in node.elts):
        return node
    items = t.copy_location(t.List(node.elts, t.Load()), node)
    return emit.operator("new_tuple", items, at=node)


def starred(node: Node, rewriter: Rewriter) -> Node:
    """The rule for `*b` in displays and calls."""
    if not isinstance(node.value, t.Tuple):
        node.value = emit.operator("iterate", rewriter.expression(node.value), at=node.value)
    else:
        node.value = rewriter.expression(node.value)
    return node
