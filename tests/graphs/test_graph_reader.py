"""What is printed of a graph is read back as an equal graph, which does the same."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.runtime.control.reader import read_graph
from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.record import Op, Sample
from autograph.runtime.core.spec import PYBOOL, PYFLOAT, PYINT, ListSpec, ShapeError, Spec
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.notation import GraphTextError, read_dim, read_spec, spec_text
from autograph.runtime.graph.printer import graph_source, print_graph
from autograph.runtime.graph.same import same_graph
from autograph.runtime.graph.trace import Trace
from autograph.runtime.graph.verify import verify
from autograph.runtime.ops.table import OPS
from tests.harness.graph_programs import EXAMPLES, Example
from tests.harness.op_samples import attributes_of, inputs_of, same_value, samples, spec_of

each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.__name__)
SAMPLES = list(samples())


def read_back(graph: Graph) -> Graph:
    text, objects = graph_source(graph)
    return read_graph(text, objects)


def outcome(graph: Graph, inputs: list[Any]) -> Any:
    try:
        return evaluate(graph, inputs)
    except Exception as error:
        return type(error), str(error)


def without_lines(text: str) -> str:
    """`text` without the user's lines, which are not read back."""
    return re.sub(r"  (# )?[^ ]+\.py:\d+$", "", text, flags=re.M)


# the round trip -----------------------------------------------------------------------------------
@each_example
def test_reading_gives_an_equal_graph(example: Example) -> None:
    graph, _ = example()
    verify(graph)
    assert same_graph(graph, read_back(graph))


@each_example
def test_what_was_read_does_the_same(example: Example) -> None:
    graph, runs = example()
    read = read_back(graph)
    for inputs in runs:
        expected, found = outcome(graph, inputs), outcome(read, inputs)
        assert isinstance(expected, list) == isinstance(found, list)
        assert (
            all(map(same_value, expected, found))
            if isinstance(found, list)
            else (expected == found)
        )


@each_example
def test_what_was_read_prints_the_same(example: Example) -> None:
    text, objects = graph_source(example()[0])
    again, others = graph_source(read_graph(text, objects))
    assert without_lines(text) == without_lines(again)
    assert len(objects) == len(others)
    assert all(one is other for one, other in zip(objects, others, strict=True))


@pytest.mark.parametrize(
    ("op", "sample"), [(op, one) for _, op, one in SAMPLES], ids=[name for name, _, _ in SAMPLES]
)
def test_every_op_is_read_back(op: Op, sample: Sample) -> None:
    trace = Trace("sample")
    handles = [trace.add_input(spec_of(value)) for value in inputs_of(op, sample)]
    with trace.active():
        result = OPS.apply(op.name, tuple(handles), attributes_of(op, sample))
    several = result if isinstance(result, tuple) else (result,)
    trace.graph.outputs = [trace.value_of(one) for one in several]
    assert same_graph(trace.graph, read_back(trace.graph))


def test_names_of_inputs_are_read_back() -> None:
    def names(graph: Graph) -> list[str]:
        return [value.name for value in graph.inputs]

    trace = Trace("named")
    for name in ("rate", "x0", "", "class", "v"):
        trace.add_input(PYINT, name)
    assert names(read_back(trace.graph)) == ["rate", "", "", "", "v"]
    assert read_back(trace.graph).name == "named"


# specs --------------------------------------------------------------------------------------------
def sizes() -> st.SearchStrategy[DimLike]:
    symbols = st.sampled_from(["n", "m", "d12", "n0_1"]).map(Dim.symbol)
    known = st.integers(-3, 5)
    return st.recursive(
        st.one_of(symbols, known),
        lambda inner: st.tuples(inner, inner, st.booleans()).map(
            lambda t: t[0] * t[1] if t[2] else t[0] - t[1]
        ),
        max_leaves=8,
    )


@given(sizes())
def test_sizes_are_read_back(size: DimLike) -> None:
    assert read_dim(str(size)) == size


@given(st.sampled_from(dtypes.ALL), st.lists(sizes(), max_size=4), st.booleans())
def test_specs_are_read_back(dtype: dtypes.DType, shape: list[DimLike], listed: bool) -> None:
    tensor = Spec(dtype, tuple(shape))
    spec = ListSpec(tensor) if listed else tensor
    assert read_spec(spec_text(spec)) == spec


@pytest.mark.parametrize("spec", [PYINT, PYBOOL, PYFLOAT, ListSpec(PYINT)])
def test_specs_of_numbers_are_read_back(spec: Any) -> None:
    assert read_spec(spec_text(spec)) == spec


