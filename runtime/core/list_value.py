"""ListValue: what a list of a graph is while `evaluate` runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any


class ListValue:
    """A persistent sequence: `push` gives a new list and leaves this one as it was.

    Lists that grow from one another share one Python list as long as nobody branches off, so a
    push costs amortised constant time.
    """

    __slots__ = ("_items", "length")

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._items = list(items)
        self.length = len(self._items)

    def _prefix(self, length: int) -> ListValue:
        result = ListValue.__new__(ListValue)
        result._items = self._items
        result.length = length
        return result

    def push(self, item: Any) -> ListValue:
        """This list with `item` added at its end."""
        if self.length != len(self._items):
            result = ListValue(self._items[: self.length])
            result._items.append(item)
            result.length += 1
            return result
        self._items.append(item)
        return self._prefix(self.length + 1)

    def pop(self) -> tuple[ListValue, Any]:
        """This list without its last item, and that item. IndexError where it is empty."""
        if not self.length:
            raise IndexError("pop from empty list")
        return self._prefix(self.length - 1), self._items[self.length - 1]

    def set(self, index: int, item: Any) -> ListValue:
        """This list with another item at `index`, which is in range and not negative."""
        items = self._items[: self.length]
        items[index] = item
        return ListValue(items)

    def scalars(self) -> list[Any]:
        """The items, where each has no axes, as NumPy's scalars."""
        return [item[()] for item in self]

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> Any:
        if not -self.length <= index < self.length:
            raise IndexError("list index out of range")
        return self._items[index % self.length]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items[: self.length])
