"""Lists of a frame as native functions; what each does is told in `kernels.lists`.

A list has six words in its frame: length, address of the block, its capacity, how much of it is
used, address of the table, its capacity in words.
"""

from __future__ import annotations

from typing import Any

HEAD = 64
ENTRY = 16
LIST = 48

# Bound when this is compiled
take_block: Any = None
give_block: Any = None
copy_bytes: Any = None
move_bytes: Any = None
int64_at: Any = None


def header_of(frame: Any, number: Any) -> Any:
    """The words of a list."""
    words = int64_at(frame)
    return int64_at(frame + HEAD + ENTRY * words[0] + LIST * number)


def room(header: Any, size: Any, count: Any, rank: Any) -> Any:
    """Make the block and the table large enough, keeping what they hold; -1 without memory."""
    if header[2] < size or header[1] == 0:
        capacity = 2 * size + HEAD
        block = take_block(capacity)
        if block == 0:
            return -1
        if header[1] != 0:
            copy_bytes(block, header[1], header[3])
            give_block(header[1])
        header[1] = block
        header[2] = capacity
    words = count * (rank + 1)
    if header[5] < words:
        capacity = 2 * words + 16
        table = take_block(8 * capacity)
        if table == 0:
            return -1
        if header[4] != 0:
            copy_bytes(table, header[4], 8 * header[5])
            give_block(header[4])
        header[4] = table
        header[5] = capacity
    return 0


def list_clear(frame: Any, number: Any) -> Any:
    header = header_of(frame, number)
    header[0] = 0
    header[3] = 0
    return 0


def list_length(frame: Any, number: Any) -> Any:
    return header_of(frame, number)[0]


def list_bytes(frame: Any, number: Any) -> Any:
    return header_of(frame, number)[3]


def list_data(frame: Any, number: Any) -> Any:
    return header_of(frame, number)[1]


def list_entry(frame: Any, number: Any, index: Any, rank: Any) -> Any:
    return header_of(frame, number)[4] + 8 * index * (rank + 1)


def list_item(frame: Any, number: Any, index: Any, rank: Any) -> Any:
    header = header_of(frame, number)
    return header[1] + int64_at(header[4])[index * (rank + 1)]


def list_push(frame: Any, number: Any, size: Any, rank: Any) -> Any:
    header = header_of(frame, number)
    if room(header, header[3] + size, header[0] + 1, rank) != 0:
        return 0
    int64_at(header[4])[header[0] * (rank + 1)] = header[3]
    header[0] = header[0] + 1
    place = header[1] + header[3]
    header[3] = header[3] + size
    return place


def list_push_item(frame: Any, target: Any, origin: Any, source: Any, index: Any, rank: Any) -> Any:
    items = header_of(origin, source)
    step = rank + 1
    table = int64_at(items[4])
    start = table[index * step]
    end = items[3]
    if index + 1 < items[0]:
        end = table[(index + 1) * step]
    size = end - start
    made = header_of(frame, target)
    if room(made, made[3] + size, made[0] + 1, rank) != 0:
        return -1
    copy_bytes(made[1] + made[3], items[1] + start, size)
    table = int64_at(items[4])
    entry = int64_at(made[4])
    for k in range(1, step):
        entry[made[0] * step + k] = table[index * step + k]
    entry[made[0] * step] = made[3]
    made[0] = made[0] + 1
    made[3] = made[3] + size
    return 0


def list_pop(frame: Any, number: Any, rank: Any) -> Any:
    header = header_of(frame, number)
    header[0] = header[0] - 1
    header[3] = int64_at(header[4])[header[0] * (rank + 1)]
    return header[1] + header[3]


def list_replace(frame: Any, number: Any, index: Any, size: Any, rank: Any) -> Any:
    header = header_of(frame, number)
    step = rank + 1
    table = int64_at(header[4])
    start = table[index * step]
    end = header[3]
    if index + 1 < header[0]:
        end = table[(index + 1) * step]
    change = size - (end - start)
    if change != 0:
        if room(header, header[3] + change, header[0], rank) != 0:
            return 0
        move_bytes(header[1] + end + change, header[1] + end, header[3] - end)
        header[3] = header[3] + change
        table = int64_at(header[4])
        for k in range(index + 1, header[0]):
            table[k * step] = table[k * step] + change
    return header[1] + start


def list_spread(frame: Any, number: Any, count: Any, size: Any, rank: Any) -> Any:
    header = header_of(frame, number)
    header[0] = 0
    header[3] = 0
    if room(header, count * size, count + 1, rank) != 0:
        return 0
    table = int64_at(header[4])
    for k in range(count):
        table[k * (rank + 1)] = k * size
    header[0] = count
    header[3] = count * size
    return header[1]


def list_same_sizes(frame: Any, number: Any, rank: Any) -> Any:
    header = header_of(frame, number)
    table = int64_at(header[4])
    for k in range(1, header[0]):
        for axis in range(1, rank + 1):
            table[k * (rank + 1) + axis] = table[axis]
    return 0


def list_is_uniform(frame: Any, number: Any, rank: Any) -> Any:
    header = header_of(frame, number)
    table = int64_at(header[4])
    for k in range(1, header[0]):
        for axis in range(1, rank + 1):
            if table[k * (rank + 1) + axis] != table[axis]:
                return 0
    return 1


def copy_list(frame: Any, target: Any, origin: Any, source: Any, rank: Any) -> Any:
    one = header_of(frame, target)
    other = header_of(origin, source)
    one[0] = 0
    one[3] = 0
    if room(one, other[3], other[0], rank) != 0:
        return -1
    one[0] = other[0]
    one[3] = other[3]
    copy_bytes(one[1], other[1], other[3])
    copy_bytes(one[4], other[4], 8 * other[0] * (rank + 1))
    return 0


def swap_lists(frame: Any, one: Any, origin: Any, other: Any) -> Any:
    first = header_of(frame, one)
    second = header_of(origin, other)
    for k in range(6):
        kept = first[k]
        first[k] = second[k]
        second[k] = kept
    return 0


def keep_list(result: Any, frame: Any, number: Any) -> Any:
    header = header_of(frame, number)
    words = int64_at(result)
    words[0] = header[1]
    words[1] = header[3]
    words[2] = header[4]
    words[3] = header[0]
    for k in range(6):
        header[k] = 0
    return 0


def take_list(frame: Any, number: Any, given: Any, rank: Any) -> Any:
    header = header_of(frame, number)
    words = int64_at(given)
    header[0] = 0
    header[3] = 0
    if room(header, words[1], words[3], rank) != 0:
        return -1
    header[0] = words[3]
    header[3] = words[1]
    copy_bytes(header[1], words[0], words[1])
    copy_bytes(header[4], words[2], 8 * words[3] * (rank + 1))
    return 0


HELPERS = ("header_of", "room")
"""Called by the others alone."""
EXHAUSTED = {
    "list_push": 0,
    "list_push_item": -1,
    "list_replace": 0,
    "list_spread": 0,
    "copy_list": -1,
    "take_list": -1,
}
"""What these give where there is no memory."""
SIGNATURES = {
    "list_clear": 2,
    "list_length": 2,
    "list_bytes": 2,
    "list_data": 2,
    "list_entry": 4,
    "list_item": 4,
    "list_push": 4,
    "list_push_item": 6,
    "list_pop": 3,
    "list_replace": 5,
    "list_spread": 5,
    "list_same_sizes": 3,
    "list_is_uniform": 3,
    "copy_list": 5,
    "swap_lists": 4,
    "keep_list": 3,
    "take_list": 4,
}
"""How many int64 each takes; each gives an int64."""
