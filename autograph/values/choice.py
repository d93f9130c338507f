"""Choice: one of several Python values; which one is known only when the graph runs."""

from __future__ import annotations

from typing import Any, NoReturn

from autograph.errors import StagingError, StateError
from autograph.runtime.core.number import Number

_CONTENTS = {"Items": "list", "DictItems": "dict", "SetItems": "set", "StagedItems": "container"}


class Choice:
    """A tag (a staged int) and the options. Operators map over the options and merge again."""

    __slots__ = ("options", "tag")

    def __init__(self, tag: Number, options: tuple[Any, ...]) -> None:
        self.tag = tag
        self.options = options

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        names = {type(option).__name__ for option in self.options}
        kinds = ", ".join(sorted(_CONTENTS.get(name, name) for name in names))
        raise StateError(
            f"a value that is one of several ({kinds}), depending on a staged condition, is used "
            "where the value itself is needed, in code that is not converted",
            remedy="use it inside the branches, where it is one value",
        )

    __bool__ = __int__ = __float__ = __index__ = __len__ = __iter__ = __eq__ = _refuse
    __getitem__ = __call__ = __contains__ = __enter__ = _refuse

    def __hash__(self) -> int:
        raise StagingError(
            "a value that depends on a staged condition is used as a key",
            remedy="choose between the entries with if",
        )

    def __repr__(self) -> str:
        return f"<choice of {self.options!r}>"


def has_chosen(items: Any) -> bool:
    """Whether keys among items, or in pairs, are one of several values."""
    return isinstance(items, list | tuple) and any(
        isinstance(part, Choice)
        for one in items
        for part in (one if isinstance(one, tuple) else (one,))
    )
