"""`ag.linalg`: as NumPy and SciPy compute it, staged as eagerly, with gradients of order 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import autograph as ag

L = ag.linalg
RANDOM = np.random.default_rng(1)
A = RANDOM.normal(size=(4, 4))
POSITIVE = A @ A.T + np.eye(4)
T = RANDOM.normal(size=(5, 3))
B = RANDOM.normal(size=4)
REAL = {"a": A, "p": POSITIVE, "t": T}
C = A + 1j * RANDOM.normal(size=A.shape)
COMPLEX = {"a": C, "p": C @ C.conj().T + np.eye(4), "t": T + 1j * RANDOM.normal(size=T.shape)}
KINDS = {"real": REAL, "complex": COMPLEX}
MODES = ["eager", "evaluate", "text", pytest.param("compile", marks=pytest.mark.compiled)]


def adjoint(x: Any) -> Any:
    return ag.conj(ag.matrix_transpose(x))


def symmetric(x: Any) -> Any:
    """Gradients of cholesky and eigh take their argument to be symmetric."""
    return (x + adjoint(x)) / 2


def by_eigenvectors(x: Any) -> Any:
    w, v = L.eigh(symmetric(x))
    return (v * ag.exp(w * 0.1)) @ adjoint(v)


def by_singular_vectors(x: Any) -> Any:
    u, s, vh = L.svd(x, full_matrices=False)
    return (u * ag.log(s)) @ vh


def by_general_eigenvectors(x: Any) -> Any:
    w, v = L.eig(x)
    return L.solve(v.mT, (v * ag.exp(w * 0.3)).mT)


Function = Callable[..., Any]
NAMED: dict[str, tuple[Function, Function, str]] = {
    "inv": (L.inv, np.linalg.inv, "a"),
    "det": (L.det, np.linalg.det, "a"),
    "slogdet": (lambda x: tuple(L.slogdet(x)), lambda x: tuple(np.linalg.slogdet(x)), "a"),
    "expm": (lambda x: L.expm(x * 0.3), lambda x: scipy.linalg.expm(x * 0.3), "a"),
    "solve a vector": (lambda x: L.solve(x, B), lambda x: np.linalg.solve(x, B), "a"),
    "solve for matrices": (lambda x: L.solve(x, x.T), lambda x: np.linalg.solve(x, x.T), "a"),
    "solve triangular": (
        lambda x: L.solve_triangular(x, B, lower=True, trans="C"),
        lambda x: scipy.linalg.solve_triangular(x, B, lower=True, trans="C"),
        "a",
    ),
    "power": (lambda x: L.matrix_power(x, -3), lambda x: np.linalg.matrix_power(x, -3), "a"),
    "fifth power": (lambda x: L.matrix_power(x, 5), lambda x: np.linalg.matrix_power(x, 5), "a"),
    "cholesky": (lambda x: L.cholesky(symmetric(x)), np.linalg.cholesky, "p"),
    "upper cholesky": (
        lambda x: L.cholesky(symmetric(x), upper=True),
        lambda x: np.linalg.cholesky(x).conj().T,
        "p",
    ),
    "eigvalsh": (lambda x: L.eigvalsh(symmetric(x)), np.linalg.eigvalsh, "p"),
    "eigh": (by_eigenvectors, lambda x: scipy.linalg.expm(0.1 * x), "p"),
    "eigvals": (
        lambda x: ag.sum(L.eigvals(x) ** 3),
        lambda x: (np.linalg.eigvals(x) ** 3).sum() + 0j,
        "a",
    ),
    "eig": (by_general_eigenvectors, lambda x: scipy.linalg.expm(0.3 * x).T + 0j, "a"),
    "eigenvectors": (
        lambda x: ag.abs(L.eig(x).eigenvectors),
        lambda x: np.abs(np.linalg.eig(x)[1]),
        "a",
    ),
    "svd": (by_singular_vectors, lambda x: _svd_of(x), "t"),
    "wide svd": (lambda x: by_singular_vectors(x.T), lambda x: _svd_of(x.T), "t"),
    "square svd": (by_singular_vectors, lambda x: _svd_of(x), "a"),
    "svdvals": (L.svdvals, lambda x: np.linalg.svd(x)[1], "t"),
    "qr": (lambda x: tuple(L.qr(x)), lambda x: tuple(np.linalg.qr(x)), "t"),
    "wide qr": (lambda x: tuple(L.qr(x.T)), lambda x: tuple(np.linalg.qr(x.T)), "t"),
    "square qr": (lambda x: tuple(L.qr(x)), lambda x: tuple(np.linalg.qr(x)), "a"),
    "pinv": (L.pinv, np.linalg.pinv, "t"),
    "wide pinv": (lambda x: L.pinv(x.T), lambda x: np.linalg.pinv(x.T), "t"),
    "lstsq": (
        lambda x: L.lstsq(x, ag.ones(5)).x,
        lambda x: np.linalg.lstsq(x, np.ones(5), rcond=None)[0],
        "t",
    ),
    "multi dot": (
        lambda x: L.multi_dot([x, x.T, x, x[0]]),
        lambda x: np.linalg.multi_dot([x, x.T, x, x[0]]),
        "t",
    ),
    "cond": (L.cond, np.linalg.cond, "t"),
    "rank": (L.matrix_rank, np.linalg.matrix_rank, "t"),
    **{
        f"matrix norm {order}": (
            lambda x, order=order: L.matrix_norm(x, ord=order),
            lambda x, order=order: np.linalg.norm(x, order),
            "t",
        )
        for order in ("fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf)
    },
    **{
        f"norm {order}": (
            lambda x, order=order: L.norm(x, order, axis=1, keepdims=True),
            lambda x, order=order: np.linalg.norm(x, order, axis=1, keepdims=True),
            "t",
        )
        for order in (None, 1, 3, np.inf, -np.inf)
    },
}


def _svd_of(x: Any) -> Any:
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return (u * np.log(s)) @ vh


def leaves(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple) else [found]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMED)
def test_as_numpy_computes_it(name: str, kind: str, mode: Any) -> None:
    ours, theirs, which = NAMED[name]
    x = KINDS[kind][which]
    run = ours if mode == "eager" else ag.function(mode=mode)(lambda x: ours(x))
    for one, other in zip(leaves(run(ag.asarray(x))), leaves(theirs(x)), strict=True):
        other = np.asarray(other)
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [name for name in NAMED if name != "rank"])
def test_gradients(name: str, kind: str) -> None:
    ours, _, which = NAMED[name]
    x = KINDS[kind][which]
    ag.check_gradients(ours, x, order=2, rtol=1e-3, atol=1e-4)
    if np.iscomplexobj(x) or name in ("fifth power", "multi dot"):
        return

    def total(x: Any) -> Any:
        return sum(ag.sum(ag.real(one) ** 2) for one in leaves(ours(x)))

    wanted = ag.grad(total)(ag.asarray(x)).numpy()
    for mode in ("evaluate", "text"):
        found = ag.function(mode=mode)(ag.grad(total))(ag.asarray(x)).numpy()  # type: ignore[call-overload]
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)


def test_batches_and_dtypes() -> None:
    batch = np.stack([A, A.T, POSITIVE])
    for one, other in (
        (L.inv(batch), np.linalg.inv(batch)),
        (L.solve(batch, B), np.stack([np.linalg.solve(one, B) for one in batch])),
        (L.solve(A, batch), np.linalg.solve(A, batch)),
        (L.det(batch), np.linalg.det(batch)),
        (L.matrix_norm(batch), np.linalg.norm(batch, axis=(1, 2))),
        (L.norm(batch, axis=(2, 0)), np.linalg.norm(batch, axis=(2, 0))),
        (L.matrix_rank(np.stack([A, np.ones((4, 4))])), [4, 1]),
        (L.det([[1, 2], [3, 5]]), np.linalg.det([[1, 2], [3, 5]])),
        (L.matrix_power(batch, 0), np.linalg.matrix_power(batch, 0)),
    ):
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-10, atol=1e-12)
    assert L.inv(A.astype(np.float32)).dtype == ag.float32
    assert L.eigvals(A).dtype == ag.complex128 and L.svdvals(C).dtype == ag.float64


def test_least_squares_tells_what_numpy_tells() -> None:
    single = np.outer(T[:, 0], [1.0, 2.0, 3.0])
    for a, b in ((T, T[:, 0]), (T, T[:, :2] + 1), (T.T, T.T[:, 0]), (single, T)):
        for mode in ("eager", "evaluate", "text"):
            run = L.lstsq if mode == "eager" else ag.function(mode=mode)(lambda a, b: L.lstsq(a, b))  # type: ignore[call-overload]
            found = run(ag.asarray(a), ag.asarray(b))
            for one, other in zip(found, np.linalg.lstsq(a, b, rcond=None), strict=True):
                assert one.shape == np.shape(other)
                np.testing.assert_allclose(one.numpy(), other, atol=1e-12)


def test_equal_eigenvalues_and_singular_matrices() -> None:
    """What does not depend on the choice of eigenvectors has its gradient."""
    same = ag.asarray(np.eye(3))
    found = ag.grad(lambda x: ag.sum(ag.exp(L.eigvalsh(symmetric(x)))))(same)
    np.testing.assert_allclose(found.numpy(), np.e * np.eye(3))
    found = ag.grad(lambda x: ag.sum(by_eigenvectors(x)))(same)
    assert np.isfinite(found.numpy()).all()
    found = ag.grad(lambda x: L.matrix_norm(x, ord="nuc"))(same)
    np.testing.assert_allclose(found.numpy(), np.eye(3))
    for singular, wanted in (
        (np.diag([1.0, 2.0, 0.0]), np.diag([0.0, 0.0, 2.0])),
        (np.diag([1.0, 0.0, 0.0]), np.zeros((3, 3))),
    ):
        found = ag.grad(L.det)(ag.asarray(singular)).numpy()
        np.testing.assert_allclose(found, wanted, atol=1e-15)
    ag.check_gradients(L.det, np.arange(9.0).reshape(3, 3))  # of rank 2
    assert ag.grad(L.norm)(ag.zeros((2, 2))).tolist() == [[0.0, 0.0], [0.0, 0.0]]


SINGULAR = np.ones((3, 3))
RAISING: dict[str, tuple[Function, Any, str]] = {
    "inv": (L.inv, SINGULAR, "Singular matrix"),
    "solve": (lambda x: L.solve(x, ag.ones(3)), SINGULAR, "Singular matrix"),
    "solve_triangular": (lambda x: L.solve_triangular(x, ag.ones(3)), SINGULAR * 0, "Singular"),
    "cholesky": (L.cholesky, -SINGULAR, "Matrix is not positive definite"),
    "svd": (lambda x: L.svdvals(x), SINGULAR * np.nan, "SVD did not converge"),
    "eig": (L.eigvals, SINGULAR * np.nan, "Array must not contain infs or NaNs"),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", RAISING)
def test_what_numpy_raises_is_raised_and_caught(name: str, mode: Any) -> None:
    f, bad, message = RAISING[name]

    def caught(x: Any) -> Any:
        try:
            y = f(x)
            return ag.sum(ag.abs(y)) * 0 + 1
        except L.LinAlgError:
            return -ag.ones((), dtype=x.dtype)

    plain: Any = f if mode == "eager" else ag.function(mode=mode)(lambda x: f(x))
    handled: Any = caught if mode == "eager" else ag.function(mode=mode)(caught)
    with pytest.raises(L.LinAlgError, match=message):
        plain(ag.asarray(bad))
    plain(ag.asarray(POSITIVE[:3, :3]))
    assert float(handled(ag.asarray(bad))) == -1
    assert float(handled(ag.asarray(POSITIVE[:3, :3]))) == 1


def test_wrong_shapes_and_arguments() -> None:
    x = ag.asarray(T)
    for f in (L.inv, L.det, L.slogdet, L.eigh, L.cholesky, L.expm, lambda x: L.matrix_power(x, 2)):
        with pytest.raises(L.LinAlgError, match="must be square"):
            f(x)
    with pytest.raises(L.LinAlgError, match="1-dimensional array given"):
        L.svd(x[0])
    with pytest.raises(ValueError, match="3 equations, and right sides of 2 numbers"):
        L.solve(A[:3, :3], [1.0, 2.0])
    with pytest.raises(ValueError, match="trans is"):
        L.solve_triangular(A, B, trans="X")
    with pytest.raises(ValueError, match="UPLO argument must be"):
        L.eigh(A, UPLO="X")
    with pytest.raises(ValueError, match="'reduced' or 'complete'"):
        L.qr(A, mode="full")
    with pytest.raises(ValueError, match="Invalid norm order"):
        L.matrix_norm(x, ord=3)
    with pytest.raises(ValueError, match="Invalid norm order 'fro' for vectors"):
        L.norm(x, "fro", axis=0)
    with pytest.raises(ValueError, match="Improper number of dimensions"):
        L.norm(ag.ones((2, 2, 2)), 2)
    with pytest.raises(ValueError, match="at least two arrays"):
        L.multi_dot([x])
    with pytest.raises(L.LinAlgError, match="one matrix"):
        L.lstsq(ag.ones((2, 2, 2)), x)
    with pytest.raises(ag.StagingError, match="full_matrices=False"):
        ag.grad(lambda x: ag.sum(L.svd(x).U))(x)
    with pytest.raises(ag.StagingError, match="mode='complete'"):
        ag.grad(lambda x: ag.sum(L.qr(x, mode="complete").Q))(x)


def test_check_mode_knows_what_rounding_may_do() -> None:
    near = POSITIVE.astype(np.float32)

    @ag.function(check=True)
    def f(x: Any) -> Any:
        w, v = L.eigh(x)
        u, s, vh = L.svd(x)
        q, r = L.qr(x)
        return L.inv(x), L.solve(x, x.T), L.cholesky(x), L.det(x), w, s, q @ r, (u * s) @ vh, v

    f(ag.asarray(near))
