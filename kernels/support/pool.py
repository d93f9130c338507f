"""Memory of programs that outlives a call: large blocks are kept for the next one.

A call that gives its memory back to the system gets it again page by page, which costs more than
many loops do. Written, as `frames` is, over addresses. Before each block stands how large
it is; the pool is a table of addresses and sizes in the library's own data.
"""

from __future__ import annotations

from typing import Any

BEFORE = 16
SMALLEST = 1 << 14
"""Smaller blocks are the C library's own business."""
LARGEST = 1 << 28
"""How many bytes the pool holds at most."""
SLOTS = 64

# Bound when this is compiled
malloc: Any = None
free: Any = None
int64_at: Any = None
pool: Any = None


def take_block(size: Any) -> Any:
    """A block of at least `size` bytes; 0 where there is no memory for it."""
    if size >= SMALLEST:
        words = int64_at(pool())
        best = 0
        for k in range(1, SLOTS + 1):
            capacity = words[2 * k + 1]
            if capacity >= size and capacity <= 2 * size:
                if best == 0 or capacity < words[2 * best + 1]:
                    best = k
        if best != 0:
            address = words[2 * best]
            words[0] = words[0] - words[2 * best + 1]
            words[2 * best] = 0
            words[2 * best + 1] = 0
            return address + BEFORE
    address = malloc(size + BEFORE)
    if address == 0:
        return 0
    int64_at(address)[0] = size
    return address + BEFORE


def give_block(block: Any) -> Any:
    """Take a block back: into the pool, where it is large and there is room."""
    address = block - BEFORE
    size = int64_at(address)[0]
    words = int64_at(pool())
    if size >= SMALLEST and words[0] + size <= LARGEST:
        for k in range(1, SLOTS + 1):
            if words[2 * k] == 0:
                words[2 * k] = address
                words[2 * k + 1] = size
                words[0] = words[0] + size
                return 0
    free(address)
    return 0


def take_scratch(size: Any) -> Any:
    """Memory for a turn of a parallel loop, which may run on any thread: the C library's."""
    return malloc(size + 1)


def give_scratch(place: Any) -> Any:
    """Give scratch memory back."""
    free(place)
    return 0


SIGNATURES = {"take_block": 1, "give_block": 1, "take_scratch": 1, "give_scratch": 1}
"""How many int64 each takes; each gives an int64."""