@pytest.mark.parametrize(
    "text", ["f16", "f32[]", "f32[n/2]", "f32[1.5]", "list", "3", "f32 n", "n"]
)
def test_what_is_no_spec_is_refused(text: str) -> None:
    with pytest.raises(GraphTextError, match="no spec"):
        read_spec(text)


# what cannot be read ------------------------------------------------------------------------------
def test_values_come_from_the_graph_that_uses_them() -> None:
    text = """
def outer(x: f32, flag: pybool):
    def inner():
        return x
    v = cond(flag, branches=(inner, inner))
    return v
"""
    with pytest.raises(GraphTextError, match="x is no value of inner"):
        read_graph(text)


LINES = [
    ("v = nonsense(x)", "'nonsense' is no op"),
    ("v = open(x)", "'open' is no op"),
    ("v = sin.__call__(x)", "is no op"),
    ("v = __import__('os').system('true')", "is no op"),
    ("v = (lambda: x)()", "is no op"),
    ("v = sin(*x)", "is no value"),
    ("v = sin(x, **x)", "an argument"),
    ("v = sin(x, specs=f32)", "specs"),
    ("v = sin(x, axis=print)", "attribute"),
    ("v = sin(x, axis=objects[0].__class__)", "attribute"),
    ("v = sin(x, axis=objects[-1])", "attribute"),
    ("v = sin(x, axis=arrays[0])", "attribute"),
    ("v = sin(x, axis=[1])", "attribute"),
    ("v = sin(x, axis={})", "attribute"),
    ("v = sin(x, axis=1 + 1)", "attribute"),
    ("v = sin(x, axis=f'{x}')", "attribute"),
    ("v = sin(x, axis=array(*x))", "attribute"),
    ("v = sin(x, axis=spec('f32', more=1))", "attribute"),
    ("v = sin(x, axis=1j)", "attribute"),
    ("v = sin(x, axis=g)", "attribute"),
    ("v = x", "a statement"),
    ("v, w = sin(x)", "2 names for 1 results"),
    ("v.w = sin(x)", "target"),
    ("v = w = sin(x)", "a statement"),
    ("x = sin(x)", "second value"),
    ("v = sin(y)", "y is no value"),
    ("sin(x)", "no names"),
    ("import os", "a statement"),
    ("for x in x: pass", "a statement"),
    ("v: f32 = sin(x)", "a statement"),
    ("return x\n return x", "after the return"),
    ("async def g(): return x", "a statement"),
    ("'text'", "a statement"),
    ("global x", "a statement"),
]


@pytest.mark.parametrize(("line", "message"), LINES)
def test_every_line_is_an_op_or_a_def(line: str, message: str) -> None:
    with pytest.raises(GraphTextError, match=message):
        read_graph(f"def f(x: f32):\n {line}\n return x")


@pytest.mark.parametrize("head", ["*x", "x: f32 = 1", "*, x: f32", "x: f32, /", "**x", "x: open()"])
def test_parameters_have_a_spec_and_nothing_else(head: str) -> None:
    with pytest.raises(GraphTextError):
        read_graph(f"def f({head}):\n return x")
    with pytest.raises(GraphTextError):
        read_graph("@f\ndef f(x: f32):\n return x")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("x = 1", GraphTextError, "one def"),
        ("def f(): return\ndef g(): return", GraphTextError, "one def"),
        ("def f(x): return x", GraphTextError, "x of f has no spec"),
        ("def f(x: f32): return 1", GraphTextError, "1 is no value"),
        ("def f(x: f32):\n v = add(x, 1.0)\n return v", GraphTextError, "1.0 is no value"),
        ("def f(x: f32): return sin(x)", GraphTextError, "is no value"),
        ("def f(x: f32):\n v = sin(x, specs='f32[')\n return v", GraphTextError, "no spec"),
        ("def f(x: f32[2], y: f32[3]):\n v = add(x, y)\n return v", ShapeError, "broadcast"),
        ("def f(x: f32):", SyntaxError, "expected an indented block"),
    ],
)
def test_other_text_is_refused(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_graph(text)


def test_an_abbreviated_array_is_refused() -> None:
    trace = Trace("large")
    trace.graph.outputs = [trace.constant(np.arange(51.0))]
    assert same_graph(trace.graph, read_back(trace.graph))
    with pytest.raises(GraphTextError, match="abbreviated"):
        read_graph(print_graph(trace.graph))
