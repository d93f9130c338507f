"""NumPy's functions that join arrays, of a list of the graph: its length only the run tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core.spec import normalized_axis
from autograph.runtime.ops.table import OPS

LIST_JOINS: dict[Any, Callable[..., Any]] = {}
"""By NumPy's function: of a list of tensors and the number of axes that each has. Scalars are given
as one tensor."""


def _joins(function: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def noted(implementation: Callable[..., Any]) -> Callable[..., Any]:
        LIST_JOINS[function] = implementation
        return implementation

    return noted


def _cast(made: Any, dtype: Any, rest: dict[str, Any]) -> Any:
    if rest.get("out") is not None:
        raise NotImplementedError
    return made if dtype is None else OPS.astype(made, np.dtype(dtype))


@_joins(np.concatenate)
def concatenate(items: Any, ndim: int, axis: Any = 0, dtype: Any = None, **rest: Any) -> Any:
    if not ndim:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    if axis is None:
        return _cast(OPS.reshape(OPS.concat(items, axis=0), (-1,)), dtype, rest)
    return _cast(OPS.concat(items, axis=normalized_axis(axis, ndim)), dtype, rest)


@_joins(np.stack)
def stack(items: Any, ndim: int, axis: int = 0, dtype: Any = None, **rest: Any) -> Any:
    place = normalized_axis(axis, ndim + 1)
    return _cast(OPS.stack(items, axis=place) if ndim else items, dtype, rest)


@_joins(np.vstack)
def vstack(items: Any, ndim: int, **rest: Any) -> Any:
    if not ndim:
        return OPS.expand_dims(stack(items, ndim, **rest), axis=1)
    return (concatenate if ndim > 1 else stack)(items, ndim, 0, **rest)


@_joins(np.hstack)
def hstack(items: Any, ndim: int, **rest: Any) -> Any:
    if not ndim:
        return stack(items, ndim, **rest)
    return concatenate(items, ndim, 1 if ndim > 1 else 0, **rest)


@_joins(np.column_stack)
def column_stack(items: Any, ndim: int) -> Any:
    if not ndim:
        return OPS.expand_dims(items, axis=0)
    return (concatenate if ndim > 1 else stack)(items, ndim, 1)


@_joins(np.dstack)
def dstack(items: Any, ndim: int, **rest: Any) -> Any:
    if ndim > 2:
        return concatenate(items, ndim, 2, **rest)
    made = stack(items, ndim, ndim, **rest)
    for _ in range(2 - ndim):
        made = OPS.expand_dims(made, axis=0)
    return made
