"""NumPy's functions that make an array of lists, where tensors are in the lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import Array, Scalar
from autograph.runtime.arrays.table import apply_function, tensors_in
from autograph.runtime.ops.table import OPS

OF_NUMPY: dict[Any, Callable[..., Any]] = {}
"""The function of NumPy that each of these is where no tensor is in a list."""


def holds_tensor(values: Any) -> bool:
    """Whether a tensor is among values, or in lists and tuples among these: no array of a trace."""
    return any(not isinstance(one, Array | Scalar) for one in tensors_in(values))


def _of_lists(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` of NumPy that makes a tensor of tensors and of lists that hold some.

    NumPy itself takes the elements out of them: an array, through which no gradient goes.
    """

    def made(object: Any, dtype: Any = None, **keywords: Any) -> Any:
        if holds_tensor([object]):
            return OPS.asarray(object, dtype=dtype)
        if any(True for _ in tensors_in([object])):  # that a tape watches: of a trace none comes
            return apply_function(function, (object,), {"dtype": dtype, **keywords})
        return function(object, dtype, **keywords)

    made.__name__ = made.__qualname__ = function.__name__
    made.__doc__ = f"numpy.{function.__name__}; a tensor where `object` is one or holds some."
    OF_NUMPY[made] = function
    return made


array = _of_lists(np.array)
asarray = _of_lists(np.asarray)
asanyarray = _of_lists(np.asanyarray)
ascontiguousarray = _of_lists(np.ascontiguousarray)
