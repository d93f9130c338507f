"""The vocabulary of programs for memory and numbers: what CPython runs when the JIT is off.

A *pointer* is a place in a block of bytes; `pointer + bytes` is another one. A *flat buffer* is
what `float32_at(pointer)` and its kin give: elements of one dtype from that place on. Here they are
NumPy arrays, so that a wrong index is an IndexError; `kernels.codegen.vocabulary` has the same
names with addresses for pointers. A *frame* is the memory of one activation of a function: an
arena whose size is known at its start, blocks that grow, and lists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

ALIGNMENT = 64
DTYPES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
)


class Pointer:
    """A place in a block of bytes."""

    __slots__ = ("block", "offset")

    def __init__(self, block: np.ndarray[Any, Any], offset: int = 0) -> None:
        self.block = block
        self.offset = offset

    def __add__(self, count: int) -> Pointer:
        return Pointer(self.block, self.offset + int(count))

    def bytes(self, count: int) -> np.ndarray[Any, Any]:
        """`count` bytes from here on; IndexError where the block ends before."""
        if self.offset < 0 or self.offset + count > self.block.size:
            raise IndexError(f"{count} bytes at {self.offset} of a block of {self.block.size}")
        return self.block[self.offset : self.offset + int(count)]


def block_of(size: int) -> Pointer:
    """A new block of at least `size` bytes."""
    return Pointer(np.empty(int(size) + ALIGNMENT, np.uint8))


def pointer_to(array: np.ndarray[Any, Any]) -> Pointer:
    """The start of a C-contiguous array."""
    return Pointer(array.reshape(-1).view(np.uint8))


# casts --------------------------------------------------------------------------------------------
def _cast(dtype: type) -> Callable[[Any], Any]:
    def cast(value: Any) -> Any:
        if type(value) is dtype:
            return value
        if type(value) is int:
            value = np.uint64(value) if value >= 2**63 else np.int64(value)
        return np.asarray(value).astype(dtype)[()]

    cast.__name__ = dtype.__name__
    return cast


CASTS: dict[str, Callable[[Any], Any]] = {
    name: _cast(np.dtype(name).type) for name in DTYPES if name != "bool"
}
CASTS["bool_"] = _cast(np.bool_)


# flat buffers -------------------------------------------------------------------------------------
def _at(dtype: np.dtype[Any]) -> Callable[[Pointer], Any]:
    def at(pointer: Pointer) -> Any:
        block = pointer.block
        count = (block.size - pointer.offset) // dtype.itemsize
        if pointer.offset < 0 or pointer.offset > block.size:
            raise IndexError(f"offset {pointer.offset} in a block of {block.size} bytes")
        return block[pointer.offset : pointer.offset + count * dtype.itemsize].view(dtype)

    at.__name__ = f"{dtype.name}_at"
    return at


BUFFERS: dict[str, Callable[[Pointer], Any]] = {
    f"{name}_at": _at(np.dtype(name)) for name in DTYPES
}


def array_data(arguments: Any, index: int) -> Pointer:
    """Where the elements of the argument `index`, a C-contiguous array, begin."""
    if not isinstance(arguments[index], np.ndarray):
        return arguments[index]  # type: ignore[no-any-return]
    return pointer_to(arguments[index])


def copy_bytes(target: Pointer, source: Pointer, count: int) -> None:
    """Copy `count` bytes between places that do not overlap."""
    target.bytes(count)[:] = source.bytes(count)


def clear_bytes(target: Pointer, count: int) -> None:
    """Set `count` bytes to zero."""
    target.bytes(count)[:] = 0


def rounded(size: int) -> int:
    """`size` bytes rounded up, so that the next buffer of the arena is aligned."""
    return (size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


# frames -------------------------------------------------------------------------------------------
class Frame:
    """The memory of one activation of a function."""

    __slots__ = ("arena", "blocks", "lists")

    def __init__(self, size: int, blocks: int) -> None:
        self.arena = block_of(size)
        self.blocks: list[Pointer] = [block_of(0) for _ in range(blocks)]
        self.lists: list[Any] = []


def open_frame(size: int, blocks: int, lists: int) -> Frame:
    """A frame with an arena of `size` bytes and `blocks` blocks, empty for now."""
    return Frame(int(size), blocks)


def arena_of(frame: Frame) -> Pointer:
    """The start of the arena."""
    return frame.arena


def fail(frame: Frame, status: int) -> int:
    """Close the frame; gives `status` back, which the function returns."""
    return status


def grow(frame: Frame, block: int, size: int) -> Pointer:
    """The start of a block of the frame, made larger where it has fewer than `size` bytes."""
    if frame.blocks[block].block.size < size:
        frame.blocks[block] = block_of(size)
    return frame.blocks[block]


def swap_blocks(frame: Frame, one: int, other: int) -> None:
    """Exchange two blocks of the frame."""
    frame.blocks[one], frame.blocks[other] = frame.blocks[other], frame.blocks[one]


def interrupted() -> bool:
    """Whether a signal handler raised: never here, since CPython raises by itself."""
    return False


def keep_array(result: Any, source: Pointer, count: int) -> None:
    """Keep a copy of `count` bytes as a result whose size only the run tells."""
    result.kept = source.bytes(count).copy()


def keep_size(result: Any, axis: int, size: int) -> None:
    """Say the size of an axis of a kept result."""
    result.words[2 + axis] = size


def mark_stack(arguments: Any) -> None:
    """Note how deep the stack is when the program starts: CPython counts by itself."""


def too_deep(arguments: Any) -> bool:
    """Whether the stack is used up: never here, since CPython raises by itself."""
    return False


# loops whose turns may run at once ----------------------------------------------------------------
def parallel_range(count: int, work: int) -> range:
    """range(count) of a loop whose turns may run in any order; `work`: of one turn, in about
    sixteenths of a nanosecond. Native code runs them on several threads where that is much."""
    return range(count)


ROW_ELEMENTS = 8192
SUM_ELEMENTS = 4096


def rows_at_once(width: int) -> int:
    """How many rows of `width` elements a turn of a loop over blocks of rows takes: as many as a
    cache holds. On a GPU it is one, so that there are turns for all lanes."""
    return max(ROW_ELEMENTS // max(width, 1), 1)


def elements_at_once() -> int:
    """How many elements are added up before they are added to the sum of the others, so that
    rounding errors stay small. On a GPU it is one, as its many lanes have few each; machine code
    for a CPU takes all at once, in NumPy's order."""
    return SUM_ELEMENTS


