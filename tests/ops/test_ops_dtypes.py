"""Promotion is NumPy's, for every pair of dtypes and for Python numbers, eager and inferred."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from autograph.runtime.core import dtypes
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import Op
from autograph.runtime.core.spec import NUMBER_SPECS, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS, RECORDS

BINARY = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "floor_divide": np.floor_divide,
    "remainder": np.remainder,
    "power": np.power,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "equal": np.equal,
    "less": np.less,
    "greater_equal": np.greater_equal,
    "logical_and": np.logical_and,
    "bitwise_and": np.bitwise_and,
    "bitwise_xor": np.bitwise_xor,
    "bitwise_left_shift": np.left_shift,
    "matmul": np.matmul,
}
SHAPES = {"matmul": (2, 2)}
PAIRS = list(itertools.product(dtypes.ALL, dtypes.ALL))


def outcome(function: Any, *inputs: Any) -> Any:
    """The result as an array, or the class of the exception."""
    with np.errstate(all="ignore"):
        try:
            return np.asarray(function(*inputs))
        except (TypeError, ValueError, OverflowError) as error:
            return TypeError if isinstance(error, TypeError) else type(error)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, type) or isinstance(other, type):
        return one is other
    return one.dtype == other.dtype and bool(np.array_equal(one, other, equal_nan=True))


@pytest.mark.parametrize("name", BINARY)
def test_every_pair_of_dtypes(name: str) -> None:
    shape = SHAPES.get(name, (2,))
    for left, right in PAIRS:
        x, y = np.full(shape, 3).astype(left), np.full(shape, 2).astype(right)
        wanted = outcome(BINARY[name], x, y)
        got = outcome(getattr(OPS, name), Tensor(x), Tensor(y))
        assert same(got, wanted), (left, right, got, wanted)
        inferred = outcome_of_infer(RECORDS[name], Spec(left, shape), Spec(right, shape))
        assert inferred is wanted or inferred == wanted.dtype, (left, right)


def outcome_of_infer(op: Op, *specs: Spec) -> Any:
    try:
        return op.infer(*specs).dtype
    except TypeError:
        return TypeError


@pytest.mark.parametrize("name", [name for name in BINARY if name != "matmul"])
@pytest.mark.parametrize("number", [True, 2, 1.5, -1, 300], ids=str)
@pytest.mark.parametrize("side", ["left", "right"])
def test_python_numbers_are_weak(name: str, number: Any, side: str) -> None:
    if name == "bitwise_left_shift" and number not in (True, 2):
        number = 3
    for dtype in dtypes.ALL:
        x = np.full((2,), 3).astype(dtype)
        operands = (number, x) if side == "left" else (x, number)
        wanted = outcome(BINARY[name], *operands)
        tensors = tuple(Tensor(one) if one is x else one for one in operands)
        function = getattr(OPS, name)
        assert same(outcome(function, *tensors), wanted), (dtype, "eager")
        assert same(outcome(staged, function, operands, x), wanted), (dtype, "staged")
        assert same(outcome(staged, function, operands, x, True), wanted), (dtype, "number")


def staged(function: Any, operands: tuple[Any, ...], x: Any, number: bool = False) -> Any:
    """The result of a graph; with `number` the Python number is an input of it too."""
    trace = Trace("promotion")
    handles, inputs = [], []
    for one in operands:
        if one is x:
            handles.append(trace.add_input(Spec(x.dtype, x.shape)))
            inputs.append(one)
        elif number:
            handles.append(trace.add_input(NUMBER_SPECS[type(one)]))
            assert isinstance(handles[-1], Number)
            inputs.append(one)
        else:
            handles.append(one)
    with trace.active():
        result = function(*handles)
    trace.graph.outputs = [trace.value_of(result)]
    (got,) = evaluate(trace.graph, inputs)
    spec = trace.graph.outputs[0].spec
    assert isinstance(spec, Spec) and got.dtype == spec.dtype
    return got


FLOAT_FUNCTIONS = ("exp", "log", "sqrt", "sin", "tanh", "sigmoid", "log1p", "softmax", "logsumexp")


@pytest.mark.parametrize("name", FLOAT_FUNCTIONS)
def test_float_functions_of_integers(name: str) -> None:
    for dtype in dtypes.ALL:
        x = Tensor(np.ones((2,), dtype))
        wide = dtype.itemsize >= 4 and dtype != dtypes.float32
        assert getattr(OPS, name)(x).dtype == (dtypes.float64 if wide else dtypes.float32)


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "max", "any", "cumulative_sum"])
def test_reductions_give_the_dtypes_of_numpy(name: str) -> None:
    numpy_function = getattr(np, {"cumulative_sum": "cumsum"}.get(name, name))
    for dtype in dtypes.ALL:
        x = np.ones((3,), dtype)
        assert getattr(OPS, name)(Tensor(x)).dtype == numpy_function(x).dtype


OF_MATRICES = (
    "tril triu inv det cofactors slogdet expm cholesky eigh eig svd qr pinv lu_diagonal".split()
)
OF_ONE_TENSOR = [
    name
    for name, op in RECORDS.items()
    if op.samples and not name.startswith(("py_", "list_", "to_", "random_", "checked_"))
    if len(op.samples[0].inputs) == 1 and not op.samples[0].attributes
]


@pytest.mark.parametrize("name", OF_ONE_TENSOR)
def test_inference_of_every_dtype(name: str) -> None:
    op = RECORDS[name]
    for dtype in dtypes.ALL:
        x = np.eye(2).astype(dtype) if name in OF_MATRICES else np.ones((2,), dtype)
        several = name in ("unstack", *OF_MATRICES)
        found = op.reference(x) if several else outcome(op.reference, x)
        result = found[0] if isinstance(found, tuple) else found
        try:
            inferred = op.infer(Spec(x.dtype, x.shape))
        except TypeError:
            assert result is TypeError, dtype
            continue
        spec = inferred[0] if isinstance(inferred, tuple) else inferred
        assert spec.dtype == np.asarray(result).dtype, dtype


def test_python_numbers_alone_take_the_default_dtype() -> None:
    assert OPS.exp(1.0).dtype == dtypes.float32
    assert OPS.add(1, 2).dtype == dtypes.int64
    assert OPS.asarray([1, 2]).dtype == dtypes.int64
    assert OPS.asarray([[True]]).dtype == dtypes.bool_
    assert OPS.where(OPS.asarray([True]), 1.0, 0.0).dtype == dtypes.float32
    dtypes.set_default_dtype(dtypes.float64)
    try:
        assert OPS.exp(1.0).dtype == OPS.zeros((2,)).dtype == dtypes.float64
    finally:
        dtypes.set_default_dtype(dtypes.float32)
    assert OPS.exp(np.float64(1.0)).dtype == dtypes.float64


def test_int64_and_uint64_compare_by_value() -> None:
    signed, unsigned = np.array([-1, 2**63 - 1, 5]), np.array([2**64 - 1, 2**63, 5], np.uint64)
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        for x, y in ((signed, unsigned), (unsigned, signed)):
            wanted = getattr(np, name)(x, y)
            assert np.array_equal(getattr(OPS, name)(Tensor(x), Tensor(y))._value, wanted)


@pytest.mark.filterwarnings("error")
def test_no_warning_reaches_the_user() -> None:
    big = Tensor(np.array([3e38, -1.0, 0.0], np.float32))
    for result in (
        big * 10,
        big + big,
        big / 0,
        0 / big,
        OPS.log(big),
        OPS.sqrt(big),
        OPS.exp(big),
        big % 0,
        big // 0,
        OPS.power(big, 0.5),
        OPS.sum(big * big),
        OPS.mean(OPS.zeros((0,))),
        OPS.astype(big * 10, "int32"),
        OPS.softmax(big * 10),
        OPS.var(OPS.zeros((1,)), correction=1),
        OPS.cumulative_prod(big),
        OPS.square(big),
        OPS.matmul(big, big),
        Tensor([1, 2]) // 0,
        Tensor([1, 2]) % 0,
        Tensor(np.array(127, np.int8)) + 1,
    ):
        assert type(result) is Tensor
    assert (Tensor([1, -2]) // 0).tolist() == [0, 0]
    assert (Tensor([1, -2]) % 0).tolist() == [0, 0]
