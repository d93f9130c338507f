"""Linear algebra: `ag.linalg`, with the names of the array API standard, and NumPy's and SciPy's.

Matrices are the last two axes; the axes before them are a batch, over which everything goes. Floats
and complex numbers keep their dtype, integers and bools give float64. What cannot be computed (a
singular matrix to `inv` or `solve`, one that is not positive definite to `cholesky`) raises
`LinAlgError`, NumPy's own, eagerly and from staged functions, where a `try` catches it.

Gradients of any order, by rules on matrices; `check_gradients` finds them right. `cholesky` and
`eigh` take their argument to be symmetric, and so is its gradient, as in JAX and torch. Where
eigenvalues or singular values are equal, what does not depend on the choice of their vectors has
its gradient, and for what does there is none. See docs/decisions/0055-linear-algebra.md.

    x = ag.linalg.solve(a, b)               a: [..., n, n], b: [n] or [..., n, k]
    q, r = ag.linalg.qr(a)                  named tuples: .Q, .R
    w, v = ag.linalg.eigh(a)                .eigenvalues, .eigenvectors
    u, s, vh = ag.linalg.svd(a, full_matrices=False)
"""

from __future__ import annotations

from numpy.linalg import LinAlgError

from autograph.runtime.ops.table import OPS as _OPS

cholesky = _OPS.cholesky
cond = _OPS.condition_number
cross = _OPS.cross
det = _OPS.det
diagonal = _OPS.diagonal
eig = _OPS.eig
eigh = _OPS.eigh
eigvals = _OPS.eigvals
eigvalsh = _OPS.eigvalsh
expm = _OPS.expm
inv = _OPS.inv
lstsq = _OPS.lstsq
matmul = _OPS.matmul
matrix_norm = _OPS.matrix_norm
matrix_power = _OPS.matrix_power
matrix_rank = _OPS.matrix_rank
matrix_transpose = _OPS.matrix_transpose
multi_dot = _OPS.multi_dot
norm = _OPS.norm
outer = _OPS.outer
pinv = _OPS.pinv
qr = _OPS.qr
slogdet = _OPS.slogdet
solve = _OPS.solve
solve_triangular = _OPS.solve_triangular
svd = _OPS.svd
svdvals = _OPS.svdvals
tensordot = _OPS.tensordot
trace = _OPS.trace
vecdot = _OPS.vecdot
vector_norm = _OPS.vector_norm

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "expm",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]
