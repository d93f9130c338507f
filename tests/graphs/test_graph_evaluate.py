"""Evaluation: values, control flow, lists, host calls, exceptions and where they come from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.runtime.control.functional import cond, while_loop
from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.location import Location
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import PYINT, ListSpec, Spec
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.trace import Trace, dynamic_operands, substitute_dynamic
from autograph.runtime.ops.indexing.entries import Slice
from autograph.runtime.ops.table import OPS, RECORDS
from tests.harness import graph_programs
from tests.harness.graph_programs import F32, F64, NOTED, VECTOR, f32, graph_of
from tests.harness.op_samples import same_value


def check(found: list[Any], *expected: Any) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert same_value(one, other), f"{one!r} is not {other!r}"


# values -------------------------------------------------------------------------------------------
def test_tensors_are_arrays_and_numbers_are_python_numbers() -> None:
    def body(trace: Trace, x: Any, k: Any) -> Any:
        return OPS.sum(x), k + 1, k / 2, k > 2, OPS.multiply(x, k), x

    graph = graph_of("kinds", {"x": Spec(dtypes.float32, (2,)), "k": PYINT}, body)
    x = f32(1, 2)
    found = evaluate(graph, [x, 3])
    check(found, np.array(3, np.float32), 4, 1.5, True, f32(3, 6), x)
    assert found[-1] is x


def test_the_number_of_inputs_is_checked() -> None:
    with pytest.raises(TypeError, match="graph nothing has 0 inputs, not 1"):
        evaluate(Graph("nothing"), [1])


def test_arithmetic() -> None:
    graph, _ = graph_programs.arithmetic()
    check(evaluate(graph, [f32([1, 2, 3]), 7]), f32([7.5, 14, np.inf]), 4)
    check(evaluate(graph, [f32([1, 2, 3]), 0]), f32([0.5, 0, np.inf]), 1)


def test_integers_of_the_run_in_attributes() -> None:
    graph, _ = graph_programs.attributes()
    part, wide, *_ = evaluate(graph, [f32([1, 2, 3], [4, 5, 6], [7, 8, 9]), 1])
    check([part, wide], f32([[6, 5, 4]], [[9, 8, 7]]), f32([15, 13, 11]))


# attributes ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("attributes", "operands"),
    [
        ({}, []),
        ({"axis": 1, "shape": (2, None)}, []),
        ({"shape": (DynamicInt(1), 3, DynamicInt(2))}, [1, 2]),
        ({"length": DynamicInt(4), "start": DynamicInt(3)}, [3, 4]),
        ({"index": (Slice(DynamicInt(2), None, DynamicInt(1)), DynamicInt(3))}, [1, 2, 3]),
        ({"nested": ((DynamicInt(1), (DynamicInt(2),)),)}, [1, 2]),
        ({"shape": (DynamicInt(1), DynamicInt(1))}, [1]),
    ],
)
def test_dynamic_operands(attributes: dict[str, Any], operands: list[int]) -> None:
    assert dynamic_operands(attributes) == operands
    known = substitute_dynamic(attributes, [10, 11, 12, 13, 14])
    assert dynamic_operands(known) == []
    assert set(attributes) == set(known)


# control flow -------------------------------------------------------------------------------------
def test_branches_are_chosen_by_truth_and_by_number() -> None:
    graph, _ = graph_programs.branches()
    x = f32([1, 2, 3], [4, 5, 6])
    check(evaluate(graph, [x, 0]), np.exp(x), 0)
    check(evaluate(graph, [x, 1]), x[1:], 1)
    check(evaluate(graph, [-x, 1]), -x, 2)
    check(evaluate(graph, [x, 2]), np.concatenate([x, x]), 5)


@pytest.mark.parametrize("turns", [-1, 0, 1, 2, 5, 20])
def test_loops_in_loops(turns: int) -> None:
    def expected(x: Any) -> Any:
        i, total = 1, x
        while i < turns:
            j, part = 0, x
            while j < i:
                j, part = j + 1, part + x
            i, total = i + j, np.concatenate([total, part])
        return i, total

    graph, _ = graph_programs.loops()
    x = np.array([1.0, 2.0])
    check(evaluate(graph, [x, turns]), *expected(x))


def test_newton() -> None:
    graph, _ = graph_programs.newton()
    (root,) = evaluate(graph, [np.array(2.0, np.float32), 1e-5])
    assert root.dtype == np.float32
    assert root == pytest.approx(2**0.5, abs=1e-5)


def test_only_the_branch_that_is_taken_runs() -> None:
    seen = len(NOTED)
    graph, _ = graph_programs.host_and_raise()
    (doubled,) = evaluate(graph, [np.array([1.0, 2.0])])
    check([doubled], np.array([2.0, 4.0]))
    assert len(NOTED) == seen + 1
    check(list(NOTED[-1]), np.array([1.0, 2.0]))


def test_calls_of_one_another() -> None:
    graph, _ = graph_programs.recursion()
    check(evaluate(graph, [3, np.array(1.0)]), 0, np.array(15.0), np.array(15.0))
    check(evaluate(graph, [3, np.array(-2.0)]), 0, np.array(-9.0), np.array(-2.0))


def test_a_graph_that_calls_itself() -> None:
    graph, _ = graph_programs.itself()
    check(evaluate(graph, [10]), 3628800)


def test_recursion_without_end_raises() -> None:
    graph, _ = graph_programs.itself()
    with pytest.raises(RecursionError):
        evaluate(graph, [10**6])


# lists --------------------------------------------------------------------------------------------
ROWS = (np.array([1.0, 2.0]), np.array([3.0, 4.0]))


def test_a_list_grows_in_a_loop() -> None:
    graph, _ = graph_programs.lists()
    items = ListValue(ROWS)
    one, other = ROWS
    stacked, written, given, length = evaluate(graph, [items, 2])
    assert given is items and len(items) == 2 and length == 4
    check(list(written), other, other, one)
    check([stacked], np.stack([other, other, one], axis=1))


def test_lists_that_branch_off_do_not_disturb_one_another() -> None:
    def body(trace: Trace, items: Any) -> Any:
        one = OPS.list_push(items, np.array(1.0))
        other = OPS.list_push(items, np.array(2.0))
        shorter, last = OPS.list_pop(one)
        return one, other, OPS.list_push(shorter, np.array(3.0)), last, items

    graph = graph_of("forks", {"items": ListSpec(F64)}, body)
    one, other, third, last, items = evaluate(graph, [ListValue([np.array(0.0)])])
    assert [[float(x) for x in each] for each in (one, other, third, items)] == [
        [0.0, 1.0],
        [0.0, 2.0],
        [0.0, 3.0],
        [0.0],
    ]
    assert float(last) == 1.0


# exceptions ---------------------------------------------------------------------------------------
def line_of(graph: Graph, name: str) -> Location:
    """The user's line of the one node of this op, wherever it is."""
    found = []
    waiting = [graph]
    while waiting:
        for node in waiting.pop().nodes:
            waiting.extend(node.graphs)
            if node.op.name == name:
                assert node.location is not None
                found.append(node.location)
    (location,) = found
    return location


