"""Assignments: to attributes and items, by unpacking, to several targets.

Before:
    model.step = n
    a, *rest = f()
    x = y[i] = z
    a, b = b, a

After:
    ag__.set_attr(n, model, 'step')
    a, rest = ag__.unpack_star(f(), 1, 0)
    ag__t_1 = z
    x = ag__t_1
    ag__.set_item(ag__t_1, y, i)
    a, b = (b, a)

Python evaluates the value first, then the targets from left to right; so do the arguments.
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.expressions import members
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def assign(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for assignments."""
    value = rewriter.expression(node.value)
    if all(isinstance(target, t.Name) for target in node.targets):
        node.value = value
        return [node]
    if len(node.targets) == 1:
        return store(node.targets[0], value, rewriter, node)
    if isinstance(value, t.Constant):
        return [
            each
            for target in node.targets
            for each in store(target, t.copy_tree(value), rewriter, node)
        ]
    name = temporary(rewriter)
    result = [emit.assign(name, value, node)]
    for target in node.targets:
        result.extend(store(target, t.name_load(name, node), rewriter, node))
    return result


def temporary(rewriter: Rewriter) -> str:
    """The name of a new variable, used only by the statements of one rule."""
    (name,) = rewriter.context.names.numbered("t")
    return name


def store(target: Node, value: Node, rewriter: Rewriter, at: Node) -> list[Node]:
    """Statements that assign a rewritten value to a target."""
    if isinstance(target, t.Name):
        return [emit.assign_to(target, value, at)]
    if isinstance(target, t.Attribute):
        owner = rewriter.expression(target.value)
        name = t.constant(target.attr, target)
        return [emit.expression(emit.operator("set_attr", value, owner, name, at=at), at)]
    if isinstance(target, t.Subscript):
        owner = rewriter.expression(target.value)
        place = members.index(target.slice, rewriter)
        return [emit.expression(emit.operator("set_item", value, owner, place, at=at), at)]
    return _unpack(target, value, rewriter, at)


def _unpack(target: Node, value: Node, rewriter: Rewriter, at: Node) -> list[Node]:
    """Unpack into names; into variables of ours from the first other target on."""
    names: list[Node] = []
    later: list[tuple[Node, str]] = []
    for each in target.elts:
        inner = each.value if isinstance(each, t.Starred) else each
        if isinstance(inner, t.Name) and not later:
            names.append(inner)
        else:
            later.append((inner, temporary(rewriter)))
            names.append(t.name_store(later[-1][1], inner))
    result = []
    unpacked = _unpacked(target, value, at)
    if names:
        targets = t.copy_location(t.Tuple(names, t.Store()), target)
        result.append(emit.assign_to(targets, unpacked, at))
    else:
        result.append(emit.expression(unpacked, at))
    for inner, name in later:
        result.extend(store(inner, t.name_load(name, at), rewriter, at))
    return result


def _unpacked(target: Node, value: Node, at: Node) -> Node:
    count = len(target.elts)
    stars = [index for index, each in enumerate(target.elts) if isinstance(each, t.Starred)]
    if stars:
        sizes = [t.constant(stars[0], at), t.constant(count - stars[0] - 1, at)]
        return emit.operator("unpack_star", value, *sizes, at=at)
    if isinstance(value, t.Tuple) and len(value.elts) == count:
        if not any(isinstance(each, t.Starred) for each in value.elts):
            return value
    return emit.operator("unpack", value, t.constant(count, at), at=at)
