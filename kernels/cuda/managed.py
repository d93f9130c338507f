"""Arrays in managed memory: one address for the processor and the GPU.

The driver moves their pages to whoever touches them, so an array that kernels alone use stays on
the GPU from call to call, and NumPy reads it like any other. Blocks are kept for the next arrays of
about their size.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from typing import Any

import numpy as np

from autograph.kernels.cuda.driver import Driver

Array = np.ndarray[Any, Any]
SMALLEST = 64 << 10
"""Bytes from which on an array is worth a block of its own; smaller ones travel with a call."""
_GRAIN = 2 << 20


class Block:
    """The memory of an array; it goes back when the last view of it is gone."""

    __slots__ = ("__array_interface__", "address", "memory", "size")

    def __init__(self, memory: ManagedMemory, address: int, size: int) -> None:
        self.memory = memory
        self.address = address
        self.size = size
        self.__array_interface__: dict[str, Any] = {}

    def __del__(self) -> None:
        self.memory.returned.append((self.size, self.address))


class ManagedMemory:
    """The managed memory that is made for a device."""

    def __init__(self, driver: Driver, name: str) -> None:
        """`name`: the device's, such as `cuda:0`."""
        self.driver = driver
        self.name = name
        self.returned: deque[tuple[int, int]] = deque()
        """Blocks that arrays have left: any thread may add one at any time."""
        self._free: list[tuple[int, int]] = []
        self._lock = threading.Lock()
        _MEMORIES.add(self)

    def array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """An array full of something, in rows; MemoryError where it does not fit."""
        count = dtype.itemsize
        for size in shape:
            count *= size
        block = Block(self, *self._taken(rounded(count)))
        block.__array_interface__ = {
            "data": (block.address, False),
            "shape": tuple(shape),
            "typestr": dtype.str,
            "version": 3,
        }
        return np.asarray(block)

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Where a result is written: in managed memory, unless it is small."""
        made = np.empty(shape, dtype)  # costs nothing until it is touched
        return made if made.nbytes < SMALLEST else self.array(made.shape, made.dtype)

    def copy(self, array: Array) -> Array:
        """A copy of an array of the processor's, brought to the device."""
        made = self.array(array.shape, array.dtype)
        np.copyto(made, array)
        self.driver.prefetch(address_of(made), made.nbytes)
        return made

    def foreign(self, address: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """A copy of what another library has on the device, in rows."""
        made = self.array(shape, dtype)
        self.driver.copy(address_of(made), address, made.nbytes)
        return made

    def _taken(self, size: int) -> tuple[int, int]:
        """The address and the size of a block of at least so many bytes."""
        with self._lock:
            while self.returned:
                self._free.append(self.returned.popleft())
            fitting = [one for one in self._free if size <= one[0] <= size + size // 4]
            if fitting:
                found = min(fitting)
                self._free.remove(found)
                return found[1], found[0]
            try:
                return self.driver.allocate_managed(size), size
            except MemoryError:
                self._release()
                return self.driver.allocate_managed(size), size

    def _release(self) -> None:
        """Give all blocks back that no array has."""
        while self._free:
            _, address = self._free.pop()
            self.driver.release(address)


def rounded(size: int) -> int:
    """The size of a block: a power of two, or a multiple of 2 MiB."""
    if size >= _GRAIN:
        return (size + _GRAIN - 1) // _GRAIN * _GRAIN
    return 1 << max(size - 1, SMALLEST - 1).bit_length()


_MEMORIES: weakref.WeakSet[ManagedMemory] = weakref.WeakSet()


def is_in_use() -> bool:
    """Whether there may be arrays in managed memory."""
    return len(_MEMORIES) > 0


def block_of(array: Array) -> Block | None:
    """The block of managed memory that an array lies in, if any."""
    base: Any = array.base
    while type(base) is np.ndarray:
        base = base.base
    return base if type(base) is Block else None


def address_of(array: Array) -> int:
    """Where the elements of an array start."""
    address: int = array.__array_interface__["data"][0]
    return address
