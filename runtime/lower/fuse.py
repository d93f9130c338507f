"""Rewrites before the lowering, into ops that only programs have.

`a + x @ y` becomes one product that adds to `a`, and a chain of `index_add` that fills a tensor of
zeros part by part becomes a `concat`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.record import NOT_DIFFERENTIABLE, DynamicInt, Library, Op
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.ops.indexing.entries import Slice
from autograph.runtime.ops.table import RECORDS
from autograph.runtime.optimizer.rewriting import all_graphs, constant_of, replace

MATMUL_ADD = Op(
    name="matmul_add",
    summary="a + x @ y, for a of the shape and dtype of the product.",
    infer=lambda a, x, y: a,
    reference=lambda a, x, y: a + np.matmul(x, y),
    gradient=NOT_DIFFERENTIABLE,
    lowering=Library("matmul_add"),
)


def fuse(graph: Graph) -> None:
    """Rewrite a graph and its sub-graphs in place."""
    for one in all_graphs(graph):
        _join_parts(one)
        _add_products(one)


def _uses(graph: Graph) -> dict[Value, list[Node]]:
    found: dict[Value, list[Node]] = {}
    for node in graph.nodes:
        for value in node.inputs:
            found.setdefault(value, []).append(node)
    return found


# products that add --------------------------------------------------------------------------------
def _add_products(graph: Graph) -> None:
    uses, outputs = _uses(graph), set(graph.outputs)
    gone: set[Node] = set()
    for node in graph.nodes:
        if node.op.name != "add":
            continue
        for one, other in (node.inputs, node.inputs[::-1]):
            product = other.node
            if (
                product is None
                or product in gone
                or not _is_float_product(product)
                or _is_of_rows(product)
                or uses[other] != [node]
                or other in outputs
                or not _fit(one, other, node.outputs[0])
            ):
                continue
            node.op = MATMUL_ADD
            node.inputs = [one, *product.inputs]
            gone.add(product)
            break
    graph.nodes = [node for node in graph.nodes if node not in gone]


def _fit(one: Value, other: Value, result: Value) -> bool:
    """Whether neither broadcasts: sizes are equal, or symbols, which never stand for 1."""
    specs = (one.spec, other.spec, result.spec)
    if not all(isinstance(spec, Spec) and spec.dtype == specs[0].dtype for spec in specs):  # type: ignore[union-attr]
        return False
    shapes = [spec.shape for spec in specs if isinstance(spec, Spec)]
    if len({len(shape) for shape in shapes}) != 1 or specs[0].python:  # type: ignore[union-attr]
        return False
    for dims in zip(*shapes, strict=True):
        known = {dim for dim in dims if isinstance(dim, int)}
        if len(known) > 1 or (1 in known and len(set(dims)) > 1):
            return False
    return True


def _is_of_rows(product: Node) -> bool:
    """Whether it looks like `x[t] @ w`: in a loop that is computed ahead, see `turns`."""
    for one, other in (product.inputs, product.inputs[::-1]):
        index = one.node
        if index is not None and index.op.name == "index" and other.node is None:
            changes = any(isinstance(entry, DynamicInt) for entry in index.attributes["index"])
            if changes and index.inputs[0].node is None:
                return True
    return False


def _is_float_product(node: Node) -> bool:
    spec = node.outputs[0].spec
    return (
        node.op.name == "matmul"
        and isinstance(spec, Spec)
        and spec.dtype.kind == "f"
        and bool(spec.shape)
    )


# parts of a tensor --------------------------------------------------------------------------------
def _join_parts(graph: Graph) -> None:
    uses, outputs = _uses(graph), set(graph.outputs)
    for node in list(graph.nodes):
        last = node.outputs[0] if node.op.name == "index_add" else None
        if last is None or _continues(uses.get(last, []), last):
            continue
        parts = _parts(last, uses, outputs)
        if parts is None:
            continue
        axis, values = parts
        attributes = {"axis": axis}
        made = Node(RECORDS["concat"], values, attributes, node.location)
        made.outputs = [Value(last.spec, graph, made, last.name)]
        graph.nodes[graph.nodes.index(node)] = made
        replace(graph, {last: made.outputs[0]})
        uses = _uses(graph)
    _sweep_unused(graph)


def _continues(users: list[Node], value: Value) -> bool:
    """Whether the chain goes on with another part."""
    return len(users) == 1 and users[0].op.name == "index_add" and users[0].inputs[0] is value


def _parts(
    last: Value, uses: dict[Value, list[Node]], outputs: set[Value]
) -> tuple[int, list[Value]] | None:
    """The axis and the values, in order, of a chain that fills all of a tensor of zeros."""
    spec = last.spec
    assert isinstance(spec, Spec)
    found: list[tuple[int, int, int, Value]] = []
    value: Value = last
    while value.node is not None and value.node.op.name == "index_add":
        node = value.node
        if value is not last and (len(uses[value]) != 1 or value in outputs):
            return None
        place = _place(node, spec)
        if place is None or len(node.inputs) != 2:
            return None
        found.append((*place, node.inputs[1]))
        value = node.inputs[0]
    if len(found) < 2 or not _is_zeros(value) or len({axis for axis, *_ in found}) != 1:
        return None
    axis = found[0][0]
    found.sort(key=lambda part: part[1])
    end = 0
    for _, start, stop, part in found:
        shape = (*spec.shape[:axis], stop - start, *spec.shape[axis + 1 :])
        if start != end or part.spec != Spec(spec.dtype, shape):
            return None
        end = stop
    return (axis, [part for *_, part in found]) if end == spec.shape[axis] else None


def _place(node: Node, spec: Spec) -> tuple[int, int, int] | None:
    """The axis, start and stop of an index that takes all of every axis but one."""
    cut: list[tuple[int, int, int]] = []
    for axis, entry in enumerate(node.attributes["index"]):
        if not isinstance(entry, Slice):
            return None
        if entry.is_whole:
            continue
        size = spec.shape[axis]
        parts = (entry.start, entry.stop)
        if not isinstance(size, int) or entry.step not in (None, 1):
            return None
        if not all(one is None or type(one) is int for one in parts):
            return None
        start, stop, _ = entry.plain.indices(size)
        cut.append((axis, start, stop))
    return cut[0] if len(cut) == 1 else None


def _is_zeros(value: Value) -> bool:
    node = value.node
    if node is None:
        return False
    if node.op.name in ("broadcast_like", "broadcast_to", "full"):
        return _is_plain_zero(constant_of(node.inputs[0]))
    held: Any = node.attributes.get("value") if node.op.name == "constant" else None
    return isinstance(held, np.ndarray) and not held.any()


def _is_plain_zero(held: Any) -> bool:
    return held is not None and held == 0 and str(held)[0] != "-"


def _sweep_unused(graph: Graph) -> None:
    uses, outputs = _uses(graph), set(graph.outputs)
    for node in reversed(list(graph.nodes)):
        if node.op.name == "index_add" and not uses.get(node.outputs[0]):
            if node.outputs[0] not in outputs:
                graph.nodes.remove(node)
                uses = _uses(graph)
