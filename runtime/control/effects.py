"""What running a node can do, its sub-graphs included."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.dims import Dim, DimLike, may_be_zero, product
from autograph.runtime.core.record import DynamicInt, Effect
from autograph.runtime.core.spec import normalized_axes
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node

_ORDER = (Effect.PURE, Effect.MAY_RAISE, Effect.CALLS_BACK)


def node_effect(node: Node) -> Effect:
    """The strongest effect of the node's op and of all that its sub-graphs do."""
    return _node_effect(node, set())


def graph_effect(graph: Graph) -> Effect:
    """The strongest effect of the nodes of a graph."""
    return _graph_effect(graph, set())


def may_be_empty(node: Node) -> bool:
    """Whether a reduction may go over no element, as its sizes are known only at run time."""
    shape: Any = node.inputs[0].spec.shape  # type: ignore[union-attr]
    axes = normalized_axes(node.attributes.get("axis"), len(shape))
    return any(isinstance(shape[axis], Dim) and may_be_zero(shape[axis]) for axis in axes)


def _own_effect(node: Node) -> Effect:
    """The effect of an op; one whose sizes may turn out not to fit may raise."""
    name = node.op.name
    if name == "while_loop" and not _has_one_turn(node):
        return Effect.MAY_RAISE
    if name == "to_tensor" and _holds_any(node):
        return Effect.PURE
    if name in _EXTREMES and may_be_empty(node):
        return Effect.MAY_RAISE
    if name == "matmul" and _inner(node, 0) != _inner(node, 1):
        return Effect.MAY_RAISE
    if name in ("stack", "concat") and not _alike(node):
        return Effect.MAY_RAISE
    if name in _COUNTED and _has_staged_count(node):
        return Effect.MAY_RAISE
    if name in ("reshape", "broadcast_to") and (_has_staged_count(node) or not _fits(node)):
        return Effect.MAY_RAISE
    return node.op.effect


def _has_one_turn(loop: Node) -> bool:
    """Whether a loop is known to end. Of any other it is not asked: one that never ends is an
    effect, since the user may interrupt it, and loops that count may raise OverflowError."""
    go = loop.attributes["step"].outputs[0].node
    return go is not None and go.op is CONSTANT and not go.attributes["value"]


def _holds_any(node: Node) -> bool:
    """Whether the dtype of a tensor holds every value that the number may have."""
    given: Any = node.inputs[0].spec
    wanted = node.attributes["dtype"]
    if given.dtype.kind == "i":  # staged ints have 64 bits
        return wanted.kind in "fc" or wanted == given.dtype
    return wanted.kind in {"b": "biufc", "f": "fc", "c": "c"}[given.dtype.kind]


_EXTREMES = ("max", "min", "argmax", "argmin")
_COUNTED = ("repeat", "tile", "full", "eye", "one_hot", "random_unit")
"""Ops whose results have as many elements as a number says, which must not be negative."""
_SIZES = ("dimension", "size_of", "list_length")


def _has_staged_count(node: Node) -> bool:
    """Whether a number of the run, which may be negative, is an attribute."""
    counts = node.attributes.values()
    parts = [one for each in counts for one in (each if isinstance(each, tuple) else (each,))]
    staged = [node.inputs[one.operand].node for one in parts if isinstance(one, DynamicInt)]
    return any(made is None or made.op.name not in _SIZES for made in staged)


def _fits(node: Node) -> bool:
    """Whether a tensor is known to have the shape that it gets."""
    before: Any = node.inputs[0].spec.shape  # type: ignore[union-attr]
    after: Any = node.outputs[0].spec.shape  # type: ignore[union-attr]
    if node.op.name == "reshape":
        return product(before) == product(after)
    pairs = zip(reversed(before), reversed(after), strict=False)
    return all(one == other or one == 1 for one, other in pairs)


def _inner(node: Node, place: int) -> DimLike:
    shape: Any = node.inputs[place].spec.shape  # type: ignore[union-attr]
    size: DimLike = shape[-2 if place and len(shape) > 1 else -1]
    return size


def _alike(node: Node) -> bool:
    """Whether all parts have the same sizes, but for the axis along which they are joined."""
    shapes: list[Any] = [list(one.spec.shape) for one in node.inputs]  # type: ignore[union-attr]
    if node.op.name == "concat":
        axis = node.attributes.get("axis", 0)
        for shape in shapes:
            if axis is not None:
                shape[axis] = 0
    return all(shape == shapes[0] for shape in shapes)


def _node_effect(node: Node, seen: set[int]) -> Effect:
    own = _own_effect(node)
    if not node.holds_graphs:
        return own
    return _strongest([own, *(_graph_effect(inner, seen) for inner in node.graphs)])


def _graph_effect(graph: Graph, seen: set[int]) -> Effect:
    if id(graph) in seen:
        return Effect.PURE  # counted where it was met first
    seen.add(id(graph))
    return _strongest([_node_effect(node, seen) for node in graph.nodes])


def _strongest(effects: list[Effect]) -> Effect:
    return max(effects, key=_ORDER.index, default=Effect.PURE)
