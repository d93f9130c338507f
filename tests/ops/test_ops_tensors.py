"""Operators and methods of Tensor, functions made of ops, bad input, and registering an op."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.core.record import Elementwise, Op, Sample
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import ArgumentTypeError, Tensor
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS, RECORDS

X = np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -1.5]])
ROW = np.array([2.0, 3.0, -4.0])


@pytest.mark.parametrize(
    "name",
    "add sub mul truediv floordiv mod pow eq ne lt le gt ge".split(),
)
@pytest.mark.parametrize(
    "other", [ROW, ROW.tolist(), 2, 2.5, True, np.float32(1.5), np.array(3)], ids=repr
)
def test_operators_with_arrays_and_numbers(name: str, other: Any) -> None:
    function = getattr(operator, name)
    with np.errstate(all="ignore"):
        wanted = function(X, other), function(np.asarray(other), X)
    both = (function(Tensor(X), other), function(other, Tensor(X)))
    for got, expected in zip(both, wanted, strict=True):
        assert type(got) is Tensor
        np.testing.assert_array_equal(got._value, expected)


@pytest.mark.parametrize("name", ["and_", "or_", "xor", "lshift", "rshift"])
def test_bit_operators(name: str) -> None:
    function, x = getattr(operator, name), np.array([5, 12, 7])
    for other in (3, np.array([1, 2, 3])):
        np.testing.assert_array_equal(function(Tensor(x), other)._value, function(x, other))
        np.testing.assert_array_equal(function(other, Tensor(x))._value, function(other, x))


def test_matmul_divmod_unary_round() -> None:
    x = Tensor(X)
    np.testing.assert_array_equal((x @ ROW)._value, X @ ROW)
    np.testing.assert_array_equal((X.T @ x)._value, X.T @ X)
    for got, wanted in zip(divmod(x, 2), divmod(X, 2), strict=True):
        np.testing.assert_array_equal(got._value, wanted)
    np.testing.assert_array_equal((-x)._value, -X)
    np.testing.assert_array_equal(abs(x)._value, abs(X))
    np.testing.assert_array_equal((~Tensor([True, False]))._value, [False, True])
    np.testing.assert_array_equal(round(x)._value, np.round(X))
    np.testing.assert_array_equal(round(Tensor([1.256]), 2)._value, np.float32([1.26]))


def test_comparing_and_hashing() -> None:
    x = Tensor(X)
    assert (x == None) is False and (x != "a") is True  # noqa: E711
    with pytest.raises(TypeError, match="unhashable type: 'Tensor'"):
        hash(x)
    assert 3.0 in x and 7.0 not in x


def test_operators_leave_unknown_operands_to_the_other_side() -> None:
    class Other:
        def __radd__(self, left: Any) -> str:
            return "theirs"

    assert Tensor(X) + Other() == "theirs"
    with pytest.raises(TypeError):
        Tensor(X) + "a"
    with pytest.raises(TypeError):
        Tensor(X) + None


METHODS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "T": (lambda x: x.T, lambda x: x.T),
    "mT": (lambda x: x.mT, lambda x: x.T),
    "astype": (lambda x: x.astype("float32"), lambda x: x.astype("float32")),
    "reshape": (lambda x: x.reshape(3, -1), lambda x: x.reshape(3, -1)),
    "reshape of a tuple": (lambda x: x.reshape((3, 2)), lambda x: x.reshape(3, 2)),
    "transpose": (lambda x: x.transpose(1, 0), lambda x: x.T),
    "flatten": (lambda x: x.flatten(), lambda x: x.flatten()),
    "squeeze": (lambda x: x[:, :1].squeeze(1), lambda x: x[:, 0]),
    "sum": (lambda x: x.sum(0), lambda x: x.sum(0)),
    "mean": (lambda x: x.mean(axis=(0, 1), keepdims=True), lambda x: x.mean(keepdims=True)),
    "max": (lambda x: x.max(1), lambda x: x.max(1)),
    "argmin": (lambda x: x.argmin(), lambda x: np.asarray(x.argmin())),
    "std": (lambda x: x.std(axis=0, correction=1), lambda x: x.std(axis=0, ddof=1)),
    "any": (lambda x: (x > 3).any(0), lambda x: (x > 3).any(0)),
    "clip": (lambda x: x.clip(-1, 2), lambda x: x.clip(-1, 2)),
    "clip on one side": (lambda x: x.clip(max=2), lambda x: x.clip(max=2)),
    "round": (lambda x: x.round(1), lambda x: x.round(1)),
    "iteration": (lambda x: OPS.stack(list(x)), lambda x: x),
}


@pytest.mark.parametrize(("ours", "numpys"), METHODS.values(), ids=METHODS.keys())
def test_methods(ours: Any, numpys: Any) -> None:
    np.testing.assert_allclose(ours(Tensor(X))._value, numpys(X), rtol=1e-15, strict=True)


FUNCTIONS: dict[str, tuple[Callable[[], Any], Any]] = {
    "zeros": (lambda: OPS.zeros((2, 3)), np.zeros((2, 3), np.float32)),
    "zeros of one size": (lambda: OPS.zeros(2, dtype="int8"), np.zeros(2, np.int8)),
    "ones": (lambda: OPS.ones([2], dtype=np.float64), np.ones(2)),
    "full": (lambda: OPS.full((2,), 7), np.full((2,), 7)),
    "full of a dtype": (lambda: OPS.full((), 7, dtype="float32"), np.float32(7)),
    "zeros_like": (lambda: OPS.zeros_like(X), np.zeros_like(X)),
    "ones_like": (lambda: OPS.ones_like(Tensor([1, 2])), np.array([1, 1])),
    "full_like": (lambda: OPS.full_like(X, 2, dtype="int32"), np.full_like(X, 2, "int32")),
    "arange": (lambda: OPS.arange(2, 9, 3), np.arange(2, 9, 3)),
    "arange down": (lambda: OPS.arange(5, 0, -2), np.arange(5, 0, -2)),
    "arange of nothing": (lambda: OPS.arange(5, 0), np.arange(5, 0)),
    "arange of floats": (lambda: OPS.arange(0.0, 1.0, 0.25), np.arange(0, 1, 0.25, np.float32)),
    "arange of tensors": (lambda: OPS.arange(Tensor(1), Tensor(4)), np.arange(1, 4)),
    "linspace": (lambda: OPS.linspace(0, 1, 3), np.linspace(0, 1, 3, dtype=np.float32)),
    "eye": (lambda: OPS.eye(2, 3, k=1), np.eye(2, 3, 1, np.float32)),
    "tril": (lambda: OPS.tril(X, k=-1), np.tril(X, -1)),
    "concat": (lambda: OPS.concat([X, ROW[None]]), np.concatenate([X, ROW[None]])),
    "concat flat": (lambda: OPS.concat([X, ROW], axis=None), np.concatenate([X, ROW], None)),
    "stack": (lambda: OPS.stack((ROW, Tensor(ROW)), axis=1), np.stack([ROW, ROW], 1)),
    "where": (lambda: OPS.where(X, X, 0), np.where(X, X, 0)),
    "moveaxis": (lambda: OPS.moveaxis(np.zeros((2, 3, 4)), 0, -1), np.zeros((3, 4, 2))),
    "outer": (lambda: OPS.outer(ROW, ROW), np.outer(ROW, ROW)),
    "vecdot": (lambda: OPS.vecdot(X, ROW), X @ ROW),
    "positional attributes": (lambda: OPS.sum(X, 0), X.sum(0)),
    "inputs by name": (lambda: OPS.add(x=X, y=ROW), X + ROW),
    "a tuple of axes": (lambda: OPS.expand_dims(ROW, (0, 2)), ROW[None, :, None]),
    "numpy ints": (lambda: OPS.sum(X, axis=np.int64(1)), X.sum(1)),
    "a tensor as an attribute": (lambda: OPS.reshape(X, (Tensor(3), 2)), X.reshape(3, 2)),
    "power of two": (lambda: Tensor([3, -4]) ** 2, np.array([9, 16])),
    "big-endian": (lambda: OPS.add(X.astype(">f8"), 1), X + 1),
    "not contiguous": (lambda: OPS.asarray(X[:, ::-2]), X[:, ::-2]),
}


@pytest.mark.parametrize(("ours", "wanted"), FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_functions(ours: Callable[[], Any], wanted: Any) -> None:
    got = ours()
    assert type(got) is Tensor and type(got._value) is np.ndarray
    np.testing.assert_array_equal(got._value, wanted)
    assert got.dtype == np.asarray(wanted).dtype and got.dtype.isnative
    trace = Trace("function")
    with trace.active():
        staged = ours()
    trace.graph.outputs = [trace.value_of(staged)]
    (result,) = evaluate(trace.graph, [])
    np.testing.assert_array_equal(result, got._value, strict=True)


def test_asarray_copies() -> None:
    array = np.zeros(3)
    tensor = OPS.asarray(array)
    array[0] = 1
    assert tensor.tolist() == [0.0, 0.0, 0.0]
    other = OPS.asarray(tensor)
    other[0] = 5
    assert tensor.tolist() == [0.0, 0.0, 0.0]


BAD: dict[str, tuple[Callable[[], Any], type[Exception]]] = {
    "shapes that do not broadcast": (lambda: OPS.add(X, np.zeros(2)), ValueError),
    "shapes for matmul": (lambda: OPS.matmul(X, X), ValueError),
    "a 0-d matmul": (lambda: OPS.matmul(X, 1.0), ValueError),
    "an axis": (lambda: OPS.sum(X, axis=2), np.exceptions.AxisError),
    "a repeated axis": (lambda: OPS.sum(X, axis=(0, 0)), ValueError),
    "an axis of concat": (lambda: OPS.concat([X, X], axis=2), np.exceptions.AxisError),
    "shapes of concat": (lambda: OPS.concat([X, ROW[None, :2]]), ValueError),
    "shapes of stack": (lambda: OPS.stack([ROW, ROW[:2]]), ValueError),
    "nothing to stack": (lambda: OPS.stack([]), ValueError),
    "a reshape": (lambda: OPS.reshape(X, (4, 2)), ValueError),
    "two unknown sizes": (lambda: OPS.reshape(X, (-1, -1)), ValueError),
    "a broadcast": (lambda: OPS.broadcast_to(X, (3, 3)), ValueError),
    "a negative size": (lambda: OPS.zeros((-1,)), ValueError),
    "a size that is no integer": (lambda: OPS.zeros((1.5,)), TypeError),
    "axes that do not permute": (lambda: OPS.permute_dims(X, (0, 0)), ValueError),
    "a squeeze": (lambda: OPS.squeeze(X, 0), ValueError),
    "the max of nothing": (lambda: OPS.max(np.zeros((0,))), ValueError),
    "the argmax of nothing": (lambda: OPS.argmax(np.zeros((0,))), ValueError),
    "minus of bools": (lambda: OPS.negative([True]), TypeError),
    "a difference of bools": (lambda: OPS.subtract([True], [False]), TypeError),
    "bits of floats": (lambda: OPS.bitwise_and(X, X), TypeError),
    "a shift of floats": (lambda: OPS.bitwise_left_shift(X, 1), TypeError),
    "a negative integer power": (lambda: OPS.power([2], [-1]), ValueError),
    "a number out of bounds": (lambda: Tensor(np.zeros(1, np.uint8)) + 300, OverflowError),
    "an unknown dtype": (lambda: OPS.astype(X, "float16"), TypeError),
    "a string": (lambda: OPS.exp("a"), ArgumentTypeError),
    "an object": (lambda: OPS.asarray(object()), ArgumentTypeError),
    "a ragged list": (lambda: OPS.asarray([[1], [1, 2]]), ArgumentTypeError),
    "a complex array": (lambda: OPS.floor(np.array([1j])), TypeError),
    "a half array": (lambda: OPS.exp(np.zeros(1, np.float16)), ArgumentTypeError),
    "an argument too many": (lambda: OPS.exp(X, 1, 2), TypeError),
    "an argument missing": (lambda: OPS.add(X), TypeError),
    "an unknown keyword": (lambda: OPS.sum(X, axes=1), TypeError),
    "an argument twice": (lambda: OPS.sum(X, 0, axis=0), TypeError),
    "one-hot of floats": (lambda: OPS.one_hot(X, num_classes=2), TypeError),
    "a step of zero": (lambda: OPS.arange(0, 3, 0), ZeroDivisionError),
    "a seed of floats": (lambda: OPS.random_uniform((2,), seed=1.5), TypeError),
}


@pytest.mark.parametrize(("call", "error"), BAD.values(), ids=BAD.keys())
def test_bad_input(call: Callable[[], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        call()
    trace = Trace("bad")
    with trace.active(), pytest.raises(error):
        result = call()
        trace.graph.outputs = [trace.value_of(result)]
        evaluate(trace.graph, [])  # what only the values tell raises when the graph runs


# random -------------------------------------------------------------------------------------------
def staged_draw(function: Callable[[Any], Any], seed: int) -> Any:
    trace = Trace("random")
    handle = trace.add_input(Spec(np.dtype(np.int64), ()))
    with trace.active():
        result = function(handle)
    trace.graph.outputs = [trace.value_of(result)]
    return evaluate(trace.graph, [np.array(seed)])[0]


@pytest.mark.parametrize(
    "function",
    [
        lambda seed: OPS.random_uniform((3, 4), seed=seed),
        lambda seed: OPS.random_uniform((5,), -1.0, 2.0, seed=seed, dtype="float64"),
        lambda seed: OPS.random_normal((3, 4), seed=seed),
        lambda seed: OPS.random_integers(3, 9, (20,), seed=seed),
    ],
)
def test_equal_seeds_give_equal_numbers(function: Callable[[Any], Any]) -> None:
    one = function(7)._value
    np.testing.assert_array_equal(one, function(Tensor(7))._value)
    np.testing.assert_array_equal(one, staged_draw(function, 7))
    assert not np.array_equal(one, function(8)._value)


def test_random_numbers_are_spread_as_they_should() -> None:
    uniform = OPS.random_uniform((100_000,), seed=3, dtype="float64")._value
    assert 0 <= uniform.min() and uniform.max() < 1
    assert abs(uniform.mean() - 0.5) < 0.005 and abs(uniform.var() - 1 / 12) < 0.002
    normal = OPS.random_normal((100_000,), seed=3, dtype="float64")._value
    assert abs(normal.mean()) < 0.015 and abs(normal.std() - 1) < 0.01
    assert abs(np.corrcoef(normal[:-1], normal[1:])[0, 1]) < 0.015
    counts = np.bincount(OPS.random_integers(6, shape=(60_000,), seed=3)._value)
    assert counts.size == 6 and abs(counts - 10_000).max() < 500
    seeds = np.array([OPS.random_uniform((), seed=seed).item() for seed in range(2000)])
    assert abs(seeds.mean() - 0.5) < 0.02


def test_the_first_bits_stay_what_they_are() -> None:
    bits = OPS.random_bits(42, [0, 1, 2])._value
    assert [f"{one:016x}" for one in bits.tolist()] == FIRST_BITS


FIRST_BITS = ["4f6cc618de79f4b9", "fe251627268fd86c", "1b41c6e88533bc2a"]


def test_without_a_seed_each_draw_differs_and_set_seed_repeats_them() -> None:
    OPS.set_seed(5)
    first = [OPS.random_uniform((3,)).tolist() for _ in range(3)]
    assert first[0] != first[1] != first[2]
    OPS.set_seed(5)
    assert [OPS.random_uniform((3,)).tolist() for _ in range(3)] == first


# a new op -----------------------------------------------------------------------------------------
def test_a_new_elementwise_op_is_one_record() -> None:
    op = Op(
        name="softsign_example",
        summary="x / (1 + |x|).",
        infer=lambda x: x,
        reference=lambda x: x / (1 + np.abs(x)),
        gradient=(lambda o, g, out, x: g / o.square(1 + o.abs(x)),),
        lowering=Elementwise("{0} / (1 + abs({0}))"),
        samples=(Sample(([1.0, -2.0],)),),
    )
    try:
        softsign = OPS.register(op)
        x = Tensor([1.0, -3.0])
        assert softsign(x).tolist() == OPS.softsign_example(x).tolist() == [0.5, -0.75]
        with GradientTape() as tape:
            tape.watch(x)
            y = OPS.sum(softsign(x))
        assert tape.gradient(y, x).tolist() == [0.25, 0.0625]
        assert staged_draw(lambda seed: softsign(OPS.astype(seed, "float64")), 3) == 0.75
        with pytest.raises(ValueError, match="already"):
            OPS.register(op)
    finally:
        del RECORDS["softsign_example"]
        del OPS.softsign_example
        del OPS._functions["softsign_example"]


def test_a_record_that_lacks_something_fails_where_it_is_made() -> None:
    with pytest.raises(TypeError, match="lowering"):
        Op(name="a", summary="b", infer=id, reference=abs, gradient=())  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="has 1 inputs"):
        Op(
            name="a",
            summary="b",
            infer=id,
            reference=lambda x: x,
            gradient=(None, None),
            lowering=Elementwise("{0}"),
        )


def test_every_function_has_a_name_and_a_meaning() -> None:
    for name in OPS:
        function = getattr(OPS, name)
        assert function.__name__ == name and function.__doc__, name
    with pytest.raises(AttributeError, match="no op 'nothing'"):
        _ = OPS.nothing
