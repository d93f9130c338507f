"""Which ops take complex tensors. All others refuse them by name, eager and staged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import Control, Movement, Op

TAKE_COMPLEX = frozenset(
    "add subtract multiply negative positive equal not_equal where sum sum_like copy astype "
    "stop_gradient complex real imag conj constant take scatter_add scatter_set index_set "
    "index_add divide power square abs sqrt exp expm1 log log1p log2 log10 sin cos tan sinh cosh "
    "tanh asin acos atan asinh acosh atanh reciprocal prod mean var std cumulative_sum "
    "cumulative_prod matmul matmul_add isnan isinf isfinite logical_and logical_or logical_xor "
    "logical_not any all less less_equal greater greater_equal maximum minimum max min argmax "
    "argmin argsort tril triu nonzero_flat searchsorted solve solve_triangular inv det cofactors "
    "slogdet expm cholesky eigh eig svd qr pinv "
    "cannot_be_factored lu_diagonal fft "
    "ifft irfft py_complex py_real py_imag py_add to_tensor".split()
)
"""Besides control flow, lists, and what only moves elements."""


def require_real(op: Op, dtypes: Iterable[DType], attributes: Mapping[str, Any]) -> None:
    """TypeError, with the name of the op, where one of these dtypes is complex and it may not."""
    if all(dtype.kind != "c" for dtype in dtypes):
        return
    if op.name in ("astype", "to_tensor") and attributes["dtype"].kind != "c":
        raise TypeError(
            f"a complex number is not cast to {attributes['dtype']}: take ag.real(x) or ag.imag(x)"
        )
    if op.name in TAKE_COMPLEX or op.name.startswith(("list_", "checked_")):
        return
    if isinstance(op.lowering, Movement | Control):
        return
    if op.name == "to_number" and attributes["kind"] in (bool, complex):
        return
    if op.name == "to_number":
        raise TypeError("a complex number is no int and no float: take x.real, or abs(x)")
    raise TypeError(
        f"{op.name} does not take complex tensors: compute with ag.real(x) and ag.imag(x)"
    )
