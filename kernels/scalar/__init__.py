"""Every scalar function once: plain source for CPython on NumPy scalars and for numba.

CPython warns where NumPy scalars overflow or divide by zero: run programs under
`np.errstate(all="ignore")`. numba needs `error_model="numpy"`, and `register_intrinsics()` of
`intrinsics_native` before.
"""

from autograph.kernels.scalar.registry import (
    SCALAR_FUNCTIONS,
    ScalarFunction,
    dependencies,
    module_text,
    source_of,
)
from autograph.kernels.scalar.source import PRELUDE

__all__ = [
    "PRELUDE",
    "SCALAR_FUNCTIONS",
    "ScalarFunction",
    "dependencies",
    "module_text",
    "source_of",
]
