"""What programs call rather than contain: frames and blocks that grow, as native functions.

Written over addresses, in the Python that numba compiles, and compiled once for all programs. The
same names in CPython are in `kernels.memory`. A frame is one allocation: the number of its blocks,
for each block its address and capacity, then the arena, aligned.
"""

from __future__ import annotations

from typing import Any

HEAD = 64
ENTRY = 16

# Bound when this is compiled: C's own functions, and `words_at(address)`, a buffer of int64.
malloc: Any = None
free: Any = None
check_signals: Any = None
words_at: Any = None


def open_frame(memory: Any, size: Any, blocks: Any) -> Any:
    """A frame with an arena of `size` bytes."""
    frame = malloc(HEAD + ENTRY * blocks + size + HEAD)
    words = words_at(frame)
    words[0] = blocks
    for k in range(blocks):
        words[8 + 2 * k] = 0
        words[9 + 2 * k] = 0
    return frame


def arena_of(frame: Any) -> Any:
    """The start of the arena, aligned to 64 bytes."""
    words = words_at(frame)
    return (frame + HEAD + ENTRY * words[0] + 63) & -64


def fail(frame: Any, status: Any) -> Any:
    """Free the frame and its blocks."""
    words = words_at(frame)
    for k in range(words[0]):
        if words[8 + 2 * k] != 0:
            free(words[8 + 2 * k])
    free(frame)
    return status


def grow(frame: Any, block: Any, size: Any) -> Any:
    """The address of a block with at least `size` bytes; what it held is not kept."""
    words = words_at(frame)
    at = 8 + 2 * block
    if words[at] == 0 or words[at + 1] < size:
        if words[at] != 0:
            free(words[at])
        capacity = size + (size >> 1) + HEAD
        words[at] = malloc(capacity)
        words[at + 1] = capacity
    return words[at]


def swap_blocks(frame: Any, one: Any, other: Any) -> Any:
    """Exchange two blocks."""
    words = words_at(frame)
    a, b = 8 + 2 * one, 8 + 2 * other
    address, capacity = words[a], words[a + 1]
    words[a], words[a + 1] = words[b], words[b + 1]
    words[b], words[b + 1] = address, capacity
    return 0


def interrupted() -> Any:
    """Whether a signal handler raised; the exception is set."""
    return check_signals()


SIGNATURES = {
    "open_frame": 3,
    "arena_of": 1,
    "fail": 2,
    "grow": 3,
    "swap_blocks": 3,
    "interrupted": 0,
}
"""How many int64 each takes; each gives an int64."""
