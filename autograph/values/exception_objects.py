"""Exception objects: taken apart and made anew."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterable
from typing import Any

from autograph.values.exception_origins import Origins
from autograph.values.sentinels import UNSET

ORIGIN = "__autograph_origin__"
"""The part that tells on which line an exception was raised (`exception_origins`)."""
_CHAINED = ("__cause__", "__suppress_context__")
_HEAP_TYPE = 1 << 9
"""Set in the flags of classes that are made by a class statement."""
_NOTED_BY_PYTHON = (AttributeError, NameError, BaseException)
"""Of their members the name of the attribute or variable is kept, the object is not."""


def parts_of_exception(error: BaseException, origins: Origins) -> dict[str, Any]:
    """What makes an exception anew: its arguments, what the user keeps in it, and its cause."""
    kept = {"args": error.args, ORIGIN: origins.of(error), **vars(error)}
    for base in type(error).__mro__:
        for name, one in vars(base).items():
            is_member = isinstance(one, types.MemberDescriptorType)
            by_python = base in _NOTED_BY_PYTHON or base is BaseExceptionGroup
            if not is_member or not hasattr(error, name) or (by_python and name != "name"):
                continue
            part = getattr(error, name)
            if part is not None or base.__flags__ & _HEAP_TYPE:  # unset members of C are None
                kept[name] = part
    if isinstance(error.__context__, Exception | SystemExit) and not _is_again(error, origins):
        kept["__context__"] = error.__context__
    if error.__cause__ is not None or error.__suppress_context__:
        kept.update({name: getattr(error, name) for name in _CHAINED})
    return kept


def _is_again(error: BaseException, origins: Origins) -> bool:
    """Whether one of its class was being handled, of a deeper call of a recursion.

    Each call would have one more of them: `try: f(n - 1) finally: items.pop()`.
    """
    inner = error.__context__ if origins.recursions else None
    while inner is not None and type(inner) is not type(error):
        inner = inner.__context__
    return inner is not None


def new_exception(kind: Any, keys: Iterable[str], parts: Iterable[Any]) -> BaseException:
    """An exception of its parts, without its `__init__`."""
    held = dict(zip(keys, parts, strict=True))
    try:
        fresh: BaseException = kind.__new__(kind, *held["args"])
    except TypeError:
        fresh = kind.__new__(kind)
    if issubclass(kind, UnicodeError):
        _find_place(fresh, held["args"])
    for name, part in held.items():
        if part is not UNSET and name is not ORIGIN:
            object.__setattr__(fresh, name, part)
    return fresh


def _find_place(error: BaseException, args: tuple[Any, ...]) -> None:
    """Let an error of Unicode know `start` and `end`, which are no members."""
    with contextlib.suppress(TypeError):
        error.__init__(*args)  # type: ignore[misc]
