"""The graph: typed SSA. Values with specs, nodes in program order, sub-graphs as attributes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.location import Location, user_location
from autograph.runtime.core.record import Op
from autograph.runtime.core.spec import AnySpec

_names = itertools.count()


_REMEDIES = {
    "a NumPy array": "join tensors with ag.stack or ag.concat, or call it through ag.py_function",
    "hash()": "keep pairs in a list, or a tensor, instead of a set or a dict",
    "bool()": "choose with ag.where, ag.minimum or ag.maximum, or write the code that asks for its "
    "truth in Python, so that it is converted",
}
"""What to write instead, by what needs a number itself."""


class Value:
    """One value of a graph: the output of a node, or an input of the graph (`node` is None)."""

    __slots__ = ("graph", "name", "node", "spec")

    def __init__(self, spec: AnySpec, graph: Graph, node: Node | None, name: str = "") -> None:
        self.spec = spec
        self.graph = graph
        self.node = node
        self.name = name

    def not_concrete(self, what: str) -> Exception:
        """The error for a use that needs the number itself while tracing."""
        return StagedValueError(
            f"{what} needs the value of a staged {self.spec}, which is known only when the "
            "compiled function runs",
            location=user_location(),
            remedy=_REMEDIES.get(what, "compute it with ag ops, or call it through ag.py_function"),
        )

    def outlived(self, what: str) -> Exception:
        """The error for a use after the call in which it was computed."""
        return StagedValueError(
            f"{what} needs the value of a staged {self.spec} outside of the call that computes it",
            location=user_location(),
            remedy="return it from the staged function, or assign it to a Variable or an attribute",
        )

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise self.outlived("an op")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _refuse
    __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _refuse
    __matmul__ = __rmatmul__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __pos__ = __abs__ = __invert__ = _refuse
    __getitem__ = __array__ = _refuse

    def __repr__(self) -> str:
        return f"<value {self.name or hex(id(self))}: {self.spec}>"


class StagedValueError(StagingError, TypeError):
    """A use that needs the number itself of a value that is known only when the graph runs.

    It is the number of elements, the truth or the index of something, asked for by Python itself:
    by hashing it, by a slice, or by a function that is not converted.

        def f(n): return hash(int(n))       # f(t(2)): StagedValueError
        def f(n): return int(n)             # instead: the number itself
    """


class Node:
    """The use of an op: its inputs, attributes and outputs, and the user's line."""

    __slots__ = ("attributes", "holds_graphs", "inputs", "location", "op", "outputs")

    def __init__(
        self,
        op: Op,
        inputs: Sequence[Value],
        attributes: Mapping[str, Any],
        location: Location | None = None,
    ) -> None:
        self.op = op
        self.inputs = list(inputs)
        self.attributes = dict(attributes)
        self.outputs: list[Value] = []
        self.location = location
        self.holds_graphs = any(map(_is_or_holds_graph, self.attributes.values()))
        """Whether there are sub-graphs; asked first, since few nodes have any."""

    @property
    def graphs(self) -> Iterator[Graph]:
        """The sub-graphs among the attributes."""
        for attribute in self.attributes.values() if self.holds_graphs else ():
            if isinstance(attribute, Graph):
                yield attribute
            elif isinstance(attribute, tuple):
                yield from (one for one in attribute if isinstance(one, Graph))

    def __repr__(self) -> str:
        return f"<node {self.op.name}>"


def _is_or_holds_graph(attribute: Any) -> bool:
    if type(attribute) is tuple:
        return any(isinstance(one, Graph) for one in attribute)
    return isinstance(attribute, Graph)


class Graph:
    """Inputs, nodes in program order, and outputs. Its values belong to it alone: no captures."""

    __slots__ = ("inputs", "name", "nodes", "outputs", "saved")

    def __init__(self, name: str) -> None:
        self.name = name
        self.saved: dict[Any, Any] = {}
        """What a backward pass had this graph hand out: values of it -> where they are found."""
        self.inputs: list[Value] = []
        self.nodes: list[Node] = []
        self.outputs: list[Value] = []

    def add_input(self, spec: AnySpec, name: str = "") -> Value:
        """A new input, last."""
        value = Value(spec, self, None, name)
        self.inputs.append(value)
        return value

    def add_node(
        self,
        op: Op,
        inputs: Sequence[Value],
        attributes: Mapping[str, Any],
        specs: Sequence[AnySpec],
        location: Location | None = None,
    ) -> Node:
        """Append a node with an output for each of `specs`."""
        node = Node(op, inputs, attributes, location)
        node.outputs = [Value(spec, self, node) for spec in specs]
        self.nodes.append(node)
        return node
