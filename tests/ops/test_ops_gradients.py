"""Gradients of gradients, by the tape; and the places where naive rules give NaN."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.record import Op, Sample
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.trace import Trace
from autograph.runtime.graph.verify import verify
from autograph.runtime.ops.table import OPS
from tests.harness.op_samples import attributes_of, inputs_of, samples, spec_of

SECOND_ORDER = [
    (name, op, sample)
    for name, op, sample in samples()
    if op.gradient and sample.gradient and not op.name.startswith(("list_", "py_"))
]


def summed(op: Op, inputs: list[Any], attributes: dict[str, Any]) -> Any:
    """A number that depends on every result, each in its own way."""
    result = OPS.apply(op.name, tuple(inputs), attributes)
    results = result if isinstance(result, tuple) else (result,)
    total: Any = 0.0
    for place, one in enumerate(results):
        weights = np.linspace(0.5, 1.5, one.size).reshape(one.shape) + 0.1 * place
        total = total + OPS.sum(one * one * weights + one * weights)
    return total


def first_gradients(op: Op, inputs: list[Any], attributes: dict[str, Any]) -> list[Any]:
    sources = [one for one in inputs if one.dtype.kind == "f"]
    with GradientTape() as tape:
        for one in sources:
            tape.watch(one)
        target = summed(op, inputs, attributes)
    return list(tape.gradient(target, sources))


@pytest.mark.parametrize(
    ("op", "sample"),
    [(op, one) for _, op, one in SECOND_ORDER],
    ids=[name for name, _, _ in SECOND_ORDER],
)
def test_second_order_is_the_numerical_one(op: Op, sample: Sample) -> None:
    attributes = attributes_of(op, sample)
    arrays = [np.asarray(one) for one in inputs_of(op, sample)]
    inputs = [Tensor(one) for one in arrays]
    places = [i for i, one in enumerate(arrays) if one.dtype.kind == "f"]
    sources = [inputs[i] for i in places]

    def slope(values: list[Any]) -> float:
        found = first_gradients(op, [Tensor(one) for one in values], attributes)
        return float(
            sum(
                np.sum(np.asarray(one) * np.linspace(0.3, 1.7, one.size).reshape(one.shape))
                for one in found
                if one is not None
            )
        )

    with GradientTape() as outer:
        for one in sources:
            outer.watch(one)
        with GradientTape() as inner:
            for one in sources:
                inner.watch(one)
            target = summed(op, inputs, attributes)
        total: Any = OPS.asarray(np.zeros(()))
        for one in inner.gradient(target, sources):
            if one is not None:
                weights = np.linspace(0.3, 1.7, one.size).reshape(one.shape)
                total = total + OPS.sum(one * weights)
    second = outer.gradient(total, sources)
    step = 1e-6
    for place, gradient in zip(places, second, strict=True):
        got = np.zeros(arrays[place].shape) if gradient is None else np.asarray(gradient)
        for index in np.ndindex(arrays[place].shape):
            slopes = []
            for sign in (step, -step):
                moved = [one.copy() for one in arrays]
                moved[place][index] += sign
                slopes.append(slope(moved))
            wanted = (slopes[0] - slopes[1]) / (2 * step)
            assert got[index] == pytest.approx(wanted, rel=1e-4, abs=1e-5), (place, index)


@pytest.mark.parametrize(
    ("op", "sample"),
    [(op, one) for _, op, one in SECOND_ORDER],
    ids=[name for name, _, _ in SECOND_ORDER],
)
@pytest.mark.parametrize("sizes", ["known", "symbolic"])
def test_staged_gradients_are_the_eager_ones(op: Op, sample: Sample, sizes: str) -> None:
    if sizes == "symbolic" and op.name == "unstack":
        return  # needs its size
    attributes = attributes_of(op, sample)
    arrays = [np.asarray(one) for one in inputs_of(op, sample)]
    eager = first_gradients(op, [Tensor(one) for one in arrays], attributes)
    trace = Trace("gradient")
    names: dict[int, Dim] = {}
    specs = [spec_of(one) for one in arrays]
    if sizes == "symbolic":
        specs = [symbolic(spec, names) for spec in specs]
    handles = [trace.add_input(spec) for spec in specs]
    with trace.active():
        sources = [one for one in handles if one.dtype.kind == "f"]
        with GradientTape() as tape:
            tape.watch(sources)
            result = OPS.apply(op.name, tuple(handles), attributes)
            results = result if isinstance(result, tuple) else (result,)
            total: Any = 0.0
            for place, one in enumerate(results):
                size: Any = 1
                for axis in range(one.ndim):
                    size = size * OPS.dimension(one, axis)
                weights = OPS.reshape_like(OPS.linspace(0.5, 1.5, size, dtype="float64"), one)
                weights = weights + 0.1 * place
                total = total + OPS.sum(one * one * weights + one * weights)
        staged = tape.gradient(total, sources)
    present = [(one, two) for one, two in zip(staged, eager, strict=True) if two is not None]
    trace.graph.outputs = [trace.value_of(one) for one, _ in present]
    verify(trace.graph)
    for got, (handle, wanted) in zip(evaluate(trace.graph, arrays), present, strict=True):
        np.testing.assert_allclose(got, wanted._value, rtol=1e-10, atol=1e-12)
        assert got.dtype == wanted.dtype and got.shape == wanted.shape
        assert handle.ndim == got.ndim


def symbolic(spec: Any, names: dict[int, Dim]) -> Spec:
    """`spec` with one symbol for each size other than 0 and 1."""
    shape = tuple(
        names.setdefault(dim, Dim.given(dim, 0)) if dim > 1 else dim for dim in spec.shape
    )
    return Spec(spec.dtype, shape)


def gradient(function: Callable[..., Any], *values: Any) -> list[Any]:
    tensors = [Tensor(np.asarray(one)) for one in values]
    with GradientTape() as tape:
        for one in tensors:
            tape.watch(one)
        result = OPS.sum(function(*tensors))
    return [None if one is None else one.tolist() for one in tape.gradient(result, tensors)]


EDGES: list[tuple[str, Callable[..., Any], tuple[Any, ...], list[Any]]] = [
    ("ties of max share", lambda x: OPS.max(x), ([1.0, 3.0, 3.0],), [[0.0, 0.5, 0.5]]),
    ("ties of maximum share", OPS.maximum, (1.0, 1.0), [0.5, 0.5]),
    ("ties of minimum share", OPS.minimum, (1.0, 1.0), [0.5, 0.5]),
    ("sqrt at zero", OPS.sqrt, (0.0,), [math.inf]),
    ("zero to a power", lambda x: x**2.0, (0.0,), [0.0]),
    ("to the power zero", lambda x: x**0.0, (0.0,), [0.0]),
    ("power of zero by exponent", OPS.power, (0.0, 2.0), [0.0, 0.0]),
    ("prod with one zero", OPS.prod, ([2.0, 0.0, 3.0],), [[0.0, 6.0, 0.0]]),
    ("prod with two zeros", OPS.prod, ([0.0, 0.0, 3.0],), [[0.0, 0.0, 0.0]]),
    ("std of equal elements", OPS.std, ([2.0, 2.0],), [[0.0, 0.0]]),
    ("abs at zero", OPS.abs, (0.0,), [0.0]),
    ("relu at zero", OPS.relu, (0.0,), [0.0]),
    ("logsumexp of minus infinity", OPS.logsumexp, ([-math.inf, 0.0],), [[0.0, 1.0]]),
    ("softmax of large numbers", lambda x: OPS.softmax(x)[0], ([1e4, 0.0],), [[0.0, 0.0]]),
    ("sigmoid far out", OPS.sigmoid, ([1e4, -1e4],), [[0.0, 0.0]]),
    (
        "the side of where not taken",
        lambda x: OPS.where(x > 0, OPS.sqrt(OPS.where(x > 0, x, 1)), 0),
        ([0.0, 4.0],),
        [[0.0, 0.25]],
    ),
    ("integers have none", lambda x: x * Tensor([1, 2]), ([1.0, 1.0],), [[1.0, 2.0]]),
    (
        "the last of several writes",
        lambda x: OPS.apply("scatter_set", (Tensor(np.zeros(2)), Tensor([1, 1]), x), {"axis": 0}),
        ([5.0, 7.0],),
        [[0.0, 1.0]],
    ),
]


@pytest.mark.parametrize(
    ("function", "values", "wanted"), [one[1:] for one in EDGES], ids=[one[0] for one in EDGES]
)
def test_gradients_at_edges(function: Callable[..., Any], values: Any, wanted: Any) -> None:
    assert gradient(function, *values) == wanted


def test_a_gradient_has_the_dtype_of_its_input() -> None:
    x, y = Tensor(np.float32([1.0, 2.0])), Tensor(np.float64([[1.0], [3.0]]))
    with GradientTape() as tape:
        tape.watch([x, y])
        z = OPS.sum(x * y + x / y - OPS.where(x > y, x, y) + OPS.maximum(x, y))
    gx, gy = tape.gradient(z, [x, y])
    assert (gx.dtype, gx.shape) == (x.dtype, x.shape)
    assert (gy.dtype, gy.shape) == (y.dtype, y.shape)
