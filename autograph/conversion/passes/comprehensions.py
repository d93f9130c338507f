"""Comprehensions become functions with loops, which are then converted like any others.

Before:
    ys = [f(x) for x in xs if x > 0]
    total = sum(f(x) for x in xs)

After:
    def ag__listcomp_1(ag__iterable_1):
        ag__list_1 = ag__.growing([])
        for x in ag__iterable_1:
            if x > 0:
                ag__list_1.append(f(x))
        return ag__.grown(ag__list_1)
    ys = ag__listcomp_1(xs)
    def ag__genexpr_1(ag__iterable_2):
        for x in ag__iterable_2:
            yield f(x)

    total = sum(ag__genexpr_1(ag__.iterator(xs)))

Python too makes a function of a comprehension, and gives it the first iterable, evaluated outside;
of a generator expression a generator function, and gives it the iterator.
"""

from __future__ import annotations

from autograph.conversion.analysis.scopes import walrus_names
from autograph.conversion.passes import emit
from autograph.conversion.passes.context import Context
from autograph.conversion.passes.inlining import both_forms
from autograph.conversion.passes.rewriting import Rewriter, loops
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def transform(tree: Node, context: Context) -> Node:
    """Turn comprehensions and generator expressions of the tree into local functions."""
    rules = {
        t.ListComp: _list,
        t.SetComp: _set,
        t.DictComp: _dict,
        t.GeneratorExp: _generator,
    }
    return Rewriter(context, rules, {}).root(tree)


def _list(node: Node, rewriter: Rewriter) -> Node:
    return _function(node, "list", rewriter)


def _set(node: Node, rewriter: Rewriter) -> Node:
    return _function(node, "set", rewriter)


def _dict(node: Node, rewriter: Rewriter) -> Node:
    return _function(node, "dict", rewriter)


def _function(node: Node, kind: str, rewriter: Rewriter) -> Node:
    words = (f"{kind}comp", "iterable", kind)
    name, parameter, result = rewriter.context.names.numbered(*words)
    first = node.generators[0]
    outer, first.iter = rewriter.expression(first.iter), t.name_load(parameter, first.iter)
    bound = sorted(set(walrus_names(node)))
    body = [
        emit.assign(result, emit.operator("growing", _empty(kind, node), at=node), node),
        *loops(node, _add(node, kind, result, rewriter.context)),
        emit.give(emit.operator("grown", t.name_load(result, node), at=node), node),
    ]
    function = emit.define(name, [parameter], body, node)
    # Comprehensions inside are rewritten now, since the function's scope is known only now.
    function.body[:0] = rewriter.declare_outer(bound, node)
    rewriter.function(function)
    rewriter.context.comprehensions.add(name)
    rewriter.hoist(function)
    return t.call(t.name_load(name, node), outer, at=node)


def _generator(node: Node, rewriter: Rewriter) -> Node:
    names = rewriter.context.names
    name, parameter = names.numbered("genexpr", "iterable")
    first = node.generators[0]
    outer, first.iter = rewriter.expression(first.iter), t.name_load(parameter, first.iter)
    bound = sorted(set(walrus_names(node)))
    item = emit.expression(t.copy_location(t.Yield(node.elt), node), node)
    body = [*rewriter.declare_outer(bound, node), *loops(node, [item])]
    function = emit.define(name, [parameter], body, node)
    for form in both_forms(function, rewriter.context):
        rewriter.function(form)
        rewriter.hoist(form)
    iterator = emit.operator("iterator", outer, at=outer)
    return t.call(t.name_load(name, node), iterator, at=node)


def _empty(kind: str, at: Node) -> Node:
    if kind == "list":
        return t.copy_location(t.List([], t.Load()), at)
    if kind == "dict":
        return t.copy_location(t.Dict([], []), at)
    # `{*()}`: the name `set` might mean something else here.
    nothing = t.copy_location(t.Tuple([], t.Load()), at)
    return t.copy_location(t.Set([t.copy_location(t.Starred(nothing, t.Load()), at)]), at)


def _add(node: Node, kind: str, result: str, context: Context) -> list[Node]:
    collection = t.name_load(result, node)
    if kind != "dict":
        method = t.attribute(collection, "append" if kind == "list" else "add", node.elt)
        return [emit.expression(t.call(method, node.elt, at=node.elt), node.elt)]
    # A variable for the key: an assignment to an item would evaluate the value first.
    (key,) = context.names.numbered("key")
    item = t.Subscript(collection, t.name_load(key, node.key), t.Store())
    return [
        emit.assign(key, node.key, node.key),
        emit.assign_to(t.copy_location(item, node.key), node.value, node.value),
    ]
