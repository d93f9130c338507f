"""Every scalar function once: plain source for CPython on NumPy scalars and for LLVM.

CPython warns where NumPy scalars overflow or divide by zero: run programs under
`np.errstate(all="ignore")`.
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
