"""One table over all op records: eager, inference, staging, gradients, decompositions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.runtime.core.dims import Dim
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import Decomposition, Effect, Op, Sample
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.evaluate import evaluate, settle
from autograph.runtime.graph.trace import Trace
from autograph.runtime.graph.verify import verify
from autograph.runtime.ops.table import OPS, RECORDS
from tests.harness.op_samples import (
    attributes_of,
    inputs_of,
    results_of,
    same_value,
    samples,
    spec_of,
)

SAMPLES = list(samples())
each_sample = pytest.mark.parametrize(
    ("op", "sample"), [(op, one) for _, op, one in SAMPLES], ids=[name for name, _, _ in SAMPLES]
)
STAGED_ONLY = ("list_", "py_", "checked_index", "size_of", "to_number", "constant")


def graph_of(op: Op, inputs: list[Any], attributes: dict[str, Any]) -> Any:
    """A graph that applies `op` to inputs of these specs."""
    trace = Trace("sample")
    handles = [trace.add_input(spec_of(value)) for value in inputs]
    with trace.active():
        result = OPS.apply(op.name, tuple(handles), attributes)
    results = result if isinstance(result, tuple) else (result,)
    trace.graph.outputs = [trace.value_of(one) for one in results]
    verify(trace.graph)
    return trace.graph


def settled(op: Op, inputs: list[Any], attributes: dict[str, Any]) -> list[Any]:
    """What the reference gives, in the form that values of a graph have."""
    graph = graph_of(op, inputs, attributes)
    results = results_of(op, inputs, attributes)
    return [settle(value, one) for value, one in zip(graph.outputs, results, strict=True)]


# eager --------------------------------------------------------------------------------------------
@each_sample
def test_eager_is_the_reference(op: Op, sample: Sample) -> None:
    if op.name.startswith(STAGED_ONLY):
        return  # these have no tensors as results: the staged row covers them
    inputs, attributes = inputs_of(op, sample), attributes_of(op, sample)
    before = [np.array(one) for one in inputs]
    result = OPS.apply(op.name, tuple(Tensor(one) for one in inputs), attributes)
    results = result if isinstance(result, tuple) else (result,)
    for tensor, wanted in zip(results, results_of(op, inputs, attributes), strict=True):
        assert type(tensor) is Tensor
        assert same_value(tensor._value, np.asarray(wanted))
    for one, copy in zip(inputs, before, strict=True):
        assert same_value(np.asarray(one), copy), "an input was written"


# inference ----------------------------------------------------------------------------------------
def fits(spec: AnySpec, value: Any, symbols: dict[Any, int]) -> bool:
    """Whether `value` may stand where `spec` was inferred; symbols keep one size."""
    if isinstance(spec, ListSpec):
        return isinstance(value, ListValue) and all(fits(spec.element, one, {}) for one in value)
    if spec.python:
        return type(value) is spec.python_type
    return (
        value.dtype == spec.dtype
        and value.ndim == spec.ndim
        and all(
            symbols.setdefault(dim, size) == size if isinstance(dim, Dim) else dim == size
            for dim, size in zip(spec.shape, value.shape, strict=True)
        )
    )


@each_sample
def test_inference(op: Op, sample: Sample) -> None:
    inputs, attributes = inputs_of(op, sample), attributes_of(op, sample)
    inferred = op.infer(*(spec_of(one) for one in inputs), **attributes)
    specs = inferred if isinstance(inferred, tuple) else (inferred,)
    for spec, value in zip(specs, results_of(op, inputs, attributes), strict=True):
        if isinstance(spec, Spec) and not spec.python:
            value = np.asarray(value)
        assert fits(spec, value, {}), f"{spec} was inferred, the result is {value!r}"


def symbolic(spec: AnySpec, names: dict[int, Dim]) -> AnySpec:
    """`spec` with one symbol for each size other than 0 and 1."""
    if isinstance(spec, ListSpec) or spec.python:
        return spec
    shape = tuple(
        names.setdefault(dim, Dim.given(dim, 0)) if isinstance(dim, int) and dim > 1 else dim
        for dim in spec.shape
    )
    return Spec(spec.dtype, shape)


NEEDS_SIZES = frozenset({"unstack"})


@each_sample
def test_inference_of_symbolic_sizes(op: Op, sample: Sample) -> None:
    if op.name in NEEDS_SIZES:
        return  # its number of results is a size: tested below
    inputs, attributes = inputs_of(op, sample), attributes_of(op, sample)
    names: dict[int, Dim] = {}
    inferred = op.infer(*(symbolic(spec_of(one), names) for one in inputs), **attributes)
    specs = inferred if isinstance(inferred, tuple) else (inferred,)
    known = {dim: size for size, dim in names.items()}
    sizes = {str(dim): size for dim, size in known.items()}
    for spec, value in zip(specs, results_of(op, inputs, attributes), strict=True):
        if isinstance(spec, ListSpec) or spec.python:
            continue
        value = np.asarray(value)
        assert spec.dtype == value.dtype and spec.ndim == value.ndim
        for dim, size in zip(spec.shape, value.shape, strict=True):
            if isinstance(dim, int):
                assert dim == size
            elif dim.symbols <= sizes.keys():
                assert dim.substitute(sizes) == size


def test_unstack_needs_its_size() -> None:
    with pytest.raises(ValueError, match="while tracing"):
        RECORDS["unstack"].infer(Spec(np.dtype(float), (Dim.symbol("n"), 2)), axis=0)


# staging ------------------------------------------------------------------------------------------
@each_sample
def test_staged_is_the_reference(op: Op, sample: Sample) -> None:
    inputs, attributes = inputs_of(op, sample), attributes_of(op, sample)
    graph = graph_of(op, inputs, attributes)
    for result, wanted in zip(
        evaluate(graph, inputs), settled(op, inputs, attributes), strict=True
    ):
        assert same_value(result, wanted)


DECOMPOSED = [
    (name, op, sample) for name, op, sample in SAMPLES if isinstance(op.lowering, Decomposition)
]


@pytest.mark.parametrize(
    ("op", "sample"),
    [(op, one) for _, op, one in DECOMPOSED],
    ids=[name for name, _, _ in DECOMPOSED],
)
@pytest.mark.parametrize("sizes", ["known", "symbolic"])
def test_decomposition_is_the_reference(op: Op, sample: Sample, sizes: str) -> None:
    inputs, attributes = inputs_of(op, sample), attributes_of(op, sample)
    trace = Trace("decomposed")
    names: dict[int, Dim] = {}
    specs = [spec_of(one) for one in inputs]
    if sizes == "symbolic":
        specs = [symbolic(spec, names) for spec in specs]
    handles = [trace.add_input(spec) for spec in specs]
    assert isinstance(op.lowering, Decomposition)
    with trace.active():
        result = op.lowering.rule(OPS, *handles, **attributes)
    assert all(node.op is not op for node in trace.graph.nodes)
    several = result if isinstance(result, tuple) else (result,)
    trace.graph.outputs = [trace.value_of(one) for one in several]
    verify(trace.graph)
    results = zip(
        evaluate(trace.graph, inputs),
        settled(op, inputs, attributes),
        trace.graph.outputs,
        strict=True,
    )
    for got, wanted, value in results:
        got, wanted = np.asarray(got), np.asarray(wanted)  # of Python numbers, too
        assert got.dtype == wanted.dtype and got.shape == wanted.shape
        assert value.spec.dtype == wanted.dtype  # type: ignore[union-attr]
        if got.dtype.kind == "f":
            finite = np.isfinite(wanted)
            np.testing.assert_array_max_ulp(got[finite], wanted[finite], 4)
            np.testing.assert_array_equal(np.isnan(got), np.isnan(wanted))
        elif got.dtype.kind == "c":
            np.testing.assert_allclose(got, wanted, rtol=1e-14)
        else:
            np.testing.assert_array_equal(got, wanted)


# gradients ----------------------------------------------------------------------------------------
def is_float(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


DIFFERENTIABLE = [
    (name, op, sample)
    for name, op, sample in SAMPLES
    if op.gradient and sample.gradient and not op.name.startswith(("list_", "py_"))
]


def weighted(results: tuple[Any, ...], weights: list[Any]) -> float:
    return float(sum(np.sum(one * weight) for one, weight in zip(results, weights, strict=True)))


def numerical(op: Op, inputs: list[Any], attributes: dict[str, Any], weights: list[Any]) -> Any:
    """For each float input the gradient of the weighted results, by central differences."""
    step = 1e-6
    for position, value in enumerate(inputs):
        gradient = np.zeros(value.shape)
        for place in np.ndindex(value.shape):
            values = []
            for sign in (step, -step):
                moved = value.copy()
                moved[place] += sign
                changed = [*inputs[:position], moved, *inputs[position + 1 :]]
                values.append(weighted(results_of(op, changed, attributes), weights))
            gradient[place] = (values[0] - values[1]) / (2 * step)
        yield position, gradient


@pytest.mark.parametrize(
    ("op", "sample"),
    [(op, one) for _, op, one in DIFFERENTIABLE],
    ids=[name for name, _, _ in DIFFERENTIABLE],
)
def test_gradient_is_the_numerical_one(op: Op, sample: Sample) -> None:
    inputs, attributes = inputs_of(op, sample), attributes_of(op, sample)
    results = results_of(op, inputs, attributes)
    generator = np.random.default_rng(0)
    weights = [generator.uniform(0.5, 1.5, np.shape(one)) for one in results]
    tensors = [Tensor(one) for one in inputs]
    out = tuple(Tensor(np.asarray(one)) for one in results)
    g = tuple(Tensor(one) for one in weights)
    single = len(results) == 1 and not isinstance(op.reference(*inputs, **attributes), tuple)
    given = (OPS, g[0] if single else g, out[0] if single else out, *tensors)
    rules = op.gradient[0](*given, **attributes) if op.variadic and op.gradient[0] else None
    checked = 0
    for position, wanted in numerical(op, [*map(to_float, inputs)], attributes, weights):
        rule = rules[position] if rules is not None else op.gradient[position]
        if rule is None or not is_float(inputs[position]):
            continue
        gradient = rule if rules is not None else rule(*given, **attributes)
        gradient = OPS.sum_like(gradient, tensors[position])
        assert gradient.dtype == inputs[position].dtype
        assert gradient.shape == inputs[position].shape
        np.testing.assert_allclose(gradient._value, wanted, rtol=2e-5, atol=2e-7)
        checked += 1
    assert checked, "nothing was differentiated"


def to_float(value: Any) -> Any:
    return value


def test_every_record_has_samples_and_a_meaning() -> None:
    for name, op in RECORDS.items():
        assert name == op.name
        assert op.summary.strip().endswith((".", "…")), name
        if name not in ("constant",):
            assert op.samples, f"{name} has no samples"


def test_what_can_raise_says_so() -> None:
    for name in ("checked_index", "checked_indices", "list_pop", "py_truediv", "to_number"):
        assert RECORDS[name].effect is Effect.MAY_RAISE
