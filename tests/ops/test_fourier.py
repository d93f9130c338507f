"""`ag.fft`: as NumPy computes it, staged as eagerly, with gradients of order 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

F = ag.fft
RANDOM = np.random.default_rng(2)
REAL = RANDOM.normal(size=(2, 5, 6))
COMPLEX = REAL + 1j * RANDOM.normal(size=REAL.shape)
MODES = ["eager", "evaluate", "text", pytest.param("compile", marks=pytest.mark.compiled)]
OF_ONE = "fft ifft rfft irfft hfft ihfft".split()
OF_SEVERAL = "fftn ifftn rfftn irfftn fft2 ifft2 rfft2 irfft2".split()
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"axis": 0},
    {"axis": 1, "norm": "ortho"},
    {"n": 4, "norm": "forward"},
    {"n": 9},
    {"n": 5, "axis": 1},
)
SEVERAL: tuple[dict[str, Any], ...] = (
    {},
    {"axes": (0, 2)},
    {"axes": (1, 0), "norm": "ortho"},
    {"s": (4, 7), "axes": (1, 2), "norm": "forward"},
)
CASES = [(name, one) for name in OF_ONE for one in SETTINGS]
CASES += [(name, one) for name in OF_SEVERAL for one in SEVERAL]


def operands(name: str) -> tuple[Any, ...]:
    only_real = name.startswith(("rfft", "ihfft"))
    return (REAL,) if only_real else (COMPLEX, REAL)


def ids(case: Any) -> str:
    return " ".join(f"{name}={value}" for name, value in case.items()) if case else "plain"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "settings"), CASES, ids=lambda one: str(one))
def test_as_numpy_computes_it(name: str, settings: dict[str, Any], mode: Any) -> None:
    ours: Callable[..., Any] = getattr(F, name)

    def run(x: Any) -> Any:
        return ours(x, **settings)

    staged: Any = run if mode == "eager" else ag.function(mode=mode)(run)
    for x in operands(name):
        wanted = getattr(np.fft, name)(x, **settings)
        found = staged(ag.asarray(x))
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(("name", "settings"), CASES, ids=lambda one: str(one))
def test_gradients(name: str, settings: dict[str, Any]) -> None:
    for x in operands(name):
        ag.check_gradients(lambda x: getattr(F, name)(x, **settings) ** 2, x[:, :3], order=2)


def test_gradients_of_sizes_that_only_the_run_knows() -> None:
    @ag.function(input_signature=[ag.TensorSpec((None,), ag.float64)], mode="evaluate")
    def f(x: Any) -> Any:
        def total(x: Any) -> Any:
            y = F.irfft(F.rfft(x) * 2, n=5)
            return ag.sum(ag.real(F.ifft(F.fft(x, n=4) ** 2)) ** 2) + ag.sum(y**2)

        return ag.grad(total)(x)

    def total(x: Any) -> Any:
        y = F.irfft(F.rfft(x) * 2, n=5)
        return ag.sum(ag.real(F.ifft(F.fft(x, n=4) ** 2)) ** 2) + ag.sum(y**2)

    for size in (3, 4, 6):
        x = ag.asarray(REAL[0, 0, :size])
        np.testing.assert_allclose(f(x).numpy(), ag.grad(total)(x).numpy(), rtol=1e-12)
        ag.check_gradients(total, x)


def test_frequencies_and_shifts() -> None:
    for n in (1, 4, 5):
        for name in ("fftfreq", "rfftfreq"):
            found = getattr(F, name)(n, d=0.1, dtype=ag.float64)
            np.testing.assert_allclose(found.numpy(), getattr(np.fft, name)(n, 0.1), rtol=1e-15)
    assert F.fftfreq(4).dtype == ag.float32
    for name in ("fftshift", "ifftshift"):
        for axes in (None, 1, (0, 2)):
            found = getattr(F, name)(REAL, axes=axes).numpy()
            np.testing.assert_array_equal(found, getattr(np.fft, name)(REAL, axes))


def test_dtypes_and_errors() -> None:
    assert F.fft(REAL.astype(np.float32)).dtype == ag.complex64
    assert F.irfft(COMPLEX.astype(np.complex64)).dtype == ag.float32
    assert F.fft([1, 2, 3]).dtype == ag.complex128
    with pytest.raises(TypeError, match="rfft"):
        F.rfft(COMPLEX)
    with pytest.raises(ValueError, match="Invalid norm value"):
        F.fft(REAL, norm="none")
    with pytest.raises(ValueError, match="Invalid number of FFT data points"):
        F.fft(REAL, n=0)
    with pytest.raises(ValueError, match="different lengths"):
        F.fftn(REAL, s=(1,), axes=(0, 1))
    with pytest.raises(ValueError, match="at least 1 axis"):
        F.fftn(REAL, axes=())
    with pytest.raises(IndexError, match="goes along an axis"):
        F.fft(ag.asarray(1.0))
    with pytest.raises(ValueError, match="of a float dtype"):
        F.fftfreq(3, dtype=ag.int64)
    with pytest.raises(np.exceptions.AxisError):
        F.fft(REAL, axis=3)