def gather_range(count: int) -> range:
    """range(count) of a loop whose turns need nothing of each other, but that some variables gather
    of all of them (a sum, a largest element), beginning with what changes nothing."""
    return range(count)


def apart_range(count: int) -> range:
    """range(count) of a loop whose turns touch elements of their own, also of other turns of the
    loops around it."""
    return range(count)


def take_scratch(size: int) -> Pointer:
    """Memory for one turn of such a loop."""
    return block_of(size)


def give_scratch(place: Pointer) -> None:
    """Give it back at the end of the turn."""


# integers that must not overflow ------------------------------------------------------------------
def _overflows(value: int) -> bool:
    return not -(2**63) <= value < 2**63


def add_overflows(a: Any, b: Any) -> bool:
    """Whether a + b is no int64."""
    return _overflows(int(a) + int(b))


def subtract_overflows(a: Any, b: Any) -> bool:
    """Whether a - b is no int64."""
    return _overflows(int(a) - int(b))


def multiply_overflows(a: Any, b: Any) -> bool:
    """Whether a * b is no int64."""
    return _overflows(int(a) * int(b))


# what loops gather --------------------------------------------------------------------------------
def gather_sum(total: Any, value: Any) -> Any:
    """total + value; a CPU adds many such values in NumPy's order (see `codegen.pairwise`), a GPU
    in any."""
    return total + value


def gather_product(total: Any, value: Any) -> Any:
    """total * value; a GPU may multiply many such values in any order."""
    return total * value


def gather_max(total: Any, value: Any) -> Any:
    """The larger of two, nan if either is; native code may compare many in any order."""
    return np.maximum(total, value)


def gather_min(total: Any, value: Any) -> Any:
    """The smaller of two, nan if either is; native code may compare many in any order."""
    return np.minimum(total, value)


VOCABULARY: dict[str, Any] = {
    **CASTS,
    **BUFFERS,
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    **{
        function.__name__: function
        for function in (
            array_data,
            copy_bytes,
            clear_bytes,
            rounded,
            open_frame,
            arena_of,
            fail,
            grow,
            swap_blocks,
            interrupted,
            keep_array,
            keep_size,
            mark_stack,
            too_deep,
            parallel_range,
            rows_at_once,
            elements_at_once,
            gather_range,
            apart_range,
            take_scratch,
            give_scratch,
            add_overflows,
            subtract_overflows,
            multiply_overflows,
            gather_sum,
            gather_product,
            gather_max,
            gather_min,
        )
    },
}
