"""Which values of one graph were computed from one another."""

from __future__ import annotations

from autograph.runtime.graph.ir import Node, Value


def depends(value: Value, other: Value) -> bool:
    """Whether a value of a graph was computed from another that was computed in it."""
    if not isinstance(other.node, Node):
        return False
    pending, seen = [value], {value}
    while pending:
        one = pending.pop()
        if one.node is other.node:
            return True
        if isinstance(one.node, Node):
            pending += [before for before in one.node.inputs if before not in seen]
            seen.update(one.node.inputs)
    return False
