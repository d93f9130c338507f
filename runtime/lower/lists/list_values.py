"""Lists where a program begins and ends: ListValues packed for it, and those that it gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.kernels.results import KeptList
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.spec import ListSpec, Spec

Array = np.ndarray[Any, Any]


class PackedList(ListValue):
    """A list that a program gave: its items are looked at when somebody asks for one.

    Handed to another program it goes as it is.
    """

    __slots__ = ("_unpacked", "element", "packed")

    def __init__(self, packed: KeptList, element: Spec) -> None:
        self.packed = packed
        self.element = element
        self.length = packed.parts(element.ndim)[2]
        self._unpacked: list[Any] | None = None

    @property
    def _items(self) -> list[Any]:  # type: ignore[override]
        if self._unpacked is None:
            self._unpacked = _unpacked(self.packed, self.element)
        return self._unpacked

    def scalars(self) -> list[Any]:
        """The items, where each has no axes, as NumPy's scalars."""
        return list(self.packed.parts(0)[0].view(self.element.dtype)[: self.length])


def list_in(value: ListValue, spec: ListSpec) -> KeptList:
    """A list as programs take it."""
    if isinstance(value, PackedList):
        # others may have grown the list of items that they share, but not what is packed
        return value.packed
    return _packed(list(value), spec.element)


def list_out(kept: KeptList, spec: ListSpec) -> ListValue:
    """A list that a program gave."""
    return PackedList(kept, spec.element)


def _packed(items: list[Any], element: Spec) -> KeptList:
    width = element.ndim + 1
    table = np.zeros((len(items), width), np.int64)
    if not items:
        return KeptList.of(np.empty(0, np.uint8), table.reshape(-1), 0)
    if element.ndim:
        arrays = [np.ascontiguousarray(item, element.dtype) for item in items]
        sizes = np.array([array.nbytes for array in arrays])
        table[1:, 0] = np.cumsum(sizes)[:-1]
        table[:, 1:] = [array.shape for array in arrays]
        data = np.concatenate([array.reshape(-1) for array in arrays])
    else:
        data = np.array(items, element.dtype)
        table[:, 0] = np.arange(len(items)) * element.dtype.itemsize
    return KeptList.of(data.view(np.uint8), table.reshape(-1), len(items))


def _unpacked(kept: KeptList, element: Spec) -> list[Any]:
    data, table, length = kept.parts(element.ndim)
    flat = data.view(element.dtype)
    if element.python:
        numbers: list[Any] = flat.tolist()
        return numbers
    if not element.ndim:
        return [flat[place, ...] for place in range(length)]
    rows = table[: length * (element.ndim + 1)].reshape(length, element.ndim + 1)
    shapes = rows[:, 1:]
    if length and (shapes == shapes[0]).all():
        return list(flat.reshape(length, *shapes[0].tolist()))
    result = []
    for start, *shape in rows.tolist():
        first = start // element.dtype.itemsize
        count = math.prod(shape)
        result.append(flat[first : first + count].reshape(shape))
    return result