def raised(graph: Graph, inputs: list[Any], error: type[Exception], message: str) -> Any:
    with pytest.raises(error, match=message) as caught:
        evaluate(graph, inputs)
    return caught.value.__autograph_location__  # type: ignore[attr-defined]


def test_an_exception_has_the_line_of_its_node() -> None:
    def body(trace: Trace, k: Any) -> Any:
        one = k + 1
        return one // k

    graph = graph_of("divides", {"k": PYINT}, lambda trace, k: (body(trace, k),))
    location = raised(graph, [0], ZeroDivisionError, "by zero")
    assert location == line_of(graph, "py_floordiv")
    assert location.function == "body" and location.filename == __file__


def test_the_innermost_line_counts() -> None:
    def turn(i: Any, x: Any) -> Any:
        return i + 1, cond(i > 1, lambda: x + 10 // (i - 2), lambda: x)

    def body(trace: Trace, x: Any) -> Any:
        return while_loop(lambda i, x: i < 5, turn, (0, x))

    graph = graph_of("inner", {"x": F32}, body)
    location = raised(graph, [np.array(0, np.float32)], ZeroDivisionError, "by zero")
    assert location == line_of(graph, "py_floordiv")
    assert location.line == turn.__code__.co_firstlineno + 1


def test_a_node_that_raises() -> None:
    graph, _ = graph_programs.host_and_raise()
    location = raised(graph, [np.array([1.0, 6.0])], ValueError, "^too large: 12.0$")
    assert location == line_of(graph, "raise_")


def test_an_exception_in_a_called_function() -> None:
    graph = Graph("outer")
    index = graph.add_input(PYINT)
    items = graph.add_input(ListSpec(VECTOR))
    inner = Graph("inner")
    operands = [inner.add_input(ListSpec(VECTOR)), inner.add_input(PYINT)]
    spec = Spec(dtypes.float64, (Dim.fresh(),))
    here = Location("inner.py", 3, "inner")
    inner.outputs = inner.add_node(RECORDS["list_get"], operands, {}, [spec], here).outputs
    there = Location("outer.py", 7, "outer")
    call = graph_programs.CALL
    graph.add_node(call, [items, index], {"function": inner}, [spec], there)
    assert raised(graph, [2, ListValue(ROWS)], IndexError, "out of range") is here


def test_nodes_without_a_line_leave_none() -> None:
    graph = Graph("bare")
    k = graph.add_input(PYINT)
    graph.add_node(RECORDS["py_floordiv"], [k, k], {}, [PYINT])
    assert raised(graph, [0], ZeroDivisionError, "by zero") is None


def test_a_result_of_another_number_than_the_node_has_is_an_error() -> None:
    graph = Graph("wrong")
    x = graph.add_input(F64)
    graph.add_node(RECORDS["exp"], [x], {}, [F64, F64])
    with pytest.raises(ValueError, match="zip"):
        evaluate(graph, [np.array(1.0)])
