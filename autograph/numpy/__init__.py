"""NumPy's names, for one changed line: `import autograph.numpy as np`.

The functions are NumPy's own, which take tensors as well as arrays: `np.exp(x)` of a tensor is an
op with its gradient. What differs is what makes an array of lists: `np.array([x, 2 * x])` of
tensors is a tensor here, where NumPy takes the elements out of them.
"""

from __future__ import annotations

from numpy import *  # noqa: F403
from numpy import __all__ as _names

from autograph.numpy import fft, linalg, random  # type: ignore[no-redef]
from autograph.runtime.arrays.lists import (  # type: ignore[no-redef]
    array,
    asanyarray,
    asarray,
    ascontiguousarray,
)

__all__ = ["array", "asanyarray", "asarray", "ascontiguousarray", "fft", "linalg", "random"]
__all__ += _names
