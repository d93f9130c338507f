"""The verifier takes what tracing makes, and refuses a graph that breaks a rule: a test a rule."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.runtime.control.records import CALL, COND, WHILE_LOOP
from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import PYBOOL, PYFLOAT, PYINT, AnySpec, ListSpec, Spec
from autograph.runtime.graph.ir import Graph, Value
from autograph.runtime.graph.verify import GraphError, compatible, verify
from autograph.runtime.ops.table import RECORDS
from tests.harness.graph_programs import EXAMPLES, F64, Example

F32 = Spec(dtypes.float32)


def graph_with(*inputs: AnySpec) -> Graph:
    graph = Graph("broken")
    for spec in inputs:
        graph.add_input(spec)
    return graph


def passing(name: str, *inputs: AnySpec) -> Graph:
    """A graph that gives its inputs."""
    graph = graph_with(*inputs)
    graph.name = name
    graph.outputs = list(graph.inputs)
    return graph


def refused(graph: Graph, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        verify(graph)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.__name__)
def test_what_tracing_makes_is_well_formed(example: Example) -> None:
    verify(example()[0])


# values -------------------------------------------------------------------------------------------
def test_inputs_belong_to_the_graph() -> None:
    graph = graph_with(F64)
    graph.inputs.append(graph_with(F64).inputs[0])
    refused(graph, "input .* is foreign")


def test_inputs_are_not_results_of_nodes() -> None:
    graph = graph_with(F64)
    node = graph.add_node(RECORDS["exp"], graph.inputs, {}, [F64])
    graph.inputs.append(node.outputs[0])
    refused(graph, "input .* is foreign")


def test_definitions_come_before_uses() -> None:
    graph = graph_with(F64)
    first = graph.add_node(RECORDS["exp"], graph.inputs, {}, [F64])
    graph.add_node(RECORDS["sin"], first.outputs, {}, [F64])
    verify(graph)
    graph.nodes.reverse()
    refused(graph, "<node sin> uses .*, not defined before it")


def test_values_of_another_graph_are_operands_only_there() -> None:
    outer = graph_with(PYBOOL, F64)
    inner = passing("inner")
    inner.outputs = [outer.inputs[1]]
    outer.add_node(COND, [outer.inputs[0]], {"branches": (inner, inner)}, [F64])
    refused(outer, "graph inner: result .* is not defined")


def test_results_of_nodes_belong_to_them() -> None:
    graph = graph_with(F64)
    one = graph.add_node(RECORDS["exp"], graph.inputs, {}, [F64])
    other = graph.add_node(RECORDS["sin"], graph.inputs, {}, [F64])
    one.outputs, other.outputs = other.outputs, one.outputs
    refused(graph, "output .* of <node exp> is foreign")


def test_results_of_nodes_belong_to_the_graph() -> None:
    graph = graph_with(F64)
    node = graph.add_node(RECORDS["exp"], graph.inputs, {}, [F64])
    node.outputs = [Value(F64, Graph("another"), node)]
    refused(graph, "output .* of <node exp> is foreign")


def test_nothing_is_defined_twice() -> None:
    graph = graph_with(F64)
    graph.nodes.append(graph.add_node(RECORDS["exp"], graph.inputs, {}, [F64]))
    refused(graph, "is defined twice")


def test_results_are_defined() -> None:
    graph = graph_with(F64)
    graph.outputs = [graph_with(F64).inputs[0]]
    refused(graph, "result .* is not defined")


@pytest.mark.parametrize("numbers", [(0,), (2,), (1, 0)])
def test_integers_of_attributes_are_the_last_inputs(numbers: tuple[int, ...]) -> None:
    graph = graph_with(F64, PYINT)
    shape = tuple(map(DynamicInt, numbers))
    spec = Spec(dtypes.float64, tuple(Dim.fresh() for _ in numbers))
    node = graph.add_node(RECORDS["full"], graph.inputs, {"shape": shape}, [spec])
    if numbers == (1, 0):
        node.inputs.append(graph.inputs[1])
    refused(graph, "the integers in the attributes of <node full>")
    node.inputs, node.attributes["shape"] = list(graph.inputs), (DynamicInt(1),)
    verify(graph)


# cond ---------------------------------------------------------------------------------------------
def cond_of(index: AnySpec, branches: Any, operands: int = 1, result: AnySpec = F64) -> Graph:
    graph = graph_with(index, *[F64] * operands)
    graph.add_node(COND, graph.inputs, {"branches": branches}, [result])
    return graph


@pytest.mark.parametrize("index", [PYBOOL, PYINT, Spec(dtypes.bool_), Spec(dtypes.int32)])
def test_a_cond(index: AnySpec) -> None:
    verify(cond_of(index, (passing("one", F64),)))


def test_a_cond_has_branches() -> None:
    refused(cond_of(PYBOOL, ()), "cond without branches")


@pytest.mark.parametrize("index", [PYFLOAT, Spec(dtypes.int64, (1,)), ListSpec(F64)])
def test_the_index_of_a_cond_is_one_whole_number(index: AnySpec) -> None:
    refused(cond_of(index, (passing("one", F64),)), "cond index")


def test_a_cond_has_an_index() -> None:
    graph = graph_with()
    graph.add_node(COND, [], {"branches": (passing("one"),)}, [])
    refused(graph, "cond index is missing")


def test_branches_take_the_operands() -> None:
    branches = (passing("one", F64), passing("other", F64))
    refused(cond_of(PYBOOL, branches, operands=2), "cond operands: 2 values for 1")
    refused(cond_of(PYBOOL, (branches[0], passing("f32", F32))), "cond operands: f64.* for f32")


def test_branches_give_the_results() -> None:
    two = passing("two", F64)
    two.outputs *= 2
    refused(cond_of(PYBOOL, (passing("one", F64), two)), "cond results: 2 values for 1")
    refused(cond_of(PYBOOL, (passing("one", F64),), result=F32), "cond results: f64.* for f32")


def test_what_is_inside_is_verified_too() -> None:
    inner = passing("inner", F64)
    inner.outputs = [Graph("other").add_input(F64)]
    middle = cond_of(PYBOOL, (inner,))
    middle.outputs = middle.nodes[0].outputs
    graph = graph_with(PYBOOL, F64)
    graph.add_node(COND, [graph.inputs[0], *graph.inputs], {"branches": (middle,)}, [F64])
    refused(graph, "graph inner: result")


# while_loop ---------------------------------------------------------------------------------------
def loop_of(step: Graph, operands: list[AnySpec], carried: int, results: list[AnySpec]) -> Graph:
    graph = graph_with(*operands)
    attributes = {"step": step, "carried": carried}
    graph.add_node(WHILE_LOOP, graph.inputs, attributes, results)
    return graph


def step_of(go: AnySpec, state: list[AnySpec], invariants: list[AnySpec]) -> Graph:
    step = graph_with(*state, *invariants)
    answer = step.add_node(RECORDS["constant"], [], {"value": True}, [go]).outputs[0]
    step.outputs = [answer, *step.inputs[: len(state)]]
    return step


def test_a_loop() -> None:
    verify(loop_of(step_of(PYBOOL, [F64], [F32]), [F64, F32], 1, [F64]))


def test_a_step_says_whether_to_go_on() -> None:
    vector = Spec(dtypes.bool_, (2,))
    refused(loop_of(step_of(vector, [F64], []), [F64], 1, [F64]), "while_loop go")
    refused(loop_of(passing("step"), [], 0, []), "while_loop go is missing")


def test_a_step_takes_state_and_invariants() -> None:
    step = step_of(PYBOOL, [F64], [F32])
    refused(loop_of(step, [F64], 1, [F64]), "while_loop operands: 1 values for 2")
    refused(loop_of(step, [F64, F64], 1, [F64]), "while_loop operands: f64.* for f32")


def test_a_step_gives_the_state() -> None:
    step = step_of(PYBOOL, [F64], [F32])
    refused(loop_of(step, [F64, F32], 2, [F64]), "while_loop state: 1 values for 2")
    step.outputs[1] = step.inputs[1]
    refused(loop_of(step, [F64, F32], 1, [F64]), "while_loop state: f32.* for f64")


def test_a_loop_gives_the_state() -> None:
    step = step_of(PYBOOL, [F64], [])
    refused(loop_of(step, [F64], 1, []), "while_loop results: 1 values for 0")
    refused(loop_of(step, [F64], 1, [F32]), "while_loop results: f64.* for f32")


# call ---------------------------------------------------------------------------------------------
def call_of(function: Graph, operands: list[AnySpec], results: list[AnySpec]) -> Graph:
    graph = graph_with(*operands)
    graph.add_node(CALL, graph.inputs, {"function": function}, results)
    return graph


def test_a_call() -> None:
    verify(call_of(passing("one", F64), [F64], [F64]))


def test_a_call_has_the_signature_of_its_function() -> None:
    function = passing("one", F64)
    refused(call_of(function, [], [F64]), "call operands: 0 values for 1")
    refused(call_of(function, [F32], [F64]), "call operands: f32.* for f64")
    refused(call_of(function, [F64], [F64, F64]), "call results: 1 values for 2")
    refused(call_of(function, [F64], [F32]), "call results: f64.* for f32")


# compatible ---------------------------------------------------------------------------------------
N = Dim.symbol("n")


@pytest.mark.parametrize(
    ("have", "want", "fits"),
    [
        (F64, F64, True),
        (F64, F32, False),
        (F64, PYFLOAT, False),
        (Spec(dtypes.int64), PYINT, False),
        (Spec(dtypes.float64, (2,)), Spec(dtypes.float64, (3,)), False),
        (Spec(dtypes.float64, (2,)), Spec(dtypes.float64, (2, 1)), False),
        (Spec(dtypes.float64, (2,)), Spec(dtypes.float64, (N,)), True),
        (Spec(dtypes.float64, (N,)), Spec(dtypes.float64, (2,)), True),
        (ListSpec(F64), F64, False),
        (F64, ListSpec(F64), False),
        (ListSpec(F64), ListSpec(F64), True),
        (ListSpec(F64), ListSpec(F32), False),
        (ListSpec(Spec(dtypes.float64, (2,))), ListSpec(Spec(dtypes.float64, (N,))), True),
    ],
)
def test_compatible(have: AnySpec, want: AnySpec, fits: bool) -> None:
    assert compatible(have, want) is fits
