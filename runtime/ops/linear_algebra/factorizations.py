"""Factorisations: cholesky, qr, eigh, eig, svd; and the pseudo-inverse, with its own gradient.

Where eigenvalues or singular values are equal, their vectors are not unique. What does not depend
on the choice has a gradient there, which is given: the quotients by differences that are zero count
as zero. What does depend on it has none, and something finite is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.dims import DimLike
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Decomposition,
    Effect,
    Hosted,
    Library,
    Op,
    Sample,
)
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.building import all_typed
from autograph.runtime.ops.inference import WHOLES, is_complex
from autograph.runtime.ops.linear_algebra.matrices import (
    Array,
    adjoint,
    as_linear,
    by_adjoints,
    diagonal_matrix,
    infer_square,
    largest,
    linear,
    real_of,
    relative_precision,
    require_matrix,
    require_square,
    scaled_columns,
    shorter,
    symmetrized,
)
from autograph.runtime.ops.linear_algebra.solving import COMPLEX, NONE, SINGLE, SQUARE, SQUARES
from autograph.runtime.ops.quiet import quiet

POSITIVE = SQUARE @ SQUARE.T + 0.5 * np.eye(3)
HERMITIAN = COMPLEX @ COMPLEX.conj().T + np.eye(3)
TALL = np.array([[0.5, -1.25], [1.5, 0.75], [-0.3, 2.0]])
POSITIVES = tuple(
    Sample((one,), gradient=False)
    for one in (
        POSITIVE,
        np.stack([POSITIVE, 2 * POSITIVE]),
        POSITIVE.astype(np.float32),
        NONE,
        np.zeros((0, 2, 2)),
        HERMITIAN,
        [[2, 1], [1, 3]],
    )
)
"""The gradients take the matrix to be symmetric, so they are not those of its single elements."""


# cholesky -----------------------------------------------------------------------------------------
def _cholesky(x: Array, *, upper: bool = False) -> Any:
    infer_square(Spec(x.dtype, x.shape))
    if not upper:
        return np.linalg.cholesky(x)
    # NumPy reads the upper triangle here, as this does, from version 2.0 on
    turned = np.linalg.cholesky(np.conj(np.swapaxes(x, -1, -2)))
    return np.ascontiguousarray(np.conj(np.swapaxes(turned, -1, -2)))


@by_adjoints
def _cholesky_gradient(o: Any, g: Any, out: Any, x: Any, *, upper: bool) -> Any:
    lower = adjoint(o, out) if upper else out
    g = adjoint(o, g) if upper else g
    inner = o.tril(o.matmul(adjoint(o, lower), g))
    inner = inner - diagonal_matrix(o, o.diagonal(inner)) / 2
    turned = adjoint(o, lower)
    half = o.solve_triangular(turned, inner)
    whole = adjoint(o, o.solve_triangular(turned, adjoint(o, half)))
    return symmetrized(o, whole)


# eigh ---------------------------------------------------------------------------------------------
class EighResult(NamedTuple):
    """Eigenvalues in rising order, and eigenvectors: the columns of the second."""

    eigenvalues: Any
    eigenvectors: Any


def _infer_eigh(x: Spec) -> tuple[Spec, Spec]:
    require_square(x)
    dtype = linear(x.dtype)
    return Spec(real_of(dtype), x.shape[:-1]), Spec(dtype, x.shape)


def _eigh(x: Array) -> Any:
    _infer_eigh(Spec(x.dtype, x.shape))
    values, vectors = np.linalg.eigh(x)
    return values, vectors


def _inverse_differences(o: Any, values: Any) -> Any:
    """1 / (values[j] - values[i]) at [i, j]; 0 where they are equal."""
    apart = o.expand_dims(values, -2) - o.expand_dims(values, -1)
    same = o.equal(apart, 0)
    return o.where(same, 0, 1 / o.where(same, 1, apart))


@by_adjoints
def _eigh_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    values, vectors = out
    turned = adjoint(o, vectors)
    inner = o.matmul(turned, g[1]) * _inverse_differences(o, values) + diagonal_matrix(o, g[0])
    return symmetrized(o, o.matmul(o.matmul(vectors, inner), turned))


def _public_eigh(o: Any, x: Any, /, UPLO: str = "L") -> EighResult:
    """Eigenvalues, rising, and eigenvectors (columns) of a symmetric or Hermitian matrix.

    Only the triangle `UPLO` ("L" or "U") is read. The gradient takes the matrix to be symmetric, as
    JAX's and torch's do. LinAlgError where the computation does not converge.
    """
    (x,) = o.operands((x,))
    if UPLO.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return EighResult(*o.apply("eigh", (adjoint(o, x) if UPLO.upper() == "U" else x,), {}))


# eig ----------------------------------------------------------------------------------------------
class EigResult(NamedTuple):
    """Eigenvalues, complex, and eigenvectors: the columns of the second."""

    eigenvalues: Any
    eigenvectors: Any


def _infer_eig(x: Spec) -> tuple[Spec, Spec]:
    require_square(x)
    dtype = linear(x.dtype)
    dtype = WHOLES.get(dtype, dtype)
    return Spec(dtype, x.shape[:-1]), Spec(dtype, x.shape)


def _eig(x: Array) -> Any:
    specs = _infer_eig(Spec(x.dtype, x.shape))
    found = np.linalg.eig(x)
    return tuple(one.astype(spec.dtype) for one, spec in zip(found, specs, strict=True))


@by_adjoints
def _eig_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    values, vectors = out
    turned = adjoint(o, vectors)
    # vectors are of length 1: a change along themselves is taken out again
    inner = o.matmul(turned, g[1])
    along = o.astype(o.real(o.diagonal(inner)), vectors.dtype)
    inner = inner - scaled_columns(o, o.matmul(turned, vectors), along)
    inner = inner * o.conj(_inverse_differences(o, values)) + diagonal_matrix(o, g[0])
    return o.solve(turned, o.matmul(inner, turned))


def _public_eig(o: Any, x: Any, /) -> EigResult:
    """Eigenvalues and eigenvectors (columns, of length 1) of a square matrix, always complex.

    (NumPy gives real ones where all happen to be real.) No order is promised. LinAlgError where the
    computation does not converge, and for the gradient of a matrix without a basis of eigenvectors.
    """
    return EigResult(*o.apply("eig", o.operands((x,)), {}))


# svd ----------------------------------------------------------------------------------------------
class SVDResult(NamedTuple):
    """x = U @ diag(S) @ Vh: the singular values S fall."""

    U: Any
    S: Any
    Vh: Any


def _infer_svd(x: Spec, *, full_matrices: bool = True) -> tuple[Spec, Spec, Spec]:
    require_matrix(x)
    *batch, rows, columns = x.shape
    dtype, least = linear(x.dtype), shorter(rows, columns)
    left: DimLike = rows if full_matrices else least
    right: DimLike = columns if full_matrices else least
    return (
        Spec(dtype, (*batch, rows, left)),
        Spec(real_of(dtype), (*batch, least)),
        Spec(dtype, (*batch, right, columns)),
    )


def _svd(x: Array, *, full_matrices: bool = True) -> Any:
    _infer_svd(Spec(x.dtype, x.shape))
    u, s, v = np.linalg.svd(x, full_matrices=full_matrices)
    return u, s, v


def _svd_gradient(o: Any, g: Any, out: Any, x: Any, *, full_matrices: bool) -> Any:
    rows, columns = x.shape[-2:]
    if full_matrices and rows != columns:
        raise StagingError(
            "the gradient of svd with full_matrices: the further vectors are any that fit",
            remedy="write svd(x, full_matrices=False)",
        )
    return _reduced_svd_gradient(o, g, out, x)


@by_adjoints
def _reduced_svd_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    u, s, vh = out
    gu, gs, gvh = g
    uh, gv = adjoint(o, u), adjoint(o, gvh)
    squares = s * s
    apart = _inverse_differences(o, squares)
    wide, right = o.expand_dims(s, -2), o.expand_dims(s, -1)
    inner_u, inner_v = o.matmul(uh, gu), o.matmul(vh, gv)
    left_part = (inner_u - adjoint(o, inner_u)) * apart * wide
    right_part = right * ((inner_v - adjoint(o, inner_v)) * apart)
    inner = left_part + right_part + diagonal_matrix(o, gs)
    inverse = o.where(o.equal(s, 0), 0, 1 / o.where(o.equal(s, 0), 1, s))
    if is_complex(x):  # the common phase of a pair of vectors
        turns = o.imag(o.diagonal(inner_u)) * inverse
        inner = inner + diagonal_matrix(o, o.complex(o.zeros_like(turns), turns))
    found = o.matmul(o.matmul(u, inner), vh)
    rows, columns = x.shape[-2:]
    if not isinstance(rows, int) or rows != columns:
        outside = gu - o.matmul(u, inner_u)
        found = found + o.matmul(scaled_columns(o, outside, inverse), vh)
        outside = gvh - o.matmul(adjoint(o, inner_v), vh)
        found = found + o.matmul(scaled_columns(o, u, inverse), outside)
    return found


def _public_svd(o: Any, x: Any, /, *, full_matrices: bool = True) -> SVDResult:
    """x = U @ diag(S) @ Vh, with singular values S that fall, and U and Vh unitary.

    With `full_matrices` U and Vh are square, else as narrow as S is long. The gradient is that of
    the narrow ones. LinAlgError where the computation does not converge, as for NaN.
    """
    attributes = {"full_matrices": bool(full_matrices)}
    return SVDResult(*o.apply("svd", o.operands((x,)), attributes))


# qr -----------------------------------------------------------------------------------------------
class QRResult(NamedTuple):
    """x = Q @ R: the columns of Q are orthonormal, R is upper triangular."""

    Q: Any
    R: Any


MODES = ("reduced", "complete")


def _infer_qr(x: Spec, *, mode: str = "reduced") -> tuple[Spec, Spec]:
    require_matrix(x)
    *batch, rows, columns = x.shape
    dtype = linear(x.dtype)
    inner: DimLike = rows if mode == "complete" else shorter(rows, columns)
    return Spec(dtype, (*batch, rows, inner)), Spec(dtype, (*batch, inner, columns))


def _qr(x: Array, *, mode: str = "reduced") -> Any:
    _infer_qr(Spec(x.dtype, x.shape))
    q, r = np.linalg.qr(x, mode=mode)  # type: ignore[call-overload]
    return q, r


def _qr_gradient(o: Any, g: Any, out: Any, x: Any, *, mode: str) -> Any:
    rows, columns = x.shape[-2:]
    known = isinstance(rows, int) and isinstance(columns, int)
    if mode == "complete" and not (known and rows <= columns):
        raise StagingError(
            "the gradient of qr with mode='complete': the further columns are any that fit",
            remedy="write qr(x)",
        )
    if rows == columns or (known and rows > columns):
        return _tall_qr_gradient(o, g, out, x)
    return _wide_qr_gradient(o, g, out, x)


@by_adjoints
def _tall_qr_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    return _square_part(o, g[0], g[1], *out)


@by_adjoints
def _wide_qr_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    # x = [square, rest]: the rest of R is Q^H times that of x. (Of a high matrix it is empty.)
    q, r = out
    rows = o.dimension(x, -2)
    rest, grown = x[..., rows:], g[1][..., rows:]
    square = _square_part(
        o, g[0] + o.matmul(rest, adjoint(o, grown)), g[1][..., :rows], q, r[..., :rows]
    )
    whole = o.concat([square, o.matmul(q, grown)], axis=-1)
    return whole if whole.shape == x.shape else o.reshape_like(whole, x)


def _square_part(o: Any, gq: Any, gr: Any, q: Any, r: Any) -> Any:
    inner = o.matmul(r, adjoint(o, gr)) - o.matmul(adjoint(o, gq), q)
    below = o.tril(inner, k=-1)
    diagonal = o.diagonal(inner)
    if is_complex(inner):
        diagonal = o.astype(o.real(diagonal), inner.dtype)
    whole = below + adjoint(o, below) + diagonal_matrix(o, diagonal)
    right = gq + o.matmul(q, whole)
    # right @ inverse(r)^H, as the solution of r y^H = right^H
    return adjoint(o, o.solve_triangular(r, adjoint(o, right)))


def _public_qr(o: Any, x: Any, /, *, mode: str = "reduced") -> QRResult:
    """x = Q @ R, where the columns of Q are orthonormal and R is upper triangular.

    `mode`: "reduced" (Q as narrow as x or as R is high), or "complete" (Q square). The gradient
    needs independent columns, LinAlgError else.
    """
    if mode not in MODES:
        raise ValueError(f"mode is 'reduced' or 'complete', not {mode!r}")
    return QRResult(*o.apply("qr", o.operands((x,)), {"mode": mode}))


# pinv ---------------------------------------------------------------------------------------------
def _infer_pinv(x: Spec, *, rtol: float | None = None) -> Spec:
    require_matrix(x)
    *batch, rows, columns = x.shape
    return Spec(linear(x.dtype), (*batch, columns, rows))


@quiet
def _pinv(x: Array, *, rtol: float | None = None) -> Any:
    _infer_pinv(Spec(x.dtype, x.shape))
    x = as_linear(x)
    if rtol is None:
        rtol = max(x.shape[-2:]) * float(np.finfo(x.dtype).eps)
    return np.linalg.pinv(x, rcond=rtol)


def _pinv_rule(o: Any, x: Any, *, rtol: Any) -> Any:
    rows, columns = x.shape[-2:]
    if 0 in (rows, columns):
        return o.zeros_like(o.matrix_transpose(o.astype(x, linear(x.dtype))))
    u, s, vh = o.svd(o.conj(x), full_matrices=False)
    if rtol is None:
        rtol = relative_precision(o, x)
    kept = o.greater(s, rtol * largest(o, s, axis=-1, keepdims=True))
    inverse = o.where(kept, 1 / o.where(kept, s, 1), 0)
    turned = o.expand_dims(inverse, -1) * o.matrix_transpose(u)
    return o.matmul(o.matrix_transpose(vh), turned)


def _public_pinv(o: Any, x: Any, /, *, rtol: Any = None) -> Any:
    """The pseudo-inverse of x; singular values up to `rtol` times the largest count as zero.

    `rtol` is one number, or one for each matrix: a tensor.
    """
    (x,) = o.operands((x,))
    if isinstance(rtol, Tensor | np.ndarray | Number):
        return _pinv_rule(o, x, rtol=o.expand_dims(rtol, -1) if getattr(rtol, "ndim", 0) else rtol)
    return o.apply("pinv", (x,), {"rtol": rtol})


@by_adjoints
def _pinv_gradient(o: Any, g: Any, out: Any, x: Any, *, rtol: float | None) -> Any:
    # Golub and Pereyra (1973), where the rank stays as it is
    turned, gh = adjoint(o, out), adjoint(o, g)
    inner = o.matmul(gh, out)
    beside = o.matmul(inner, turned)
    found = -adjoint(o, o.matmul(out, inner)) + beside - o.matmul(o.matmul(x, out), beside)
    return found + o.matmul(o.matmul(turned, out), gh - o.matmul(inner, x))


def _several(name: str, summary: str, infer: Any, reference: Any, gradient: Any, **more: Any) -> Op:
    return Op(
        name=name,
        summary=summary,
        infer=infer,
        reference=reference,
        gradient=all_typed((gradient,)),
        **{"effect": Effect.MAY_RAISE, "lowering": Library(name), **more},
    )


# whether it can be done ---------------------------------------------------------------------------
FACTORIZATIONS: dict[str, Callable[..., Any]] = {
    "cholesky": _cholesky,
    "eig": _eig,
    "eigh": _eigh,
    "inv": np.linalg.inv,
    "svd": lambda x: _svd(x, full_matrices=False),
}


@quiet
def _cannot_be_factored(x: Array, *, by: str) -> Any:
    try:
        FACTORIZATIONS[by](x)
    except np.linalg.LinAlgError:
        return np.asarray(True)
    return np.asarray(False)


CANNOT_BE_FACTORED = Op(
    name="cannot_be_factored",
    summary="Whether an op of linear algebra raises LinAlgError for x: what a handler asks first.",
    infer=lambda x, *, by: Spec(np.dtype(bool)),
    reference=_cannot_be_factored,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Hosted(),
    samples=(
        Sample((SQUARE,), {"by": "inv"}, gradient=False),
        Sample((np.ones((2, 2)),), {"by": "inv"}, gradient=False),
        Sample((-POSITIVE,), {"by": "cholesky"}, gradient=False),
    ),
)

RECTANGLES = (
    Sample((TALL,)),
    Sample((TALL.T,)),
    *(Sample(one.inputs, one.attributes, False) for one in SQUARES),
    Sample((np.zeros((0, 3)),), gradient=False),
    Sample((np.zeros((3, 0)),), gradient=False),
    Sample((TALL + 1j * TALL[::-1],), gradient=False),
)
REDUCED = tuple(Sample(one.inputs, {"full_matrices": False}, one.gradient) for one in RECTANGLES)

RECORDS = (
    CANNOT_BE_FACTORED,
    _several(
        "cholesky",
        "The lower triangular L, or the upper one, of which x is L @ L^H; LinAlgError if none is.",
        lambda x, *, upper=False: infer_square(x),
        _cholesky,
        _cholesky_gradient,
        samples=(*POSITIVES, Sample((POSITIVE,), {"upper": True}, gradient=False)),
    ),
    _several(
        "eigh",
        "Eigenvalues, rising, and eigenvectors of a symmetric matrix: of its lower triangle.",
        _infer_eigh,
        _eigh,
        _eigh_gradient,
        samples=POSITIVES,
        public=_public_eigh,
    ),
    _several(
        "eig",
        "Eigenvalues and eigenvectors of a square matrix, complex.",
        _infer_eig,
        _eig,
        _eig_gradient,
        samples=tuple(Sample(one.inputs, gradient=False) for one in SQUARES),
        public=_public_eig,
        lowering=Hosted(),
    ),
    _several(
        "svd",
        "x = U @ diag(S) @ Vh, with singular values S that fall.",
        _infer_svd,
        _svd,
        _svd_gradient,
        samples=(*REDUCED, *(Sample(one.inputs, gradient=False) for one in RECTANGLES)),
        public=_public_svd,
    ),
    _several(
        "qr",
        "x = Q @ R: orthonormal columns times an upper triangle.",
        _infer_qr,
        _qr,
        _qr_gradient,
        samples=(
            *RECTANGLES,
            Sample((TALL,), {"mode": "complete"}, gradient=False),
            Sample((SINGLE,), gradient=False),
        ),
        public=_public_qr,
    ),
    _several(
        "pinv",
        "The pseudo-inverse of x; singular values up to `rtol` times the largest count as zero.",
        _infer_pinv,
        _pinv,
        _pinv_gradient,
        samples=(*RECTANGLES, Sample((TALL,), {"rtol": 1e-10})),
        lowering=Decomposition(_pinv_rule),
        public=_public_pinv,
    ),
)
