"""Batches of matrices, one after the other in flat buffers, factored and solved by LAPACK.

What LAPACK calls column by column is row by row a transposed matrix: callers say which they give.
Each function gives 0, or 1 where a matrix cannot be factored. Characters are given by their codes:
65 A, 76 L, 78 N, 83 S, 84 T, 85 U, 86 V; 78 N and 85 U also say "no" and "unit" of a diagonal.
"""

from __future__ import annotations

from typing import Any

from autograph.kernels.library.lapack import (
    lapack_geqrf,
    lapack_gesdd,
    lapack_getrf,
    lapack_getri,
    lapack_getrs,
    lapack_orgqr,
    lapack_potrf,
    lapack_syevd,
    lapack_trtrs,
)


def factor_cholesky(out: Any, count: int, size: int, upper: int) -> int:
    """out[i], a symmetric matrix row by row, becomes its lower (or upper) factor."""
    for i in range(count):
        at = i * size * size
        if lapack_potrf(85 - 9 * upper, size, out, at, max(size, 1)) != 0:
            return 1
        for row in range(size):
            for column in range(size):
                if ((column > row) & (upper == 0)) | ((column < row) & (upper != 0)):
                    out[at + row * size + column] = 0
    return 0


def factor_lu(out: Any, pivots: Any, count: int, size: int) -> int:
    """out[i], a matrix, becomes its factors; `pivots` has `size` int32 for each."""
    for i in range(count):
        lead = max(size, 1)
        if lapack_getrf(size, size, out, i * size * size, lead, pivots, i * size) != 0:
            return 1
    return 0


def solve_lu(
    out: Any, factors: Any, pivots: Any, count: int, size: int, columns: int, step: int
) -> int:
    """out[i], right sides column by column, becomes the solutions; the factors are those of
    matrices row by row, `step` matrices apart (0: one for all)."""
    for i in range(count):
        lead = max(size, 1)
        at, chosen = i * step * size * size, i * step * size
        right = i * size * columns
        lapack_getrs(84, size, columns, factors, at, lead, pivots, chosen, out, right, lead)
    return 0


def solve_triangles(
    out: Any, a: Any, count: int, size: int, columns: int, step: int, lower: int, unit: int
) -> int:
    """out[i], right sides column by column, becomes the solutions of a triangle of a[i], a matrix
    row by row; `step` as in solve_lu."""
    for i in range(count):
        lead = max(size, 1)
        at, right = i * step * size * size, i * size * columns
        status = lapack_trtrs(
            76 + 9 * lower, 84, 78 + 7 * unit, size, columns, a, at, lead, out, right, lead
        )
        if status != 0:
            return 1
    return 0


def invert_matrices(out: Any, pivots: Any, work: Any, count: int, size: int, room: int) -> int:
    """out[i], a matrix, becomes its inverse."""
    for i in range(count):
        lead = max(size, 1)
        at = i * size * size
        if lapack_getrf(size, size, out, at, lead, pivots, 0) != 0:
            return 1
        lapack_getri(size, out, at, lead, pivots, 0, work, 0, room)
    return 0


def take_lu_diagonals(
    out: Any, signs: Any, factors: Any, pivots: Any, count: int, size: int
) -> int:
    """out[i, :] = the diagonal of the upper factor of factors[i], a matrix column by column, and
    signs[i] the sign of the permutation of its rows; zeros for a singular one, NaN in it or not."""
    for i in range(count):
        at = i * size * size
        status = lapack_getrf(size, size, factors, at, max(size, 1), pivots, 0)
        sign = 1
        for k in range(size):
            out[i * size + k] = 0.0 if status > 0 else factors[at + k * size + k]
            if pivots[k] != k + 1:
                sign = -sign
        signs[i] = sign
    return 0


def find_eigenvectors(
    vectors: Any, values: Any, work: Any, whole: Any, count: int, size: int, room: int, more: int
) -> int:
    """vectors[i], a symmetric matrix column by column of which the lower triangle is read, becomes
    its eigenvectors, column by column, and values[i, :] its eigenvalues."""
    for i in range(count):
        lead = max(size, 1)
        at = i * size * size
        status = lapack_syevd(
            86, 76, size, vectors, at, lead, values, i * size, work, 0, room, whole, 0, more
        )
        if status != 0:
            return 1
    return 0


def find_singular_vectors(
    u: Any,
    s: Any,
    v: Any,
    x: Any,
    work: Any,
    whole: Any,
    count: int,
    rows: int,
    columns: int,
    least: int,
    full: int,
    room: int,
) -> int:
    """x[i], column by column, is u[i] diag(s[i]) v[i], these column by column; x is used up."""
    left = least + full * (rows - least)
    right = least + full * (columns - least)
    for i in range(count):
        at_u, at_v = i * rows * left, i * right * columns
        if least == 0:
            for k in range(rows * left):
                u[at_u + k] = 1 if k % (rows + 1) == 0 else 0
            for k in range(right * columns):
                v[at_v + k] = 1 if k % (columns + 1) == 0 else 0
        else:
            status = lapack_gesdd(
                83 - 18 * full,
                rows,
                columns,
                x,
                i * rows * columns,
                rows,
                s,
                i * least,
                u,
                at_u,
                rows,
                v,
                at_v,
                right,
                work,
                0,
                room,
                whole,
                0,
            )
            if status != 0:
                return 1
    return 0


def factor_qr(
    q: Any,
    r: Any,
    scales: Any,
    work: Any,
    count: int,
    rows: int,
    columns: int,
    least: int,
    inner: int,
    wide: int,
    room: int,
) -> int:
    """q[i], of `wide` columns of which the first ones hold a matrix column by column, becomes
    orthonormal columns, its first `inner` ones, and r[i] the upper triangle, column by column, of
    which it was the product."""
    for i in range(count):
        at, lead = i * rows * wide, max(rows, 1)
        lapack_geqrf(rows, columns, q, at, lead, scales, 0, work, 0, room)
        for column in range(columns):
            for row in range(inner):
                to = (i * columns + column) * inner + row
                r[to] = q[at + column * rows + row] if row <= column else 0
        lapack_orgqr(rows, inner, least, q, at, lead, scales, 0, work, 0, room)
    return 0
