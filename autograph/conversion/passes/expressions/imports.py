"""Imports inside a function: what they bind is read by each call.

Before:
    import settings
    from settings import RATE as rate

After:
    import settings
    settings = ag__.imported_module('settings', settings)
    from settings import RATE as rate
    rate = ag__.imported('settings', 'RATE', rate)
"""

from __future__ import annotations

import sys

from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def import_from(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for `from module import name`."""
    result: list[Node] = [node]
    if node.module == "__future__":
        return result
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name != "*":
            name = alias.asname or alias.name
            given = [t.constant(module, node), t.constant(alias.name, node)]
            given.append(t.name_load(name, node))
            if node.level:
                given.append(t.name_load("__package__", node))
            result.append(emit.assign(name, emit.operator("imported", *given, at=node), node))
    return result


def import_module(node: Node, rewriter: Rewriter) -> list[Node]:
    """The rule for `import module`; those of the standard library are not replaced."""
    result: list[Node] = [node]
    for alias in node.names:
        top = alias.name.split(".")[0]
        if top not in sys.stdlib_module_names:
            name = alias.asname or top
            module = t.constant(alias.name if alias.asname else top, node)
            read = emit.operator("imported_module", module, t.name_load(name, node), at=node)
            result.append(emit.assign(name, read, node))
    return result
