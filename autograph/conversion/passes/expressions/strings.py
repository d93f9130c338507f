"""f-strings.

Before:
    f"loss {loss:.{digits}f} of {name!r}"

After:
    ag__.joined('loss ', ag__.formatted(loss, -1, ag__.joined('.', ag__.formatted(digits, -1, ''),
        'f')), ' of ', ag__.formatted(name, 114, ''))
"""

from __future__ import annotations

from autograph.conversion.passes import emit
from autograph.conversion.passes.rewriting import Rewriter
from autograph.conversion.syntax import tree as t
from autograph.conversion.syntax.tree import Node


def joined(node: Node, rewriter: Rewriter) -> Node:
    """The rule for f-strings."""
    # The specs of Python 3.12 may end in an empty text, which says nothing.
    values = [one for one in node.values if not (isinstance(one, t.Constant) and one.value == "")]
    parts = [rewriter.expression(each) for each in values]
    return emit.operator("joined", *parts, at=node)


def formatted(node: Node, rewriter: Rewriter) -> Node:
    """The rule for the replaced fields of f-strings."""
    value = rewriter.expression(node.value)
    conversion = t.constant(node.conversion, node)
    return emit.operator("formatted", value, conversion, _spec(node, rewriter), at=node)


def _spec(node: Node, rewriter: Rewriter) -> Node:
    spec = node.format_spec
    if spec is None:
        return t.constant("", node)
    if all(isinstance(each, t.Constant) for each in spec.values):
        return t.constant("".join(each.value for each in spec.values), node)
    return rewriter.expression(spec)
