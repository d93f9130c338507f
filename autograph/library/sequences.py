"""Methods of lists and deques, and what unpacking checks."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.python_versions import NOT_IN, NOT_TO_REMOVE


def list_of(iterable: Any) -> Any:
    """`list(iterable)`."""
    items = []
    for item in iterable:
        items.append(item)
    return items


def each_of(function: Any, items: Any) -> Any:
    """What `function` makes of each item of a list."""
    return [function(item) for item in items]


def nested_list(tensor: Any) -> Any:
    """`tensor.tolist()` of a tensor with axes."""
    return [part.item() if part.ndim == 0 else nested_list(part) for part in tensor]


def extend(items: Any, more: Any) -> None:
    """`items.extend(more)`."""
    for item in more:
        items.append(item)


def extend_left(items: Any, more: Any) -> None:
    """`items.extendleft(more)`."""
    for item in more:
        items.appendleft(item)


def add_all(members: Any, more: Any) -> None:
    """`members.update(more)` of a set."""
    for one in more:
        members.add(one)


def repeated(items: Any, count: Any) -> Any:
    """`items * count`."""
    result = []
    for _ in range(count):
        result.extend(items)
    return result


def is_surely(left: Any, right: Any) -> bool:
    """`left is right`, where it is next asked whether they are equal."""
    return left is right


def is_in_range(number: Any, start: Any, stop: Any, step: Any) -> Any:
    """`number in range(start, stop, step)` of an int."""
    if step > 0:
        return start <= number < stop and (number - start) % step == 0
    return stop < number <= start and (start - number) % -step == 0


def contains(items: Any, wanted: Any) -> Any:
    """`wanted in items`."""
    for item in items:
        if is_surely(item, wanted) or item == wanted:
            return True
    return False


def count(items: Any, wanted: Any) -> Any:
    """`items.count(wanted)`."""
    number = 0
    for item in items:
        if is_surely(item, wanted) or item == wanted:
            number += 1
    return number


def find(items: Any, wanted: Any, start: Any, stop: Any) -> Any:
    """The first place between two others where an item is, -1 if there is none."""
    length = len(items)
    if start < 0:
        start = max(start + length, 0)
    if stop < 0:
        stop = stop + length
    for place in range(start, min(stop, length)):
        if is_surely(items[place], wanted) or items[place] == wanted:
            return place
    return -1


def index(items: Any, wanted: Any, start: Any, stop: Any, kind: type) -> Any:
    """`items.index(wanted, start, stop)`."""
    place = find(items, wanted, start, stop)
    if place < 0:
        raise ValueError(NOT_IN[kind].format(wanted))
    return place


def index_in_tuple(items: Any, wanted: Any, start: Any, stop: Any) -> Any:
    """`items.index(wanted, start, stop)` of a tuple."""
    place = find(items, wanted, start, stop)
    if place < 0:
        raise ValueError("tuple.index(x): x not in tuple")
    return place


def remove(items: Any, wanted: Any, kind: type) -> None:
    """`items.remove(wanted)`."""
    place = find(items, wanted, 0, len(items))
    if place < 0:
        raise ValueError(NOT_TO_REMOVE[kind].format(wanted))
    del items[place]


def equal(left: Any, right: Any) -> Any:
    """`left == right` of two lists."""
    if len(left) != len(right):
        return False
    for place in range(len(left)):
        if not is_surely(left[place], right[place]) and left[place] != right[place]:
            return False
    return True


def first_difference(left: Any, right: Any) -> Any:
    """The first place where two lists differ; the length of the shorter one if there is none."""
    shorter = min(len(left), len(right))
    for place in range(shorter):
        if not is_surely(left[place], right[place]) and left[place] != right[place]:
            return place
    return shorter


def compare(left: Any, right: Any, compared: Any) -> Any:
    """`left < right` and the like of two lists; `compared` is the function of `operator`."""
    place = first_difference(left, right)
    if place < len(left) and place < len(right):
        return compared(left[place], right[place])
    return compared(len(left), len(right))


def reduced(function: Any, items: Any, total: Any) -> Any:
    """`reduce(function, items, total)`."""
    for item in items:
        total = function(total, item)
    return total


def reduced_from_first(function: Any, items: Any) -> Any:
    """`reduce(function, items)`."""
    if len(items) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    total = items[0]
    for place in range(1, len(items)):
        total = function(total, items[place])
    return total


def any_of(items: Any) -> Any:
    """`any(items)`, which asks for no more items than it must."""
    for item in items:
        if item:
            return True
    return False


def all_of(items: Any) -> Any:
    """`all(items)`, which asks for no more items than it must."""
    for item in items:
        if not item:
            return False
    return True


def check_length(length: Any, wanted: int, too_many: str) -> None:
    """What `a, b = items` raises for another number of items."""
    if length < wanted:
        raise ValueError(f"not enough values to unpack (expected {wanted}, got {length})")
    if length > wanted:
        raise ValueError(too_many.format(length))


def check_step(step: Any) -> None:
    """What `items[::step]` raises for a step of 0."""
    if step == 0:
        raise ValueError("slice step cannot be zero")


def check_extended(length: Any, wanted: Any) -> None:
    """What `items[::2] = values` raises for another number of values."""
    if length != wanted:
        raise ValueError(
            f"attempt to assign sequence of size {length} to extended slice of size {wanted}"
        )


def check_least(length: Any, wanted: int) -> None:
    """What `a, *b = items` raises for too few items."""
    if length < wanted:
        raise ValueError(f"not enough values to unpack (expected at least {wanted}, got {length})")


def middle(items: Any, start: Any, stop: Any) -> Any:
    """The items between two places, as a list."""
    return [items[place] for place in range(start, stop)]


def shortest(rows: Any) -> Any:
    """The length of the shortest row, 0 where there are none."""
    if len(rows) == 0:
        return 0
    found = len(rows[0])
    for row in rows:
        found = min(found, len(row))
    return found


def column(rows: Any, place: Any) -> Any:
    """The items of all rows at one place."""
    return [row[place] for row in rows]
