"""Complex tensors: arithmetic and functions as NumPy has them, with gradients as JAX has them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag

Z = np.array([[1 + 2j, 3 - 1j, 0.5j], [-1 - 1j, 2 + 0j, 0.25 - 3j]])
W = np.array([0.5 - 1j, 2j, 1 + 1j])
MODES = ["eager", "evaluate", "text", pytest.param("compile", marks=pytest.mark.compiled)]


def in_mode(mode: str, function: Callable[..., Any]) -> Callable[..., Any]:
    if mode == "eager":
        return function
    return ag.function(mode=mode)(lambda *args: function(*args))  # type: ignore[call-overload,no-any-return]


def assigned(z: Any, w: Any) -> Any:
    z = ag.copy(z) if isinstance(z, ag.Tensor) else z.copy()
    z[0, 1:] = w[1:]
    z[1] = 2.0
    return z


def looped(z: Any, w: Any) -> Any:
    total = w * 0
    for row in z:
        total = total + row if np.real(row[0]) > 0 else total - row
    return total


def staged_loop(z: Any, w: Any) -> Any:
    total, rows = w * 0, []
    for row in z:
        total = total + row if ag.real(row[0]) > 0 else total - row
        rows.append(total)
    return ag.stack(rows)[-1]


Case = tuple[Callable[..., Any], Callable[..., Any]]
CASES: dict[str, Case] = {
    "add": (lambda z, w: z + w, lambda z, w: z + w),
    "subtract real": (lambda z, w: z - ag.real(w), lambda z, w: z - w.real),
    "multiply": (lambda z, w: z * w * 2, lambda z, w: z * w * 2),
    "negate": (lambda z, w: -z, lambda z, w: -z),
    "parts": (lambda z, w: ag.real(z) * ag.imag(z), lambda z, w: z.real * z.imag),
    "conjugate": (lambda z, w: ag.conj(z) * z, lambda z, w: z.conj() * z),
    "made": (lambda z, w: ag.complex(ag.imag(z), 1.0), lambda z, w: z.imag + 1j),
    "equal": (lambda z, w: z == ag.conj(z), lambda z, w: z == z.conj()),
    "indexed": (lambda z, w: z[::-1, 1], lambda z, w: z[::-1, 1]),
    "masked": (lambda z, w: z[ag.real(z) > 0], lambda z, w: z[z.real > 0]),
    "taken": (lambda z, w: ag.take(w, [2, 0], axis=0), lambda z, w: w[[2, 0]]),
    "assigned": (assigned, assigned),
    "stacked": (lambda z, w: ag.stack([w, z[0]], axis=1), lambda z, w: np.stack([w, z[0]], 1)),
    "joined": (lambda z, w: ag.concat([z[0], w]), lambda z, w: np.concatenate([z[0], w])),
    "turned": (lambda z, w: ag.reshape(z.T, (-1,)), lambda z, w: z.T.reshape(-1)),
    "chosen": (
        lambda z, w: ag.where(ag.imag(z) > 0, z, w),
        lambda z, w: np.where(z.imag > 0, z, w),
    ),
    "summed": (lambda z, w: ag.sum(z, axis=0), lambda z, w: z.sum(0)),
    "widened": (
        lambda z, w: ag.astype(ag.real(z), ag.complex64),
        lambda z, w: z.real.astype(np.complex64),
    ),
    "as reals": (
        lambda z, w: ag.view_as_real(z),
        lambda z, w: np.stack([z.real, z.imag], -1),
    ),
    "and back": (lambda z, w: ag.view_as_complex(ag.view_as_real(z)), lambda z, w: z),
    "zeros": (
        lambda z, w: ag.zeros_like(z) + ag.ones((3,), dtype=ag.complex64),
        lambda z, w: z * 0 + 1,
    ),
    "loop": (staged_loop, looped),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", CASES)
def test_as_numpy_does(name: str, mode: str) -> None:
    ours, theirs = CASES[name]
    found = in_mode(mode, ours)(ag.asarray(Z), ag.asarray(W)).numpy()
    wanted = theirs(Z, W)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    np.testing.assert_array_equal(found, wanted)


REFUSED: dict[str, Callable[[Any], Any]] = {
    "floor": ag.floor,
    "sigmoid": ag.sigmoid,
    "remainder": lambda z: z % 2,
    "floor_divide": lambda z: z // 2,
    "softmax": ag.softmax,
    "atan2": lambda z: ag.atan2(z, z),
    "erf": ag.erf,
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", REFUSED)
def test_the_rest_refuses_by_name(name: str, mode: str) -> None:
    with pytest.raises(TypeError, match=f"{name} does not take complex tensors.*ag.real"):
        in_mode(mode, REFUSED[name])(ag.asarray(Z))


@pytest.mark.parametrize("mode", MODES)
def test_parts_are_not_thrown_away(mode: str) -> None:
    with pytest.raises(TypeError, match=r"not cast to float32: take ag.real\(x\)"):
        in_mode(mode, lambda z: ag.astype(z, ag.float32))(ag.asarray(Z))

    def assign(x: Any, z: Any) -> Any:
        x[0] = z[0]
        return x

    with pytest.raises(TypeError, match="not cast to float64"):
        in_mode(mode, assign)(ag.zeros((2, 3), dtype=ag.float64), ag.asarray(Z))


def test_numbers_of_python() -> None:
    assert ag.asarray(1 + 2j).dtype == ag.complex64
    assert ag.asarray([1, 2j], dtype=ag.complex128).tolist() == [1, 2j]
    assert complex(ag.asarray(Z)[0, 0]) == 1 + 2j
    assert ag.real(ag.asarray([1.0])).tolist() == [1.0] and ag.imag([1.0]).tolist() == [0.0]
    assert ag.isdtype(ag.complex64, "complex floating") and ag.TensorSpec((2,), ag.complex64)
    with pytest.raises(ValueError, match="two parts on the last axis"):
        ag.view_as_complex(ag.zeros((3,)))
    with pytest.raises(TypeError, match="takes a complex tensor, not one of float32"):
        ag.view_as_real(ag.zeros((3,)))


def loss(a: Any, b: Any) -> Any:
    z = ag.complex(a, b)
    w = ag.concat([z * z * ag.conj(z), ag.conj(ag.complex(b, a))[::-1] * a - z])
    parts = ag.view_as_real(ag.where(ag.real(w) > 0, w, 2 * w))
    return ag.sum(parts * parts * parts) + ag.real(ag.sum(w * z[0]))


def test_gradients() -> None:
    a, b = (ag.asarray([0.3, 0.7, -1.1]), ag.asarray([1.1, -0.4, 0.2]))
    ag.check_gradients(loss, a, b, order=2)
    wanted = [one.numpy() for one in ag.grad(loss, argnums=(0, 1))(a, b)]
    for mode in ("evaluate", "text"):
        found = in_mode(mode, ag.grad(loss, argnums=(0, 1)))(a, b)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one.numpy(), other, rtol=1e-6)


ANALYTIC = {
    **{name: name for name in "sqrt exp expm1 log log1p log2 log10 sin cos tan sinh cosh".split()},
    **{name: name for name in "tanh reciprocal square mean prod".split()},
    **{"asin": "arcsin", "acos": "arccos", "atan": "arctan"},
    **{"asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"},
}
OTHERS = {name: name for name in "abs angle sign conj real imag var std isfinite isnan".split()}


@pytest.mark.parametrize("mode", MODES[:3])
@pytest.mark.parametrize("name", ANALYTIC | OTHERS)
def test_functions(name: str, mode: str) -> None:
    ours, theirs = getattr(ag, name), getattr(np, (ANALYTIC | OTHERS)[name])
    for z in (Z, Z.astype(np.complex64)):
        found, wanted = in_mode(mode, ours)(ag.asarray(z)).numpy(), np.asarray(theirs(z))
        assert found.dtype == wanted.dtype
        tolerance = 1e-13 if z.dtype == np.complex128 else 1e-5
        np.testing.assert_allclose(found, wanted, rtol=tolerance)
    if wanted.dtype.kind in "fc":
        away = ag.asarray(Z + np.array([0.1 + 0.2j, 0.3j, 0.1]))
        ag.check_gradients(ours, away, order=2)


OF_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "divide": lambda z, w: z / w,
    "power": lambda z, w: z**w,
    "powers by numbers": lambda z, w: z**2 + w**-1 + z**0.5,
    "matmul": lambda z, w: z @ w,
    "numbers of Python": lambda z, w: 2j / z + (0.1 - 1j) * w - 1j,
}


@pytest.mark.parametrize("name", OF_TWO)
def test_functions_of_two(name: str) -> None:
    f, z = OF_TWO[name], Z + 0.1 + 0.2j
    for left, right in ((z, W), (np.abs(z) + 1, W), (z, np.abs(W))):
        wanted = f(left, right)
        for mode in MODES[:3]:
            found = in_mode(str(mode), f)(ag.asarray(left), ag.asarray(right)).numpy()
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, rtol=1e-13)
        ag.check_gradients(f, left, right, order=2)


def test_numbers_of_python_are_weak() -> None:
    assert (ag.ones(2, dtype=ag.float32) * 1j).dtype == ag.complex64
    double = ag.ones(2, dtype=ag.float64) * 0.1j
    assert double.dtype == ag.complex128 and double[0].item() == 0.1j


def test_the_convention_is_that_of_jax() -> None:
    z = ag.asarray(Z)
    found = ag.grad(lambda z: ag.sum(ag.abs(z) ** 2))(z).numpy()
    np.testing.assert_allclose(found, 2 * Z.conj())  # by the real part, minus i times by the other
    _, pull = ag.vjp(ag.exp, z)
    np.testing.assert_allclose(pull(ag.asarray(W + Z * 0))[0].numpy(), np.exp(Z) * W)
    with pytest.raises(TypeError, match=r"target of the gradient is c128\[2,3\].*ag.real"):
        ag.grad(ag.exp)(z)
    with ag.GradientTape() as tape:
        tape.watch(z)
        y = z * z
    np.testing.assert_allclose(tape.gradient(y, z, ag.ones_like(y)).numpy(), 2 * Z)


def test_variables_and_keeping(tmp_path: Path) -> None:
    v = ag.Variable(Z.astype(np.complex64))

    @ag.function(mode="evaluate")
    def grow(z: Any) -> Any:
        v.assign(v + z)
        return v * 1

    wanted = 2 * Z.astype(np.complex64)
    assert np.array_equal(grow(ag.asarray(Z.astype(np.complex64))).numpy(), wanted)
    path = ag.Checkpoint(v=v).save(tmp_path / "one")
    v.assign(v * 0)
    ag.Checkpoint(v=v).restore(path)
    assert np.array_equal(v.numpy(), wanted)
    large = ag.Variable(Z)
    path = ag.Checkpoint(v=large).save(tmp_path / "two")
    large.assign(large * 0)
    ag.Checkpoint(v=large).restore(path)
    assert np.array_equal(large.numpy(), Z)


def test_a_complex_variable_is_watched() -> None:
    v = ag.Variable(W)
    with ag.GradientTape() as tape:
        loss = ag.sum(ag.abs(v) ** 2)
    gradient = tape.gradient(loss, v)
    np.testing.assert_allclose(gradient.numpy(), 2 * W.conj())
    v.assign(v - 0.5 * ag.conj(gradient))  # one step downwards
    np.testing.assert_allclose(v.numpy(), 0 * W, atol=1e-15)
