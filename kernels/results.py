"""Results whose size only the run tells: native code keeps a copy, which becomes an array."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np

WORDS_BEFORE_SIZES = 2


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
            move(result.__array_interface__["data"][0], address, count)
            release(address)
        return result


@functools.cache
def _functions() -> tuple[Any, Any]:
    """memmove and free, of which the latter belongs to the malloc that native code calls."""
    release = ctypes.CDLL(None).free
    release.argtypes = (ctypes.c_void_p,)
    release.restype = None
    return ctypes.memmove, release
