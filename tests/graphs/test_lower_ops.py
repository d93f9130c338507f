"""Every op as a program, run by CPython from its text, gives what its reference gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograph.runtime.control.records import RAISE  # noqa: F401  (fills the table of control)
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import Hosted, Op, Sample
from autograph.runtime.core.spec import NUMBER_SPECS, ListSpec, Spec
from autograph.runtime.core.tensor import as_array
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.trace import Trace
from autograph.runtime.lower import build
from autograph.runtime.ops.table import RECORDS


def samples() -> Iterator[Any]:
    """Each op with each of its samples, once with the numbers as tensors and once as they are."""
    for op in RECORDS.values():
        for number, sample in enumerate(op.samples):
            yield pytest.param(op, sample, id=f"{op.name}-{number}")


def prepared(value: Any, python: bool) -> Any:
    """A sample's input as a value of a graph."""
    if isinstance(value, ListValue):
        return value
    if isinstance(value, bool | int | float) and python:
        return value
    return as_array(value)


def spec_of(value: Any) -> Any:
    """The spec of a value of a graph."""
    if isinstance(value, ListValue):
        first = value[0] if len(value) else np.zeros((2,))
        shapes = {np.shape(item) for item in value}
        from autograph.runtime.core.dims import Dim

        shape = first.shape if len(shapes) < 2 else tuple(Dim.fresh("e") for _ in first.shape)
        return ListSpec(Spec(first.dtype, shape))
    if isinstance(value, bool | int | float | complex):
        return NUMBER_SPECS[type(value)]
    return Spec(value.dtype, value.shape)


def graph_of(op: Op, values: list[Any], attributes: Any) -> Graph:
    """A graph of one node."""
    trace = Trace(op.name)
    with trace.active():
        inputs = tuple(trace.add_input(spec_of(value)) for value in values)
        result = trace.apply(op, inputs, attributes)
        several = result if isinstance(result, tuple) else (result,)
        trace.graph.outputs = [trace.value_of(one) for one in several]
    return trace.graph


def assert_same(got: Any, expected: Any) -> None:
    """Equal types, dtypes and shapes; floats within a few units in the last place."""
    if isinstance(expected, ListValue):
        assert isinstance(got, ListValue) and len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            assert_same(one, other)
        return
    assert type(got) is type(expected)
    if isinstance(expected, np.ndarray):
        assert got.dtype == expected.dtype and got.shape == expected.shape
        assert got.flags.writeable
    tolerance = 2e-6 if np.asarray(expected).dtype in (np.float32, np.complex64) else 1e-13
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance / 10)


@pytest.mark.parametrize("python", (False, True), ids=("tensors", "numbers"))
@pytest.mark.parametrize(("op", "sample"), samples())
def test_text_gives_what_the_reference_gives(op: Op, sample: Sample, python: bool) -> None:
    values = [prepared(value, python) for value in sample.inputs]
    try:
        graph = graph_of(op, values, dict(sample.attributes))
        expected = evaluate(graph, values)
    except (TypeError, AttributeError):
        pytest.skip("the op takes no such inputs")
    program = build(graph, jit=False)
    values_of = [value for node in graph.nodes for value in (*node.inputs, *node.outputs)]
    is_complex = any(getattr(one.spec, "dtype", np.dtype(bool)).kind == "c" for one in values_of)
    # the samples of complex numbers are those of linear algebra, besides these
    native = ("complex", "real", "imag", "conj", "py_complex", "py_real", "py_imag", "to_number")
    hosted = is_complex and op.name not in native
    hosted = hosted or isinstance(op.lowering, Hosted)
    assert program.is_native != hosted, program.text
    for got, wanted in zip(program.run(values), expected, strict=True):
        assert_same(got, wanted)
