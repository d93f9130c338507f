"""The functions of the array API standard (2024.12): as NumPy's, eager and staged."""

from __future__ import annotations

import linecache
import re
from typing import Any

import numpy as np
import pytest

import autograph as ag

# Each is called with xp = NumPy and xp = autograph, on the tensors that VALUES makes.
CALLS = """
xp.arange(5)
xp.arange(1, 9, 2)
xp.arange(0.0, 1.0, 0.25)
xp.arange(3, dtype=xp.float64)
xp.asarray([1, 2])
xp.asarray([1.5, 2.0], dtype=xp.float64)
xp.asarray(x, copy=True)
xp.empty((2, 0))
xp.zeros(3, device=x.device)
xp.full_like(x, 2.0, device=x.device)
xp.astype(x, xp.float32, device=x.device)
x[True]
x[False]
x[xp.asarray(True)]
x[:2][xp.asarray([], dtype=xp.bool)]
xp.round(x * (1.2 + 3.7j))
xp.round(x * (1.2 + 3.7j), decimals=1)
xp.reshape(x, (-1,), copy=True)
xp.vecdot(x, [1 / 3] * x.shape[-1])
xp.outer(v, [1 / 3, 1.0])
xp.concat([x.reshape(-1), [1 / 3]])
xp.sign(x * 0j)
xp.result_type(x.dtype, 1j).type(1)
xp.linalg.pinv(x, rtol=1e-10)
xp.empty_like(x[:0])
xp.eye(3)
xp.eye(2, 4, k=1, dtype=xp.int64)
xp.full((2, 2), 7)
xp.full((2,), 1.5, dtype=xp.float64)
xp.full_like(x, 3.0)
xp.full_like(i, 3, dtype=xp.int8)
xp.linspace(0.0, 1.0, 5)
xp.linspace(0.0, 1.0, num=4, endpoint=False)
xp.meshgrid(v, xp.asarray([1.0, 2.0]), indexing="ij")[1]
xp.ones((2, 3))
xp.ones_like(i)
xp.zeros(4)
xp.zeros_like(x, dtype=xp.int32)
xp.tril(x, k=-1)
xp.triu(x, k=1)
xp.astype(x, xp.int32)
xp.astype(x, xp.float64, copy=False)
xp.can_cast(xp.int32, xp.float64)
float(xp.finfo(xp.float32).eps)
xp.iinfo(xp.int16).max
xp.isdtype(xp.float32, "real floating")
xp.result_type(x, i)
xp.result_type(xp.int8, xp.int16)
xp.abs(x)
xp.acos(u)
xp.acosh(1 + xp.abs(x))
xp.add(x, v)
xp.asin(u)
xp.asinh(x)
xp.atan(x)
xp.atan2(x, v)
xp.atanh(u * 0.9)
xp.bitwise_and(i, j)
xp.bitwise_left_shift(i, 2)
xp.bitwise_invert(i)
xp.bitwise_or(i, j)
xp.bitwise_right_shift(i, 1)
xp.bitwise_xor(i, j)
xp.ceil(x)
xp.clip(x, 0.0, 1.0)
xp.clip(x, min=0.0)
xp.clip(x, max=v)
xp.conj(x)
xp.copysign(x, v)
xp.cos(x)
xp.cosh(x)
xp.divide(x, v)
xp.equal(i, j)
xp.exp(x)
xp.expm1(x)
xp.floor(x)
xp.floor_divide(i, j + 1)
xp.greater(x, v)
xp.greater_equal(x, 0.5)
xp.hypot(x, v)
xp.imag(z)
xp.isfinite(e)
xp.isinf(e)
xp.isnan(e)
xp.less(x, v)
xp.less_equal(x, v)
xp.log(xp.abs(x))
xp.log1p(xp.abs(x))
xp.log2(xp.abs(x))
xp.log10(xp.abs(x))
xp.logaddexp(x, v)
xp.logical_and(b, ~b)
xp.logical_not(b)
xp.logical_or(b, ~b)
xp.logical_xor(b, b)
xp.maximum(x, v)
xp.minimum(x, 0.0)
xp.multiply(x, v)
xp.negative(x)
xp.nextafter(x, v)
xp.not_equal(i, j)
xp.positive(x)
xp.pow(x, 2)
xp.pow(xp.abs(x), v)
xp.real(z)
xp.reciprocal(x)
xp.remainder(i, j + 1)
xp.round(x)
xp.sign(x)
xp.signbit(x)
xp.sin(x)
xp.sinh(x)
xp.square(x)
xp.sqrt(xp.abs(x))
xp.subtract(x, v)
xp.tan(x)
xp.tanh(x)
xp.trunc(x)
xp.max(x)
xp.max(x, axis=1, keepdims=True)
xp.mean(x, axis=0)
xp.min(x, axis=(0, 1))
xp.prod(i, axis=1)
xp.std(x, axis=0, correction=1)
xp.sum(x, axis=-1, keepdims=True)
xp.sum(i, dtype=xp.float32)
xp.var(x, correction=1.0)
xp.all(b, axis=0)
xp.any(b, axis=1, keepdims=True)
xp.diff(x, axis=0)
xp.diff(x, n=2)
xp.count_nonzero(i, axis=0)
xp.cumulative_sum(x, axis=1)
xp.cumulative_sum(v, include_initial=True)
xp.cumulative_prod(x, axis=0, include_initial=True)
xp.broadcast_arrays(x, v)[1]
xp.broadcast_to(v, (2, 3))
xp.concat([x, x], axis=1)
xp.concat((x, i), axis=None)
xp.expand_dims(x, axis=1)
xp.expand_dims(x, axis=(0, -1))
xp.flip(x)
xp.flip(x, axis=0)
xp.moveaxis(c, 0, -1)
xp.moveaxis(c, (0, 1), (-1, 0))
xp.permute_dims(c, (2, 0, 1))
xp.repeat(x, 2, axis=1)
xp.repeat(v, xp.asarray([1, 0, 2]))
xp.reshape(x, (3, 2))
xp.reshape(x, (-1,))
xp.roll(x, 1, axis=1)
xp.roll(x, 2)
xp.roll(x, (1, 2), axis=(0, 1))
xp.squeeze(x[:, None], axis=1)
xp.stack([x, x], axis=-1)
xp.tile(x, (2, 1))
xp.unstack(x, axis=1)[2]
xp.argmax(x, axis=1)
xp.argmin(x)
xp.nonzero(b)[0]
xp.searchsorted(s, v)
xp.searchsorted(s, v, side="right")
xp.searchsorted(v, s, sorter=xp.argsort(v))
xp.where(b, x, v)
xp.argsort(x, axis=0)
xp.sort(x, axis=-1)
xp.sort(v, stable=True)
xp.argsort(v, stable=False)
xp.unique_all(i).counts
xp.unique_counts(i)[1]
xp.unique_inverse(i)[1]
xp.sort(xp.unique_values(i))
xp.take(x, xp.asarray([2, 0]), axis=1)
xp.take(v, xp.asarray([1, 1]))
xp.take_along_axis(x, xp.argsort(x, axis=1), axis=1)
xp.matmul(x, x.T)
xp.matrix_transpose(c)
xp.tensordot(x, c, axes=((1,), (2,)))
xp.vecdot(x, v)
xp.vecdot(x, x, axis=0)
x.T
c.mT
x.ndim
x.shape
x.size
x @ x.T
x[..., 1]
x[:, None]
x[b]
-x
+x
abs(x)
~i
i << 1
i >> 1
x ** 2
2 ** x
i % 3
i // 2
xp.isclose(x, v)
xp.e
xp.pi
xp.inf
xp.newaxis
"""
MODES = ["eager", "evaluate", "text"]


