"""`del`.

Before:
    del x, model.cache, table[key]

After:
    del x
    ag__.del_attr(model, 'cache')
    ag__.del_item(table, key)
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.expressions import members
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.passes.unset import load
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def delete(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for `del`."""
    result: list[Node] = []
    for target in node.targets:
        result.extend(_delete(target, rewriter, node))
    return result


def _delete(target: Node, rewriter: Rewriter, at: Node) -> list[Node]:
    if isinstance(target, (t.Tuple, t.List)):
        return [each for inner in target.elts for each in _delete(inner, rewriter, at)]
    if isinstance(target, t.Attribute):
        owner = rewriter.expression(target.value)
        name = t.constant(target.attr, target)
        return [emit.expression(emit.operator("del_attr", owner, name, at=at), at)]
    if isinstance(target, t.Subscript):
        owner = rewriter.expression(target.value)
        place = members.index(target.slice, rewriter)
        return [emit.expression(emit.operator("del_item", owner, place, at=at), at)]
    result = [t.copy_location(t.Delete([target]), at)]
    if target in rewriter.context.unassigned:
        result.insert(0, emit.expression(load(target.id, target), at))
    return result
