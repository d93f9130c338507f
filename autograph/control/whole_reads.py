"""Reads of values as wholes: all that C code looks at, which shows or compares them."""

from __future__ import annotations

import enum
import functools
import types
from typing import Any

from autograph.control.chosen_contents import CONTAINERS, DictView
from autograph.errors import StateError
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.lent_generators import expose, is_lent
from autograph.tracing.namespaces import taken
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice


class Shown(enum.Enum):
    """What is shown of a value that is read."""

    NOT = "it is compared"
    TEXT = "str"
    REPRESENTATION = "repr"


def read_whole(
    tracing: Tracing, value: Any, shown: Shown = Shown.TEXT, within: tuple[int, ...] = ()
) -> None:
    """Note that all is read that Python's own text of a value shows, or a comparison looks at."""
    if isinstance(value, DictView):
        value = value.container
    parts = Shown.NOT if shown is Shown.NOT else Shown.REPRESENTATION
    if isinstance(value, CONTAINERS):
        if id(value) not in within and tracing.contents(value) is None:
            read_contents(tracing, value)
            parted = (*value, *value.values()) if isinstance(value, dict) else value
            for one in parted:
                read_whole(tracing, one, parts, (*within, id(value)))
    elif isinstance(value, tuple):
        for one in value:
            read_whole(tracing, one, parts, within)
    elif isinstance(value, slice):
        read_whole(tracing, (value.start, value.stop, value.step), parts, within)
    elif isinstance(value, functools.partial):
        _read_partial(tracing, value, parts, within)
    elif isinstance(value, BaseException):
        read_whole(tracing, value.args, shown, within)
    elif isinstance(value, types.SimpleNamespace):
        read_whole(tracing, taken(tracing, value), shown, within)
    elif is_lent(value):
        expose(tracing, value)  # its text tells what it draws with, and where it is
    elif shown is not Shown.NOT and _shows_address(value, shown):
        note_identity(tracing, value)


def _read_partial(
    tracing: Tracing, value: functools.partial[Any], shown: Shown, within: tuple[int, ...]
) -> None:
    """What the text of a partial function shows: StateError where that is staged."""
    parts = (value.func, *value.args, *value.keywords.values())
    read_whole(tracing, parts, shown, within)
    if shown is not Shown.NOT and any(map(_is_staged, parts)):
        raise StateError(
            "the text of a functools.partial of staged values is known only when it runs",
            remedy="show its arguments: partial.args, partial.keywords",
        )


def _is_staged(value: Any) -> bool:
    tracing = current()
    if isinstance(value, CONTAINERS):
        staged = tracing is not None and tracing.contents(value) is not None
        return staged or any(map(_is_staged, value.values() if isinstance(value, dict) else value))
    return isinstance(value, Number | Choice | Tensor)


def _shows_address(value: Any, shown: Shown) -> bool:
    """Whether Python's own text of an object has its address in it."""
    if shown is Shown.TEXT and _method(value, "__str__") is not object.__str__:
        return False
    return _method(value, "__repr__") is object.__repr__


def note_identity(tracing: Tracing, value: Any) -> None:
    """Note that the address of an object is read: its `id`, or a text with it."""
    if id(value) in tracing.paths:
        tracing.guard(f"id({tracing.path_of(value)}) == {id(value)}")


def _method(value: Any, name: str) -> Any:
    return getattr(type(value), name)
