"""Functions of `itertools`, as lists of what they give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def accumulated(items: Any, function: Any = None, *, initial: Any = None) -> Any:
    """`list(accumulate(items, function, initial=initial))`."""
    result: list[Any] = []
    if initial is None:
        items = list(items)
        if len(items) == 0:
            return result
        total = items[0]
        items = items[1:]
    else:
        total = initial
    result.append(total)
    for item in items:
        total = total + item if function is None else function(total, item)
        result.append(total)
    return result


def flattened(parts: Any) -> Any:
    """`list(chain.from_iterable(parts))`."""
    result = []
    for part in parts:
        for item in part:
            result.append(item)
    return result


def pairs(items: Any) -> Any:
    """`list(pairwise(items))`."""
    items = list(items)
    return list(zip(items, items[1:]))


def sliced(items: Any, *bounds: Any) -> Any:
    """`list(islice(items, *bounds))`."""
    for bound in bounds:
        if bound is not None and bound < 0:
            raise ValueError(
                "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
                if len(bounds) == 1
                else "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
            )
    return list(items)[slice(*bounds)]


def chosen(items: Any, selectors: Any) -> Any:
    """`list(compress(items, selectors))`."""
    return [item for item, selector in zip(items, selectors) if selector]


def products(*parts: Any) -> Any:
    """`list(product(*parts))`."""
    if len(parts) == 0:
        return [()]
    return [(*before, one) for before in products(*parts[:-1]) for one in parts[-1]]


def items_by_index(owner: Any) -> Iterator[Any]:
    """The iterator of an object that has `__getitem__` alone."""
    index = 0
    while True:
        try:
            item = owner[index]
        except IndexError:
            return
        yield item
        index += 1
