"""Strings some of whose parts are known only when the graph runs."""

from __future__ import annotations

from typing import Any, NoReturn

from autograph.effects.places import Items
from autograph.errors import StateError


class Text:
    """A string some of whose parts are known only when the graph runs."""

    __slots__ = ("parts",)
    _staged_parts = ("parts",)

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts = parts

    def __add__(self, other: Any) -> Any:
        return (
            Text(self.parts + parts_of(other)) if isinstance(other, str | Text) else NotImplemented
        )

    def __radd__(self, other: Any) -> Any:
        return Text((other, *self.parts)) if isinstance(other, str) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        return Text(self.parts * count) if isinstance(count, int) else self._refuse()

    __rmul__ = __mul__

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise StateError(
            "a string with staged values in it is looked into, and it is known only when the "
            "function runs",
            remedy="compare, count or choose with the values themselves",
        )

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _refuse
    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = _refuse
    __int__ = __float__ = __mod__ = _refuse

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(str, name):
            raise AttributeError(f"'str' object has no attribute {name!r}")
        self._refuse()

    @staticmethod
    def _concrete(parts: tuple[Any, ...]) -> str:
        return "".join(part if type(part) is str else str(part) for part in parts)


class Pieces:
    """A part of a string: pieces, as many as the run tells, one after the other."""

    __slots__ = ("rows",)
    _staged_parts = ("rows",)

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    @staticmethod
    def _concrete(rows: Items) -> str:
        return "".join(map(str, rows.values))


def parts_of(value: Any) -> tuple[Any, ...]:
    """What a string is made of."""
    return value.parts if isinstance(value, Text) else (value,)
