"""Heaps in lists, with the comparisons and the outcome of Python's `heapq`."""

from __future__ import annotations

from typing import Any


def push(heap: Any, item: Any) -> None:
    """`heappush(heap, item)`."""
    heap.append(item)
    rise(heap, 0, len(heap) - 1)


def pop(heap: Any) -> Any:
    """`heappop(heap)`."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) == 0:
        return last
    first = heap[0]
    heap[0] = last
    sink(heap, 0)
    return first


def replace(heap: Any, item: Any) -> Any:
    """`heapreplace(heap, item)`."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    first = heap[0]
    heap[0] = item
    sink(heap, 0)
    return first


def push_and_pop(heap: Any, item: Any) -> Any:
    """`heappushpop(heap, item)`."""
    if len(heap) > 0 and heap[0] < item:
        first = heap[0]
        heap[0] = item
        sink(heap, 0)
        return first
    return item


def make(items: Any) -> None:
    """`heapify(items)`."""
    for place in range(len(items) // 2 - 1, -1, -1):
        sink(items, place)


def rise(heap: Any, top: Any, place: Any) -> None:
    """Move the item at `place` up until its parent is no greater."""
    item = heap[place]
    while place > top:
        parent = (place - 1) // 2
        above = heap[parent]
        if not item < above:
            break
        heap[place] = above
        place = parent
    heap[place] = item


def sink(heap: Any, place: Any) -> None:
    """Let the smaller children move up to the very leaf, then the item rise from there."""
    count = len(heap)
    top = place
    item = heap[place]
    child = 2 * place + 1
    while child < count:
        if child + 1 < count and not heap[child] < heap[child + 1]:
            child += 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    rise(heap, top, place)


def smallest(number: Any, items: Any, key: Any) -> Any:
    """`heapq.nsmallest(number, items, key)`, which asks `min` for one."""
    if number == 1:
        known = [one for one in items]
        return [min(known, key=key)] if known else []
    return sorted(items, key=key)[: max(number, 0)]


def merge(*iterables: Any, key: Any = None, reverse: bool = False) -> Any:
    """`heapq.merge`: its items, of which the first are asked for at once."""
    found: list[Any] = []
    for iterable in iterables:
        found = merged(found, [one for one in iterable], key, reverse)
    return iter(found)


def merged(left: Any, right: Any, key: Any, reverse: bool) -> Any:
    """The items of two lists that are in order; of equal ones those of the first come first."""
    found: list[Any] = []
    first, second = 0, 0
    while first < len(left) and second < len(right):
        one, other = left[first], right[second]
        before, after = (one, other) if key is None else (key(one), key(other))
        if (before < after) if reverse else (after < before):
            found.append(other)
            second += 1
        else:
            found.append(one)
            first += 1
    return found + left[first:] + right[second:]


def largest(number: Any, items: Any, key: Any) -> Any:
    """`heapq.nlargest(number, items, key)`, which asks `max` for one."""
    if number == 1:
        known = [one for one in items]
        return [max(known, key=key)] if known else []
    return sorted(items, key=key, reverse=True)[: max(number, 0)]
