"""What functions of `itertools` give, and check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def check_slice(start: Any, stop: Any, step: Any, only_stop: bool) -> None:
    """What `islice` raises for numbers that it does not take."""
    if stop is not None and stop < 0:
        raise ValueError(
            "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
            if only_stop
            else "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        )
    if start < 0:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")


def products(*parts: Any) -> Any:
    """`list(product(*parts))`."""
    if len(parts) == 0:
        return [()]
    return [(*before, one) for before in products(*parts[:-1]) for one in parts[-1]]


def items_by_index_backwards(owner: Any) -> Iterator[Any]:
    """The iterator of `reversed(owner)`, of an object with `__len__` and `__getitem__`."""
    for index in range(len(owner) - 1, -1, -1):
        yield owner[index]


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
