"""Whether the specs that a graph states for its values are those that its ops give."""

from __future__ import annotations

from autograph.runtime.graph.ir import Graph, Node
from autograph.runtime.graph.notation import GraphTextError, specs_text
from autograph.runtime.graph.trace import dynamic_operands
from autograph.runtime.graph.verify import compatible

_BY_WORD = ("raise_", "host_call")
"""Ops whose results are what their attribute says."""


def check_specs(graph: Graph) -> None:
    """GraphTextError where a value is stated to be of another spec than its op gives.

    A program reads memory by the specs, so that those of a graph from elsewhere are not believed
    against what is known. Of a symbol it is not known here which size it stands for: what came
    before, as in a gradient, may have told.
    """
    waiting, seen = [graph], {graph}
    while waiting:
        one = waiting.pop()
        for node in one.nodes:
            if node.op.name not in _BY_WORD:
                _check_results(node)
            fresh = [inner for inner in node.graphs if inner not in seen]
            seen.update(fresh)
            waiting += fresh


def _check_results(node: Node) -> None:
    own = node.inputs[: len(node.inputs) - len(dynamic_operands(node.attributes))]
    found = node.op.infer(*(value.spec for value in own), **node.attributes)
    given = list(found) if isinstance(found, tuple) else [found]
    stated = [value.spec for value in node.outputs]
    if len(given) != len(stated) or not all(map(compatible, given, stated)):
        raise GraphTextError(
            f"{node.op.name} gives {specs_text(given)}, and the text says {specs_text(stated)}"
        )
