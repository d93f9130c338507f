"""What programs call rather than contain: frames and blocks that grow, as native functions.

Written over addresses, in the language of programs, and compiled once for all programs. The
same names in CPython are in `kernels.memory`. A frame is one allocation: the number of its blocks
and lists, for each block its address and capacity, the six words of each list, then the arena,
aligned.
"""

from __future__ import annotations

from typing import Any

HEAD = 64
ENTRY = 16
LIST = 48

# Bound when this is compiled: the functions of `pool`, C's own functions, and
# `int64_at(address)`, a buffer of int64.
take_block: Any = None
give_block: Any = None
check_signals: Any = None
int64_at: Any = None
copy_bytes: Any = None


def open_frame(size: Any, blocks: Any, lists: Any) -> Any:
    """A frame with an arena of `size` bytes; 0 where there is no memory for it."""
    frame = take_block(HEAD + ENTRY * blocks + LIST * lists + size + HEAD)
    if frame == 0:
        return 0
    words = int64_at(frame)
    words[0] = blocks
    words[1] = lists
    for k in range(2 * blocks + 6 * lists):
        words[8 + k] = 0
    return frame


def arena_of(frame: Any) -> Any:
    """The start of the arena, aligned to 64 bytes."""
    words = int64_at(frame)
    return (frame + HEAD + ENTRY * words[0] + LIST * words[1] + 63) & -64


def fail(frame: Any, status: Any) -> Any:
    """Free the frame, its blocks and its lists."""
    words = int64_at(frame)
    for k in range(words[0]):
        if words[8 + 2 * k] != 0:
            give_block(words[8 + 2 * k])
    for k in range(words[1]):
        header = 8 + 2 * words[0] + 6 * k
        if words[header + 1] != 0:
            give_block(words[header + 1])
        if words[header + 4] != 0:
            give_block(words[header + 4])
    give_block(frame)
    return status


def grow(frame: Any, block: Any, size: Any) -> Any:
    """The address of a block with at least `size` bytes, 0 where there is no memory for them; what
    it held is not kept."""
    words = int64_at(frame)
    at = 8 + 2 * block
    if words[at] == 0 or words[at + 1] < size:
        if words[at] != 0:
            give_block(words[at])
        capacity = size + (size >> 1) + HEAD
        words[at] = take_block(capacity)
        words[at + 1] = capacity
        if words[at] == 0:
            words[at + 1] = 0
    return words[at]


def swap_blocks(frame: Any, one: Any, other: Any) -> Any:
    """Exchange two blocks."""
    words = int64_at(frame)
    a, b = 8 + 2 * one, 8 + 2 * other
    address, capacity = words[a], words[a + 1]
    words[a], words[a + 1] = words[b], words[b + 1]
    words[b], words[b + 1] = address, capacity
    return 0


def interrupted() -> Any:
    """Whether a signal handler raised; the exception is set."""
    return check_signals()


def keep_array(result: Any, source: Any, count: Any) -> Any:
    """Keep a copy of `count` bytes; its address and size are the first words of the result.

    -1 where there is no memory for it.
    """
    words = int64_at(result)
    words[0] = take_block(count + HEAD)
    if words[0] == 0:
        return -1
    words[1] = count
    copy_bytes(words[0], source, count)
    return 0


def keep_size(result: Any, axis: Any, size: Any) -> Any:
    """Say the size of an axis of a kept result."""
    int64_at(result)[2 + axis] = size
    return 0


NO_MEMORY = -2
"""The status of a program that got no memory."""
EXHAUSTED = {"open_frame": 0, "grow": 0, "keep_array": -1}
"""What these give where there is no memory."""
SIGNATURES = {
    "open_frame": 3,
    "arena_of": 1,
    "fail": 2,
    "grow": 3,
    "swap_blocks": 3,
    "interrupted": 0,
    "keep_array": 3,
    "keep_size": 3,
}
"""How many int64 each takes; each gives an int64."""
