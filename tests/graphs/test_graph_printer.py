"""The text of a graph: three golden ones, its names, its comments, where its defs stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.runtime.control.building import build_cond
from autograph.runtime.core import dtypes
from autograph.runtime.core.location import Location
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import PYBOOL, PYINT, Spec
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.notation import AttributeWriter
from autograph.runtime.graph.printer import graph_source, is_inferred, print_graph
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.indexing.entries import Slice
from autograph.runtime.ops.table import OPS
from tests.harness import graph_programs
from tests.harness.graph_programs import EXAMPLES, F64, Example, graph_of

each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.__name__)


# golden -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["branches", "loops", "recursion"])
def test_golden_text(name: str, golden: Callable[[str, str], None]) -> None:
    text = print_graph(getattr(graph_programs, name)()[0])
    # The lines of this project's own tests move; fresh symbols are numbered by the process.
    text = re.sub(r"graph_programs\.py:\d+", "model.py:7", text)
    found: dict[str, str] = {}
    for symbol in re.findall(r"\b(?:d|s|k|e|l)\d+\b", text):
        found.setdefault(symbol, f"{symbol[0]}{len(found)}")
    golden(f"graphs/{name}.py.txt", re.sub(r"\b[dskel]\d+\b", lambda m: found[m[0]], text))


# names --------------------------------------------------------------------------------------------
@each_example
def test_it_is_python_and_every_name_means_something(example: Example) -> None:
    tree = ast.parse(print_graph(example()[0]))
    assert [type(one) for one in tree.body] == [ast.FunctionDef]
    for one in ast.walk(tree):
        if isinstance(one, ast.FunctionDef):
            parameters = [argument.arg for argument in one.args.args]
            assert len(set(parameters)) == len(parameters)


@each_example
def test_a_name_is_assigned_once(example: Example) -> None:
    names = [
        one.id
        for one in ast.walk(ast.parse(print_graph(example()[0])))
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    ]
    assert len(set(names)) == len(names)


def test_names_that_would_hide_something_are_replaced() -> None:
    text = print_graph(graph_programs.unnamed()[0])
    assert text.startswith(
        "def graph(x0: f64, x1: f64, x2: f64, x3: f64, x4: f64, x: f64, x5: f64):\n"
        "    v6 = sin(x3)  # f64"
    )


def test_a_branch_keeps_the_names_around_it() -> None:
    def body(trace: Trace, flag: Any, x: Any) -> Any:
        y = OPS.exp(x)
        return build_cond(trace, flag, (lambda: (OPS.add(x, y),), lambda: (y,)))

    text = print_graph(graph_of("kept", {"flag": PYBOOL, "x": F64}, body))
    assert "def branch_0(x: f64, v0: f64):" in text
    assert "def branch_1(x: f64, v0: f64):\n        return v0\n" in text
    assert "cond(flag, x, v0, branches=(branch_0, branch_1))" in text


def test_branches_of_one_name_are_told_apart() -> None:
    def body(trace: Trace, flag: Any, x: Any) -> Any:
        result = build_cond(trace, flag, (lambda: (x,), lambda: (x,)))
        for branch in trace.graph.nodes[-1].graphs:
            branch.name = "same"
        return result

    text = print_graph(graph_of("apart", {"flag": PYBOOL, "x": F64}, body))
    assert "branches=(same, same_1)" in text


# places -------------------------------------------------------------------------------------------
def test_functions_that_are_called_stand_first_and_once() -> None:
    lines = print_graph(graph_programs.recursion()[0]).splitlines()
    assert [line[:8] for line in lines].count("    def ") == 4  # even, odd, and two branches
    assert lines[1].startswith("    def even(n: pyint, x: f64):")
    assert sum("def even" in line for line in lines) == 1
    assert sum("def odd" in line for line in lines) == 1


def test_a_function_that_calls_itself_names_itself() -> None:
    text = print_graph(graph_programs.itself()[0])
    assert text.startswith("def factorial(n: pyint):\n")
    assert 'call(v3, function=factorial, specs="pyint")' in text
    assert text.count("def factorial") == 1


def test_nesting_is_bounded() -> None:
    lines = print_graph(graph_programs.deep()[0]).splitlines()
    assert max(len(line) - len(line.lstrip()) for line in lines) // 4 <= 21
    assert sum(line.lstrip().startswith("def ") for line in lines) == 261


# specs, comments, attributes ----------------------------------------------------------------------
def test_specs_stand_where_inference_would_not_give_them() -> None:
    graph, _ = graph_programs.sizes()
    (symbol,) = (n for n in graph.nodes if n.op.name == "nonzero_flat")
    size = symbol.outputs[0].spec.shape[0]  # type: ignore[union-attr]
    text = print_graph(graph)
    assert f'nonzero_flat(mask, specs="i64[{size}]")  # graph_programs.py:' in text
    assert "# f64[3+2*n]  graph_programs.py:" in text


def test_an_op_that_would_refuse_its_inputs_has_its_specs() -> None:
    graph, _ = graph_programs.arithmetic()
    node = next(one for one in graph.nodes if one.op.name == "multiply")
    assert is_inferred(node)
    node.inputs.append(node.inputs[0])
    assert not is_inferred(node)
    assert 'specs="f32[n,3]"' in print_graph(graph)


def test_a_line_names_its_file_and_number() -> None:
    graph = Graph("located")
    value = graph.add_input(F64, "x")
    node = graph.add_node(OPS.record("exp"), [value], {}, [F64])
    assert print_graph(graph) == "def located(x: f64):\n    v0 = exp(x)  # f64\n    return\n"
    node.location = Location("/somewhere/model.py", 12, "f")
    assert "exp(x)  # f64  model.py:12\n" in print_graph(graph)


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (None, "None"),
        (True, "True"),
        (-3, "-3"),
        (0.1, "0.1"),
        (float("-inf"), "-inf"),
        ("word", "'word'"),
        (..., "Ellipsis"),
        ((), "()"),
        ((1,), "(1,)"),
        ((1, (None, 2)), "(1, (None, 2))"),
        (bool, "bool"),
        (dtypes.bool_, "bool_"),
        (dtypes.float32, "float32"),
        (np.float32(0.5), "scalar(0.5, float32)"),
        (np.array([True]), "array([True], bool_)"),
        (np.array(2.5, np.float32), "array(2.5, float32)"),
        (np.zeros((2, 0), np.uint8), "array([[], []], uint8, (2, 0))"),
        (Spec(dtypes.float32, (2,)), 'spec("f32[2]")'),
        (PYINT, 'spec("pyint")'),
        (graph_programs.N, 'dim("n")'),
        (DynamicInt(2), "DynamicInt(2)"),
        (Slice(None, DynamicInt(1)), "Slice(None, DynamicInt(1), None)"),
    ],
    ids=str,
)
def test_attributes(item: Any, text: str) -> None:
    assert AttributeWriter({}, abbreviated=False).text(item) == text


def test_objects_are_told_by_identity() -> None:
    writer = AttributeWriter({}, abbreviated=False)
    one, other = [1], [1]
    assert [writer.text(item) for item in (one, other, one)] == [
        "objects[0]",
        "objects[1]",
        "objects[0]",
    ]
    assert writer.objects[0] is one and writer.objects[1] is other


def test_objects_are_listed_below() -> None:
    text, objects = graph_source(graph_programs.host_and_raise()[0])
    assert objects[0] is graph_programs.note
    assert text.splitlines()[-3:] == [
        "# objects[0]: note",
        "# objects[1]: _nothing",
        "# objects[2]: too_large",
    ]


def test_large_arrays_are_abbreviated_to_look_at() -> None:
    trace = Trace("large")
    trace.constant(np.arange(50.0))
    trace.constant(np.arange(60.0).reshape(20, 3))
    text = print_graph(trace.graph)
    assert 'constant(value=array("20x3 numbers: 0.0 1.0 2.0 ... 59.0", float64))' in text
    assert "48.0, 49.0], float64))" in text
    assert "58.0, 59.0]" in graph_source(trace.graph)[0]
    assert print_graph(trace.graph, abbreviated=False) == graph_source(trace.graph)[0]
