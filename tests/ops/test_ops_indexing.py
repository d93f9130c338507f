"""Indexing and item assignment are NumPy's: eager, staged, and staged with symbolic sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.spec import PYINT, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.trace import Trace
from autograph.runtime.graph.verify import verify
from autograph.runtime.ops.table import OPS

CUBE = np.arange(24.0).reshape(2, 3, 4)
MASK = CUBE % 3 == 0
ROWS, COLUMNS = np.array([[1, -1], [0, 1]]), np.array([2, -2])

KEYS: dict[str, Any] = {
    "int": 1,
    "negative": -1,
    "ints": (1, -2, 3),
    "slice": slice(1, None),
    "slices": (slice(None), slice(None, None, -1), slice(-3, -1)),
    "empty slice": (slice(2, 1), slice(5, 9)),
    "step": (..., slice(None, None, 2)),
    "ellipsis": (0, ..., 1),
    "only ellipsis": ...,
    "new axes": (None, 1, None, slice(0, 2), None),
    "array": np.array([1, -2]),
    "matrix of indices": ROWS,
    "list": [0, 1, 0],
    "empty list": [],
    "small dtype": np.array([1, 0], np.uint8),
    "array and slice": (slice(None), COLUMNS),
    "array after int": (1, COLUMNS),
    "int after array": (ROWS, 1),
    "two arrays": (ROWS, COLUMNS),
    "two arrays apart": (ROWS, slice(0, 2), COLUMNS),
    "three arrays": (ROWS, COLUMNS, 3),
    "array, slice, int": (np.array([0, 1, 1]), slice(None), -1),
    "array with new axis": (np.array([0, 1]), None, slice(1, 3)),
    "int and array apart": (0, slice(1, None), np.array([1, 3])),
    "full mask": MASK,
    "mask of rows": np.array([True, False]),
    "mask of two axes": MASK[:, :, 0],
    "mask in the middle": (slice(None), np.array([True, False, True])),
    "mask and array": (np.array([True, True]), np.array([0, 2])),
    "mask and int": (np.array([True, True]), 1),
    "mask of nothing": np.zeros((2, 3, 4), bool),
}


def as_tensors(key: Any) -> Any:
    """The key with tensors instead of arrays."""
    if isinstance(key, tuple):
        return tuple(as_tensors(one) for one in key)
    return Tensor(key) if isinstance(key, np.ndarray) else key


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS.keys())
@pytest.mark.parametrize("made", [lambda key: key, as_tensors], ids=["arrays", "tensors"])
def test_reading(key: Any, made: Any) -> None:
    result = Tensor(CUBE)[made(key)]
    np.testing.assert_array_equal(result._value, CUBE[key], strict=True)
    np.testing.assert_array_equal(staged_read(made(key), CUBE, ()), CUBE[key], strict=True)
    symbols = tuple(Dim.symbol(name) for name in "abc")
    np.testing.assert_array_equal(staged_read(made(key), CUBE, symbols), CUBE[key], strict=True)


def staged_read(key: Any, x: Any, shape: Any) -> Any:
    trace = Trace("read")
    handle = trace.add_input(Spec(x.dtype, shape or x.shape))
    with trace.active():
        result = handle[key]
    trace.graph.outputs = [trace.value_of(result)]
    verify(trace.graph)
    (got,) = evaluate(trace.graph, [x])
    assert all(
        isinstance(dim, Dim) or dim == size
        for dim, size in zip(result.shape, got.shape, strict=True)
    )
    return got


def written(key: Any, value: Any) -> Any:
    wanted = CUBE.copy()
    wanted[key] = value
    return wanted


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS.keys())
@pytest.mark.parametrize("kind", ["number", "one", "full"])
def test_writing(key: Any, kind: str) -> None:
    part = CUBE[key]
    values = {"number": -5, "one": np.array([[[7]]]) if part.ndim > 2 else np.array(7)}
    value: Any = values.get(kind, -np.arange(part.size * 1.0).reshape(part.shape) - 1)
    x = Tensor(CUBE)
    alias, before = x, x._value
    x[as_tensors(key)] = Tensor(value) if isinstance(value, np.ndarray) else value
    np.testing.assert_array_equal(x._value, written(key, value), strict=True)
    np.testing.assert_array_equal(before, CUBE)
    assert alias._value is x._value
    for shape in (CUBE.shape, tuple(Dim.symbol(name) for name in "abc")):
        trace = Trace("write")
        handle = trace.add_input(Spec(CUBE.dtype, shape))
        with trace.active():
            handle[as_tensors(key)] = value
        trace.graph.outputs = [trace.value_of(handle)]
        verify(trace.graph)
        (got,) = evaluate(trace.graph, [CUBE])
        np.testing.assert_array_equal(got, written(key, value), strict=True)
        assert trace.graph.outputs[0].spec == Spec(CUBE.dtype, shape)


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS.keys())
def test_gradients_of_reading_and_writing(key: Any) -> None:
    x, part = Tensor(CUBE), CUBE[key]
    weights = np.linspace(1, 2, part.size).reshape(part.shape)
    with GradientTape() as tape:
        tape.watch(x)
        y = OPS.sum(x[as_tensors(key)] * weights)
    wanted = np.zeros_like(CUBE)
    np.add.at(wanted, key, weights)
    np.testing.assert_allclose(tape.gradient(y, x)._value, wanted)
    value = Tensor(np.ones(part.shape))
    everywhere = np.linspace(1, 2, CUBE.size).reshape(CUBE.shape)
    with GradientTape() as tape:
        tape.watch([x, value])
        z = OPS.copy(x)
        z[as_tensors(key)] = value
        total = OPS.sum(z * everywhere)
    gx, gvalue = tape.gradient(total, [x, value])
    kept = everywhere.copy()
    kept[key] = 0
    if part.size:
        np.testing.assert_allclose(gx._value, kept)
        places = np.arange(CUBE.size).reshape(CUBE.shape)[key]
        owner = np.full(CUBE.size, -1)
        owner[places.reshape(-1)] = np.arange(places.size)
        last = owner[places] == np.arange(places.size).reshape(places.shape)
        np.testing.assert_allclose(gvalue._value, np.where(last, everywhere[key], 0))


DYNAMIC: dict[str, tuple[Any, tuple[int, ...]]] = {
    "int": (lambda n: n, (-2,)),
    "int of a later axis": (lambda n: (0, n), (2,)),
    "slice": (lambda n: slice(n, None), (1,)),
    "slice by both": (lambda n: (slice(None), slice(n, n + 2)), (1,)),
    "negative slice": (lambda n: (..., slice(None, n, -1)), (-3,)),
    "int beside an array": (lambda n: (ROWS, n), (1,)),
}


@pytest.mark.parametrize(("make", "values"), DYNAMIC.values(), ids=DYNAMIC.keys())
@pytest.mark.parametrize("kind", ["number", "tensor"])
def test_staged_integers_in_keys(make: Any, values: tuple[int, ...], kind: str) -> None:
    trace = Trace("dynamic")
    x = trace.add_input(Spec(CUBE.dtype, CUBE.shape))
    n = trace.add_input(PYINT if kind == "number" else Spec(np.dtype(np.int32), ()))
    with trace.active():
        read = x[make(n)]
        changed = OPS.copy(x)
        changed[make(n)] = -1
    trace.graph.outputs = [trace.value_of(read), trace.value_of(changed)]
    verify(trace.graph)
    (value,) = values
    given = value if kind == "number" else np.array(value, np.int32)
    got, after = evaluate(trace.graph, [CUBE, given])
    np.testing.assert_array_equal(got, CUBE[make(value)], strict=True)
    np.testing.assert_array_equal(after, written(make(value), -1), strict=True)


BAD: dict[str, tuple[Any, type[Exception]]] = {
    "int out of range": (2, IndexError),
    "negative out of range": ((0, -4), IndexError),
    "too many": ((0, 0, 0, 0), IndexError),
    "array out of range": (np.array([0, 2]), IndexError),
    "second array out of range": ((np.array([0, 1]), np.array([0, 3])), IndexError),
    "mask of another size": (np.array([True, False, True]), IndexError),
    "floats": (np.array([0.0]), IndexError),
    "a float": (1.0, IndexError),
    "a name": ("a", IndexError),
    "two ellipses": ((..., 0, ...), IndexError),
    "arrays that do not broadcast": ((np.array([0, 1]), np.array([0, 1, 2])), IndexError),
    "float slice": (slice(0.5, 2), TypeError),
    "zero step": (slice(None, None, 0), ValueError),
}


@pytest.mark.parametrize(("key", "error"), BAD.values(), ids=BAD.keys())
def test_bad_keys_raise_what_numpy_raises(key: Any, error: type[Exception]) -> None:
    with pytest.raises((IndexError, TypeError, ValueError)) as numpy_error:
        CUBE[key]
    with pytest.raises(error) as ours:
        Tensor(CUBE)[as_tensors(key)]
    if numpy_error.type is not IndexError or "broadcast" not in str(numpy_error.value):
        assert issubclass(error, numpy_error.type)
    if "out of range" in str(key) or "out of bounds" in str(numpy_error.value):
        assert str(ours.value) == str(numpy_error.value)
    with pytest.raises(error):
        staged_read(as_tensors(key), CUBE, ())
    with pytest.raises(error):
        Tensor(CUBE)[as_tensors(key)] = 1


def test_a_static_index_out_of_range_raises_while_tracing() -> None:
    trace = Trace("bad")
    x = trace.add_input(Spec(np.dtype(float), (3,)))
    with trace.active(), pytest.raises(IndexError, match="index 3 is out of bounds for axis 0"):
        x[3]


@pytest.mark.parametrize(
    ("dtype", "value", "error"),
    [
        ("uint8", 300, OverflowError),
        ("int64", float("nan"), ValueError),
        ("float64", [1.0, 2.0], ValueError),
        ("float64", "a", TypeError),
    ],
)
def test_values_that_cannot_be_assigned(dtype: str, value: Any, error: type[Exception]) -> None:
    x = Tensor(np.zeros((3,), dtype))
    before = x._value
    with pytest.raises(error):
        x[:] = value
    assert x._value is before


def test_a_mask_takes_as_many_values_as_it_holds() -> None:
    x = Tensor([1.0, 2.0, 3.0])
    with pytest.raises(ValueError):
        x[Tensor([True, True, False])] = Tensor([1.0, 2.0, 3.0])
    x[Tensor([True, False, True])] = [7.0, 8.0]
    assert x.tolist() == [7.0, 2.0, 8.0]


def test_assignment_casts_as_numpy_does() -> None:
    x = Tensor([1, 2, 3])
    x[0] = 2.9
    x[1] = Tensor(np.float64(-1.5))
    x[2] = True
    assert x.tolist() == [2, -1, 1] and x.dtype == np.int64


def test_augmented_item_assignment() -> None:
    x = Tensor(CUBE)
    x[1] += 10
    x[MASK] *= 2
    wanted = CUBE.copy()
    wanted[1] += 10
    wanted[MASK] *= 2
    np.testing.assert_array_equal(x._value, wanted)


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x[0],
        lambda x: x.T,
        lambda x: x.reshape(-1),
        lambda x: OPS.expand_dims(x, 0),
        lambda x: OPS.flip(x),
        lambda x: OPS.broadcast_to(x, (5, *x.shape)),
        lambda x: next(iter(x)),
    ],
)
def test_parts_and_other_forms_are_not_assigned(make: Any) -> None:
    part = make(Tensor(CUBE))
    with pytest.raises(TypeError, match="values, not views"):
        part[0] = 1
    copy = part.copy()
    copy[0] = 1
    later = part + 0
    later[0] = 1


def test_staged_parts_are_not_assigned_either() -> None:
    trace = Trace("parts")
    x = trace.add_input(Spec(np.dtype(float), (3, 3)))
    with trace.active(), pytest.raises(TypeError, match="values, not views"):
        x[0][1] = 1.0


def test_take_gather_scatter() -> None:
    x = Tensor(CUBE)
    np.testing.assert_array_equal(OPS.take(x, [1, 0], axis=-1)._value, np.take(CUBE, [1, 0], -1))
    np.testing.assert_array_equal(OPS.gather(x, ROWS)._value, CUBE[ROWS])
    order = np.argsort(-CUBE, axis=1)
    np.testing.assert_array_equal(
        OPS.take_along_axis(x, Tensor(order), axis=1)._value, np.take_along_axis(CUBE, order, 1)
    )
    counts = OPS.scatter_add(OPS.zeros((3,)), [0, 2, 0, -1], 1.0)
    assert counts.tolist() == [2.0, 0.0, 2.0]
    for found, wanted in zip(OPS.nonzero(Tensor(MASK)), np.nonzero(MASK), strict=True):
        np.testing.assert_array_equal(found._value, wanted)
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        OPS.scatter_add(OPS.zeros((3,)), [3], 1.0)
    with pytest.raises(ValueError):
        OPS.take(x, [0])
