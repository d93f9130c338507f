"""`assert`.

Before:
    assert x > 0, f"x is {x}"

After:
    ag__.assert_stmt(x > 0, lambda: f"x is {x}")
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def assertion(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for `assert`."""
    test = rewriter.expression(node.test)
    message = t.constant(None, node) if node.msg is None else rewriter.thunk(node.msg)
    return [emit.expression(emit.operator("assert_stmt", test, message, at=node), node)]
