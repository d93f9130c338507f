"""Every op record as a program whose text CPython runs: the reference, within stated ulps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import Op, Sample
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.trace import Trace
from autograph.runtime.lower import build
from autograph.runtime.ops.linear_algebra import factorizations, norms, solving
from autograph.runtime.ops.table import OPS
from tests.harness.op_samples import attributes_of, inputs_of, same_value, samples, spec_of

SAMPLES = list(samples())
ULPS = 8
"""The scalar functions are within 3; what is made of several of them adds up."""
OF_MATRICES = {
    one.name
    for family in (factorizations, solving, norms)
    for one in getattr(family, "RECORDS", ())
}
"""What LAPACK computes: NumPy's and SciPy's are not compiled alike, and small elements of a matrix
have the rounding of its large ones."""
ULPS_OF_MATRICES = 64


def close_matrix(got: Any, wanted: Any) -> bool:
    """Whether two matrices are equal, their elements within ulps of the largest."""
    if got.dtype != wanted.dtype or got.shape != wanted.shape or wanted.dtype.kind not in "fc":
        return same_value(got, wanted)
    if not np.isfinite(wanted).all() or not wanted.size:
        return close(got, wanted)
    unit = np.finfo(wanted.dtype).eps * np.abs(wanted).max()
    return bool((np.abs(got - wanted) <= ULPS_OF_MATRICES * unit).all())


def close(got: Any, wanted: Any) -> bool:
    """Whether two values are equal, floats within ULPS."""
    if isinstance(wanted, ListValue):
        return len(got) == len(wanted) and all(map(close, got, wanted))
    if isinstance(wanted, float) and isinstance(got, float):
        got, wanted = np.asarray(got), np.asarray(wanted)
    if not isinstance(wanted, np.ndarray) or wanted.dtype.kind not in "fc":
        return same_value(got, wanted)
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return False
    finite = np.isfinite(wanted)
    scale = np.maximum(np.abs(wanted[finite]), np.finfo(wanted.dtype).tiny)
    error = np.abs(got[finite] - wanted[finite]) / (scale * np.finfo(wanted.dtype).eps)
    return bool((error <= ULPS).all()) and np.array_equal(
        got[~finite], wanted[~finite], equal_nan=True
    )


@pytest.mark.parametrize(
    ("op", "sample"), [(op, one) for _, op, one in SAMPLES], ids=[name for name, _, _ in SAMPLES]
)
def test_the_program_is_the_reference(op: Op, sample: Sample) -> None:
    check(op, sample, jit=False)


COMPILED = (
    "tanh-0 power-0 floor_divide-1 where-0 astype-1 sum-1 max-0 softmax-0 matmul-0 index-1 "
    "index_set-0 take-0 scatter_add-0 concat-1 cumulative_sum-1 random_unit-0"
).split()


@pytest.mark.compiled
@pytest.mark.parametrize("name", COMPILED)
def test_compiled_it_is_the_reference_too(name: str) -> None:
    ((op, sample),) = [(op, sample) for known, op, sample in SAMPLES if known == name]
    check(op, sample, jit=True)


def check(op: Op, sample: Sample, jit: bool) -> None:
    """The program of one op gives what `evaluate` gives."""
    inputs, attributes = inputs_of(op, sample), attributes_of(op, sample)
    trace = Trace("sample")
    handles = [trace.add_input(spec_of(value)) for value in inputs]
    with trace.active():
        result = OPS.apply(op.name, tuple(handles), attributes)
    results = result if isinstance(result, tuple) else (result,)
    trace.graph.outputs = [trace.value_of(one) for one in results]
    program = build(trace.graph, jit=jit)
    for got, wanted in zip(program.run(inputs), evaluate(trace.graph, inputs), strict=True):
        fits = close_matrix if op.name in OF_MATRICES else close
        assert fits(got, wanted), f"{got!r} is not {wanted!r}\n{program.text}"
