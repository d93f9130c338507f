"""Containers whose contents are one of several: every use of them is a staged switch."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from autograph.control.branch import switch
from autograph.tracing.namespaces import attribute_of, in_question
from autograph.tracing.places import ContentsPlace, Place
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

CONTAINERS = (list, dict, set, deque)


class DictView:
    """`d.keys()`, `d.values()` or `d.items()`: it sees what the dict holds when it is used."""

    __slots__ = ("container", "kind")
    _staged_parts = ("container", "kind")

    def __init__(self, container: dict[Any, Any], kind: str) -> None:
        self.container = container
        self.kind = kind

    @staticmethod
    def _concrete(container: dict[Any, Any], kind: str) -> Any:
        return getattr(container, kind)()

    @property
    def native(self) -> Any:
        """The view of Python's own."""
        return getattr(self.container, self.kind)()

    def __iter__(self) -> Iterator[Any]:
        items: Iterator[Any] = iter(self.native)
        return items

    def __reversed__(self) -> Iterator[Any]:
        items: Iterator[Any] = reversed(self.native)
        return items

    def __len__(self) -> int:
        return len(self.container)

    def __contains__(self, item: Any) -> bool:
        return item in self.native

    def __eq__(self, other: Any) -> Any:
        return self.native == _native(other)

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Any) -> Any:
        return self.native & _native(other)

    def __or__(self, other: Any) -> Any:
        return self.native | _native(other)

    def __sub__(self, other: Any) -> Any:
        return self.native - _native(other)

    def __xor__(self, other: Any) -> Any:
        return self.native ^ _native(other)

    def __repr__(self) -> str:
        return repr(self.native)


def _native(value: Any) -> Any:
    return value.native if isinstance(value, DictView) else value


def chosen_contents(tracing: Tracing, container: Any) -> Choice | None:
    """The contents of a container if they are one of several, else None.

    Of a namespace: what an attribute may be that is missing on some path.
    """
    if isinstance(container, DictView):
        container = container.container
    if not isinstance(container, CONTAINERS):
        return None
    attribute = in_question(tracing, container)
    if attribute is not None:
        return attribute[1]
    contents = tracing.contents(container)
    return contents if isinstance(contents, Choice) else None


def with_each(tracing: Tracing, container: Any, contents: Choice, action: Callable[[], Any]) -> Any:
    """Run `action` for each of the contents that `container` may have; the results are merged."""
    if isinstance(container, DictView):
        container = container.container
    attribute = in_question(tracing, container)
    place: Place = ContentsPlace(container, tracing)
    if attribute is not None:
        place = attribute_of(tracing, container, attribute[0])

    def using(option: Any) -> Callable[[], Any]:
        def run() -> Any:
            tracing.touch(place)
            place.set(option)
            result = action()
            if place.same(option, place.get()):
                place.set(contents)  # it was only read
            return result

        return run

    index = tracing.region.trace.lift(contents.tag._value)
    return switch(tracing, index, [using(option) for option in contents.options])
