"""Two graphs are the same but for names and lines; anything else tells them apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.location import Location
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Graph, Node
from autograph.runtime.graph.same import same_graph
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.indexing.entries import Slice
from autograph.runtime.ops.table import OPS, RECORDS
from tests.harness import graph_programs
from tests.harness.graph_programs import EXAMPLES, F64, Example, graph_of


def small() -> Graph:
    """A graph with two inputs of one spec, shared and unshared uses, and attributes."""

    def body(trace: Trace, x: Any, y: Any) -> Any:
        total = OPS.subtract(x, y)
        part = OPS.apply("index", (total,), {"index": (Slice(1, None),)})
        return OPS.sum(part, axis=(0,)), total

    spec = Spec(dtypes.float64, (3, Dim.symbol("n")))
    return graph_of("small", {"x": spec, "y": spec}, body)


def node_of(graph: Graph, name: str) -> Node:
    return next(node for node in graph.nodes if node.op.name == name)


def swapped_operands(graph: Graph) -> None:
    node_of(graph, "subtract").inputs.reverse()


def another_operand(graph: Graph) -> None:
    node_of(graph, "subtract").inputs[1] = graph.inputs[0]


def another_op(graph: Graph) -> None:
    node_of(graph, "subtract").op = RECORDS["add"]


def another_slice(graph: Graph) -> None:
    node_of(graph, "index").attributes["index"] = (Slice(1, None, 2),)


def an_int_for_a_bool(graph: Graph) -> None:
    node_of(graph, "sum").attributes["keepdims"] = 0


def one_attribute_more(graph: Graph) -> None:
    node_of(graph, "subtract").attributes["axis"] = None


def another_symbol(graph: Graph) -> None:
    graph.inputs[0].spec = Spec(dtypes.float64, (3, Dim.symbol("m")))


def another_dtype_of_a_result(graph: Graph) -> None:
    node_of(graph, "sum").outputs[0].spec = Spec(dtypes.float32)


def results_in_another_order(graph: Graph) -> None:
    graph.outputs.reverse()


def one_result_less(graph: Graph) -> None:
    graph.outputs.pop()


def one_input_more(graph: Graph) -> None:
    graph.add_input(F64)


def one_node_more(graph: Graph) -> None:
    graph.add_node(RECORDS["exp"], [graph.inputs[0]], {}, [graph.inputs[0].spec])


@pytest.mark.parametrize(
    "change",
    [
        swapped_operands,
        another_operand,
        another_op,
        another_slice,
        an_int_for_a_bool,
        one_attribute_more,
        another_symbol,
        another_dtype_of_a_result,
        results_in_another_order,
        one_result_less,
        one_input_more,
        one_node_more,
    ],
)
def test_a_difference_is_seen(change: Callable[[Graph], None]) -> None:
    one, other = small(), small()
    assert same_graph(one, other) and same_graph(other, one)
    change(other)
    assert not same_graph(one, other) and not same_graph(other, one)


def test_names_and_lines_do_not_count() -> None:
    one, other = small(), small()
    other.name = other.inputs[0].name = "another"
    other.nodes[0].location = Location("elsewhere.py", 1, "f")
    assert same_graph(one, other)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.__name__)
def test_a_graph_is_itself_and_no_other(example: Example) -> None:
    graph, _ = example()
    assert same_graph(graph, graph)
    assert [one for one in EXAMPLES if same_graph(graph, one()[0])] == (
        [example] if not _has_fresh_symbols(graph) else []
    )


def _has_fresh_symbols(graph: Graph) -> bool:
    return graph.name in ("attributes", "branches", "loops", "sizes", "lists")


def test_a_difference_deep_inside_is_seen() -> None:
    one, other = graph_programs.deep()[0], graph_programs.deep()[0]
    assert same_graph(one, other)
    inner = other
    while len(inner.nodes) > 1:
        inner = inner.nodes[-1].attributes["branches"][1]
    inner.outputs = [inner.add_input(inner.inputs[0].spec)]
    assert not same_graph(one, other)


def test_shared_graphs_are_shared_in_both() -> None:
    one, other = graph_programs.shared()[0], graph_programs.shared()[0]
    assert same_graph(one, other)
    twin = graph_programs.shared()[0].nodes[-1].attributes["branches"][0]
    branch = other.nodes[-1].attributes["branches"][0]
    assert same_graph(twin, branch)
    other.nodes[-1].attributes["branches"] = (branch, twin)
    assert not same_graph(one, other) and not same_graph(other, one)


def test_recursion_ends_where_it_began() -> None:
    one, other = graph_programs.itself()[0], graph_programs.itself()[0]
    assert same_graph(one, other)
    branch = other.nodes[-1].attributes["branches"][0]
    node_of(branch, "call").attributes["function"] = one
    assert not same_graph(one, other) and not same_graph(other, one)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (0.0, -0.0, False),
        (1, 1.0, False),
        (True, 1, False),
        (float("nan"), float("nan"), True),
        (np.array([0.0]), np.array([-0.0]), False),
        (np.array([0.0, np.nan]), np.array([0.0, -np.nan]), True),
        (np.array([1, 2]), np.array([1, 2]), True),
        (np.array([1, 2]), np.array([1, 2], np.int32), False),
        (np.array([1, 2]), np.array([[1, 2]]), False),
        (np.array([1, 2]), np.array([1, 3]), False),
    ],
)
def test_constants_are_compared_as_values_of_programs(one: Any, other: Any, same: bool) -> None:
    graphs = []
    for value in (one, other):
        graph = Graph("constant")
        graph.add_node(RECORDS["constant"], (), {"value": value}, [F64])
        graphs.append(graph)
    assert same_graph(*graphs) is same
