"""Iterators over sequences, as `iter` makes them while tracing: where they stand is state.

The methods are converted like the user's own. So an iterator may be advanced under a staged
condition or in a staged loop, and then stands at a place that is known only at run time.
"""

from __future__ import annotations

from typing import Any


class SequenceIterator:
    """`iter(items)` of a list, tuple, range, string or tensor."""

    _stays_inside = True

    def __init__(self, items: Any) -> None:
        self.items = items
        self.position = 0
        self.ended = False

    def __iter__(self) -> SequenceIterator:
        return self

    def has_next(self) -> Any:
        """Whether an item is left. One that has ended stays ended, also where its list grows."""
        if not self.ended and self.position < len(self.items):
            return True
        self.ended = True
        return False

    def __next__(self) -> Any:
        if not self.has_next():
            raise StopIteration
        self.position += 1
        return self.items[self.position - 1]

    def take(self, default: Any) -> Any:
        """`next(self, default)`."""
        return self.__next__() if self.has_next() else default
