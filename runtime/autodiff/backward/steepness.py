"""Which gradients may meet an infinite factor on their way back: asked before lists get masks.

Masks of lists cost a list beside each list of gradients. They are made where an op whose slope may
be infinite lies between a source and the list, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograph.runtime.autodiff.backward.activity import differentiable
from autograph.runtime.autodiff.control.region import Region
from autograph.runtime.core.state import STATE
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import Trace

STEEP = frozenset(
    {"acos", "acosh", "asin", "atan2", "atanh", "cosh", "divide", "exp", "expm1", "hypot", "log"}
    | {"log10", "log1p", "log2", "logaddexp", "power", "reciprocal", "remainder", "sinh", "sqrt"}
    | {"tan"}
)
"""Elementwise ops whose slopes may be infinite at finite numbers. Those of the others are infinite
only where the numbers are."""
FOLDING = frozenset({"logsumexp", "prod", "std", "var"})
"""Reductions whose factors may be infinite."""
GIVEN = frozenset({"custom_gradient", "host_call"})
"""Ops whose gradients are the user's: they may be anything."""
_ANY = STEEP | FOLDING | GIVEN


class Steepness:
    """What was found out for the values of one backward pass."""

    def __init__(self) -> None:
        self._gentle: set[Value] = set()
        self._inside: dict[Graph, bool] = {}

    def of(self, value: Value) -> bool:
        """Whether the gradient of `value` may meet an infinite factor on its way to a source."""
        seen: set[Value] = set()
        pending = [value]
        while pending:
            one = pending.pop()
            if one in seen or one in self._gentle or not differentiable(one.spec):
                continue
            seen.add(one)
            made = self._before(one)
            if made is None:
                return True
            pending += made
        self._gentle |= seen
        return False

    def inside(self, graph: Graph) -> bool:
        """Whether a graph, or one that it runs, has such an op."""
        known = self._inside.get(graph)
        if known is None:
            pending, seen, known = [graph], {graph}, False
            while pending and not known:
                for node in pending.pop().nodes:
                    known = known or _is_steep(node)
                    more = [one for one in node.graphs if one not in seen]
                    seen.update(more)
                    pending += more
            self._inside[graph] = known
        return known

    def in_node(self, node: Node) -> bool:
        """Whether a node is such an op, or runs one."""
        return _is_steep(node) or any(map(self.inside, node.graphs))

    def _before(self, value: Value) -> Iterable[Value] | None:
        """What a value was made of: None if by an op that may be steep, or by nobody knows what."""
        node = value.node
        if isinstance(node, Node):
            return None if self.in_node(node) else node.inputs
        trace = STATE.interpreter
        while isinstance(trace, Trace):
            if isinstance(trace, Region) and trace.forward is value.graph:
                outside = trace.given.get(value)
                if outside is not None and outside.graph is not trace.graph:
                    return (outside,)
                if trace.node is not None:
                    return None if self.inside(trace.forward) else trace.node.inputs
                break
            if trace.graph is value.graph:
                break
            trace = trace.parent
        return None if isinstance(trace, Trace) and trace.is_steep else ()


def _is_steep(node: Node) -> bool:
    return node.op.name in _ANY and any(differentiable(one.spec) for one in node.outputs)
