"""The view of converted code for people: expressions stay as they were written.

Before:
    while abs(x - guess * guess) > limit:
        guess = (guess + x / guess) / 2 if guess else model.start

After:
    def ag__test_1():
        return abs(x - guess * guess) > limit
    def ag__body_1():
        nonlocal guess
        guess = ag__.if_exp(guess, lambda: (guess + x / guess) / 2, lambda: model.start)
    ag__.while_stmt(ag__test_1, ag__body_1, None, ('guess',))

What runs has operators in the place of all of them (`expressions`): this pass takes the place of
that one for a tree that is only printed. Operators that are control flow, and those of reads of
perhaps unset variables, have no other spelling.
"""

from __future__ import annotations

from autograph.conversion.passes import unset
from autograph.conversion.passes.context import Context
from autograph.conversion.passes.expressions import choices
from autograph.conversion.passes.rewriting import ExpressionRule, Rewriter
from autograph.conversion.passes.statements import suspended
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node

EXPRESSIONS: dict[type, ExpressionRule] = {
    t.IfExp: choices.conditional,
    t.Name: unset.checked_read,
    t.YieldFrom: suspended.delegation,
}


def transform(tree: Node, context: Context) -> Node:
    """Rewrite what is control flow in the expressions of the function."""
    return Rewriter(context, EXPRESSIONS, {}).root(tree)