def values() -> dict[str, Any]:
    return {
        "x": np.array([[0.5, -1.25, 2.0], [1.5, 0.75, -0.25]]),
        "v": np.array([1.0, 0.5, 2.5]),
        "u": np.array([-0.9, 0.1, 0.5]),
        "s": np.array([0.0, 0.5, 1.0, 2.0]),
        "e": np.array([np.inf, -np.inf, np.nan, 1.0]),
        "c": np.arange(12.0).reshape(2, 2, 3),
        "z": np.array([1 + 2j, 3j]),
        "i": np.array([[3, -4, 5], [0, 3, 7]]),
        "j": np.array([[1, 2, 6], [3, 0, 4]]),
        "b": np.array([[True, False, True], [False, False, True]]),
    }


@pytest.fixture(autouse=True)
def double() -> Any:
    """NumPy's default dtype."""
    ag.set_default_dtype(ag.float64)
    yield
    ag.set_default_dtype(ag.float32)


def called(call: str, mode: str) -> Any:
    given = {name: ag.asarray(one) for name, one in values().items()}
    if mode == "eager":
        return eval(call, {"xp": ag, **given})
    used = [name for name in given if re.search(rf"\b{name}\b", call)]
    text = f"def f({', '.join(used)}):\n    return {call}\n"
    path = f"<{call}>"
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    names: dict[str, Any] = {"xp": ag}
    exec(compile(text, path, "exec"), names)
    staged = ag.function(mode=mode)(names["f"])  # type: ignore[call-overload]
    return staged(*(given[name] for name in used))


