"""`from module import name` inside a function: the name is read of the module by each call.

Before:
    from settings import RATE as rate

After:
    from settings import RATE as rate
    rate = ag__.imported('settings', 'RATE', rate)
"""

from __future__ import annotations

from autograph.passes import emit
from autograph.passes.rewriting import Rewriter
from autograph.syntax import tree as t
from autograph.syntax.tree import Node


def import_from(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for `from module import name`; a relative one stays as it is."""
    result: list[Node] = [node]
    if node.level or node.module in (None, "__future__"):
        return result
    for alias in node.names:
        if alias.name != "*":
            name = alias.asname or alias.name
            given = (t.constant(node.module, node), t.constant(alias.name, node))
            read = emit.operator("imported", *given, t.name_load(name, node), at=node)
            result.append(emit.assign(name, read, node))
    return result
