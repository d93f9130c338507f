"""Results whose size only the run tells, and lists: native code keeps them, for CPython to take."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np

WORDS_BEFORE_SIZES = 2
Bytes = np.ndarray[Any, Any]


class KeptArray:
    """Where a program leaves an array of unknown size: its address, its bytes, its sizes."""

    __slots__ = ("dtype", "kept", "words")

    def __init__(self, dtype: np.dtype[Any], rank: int) -> None:
        self.dtype = dtype
        self.words = np.zeros(WORDS_BEFORE_SIZES + rank, np.int64)
        self.kept: Any = None
        """In CPython, where there are no addresses: the bytes."""

    def array(self) -> np.ndarray[Any, Any]:
        """The array, once the program has run."""
        shape = tuple(self.words[WORDS_BEFORE_SIZES:].tolist())
        if self.kept is not None:
            return self.kept.view(self.dtype).reshape(shape)  # type: ignore[no-any-return]
        result = np.empty(shape, self.dtype)
        address, count = self.words[:WORDS_BEFORE_SIZES].tolist()
        if address:
            move, release = _functions()
            move(_address(result), address, count)
            release(address)
        return result


class KeptList:
    """A list as it comes in or goes out: its block of bytes, its table of places and sizes."""

    __slots__ = ("kept", "words")

    def __init__(self) -> None:
        self.words = np.zeros(4, np.int64)
        self.kept: tuple[Bytes, np.ndarray[Any, Any], int] | None = None

    @classmethod
    def of(cls, data: Bytes, table: np.ndarray[Any, Any], length: int) -> KeptList:
        """A list to be given to a program."""
        result = cls()
        result._hold(data, table, length)
        return result

    def _hold(self, data: Bytes, table: np.ndarray[Any, Any], length: int) -> None:
        self.kept = data, table, length
        self.words[:] = _address(data), data.size, _address(table), length

    def parts(self, rank: int) -> tuple[Bytes, np.ndarray[Any, Any], int]:
        """The block, the table and the number of items, once the program has run."""
        if self.kept is None:
            data, count, table, length = self.words.tolist()
            block = np.empty(count, np.uint8)
            places = np.empty(length * (rank + 1), np.int64)
            move, release = _functions()
            for target, source in ((block, data), (places, table)):
                if source:
                    move(_address(target), source, target.nbytes)
                    release(source)
            self._hold(block, places, length)
        assert self.kept is not None
        return self.kept


def _address(array: np.ndarray[Any, Any]) -> int:
    return int(array.__array_interface__["data"][0])


@functools.cache
def _functions() -> tuple[Any, Any]:
    """memmove, and what takes back the blocks that native code gives."""
    from autograph.kernels import native

    return ctypes.memmove, native.support_function("give_block")
