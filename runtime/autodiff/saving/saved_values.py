"""What a backward graph has the forward graph save: as little as what it needs can be computed of.

While a region is made, it notes every value that its rules ask for. When it is complete, the cheap
ones among these are computed again where they are used, from what costs the least memory to save.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from autograph.runtime.autodiff.saving.cheap import COMPUTED_AGAIN
from autograph.runtime.autodiff.saving.cut import ENDLESS, smallest_cut
from autograph.runtime.core.spec import AnySpec, ListSpec
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node, Value

UNKNOWN_SIZE = 64
"""What counts for a size that is not known."""
LIST_BYTES = 1 << 20
"""And for a list."""


class Keeper(Protocol):
    """A backward trace: what it can say of values of the forward graph."""

    graph: Graph
    placeholders: dict[Value, Value]
    """What is to be saved: values of the forward graph, and what stands for them here."""
    recalled: dict[Value, Value]
    """The values of the forward graph that were asked for, here."""

    def comes_in(self, value: Value) -> bool:
        """Whether `value` is one that this graph is given from outside, or can be."""
        ...

    def costs_nothing(self, value: Value) -> bool:
        """Whether a value that comes in does so anyway."""
        ...

    def bring_in(self, value: Value) -> Value:
        """A value that comes in, in this graph."""
        ...


def settle(keeper: Keeper) -> None:
    """Decide what is saved, and compute the rest in the backward graph."""
    wanted = dict(keeper.placeholders)

    def inputs_of(value: Value) -> Collection[Value] | None:
        node = value.node
        if keeper.comes_in(value) or node is None:
            return None
        if node.op is not CONSTANT and node.op.name not in COMPUTED_AGAIN:
            return None
        inputs = dict.fromkeys(node.inputs)
        return [one for one in inputs if not (keeper.comes_in(one) and keeper.costs_nothing(one))]

    kept = smallest_cut(list(wanted), inputs_of, lambda value: _bytes(value.spec))
    saved = set(kept)
    dropped = [value for value in wanted if value not in saved]
    if not dropped:
        return
    keeper.placeholders.clear()
    for value in kept:
        if not keeper.comes_in(value):
            known = wanted.get(value)
            placeholder = Value(value.spec, keeper.graph, None, value.name)
            keeper.placeholders[value] = known or placeholder
    for value in dropped:
        keeper.recalled.pop(value, None)
    again = _Again(keeper)
    replaced = {wanted[value]: again.value(value) for value in dropped}
    put_in(keeper.graph, replaced)
    _place(keeper.graph, again.nodes)


def _bytes(spec: AnySpec) -> int:
    if isinstance(spec, ListSpec):
        return LIST_BYTES
    size: int = spec.dtype.itemsize
    for dim in spec.shape:
        size *= dim if isinstance(dim, int) else UNKNOWN_SIZE
    return min(size + 1, ENDLESS - 1)


class _Again:
    """Nodes that compute values of the forward graph in the backward graph."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self.nodes: list[Node] = []
        self.known: dict[Value, Value] = dict(keeper.placeholders)

    def value(self, value: Value) -> Value:
        known = self.known.get(value)
        if known is not None:
            return known
        if self.keeper.comes_in(value):
            self.known[value] = self.keeper.bring_in(value)
            return self.known[value]
        node = value.node
        assert node is not None
        inputs = [self.value(one) for one in node.inputs]
        made = Node(node.op, inputs, node.attributes, node.location)
        made.outputs = [Value(one.spec, self.keeper.graph, made) for one in node.outputs]
        self.nodes.append(made)
        self.known.update(zip(node.outputs, made.outputs, strict=True))
        return self.known[value]


def put_in(graph: Graph, replaced: Mapping[Value, Value]) -> None:
    """Have the nodes and outputs of `graph` use other values."""
    for node in graph.nodes:
        node.inputs = [replaced.get(value, value) for value in node.inputs]
    graph.outputs = [replaced.get(value, value) for value in graph.outputs]


def _place(graph: Graph, nodes: Sequence[Node]) -> None:
    """Put nodes, each after those it needs, where they are used first: nothing lives for longer."""
    waiting = {value: node for node in nodes for value in node.outputs}
    placed: list[Node] = []

    def place(value: Value) -> None:
        node = waiting.pop(value, None)
        if node is not None:
            for other in node.outputs:
                waiting.pop(other, None)
            for one in node.inputs:
                place(one)
            placed.append(node)

    for node in graph.nodes:
        for value in node.inputs:
            place(value)
        placed.append(node)
    for value in graph.outputs:
        place(value)
    graph.nodes = placed
