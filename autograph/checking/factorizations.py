"""How far rounding may take what LAPACK computes: by the condition of the matrix.

The routines give the exact result for a matrix that differs by rounding; how far that is from the
result for the matrix itself is what the bounds here say, roughly, and for a whole batch at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.runtime.graph.ir import Node

BY_GAPS = frozenset({"eigh", "svd"})
"""Vectors turn the more, the nearer two values are to one another."""
FACTORIZATIONS = BY_GAPS | {"solve", "solve_triangular", "inv", "cholesky", "qr", "lu_diagonal"}


def factored(node: Node, operands: Sequence[Any], result: Any) -> Any:
    """A bound for each element of a result."""
    x, found = np.asarray(operands[0]), np.asarray(result)
    is_sign = found.ndim == x.ndim - 2
    if not x.size or not found.size or is_sign or not np.isfinite(x).all():
        return np.zeros(found.shape)
    unit = max(x.shape[-2:]) * float(np.finfo(found.dtype).eps)
    if node.op.name not in BY_GAPS:
        times = _condition(x)
    elif found.ndim == x.ndim:
        times = _closeness(x, node.op.name)
    else:
        times = 1.0  # values move as far as the matrix does
    return np.full(found.shape, unit * min(times, 1 / unit) * float(np.abs(found).max()))


def _condition(x: Any) -> float:
    values = np.linalg.svd(x, compute_uv=False)
    largest, least = float(values.max()), float(values.min())
    return largest / least if least else np.inf


def _closeness(x: Any, name: str) -> float:
    """The size of a matrix by the least distance of two of its values."""
    values = np.linalg.eigvalsh(x) if name == "eigh" else np.linalg.svd(x, compute_uv=False)
    gaps = np.abs(np.diff(values, axis=-1))
    least = float(gaps.min()) if gaps.size else 1.0
    if name == "svd" and x.shape[-1] != x.shape[-2]:
        least = min(least, float(values.min()))
    return float(np.abs(values).max()) / least if least else np.inf
