"""The traces that a signature with unknown sizes needs: 0 and 1 have traces of their own."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from autograph.concrete import ConcreteFunction
from autograph.input_signature import leaves
from autograph.tensor_spec import TensorSpec

_FEW = {1: (None, 1, 0), 2: (None, 1, 0), 3: (None, 1), 4: (None, 1)}
"""By the number of unknown sizes, those that each of them is traced for, in every combination."""


def traces_for(item: Any, arguments: tuple[Any, ...]) -> list[ConcreteFunction]:
    """The traces of a staged function for arguments in which TensorSpecs stand for tensors.

    Where it cannot be traced for a size of 0 or 1, a loaded one cannot be called with it.
    """
    found = [item.get_concrete(*arguments).concrete]
    for one in _variants(arguments):
        try:
            concrete = item.get_concrete(*one).concrete
        except Exception:  # whatever the function does with such a size while it is traced
            continue
        if concrete not in found:
            found.append(concrete)
    return found


def _variants(arguments: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The arguments with 0 and 1 in the place of unknown sizes."""
    specs = [leaf for _, leaf in leaves("", arguments) if isinstance(leaf, TensorSpec)]
    count = sum(spec.shape.count(None) for spec in specs)
    if not count:
        return
    every: Any = itertools.product(_FEW.get(count, ()), repeat=count)
    for sizes in every if count in _FEW else [(1,) * count, (0,) * count]:
        yield _with_sizes(arguments, iter(sizes))


def _with_sizes(value: Any, sizes: Iterator[int | None]) -> Any:
    if isinstance(value, TensorSpec):
        shape = [next(sizes) if size is None else size for size in value.shape]
        return TensorSpec(shape, value.dtype, value.name)
    if isinstance(value, dict):
        return {key: _with_sizes(one, sizes) for key, one in value.items()}
    if isinstance(value, list | tuple):
        parts = [_with_sizes(one, sizes) for one in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value
