"""Assertions of `numpy.testing` about what only the run tells: NumPy makes them then."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autograph.operators.builtins.printing import numpy_function
from autograph.runtime.arrays.cells import Array, Scalar
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.tracing.tracing import Tracing

ASSERTIONS = (
    *("assert_allclose", "assert_almost_equal", "assert_array_almost_equal", "assert_array_equal"),
    *("assert_array_less", "assert_approx_equal", "assert_equal"),
)
"""By their names: to import `numpy.testing` takes longer than all of NumPy else."""


def asserted(
    tracing: Tracing, function: FunctionType, args: tuple[Any, ...], keywords: dict[str, Any]
) -> bool:
    """Whether it is an assertion about two arrays or numbers of which the trace has computed one:
    then it is made when the graph runs."""
    module = str(function.__module__)
    if function.__name__ not in ASSERTIONS or not module.startswith("numpy.testing"):
        return False
    compared, rest = args[:2], args[2:]
    known = not any(isinstance(one, Tensor | Number) for one in (*rest, *keywords.values()))
    fits = all(isinstance(one, Tensor | Number | int | float | np.generic) for one in compared)
    if len(compared) < 2 or not known or not fits or not any(map(_is_computed, compared)):
        return False
    kinds = [_in_python(one) for one in compared]

    def check(*given: Any) -> None:
        function(*[kind(one) for kind, one in zip(kinds, given, strict=True)], *rest, **keywords)

    numpy_function(check, compared)
    return True


def _is_computed(value: Any) -> bool:
    """Whether a trace has computed it: what it was given may be known when it is asked for."""
    return isinstance(value, Number) or (
        isinstance(value, Tensor) and isinstance(value._value, Value)
    )


def _in_python(value: Any) -> Callable[[Any], Any]:
    """What makes of an array what plain Python has there."""
    if isinstance(value, Scalar | np.generic):
        return lambda given: given[()]
    if isinstance(value, Array):
        return np.asarray
    if isinstance(value, Tensor):
        return Tensor._of
    kind: Any = value.kind if isinstance(value, Number) else type(value)
    return lambda given: kind(given)