@pytest.mark.parametrize("call", CALLS.strip().splitlines())
def test_as_numpy_does(call: str) -> None:
    wanted = np.asarray(eval(call, {"xp": np, **values()}))
    for mode in MODES:
        found = np.asarray(called(call, mode))
        assert found.dtype == wanted.dtype and found.shape == wanted.shape, mode
        if wanted.dtype.kind in "biufc":
            np.testing.assert_allclose(found, wanted, rtol=1e-13, err_msg=mode)
        else:
            assert (found == wanted).all(), mode


class Foreign:
    """An array of another library."""

    def __dlpack__(self, **wanted: Any) -> Any:
        return np.arange(3.0).__dlpack__(**wanted)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


FOREIGN = Foreign()


def test_arrays_come_and_go() -> None:
    x = np.arange(3.0)
    tensor = ag.from_dlpack(x)
    assert ag.from_dlpack(FOREIGN).tolist() == [0.0, 1.0, 2.0]
    x[0] = 9.0
    assert tensor.tolist() == [0.0, 1.0, 2.0] and tensor.dtype == ag.float64
    again = np.from_dlpack(tensor)
    if again.flags.writeable:
        again[0] = 9.0
    assert tensor.tolist() == [0.0, 1.0, 2.0]
    assert ag.from_dlpack(tensor) is not tensor
    with pytest.raises(BufferError, match="not shared"):
        np.from_dlpack(tensor, copy=False)
    staged = ag.function(mode="evaluate")(lambda y: y + ag.from_dlpack(x))
    assert staged(tensor).tolist() == [9.0, 2.0, 4.0]
    x[0] = 7.0
    assert staged(tensor).tolist() == [7.0, 2.0, 4.0]
    with pytest.raises(ag.StagingError, match="only while it is traced"):
        ag.function(mode="evaluate")(lambda y: y + ag.from_dlpack(FOREIGN))(tensor)
    with pytest.raises(ag.StagingError):
        ag.function(mode="evaluate")(lambda y: np.from_dlpack(y))(tensor)


def test_items_of_complex_tensors_are_as_precise_as_they_are() -> None:
    def change(x: Any, mask: Any) -> Any:
        x[0] = 1j / 3
        x[mask] = 2j / 3
        return x

    wanted = change(np.zeros(3, np.complex128), np.array([False, True, False]))
    for call in (change, ag.function(mode="evaluate")(change)):
        found = call(ag.zeros(3, dtype=ag.complex128), ag.asarray([False, True, False]))
        assert found.tolist() == wanted.tolist()


def test_what_is_not_copied_or_placed() -> None:
    x = ag.asarray([1.0])
    assert ag.asarray(x, copy=False) is x and ag.asarray(x, device="cpu:0").tolist() == [1.0]
    with pytest.raises(ValueError, match="leave out copy=False"):
        ag.asarray([1.0], copy=False)
    with pytest.raises(ValueError, match="no device 'gpu'"):
        ag.zeros(3, device="gpu")
    with pytest.raises(ValueError, match="vectors of one size, not of 3 and 1"):
        ag.vecdot(ag.zeros(3), ag.zeros(1))


def test_vectors_of_symbolic_sizes_do_not_broadcast() -> None:
    dot = ag.function(mode="evaluate")(lambda x, y: ag.vecdot(x, y))
    for size in (2, 3, 4):
        assert dot(ag.ones(size), ag.ones(size)).item() == size
    with pytest.raises(ValueError):
        dot(ag.ones(5), ag.ones(1))


def test_the_namespace() -> None:
    x = ag.asarray([1.0])
    assert x.__array_namespace__() is ag and x.to_device("cpu:0") is x  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="no device 'gpu'"):
        x.to_device("gpu")  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="of 2031 is not known"):
        x.__array_namespace__(api_version="2031")  # type: ignore[attr-defined]
    info = ag.__array_namespace_info__()
    assert info.default_dtypes()["real floating"] == ag.float64
    assert set(info.dtypes(kind="complex floating")) == {"complex64", "complex128"}
    assert info.default_device() in info.devices() and info.capabilities()["boolean indexing"]
