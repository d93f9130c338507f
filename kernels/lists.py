"""Lists of a frame, in CPython: items one after the other in a block that grows, and a table.

The table has for each item its place in the block, in bytes, and its sizes.
`support.list_functions` has the same functions over addresses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.kernels.memory import Frame, Pointer, pointer_to


class FrameList:
    """One list: its block, how much of it is used, its table."""

    __slots__ = ("data", "length", "table", "used")

    def __init__(self) -> None:
        self.data = np.empty(64, np.uint8)
        self.used = 0
        self.length = 0
        self.table = np.empty(16, np.int64)


def _list(frame: Frame, number: int) -> FrameList:
    while len(frame.lists) <= number:
        frame.lists.append(FrameList())
    return frame.lists[number]  # type: ignore[no-any-return]


def list_clear(frame: Frame, number: int) -> None:
    """Make a list empty."""
    items = _list(frame, number)
    items.used = items.length = 0


def list_length(frame: Frame, number: int) -> int:
    """How many items there are."""
    return _list(frame, number).length


def list_bytes(frame: Frame, number: int) -> int:
    """How many bytes the items take."""
    return _list(frame, number).used


def list_data(frame: Frame, number: int) -> Pointer:
    """Where the first item begins."""
    return Pointer(_list(frame, number).data)


def list_entry(frame: Frame, number: int, index: int, rank: int) -> Pointer:
    """Where the table tells of an item: its place in bytes, then its sizes."""
    return pointer_to(_list(frame, number).table) + 8 * index * (rank + 1)


def list_item(frame: Frame, number: int, index: int, rank: int) -> Pointer:
    """Where an item begins."""
    items = _list(frame, number)
    return Pointer(items.data, int(items.table[index * (rank + 1)]))


def _room(items: FrameList, size: int, count: int, rank: int) -> None:
    if items.data.size < size:
        grown = np.empty(2 * size + 64, np.uint8)
        grown[: items.used] = items.data[: items.used]
        items.data = grown
    words = count * (rank + 1)
    if items.table.size < words:
        table = np.empty(2 * words + 16, np.int64)
        table[: items.table.size] = items.table
        items.table = table


def list_push(frame: Frame, number: int, size: int, rank: int) -> Pointer:
    """Room for one more item of `size` bytes; its sizes are still to be put into the table."""
    items = _list(frame, number)
    _room(items, items.used + int(size), items.length + 1, rank)
    items.table[items.length * (rank + 1)] = items.used
    items.length += 1
    place = Pointer(items.data, items.used)
    items.used += int(size)
    return place


def list_push_item(
    frame: Frame, target: int, origin: Frame, source: int, index: int, rank: int
) -> None:
    """Add a copy of an item of a list, with its sizes, to another list or to the same one."""
    items, step = _list(origin, source), rank + 1
    start = int(items.table[index * step])
    last = index + 1 == items.length
    end = items.used if last else int(items.table[(index + 1) * step])
    made = _list(frame, target)
    used, count = made.used, made.length
    list_push(frame, target, end - start, rank)
    made.data[used : made.used] = items.data[start:end]
    made.table[count * step + 1 : (count + 1) * step] = items.table[
        index * step + 1 : (index + 1) * step
    ]


def list_pop(frame: Frame, number: int, rank: int) -> Pointer:
    """Take the last item away; what it held stays where it is until the next push."""
    items = _list(frame, number)
    items.length -= 1
    items.used = int(items.table[items.length * (rank + 1)])
    return Pointer(items.data, items.used)


def list_replace(frame: Frame, number: int, index: int, size: int, rank: int) -> Pointer:
    """Room for another item of `size` bytes in the place of one."""
    items = _list(frame, number)
    step = rank + 1
    start = int(items.table[index * step])
    last = index + 1 == items.length
    end = items.used if last else int(items.table[(index + 1) * step])
    change = int(size) - (end - start)
    if change:
        _room(items, items.used + change, items.length, rank)
        rest = items.data[end : items.used].copy()
        items.data[end + change : items.used + change] = rest
        items.used += change
        items.table[(index + 1) * step : items.length * step : step] += change
    return Pointer(items.data, start)


def list_spread(frame: Frame, number: int, count: int, size: int, rank: int) -> Pointer:
    """Make a list of `count` items of `size` bytes each; the first one's sizes, once they are in
    the table, are given to all by `list_same_sizes`."""
    items = _list(frame, number)
    items.used = items.length = 0
    _room(items, int(count * size), int(count) + 1, rank)
    items.length, items.used = int(count), int(count * size)
    items.table[: count * (rank + 1) : rank + 1] = np.arange(count) * size
    return Pointer(items.data)


def list_same_sizes(frame: Frame, number: int, rank: int) -> None:
    """Give all items the sizes of the first one."""
    items = _list(frame, number)
    for index in range(1, items.length):
        for axis in range(1, rank + 1):
            items.table[index * (rank + 1) + axis] = items.table[axis]


def list_is_uniform(frame: Frame, number: int, rank: int) -> int:
    """1 where all items have the sizes of the first one, else 0."""
    items = _list(frame, number)
    table = items.table[: items.length * (rank + 1)].reshape(items.length, rank + 1)
    return int((table[:, 1:] == table[:1, 1:]).all())


def copy_list(frame: Frame, target: int, origin: Frame, source: int, rank: int) -> None:
    """Make one list a copy of another."""
    one, other = _list(frame, target), _list(origin, source)
    one.used = one.length = 0
    _room(one, other.used, other.length, rank)
    one.used, one.length = other.used, other.length
    one.data[: other.used] = other.data[: other.used]
    words = other.length * (rank + 1)
    one.table[:words] = other.table[:words]


def swap_lists(frame: Frame, one: int, origin: Frame, other: int) -> None:
    """Exchange two lists."""
    first, second = _list(frame, one), _list(origin, other)
    frame.lists[one], origin.lists[other] = second, first


def keep_list(result: Any, frame: Frame, number: int) -> None:
    """Hand a list out as a result; the frame's own is empty then."""
    items = _list(frame, number)
    result.kept = items.data[: items.used], items.table, items.length
    frame.lists[number] = FrameList()


def take_list(frame: Frame, number: int, given: Any, rank: int) -> None:
    """Make a list a copy of one that came in."""
    items = _list(frame, number)
    data, table, length = given.kept
    items.used = items.length = 0
    _room(items, data.size, length, rank)
    items.used, items.length = data.size, length
    items.data[: data.size] = data
    words = length * (rank + 1)
    items.table[:words] = table[:words]


FUNCTIONS = (
    list_clear,
    list_length,
    list_bytes,
    list_data,
    list_entry,
    list_item,
    list_push,
    list_push_item,
    list_pop,
    list_replace,
    list_spread,
    list_same_sizes,
    list_is_uniform,
    copy_list,
    swap_lists,
    keep_list,
    take_list,
)
