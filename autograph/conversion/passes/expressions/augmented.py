"""Augmented assignments.

Before:
    x += 1
    model.steps += 1
    f()[g()] *= 2

After:
    x = ag__.aug_add(x, 1)
    ag__.set_attr(ag__.aug_add(ag__.attr(model, 'steps'), 1), model, 'steps')
    ag__t_1 = f()
    ag__t_2 = g()
    ag__.set_item(ag__.aug_mul(ag__.item(ag__t_1, ag__t_2), 2), ag__t_1, ag__t_2)

The owner and the index are evaluated once. A variable needs no variable of ours for that, unless
evaluating the rest may assign it.
"""

from __future__ import annotations

from autograph.conversion.analysis.scopes import walrus_names
from autograph.conversion.passes import emit
from autograph.conversion.passes.expressions import members
from autograph.conversion.passes.expressions.assignments import temporary
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.passes.unset import load, load_outside
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

OPERATORS = {
    t.Add: "aug_add",
    t.Sub: "aug_sub",
    t.Mult: "aug_mul",
    t.Div: "aug_truediv",
    t.FloorDiv: "aug_floordiv",
    t.Mod: "aug_mod",
    t.Pow: "aug_pow",
    t.MatMult: "aug_matmul",
    t.LShift: "aug_lshift",
    t.RShift: "aug_rshift",
    t.BitAnd: "aug_and",
    t.BitOr: "aug_or",
    t.BitXor: "aug_xor",
}


def augmented(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for augmented assignments."""
    target = node.target
    operator = OPERATORS[type(node.op)]
    if isinstance(target, t.Name):
        old = t.name_load(target.id, target)
        if target in rewriter.context.unassigned:
            old = load(target.id, target)
        elif target in rewriter.context.unset_outside:
            old = load_outside(target.id, target, rewriter)
        value = emit.operator(operator, old, rewriter.expression(node.value), at=node)
        return [emit.assign_to(target, value, node)]
    assigned = set(walrus_names(node))
    result: list[Node] = []
    owner = _once(target.value, assigned, result, rewriter)
    if isinstance(target, t.Attribute):
        kind, place = "attr", t.constant(target.attr, target)
    else:
        kind, place = "item", _index_once(target.slice, assigned, result, rewriter)
    old = emit.operator(kind, owner, place, at=target)
    value = emit.operator(operator, old, rewriter.expression(node.value), at=node)
    copies = [t.copy_tree(owner), t.copy_tree(place)]
    stored = emit.operator(f"set_{kind}", value, *copies, at=node)
    return [*result, emit.expression(stored, node)]


def _index_once(node: Node, assigned: set[str], result: list[Node], rewriter: Rewriter) -> Node:
    if isinstance(node, t.Tuple) and not any(isinstance(each, t.Starred) for each in node.elts):
        if all(_stays(each, assigned, rewriter) for each in node.elts):
            return node
    if _stays(node, assigned, rewriter):
        return node
    name = temporary(rewriter)
    result.append(emit.assign(name, members.index(node, rewriter), node))
    return t.name_load(name, node)


def _once(node: Node, assigned: set[str], result: list[Node], rewriter: Rewriter) -> Node:
    """An expression that may stand twice: itself, or a variable that holds its value."""
    if _stays(node, assigned, rewriter):
        return node
    name = temporary(rewriter)
    result.append(emit.assign(name, rewriter.expression(node), node))
    return t.name_load(name, node)


def _stays(node: Node, assigned: set[str], rewriter: Rewriter) -> bool:
    """Whether a node gives the same value, without effects, whenever it is evaluated."""
    if isinstance(node, t.Constant):
        return True
    if not isinstance(node, t.Name) or node in rewriter.context.unassigned:
        return False
    scope = rewriter.scope
    own = scope.local_names - scope.rebound_within
    return node.id in own and node.id not in assigned
