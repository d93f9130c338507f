"""Calls.

Before:
    f(a, *b, **d)
    f(a, k=c, **d)

After:
    ag__.call(f, a, *ag__.iterate(b), **ag__.mapping(d))
    ag__.call_named(f, [a], ("k", c), (ag__.mapping(d),))

So an argument that is given twice is told by the name of `f`. Calls that other passes made stay:
those of operators, and of functions they hoisted.
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def call(node: Node, rewriter: Rewriter) -> Node:
    """The rule for calls."""
    context = rewriter.context
    if emit.is_operator_call(node):
        node.args = [rewriter.expression(each) for each in node.args]
        return node
    direct = isinstance(node.func, t.Name) and (
        node.func.id in context.comprehensions or node.func.id in context.makers
    )
    at = node
    starred = any(isinstance(each, t.Starred) for each in node.args)
    if isinstance(node.func, t.Attribute) and not starred:
        at = emit.position_of_member(node.func, node)
    function = node.func if direct else rewriter.expression(node.func)
    arguments = [rewriter.expression(each) for each in node.args]
    for keyword in node.keywords:
        keyword.value = rewriter.expression(keyword.value)
        if keyword.arg is None:
            keyword.value = emit.operator("mapping", keyword.value, at=keyword.value)
    if direct:
        node.args = arguments
        return node
    if len(node.keywords) > 1 and any(keyword.arg is None for keyword in node.keywords):
        given = t.copy_location(t.List(arguments, t.Load()), at)
        called = t.Call(
            emit.constant("call_named", at), [function, given, *map(_part, node.keywords)], []
        )
    else:
        called = t.Call(emit.constant("call", at), [function, *arguments], node.keywords)
    return t.copy_location(called, at)


def _part(keyword: Node) -> Node:
    """`(name, value)`, or `(pairs,)`."""
    name = [] if keyword.arg is None else [t.constant(keyword.arg, keyword.value)]
    return t.copy_location(t.Tuple([*name, keyword.value], t.Load()), keyword.value)
