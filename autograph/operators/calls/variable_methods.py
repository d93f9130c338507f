"""What the methods that assign a Variable mean where sizes are known only when the graph runs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.library.variables import check_sizes
from autograph.operators.calls.dispatch import call
from autograph.operators.calls.unconverted import call_native
from autograph.operators.expressions.truth import choose
from autograph.runtime.arrays.cells import Array, Scalar, as_tensor
from autograph.runtime.core.dtypes import SHORT_NAMES
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

Model = Callable[..., Any]


def _assigning(method: Callable[[Variable, Any], Variable], stretched: bool) -> Model:
    """A method that takes a value of the variable's shape, or `stretched` one that broadcasts."""

    def model(tracing: Tracing, variable: Variable, value: Any) -> Variable:
        if isinstance(value, Choice):
            chosen: Variable = choose(tracing, value, functools.partial(model, tracing, variable))
            return chosen
        if isinstance(value, Array | Scalar):
            value = variable._of_array(as_tensor(value), method.__name__)
        if not isinstance(value, Tensor):
            value = _in_graph(tracing, variable._converted(value, method.__name__))
        if value.dtype == variable.dtype:
            _check(variable, value, method.__name__, stretched)
        result: Variable = call_native(tracing, method, (variable, value), {})
        return result

    return model


def _in_graph(tracing: Tracing, tensor: Tensor) -> Tensor:
    """A tensor that is made of known numbers, as a constant where it stands."""
    held = tensor._value
    if not isinstance(held, np.ndarray):
        return tensor
    made: Tensor = tracing.born(Tensor._of(tracing.region.trace.constant(held)))
    return made


def _check(variable: Variable, value: Tensor, what: str, stretched: bool) -> None:
    sizes, wanted = shape_of(value), shape_of(variable)
    pairs = [*zip(reversed(sizes), reversed(wanted), strict=False)]
    unsure = any(one != own and not _known(one, own) for one, own in pairs)
    if not unsure or len(sizes) > len(wanted) or (len(sizes) < len(wanted) and not stretched):
        return
    given = tuple(OPS.dimension(value, axis) for axis in range(value.ndim))
    first = variable.ndim - value.ndim
    own = tuple(OPS.dimension(variable, axis) for axis in range(first, variable.ndim))
    call(check_sizes, given, own, stretched, what, SHORT_NAMES[value.dtype], variable._title())


def _known(*sizes: Any) -> bool:
    return all(isinstance(one, int) for one in sizes)


VARIABLE_MODELS: dict[Any, Model] = {
    Variable.assign: _assigning(Variable.assign, False),
    Variable.assign_add: _assigning(Variable.assign_add, True),
    Variable.assign_sub: _assigning(Variable.assign_sub, True),
}
