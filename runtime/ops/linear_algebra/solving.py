"""Linear equations, inverses, determinants, and the exponential of matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograph.runtime.core.record import (
    NOT_DIFFERENTIABLE,
    Decomposition,
    Effect,
    Hosted,
    Library,
    Op,
    Sample,
)
from autograph.runtime.core.spec import ShapeError, Spec, broadcast
from autograph.runtime.ops.building import all_typed
from autograph.runtime.ops.inference import is_complex, same_size
from autograph.runtime.ops.linear_algebra.matrices import (
    Array,
    as_linear,
    infer_square,
    linear,
    real_of,
    require_matrix,
    require_square,
    transposed,
)
from autograph.runtime.ops.quiet import quiet

SQUARE = np.array([[2.0, -0.5, 0.3], [0.7, 1.5, -0.4], [0.1, 0.6, -1.2]])
BATCH = np.stack([SQUARE, SQUARE.T @ SQUARE + 0.5])
RIGHT = np.array([[0.5, -1.0], [2.0, 0.3], [-0.7, 1.1]])
NONE = np.zeros((0, 0))
OF_NONE = np.zeros((0, 3, 3))
COMPLEX = SQUARE + 1j * SQUARE[::-1]
SINGLE = SQUARE.astype(np.float32)
SQUARES = (
    Sample((SQUARE,)),
    Sample((BATCH,)),
    Sample((NONE,), gradient=False),
    Sample((OF_NONE,), gradient=False),
    Sample((SINGLE,), gradient=False),
    Sample(([[2, 1], [1, 3]],), gradient=False),
    Sample((COMPLEX,), gradient=False),
)


# solve --------------------------------------------------------------------------------------------
def _infer_solve(a: Spec, b: Spec, **attributes: Any) -> Spec:
    require_square(a)
    require_matrix(b)
    if not same_size(a.shape[-1], b.shape[-2]):
        raise ShapeError(
            f"solve: {a.shape[-1]} equations, and right sides of {b.shape[-2]} numbers: "
            f"shapes {a.shape} and {b.shape}"
        )
    batch = broadcast((a.shape[:-2], b.shape[:-2]))
    return Spec(linear(np.result_type(a.dtype, b.dtype)), (*batch, *b.shape[-2:]))


def _solve(a: Array, b: Array) -> Any:
    _infer_solve(Spec(a.dtype, a.shape), Spec(b.dtype, b.shape))
    return np.linalg.solve(a, b)


def _solve_left(o: Any, g: Any, out: Any, a: Any, b: Any) -> Any:
    right = o.apply("solve", (transposed(o, a), g), {})
    return o.sum_like(-o.matmul(right, transposed(o, out)), a)


def _solve_right(o: Any, g: Any, out: Any, a: Any, b: Any) -> Any:
    return o.sum_like(o.apply("solve", (transposed(o, a), g), {}), b)


def _public_solve(o: Any, a: Any, b: Any, /) -> Any:
    """The x for which a @ x is b: `b` is a vector, or matrices whose columns are right sides.

    a: [..., n, n]; b: [n] or [..., n, k], whose leading axes broadcast with those of a. Integers
    give float64. LinAlgError for a singular matrix, ShapeError (a ValueError) where sizes differ.
    """
    return of_columns(o, a, b, lambda a, b: o.apply("solve", (a, b), {}))


def of_columns(o: Any, a: Any, b: Any, solve: Any) -> Any:
    """`solve` of matrices of columns, where a vector is one column."""
    a, b = o.operands((a, b))
    if b.ndim != 1:
        return solve(a, b)
    return o.squeeze(solve(a, o.expand_dims(b, -1)), -1)


# solve_triangular ---------------------------------------------------------------------------------
@quiet
def _solve_triangular(
    a: Array, b: Array, *, lower: bool = False, unit_diagonal: bool = False
) -> Any:
    from scipy.linalg import solve_triangular

    spec = _infer_solve(Spec(a.dtype, a.shape), Spec(b.dtype, b.shape))
    shape: tuple[int, ...] = tuple(map(int, spec.shape))  # type: ignore[arg-type]
    out = np.empty(shape, spec.dtype)
    batch = shape[:-2]
    if not out.size:
        return out
    a = np.broadcast_to(as_linear(a), (*batch, *a.shape[-2:])).astype(out.dtype)
    b = np.broadcast_to(b, out.shape).astype(out.dtype)
    if not unit_diagonal and (np.diagonal(a, axis1=-2, axis2=-1) == 0).any():
        raise np.linalg.LinAlgError("Singular matrix")
    for place in np.ndindex(batch):
        out[place] = solve_triangular(
            a[place], b[place], lower=lower, unit_diagonal=unit_diagonal, check_finite=False
        )
    return out


def _turned_solution(o: Any, g: Any, a: Any, lower: bool, unit_diagonal: bool) -> Any:
    attributes = {"lower": not lower, "unit_diagonal": unit_diagonal}
    return o.apply("solve_triangular", (transposed(o, a), g), attributes)


def _triangular_left(
    o: Any, g: Any, out: Any, a: Any, b: Any, *, lower: bool, unit_diagonal: bool
) -> Any:
    right = _turned_solution(o, g, a, lower, unit_diagonal)
    found = o.sum_like(-o.matmul(right, transposed(o, out)), a)
    shift = 1 if unit_diagonal else 0
    return o.tril(found, k=-shift) if lower else o.triu(found, k=shift)


def _triangular_right(
    o: Any, g: Any, out: Any, a: Any, b: Any, *, lower: bool, unit_diagonal: bool
) -> Any:
    return o.sum_like(_turned_solution(o, g, a, lower, unit_diagonal), b)


TRANSPOSES = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


def _public_solve_triangular(
    o: Any, a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False
) -> Any:
    """The x for which a @ x is b, where a is triangular: its other triangle is not looked at.

    `trans`: 0 or "N" for a, 1 or "T" for its transpose, 2 or "C" for its adjoint. With
    `unit_diagonal` the diagonal counts as ones. LinAlgError for a zero on the diagonal.
    """
    if trans not in TRANSPOSES:
        raise ValueError(f"trans is 0, 1, 2, 'N', 'T' or 'C', not {trans!r}")
    turns = TRANSPOSES[trans]
    a = o.asarray_or_same(a)
    if turns:
        a = transposed(o, a)
        a = o.conj(a) if turns == 2 and is_complex(a) else a
    attributes = {"lower": bool(lower) != bool(turns), "unit_diagonal": bool(unit_diagonal)}
    return of_columns(o, a, b, lambda a, b: o.apply("solve_triangular", (a, b), attributes))


# inv ----------------------------------------------------------------------------------------------
def _inv(x: Array) -> Any:
    infer_square(Spec(x.dtype, x.shape))
    return np.linalg.inv(x)


def _inv_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    turned = transposed(o, out)
    return -o.matmul(o.matmul(turned, g), turned)


# det ----------------------------------------------------------------------------------------------
def _infer_det(x: Spec) -> Spec:
    require_square(x)
    return Spec(linear(x.dtype), x.shape[:-2])


@quiet
def _det(x: Array) -> Any:
    _infer_det(Spec(x.dtype, x.shape))
    return np.asarray(np.linalg.det(x))


def _det_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    return _as_factor(o, g) * o.cofactors(x)


def _as_factor(o: Any, numbers: Any) -> Any:
    """One number for each matrix, to multiply it with."""
    return o.expand_dims(o.expand_dims(numbers, -1), -1)


@quiet
def _cofactors(x: Array) -> Any:
    # det(x) times the transpose of the inverse, without dividing: singular ones have it, too
    infer_square(Spec(x.dtype, x.shape))
    x = as_linear(x)
    u, s, v = np.linalg.svd(x)
    size = s.shape[-1]
    ones = np.ones((*s.shape[:-1], 1), s.dtype)
    before = np.cumprod(np.concatenate([ones, s], -1), -1)[..., :size]
    behind = np.cumprod(np.concatenate([ones, s[..., ::-1]], -1), -1)[..., :size][..., ::-1]
    turns = np.linalg.det(u) * np.linalg.det(v)
    made = np.matmul(u.conj() * (before * behind)[..., None, :], v.conj())
    return (turns[..., None, None] * made).astype(x.dtype)


def _cofactors_rule(o: Any, x: Any) -> Any:
    u, s, v = o.svd(x)
    before = o.cumulative_prod(s, axis=-1, include_initial=True)[..., :-1]
    turned = o.cumulative_prod(o.flip(s, axis=-1), axis=-1, include_initial=True)[..., :-1]
    others = before * o.flip(turned, axis=-1)
    turns = _as_factor(o, o.det(u) * o.det(v))
    if is_complex(u):
        u, v = o.conj(u), o.conj(v)
    return turns * o.matmul(u * o.expand_dims(others, -2), v)


def _cofactors_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    turned = transposed(o, o.inv(x))
    along = _as_factor(o, o.sum(g * turned, axis=(-2, -1))) * turned
    across = o.matmul(o.matmul(turned, transposed(o, g)), turned)
    return _as_factor(o, o.det(x)) * (along - across)


# lu_diagonal --------------------------------------------------------------------------------------
def _infer_lu_diagonal(x: Spec) -> tuple[Spec, Spec]:
    require_square(x)
    dtype = linear(x.dtype)
    return Spec(dtype, x.shape[:-1]), Spec(dtype, x.shape[:-2])


@quiet
def _lu_diagonal(x: Array) -> Any:
    from scipy.linalg.lapack import get_lapack_funcs

    x = as_linear(x)
    _infer_lu_diagonal(Spec(x.dtype, x.shape))
    (factor,) = get_lapack_funcs(("getrf",), (x,))
    diagonals, signs = np.empty(x.shape[:-1], x.dtype), np.ones(x.shape[:-2], x.dtype)
    for place in np.ndindex(x.shape[:-2]) if x.size else ():
        found, pivots, status = factor(x[place])
        diagonals[place] = 0.0 if status > 0 else np.diagonal(found)
        signs[place] = (-1) ** int((pivots != np.arange(len(pivots))).sum())
    return diagonals, signs


def _slogdet_rule(o: Any, x: Any) -> Any:
    diagonal, sign = o.apply("lu_diagonal", (x,), {})
    # as NumPy does: a product of signs, and a sum of logarithms, which does not overflow
    return o.prod(o.sign(diagonal), axis=-1) * sign, o.sum(o.log(o.abs(diagonal)), axis=-1)


def _det_rule(o: Any, x: Any) -> Any:
    sign, size = o.apply("slogdet", (x,), {})
    return sign * o.exp(size)


# slogdet ------------------------------------------------------------------------------------------
class SlogdetResult(NamedTuple):
    """The sign of a determinant (of a complex one: a number on the unit circle), and the logarithm
    of its absolute value."""

    sign: Any
    logabsdet: Any


def _infer_slogdet(x: Spec) -> tuple[Spec, Spec]:
    require_square(x)
    dtype, batch = linear(x.dtype), x.shape[:-2]
    return Spec(dtype, batch), Spec(real_of(dtype), batch)


@quiet
def _slogdet(x: Array) -> Any:
    _infer_slogdet(Spec(x.dtype, x.shape))
    sign, size = np.linalg.slogdet(x)
    return np.asarray(sign), np.asarray(size)


def _slogdet_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    turned = transposed(o, o.inv(x))
    if not is_complex(x):
        return _as_factor(o, g[1]) * turned
    # the sign turns with the imaginary part of the change of the logarithm
    around = o.imag(g[0] * out[0])
    return _as_factor(o, o.complex(g[1], around)) * turned


def _public_slogdet(o: Any, x: Any, /) -> SlogdetResult:
    """The sign and the logarithm of the absolute value of the determinant: (sign, logabsdet).

    A singular matrix has 0 and -inf, and no gradient: LinAlgError where one is asked for.
    """
    return SlogdetResult(*o.apply("slogdet", o.operands((x,)), {}))


# expm ---------------------------------------------------------------------------------------------
@quiet
def _expm(x: Array) -> Any:
    from scipy.linalg import expm

    infer_square(Spec(x.dtype, x.shape))
    x = as_linear(x)
    return np.asarray(expm(x), x.dtype) if x.size else x.copy()


def _expm_gradient(o: Any, g: Any, out: Any, x: Any) -> Any:
    # The derivative along g is a block of the exponential of a matrix of twice the size (Mathias).
    turned = transposed(o, x)
    rows = o.concat([turned, g], axis=-1), o.concat([o.zeros_like(turned), turned], axis=-1)
    size = o.dimension(x, -1)
    return o.expm(o.concat(rows, axis=-2))[..., :size, size:]


def matrix_op(
    name: str, summary: str, infer: Any, reference: Any, gradient: Any, **more: Any
) -> Op:
    """A record of a function of one matrix, which may raise LinAlgError."""
    settings = {
        "samples": SQUARES,
        "effect": Effect.MAY_RAISE,
        "lowering": Library(name),
        **more,
    }
    return Op(
        name=name,
        summary=summary,
        infer=infer,
        reference=reference,
        gradient=all_typed((gradient,)),
        **settings,
    )


SOLVED = (
    Sample((SQUARE, RIGHT)),
    Sample((BATCH, RIGHT)),
    Sample((SQUARE, np.stack([RIGHT, RIGHT * RIGHT]))),
    Sample((SINGLE, RIGHT.astype(np.float32)), gradient=False),
    Sample((NONE, np.zeros((0, 2))), gradient=False),
    Sample((SQUARE, np.zeros((3, 0))), gradient=False),
    Sample((COMPLEX, RIGHT), gradient=False),
)

RECORDS = (
    Op(
        name="solve",
        summary="The x for which a @ x is b; LinAlgError for a singular matrix.",
        infer=_infer_solve,
        reference=_solve,
        gradient=all_typed((_solve_left, _solve_right)),
        lowering=Library("solve"),
        effect=Effect.MAY_RAISE,
        samples=SOLVED,
        public=_public_solve,
    ),
    Op(
        name="solve_triangular",
        summary="The x for which a @ x is b, of a triangle of a; LinAlgError for a singular one.",
        infer=_infer_solve,
        reference=_solve_triangular,
        gradient=all_typed((_triangular_left, _triangular_right)),
        lowering=Library("solve_triangular"),
        effect=Effect.MAY_RAISE,
        samples=(
            *(Sample(one.inputs, {"lower": True}, one.gradient) for one in SOLVED),
            Sample((BATCH, RIGHT)),
            Sample((SQUARE, RIGHT), {"lower": True, "unit_diagonal": True}),
        ),
        public=_public_solve_triangular,
    ),
    matrix_op(
        "inv",
        "The inverse of a square matrix; LinAlgError for a singular one.",
        infer_square,
        _inv,
        _inv_gradient,
    ),
    matrix_op(
        "det",
        "The determinant of a square matrix.",
        _infer_det,
        _det,
        _det_gradient,
        effect=Effect.PURE,
        lowering=Decomposition(_det_rule),
    ),
    matrix_op(
        "cofactors",
        "The gradient of the determinant: of singular matrices, too.",
        infer_square,
        _cofactors,
        _cofactors_gradient,
        lowering=Decomposition(_cofactors_rule),
    ),
    Op(
        name="lu_diagonal",
        summary="The pivots of a square matrix as it is eliminated, and the sign of its row swaps.",
        infer=_infer_lu_diagonal,
        reference=_lu_diagonal,
        gradient=NOT_DIFFERENTIABLE,
        lowering=Library("lu_diagonal"),
        samples=tuple(Sample(one.inputs, gradient=False) for one in SQUARES),
    ),
    matrix_op(
        "slogdet",
        "The sign of a determinant, and the logarithm of its absolute value.",
        _infer_slogdet,
        _slogdet,
        _slogdet_gradient,
        public=_public_slogdet,
        lowering=Decomposition(_slogdet_rule),
        effect=Effect.PURE,
    ),
    matrix_op(
        "expm",
        "The exponential of a square matrix: the sum of its powers, x**k / k!.",
        infer_square,
        _expm,
        _expm_gradient,
        effect=Effect.PURE,
        lowering=Hosted(),
    ),
)
