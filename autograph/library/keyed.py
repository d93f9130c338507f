"""Methods of dicts and sets. Where a set comes first, `members` goes over it in any order."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.library.sequences import is_surely


def each_pair(function: Any, pairs: Any) -> Any:
    """What `function` makes of each key and value of a dict."""
    return {function(key): function(value) for key, value in pairs.items()}


def update(table: Any, keys: Any, other: Any) -> None:
    """`table.update(other)` of a dict with these keys."""
    for key in keys:
        table[key] = other[key]


def update_pairs(table: Any, pairs: Any) -> None:
    """`table.update(pairs)`."""
    for key, value in pairs:
        table[key] = value


def move_to_end(table: Any, key: Any, last: Any) -> None:
    """`table.move_to_end(key, last)` of a dict that knows its order."""
    value = table.pop(key)
    if last:
        table[key] = value
    else:
        rest = list(table.items())
        table.clear()
        table[key] = value
        for other, held in rest:
            table[other] = held


def pop_item(table: Any, last: Any, pop_last: Any) -> Any:
    """`table.popitem(last)` of a dict that knows its order; `pop_last()` takes the last item."""
    if len(table) == 0:
        raise KeyError("dictionary is empty")
    if last:
        return pop_last()
    key = next(iter(table))
    return key, table.pop(key)


def add_all(result: Any, members: Any) -> Any:
    """`result.update(members)`; gives the set."""
    for member in members:
        result.add(member)
    return result


def discard_all(result: Any, members: Any) -> Any:
    """`result.difference_update(members)`; gives the set."""
    for member in members:
        result.discard(member)
    return result


def common(result: Any, members: Any, other: Any) -> Any:
    """The members of one set that are in another, added to `result`."""
    for member in members:
        if member in other:
            result.add(member)
    return result


def common_of_shorter(result: Any, left: Any, right: Any, members: Any, others: Any) -> Any:
    """`left & right`: the members of the shorter one that are in the other, added to `result`."""
    if len(left) < len(right):
        return common(result, members, right)
    return common(result, others, left)


def apart(result: Any, members: Any, other: Any) -> Any:
    """The members of one set that are not in another, added to `result`."""
    for member in members:
        if member not in other:
            result.add(member)
    return result


def is_within(members: Any, other: Any) -> Any:
    """`members <= other`."""
    for member in members:
        if member not in other:
            return False
    return True


def is_disjoint(members: Any, other: Any) -> Any:
    """`members.isdisjoint(other)`."""
    for member in members:
        if member in other:
            return False
    return True


def equal(left: Any, keys: Any, right: Any) -> Any:
    """`left == right` of two dicts."""
    if len(left) != len(right):
        return False
    for key in keys:
        if key not in right:
            return False
        if not is_surely(left[key], right[key]) and left[key] != right[key]:
            return False
    return True


def counted(counter: Any, iterable: Any) -> None:
    """`counter.update(iterable)` of a Counter."""
    for item in iterable:
        counter[item] = counter.get(item, 0) + 1


def counted_from(counter: Any, keys: Any, other: Any) -> None:
    """`counter.update(mapping)` of a Counter."""
    for key in keys:
        counter[key] = other[key] + counter.get(key, 0)


def subtracted(counter: Any, iterable: Any) -> None:
    """`counter.subtract(iterable)` of a Counter."""
    for item in iterable:
        counter[item] = counter.get(item, 0) - 1


def total(values: Any) -> Any:
    """`counter.total()`."""
    result = 0
    for value in values:
        result += value
    return result


def from_keys(table: Any, keys: Any, value: Any) -> Any:
    """`dict.fromkeys(keys, value)`."""
    for key in keys:
        table[key] = value
    return table


def member(kind: Any, members: Any, value: Any, missing: Any) -> Any:
    """`kind(value)` of an enumeration: the member of this value, or what `missing` finds."""
    for one in members:
        if one.value == value:
            return one
    if missing is not None:
        found = missing(value)
        if found is not None:
            return found
    raise ValueError(f"{value!r} is not a valid {kind.__qualname__}")


def most_common(table: Any, n: Any) -> Any:
    """`table.most_common(n)` of a Counter."""
    pairs = sorted(table.items(), key=lambda pair: pair[1], reverse=True)
    return pairs if n is None else pairs[: max(n, 0)]


def elements(pairs: Any) -> Any:
    """`counter.elements()`, as a list."""
    found = []
    for key, count in pairs:
        for _ in range(count):
            found.append(key)
    return found


def update_from(table: Any, other: Any) -> None:
    """`table.update(other)` of a mapping that is no dict."""
    for key in other.keys():
        table[key] = other[key]


def place_among(keys: Any, wanted: Any) -> Any:
    """The place of a key among others; their number where it is none of them.

    A dict does not compare a scalar of NumPy's with a tuple, which would be by element.
    """
    for place in range(len(keys)):
        key = keys[place]
        if isinstance(key, tuple) and isinstance(wanted, np.generic):
            continue
        if isinstance(wanted, tuple) and isinstance(key, np.generic):
            continue
        if key == wanted:
            return place
    return len(keys)
