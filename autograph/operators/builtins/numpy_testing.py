"""Assertions of `numpy.testing` about what only the run tells: NumPy makes them then."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autograph.operators.builtins.printing import numpy_function
from autograph.operators.calls.unconverted import describe_callable
from autograph.operators.calls.unconverted_arguments import Foreign
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
    """Whether it is an assertion about two values of which the trace has computed one, an array
    or a number: then it is made when the graph runs. What else it is given must be known."""
    module = str(function.__module__)
    if function.__name__ not in ASSERTIONS or not module.startswith("numpy.testing"):
        return False
    compared, rest = args[:2], args[2:]
    staged = [place for place, one in enumerate(compared) if isinstance(one, Tensor | Number)]
    if len(compared) < 2 or not any(map(_is_computed, compared)):
        return False
    foreign = Foreign(tracing, describe_callable(function), looks=True)
    known = [None if place in staged else foreign.argument(compared[place]) for place in (0, 1)]
    others = [*map(foreign.argument, rest)]
    named = {name: foreign.argument(one) for name, one in keywords.items()}
    kinds = [_in_python(compared[place]) for place in staged]

    def check(*given: Any) -> None:
        values = [*known]
        for place, kind, one in zip(staged, kinds, given, strict=True):
            values[place] = kind(one)
        function(*values, *others, **named)

    numpy_function(check, [compared[place] for place in staged])
    return True


def _is_computed(value: Any) -> bool:
    """Whether a trace has computed it: what it was given may be known when it is asked for."""
    return isinstance(value, Number) or (
        isinstance(value, Tensor) and isinstance(value._value, Value)
    )


def _in_python(value: Any) -> Callable[[Any], Any]:
    """What makes of an array what plain Python has there."""
    if isinstance(value, Scalar):
        return lambda given: given[()]
    if isinstance(value, Array):
        return np.asarray
    if isinstance(value, Tensor):
        return Tensor._of
    kind: Any = value.kind
    return lambda given: kind(given)
