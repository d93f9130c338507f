"""Functions of SciPy's that are written anew, where they are given what only the run tells."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.library.numpy import scipy_functions as library
from autograph.operators.arrays.numpy_source import with_arrays
from autograph.operators.calls.dispatch import call
from autograph.runtime.arrays.table import paused, takes, tensors_in
from autograph.tracing.tracing import Tracing
from autograph.values.marks import declared

LINEAR: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (
        *(library.expm, library.solve, library.inv, library.det, library.norm, library.cholesky),
        *(library.cho_factor, library.cho_solve, library.solve_triangular, library.eigvalsh),
    )
}
"""By the name in scipy.linalg."""
NORMAL: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (library.pdf, library.logpdf, library.cdf, library.sf, library.ppf, library.isf)
}
"""By the name of the method of scipy.stats.norm."""


_KNOWN = (int, float, complex, str, np.generic, type(None))
"""What is known while tracing, and is no container."""


def call_written(
    tracing: Tracing, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """A call of a function of SciPy's that is written anew; NotImplemented for any other one."""
    module = declared(function, "__module__")
    if not isinstance(module, str) or not module.startswith("scipy."):
        return NotImplemented
    written, parts = _written(function, args)
    given = (*parts, *keywords.values())
    if written is None:
        return NotImplemented
    if all(isinstance(one, _KNOWN) for one in given):
        with paused():
            return function(*args, **keywords)
    args, cells = parts, list(tensors_in(given))
    matrices = all(len(one.shape) < 3 for one in cells) or written.__name__ in NORMAL
    if not matrices or not takes(written, len(args), tuple(keywords)):
        return NotImplemented
    if written is library.norm and _asks_order(*args, **keywords):
        return NotImplemented
    args = tuple(with_arrays(tracing, one) for one in args)
    named = {key: with_arrays(tracing, one) for key, one in keywords.items()}
    return call(written, *args, **named)


def _asks_order(a: Any, ord: Any = None, *rest: Any, **named: Any) -> bool:
    """Whether a norm is a float of Python's or of NumPy's by how the matrix lies in memory."""
    return len(getattr(a, "shape", ())) == 2 and ord in (1, math.inf)


def _written(function: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """What does the same as a function of SciPy's, and its arguments; None for none."""
    name = function.__name__
    linear, statistics = sys.modules.get("scipy.linalg"), sys.modules.get("scipy.stats")
    if name in LINEAR and getattr(linear, name, None) is function:
        return LINEAR[name], args
    normal = getattr(statistics, "norm", None)
    if name in NORMAL and args and normal is not None and args[0] is normal:
        return NORMAL[name], args[1:]
    return None, args
