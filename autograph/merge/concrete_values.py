"""What a run gives, as the caller sees it: single values, and many rows a column at a time.

A run gives a container of staged length as one list for each part of its rows. Where a row is
nothing but numbers, tensors and immutable structures of them, each part is made for all rows at
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from autograph.kernels.cuda.managed import Block
from autograph.merge.thaw import rebuild
from autograph.runtime.arrays.cells import Array, Scalar, View, view_of, viewed
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.tensor import Tensor
from autograph.values.marks import declared
from autograph.values.skeleton import Choices, Fixed, Group, Leaf, Skeleton


def given_as(kind: type[Tensor], array: np.ndarray[Any, Any]) -> Any:
    """The elements that a run gave, as a tensor, an array or a scalar of NumPy's."""
    if kind is Tensor:
        return Tensor._of(array)
    if kind is Scalar:
        return array[()]
    is_own = array.flags.owndata or isinstance(array.base, Block)
    return array if array.flags.writeable and is_own else array.copy()


def rebuild_plain(kind: Any, parts: list[Any]) -> Any:
    """An immutable structure of this kind from concrete parts, as the program's caller sees it."""
    if kind is View:
        return view_of(*parts) if isinstance(parts[0], Array) else viewed(*parts)
    concrete = declared(kind, "_concrete")
    return concrete(*parts) if concrete is not None else rebuild(kind, parts)


def is_plain(element: Skeleton) -> bool:
    """Whether `in_columns` makes rows of this type."""
    match element:
        case Fixed(value=value):
            return not isinstance(value, np.ndarray)
        case Leaf(same=same):
            return not same
        case Group(kind=kind, items=items):
            return kind is not View and all(map(is_plain, items))
        case Choices(options=options):
            return all(map(_is_simple, options))
    return False


def _is_simple(option: Skeleton) -> bool:
    """Whether an option can be made where it is not the one taken: of parts that mean nothing."""
    if isinstance(option, Group):
        return option.kind is tuple and all(map(_is_simple, option.items))
    return is_plain(option)


def given_all_as(kind: type[Tensor], column: Sequence[Any] | ListValue) -> list[Any]:
    """`given_as` for all items of a column; Python's numbers are what they are."""
    if kind is Scalar and isinstance(column, ListValue):
        return column.scalars()
    return [given_as(kind, one) if isinstance(one, np.ndarray) else one for one in column]


def in_columns(
    element: Skeleton, columns: Iterator[Sequence[Any] | ListValue], count: int
) -> list[Any]:
    """The values of `count` rows, whose parts the columns give in the order of the leaves."""
    if isinstance(element, Fixed):
        return [element.value] * count
    if isinstance(element, Leaf):
        return given_all_as(element.kind, next(columns))
    if isinstance(element, Choices):
        tags = next(columns)
        options = [in_columns(option, columns, count) for option in element.options]
        return [options[tag][place] for place, tag in enumerate(tags)]
    assert isinstance(element, Group)
    parts = [in_columns(item, columns, count) for item in element.items]
    return _rebuilt(element.kind, parts, count)


def _rebuilt(kind: Any, parts: list[list[Any]], count: int) -> list[Any]:
    """`rebuild_plain` for many."""
    if not parts:
        return [rebuild_plain(kind, []) for _ in range(count)]
    together = declared(kind, "_all_concrete")
    if together is not None:
        return list(together(*parts))
    if kind is tuple:
        return list(zip(*parts, strict=True))
    concrete = declared(kind, "_concrete")
    if concrete is not None:
        return list(map(concrete, *parts))
    return [rebuild(kind, list(row)) for row in zip(*parts, strict=True)]
