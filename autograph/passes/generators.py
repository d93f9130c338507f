"""Generator expressions stay, with converted insides.

Before:
    all(x > 0 for x in xs if x)

After:
    ag__.call(all, (ag__.gt(x, 0) for x in ag__.iterate(xs) if ag__.truth(x)))

One that needs a function definition inside has become a generator function by then (`rewriting`);
its loops and conditions are treated the same way.
"""

from __future__ import annotations

from autograph.passes import emit
from autograph.passes.rewriting import Rewriter
from autograph.syntax import tree as t
from autograph.syntax.tree import Node


def generator(node: Node, rewriter: Rewriter) -> Node:
    """The rule for generator expressions."""
    for each in node.generators:
        each.iter = _iterate(each.iter)
        each.ifs = [_truth(test) for test in each.ifs]
    return rewriter.generator_expression(node)


def loop(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for `for`, which is left only in generator functions made of expressions."""
    given = isinstance(node.iter, t.Name) and node.iter.id in rewriter.context.names.given
    node.iter = node.iter if given else rewriter.expression(_iterate(node.iter))
    node.body = rewriter.block(node.body)
    return [node]


def condition(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for `if`, which is left only in generator functions made of expressions."""
    node.test = rewriter.expression(_truth(node.test))
    node.body = rewriter.block(node.body)
    return [node]


def _iterate(node: Node) -> Node:
    return emit.operator("iterate", node, at=node)


def _truth(node: Node) -> Node:
    return emit.operator("truth", node, at=node)
